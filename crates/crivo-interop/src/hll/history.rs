//! The interval of an estimate that was counted along (HIP), from the law of its changes.

use crivo::foreign::estimate;
use crivo::stats::normal_quantile;
use crivo::{Estimate, Guarantee};
use libm::{exp, ldexp, sqrt};

/// The mean, the variance and the third cumulant of a number of items.
#[derive(Clone, Copy)]
struct Cumulants([f64; 3]);

impl Cumulants {
    /// The wait for a change that one item in 1/`chance` makes is geometric.
    fn of_wait(chance: f64) -> Self {
        let (wait, idle) = (1.0 / chance, 1.0 - chance);
        Self([wait, idle * wait * wait, idle * (1.0 + idle) * wait * wait * wait])
    }

    fn plus(self, other: Self, share: f64) -> Self {
        Self(std::array::from_fn(|i| self.0[i] + share * other.0[i]))
    }

    /// Returns the quantile at `z` standard deviations, by Cornish and Fisher.
    fn quantile(self, z: f64) -> f64 {
        let Self([mean, variance, third]) = self;
        let deviation = sqrt(variance);
        let skewness = if variance > 0.0 { third / (variance * deviation) } else { 0.0 };
        // The parabola turns here; beyond it the quantile would move back.
        let z = z.max(-3.0 / skewness);
        mean + deviation * (z + skewness / 6.0 * (z * z - 1.0))
    }
}

/// Returns the probability that the next of many items changes one of k registers, at `load` items per register: an item of rank r,
/// which has probability 2⁻ʳ, does unless one before it had r or more, with probability 1 − e^(−load·2^(1−r)).
fn mean_chance(load: f64) -> f64 {
    (1..60).map(|rank| ldexp(1.0, -rank) * exp(-load * ldexp(1.0, 1 - rank))).sum()
}

/// Returns the cumulants of the number of items at which a sketch of k registers has counted `items`: of each item's share of the
/// wait that it belongs to, summed over the history. The bytes do not keep the history itself, so the mean probability of a change
/// stands for it.
fn of_history(items: f64, k: f64) -> Cumulants {
    const STEPS: i32 = 256;
    /// The part of the history before e⁻²⁰ of it is negligible.
    const SPAN: f64 = 20.0;
    let step = SPAN / f64::from(STEPS);
    let mut sums = Cumulants([0.0; 3]);
    // The trapezoidal rule over ln t, where dt = t d(ln t).
    for i in 0..=STEPS {
        let at = items * exp(-step * f64::from(i));
        let chance = mean_chance(at / k);
        let share = if i == 0 || i == STEPS { 0.5 } else { 1.0 };
        // Per item, not per change: a change happens with this probability.
        sums = sums.plus(Cumulants::of_wait(chance), share * step * at * chance);
    }
    sums.0[0] = items;
    sums
}

/// Returns the estimate `counted` with its interval, for k registers of which `used` are not 0 and a new item changes one with
/// probability `chance`.
///
/// The number of items lies between the last change and the next. The quantiles of a time halfway have about the right coverage.
pub(super) fn interval(counted: f64, k: f64, chance: f64, used: f64, confidence: f64) -> Estimate {
    let guarantee = Guarantee::Approximate { confidence };
    let z = normal_quantile(0.5 + confidence / 2.0);
    let history = of_history(counted, k);
    if chance <= 0.0 {
        return estimate(counted, history.quantile(-z).max(used), f64::INFINITY, guarantee);
    }
    let mut halfway = history.plus(Cumulants::of_wait(chance), 0.5);
    halfway.0[0] -= 0.5;
    // Numbers of items are whole: a quarter more at either end.
    let (lower, upper) = (halfway.quantile(-z) - 0.25, halfway.quantile(z) + 0.25);
    estimate(counted, lower.max(used), upper, guarantee)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Far from empty the standard error is √(ln 2)/√k.
    #[test]
    fn the_limit_is_the_published_one() {
        let (items, k) = (1e9, 4096.0);
        let Cumulants([_, variance, _]) = of_history(items, k);
        let error = sqrt(variance * k) / items;
        assert!((error / sqrt(core::f64::consts::LN_2) - 1.0).abs() < 2e-3, "{error}");
    }

    #[test]
    fn the_chance_falls_from_one() {
        assert!((mean_chance(0.0) - 1.0).abs() < 1e-12);
        // α∞·k/n with α∞ = 1/(2 ln 2), by the mean of the harmonic estimator.
        assert!((mean_chance(1e6) * 1e6 * 2.0 * core::f64::consts::LN_2 - 1.0).abs() < 1e-3);
    }
}
