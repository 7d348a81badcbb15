//! A consistent sample of weighted items per slot: see [`WeightedMinHash`].

pub(crate) mod weighted_draw;

use super::signature::{Slots, in_use};
use super::{Scheme, slots_for_error};
use crate::hash::mix;
use crate::kind::Kind;
use crate::memory::BATCH;
use crate::sketch::{Core, Empty, Fact, Payload, check_same, shell};
use crate::{DEFAULT_CONFIDENCE, Error, Estimate, HashSpec, Item, Result};
use alloc::boxed::Box;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use libm::log;
use weighted_draw::{Lot, possible_winners};

/// The bytes of a slot.
const SLOT_BYTES: usize = size_of::<u32>() + size_of::<f64>();

/// A weighted MinHash signature: the generalised Jaccard similarity of two weighted sets, from k slots, each won by an
/// item with a probability proportional to its weight.
///
/// # Use when / not when
/// Use it where items have weights, such as words by frequency or rarity, amounts, or histograms: for two weighted sets
/// it estimates Σ min(v, w) / Σ max(v, w), the share that is common to both. Without weights, a
/// [`OnePermutation`](crate::OnePermutation) gives the same answer faster. For the cosine of such vectors, or for
/// negative numbers, use a [`SimHash`](crate::SimHash).
///
/// # Guarantee
/// Two signatures agree in a slot with a probability equal to this similarity, and slots are independent: the estimate
/// is unbiased, with a standard error of √(s(1−s)/k) and the exact interval of such trials. Different samples look
/// equal with probability 2⁻³².
///
/// # Space
/// Twelve bytes per slot, eight of which are only needed while items arrive.
///
/// | k | standard error at 0.5 | 95 % interval at 0.5 | memory | signature |
/// |---|---|---|---|---|
/// | 64 | 6.3 % | ±12.8 % | 0.8 kB | 0.3 kB |
/// | 128 | 4.4 % | ±9.0 % | 1.6 kB | 0.5 kB |
/// | 1,024 | 1.6 % | ±3.1 % | 12.3 kB | 4.1 kB |
///
/// # Time
/// Each item tries each slot, eight slots at a time, and most are ruled out by a bound: about 5 ns per slot in a set of
/// a thousand items. The first items may win any slot, and take several times as long.
///
/// # Merge
/// Exact: the merged sketch equals that of one pass over both streams, in bytes too; commutative, associative,
/// idempotent. If an item has two weights, the larger one counts. So weights must be final: partial weights are not
/// added.
///
/// # Hostile input
/// An attacker who knows the seed can choose items that win any slot. Use [`HashSpec::keyed`]. A single large weight
/// wins every slot, as it should.
///
/// # Example
/// ```
/// use crivo::WeightedMinHash;
/// let (mut monday, mut tuesday) = (WeightedMinHash::for_slots(1024)?, WeightedMinHash::for_slots(1024)?);
/// for (item, amount) in [("apples", 3.0), ("bread", 1.0), ("cheese", 0.5)] {
///     monday.add(item, amount)?;
/// }
/// for (item, amount) in [("apples", 2.0), ("bread", 2.0), ("dates", 0.25)] {
///     tuesday.add(item, amount)?;
/// }
/// let alike = monday.similarity(&tuesday)?;
/// assert!(alike.contains(3.0 / 5.75), "{alike:.3}"); // (2 + 1) / (3 + 2 + 0.5 + 0.25)
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// slot 7      weight   ladder of weights         draws
/// apples       3.0     ..|...|......x..|....     0.21  on its 2nd step   <- the smallest: slot 7 = (apples, 2)
/// bread        1.0     .|....x...|......|...     0.94  on its 1st step
/// cheese       0.5     ...|.x|....|...|.....     1.70  on its 0th step
/// ```
/// An item draws a random number that is small if its weight is large, and the same number as long as its weight stays
/// on the same step of its ladder. If two sets have the same winner on the same step, they agree (`weighted_draw.rs`).
///
/// # References
/// Ioffe 2010, doi:10.1109/ICDM.2010.80 · Manasse et al. 2010, MSR-TR-2010-73. New here: an item that cannot win a slot
/// is skipped by a bound, before any logarithm is taken.
///
/// # Measured
/// `crivo-lab run c-weighted-min-hash`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct WeightedMinHash {
    /// The winner of each slot and the step of its ladder, mixed; either all are [`Scheme::EMPTY`], or none.
    slots: Box<[u32]>,
    /// The numbers that the winners drew, as logarithms; infinite while there are none.
    ranks: Box<[f64]>,
    spec: HashSpec,
}

impl WeightedMinHash {
    /// Creates an empty signature of `k` slots.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `k` is 1 to 65,536.
    pub fn for_slots(k: u32) -> Result<Self> {
        Ok(Self::empty(Slots::new(k)?, HashSpec::default()))
    }

    /// Creates the smallest signature whose estimates are within `error` of the true value with 95 % confidence, for
    /// sets of any similarity: see [`slots_for_error`].
    ///
    /// ```
    /// # use crivo::WeightedMinHash;
    /// assert_eq!(WeightedMinHash::for_error(0.1)?.k(), 100);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `error` lies between 0 and 1, and 65,536 slots or fewer reach it: from 0.0039
    /// on.
    pub fn for_error(error: f64) -> Result<Self> {
        Self::for_slots(slots_for_error(error, DEFAULT_CONFIDENCE)?)
    }

