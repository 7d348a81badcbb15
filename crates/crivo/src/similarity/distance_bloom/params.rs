//! Parameters of a distance-sensitive Bloom filter, and its two error rates.

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

/// The largest length of a bit string.
const MAX_BITS: u32 = 1 << 16;
/// The largest number of samples: a key is one word.
const MAX_SAMPLES: u32 = 64;
/// The largest number of bits of a filter, as for a Bloom filter.
const MAX_CELLS: u64 = 1 << 40;

/// The size of a [`DistanceBloom`]: the number of functions and of samples per function, the cells in the array of each
/// function, and the number of functions that must agree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DistanceParams {
    metric: Metric,
    functions: u32,
    samples: u32,
    threshold: u32,
    cells: u64,
}

impl DistanceParams {
    /// Returns exactly these numbers: `functions` functions of `samples` samples, each with an array of `cells` bits. A
    /// query is close if at least `threshold` of its bits are set.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless the length in the metric is 1 to 65,536, functions 1 to 4,096, samples 1 to 64,
    /// the threshold 1 to `functions`, all cells together 1 to 2⁴⁰, and a signature has a slot for each sample.
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
                "{functions} functions of {samples} samples need as many slots as their product, got {slots}; take \
                 larger signatures"
            )));
        }
        Ok(Self { metric, functions, samples, threshold, cells })
    }

    /// Returns the smallest filter for `items` items that misses at most `fnr` of the queries within the distance
    /// `near` of an item, and reports at most `fpr` of those at distance `far` or more from all items.
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
    /// Returns `InvalidArgument` unless `items` is 1 or more, both rates lie strictly between 0 and 1, `near.0` is
    /// below `far.0` and both are distances, and some size reaches the targets.
    pub fn for_targets(metric: Metric, items: u64, near: (f64, f64), far: (f64, f64)) -> Result<Self> {
        Self::exact(metric, 1, 1, 1, 1)?;
        let (agree_near, agree_far) = (metric.agreement(near.0)?, metric.agreement(far.0)?);
        for (name, rate) in [("false negatives", near.1), ("false positives", far.1)] {
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
                // Only sizes smaller than the best so far.
                let most = best.map_or(MAX_CELLS, |best| best.cells_of_all() - 1) / cells;
                let most = most.min(metric.most_functions(samples).into()) as u32;
                let with = |functions| Self::meeting(metric, functions, samples, cells, items, (near, far));
                best = first(most, |functions| with(functions).is_some()).and_then(with).or(best);
            }
        }
        // The search above assumes that more functions separate better, which the steps of the threshold sometimes
        // violate.
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

    /// Returns the size with these functions, samples and cells that meets the targets.
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
        // The highest threshold with few enough misses has the fewest false positives.
        let misses = |threshold: u32| binomial_cdf((threshold - 1).into(), functions.into(), hit);
        let threshold = first(functions, |threshold| misses(threshold) > near.1).unwrap_or(functions + 1) - 1;
        let params = Self::exact(metric, functions, samples, threshold, cells).ok()?;
        (params.false_positive_rate(far.0, items).ok()? <= far.1).then_some(params)
    }

    /// Returns an upper bound on the probability that a query at this distance from an inserted item is missed; other
    /// items only add hits.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `distance` is possible in the metric.
    pub fn false_negative_rate(&self, distance: f64) -> Result<f64> {
        let hit = self.hit_near(distance)?;
        Ok(binomial_cdf((self.threshold - 1).into(), self.functions.into(), hit))
    }

    /// Returns an upper bound on the probability that a query at this distance or more from all of `items` items is
    /// reported.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `distance` is possible in the metric.
    pub fn false_positive_rate(&self, distance: f64, items: u64) -> Result<f64> {
        let fill = -expm1(items as f64 * log1p(-1.0 / self.cells as f64).max(-1e300));
        let hit = self.hit_far(distance, items as f64, fill)?;
        // The probability of at least as many hits as the threshold.
        Ok(binomial_sf((self.threshold - 1).into(), self.functions.into(), hit))
    }

    /// Returns the probability that a function agrees on two items at this distance.
    pub(super) fn hit_near(&self, distance: f64) -> Result<f64> {
        Ok(pow(self.metric.agreement(distance)?, self.samples.into()))
    }

    /// Returns an upper bound on the probability that a function finds its bit set for a query this far from all items:
    /// it agrees on one of them, or another item set the bit.
    pub(super) fn hit_far(&self, distance: f64, items: f64, fill: f64) -> Result<f64> {
        let agrees = (items * self.hit_near(distance)?).min(1.0);
        Ok(agrees + (1.0 - agrees) * fill)
    }

    /// Returns the metric.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Returns the number of functions.
    pub fn functions(&self) -> u32 {
        self.functions
    }

    /// Returns the number of samples of a function.
    pub fn samples(&self) -> u32 {
        self.samples
    }

    /// Returns how many functions must find their bit set.
    pub fn threshold(&self) -> u32 {
        self.threshold
    }

    /// Returns the bits of the array of a function.
    pub fn cells(&self) -> u64 {
        self.cells
    }

    /// Returns the bits of all arrays.
    pub fn cells_of_all(&self) -> u64 {
        u64::from(self.functions) * self.cells
    }

    /// Returns the memory of a filter of this size, in bytes.
    pub fn memory_bytes(&self) -> u64 {
        size_of::<DistanceBloom>() as u64 + self.cells_of_all().div_ceil(64) * 8
    }
}

/// The fills that a size may be planned for.
const FILLS: [f64; 7] = [0.5, 0.35, 0.25, 0.15, 0.1, 0.05, 0.02];

/// Returns the cells in which this many items set this share; `None` beyond the largest filter.
fn cells_for(items: u64, fill: f64) -> Option<u64> {
    let cells = ceil(items as f64 / -log1p(-fill));
    (cells < MAX_CELLS as f64).then_some((cells as u64).max(1))
}

/// Returns the first number of 1 to `most` for which `holds` is true; `holds` changes from false to true once.
fn first(most: u32, holds: impl Fn(u32) -> bool) -> Option<u32> {
    let (mut no, mut yes) = (0, most + 1);
    while yes - no > 1 {
        let middle = no + (yes - no) / 2;
        *(if holds(middle) { &mut yes } else { &mut no }) = middle;
    }
    (yes <= most).then_some(yes)
}

/// Returns the probabilities of fewer than `threshold` hits and of at least as many, if each function hits with its own
/// probability.
pub(super) fn hits_below_and_from(threshold: u32, hits: impl Iterator<Item = f64>) -> (f64, f64) {
    let threshold = threshold as usize;
    // The probability of each number of hits so far; numbers from the threshold on are one state.
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

/// Returns how many items set this share of this many cells.
pub(super) fn items_of(fill: f64, cells: u64) -> f64 {
    if cells == 1 { if fill > 0.0 { 1.0 } else { 0.0 } } else { log1p(-fill) / log1p(-1.0 / cells as f64) }
}

/// The metrics in files; that of sets is followed by the scheme of its signatures.
const HAMMING: u64 = 1;
const JACCARD: u64 = 2;

impl Params for DistanceParams {
    const REMEDY: &str = "build both filters with the same parameters";
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
            other => return Err(Error::malformed(format!("the file is corrupt: unknown metric {other}"))),
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

    /// A metric of bit strings has no scheme, so none is written.
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
        // With the probabilities 0.5 and 0.2, exactly one hit has probability 0.5·0.8 + 0.5·0.2.
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
            // Fewer functions with these samples and cells do not meet them.
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
