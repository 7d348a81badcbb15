//! The false-positive rate of a Bloom filter by bits and functions: measured, and by theory.

use crivo::rng::Rng;
use crivo::stats::{binomial_band, clopper_pearson, normal_quantile};
use crivo::{BloomFilter, BloomParams, HashSpec};
use libm::{exp, pow, sqrt};

use super::prelude::*;

/// Wrong answers of one filter, and what theory expects.
pub(super) struct Rate {
    pub(super) bits_per_item: u64,
    pub(super) hashes: u32,
    pub(super) tested: u64,
    pub(super) wrong: u64,
    /// The exact rate of theory.
    pub(super) theory: f64,
    /// The fewest and the most wrong answers that theory lets be.
    band: (f64, f64),
}

/// Items that go into a filter, and others that it is asked for.
#[derive(Clone, Copy)]
pub(super) struct Load {
    pub(super) items: u64,
    pub(super) tested: u64,
}

impl Rate {
    /// Fills a filter that really has `actual` functions, with its own hash function, and asks for what is not inside.
    pub(super) fn measure(
        (bits_per_item, hashes): (u64, u32),
        actual: u32,
        Load { items, tested }: Load,
        false_alarm: f64,
        rng: &mut Rng,
    ) -> Result<Self> {
        let bits = bits_per_item * items;
        let params = BloomParams::exact(bits, actual)?;
        let mut filter = BloomFilter::with_params(params).with_hash(HashSpec::seeded(rng.next_u64()));
        filter.extend(0..items);
        let wrong = (items..items + tested).filter(|item| filter.contains(item)).count() as u64;
        let theory = BloomParams::exact(bits, hashes)?.fpr_at(items);
        let band = band(bits_per_item, hashes, Load { items, tested }, false_alarm);
        Ok(Self { bits_per_item, hashes, tested, wrong, theory, band })
    }

    pub(super) fn measured(&self) -> f64 {
        self.wrong as f64 / self.tested as f64
    }

    /// The rate in percent with its 95 % interval, at `x`.
    pub(super) fn point(&self, x: f64) -> Point {
        let (lower, upper) = clopper_pearson(self.wrong, self.tested, 0.95);
        Point::new(x, 100.0 * self.measured()).with_bounds(100.0 * lower, 100.0 * upper)
    }

    /// Whether the rate, in percent, lies where theory lets it be.
    pub(super) fn check(&self) -> Check {
        let percent = |answers: f64| 100.0 * answers / self.tested as f64;
        Check {
            place: format!("{} bits per item, {} functions", self.bits_per_item, self.hashes),
            value: 100.0 * self.measured(),
            expected: 100.0 * self.theory,
            lower: if self.band.0 > 0.0 { percent(self.band.0) } else { f64::NEG_INFINITY },
            upper: percent(self.band.1),
        }
    }
}

/// (1 − e^(−k/q))^k, in percent: the rate of a large filter with q bits per item.
pub(super) fn limit_percent(bits_per_item: f64, hashes: f64) -> f64 {
    100.0 * pow(1.0 - exp(-hashes / bits_per_item), hashes)
}

/// Half of the false alarms for the number of ones, which is nearly normal, half for the answers given the ones.
fn band(bits_per_item: u64, hashes: u32, Load { items, tested }: Load, false_alarm: f64) -> (f64, f64) {
    let (k, lambda) = (f64::from(hashes), f64::from(hashes) / bits_per_item as f64);
    let zeros = exp(-lambda);
    let variance = zeros * (1.0 - (1.0 + lambda) * zeros) / (bits_per_item * items) as f64;
    let spread = normal_quantile(1.0 - false_alarm / 4.0) * sqrt(variance);
    let given = |zeros: f64| binomial_band(tested, pow((1.0 - zeros).clamp(0.0, 1.0), k), false_alarm / 2.0);
    (given(zeros + spread).0, given(zeros - spread).1)
}
