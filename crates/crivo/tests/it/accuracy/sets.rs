//! Pairs of sets for structures that compare them, and the common tests of their estimates.

use super::{COVERAGE_TRIALS, Coverage};
use crivo::rng::Rng;
use crivo::{Estimate, HashSpec};

/// The numbers of items in only the first set, only the second, and both.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    pub(super) first: u64,
    pub(super) second: u64,
    pub(super) both: u64,
}

impl Sizes {
    /// Two sets of equal size with this similarity, whose union has `all` items.
    pub(super) fn alike(all: u64, similarity: f64) -> Self {
        let both = (all as f64 * similarity).round() as u64;
        let first = (all - both) / 2;
        Self { first, second: all - both - first, both }
    }

    pub(super) fn all(&self) -> u64 {
        self.first + self.second + self.both
    }

    pub(super) fn similarity(&self) -> f64 {
        self.both as f64 / self.all() as f64
    }

    /// The hashes of both sets.
    pub(super) fn hashes(&self, spec: HashSpec) -> [Vec<u64>; 2] {
        let hashes = |from: u64, to: u64| (from..to).map(move |item| spec.hash(&item));
        let (both, first) = (self.both, self.both + self.first);
        [hashes(0, first).collect(), hashes(0, both).chain(hashes(first, self.all())).collect()]
    }

    /// Draws the smallest `count` hashes of random sets of these sizes without the others: they come in order, with
    /// exponential gaps, and belong to a random owner.
    pub(super) fn smallest_hashes(&self, count: u64, seed: u64) -> [Vec<u64>; 2] {
        let mut rng = Rng::new(seed);
        let mut left = *self;
        let mut share = 0.0f64;
        let mut sets = [Vec::new(), Vec::new()];
        while left.all() > 0 && sets.iter().any(|set| (set.len() as u64) < count) {
            // The least of n numbers beyond `share`.
            let u = 1.0 - rng.unit();
            share += (1.0 - share) * -(u.ln() / left.all() as f64).exp_m1();
            let hash = (share * 2f64.powi(64)) as u64;
            let owner = rng.below(left.all());
            let (first, second) = if owner < left.both {
                left.both -= 1;
                (true, true)
            } else if owner < left.both + left.first {
                left.first -= 1;
                (true, false)
            } else {
                left.second -= 1;
                (false, true)
            };
            if first {
                sets[0].push(hash);
            }
            if second {
                sets[1].push(hash);
            }
        }
        sets
    }
}

/// The estimates of a structure about two sets: intersection, difference, similarity.
pub(super) type Answers = [Estimate; 3];

/// Counts how often the estimates about pairs of sets of these sizes contain the true value, one pair per seed.
pub(super) fn coverage_of(sizes: Sizes, answers: impl Fn(Sizes, u64) -> Answers) -> [Coverage; 3] {
    let truths = [sizes.both as f64, sizes.first as f64, sizes.similarity()];
    let mut coverage: [Coverage; 3] = Default::default();
    for seed in 0..COVERAGE_TRIALS {
        for ((coverage, answer), truth) in coverage.iter_mut().zip(answers(sizes, seed)).zip(truths) {
            coverage.push(&answer, truth);
        }
    }
    coverage
}
