//! Estimates the number of items in a Bloom filter from its number of ones.

use super::rate::ones_variance;
use crate::hash::TWO_TO_64;
use crate::stats::normal_quantile;
use crate::{Estimate, Guarantee};
use libm::{exp, expm1, log, log1p, pow, sqrt};

/// A filter of `bits` bits and `hashes` functions in which `ones` bits are set, to estimate its number of
/// items n.
pub(crate) struct Occupancy {
    pub(crate) bits: f64,
    pub(crate) hashes: f64,
    pub(crate) ones: f64,
}

impl Occupancy {
    /// Returns the n at which `ones` bits are expected: ln(1 − t/m) / (k ln(1 − 1/m)); infinite at t ≥ m.
    fn items_at(&self, ones: f64) -> f64 {
        if ones >= self.bits {
            return f64::INFINITY;
        }
        log1p(-ones.max(0.0) / self.bits) / (self.hashes * log1p(-1.0 / self.bits))
    }

    /// Returns the estimated number of items.
    pub(in crate::membership) fn items(&self) -> f64 {
        self.items_at(self.ones)
    }

    /// Returns the probability that all bits of an absent item are set, or that its hash equals that of an
    /// item inside.
    pub(crate) fn fpr(&self) -> f64 {
        (pow(self.ones / self.bits, self.hashes) + self.items() / TWO_TO_64).min(1.0)
    }

    fn items_at_load(&self, load: f64) -> f64 {
        -load / (self.hashes * log1p(-1.0 / self.bits))
    }

    /// Returns the interval of all n that the normal law of the number of ones does not reject (with half a
    /// bit for continuity).
    pub(crate) fn approximate(&self, confidence: f64) -> Estimate {
        if self.ones == 0.0 {
            return Estimate::exact(0.0);
        }
        let z = normal_quantile(0.5 + confidence / 2.0);
        let bound = |sign: f64| {
            let gap = |load: f64| {
                let mean = -self.bits * expm1(-load);
                mean - sign * z * sqrt(ones_variance(self.bits, load)) - (self.ones + 0.5 * sign)
            };
            self.items_at_load(bisect(0.0, 50.0 + log(self.bits), gap))
        };
        let saturated = self.ones >= self.bits;
        let lower = bound(-1.0);
        let (value, upper) = if saturated { (lower, f64::INFINITY) } else { (self.items(), bound(1.0)) };
        Estimate::new(value, lower, upper, Guarantee::Approximate { confidence })
    }

    /// Returns the interval of Papapetrou, Siberski and Nejdl, from Chernoff bounds on the number of ones.
    pub(super) fn proven(&self, confidence: f64) -> Estimate {
        let ones = self.ones;
        if ones == 0.0 {
            return Estimate::exact(0.0);
        }
        let log_odds = log(2.0 / (1.0 - confidence));
        // exp(−(S − t − 1)² / 2S) = α/2, solved for S ≥ t + 1.
        let above = ones + 1.0;
        let upper = self.items_at(above + log_odds + sqrt(log_odds * log_odds + 2.0 * log_odds * above));
        // e^{t−1−S} (S/(t−1))^{t−1} = α/2, solved for S ≤ t − 1.
        let below = ones - 1.0;
        let lower = if below < 1.0 {
            0.0
        } else {
            let gap = |mean: f64| below - mean + below * log(mean / below) + log_odds;
            self.items_at(bisect(below * exp(-1.0 - log_odds / below), below, gap))
        };
        let value = if ones >= self.bits { lower } else { self.items() };
        Estimate::new(value, lower, upper, Guarantee::Proven { confidence })
    }
}

/// Returns the size of the intersection of two filters by inclusion and exclusion, with the variance of the
/// three zero counts: `cov(Z_X, Z_Y) = m (z_{X∪Y} − z_X z_Y (1 + λ_{X∩Y}))`.
pub(super) fn intersection(a: &Occupancy, b: &Occupancy, union: &Occupancy, confidence: f64) -> Estimate {
    let guarantee = Guarantee::Approximate { confidence };
    let (in_a, in_b, in_union) = (a.items(), b.items(), union.items());
    let most = in_a.min(in_b);
    if union.ones >= union.bits {
        return Estimate::new(0.0, 0.0, f64::INFINITY, guarantee);
    }
    let value = (in_a + in_b - in_union).clamp(0.0, most);
    let load = |items: f64| items * a.hashes / a.bits;
    let (load_a, load_b, load_union, load_common) = (load(in_a), load(in_b), load(in_union), load(value));
    let empty = exp(-load_union);
    // Gradient of ln z, so each covariance is divided by z_X z_Y.
    let covariance = |both: f64, x: f64, y: f64, common: f64| both / (exp(-x) * exp(-y)) - 1.0 - common;
    let variance = covariance(exp(-load_a), load_a, load_a, load_a)
        + covariance(exp(-load_b), load_b, load_b, load_b)
        + covariance(empty, load_union, load_union, load_union)
        + 2.0 * covariance(empty, load_a, load_b, load_common)
        - 2.0 * covariance(empty, load_a, load_union, load_a)
        - 2.0 * covariance(empty, load_b, load_union, load_b);
    let deviation = sqrt((variance * a.bits).max(0.0)) / a.hashes;
    let margin = normal_quantile(0.5 + confidence / 2.0) * deviation + 0.5;
    Estimate::new(value, (value - margin).max(0.0), value + margin, guarantee)
}

/// Returns the zero of an increasing function between `low` and `high`.
fn bisect(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if f(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}
