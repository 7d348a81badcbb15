//! Sizes, and both errors.

use super::super::signature::{MAX_K, Scheme};
use super::DistanceBloom;
use super::metric::{MAX_FUNCTIONS, Metric};
use crate::codec::{Reader, put_u64_varint};
use crate::sketch::{Fact, Params, narrow};
use crate::stats::{binomial_cdf, binomial_sf};
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use libm::{ceil, expm1, log1p, pow};

/// Bit strings are at most so long.
const MAX_BITS: u32 = 1 << 16;
/// A key is a word.
const MAX_SAMPLES: u32 = 64;
/// The most bits of a filter, as of a Bloom filter.
const MAX_CELLS: u64 = 1 << 40;

/// The size of a [`DistanceBloom`]: functions of some samples, each with an array of cells, and how many of the functions
/// have to agree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DistanceParams {
    metric: Metric,
    functions: u32,
    samples: u32,
    threshold: u32,
    cells: u64,
}

impl DistanceParams {
    /// Exactly these numbers: `functions` functions of `samples` samples, an array of `cells` bits each, and close is
    /// what finds `threshold` of its bits set.
    ///
    /// # Errors
    /// `InvalidArgument` when the metric's length is not 1 to 65,536, functions not 1 to 4,096, samples not 1 to 64, the
    /// threshold not 1 to `functions`, all cells together not 1 to 2⁴⁰, or a signature has fewer slots than all samples.
    pub fn exact(metric: Metric, functions: u32, samples: u32, threshold: u32, cells: u64) -> Result<Self> {
        let (length, most) = match metric {
            Metric::Hamming { bits } => (bits, MAX_BITS),
            Metric::Jaccard { slots, .. } => (slots, MAX_K),
        };
        let all_cells = u128::from(functions) * u128::from(cells);
        for (name, value, most) in [
            ("bits or slots", u128::from(length), most.into()),
            ("functions", functions.into(), MAX_FUNCTIONS.into()),
            ("samples", samples.into(), MAX_SAMPLES.into()),
            ("the threshold", threshold.into(), functions.into()),
            ("the cells of all functions", all_cells, MAX_CELLS.into()),
        ] {
            if value == 0 || value > most {
                return Err(Error::invalid(format!("{name} must be 1 to {most}, got {value}")));
            }
        }
        if let Metric::Jaccard { slots, .. } = metric
            && u64::from(functions) * u64::from(samples) > slots.into()
        {
            return Err(Error::invalid(format!(
                "{functions} functions of {samples} samples need as many slots as both multiplied, got {slots}; take \
                 larger signatures"
            )));
        }
        Ok(Self { metric, functions, samples, threshold, cells })
    }

    /// The smallest filter for `items` items that misses at most `fnr` of what is within the distance `near` of one of
    /// them, and reports at most `fpr` of what is `far` or farther from all of them.
    ///
    /// ```
    /// use crivo::similarity::{DistanceParams, Metric};
    /// let params = DistanceParams::for_targets(Metric::Hamming { bits: 256 }, 1000, (10.0, 0.01), (100.0, 0.01))?;
    /// assert!(params.false_negative_rate(10.0)? <= 0.01);
    /// assert!(params.false_positive_rate(100.0, 1000)? <= 0.01);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless `items` is 1 or more, both rates lie strictly between 0 and 1, `near.0` is below `far.0`
    /// and both are distances, and some size reaches the targets.
    pub fn for_targets(metric: Metric, items: u64, near: (f64, f64), far: (f64, f64)) -> Result<Self> {
        Self::exact(metric, 1, 1, 1, 1)?;
        let (agree_near, agree_far) = (metric.agreement(near.0)?, metric.agreement(far.0)?);
        for (name, rate) in [("misses", near.1), ("false reports", far.1)] {
            if !(rate > 0.0 && rate < 1.0) {
                return Err(Error::invalid(format!(
                    "the rate of {name} must lie strictly between 0 and 1, got {rate}; 0.01 is usual"
                )));
            }
        }
        if items == 0 || agree_near <= agree_far {
            return Err(Error::invalid(format!(
                "there must be 1 item or more, and near below far, got {items} items, {} and {}",
                near.0, far.0
            )));
        }
        let mut best: Option<Self> = None;
        for samples in 1..=MAX_SAMPLES {
            for cells in FILLS.iter().filter_map(|&fill| cells_for(items, fill)) {
                // Only what is smaller than the best so far.
                let most = best.map_or(MAX_CELLS, |best| best.cells_of_all() - 1) / cells;
                let most = most.min(metric.most_functions(samples).into()) as u32;
                let with = |functions| Self::meeting(metric, functions, samples, cells, items, (near, far));
                best = first(most, |functions| with(functions).is_some()).and_then(with).or(best);
            }
        }
        // The search above takes it that more functions tell better, which the steps of the threshold break now and then.
        let fewest = best.and_then(|best| {
            let with =
                |functions| Self::meeting(metric, functions, best.samples, best.cells, items, (near, far));
            (1..=best.functions).find_map(with)
        });
        fewest.ok_or_else(|| {
            Error::invalid(format!(
                "no filter of {items} items ({metric}) misses at most {} at distance {} and reports at most {} at {}; \
                 move the distances apart, allow more errors or take longer inputs",
                near.1, near.0, far.1, far.0
            ))
        })
    }

