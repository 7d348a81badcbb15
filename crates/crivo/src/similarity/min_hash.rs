//! Minima of k hash functions: see [`MinHash`].

use super::Scheme;
use crate::HashSpec;
use crate::similarity::slots::lower_slots;
use alloc::boxed::Box;

/// A MinHash signature: the Jaccard similarity of two sets, from the minimum of each of k hash functions.
///
/// # Use when / not when
/// Use it for the classic signature, whose slots are independent whatever the size of the sets: for indexes
/// ([`LshIndex`](crate::LshIndex)) and for small sets. Not where speed matters: a
/// [`OnePermutation`](crate::OnePermutation) takes one step per item instead of k, and is more accurate. Not to count
/// common items: use [`KMinValues`](crate::KMinValues).
///
/// # Guarantee
/// Unbiased, with a standard error of √(J(1−J)/k). [`Guarantee::Approximate`](crate::Guarantee), from Clopper and
/// Pearson's bounds for the share of agreeing slots: in the tests 95 to 98 % of the intervals contain the true value,
/// from one item to 10⁹ (hashes of sets so large collide, and the estimate corrects for it).
///
/// # Space
/// | k | error at 95 %, at most | memory | file |
/// |---|---|---|---|
/// | 100 | 0.1 | 440 bytes | 430 bytes |
/// | 390 | 0.05 | 1.6 kB | 1.6 kB |
/// | 2,425 | 0.02 | 9.7 kB | 9.7 kB |
/// | 9,650 | 0.01 | 39 kB | 39 kB |
///
/// [`for_error`](Self::for_error) finds these k, the smallest that reach the error for every J. Chernoff's bound
/// ([`slots_by_bound`](super::slots_by_bound)) would ask for 775 slots instead of 100.
///
/// # Time
/// k steps per item, eight at once if the processor has AVX2. Batches ([`extend`](Extend::extend),
/// [`insert_hashes`](Self::insert_hashes)) are several times as fast as single insertions: a block of slots stays in
/// registers while the batch passes.
///
/// # Merge
/// Exact: the smaller value of each slot. The merged signature equals that of one pass over both streams, in bytes too;
/// commutative, associative, idempotent.
///
/// # Hostile input
/// An attacker who knows the seed can choose items with small values, and make any two sets look similar or dissimilar.
/// Use [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::MinHash;
/// let (mut first, mut second) = (MinHash::for_slots(128)?, MinHash::for_slots(128)?);
/// first.extend(0..900u32);
/// second.extend(100..1000u32);
/// let alike = first.similarity(&second)?;
/// assert!(alike.contains(0.8), "{alike:.3}");
///
/// first.merge(&second)?; // the signature of the union
/// let share = first.similarity(&second)?;
/// assert!(share.contains(0.9), "{share:.3}");
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
///            slot 0   slot 1   slot 2   slot 3         each slot has a function of its own
/// apple        71      (08)      55       90
/// pear        (12)      64       83      (31)
/// fig          40       77      (29)      66
///
/// {apple, pear, fig}   12  08  29  31
/// {pear, fig}          12  64  29  31                  3 of 4 agree: J is about 3/4; it is 2/3
/// ```
/// Every item of the union is equally likely to have the smallest value. Both sets have that value if and only if it
/// belongs to a common item: so a slot agrees with probability J.
///
/// The hash of an item has two halves x and y, and its value in slot i is x + cᵢ·y modulo 2³², with a fixed multiplier
/// for each slot. Values of distinct items are independent, and so are those of one item in two slots (except for a few
/// low bits where the multipliers differ by an even number). So the items with the smallest values in two slots are
/// independent, and the variance of the share of agreeing slots is exactly that of k coin tosses. Three or more slots
/// are related, but only by large multiples without a pattern: in the tests the fourth moment and the probability that
/// whole bands agree are those of independent slots, down to sets of two items. With the multipliers 0, 1, 2, … they
/// are not: for two items, eight consecutive slots agree three times too often.
///
/// # References
/// Broder 1997, doi:10.1109/SEQUEN.1997.666900 · Broder, Charikar, Frieze and Mitzenmacher 2000,
/// doi:10.1006/jcss.1999.1690 · Kirsch and Mitzenmacher 2008, doi:10.1002/rsa.20208, on two hashes in place of many.
///
/// # Measured
/// `crivo-lab run c-min-hash`, `e-f17`, `e-f20`, `e-f21`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct MinHash {
    slots: Box<[u32]>,
    spec: HashSpec,
}

impl MinHash {
    /// Inserts the item with this hash, and returns whether the signature changed.
    pub fn insert_hash(&mut self, hash: u64) -> bool {
        lower_slots(&mut self.slots, &[hash])
    }

    /// Inserts many items by their hashes.
    pub fn insert_hashes(&mut self, hashes: &[u64]) {
        lower_slots(&mut self.slots, hashes);
    }
}

/// Returns the multiplier of a slot. Multipliers are distinct and without a pattern, so that the values of one item in
/// several slots are related by large coefficients only.
#[inline]
pub(super) const fn multiplier(slot: u32) -> u32 {
    let mut mixed = slot;
    mixed = (mixed ^ mixed >> 16).wrapping_mul(0x85eb_ca6b);
    mixed = (mixed ^ mixed >> 13).wrapping_mul(0xc2b2_ae35);
    mixed ^ mixed >> 16
}

signature!(MinHash, Scheme::Functions);

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;
    use alloc::vec;
    use alloc::vec::Vec;

    /// Whole and partial blocks of slots, one hash and many.
    #[test]
    fn slots_are_the_smallest_values_of_their_functions() {
        let hashes: Vec<u64> = (0..200u64).map(crate::hash::mix).collect();
        for k in [1, 7, 8, 63, 64, 65, 128, 200] {
            let value = |slot: u32, hash: u64| {
                ((hash >> 32) as u32).wrapping_add(multiplier(slot).wrapping_mul(hash as u32))
            };
            let slots: Vec<u32> =
                (0..k).map(|slot| hashes.iter().map(|&hash| value(slot, hash)).min().unwrap()).collect();
            let mut at_once = MinHash::for_slots(k).unwrap();
            at_once.insert_hashes(&hashes);
            assert_eq!(at_once.slots(), slots, "{k}");
            let mut one_by_one = MinHash::for_slots(k).unwrap();
            for &hash in &hashes {
                let before = one_by_one.clone();
                assert_eq!(one_by_one.insert_hash(hash), one_by_one != before);
            }
            assert_eq!(one_by_one, at_once);
        }
    }

    /// No two slots have the same hash function.
    #[test]
    fn multipliers_differ() {
        let all: BTreeSet<u32> = (0..1 << 16).map(multiplier).collect();
        assert_eq!(all.len(), 1 << 16);
    }

    /// A non-empty set without a value in its slots would look empty: one hash in 2⁶⁴ has this property, or more if
    /// there is only one slot.
    #[test]
    fn an_item_that_leaves_no_trace() {
        let mut signature = MinHash::for_slots(2).unwrap();
        assert!(!signature.insert_hash(u64::MAX << 32) && signature.is_empty());
        assert!(signature.insert_hash(u64::MAX) && !signature.is_empty());
        assert_eq!(signature.slots()[0], Scheme::EMPTY);
        let mut same = MinHash::for_slots(2).unwrap();
        same.insert_hashes(&[u64::MAX]);
        assert_eq!(same.similarity(&signature).unwrap().value(), 1.0);
        assert_eq!(vec![multiplier(0)], [0]);
    }
}
