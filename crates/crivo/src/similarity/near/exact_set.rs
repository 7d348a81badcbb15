//! A complete set of hashes: see [`ExactSet`].

use crate::hash::mix;
use crate::places::{Crowd, REACH};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// A set of hashes that is compared exactly with other sets.
///
/// ```
/// use crivo::similarity::{ExactSet, Shingles};
/// use crivo::HashSpec;
/// let (shingles, spec) = (Shingles::words(1)?, HashSpec::default());
/// let wanted = ExactSet::new(&shingles.hashes("to be or not to be", &spec));
/// let text = ExactSet::new(&shingles.hashes("not to be is to be not", &spec));
/// assert_eq!(wanted.len(), 4);
/// assert_eq!(wanted.similarity(&text), 3.0 / 5.0);
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone)]
pub struct ExactSet {
    /// The distinct hashes, in the order of arrival.
    hashes: Vec<u64>,
    /// The hashes in an open-addressing table, at most half full; 0 is a free place.
    table: Vec<u64>,
    /// Hashes that found no place near their own, as happens with hostile input.
    crowd: Crowd<u64>,
    /// Whether the set contains 0, the one hash that the table cannot hold.
    has_zero: bool,
}

impl ExactSet {
    /// The number of hashes for which room is reserved at once; most documents have no more. The table grows as further
    /// distinct hashes come.
    const EXPECTED: usize = 4096;

    /// Creates the set of these hashes. Repetitions count once.
    pub fn new(hashes: &[u64]) -> Self {
        let expected = hashes.len().min(Self::EXPECTED);
        let places = (2 * expected).next_power_of_two().max(2);
        let mut set = Self {
            hashes: Vec::with_capacity(expected),
            table: vec![0; places],
            crowd: Crowd::default(),
            has_zero: false,
        };
        for &hash in hashes {
            if set.insert(hash) {
                set.hashes.push(hash);
                if 2 * set.len() > set.table.len() {
                    set.grow();
                }
            }
        }
        set
    }

    fn insert(&mut self, hash: u64) -> bool {
        if hash == 0 {
            return !core::mem::replace(&mut self.has_zero, true);
        }
        if let Some(place) = self.place(hash) {
            return core::mem::replace(&mut self.table[place], hash) == 0;
        }
        let is_new = !self.is_in_crowd(hash);
        if is_new {
            self.crowd.insert(hash, |other| other.cmp(&hash));
        }
        is_new
    }

    fn is_in_crowd(&self, hash: u64) -> bool {
        self.crowd.get(|other| other.cmp(&hash)).is_some()
    }

    fn grow(&mut self) {
        self.table = vec![0; 2 * self.table.len()];
        self.crowd = Crowd::default();
        for index in 0..self.len() {
            self.insert(self.hashes[index]);
        }
    }

    /// Returns where the hash is or would be; `None` if that is too far, so that it belongs into the crowd.
    #[inline]
    fn place(&self, hash: u64) -> Option<usize> {
        let mask = self.table.len() - 1;
        // The multiplication also spreads consecutive numbers, so they do not slow the table down.
        let mut place = (hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        for _ in 0..REACH {
            if self.table[place] == 0 || self.table[place] == hash {
                return Some(place);
            }
            place = (place + 1) & mask;
        }
        None
    }

    #[inline]
    fn contains(&self, hash: u64) -> bool {
        match self.place(hash) {
            _ if hash == 0 => self.has_zero,
            Some(place) => self.table[place] == hash,
            None => self.is_in_crowd(hash),
        }
    }

    /// Returns the number of distinct hashes.
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// Returns the distinct hashes, in the order of arrival.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    pub(super) fn into_hashes(self) -> Vec<u64> {
        self.hashes
    }

    /// Returns Jaccard's similarity: the share of all hashes that are in both sets. Two empty sets have similarity 1.
    pub fn similarity(&self, other: &Self) -> f64 {
        if self.len() < other.len() {
            other.similarity_to(&self.hashes)
        } else {
            self.similarity_to(&other.hashes)
        }
    }

