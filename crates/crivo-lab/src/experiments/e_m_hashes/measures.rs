//! What a hash does to a set: to buckets, to bits, to a Bloom filter and to HyperLogLog.

use crivo::cardinality::Estimator;
use crivo::rng::Rng;
use crivo::stats::{binomial_band, chi_squared_quantile, normal_quantile};
use crivo::{BloomFilter, BloomParams, HyperLogLog};
use libm::{exp, pow, sqrt};

use super::super::prelude::*;
use super::functions::{Family, Function, HASHES};
use super::sets::Set;

pub(super) const BUCKETS: u64 = 1024;
/// Bits of the last four bytes of an item, of which one is changed.
const INPUT_BITS: usize = 32;
const PRECISION: u8 = 12;
const BITS_AN_ITEM: u64 = 10;

/// All that one function did to one set, over several draws of it.
pub(super) struct Quality {
    pub(super) function: Function,
    pub(super) set: &'static str,
    pub(super) items: u64,
    pub(super) draws: u64,
    /// Pearson's statistic over buckets by the lowest and by the highest bits, summed over the draws.
    pub(super) chi_squared: [f64; 2],
    /// How often each bit was changed, and how often each bit of the value changed with it.
    changed: Vec<u64>,
    flips: Vec<u64>,
    pub(super) tested: u64,
    pub(super) wrong: u64,
    /// Relative errors of HyperLogLog, one a draw.
    pub(super) errors: Vec<f64>,
}

impl Quality {
    pub(super) fn of(function: Function, set: &Set, draws: u64, rng: &mut Rng) -> Result<Self> {
        let outputs = function.bits() as usize;
        let mut quality = Self {
            function,
            set: set.name,
            items: set.items.len() as u64,
            draws,
            chi_squared: [0.0; 2],
            changed: vec![0; INPUT_BITS],
            flips: vec![0; INPUT_BITS * outputs],
            tested: 0,
            wrong: 0,
            errors: Vec::new(),
        };
        for _ in 0..draws {
            let family = Family::new(function, rng);
            quality.fill_buckets(&family, set);
            quality.change_bits(&family, set, rng);
            quality.ask_filter(&family, set)?;
            let mut sketch = HyperLogLog::for_precision(PRECISION)?;
            set.items.iter().for_each(|item| _ = sketch.insert_hash(family.wide(item)));
            quality.errors.push(sketch.estimate_with(Estimator::Ertl) / quality.items as f64 - 1.0);
        }
        Ok(quality)
    }

    fn fill_buckets(&mut self, family: &Family, set: &Set) {
        let mut counts = [[0.0; BUCKETS as usize]; 2];
        let shift = self.function.bits() - BUCKETS.ilog2();
        for item in &set.items {
            let value = family.value(0, item);
            counts[0][(value % BUCKETS) as usize] += 1.0;
            counts[1][(value >> shift) as usize] += 1.0;
        }
        let expected = self.items as f64 / BUCKETS as f64;
        for (sum, counts) in self.chi_squared.iter_mut().zip(counts) {
            *sum +=
                counts.iter().map(|count| (count - expected) * (count - expected) / expected).sum::<f64>();
        }
    }

    /// One random bit of the last four bytes of each item is changed.
    fn change_bits(&mut self, family: &Family, set: &Set, rng: &mut Rng) {
        let outputs = self.function.bits() as usize;
        for item in set.items.iter().filter(|item| item.len() >= INPUT_BITS / 8) {
            let bit = rng.below(INPUT_BITS as u64) as usize;
            let mut other = item.clone();
            let at = other.len() - 1 - bit / 8;
            other[at] ^= 1 << (bit % 8);
            let difference = family.value(0, item) ^ family.value(0, &other);
            self.changed[bit] += 1;
            for (output, flips) in self.flips[bit * outputs..][..outputs].iter_mut().enumerate() {
                *flips += difference >> output & 1;
            }
        }
    }

    /// Half of the items are inserted, the others asked for.
    fn ask_filter(&mut self, family: &Family, set: &Set) -> Result<()> {
        let (inserted, others) = set.items.split_at(set.items.len() / 2);
        let mut filter = BloomFilter::with_params(self.params()?);
        let bits = filter.params().bits();
        for item in inserted {
            filter.insert_positions(&family.positions(item, bits))?;
        }
        for item in others {
            self.wrong += u64::from(filter.contains_positions(&family.positions(item, bits))?);
        }
        self.tested += others.len() as u64;
        Ok(())
    }

    fn inserted(&self) -> u64 {
        self.items / 2
    }

    fn params(&self) -> Result<BloomParams> {
        Ok(BloomParams::exact(BITS_AN_ITEM * self.inserted(), HASHES as u32)?)
    }

