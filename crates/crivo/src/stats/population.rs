//! The number of members of a population with a property, from a sample.

use super::binomial::{clopper_pearson, first_count};

/// A sum is negligible if it is smaller than this relative to the other.
const NEGLIGIBLE: f64 = 1e-20;

/// Returns the interval `(lower, upper)` for the number of members with a property at this confidence, if `hits` of
/// `sample` members drawn from `population` without replacement have it.
///
/// `lower` is the smallest number at which `hits` or more have probability `(1 - confidence) / 2`, `upper` the largest
/// at which `hits` or fewer do: the counterpart of Clopper and Pearson's bounds for draws without replacement. The
/// caller ensures `hits <= sample <= population`.
pub(crate) fn population_bounds(hits: u64, sample: u64, population: u64, confidence: f64) -> (u64, u64) {
    let miss = 0.5 * (1.0 - confidence);
    let lower = fewest(hits, sample, population, miss, clopper_pearson(hits, sample, confidence).0);
    let failures = sample - hits;
    let without = fewest(failures, sample, population, miss, clopper_pearson(failures, sample, confidence).0);
    (lower, population - without)
}

/// Returns the smallest number of members with the property at which `hits` or more are drawn with probability `miss`.
fn fewest(hits: u64, sample: u64, population: u64, miss: f64, share: f64) -> u64 {
    // If all members without the property are drawn, there are never fewer hits.
    let range = population - sample;
    let guess = (share * population as f64) as u64;
    let reached = |more: u64| at_least(hits, hits + more, sample, population) >= miss;
    hits + first_count(range, guess.saturating_sub(hits).min(range), reached)
}

/// Returns the probability of `hits` or more if `with` members of the population have the property: both sides of the
/// hypergeometric distribution, in units of the probability of exactly `hits`.
fn at_least(hits: u64, with: u64, sample: u64, population: u64) -> f64 {
    let without = population - with;
    let ratio_up = |j: u64| {
        let more = (with - j) as f64 * (sample - j) as f64;
        more / ((j + 1) as f64 * ((without - (sample - j)) as f64 + 1.0))
    };
    let ratio_down = |j: u64| {
        let fewer = j as f64 * (without - (sample - j)) as f64;
        fewer / ((with - j) as f64 + 1.0) / ((sample - j) as f64 + 1.0)
    };
    let (mut below, mut term) = (0.0, 1.0);
    for j in (1..=hits).rev() {
        let ratio = ratio_down(j);
        term *= ratio;
        below += term;
        if ratio < 1.0 && term <= below * NEGLIGIBLE || below > 1.0 / NEGLIGIBLE {
            break;
        }
    }
    let (mut above, mut term) = (1.0, 1.0);
    for j in hits..sample.min(with) {
        let ratio = ratio_up(j);
        term *= ratio;
        above += term;
        if ratio < 1.0 && term <= above * NEGLIGIBLE || above > (below + 1.0) / NEGLIGIBLE {
            break;
        }
    }
    above / (above + below)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(n: u64, k: u64) -> f64 {
        (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product()
    }

    fn chance(hits: u64, with: u64, sample: u64, population: u64) -> f64 {
        let (without, failures) = (population - with, sample - hits);
        if hits > with || failures > without {
            return 0.0;
        }
        choose(with, hits) * choose(without, failures) / choose(population, sample)
    }

    /// Checks the distribution itself next to the bounds.
    #[test]
    fn bounds_are_the_first_and_the_last_that_the_law_allows() {
        for (sample, population) in [(1, 1), (1, 9), (5, 9), (9, 9), (10, 40), (39, 40), (20, 300)] {
            for hits in 0..=sample {
                for confidence in [0.5, 0.95, 0.999] {
                    let miss = 0.5 * (1.0 - confidence);
                    let (lower, upper) = population_bounds(hits, sample, population, confidence);
                    let at_least =
                        |with| (hits..=sample).map(|j| chance(j, with, sample, population)).sum::<f64>();
                    let at_most = |with| (0..=hits).map(|j| chance(j, with, sample, population)).sum::<f64>();
                    let context = (sample, population, hits, confidence, lower, upper);
                    assert!(at_least(lower) >= miss * (1.0 - 1e-9), "{context:?}");
                    assert!(lower == 0 || at_least(lower - 1) < miss * (1.0 + 1e-9), "{context:?}");
                    assert!(at_most(upper) >= miss * (1.0 - 1e-9), "{context:?}");
                    assert!(upper == population || at_most(upper + 1) < miss * (1.0 + 1e-9), "{context:?}");
                }
            }
        }
    }

    /// A small sample of a large population is nearly a draw with replacement.
    #[test]
    fn large_populations_are_clopper_and_pearsons() {
        for (hits, sample) in [(0, 100), (1, 100), (50, 100), (700, 100_000), (100_000, 100_000)] {
            let population = 1 << 60;
            let (lower, upper) = population_bounds(hits, sample, population, 0.95);
            let (least, most) = clopper_pearson(hits, sample, 0.95);
            for (bound, share) in [(lower, least), (upper, most)] {
                let found = bound as f64 / population as f64;
                assert!((found - share).abs() <= 1e-9 * share, "{hits} of {sample}: {found} {share}");
            }
        }
        let (lower, upper) = population_bounds(500_000, 1_000_000, u64::MAX, 0.95);
        assert!(lower < u64::MAX / 2 && u64::MAX / 2 < upper);
    }
}
