//! The common interface of signatures: see [`Signature`].

use super::{MinHash, slot_agreement};
use crate::codec::Reader;
use crate::hash::{mix, reduce};
use crate::sketch::{Fact, Params, narrow};
use crate::{DEFAULT_CONFIDENCE, Error, Estimate, HashSpec, Result};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// The largest number of slots of a signature.
pub(super) const MAX_K: u32 = 1 << 16;
/// The number of slots of a collected signature: within 0.09 of the true value with 95 % confidence.
pub(super) const DEFAULT_K: u32 = 128;

/// A signature of a set in k slots, as indexes take it: two signatures agree in a slot with a probability equal to the
/// similarity of their sets.
pub trait Signature {
    /// Returns the scheme of the slots, which determines how two signatures are compared.
    fn scheme(&self) -> Scheme;

    /// Returns the slots; empty slots are [`Scheme::EMPTY`].
    fn slots(&self) -> &[u32];

    /// Returns the hash of the items.
    fn hash_spec(&self) -> &HashSpec;
}

/// The scheme by which the slots of a [`Signature`] are filled. The number is its id in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum Scheme {
    /// The scheme of [`MinHash`](crate::MinHash): the smallest value of a hash function per slot.
    Functions = 1,
    /// The scheme of [`OnePermutation`](crate::OnePermutation): one hash function, whose values are distributed over
    /// the slots.
    Bins = 2,
    /// The scheme of [`WeightedMinHash`](crate::WeightedMinHash): a consistent sample of the weighted items per slot.
    Weights = 3,
}

impl Scheme {
    /// The value of an empty slot.
    pub const EMPTY: u32 = u32::MAX;

    /// Returns `functions`, `bins` or `weights`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Functions => "functions",
            Self::Bins => "bins",
            Self::Weights => "weights",
        }
    }

    /// Returns the scheme with this id in a file.
    pub(crate) fn from_id(id: u64) -> Result<Self> {
        let mut schemes = [Self::Functions, Self::Bins, Self::Weights].into_iter();
        schemes.find(|&scheme| scheme as u64 == id).ok_or_else(|| {
            Error::unsupported(format!("unknown scheme {id}: written by a newer Crivo; upgrade"))
        })
    }

    /// Fills empty slots, for the keys of bands: two signatures then agree in each slot with a probability equal to the
    /// similarity of their sets. The slots of an empty set stay empty.
    ///
    /// ```
    /// use crivo::OnePermutation;
    /// use crivo::similarity::Scheme;
    /// let mut few = OnePermutation::for_slots(128)?;
    /// few.extend(["a", "b", "c"]);
    /// assert!(few.slots().contains(&Scheme::EMPTY));
    /// assert!(!Scheme::Bins.filled(few.slots()).contains(&Scheme::EMPTY));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn filled(self, slots: &[u32]) -> Cow<'_, [u32]> {
        if self != Self::Bins || is_empty(slots) || !slots.contains(&Self::EMPTY) {
            return Cow::Borrowed(slots);
        }
        Cow::Owned(densified(slots))
    }

    /// Estimates the similarity of the sets of two signatures of this scheme, with a 95 % interval. Both must have the
    /// same number of slots.
    ///
    /// ```
    /// use crivo::similarity::Scheme;
    /// // Lopes 2017, figure 18.
    /// let first = [11, 6, 1, 6, 71, 34, 57, 106];
    /// let second = [11, 6, 1, 81, 80, 34, 73, 88];
    /// let alike = Scheme::Weights.similarity(&first, &second);
    /// assert_eq!(alike.value(), 0.5);
    /// ```
    pub fn similarity(self, first: &[u32], second: &[u32]) -> Estimate {
        self.similarity_within(first, second, DEFAULT_CONFIDENCE)
    }

    /// Returns only the value of [`similarity`](Self::similarity), many times as fast: for searches over many pairs.
    ///
    /// ```
    /// use crivo::similarity::Scheme;
    /// assert_eq!(Scheme::Weights.similarity_value(&[1, 2, 3, 4], &[1, 2, 3, 5]), 0.75);
    /// ```
    pub fn similarity_value(self, first: &[u32], second: &[u32]) -> f64 {
        slot_agreement::value(self, first, second)
    }

    pub(crate) fn similarity_within(self, first: &[u32], second: &[u32], confidence: f64) -> Estimate {
        slot_agreement::similarity(self, first, second, confidence)
    }
}

