//! The exact Jaccard similarity of two sets in memory.

use crate::Result;
use crate::membership::DirectTable;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// Returns the Jaccard similarity of two sets in increasing order without repetition, in one pass over both. Two empty
/// sets have similarity 1.
///
/// ```
/// use crivo::similarity::jaccard_sorted;
/// assert_eq!(jaccard_sorted(&[1, 3, 7, 14, 20], &[1, 3, 7, 19, 20, 35]), 4.0 / 7.0);
/// ```
pub fn jaccard_sorted<T: Ord>(first: &[T], second: &[T]) -> f64 {
    let (mut ours, mut theirs, mut common) = (first, second, 0);
    while let ([one, our_rest @ ..], [other, their_rest @ ..]) = (ours, theirs) {
        let order = one.cmp(other);
        common += usize::from(order == Ordering::Equal);
        if order != Ordering::Greater {
            ours = our_rest;
        }
        if order != Ordering::Less {
            theirs = their_rest;
        }
    }
    share(common, first.len() + second.len() - common)
}

/// Returns the Jaccard similarity of two sets in any order, where repetitions count once: O(n log n) time, by sorting
/// references to the n items of both.
///
/// ```
/// use crivo::similarity::jaccard;
/// assert_eq!(jaccard(&[20, 1, 3, 7, 14], &[1, 35, 3, 7, 19, 20]), 4.0 / 7.0);
/// ```
pub fn jaccard<T: Ord>(first: &[T], second: &[T]) -> f64 {
    let [first, second] = [first, second].map(|items| {
        let mut sorted: Vec<&T> = items.iter().collect();
        sorted.sort_unstable();
        sorted.dedup();
        sorted
    });
    jaccard_sorted(&first, &second)
}

/// Returns the Jaccard similarity of two sets of numbers below 2^`bits` in any order, where repetitions count once:
/// O(n) time and O(2^`bits`) space, two tables of one bit for each possible number.
///
/// ```
/// use crivo::similarity::jaccard_by_table;
/// assert_eq!(jaccard_by_table(&[20, 1, 3, 7, 14], &[1, 35, 3, 7, 19, 20], 6)?, 4.0 / 7.0);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # Errors
/// `InvalidArgument` if `bits` is above 40, or a number is 2^`bits` or more.
pub fn jaccard_by_table(first: &[u64], second: &[u64], bits: u32) -> Result<f64> {
    let universe = 1u64.checked_shl(bits).unwrap_or(u64::MAX);
    let (mut ours, mut theirs) = (DirectTable::for_universe(universe)?, DirectTable::for_universe(universe)?);
    for &number in first {
        ours.insert(number)?;
    }
    let mut common = 0;
    for &number in second {
        common += u64::from(theirs.insert(number)? && ours.contains(number));
    }
    Ok(share(common as usize, (ours.len() + theirs.len() - common) as usize))
}

fn share(common: usize, all: usize) -> f64 {
    if all == 0 { 1.0 } else { common as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn all_ways_give_the_same() {
        let mut rng = Rng::new(8);
        for _ in 0..200 {
            let mut sets = [Vec::new(), Vec::new()];
            let (mut common, mut all) = (0, 0);
            for item in 0..rng.below(40) {
                let owner = rng.below(4);
                all += u32::from(owner > 0);
                common += u32::from(owner == 3);
                (0..2).filter(|set| owner >> set & 1 == 1).for_each(|set| sets[set].push(item));
            }
            let alike = if all == 0 { 1.0 } else { f64::from(common) / f64::from(all) };
            assert_eq!(jaccard_sorted(&sets[0], &sets[1]), alike);
            sets[1].reverse();
            let twice = [&sets[1][..], &sets[1]].concat();
            for second in [&sets[1], &twice] {
                assert_eq!(jaccard(&sets[0], second), alike);
                assert_eq!(jaccard_by_table(&sets[0], second, 6).unwrap(), alike);
            }
        }
        assert_eq!((jaccard::<u8>(&[], &[]), jaccard_sorted::<u8>(&[], &[1])), (1.0, 0.0));
        assert_eq!(jaccard_by_table(&[], &[], 0).unwrap(), 1.0);
    }

    #[test]
    fn a_table_needs_enough_bits() {
        assert_eq!(jaccard_by_table(&[7], &[7], 3).unwrap(), 1.0);
        for bits in [2, 41, 64, 200] {
            let error = jaccard_by_table(&[7], &[7], bits).unwrap_err();
            assert_eq!(error.kind(), crate::ErrorKind::InvalidArgument, "{bits}");
        }
    }
}
