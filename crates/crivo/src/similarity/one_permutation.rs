//! One hash function whose values are distributed over bins: see [`OnePermutation`].

use super::Scheme;
use crate::HashSpec;
use crate::hash::reduce;
use alloc::boxed::Box;

/// A one-permutation MinHash signature: the Jaccard similarity of two sets, from the smallest hash in each of k bins.
/// The fastest signature.
///
/// # Use when / not when
/// Use it first: an insertion takes one step, however many bins there are, and the estimate is more accurate than that
/// of a [`MinHash`](crate::MinHash) of as many slots, which takes k steps. Not where slots must be independent for sets
/// of fewer than k items, as bands of an index assume: there empty bins are filled from others, and a `MinHash` is the
/// better signature.
///
/// # Guarantee
/// Unbiased, with the standard error √(J(1−J)/N · (U−N)/(U−1)), where U is the number of items in the union and N the
/// number of bins that they use. It is never more than the √(J(1−J)/k) of `MinHash`: half its variance for U far below
/// k, 0.58 of it for U = k, 0.81 for 5k, all of it far beyond. [`Guarantee::Approximate`](crate::Guarantee): the bounds
/// are exact for a draw without replacement from a union whose size is estimated.
///
/// # Space
/// As for [`MinHash`](crate::MinHash), whose table holds here too: four bytes per bin. The error is never larger than
/// there; for sets of a few k items it is smaller.
///
/// # Time
/// One multiplication and one comparison per item. A comparison of two signatures reads both once, and computing its
/// bounds takes some microseconds.
///
/// # Merge
/// Exact, since empty bins stay empty: the smaller value of each bin. The merged signature equals that of one pass over
/// both streams, in bytes too; commutative, associative, idempotent.
///
/// # Hostile input
/// An attacker who knows the seed can choose items with small values in every bin, and make any two sets look similar
/// or dissimilar. Use [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::OnePermutation;
/// let (mut first, mut second) = (OnePermutation::for_slots(128)?, OnePermutation::for_slots(128)?);
/// first.extend(0..900u32);
/// second.extend(100..1000u32);
/// let alike = first.similarity(&second)?;
/// assert!(alike.contains(0.8), "{alike:.3}");
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
///            bin 0      bin 1      bin 2      bin 3
///         |----------|----------|----------|----------|      the hash says which bin
/// first       7  31       19                    4            and the value there; the smallest stays
/// second      7           19 25                 9
///
/// first       7           19        -           4
/// second      7           19        -           9            of 3 bins in use 2 agree
/// ```
/// Every item is equally likely to have any of the hashes. So the smallest items of the N bins in use are N of the
/// union's items, all choices equally likely, and the number of common ones among them is that of a draw without
/// replacement. A bin that is empty in both carries no information and is left out.
///
/// An index needs a value in every slot: [`Scheme::filled`] then takes it from another bin, the same one in every
/// signature.
///
/// # References
/// Li, Owen and Zhang 2012, arXiv:1208.1259 · Shrivastava 2017, arXiv:1703.04664, and Mai et al. 2020, PMLR 115:831, on
/// filling empty bins. New here: bins are filled only for the keys of an index, so that signatures merge; the interval.
///
/// # Measured
/// `crivo-lab run c-one-permutation`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct OnePermutation {
    slots: Box<[u32]>,
    spec: HashSpec,
}

impl OnePermutation {
    /// Inserts the item with this hash, and returns whether the signature changed.
    #[inline]
    pub fn insert_hash(&mut self, hash: u64) -> bool {
        let bin = &mut self.slots[reduce(hash, self.slots.len() as u64) as usize];
        // The largest value marks an empty bin; one item in 2³² gets the next smaller value instead.
        let value = (hash as u32).min(Scheme::EMPTY - 1);
        let before = *bin;
        // Branchless: whether an item is the smallest of its bin is hard to predict.
        *bin = value.min(before);
        value < before
    }

    /// Inserts many items by their hashes.
    pub fn insert_hashes(&mut self, hashes: &[u64]) {
        for &hash in hashes {
            self.insert_hash(hash);
        }
    }
}

signature!(OnePermutation, Scheme::Bins);

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn a_bin_keeps_the_smallest_of_its_values() {
        let mut signature = OnePermutation::for_slots(4).unwrap();
        let hash = |bin: u64, value: u64| bin << 62 | value;
        assert!(signature.insert_hash(hash(1, 7)) && !signature.insert_hash(hash(1, 9)));
        assert!(signature.insert_hash(hash(1, 3)) && !signature.insert_hash(hash(1, 3)));
        // Even the largest value differs from that of an empty bin.
        assert!(signature.insert_hash(hash(3, u64::from(u32::MAX))));
        assert_eq!(signature.slots(), [Scheme::EMPTY, 3, Scheme::EMPTY, Scheme::EMPTY - 1]);
        assert!(!signature.is_empty());
    }

    /// While no two items share a bin, the result is exact.
    #[test]
    fn few_items_are_compared_nearly_exactly() {
        let (mut first, mut second) =
            (OnePermutation::for_slots(4096).unwrap(), OnePermutation::for_slots(4096).unwrap());
        first.extend(0..6u32);
        second.extend(3..9u32);
        let alike = first.similarity(&second).unwrap();
        assert_eq!(alike.value(), 3.0 / 9.0);
        assert!(alike.lower() >= 0.3 && alike.upper() <= 0.4, "{alike:.3}");
    }

    #[test]
    fn filling_keeps_values_and_always_ends() {
        for k in [1u32, 2, 3, 100, 65_536] {
            for items in [1u32, 2, 50] {
                let mut signature = OnePermutation::for_slots(k).unwrap();
                assert!(Scheme::Bins.filled(signature.slots()).iter().all(|&slot| slot == Scheme::EMPTY));
                signature.extend(0..items);
                let filled = Scheme::Bins.filled(signature.slots());
                let mut values: Vec<u32> = signature.slots().to_vec();
                values.retain(|&slot| slot != Scheme::EMPTY);
                for (&slot, value) in signature.slots().iter().zip(&*filled) {
                    assert!(if slot == Scheme::EMPTY { values.contains(value) } else { slot == *value });
                }
            }
        }
    }
}
