//! The number of trials, from the number of successes.

use super::beta::tail;
use super::normal::normal_quantile;
use libm::{ceil, fabs, floor, log, sqrt};

/// The relative accuracy of a root; bounds are rounded outwards by as much.
const ROUNDING: f64 = 1e-10;

/// Returns the interval of integers `(lower, upper)` for the number of trials at this confidence, if at least `least`
/// and at most `most` of them succeeded, each with probability `p = 1 - q`; both have full relative accuracy.
///
/// `lower` is the smallest n at which `least` or more successes have probability `(1 - confidence) / 2`, `upper` the
/// largest at which `most` or fewer do: the counterpart of Clopper and Pearson's bounds for the number of trials.
pub fn trial_bounds(least: u64, most: u64, (p, q): (f64, f64), confidence: f64) -> (f64, f64) {
    let miss = 0.5 * (1.0 - confidence);
    let lower = fewest_trials(least as f64, p, q, miss);
    let upper = if q <= 0.0 { lower } else { most_trials(most as f64, p, q, miss) };
    (lower, upper.max(lower))
}

fn fewest_trials(successes: f64, p: f64, q: f64, miss: f64) -> f64 {
    ceil(early_wait(successes, (p, q), miss) * (1.0 - ROUNDING)).max(successes)
}

fn most_trials(successes: f64, p: f64, q: f64, miss: f64) -> f64 {
    floor(late_wait(successes + 1.0, (p, q), miss) * (1.0 + ROUNDING))
}

/// Returns the number of trials, as a real number, within which this many successes (not necessarily an integer) come
/// with probability `miss` only; never fewer trials than successes.
pub(crate) fn early_wait(successes: f64, (p, q): (f64, f64), miss: f64) -> f64 {
    // With as many trials as successes, all of them succeed with probability p^n.
    if successes * log(p) >= log(miss) {
        return successes;
    }
    let guess = waiting_time(successes, p, q, normal_quantile(miss));
    let log_tail = |n| tail(successes, n - successes + 1.0, p, q).log_and_slope(true).0;
    root((guess, spread(successes, (p, q))), successes, true, log(miss), log_tail)
}

/// Returns the number of trials within which this many successes do not come with probability `miss` only.
pub(crate) fn late_wait(successes: f64, (p, q): (f64, f64), miss: f64) -> f64 {
    let guess = waiting_time(successes, p, q, -normal_quantile(miss));
    // One trial fewer than successes is never enough.
    let least = successes - 0.99;
    let log_tail = |n| tail(successes, n - successes + 1.0, p, q).log_and_slope(false).0;
    root((guess, spread(successes, (p, q))), least, false, log(miss), log_tail)
}

/// Returns the approximate number of trials until `successes` have come, `z` standard deviations from the mean: a gamma
/// variable (after Wilson and Hilferty, 1931) with the mean and the variance of the negative binomial distribution.
fn waiting_time(successes: f64, p: f64, q: f64, z: f64) -> f64 {
    let root = (1.0 - 1.0 / (9.0 * successes) + z / (3.0 * sqrt(successes))).max(0.1);
    let gamma = successes * root * root * root;
    ((successes + (gamma - successes) * sqrt(q)) / p).max(successes)
}

/// Returns the standard deviation of the number of trials until `successes` have come.
fn spread(successes: f64, (p, q): (f64, f64)) -> f64 {
    sqrt(successes * q) / p
}

/// Returns where `log_tail`, which only rises or only falls, equals `target`: never below `least`, where it does not reach it
/// yet. The secant method from a guess that is wrong by about `spread`, within the bounds of the root that are known so far:
/// the logarithm of a tail is flat where the tail is almost 1.
fn root(
    (guess, spread): (f64, f64),
    least: f64,
    rises: bool,
    target: f64,
    log_tail: impl Fn(f64) -> f64,
) -> f64 {
    let (mut low, mut high) = (least, f64::INFINITY);
    let (mut before, mut value_before) = (f64::NAN, f64::NAN);
    let (mut n, mut stride) = (guess, spread.max(0.1));
    for _ in 0..200 {
        let value = log_tail(n) - target;
        if value == 0.0 {
            break;
        }
        if (value < 0.0) == rises {
            low = n;
        } else {
            high = n;
        }
        let secant = n - value * (n - before) / (value - value_before);
        (before, value_before) = (n, value);
        n = if low < secant && secant < high {
            secant
        } else if high - low > stride {
            stride *= 2.0;
            if low == before { low + stride / 2.0 } else { (high - stride / 2.0).max(low) }
        } else {
            low + (high - low) / 2.0
        };
        // The error shrinks faster than the steps.
        if fabs(n - before) <= 100.0 * ROUNDING * n {
            break;
        }
    }
    n
}

#[cfg(test)]
mod tests {
    use super::super::{binomial_cdf, binomial_sf};
    use super::*;

    /// Checks the distribution itself next to the bounds.
    #[test]
    fn bounds_are_the_first_and_the_last_that_the_law_allows() {
        for confidence in [0.5, 0.95, 0.999_999] {
            let miss = 0.5 * (1.0 - confidence);
            for p in [1e-6, 0.001, 0.3, 0.9, 0.999, 0.999_995_1] {
                for successes in [1u64, 2, 16, 300, 5000, 6_402_873] {
                    // Beyond, bounds that are rounded outwards are not the first and the last any more.
                    if successes as f64 / p * ROUNDING > 0.1 {
                        continue;
                    }
                    let (lower, upper) = trial_bounds(successes, successes, (p, 1.0 - p), confidence);
                    let context = (confidence, p, successes, lower, upper);
                    let (lower, upper) = (lower as u64, upper as u64);
                    let at_least =
                        |n: u64| if n < successes { 0.0 } else { binomial_sf(successes - 1, n, p) };
                    let at_most = |n: u64| binomial_cdf(successes, n, p);
                    let slack = 1e-6;
                    assert!(at_least(lower) >= miss * (1.0 - slack), "{context:?}");
                    assert!(lower == 0 || at_least(lower - 1) < miss * (1.0 + slack), "{context:?}");
                    assert!(at_most(upper) >= miss * (1.0 - slack), "{context:?}");
                    assert!(at_most(upper + 1) < miss * (1.0 + slack), "{context:?}");
                }
            }
        }
    }

    #[test]
    fn no_success_leaves_an_upper_bound() {
        let (lower, upper) = trial_bounds(0, 0, (0.01, 0.99), 0.95);
        assert_eq!((lower, upper), (0.0, floor(log(0.025) / log(0.99))));
    }

    #[test]
    fn extremes_have_an_answer() {
        let share = libm::exp2(-60.0);
        let (lower, upper) = trial_bounds(16, 15, (share, 1.0 - share), 0.95);
        assert!(lower > 1e18 && lower < upper && upper < 1e20, "{lower} {upper}");
        assert_eq!(trial_bounds(16, 15, (1.0, 0.0), 0.95), (16.0, 16.0));
        let (lower, upper) = trial_bounds(16, 15, (0.5, 0.5), 1.0 - f64::EPSILON / 2.0);
        assert!(lower >= 16.0 && upper < 1000.0, "{lower} {upper}");
        let (lower, upper) = trial_bounds(1000, 999, (0.5, 0.5), 1.0 - f64::EPSILON);
        assert!(lower > 1500.0 && upper < 2500.0, "{lower} {upper}");
    }
}