/// Fills each empty slot with the value of another, the same one in every signature that has a value there: in each
/// round every slot in use draws a slot and fills it, unless it is full. This takes about k·ln k steps, however few
/// slots are in use (Mai et al. 2020, PMLR 115:831).
///
/// Consider two sets. Whichever slot of their union is first to fill an empty slot is first in both sets if its
/// smallest item is common, and then they agree; otherwise one of them has another value or none there, and they
/// differ. So filled slots agree with the same probability as the others.
fn densified(slots: &[u32]) -> Vec<u32> {
    let k = slots.len() as u64;
    let in_use: Vec<u64> = (0..k).filter(|&slot| slots[slot as usize] != Scheme::EMPTY).collect();
    let mut filled = slots.to_vec();
    let mut left = slots.len() - in_use.len();
    for round in 1u64.. {
        for &slot in &in_use {
            let drawn = reduce(mix(round << 16 | slot), k) as usize;
            if filled[drawn] == Scheme::EMPTY {
                filled[drawn] = slots[slot as usize];
                left -= 1;
            }
        }
        if left == 0 {
            break;
        }
    }
    filled
}

/// The size of a signature: its number of slots.
#[derive(Clone, Copy)]
pub(crate) struct Slots(u32);

impl Slots {
    pub(super) fn new(k: u32) -> Result<Self> {
        if (1..=MAX_K).contains(&k) {
            return Ok(Self(k));
        }
        Err(Error::invalid(format!(
            "the number of slots must be 1 to {MAX_K}, got {k}; {DEFAULT_K} is usual"
        )))
    }

    /// Returns the size of an existing signature.
    pub(super) fn of_count(count: usize) -> Self {
        Self(count as u32)
    }

    pub(super) fn count(self) -> usize {
        self.0 as usize
    }

    pub(super) fn empty_slots(self) -> Box<[u32]> {
        vec![Scheme::EMPTY; self.count()].into()
    }

    /// Reads this many slots.
    pub(super) fn slots_of(self, bytes: &mut Reader<'_>) -> Result<Box<[u32]>> {
        let (slots, _) = bytes.bytes(self.count() * size_of::<u32>())?.as_chunks();
        Ok(slots.iter().map(|&slot| u32::from_le_bytes(slot)).collect())
    }
}

impl Params for Slots {
    const REMEDY: &str = "create both with the same number of slots";
    const NAMES: &[&str] = &["k"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.0.into()]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        Self::new(narrow(numbers[0])?)
    }

    fn memory_bytes(&self) -> u64 {
        (size_of::<MinHash>() + self.count() * size_of::<u32>()) as u64
    }

    fn is_same(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

/// Returns the number of slots that fit in memory next to the sketch itself.
pub(super) fn slots_in_memory(bytes: u64, own: usize) -> Result<u32> {
    let slots = bytes.saturating_sub(own as u64) / size_of::<u32>() as u64;
    if slots == 0 {
        let least = own + size_of::<u32>();
        return Err(Error::invalid(format!(
            "a signature takes at least {least} bytes, got {bytes}; give more"
        )));
    }
    Ok(slots.min(MAX_K.into()) as u32)
}

/// Counts the slots in use.
pub(super) fn in_use(slots: &[u32]) -> Vec<Fact> {
    let in_use = slots.iter().filter(|&&slot| slot != Scheme::EMPTY).count();
    vec![Fact::count("slots_in_use", in_use as u64)]
}

/// Returns whether all slots are empty. A set whose slots all have the value of empty ones by chance would look empty
/// too: one item in 2³² with a single slot, one in 2⁶⁴ with more.
pub(super) fn is_empty(slots: &[u32]) -> bool {
    slots.iter().all(|&slot| slot == Scheme::EMPTY)
}
