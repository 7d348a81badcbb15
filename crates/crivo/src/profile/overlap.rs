//! Values that two columns have in common.

use crate::cardinality::Owner;
use crate::stats::clopper_pearson;
use crate::{DEFAULT_CONFIDENCE, Estimate, Guarantee, KMinValues, Result};

/// The overlap of the distinct values of two columns, with 95 % intervals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// Jaccard's similarity: the number of common values divided by that of all values, from 0 to 1. Two empty columns
    /// have similarity 1.
    pub jaccard: Estimate,
    /// The number of distinct values that both have.
    pub shared: Estimate,
    /// The share of the first column's distinct values that the other has too; 1 if the first has none.
    pub of_self: Estimate,
    /// The share of the other column's distinct values that the first has too; 1 if the other has none.
    pub of_other: Estimate,
    /// Whether each value has the same frequency in both, except for a hash collision of probability 2⁻⁶⁴.
    pub same_counts: bool,
}

impl Overlap {
    pub(super) fn of(ours: &KMinValues, theirs: &KMinValues, same_counts: bool) -> Result<Self> {
        let k = ours.k().min(theirs.k());
        let known = ours.fold(k)?.overlap(&theirs.fold(k)?)?;
        let everything = known.share_beyond().is_none();
        let [first, second, both] = [Owner::First, Owner::Second, Owner::Both].map(|owner| known.seen(owner));
        Ok(Self {
            jaccard: known.similarity(),
            shared: known.count(Owner::Both),
            of_self: share(both, both + first, everything),
            of_other: share(both, both + second, everything),
            same_counts,
        })
    }
}

/// Estimates a share from the hashes up to the cut, as for [`Overlap::jaccard`].
fn share(part: u64, all: u64, everything: bool) -> Estimate {
    let value = if all == 0 { 1.0 } else { part as f64 / all as f64 };
    let guarantee = Guarantee::Proven { confidence: DEFAULT_CONFIDENCE };
    let (lower, upper) = match (everything, all) {
        (true, _) => (value, value),
        (false, 0) => (0.0, 1.0),
        _ => clopper_pearson(part, all, DEFAULT_CONFIDENCE),
    };
    Estimate::new(value, lower, upper, guarantee)
}