    /// The size of these functions, samples and cells that meets the targets.
    fn meeting(
        metric: Metric,
        functions: u32,
        samples: u32,
        cells: u64,
        items: u64,
        (near, far): ((f64, f64), (f64, f64)),
    ) -> Option<Self> {
        let any = Self::exact(metric, functions, samples, 1, cells).ok()?;
        let hit = any.hit_near(near.0).ok()?;
        // The highest threshold that misses few enough has the fewest false reports.
        let misses = |threshold: u32| binomial_cdf((threshold - 1).into(), functions.into(), hit);
        let threshold = first(functions, |threshold| misses(threshold) > near.1).unwrap_or(functions + 1) - 1;
        let params = Self::exact(metric, functions, samples, threshold, cells).ok()?;
        (params.false_positive_rate(far.0, items).ok()? <= far.1).then_some(params)
    }

    /// The probability that a thing at this distance from one inside is missed, at most: whatever else is inside only
    /// adds hits.
    ///
    /// # Errors
    /// `InvalidArgument` unless `distance` is one of the metric.
    pub fn false_negative_rate(&self, distance: f64) -> Result<f64> {
        let hit = self.hit_near(distance)?;
        Ok(binomial_cdf((self.threshold - 1).into(), self.functions.into(), hit))
    }

    /// The probability that a thing at this distance or farther from all of `items` items is reported, at most.
    ///
    /// # Errors
    /// `InvalidArgument` unless `distance` is one of the metric.
    pub fn false_positive_rate(&self, distance: f64, items: u64) -> Result<f64> {
        let fill = -expm1(items as f64 * log1p(-1.0 / self.cells as f64).max(-1e300));
        let hit = self.hit_far(distance, items as f64, fill)?;
        // As many as the threshold, or more.
        Ok(binomial_sf((self.threshold - 1).into(), self.functions.into(), hit))
    }

    /// The probability that a function agrees on two things at this distance.
    pub(super) fn hit_near(&self, distance: f64) -> Result<f64> {
        Ok(pow(self.metric.agreement(distance)?, self.samples.into()))
    }

    /// The probability, at most, that a function finds its bit set for a thing this far from all items: it agrees on one
    /// of them, or the bit is another's.
    pub(super) fn hit_far(&self, distance: f64, items: f64, fill: f64) -> Result<f64> {
        let agrees = (items * self.hit_near(distance)?).min(1.0);
        Ok(agrees + (1.0 - agrees) * fill)
    }

    /// What is compared, and how.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The number of functions.
    pub fn functions(&self) -> u32 {
        self.functions
    }

    /// The samples that a function takes.
    pub fn samples(&self) -> u32 {
        self.samples
    }

    /// How many functions have to find their bit set.
    pub fn threshold(&self) -> u32 {
        self.threshold
    }

    /// The bits of the array of a function.
    pub fn cells(&self) -> u64 {
        self.cells
    }

    /// The bits of all arrays.
    pub fn cells_of_all(&self) -> u64 {
        u64::from(self.functions) * self.cells
    }

    /// The memory of a filter of this size, in bytes.
    pub fn memory_bytes(&self) -> u64 {
        size_of::<DistanceBloom>() as u64 + self.cells_of_all().div_ceil(64) * 8
    }
}

/// The shares of set bits that a size may be planned for.
const FILLS: [f64; 7] = [0.5, 0.35, 0.25, 0.15, 0.1, 0.05, 0.02];

/// The cells of which so many items set this share; `None` beyond the largest filter.
fn cells_for(items: u64, fill: f64) -> Option<u64> {
    let cells = ceil(items as f64 / -log1p(-fill));
    (cells < MAX_CELLS as f64).then_some((cells as u64).max(1))
}

