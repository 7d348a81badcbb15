//! The exact Jaccard similarity of two sets in memory.

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

/// Returns the Jaccard similarity of two sets in any order without repetition, by comparing every item with every
/// other. From about thirty items on, sorting and [`jaccard_sorted`] are faster, but this needs no order.
///
/// ```
/// use crivo::similarity::jaccard;
/// assert_eq!(jaccard(&[20, 1, 3, 7, 14], &[1, 35, 3, 7, 19, 20]), 4.0 / 7.0);
/// ```
pub fn jaccard<T: PartialEq>(first: &[T], second: &[T]) -> f64 {
    let common = first.iter().filter(|item| second.contains(item)).count();
    share(common, first.len() + second.len() - common)
}

fn share(common: usize, all: usize) -> f64 {
    if all == 0 { 1.0 } else { common as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use alloc::vec::Vec;

    #[test]
    fn both_ways_give_the_same() {
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
            assert_eq!(jaccard(&sets[0], &sets[1]), alike);
        }
        assert_eq!((jaccard::<u8>(&[], &[]), jaccard_sorted::<u8>(&[], &[1])), (1.0, 0.0));
    }
}
