//! The number of members of a population with a property, from a sample.

use super::binomial::{clopper_pearson, first_count};
use libm::{log, sqrt};

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
    const MAX_STEPS: u32 = 5;
    if hits == 0 {
        return 0;
    }
    // If all members without the property are drawn, there are never fewer hits.
    let range = population - sample;
    // Draws without replacement vary less.
    let centre = hits as f64 / sample as f64;
    let narrower = sqrt(range as f64 / population as f64);
    let guess = (centre - (centre - share) * narrower) * population as f64;
    let mut more = (guess as u64).saturating_sub(hits).min(range);
    for _ in 0..MAX_STEPS {
        let law = Law::at(hits, hits + more, sample, population);
        let is_enough = law.chance >= miss;
        if is_enough && law.chance * (1.0 - law.loss) < miss {
            return hits + more;
        }
        if !is_enough && law.chance * (1.0 + law.growth) >= miss {
            return hits + more + 1;
        }
        // Newton's method on the logarithm squares the relative error.
        more = ((more as f64 + log(miss / law.chance) / law.growth) as u64).min(range);
    }
    hits + first_count(range, more, |more| Law::at(hits, hits + more, sample, population).chance >= miss)
}

/// The probability of this many hits or more if this many members of the population have the property.
struct Law {
    chance: f64,
    /// The part of the probability that one member with the property more would add.
    growth: f64,
    /// The part that one fewer would take away.
    loss: f64,
}

impl Law {
    fn at(hits: u64, with: u64, sample: u64, population: u64) -> Self {
        let without = population - with;
        // The members with and without the property that are drawn, and that are not.
        let [drawn_with, left_with, drawn_without, left_without] =
            [hits, with - hits, sample - hits, without - (sample - hits)].map(|members| members as f64);
        // In units of the probability of exactly `hits`.
        let below = beyond([drawn_with, left_without], [left_with, drawn_without]);
        let above = 1.0 + beyond([left_with, drawn_without], [drawn_with, left_without]);
        // A member counts if it is drawn, and exactly one hit is missing without it.
        let growth = drawn_with / (left_with + 1.0) * (left_without / (without as f64).max(1.0));
        Self {
            chance: above / (above + below),
            growth: growth / above,
            loss: drawn_with / (with as f64 * above),
        }
    }
}

/// Returns the sum of all probabilities on one side of a hypergeometric probability, relative to it: two groups shrink
/// from term to term, and two grow.
fn beyond(shrinking: [f64; 2], growing: [f64; 2]) -> f64 {
    let (mut sum, mut term, mut step) = (0.0, 1.0, 0.0);
    loop {
        let fewer = (shrinking[0] - step) * (shrinking[1] - step);
        step += 1.0;
        let ratio = fewer / ((growing[0] + step) * (growing[1] + step));
        term *= ratio;
        sum += term;
        if ratio < 1.0 && term <= sum * NEGLIGIBLE || sum > 1.0 / NEGLIGIBLE {
            return sum;
        }
    }
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

    /// One member more or less changes the probability as the law says.
    #[test]
    fn the_law_knows_its_neighbours() {
        for (sample, population) in [(1, 9), (5, 9), (10, 40), (39, 40), (20, 300)] {
            for hits in 1..=sample {
                for with in hits..hits + population - sample {
                    let [law, next] = [with, with + 1].map(|with| Law::at(hits, with, sample, population));
                    // Smaller ones are not summed to the end.
                    if law.chance < 1e-15 {
                        continue;
                    }
                    let context = (sample, population, hits, with);
                    for found in [
                        law.chance * (1.0 + law.growth) / next.chance,
                        next.chance * (1.0 - next.loss) / law.chance,
                    ] {
                        assert!((found - 1.0).abs() < 1e-9, "{context:?}: {found}");
                    }
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