/// The first of 1 to `most` at which `holds`, which goes from false to true once.
fn first(most: u32, holds: impl Fn(u32) -> bool) -> Option<u32> {
    let (mut no, mut yes) = (0, most + 1);
    while yes - no > 1 {
        let middle = no + (yes - no) / 2;
        *(if holds(middle) { &mut yes } else { &mut no }) = middle;
    }
    (yes <= most).then_some(yes)
}

/// The probabilities of fewer than `threshold` hits and of as many or more, when each function hits with a probability of
/// its own.
pub(super) fn hits_below_and_from(threshold: u32, hits: impl Iterator<Item = f64>) -> (f64, f64) {
    let threshold = threshold as usize;
    // With so many hits so far; from the threshold on they are one state.
    let mut probability = vec![0.0; threshold + 1];
    probability[0] = 1.0;
    for hit in hits {
        probability[threshold] += probability[threshold - 1] * hit;
        for count in (1..threshold).rev() {
            probability[count] = probability[count] * (1.0 - hit) + probability[count - 1] * hit;
        }
        probability[0] *= 1.0 - hit;
    }
    let below: f64 = probability[..threshold].iter().sum();
    (below.min(1.0), probability[threshold].min(1.0))
}

/// How many items set this share of so many cells.
pub(super) fn items_of(fill: f64, cells: u64) -> f64 {
    if cells == 1 { if fill > 0.0 { 1.0 } else { 0.0 } } else { log1p(-fill) / log1p(-1.0 / cells as f64) }
}

/// The metrics in files; that of sets is followed by the form of its signatures.
const HAMMING: u64 = 1;
const JACCARD: u64 = 2;

impl Params for DistanceParams {
    const REMEDY: &str = "only filters made alike go together";
    const NAMES: &[&str] = &["metric", "length", "scheme", "functions", "samples", "threshold", "cells"];

    fn numbers(&self) -> Vec<u64> {
        let [metric, length, scheme] = match self.metric {
            Metric::Hamming { bits } => [HAMMING, bits.into(), 0],
            Metric::Jaccard { scheme, slots } => [JACCARD, slots.into(), scheme as u64],
        };
        let functions = [self.functions, self.samples, self.threshold].map(u64::from);
        [&[metric, length, scheme], &functions[..], &[self.cells]].concat()
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        let [length, functions, samples] = [narrow(numbers[1])?, narrow(numbers[3])?, narrow(numbers[4])?];
        let metric = match numbers[0] {
            HAMMING => Metric::Hamming { bits: length },
            JACCARD => Metric::Jaccard { scheme: Scheme::from_id(numbers[2])?, slots: length },
            other => return Err(Error::malformed(format!("unknown metric {other}"))),
        };
        Self::exact(metric, functions, samples, narrow(numbers[5])?, numbers[6])
    }

    fn memory_bytes(&self) -> u64 {
        self.memory_bytes()
    }

    fn facts(&self) -> Vec<Fact> {
        vec![
            Fact::text("metric", &format!("{}", self.metric)),
            Fact::count("functions", self.functions.into()),
            Fact::count("samples", self.samples.into()),
            Fact::count("threshold", self.threshold.into()),
            Fact::count("cells", self.cells),
        ]
    }

    /// Bit strings have no scheme, and do not say so.
    fn write(&self, params: &mut Vec<u8>) {
        let numbers = self.numbers();
        let is_written = |place: usize| place != 2 || numbers[0] == JACCARD;
        let written = (0..numbers.len()).filter(|&place| is_written(place));
        written.for_each(|place| put_u64_varint(params, numbers[place]));
    }