    /// Adds an item with its weight, and returns whether the signature changed. If an item has two weights, the larger
    /// one counts; weight 0 means absent.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `weight` is a number of at least 0. On error nothing changes.
    #[inline]
    pub fn add<T: Item + ?Sized>(&mut self, item: &T, weight: f64) -> Result<bool> {
        self.add_hash(self.spec.hash(item), weight)
    }

    /// Like [`add`](Self::add), for the hash of the item.
    ///
    /// # Errors
    /// Fails as [`add`](Self::add) does.
    pub fn add_hash(&mut self, hash: u64, weight: f64) -> Result<bool> {
        if !(0.0..f64::INFINITY).contains(&weight) {
            return Err(Error::invalid(format!(
                "a weight must be a number of at least 0, got {weight}; for negative weights use a SimHash"
            )));
        }
        if weight == 0.0 {
            return Ok(false);
        }
        let log_weight = log(weight);
        let mut changed = false;
        let groups = self.slots.chunks_mut(BATCH).zip(self.ranks.chunks_mut(BATCH));
        for (first, (slots, ranks)) in (0u32..).step_by(BATCH).zip(groups) {
            let marks = possible_winners(ranks, first, hash, log_weight);
            for (eighth, marks) in marks.as_chunks::<8>().0.iter().enumerate() {
                if u64::from_ne_bytes(*marks) == 0 {
                    continue;
                }
                for place in (0..8).filter(|&place| marks[place] != 0).map(|place| 8 * eighth + place) {
                    let lot = Lot::draw(hash, first + place as u32, log_weight);
                    if lot.rank < ranks[place] {
                        ranks[place] = lot.rank;
                        slots[place] = name(hash, lot.step);
                        changed = true;
                    }
                }
            }
        }
        Ok(changed)
    }

    /// Estimates the similarity of the weighted sets, Σ min / Σ max of the weights, from 0 to 1, with a 95 % interval.
    /// Two empty sets have similarity 1.
    ///
    /// # Errors
    /// Returns `Incompatible` if k or hash differ.
    pub fn similarity(&self, other: &Self) -> Result<Estimate> {
        check_same(self, other)?;
        Ok(Scheme::Weights.similarity(&self.slots, &other.slots))
    }
}

/// Returns the value that a slot stores of its winner.
fn name(hash: u64, step: i64) -> u32 {
    let name = (mix(hash ^ mix(step as u64)) >> 32) as u32;
    name.min(Scheme::EMPTY - 1)
}

signature!(slots of WeightedMinHash, Scheme::Weights);
shell!(WeightedMinHash: hashes, starts, merges);

impl Core for WeightedMinHash {
    const KIND: Kind = Kind::WeightedMinHash;

    fn heap_bytes(&self) -> usize {
        self.slots.len() * SLOT_BYTES
    }

    fn write(&self, payload: &mut Vec<u8>) {
        payload.extend(self.slots.iter().flat_map(|slot| slot.to_le_bytes()));
        payload.extend(self.ranks.iter().flat_map(|rank| rank.to_le_bytes()));
    }

    fn read(size: Slots, file: &mut Payload<'_>) -> Result<Self> {
        file.check_memory((size_of::<Self>() + size.count() * SLOT_BYTES) as u64)?;
        let slots = size.slots_of(&mut file.bytes)?;
        let ranks = file.bytes.entries(size.count() as u64, |bytes| Ok(f64::from_bits(bytes.u64()?)))?;
        let signature = Self { slots, ranks: ranks.into(), spec: file.spec };
        let is_empty = signature.is_empty();
        let is_possible = |(&slot, &rank): (&u32, &f64)| {
            let is_number = rank.is_finite() && rank.to_bits() != (-0.0f64).to_bits();
            (slot == Scheme::EMPTY) == is_empty && if is_empty { rank == f64::INFINITY } else { is_number }
        };
        if !signature.slots.iter().zip(&signature.ranks).all(is_possible) {
            return Err(Error::malformed("the file is corrupt: a slot has no winner, or an impossible one"));
        }
        Ok(signature)
    }

    fn state(&self) -> Vec<Fact> {
        in_use(&self.slots)
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        let ours = self.slots.iter_mut().zip(&mut self.ranks);
        let theirs = other.slots.iter().zip(&other.ranks);
        for ((slot, rank), (&other_slot, &other_rank)) in ours.zip(theirs) {
            // Equal numbers are very unlikely, but even then the order of merges must not matter.
            if (other_rank, other_slot) < (*rank, *slot) {
                (*rank, *slot) = (other_rank, other_slot);
            }
        }
        Ok(())
    }
}

impl Empty for WeightedMinHash {
    fn empty(size: Slots, spec: HashSpec) -> Self {
        Self { slots: size.empty_slots(), ranks: vec![f64::INFINITY; size.count()].into(), spec }
    }

    /// A sketch of items of weight 0 is empty too.
    fn has_nothing(&self) -> bool {
        self.slots[0] == Scheme::EMPTY
    }
}

#[cfg(test)]
mod tests;
