//! Comparison of two sets by inclusion and exclusion, with the joint law of the three counts.

use super::HyperLogLog;
use super::estimator::{ALPHA_INFINITY, sigma_slope};
use crate::cardinality::Sets;
use crate::stats::normal_quantile;
use crate::{DEFAULT_CONFIDENCE, Estimate, Guarantee, Result};
use libm::{exp, ldexp, log2, sqrt};

impl HyperLogLog {
    /// Compares two sets by inclusion and exclusion, with intervals from the joint law of the registers of both
    /// sketches.
    pub(crate) fn sets(&self, other: &Self) -> Result<Sets> {
        let mut union = self.clone();
        union.merge(other)?;
        let sketches = [self, other, &union];
        let counts = sketches.map(HyperLogLog::estimate);
        let sum = Sets::by_inclusion_exclusion(counts[0], counts[1], counts[2]);
        if union.is_sparse() || union.estimate().upper().is_infinite() {
            return Ok(sum);
        }
        let law = JointLaw {
            registers: f64::from(1u32 << self.precision()),
            first: counts[0].value(),
            second: counts[1].value(),
            // The error of a sparse sketch is negligible here.
            is_uncertain: sketches.map(|sketch| f64::from(u8::from(!sketch.is_sparse()))),
        };
        let [first, second, all] = counts.map(|count| count.value());
        let z = normal_quantile(0.5 + DEFAULT_CONFIDENCE / 2.0);
        let reach = |common: f64, signs: [f64; 3]| z * sqrt(law.variance(common, signs));
        let within = |sum: Estimate, value: f64, most: f64, reach: &dyn Fn(f64) -> f64| {
            let (lower, upper) = bounds(value, most, reach);
            let guarantee = Guarantee::Approximate { confidence: DEFAULT_CONFIDENCE };
            Estimate::new(sum.value(), lower, upper, guarantee).with_hashes_of(counts[2])
        };
        // A count with an error bounds its parts through the law alone: clamping to its interval would add its misses.
        let whole =
            |set: usize| if sketches[set].is_sparse() { counts[set].upper() } else { counts[2].upper() };
        Ok(Sets {
            union: counts[2],
            intersection: within(sum.intersection, first + second - all, whole(0).min(whole(1)), &|common| {
                reach(common, [1.0, 1.0, -1.0])
            }),
            only_first: within(sum.only_first, all - second, whole(0), &|only_first| {
                reach((first - only_first).max(0.0), [0.0, -1.0, 1.0])
            }),
            // If the common items are the share s of all, they are s/(1 + s) of the sum of both sets.
            similarity: within(sum.similarity, (first + second - all) / all, 1.0, &|share| {
                let common = share / (1.0 + share) * (first + second);
                reach(common, [1.0, 1.0, -1.0 - share]) / (first + second - common)
            }),
        })
    }
}

/// Returns the smallest and the largest number between 0 and `most` whose distance from `value` is within reach.
fn bounds(value: f64, most: f64, reach: &dyn Fn(f64) -> f64) -> (f64, f64) {
    let first = |mut below: f64, mut at: f64, holds: &dyn Fn(f64) -> bool| {
        if holds(below) {
            return below;
        }
        // A millionth is far below the error of the law.
        while at - below > 1e-6 * at.max(1e-9) {
            let middle = f64::midpoint(below, at);
            if holds(middle) { at = middle } else { below = middle }
        }
        at
    };
    let inside = value.clamp(0.0, most);
    let lower = first(0.0, inside, &|number| number + reach(number) >= value);
    let upper = first(inside, most, &|number| number - reach(number) > value);
    (lower, upper)
}

/// The law of the counts of two sets and of their union.
struct JointLaw {
    registers: f64,
    first: f64,
    second: f64,
    /// 1 for each count with an error, else 0.
    is_uncertain: [f64; 3],
}

