//! Comparison of two sketches: the number of common items of their sets, and their similarity.
//!
//! Below the smaller of the two k-th hashes (the cut) both sketches know all hashes of their sets. A set of I
//! items, say the common ones, has c hashes there, and the bounds are the I at which this c would be
//! unlikely. The law would be that of Bernoulli trials if the cut were fixed. It is not, but the bounds hold
//! nevertheless. Let the hashes of the other items be given, and let x grow from 0. The cut is where a sketch
//! has k hashes, that is, where the count c(x) meets a boundary that the other items determine and that only
//! falls. So the cut is below x exactly if c(x) has reached the boundary at x: the probability that Bin(I, x)
//! does is the distribution function of the cut, and the tails of that law at the cut are the tails of the
//! cut. The same holds for the share of the common hashes among all hashes below the cut, in the order of the
//! hashes.

use super::smallest::Smallest;
use crate::stats::{clopper_pearson, trial_bounds};
use crate::{DEFAULT_CONFIDENCE, Estimate, Guarantee};
use core::cmp::Ordering;

const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;
const PROVEN: Guarantee = Guarantee::Proven { confidence: DEFAULT_CONFIDENCE };

/// The sets that items can belong to.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Owner {
    First = 0,
    Second = 1,
    Both = 2,
}

/// The combined knowledge of two sketches.
#[derive(Default)]
pub(crate) struct Overlap {
    /// The number of hashes below the cut for each [`Owner`].
    below: [u64; 3],
    /// The cut, and the owner of the hash there; `None` while both sketches know all their hashes.
    cut: Option<(u64, Owner)>,
    /// The number of hashes beyond the cut, for a sketch that knows all of its own.
    first_beyond: Option<u64>,
    second_beyond: Option<u64>,
}

impl Overlap {
    pub(super) fn of(first: &Smallest, second: &Smallest) -> Self {
        let (first_end, second_end) = (first.last_of_full(), second.last_of_full());
        let end = [first_end, second_end].into_iter().flatten().min();
        let within = |hash: &u64| end.is_none_or(|end| *hash <= end);
        let mut overlap = Self::default();
        let (mut ours, mut theirs) = (first.iter().peekable(), second.iter().peekable());
        loop {
            let (one, other) = (ours.peek().copied().filter(within), theirs.peek().copied().filter(within));
            let (hash, owner) = match (one, other) {
                (Some(one), Some(other)) => match one.cmp(&other) {
                    Ordering::Less => (one, Owner::First),
                    Ordering::Equal => (one, Owner::Both),
                    Ordering::Greater => (other, Owner::Second),
                },
                (Some(one), None) => (one, Owner::First),
                (None, Some(other)) => (other, Owner::Second),
                (None, None) => break,
            };
            ours.next_if_eq(&hash);
            theirs.next_if_eq(&hash);
            if Some(hash) == end {
                overlap.cut = Some((hash, owner));
            } else {
                overlap.below[owner as usize] += 1;
            }
        }
        overlap.first_beyond = first_end.is_none().then(|| ours.count() as u64);
        overlap.second_beyond = second_end.is_none().then(|| theirs.count() as u64);
        overlap
    }

    /// Returns the number of hashes up to the cut that belong to this owner.
    pub(crate) fn seen(&self, owner: Owner) -> u64 {
        self.below[owner as usize] + u64::from(self.cut.is_some_and(|(_, at_cut)| at_cut == owner))
    }

    /// Returns the number of hashes up to the cut.
    pub(crate) fn all_seen(&self) -> u64 {
        self.below.iter().sum::<u64>() + u64::from(self.cut.is_some())
    }

    /// Returns the share of all possible hashes that lies beyond the cut; `None` if everything is known.
    pub(crate) fn share_beyond(&self) -> Option<f64> {
        self.cut.map(|(cut, _)| shares(cut).1)
    }

    /// Estimates the number of distinct items of this owner.
    pub(crate) fn count(&self, owner: Owner) -> Estimate {
        let (below, seen) = (self.below[owner as usize], self.seen(owner));
        let Some((cut, _)) = self.cut else {
            let answer = Estimate::new(seen as f64, seen as f64, seen as f64, PROVEN);
            return answer.with_hashes(self.all_seen() as f64, TWO_TO_64);
        };
        let (value, lower, upper) = count_below(below, seen, cut, DEFAULT_CONFIDENCE);
        let most = self.most(owner);
        Estimate::new(value.min(most), lower, upper.min(most), PROVEN)
    }

    /// Returns the most items that this owner can have: a sketch that knows all its hashes has no others
    /// beyond the cut.
    pub(crate) fn most(&self, owner: Owner) -> f64 {
        let beyond = match owner {
            Owner::First => self.first_beyond,
            Owner::Second => self.second_beyond,
            Owner::Both => [self.first_beyond, self.second_beyond].into_iter().flatten().min(),
        };
        beyond.map_or(f64::INFINITY, |beyond| (self.seen(owner) + beyond) as f64)
    }

    /// Estimates the Jaccard similarity.
    pub(crate) fn similarity(&self) -> Estimate {
        let (common, all) = (self.seen(Owner::Both), self.all_seen());
        if all == 0 {
            return Estimate::exact(1.0);
        }
        let value = common as f64 / all as f64;
        let (lower, upper) = match self.cut {
            None => (value, value),
            Some(_) => clopper_pearson(common, all, DEFAULT_CONFIDENCE),
        };
        Estimate::new(value, lower, upper, PROVEN).with_hashes(all as f64, TWO_TO_64)
    }
}

/// Returns the share of all possible hashes up to `cut`, and the share beyond.
fn shares(cut: u64) -> (f64, f64) {
    ((cut as f64 + 1.0) / TWO_TO_64, !cut as f64 / TWO_TO_64)
}

/// Estimates the number of items of a set of which `below` have a hash below `cut` and `seen` one up to it:
/// value, lower and upper bound.
pub(super) fn count_below(below: u64, seen: u64, cut: u64, confidence: f64) -> (f64, f64, f64) {
    let (share, beyond) = shares(cut);
    let (lower, upper) = trial_bounds(seen, below, (share, beyond), confidence);
    (below as f64 / share, lower, upper)
}