    fn place(&self) -> String {
        format!("{}, {}", self.function.name(), self.set)
    }

    /// Pearson's statistic by its degrees of freedom: 1 for a random function, more where buckets differ, less where they are
    /// too even.
    pub(super) fn check_buckets(&self, end: usize, false_alarm: f64) -> Check {
        let freedom = (self.draws * (BUCKETS - 1)) as f64;
        let bound = |p| chi_squared_quantile(freedom, p) / freedom;
        Check {
            place: format!("{}, {} bits", self.place(), ["lowest", "highest"][end]),
            value: self.chi_squared[end] / freedom,
            expected: 1.0,
            lower: bound(false_alarm / 2.0),
            upper: bound(1.0 - false_alarm / 2.0),
        }
    }

    /// The share of all bits that change with one bit of the item.
    pub(super) fn check_flips(&self, false_alarm: f64) -> Check {
        let asked = self.changed.iter().sum::<u64>() * u64::from(self.function.bits());
        check_share(self.place(), self.flips.iter().sum(), asked, false_alarm)
    }

    /// The share of changes of one bit that change another, for the pair that is farthest from one half.
    pub(super) fn check_worst_flip(&self, false_alarm: f64) -> Check {
        let outputs = self.function.bits() as usize;
        let cells =
            self.flips.iter().enumerate().map(|(cell, &flips)| (cell, flips, self.changed[cell / outputs]));
        let off = |flips: u64, asked: u64| (flips as f64 / asked as f64 - 0.5).abs();
        let worst = cells.max_by(|a, b| off(a.1, a.2).total_cmp(&off(b.1, b.2)));
        let (cell, flips, asked) = worst.unwrap_or_default();
        let place = format!("{}, input bit {}, output bit {}", self.place(), cell / outputs, cell % outputs);
        check_share(place, flips, asked, false_alarm / self.flips.len() as f64)
    }

    /// Changes of each bit of the value, in percent, whichever bit of the item was changed.
    pub(super) fn flips_by_output(&self) -> impl Iterator<Item = f64> {
        let outputs = self.function.bits() as usize;
        let changed = self.changed.iter().sum::<u64>() as f64;
        let sum = move |output: usize| self.flips.iter().skip(output).step_by(outputs).sum::<u64>() as f64;
        (0..outputs).map(move |output| 100.0 * sum(output) / changed)
    }

    /// Wrong answers of the filters, as in e-f9, given only how many items are inside.
    pub(super) fn check_filter(&self, false_alarm: f64) -> Result<Check> {
        let params = self.params()?;
        let (m, k, n) = (params.bits() as f64, HASHES as f64, self.inserted());
        let lambda = k * n as f64 / m;
        let zeros = exp(-lambda);
        // Half of the false alarms for the ones, whose mean over the filters counts, half for the answers.
        let variance = zeros * (1.0 - (1.0 + lambda) * zeros) / (m * self.draws as f64);
        let spread = normal_quantile(1.0 - false_alarm / 4.0) * sqrt(variance);
        let band = |zeros: f64| binomial_band(self.tested, pow(1.0 - zeros, k), false_alarm / 2.0);
        let (lower, upper) = (band(zeros + spread).0, band(zeros - spread).1);
        let expected = params.fpr_at(n) * self.tested as f64;
        let [value, expected, lower, upper] =
            [self.wrong as f64, expected, lower, upper].map(|wrong| 100.0 * wrong / self.tested as f64);
        Ok(Check { place: self.place(), value, expected, lower, upper })
    }

    /// The mean error of HyperLogLog.
    pub(super) fn check_sketch(&self, false_alarm: f64) -> Result<Check> {
        let error = HyperLogLog::standard_error_at(PRECISION, self.items)?;
        // Its own bias is far below 1/m.
        let bias = 1.0 / f64::from(1u32 << PRECISION);
        let bound =
            100.0 * (bias + normal_quantile(1.0 - false_alarm / 2.0) * error / sqrt(self.draws as f64));
        let value = 100.0 * self.errors.iter().sum::<f64>() / self.draws as f64;
        Ok(Check { place: self.place(), value, expected: 0.0, lower: -bound, upper: bound })
    }
}

/// The share of bits that changed, in percent.
fn check_share(place: String, flips: u64, asked: u64, false_alarm: f64) -> Check {
    let (lower, upper) = binomial_band(asked, 0.5, false_alarm);
    let [value, lower, upper] = [flips as f64, lower, upper].map(|flips| 100.0 * flips / asked as f64);
    Check { place, value, expected: 50.0, lower, upper }
}