impl JointLaw {
    /// Returns the variance of a weighted sum of the three counts if the sets have this many items in common. It is the
    /// variance of the registers under Poisson items minus the part that the numbers of items explain, because these
    /// numbers are fixed.
    fn variance(&self, common: f64, factors: [f64; 3]) -> f64 {
        let [first, second] = [self.first, self.second].map(|count| (count - common).max(0.0));
        let counts = [first + common, second + common, first + second + common];
        let factors: [f64; 3] = core::array::from_fn(|set| factors[set] * self.is_uncertain[set]);
        let terms: [f64; 3] = core::array::from_fn(|set| factors[set] * counts[set]);
        let shared = |common: f64, first: f64, second: f64| {
            covariance(common / self.registers, first / self.registers, second / self.registers)
        };
        let mut sum = 0.0;
        for set in 0..3 {
            if terms[set] != 0.0 {
                sum += terms[set] * terms[set] * shared(counts[set], 0.0, 0.0);
            }
        }
        let pairs = [
            (0, 1, [common, first, second]),
            (0, 2, [counts[0], 0.0, second]),
            (1, 2, [counts[1], 0.0, first]),
        ];
        for (one, other, parts) in pairs {
            if terms[one] != 0.0 && terms[other] != 0.0 {
                sum += 2.0 * terms[one] * terms[other] * shared(parts[0], parts[1], parts[2]);
            }
        }
        let [of_first, of_second, of_all] = factors;
        let explained = (of_first + of_all) * (of_first + of_all) * first
            + (of_second + of_all) * (of_second + of_all) * second
            + (of_first + of_second + of_all) * (of_first + of_second + of_all) * common;
        (sum / self.registers - explained).max(0.0)
    }
}

/// Returns m times the covariance of the relative errors of two counts. A register has on average `common` items of
/// both sets, and `first` and `second` items of one set alone. Its rank in a sketch is the larger of the ranks of two
/// independent parts.
fn covariance(common: f64, first: f64, second: f64) -> f64 {
    let sides = [first, second];
    let at_most = |load: f64, rank: i32| if rank < 0 { 0.0 } else { exp(-load * ldexp(1.0, -rank)) };
    let slopes = sides.map(|own| sigma_slope(exp(-common - own)));
    // The weight of all higher ranks of the part that only one set has.
    let mut beyond = [0.0; 2];
    let (mut product, mut means) = (0.0, [0.0; 2]);
    // Each higher rank has a probability below 2⁻³⁰.
    let most = 30 + log2(1.0 + common + first + second) as i32;
    let mut up_to = [common, first, second].map(|load| at_most(load, most));
    for rank in (0..=most).rev() {
        let below = [common, first, second].map(|load| at_most(load, rank - 1));
        let share = up_to[0] - below[0];
        let weights = slopes.map(|slope| if rank == 0 { slope } else { ldexp(1.0, -rank) });
        let mean: [f64; 2] = core::array::from_fn(|side| up_to[1 + side] * weights[side] + beyond[side]);
        product += share * mean[0] * mean[1];
        for side in 0..2 {
            means[side] += share * mean[side];
            beyond[side] += (up_to[1 + side] - below[1 + side]) * weights[side];
        }
        up_to = below;
    }
    // The covariance is relative to the mean weights, α∞ over the loads.
    let loads = (common + first) * (common + second);
    (product - means[0] * means[1]) * loads / (ALPHA_INFINITY * ALPHA_INFINITY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cardinality::hyperloglog::estimator::relative_variance;

    /// The covariance of a count with itself is the variance of the law of one count.
    #[test]
    fn the_variance_of_one_count() {
        for load in [0.25, 1.0, 5.0, 32.0, 1000.0] {
            let variance = covariance(load, 0.0, 0.0) - 1.0 / load;
            assert!((variance - relative_variance(load)).abs() < 2e-3, "{load}: {variance}");
        }
    }

    /// The counts of disjoint sets are independent, and the counts of equal sets are equal.
    #[test]
    fn the_ends_of_covariance() {
        assert!(covariance(0.0, 3.0, 7.0).abs() < 1e-12);
        let law = JointLaw { registers: 1024.0, first: 5000.0, second: 5000.0, is_uncertain: [1.0; 3] };
        let one = (covariance(5000.0 / 1024.0, 0.0, 0.0) / 1024.0 - 1.0 / 5000.0) * 5000.0 * 5000.0;
        assert!((law.variance(5000.0, [1.0, 1.0, -1.0]) / one - 1.0).abs() < 1e-9);
        assert!(law.variance(5000.0, [0.0, -1.0, 1.0]) < 1e-6);
    }
}
