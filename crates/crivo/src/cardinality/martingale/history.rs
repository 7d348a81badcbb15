//! The history of the changes of a sketch.

use super::ALL_HASHES;
use crate::codec::Reader;
use crate::stats::normal_quantile;
use crate::{Error, Result};
use alloc::vec::Vec;
use libm::{pow, sqrt};

/// The cumulants of the time of the last change, given the changes: a sum of independent geometric waiting
/// times, each with the probability of a change as its probability of success.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct History {
    /// Σ 1/q: the unbiased estimate of the number of items.
    mean: f64,
    /// Σ (1 − q)/q².
    variance: f64,
    /// Σ (1 − q)(2 − q)/q³.
    third: f64,
}

/// More than a sketch of 2¹⁸ registers with 64 changes each could have waited for.
const BEYOND_ALL: f64 = 1e27;

impl History {
    pub(super) fn items(&self) -> f64 {
        self.mean
    }

    /// Records a change that had this probability, in units of 2⁻⁶⁴; it is never 0.
    pub(super) fn change(&mut self, probability: u128) {
        let wait = ALL_HASHES as f64 / probability as f64;
        // 1 − q, computed without cancellation if q is close to 1.
        let idle = (ALL_HASHES - probability) as f64 / ALL_HASHES as f64;
        self.mean += wait;
        self.variance += idle * wait * wait;
        self.third += idle * (1.0 + idle) * wait * wait * wait;
    }

    /// Returns bounds at `z` standard deviations, if a new item changes the sketch with this probability.
    ///
    /// The number of items lies between the time of the last change and that of the next. Bounds from either
    /// alone would have too high or too low a coverage; the quantiles of a time halfway have about the right
    /// one. The quantiles are those of Cornish and Fisher. A quarter of an item is added since numbers of
    /// items are whole.
    pub(super) fn interval(&self, probability: u128, z: f64) -> (f64, f64) {
        if probability == 0 {
            return (self.quantile(-z).max(1.0), f64::INFINITY);
        }
        let mut next = *self;
        next.change(probability);
        let middle = |last: f64, next: f64| 0.5 * (last + next);
        let halfway = Self {
            mean: middle(self.mean, next.mean) - 0.5,
            variance: middle(self.variance, next.variance),
            third: middle(self.third, next.third),
        };
        ((halfway.quantile(-z) - 0.25).max(1.0), halfway.quantile(z) + 0.25)
    }

    fn quantile(&self, z: f64) -> f64 {
        let deviation = sqrt(self.variance);
        let skewness = if self.variance > 0.0 { self.third / pow(deviation, 3.0) } else { 0.0 };
        // The parabola of Cornish and Fisher turns here; beyond it the quantile would move back.
        let z = z.max(-3.0 / skewness);
        self.mean + deviation * (z + skewness / 6.0 * (z * z - 1.0))
    }

    pub(super) fn to_bytes(self) -> Vec<u8> {
        [self.mean, self.variance, self.third].iter().flat_map(|sum| sum.to_bits().to_le_bytes()).collect()
    }

    pub(super) fn read(payload: &mut Reader<'_>) -> Result<Self> {
        let mut sum = || payload.u64().map(f64::from_bits);
        Ok(Self { mean: sum()?, variance: sum()?, third: sum()? })
    }

    /// Refuses an impossible history of a sketch that changed at least `changes` times and now changes with
    /// this probability.
    pub(super) fn check(&self, changes: u64, probability: u128) -> Result<()> {
        let [mean, variance, third] = [self.mean, self.variance, self.third];
        // An empty history is all zeros, bit for bit. Otherwise each wait is at least one item, the first
        // exactly one, and a sum of powers is at most the power of the sum.
        let is_possible = if probability == ALL_HASHES {
            self.to_bytes().iter().all(|&byte| byte == 0)
        } else {
            (changes as f64..BEYOND_ALL).contains(&mean)
                && (0.0..=mean * mean).contains(&variance)
                && (0.0..=2.0 * mean * mean * mean).contains(&third)
                && [variance, third].iter().all(|sum| sum.is_sign_positive())
        };
        if is_possible {
            return Ok(());
        }
        Err(Error::malformed("the history contradicts the sketch"))
    }
}

/// Returns the length of the upper side of the interval, relative to the estimate, if the relative variance
/// is constant: far from empty, the wait for a change grows in proportion to the number of items.
pub(super) fn limit_reach(variance: f64, confidence: f64) -> f64 {
    // 1/q = 2vn makes Σ 1/q² = vn² and Σ 2/q³ = (8/3)v²n³, by integrals over n of 1/q and 2/q².
    let wait = 2.0 * variance;
    let halfway = History {
        mean: 1.0 + 0.5 * wait,
        variance: variance + 0.5 * wait * wait,
        third: 8.0 / 3.0 * variance * variance + wait * wait * wait,
    };
    halfway.quantile(normal_quantile(0.5 + confidence / 2.0)) - 1.0
}
