//! What all signatures have in common: see [`Signature`].

use crate::sketch::Sketch;
use crate::stats::clopper_pearson;
use crate::{DEFAULT_CONFIDENCE, Estimate, Guarantee};
use alloc::borrow::Cow;

/// A sketch of a set in k slots, which an index takes: two agree in a slot with the probability that is the similarity
/// of their sets.
pub trait Signature: Sketch {
    /// How the slots came about, and so how two are compared.
    fn scheme(&self) -> Scheme;

    /// The slots, [`Scheme::EMPTY`] where there is nothing.
    fn slots(&self) -> &[u32];
}

/// How the slots of a [`Signature`] came about. The number is its id in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum Scheme {
    /// Of [`MinHash`](crate::MinHash): a function for each slot, and its smallest value.
    Functions = 1,
    /// Of [`OnePermutation`](crate::OnePermutation): one function, whose values are dealt to the slots.
    Bins = 2,
    /// Of [`WeightedMinHash`](crate::WeightedMinHash): a consistent sample of the weighted items for each slot.
    Weights = 3,
}

impl Scheme {
    /// What a slot holds that no item has come to.
    pub const EMPTY: u32 = u32::MAX;

    pub(crate) fn from_id(id: u8) -> Option<Self> {
        [Self::Functions, Self::Bins, Self::Weights].into_iter().find(|&scheme| scheme as u8 == id)
    }

    /// The slots with nothing left empty, for the keys of bands.
    pub fn filled(self, slots: &[u32]) -> Cow<'_, [u32]> {
        Cow::Borrowed(slots)
    }

    /// How alike the sets of two signatures of this scheme are, at 95 %. Both have the same number of slots.
    pub fn similarity(self, first: &[u32], second: &[u32]) -> Estimate {
        let agree = first.iter().zip(second).filter(|(one, other)| one == other).count() as u64;
        let (lower, upper) = clopper_pearson(agree, first.len() as u64, DEFAULT_CONFIDENCE);
        let guarantee = Guarantee::Approximate { confidence: DEFAULT_CONFIDENCE };
        Estimate::new(agree as f64 / first.len() as f64, lower, upper, guarantee)
    }
}