    fn read(mut params: Reader<'_>) -> Result<Self> {
        let mut numbers = vec![params.u64_varint()?, params.u64_varint()?];
        numbers.push(if numbers[0] == JACCARD { params.u64_varint()? } else { 0 });
        while numbers.len() < Self::NAMES.len() {
            numbers.push(params.u64_varint()?);
        }
        params.finish()?;
        Self::of(&numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_of_one_probability_are_binomial() {
        for (functions, threshold, hit) in
            [(1, 1, 0.3), (10, 1, 0.3), (10, 4, 0.3), (40, 40, 0.9), (25, 13, 0.5)]
        {
            let (below, from) = hits_below_and_from(threshold, (0..functions).map(|_| hit));
            let exact = binomial_cdf(u64::from(threshold) - 1, functions, hit);
            assert!((below - exact).abs() < 1e-12, "{functions} {threshold} {hit}: {below} {exact}");
            assert!((below + from - 1.0).abs() < 1e-12, "{functions} {threshold} {hit}");
        }
        // Of the hits 0.5 and 0.2, exactly one is 0.5·0.8 + 0.5·0.2.
        let below = |threshold| hits_below_and_from(threshold, [0.5, 0.2].into_iter()).0;
        assert!((below(2) - 0.9).abs() < 1e-15 && (below(1) - 0.4).abs() < 1e-15);
    }

    #[test]
    fn targets_are_met() {
        let hamming = Metric::Hamming { bits: 256 };
        let jaccard = Metric::Jaccard { scheme: Scheme::Functions, slots: 512 };
        for (metric, items, near, far) in [
            (hamming, 1, (5.0, 0.1), (128.0, 0.1)),
            (hamming, 1000, (10.0, 0.01), (100.0, 0.01)),
            (hamming, 100_000, (4.0, 0.05), (100.0, 0.001)),
            (jaccard, 1000, (0.1, 0.01), (0.7, 0.01)),
            (jaccard, 100_000, (0.05, 0.05), (0.8, 0.05)),
        ] {
            let params = DistanceParams::for_targets(metric, items, near, far).unwrap();
            assert!(params.false_negative_rate(near.0).unwrap() <= near.1, "{params:?}");
            assert!(params.false_positive_rate(far.0, items).unwrap() <= far.1, "{params:?}");
            // Fewer functions of these samples and cells do not.
            for functions in 1..params.functions {
                for threshold in 1..=functions {
                    let fewer = DistanceParams { functions, threshold, ..params };
                    assert!(
                        fewer.false_negative_rate(near.0).unwrap() > near.1
                            || fewer.false_positive_rate(far.0, items).unwrap() > far.1,
                        "{params:?}, but also {functions} functions and threshold {threshold}"
                    );
                }
            }
        }
    }

    #[test]
    fn sizes_are_the_same_on_every_platform() {
        let size = |metric, items, near, far| {
            let params = DistanceParams::for_targets(metric, items, near, far).unwrap();
            (params.functions(), params.samples(), params.threshold(), params.cells())
        };
        let hamming = size(Metric::Hamming { bits: 256 }, 1000, (10.0, 0.01), (100.0, 0.01));
        let jaccard = Metric::Jaccard { scheme: Scheme::Bins, slots: 512 };
        let jaccard = size(jaccard, 1000, (0.1, 0.01), (0.7, 0.01));
        assert_eq!((hamming, jaccard), ((43, 22, 11, 9492), (53, 9, 13, 9492)));
    }

    #[test]
    fn absurd_targets_are_refused() {
        let metric = Metric::Hamming { bits: 64 };
        let make = |items, near, far| DistanceParams::for_targets(metric, items, near, far);
        for bad in [0.0, 1.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(make(10, (2.0, bad), (30.0, 0.1)).is_err(), "{bad}");
            assert!(make(10, (2.0, 0.1), (30.0, bad)).is_err(), "{bad}");
        }
        for bad in [-1.0, 65.0, f64::NAN, f64::INFINITY] {
            assert!(make(10, (bad, 0.1), (30.0, 0.1)).is_err(), "{bad}");
            assert!(make(10, (2.0, 0.1), (bad, 0.1)).is_err(), "{bad}");
        }
        assert!(make(0, (2.0, 0.1), (30.0, 0.1)).is_err());
        assert!(make(10, (30.0, 0.1), (2.0, 0.1)).is_err());
        assert!(make(1000, (30.0, 0.001), (31.0, 0.001)).is_err());
        assert!(make(u64::MAX, (2.0, 0.1), (30.0, 0.1)).is_err());
        let exact = DistanceParams::exact;
        for bits in [0, MAX_BITS + 1] {
            assert!(exact(Metric::Hamming { bits }, 1, 1, 1, 1).is_err());
            assert!(exact(Metric::Jaccard { scheme: Scheme::Bins, slots: bits }, 1, 1, 1, 1).is_err());
        }
        for (functions, samples, threshold, cells) in [
            (0, 1, 1, 1),
            (MAX_FUNCTIONS + 1, 1, 1, 1),
            (1, 0, 1, 1),
            (1, MAX_SAMPLES + 1, 1, 1),
            (1, 1, 0, 1),
            (1, 1, 2, 1),
            (1, 1, 1, 0),
            (4, 1, 1, u64::MAX),
        ] {
            assert!(exact(metric, functions, samples, threshold, cells).is_err());
        }
        assert!(exact(Metric::Jaccard { scheme: Scheme::Bins, slots: 15 }, 4, 4, 1, 10).is_err());
    }
}