    /// Returns Jaccard's similarity to a list of distinct hashes.
    pub(super) fn similarity_to(&self, others: &[u64]) -> f64 {
        let common = others.iter().filter(|&&hash| self.contains(hash)).count();
        similarity(self.len(), others.len(), common)
    }

    /// Returns 128 bits that are equal for equal sets, and almost never for different ones.
    pub(super) fn fingerprint(&self) -> u128 {
        self.hashes.iter().fold(self.len() as u128, |sum, &hash| {
            // A sum does not depend on the order. Its terms are products of a mixed hash with a second number derived
            // from it, so that each fills 128 bits.
            let mixed = mix(hash ^ 0x2545_f491_4f6c_dd1d);
            sum.wrapping_add(u128::from(mixed) * u128::from(mixed.rotate_left(32) ^ 0x9fb2_1c65_1e98_df25))
        })
    }
}

fn similarity(first: usize, second: usize, common: usize) -> f64 {
    let all = first + second - common;
    if all == 0 { 1.0 } else { common as f64 / all as f64 }
}

impl PartialEq for ExactSet {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.hashes.iter().all(|&hash| other.contains(hash))
    }
}

impl fmt::Debug for ExactSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ExactSet({} hashes)", self.len())
    }
}

impl FromIterator<u64> for ExactSet {
    fn from_iter<I: IntoIterator<Item = u64>>(hashes: I) -> Self {
        Self::new(&hashes.into_iter().collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use std::collections::BTreeSet;

    #[test]
    fn sets_are_those_of_the_standard_library() {
        let mut rng = Rng::new(1);
        for round in 0..2_000 {
            let mut draw = || -> Vec<u64> {
                let range = 1 + rng.below(40);
                (0..rng.below(60))
                    .map(|_| rng.below(range).wrapping_mul(rng.below(2) * 0xffff_0000 + 1))
                    .collect()
            };
            let (first, second) = (draw(), draw());
            let trees: [BTreeSet<u64>; 2] = [&first, &second].map(|list| list.iter().copied().collect());
            let sets = [&first, &second].map(|list| ExactSet::new(list));
            for (tree, set) in trees.iter().zip(&sets) {
                assert_eq!(&set.hashes().iter().copied().collect::<BTreeSet<u64>>(), tree, "{round}");
                assert_eq!(set.len(), tree.len(), "{round}");
            }
            let common = trees[0].intersection(&trees[1]).count();
            let expected = similarity(trees[0].len(), trees[1].len(), common);
            assert_eq!(sets[0].similarity(&sets[1]), expected, "{round}");
            assert_eq!(sets[1].similarity(&sets[0]), expected, "{round}");
            assert_eq!(sets[0] == sets[1], trees[0] == trees[1], "{round}");
            assert_eq!(sets[0].fingerprint() == sets[1].fingerprint(), trees[0] == trees[1], "{round}");
        }
    }

    #[test]
    fn room_grows_with_the_distinct_hashes() {
        let few: Vec<u64> = (0..1_000_000).map(|number| number % 10).collect();
        let set = ExactSet::new(&few);
        assert_eq!(set.len(), 10);
        assert!(set.table.len() + set.hashes.capacity() <= 3 * ExactSet::EXPECTED);
        let many: Vec<u64> = (0..100_000).map(|number| number % 30_000).collect();
        let set = ExactSet::new(&many);
        assert_eq!(set.hashes(), &many[..30_000]);
        assert!(many.iter().all(|&hash| set.contains(hash)) && !set.contains(30_000));
        assert!(set.table.len() >= 2 * set.len());
    }

    #[test]
    fn few_hashes() {
        let similarity = |one: &[u64], other: &[u64]| ExactSet::new(one).similarity(&ExactSet::new(other));
        assert_eq!(similarity(&[1, 3, 7, 14, 20], &[1, 3, 7, 19, 20, 35]), 4.0 / 7.0);
        assert_eq!(similarity(&[], &[]), 1.0);
        assert_eq!(similarity(&[], &[0]), 0.0);
        assert_eq!(similarity(&[0, 0], &[0]), 1.0);
    }
}
