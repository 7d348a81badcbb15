//! One register: the ranks that a window of some width can still contain as its highest.

use alloc::boxed::Box;
use alloc::vec;

/// Pairs of time and rank of which none is both as late and as high as another: a higher rank is an older
/// one.
#[derive(Clone, Default)]
pub(super) struct Front {
    /// Empty, or a word whose bit r is set if there is a rank of r, followed by the time of each, lowest rank
    /// and latest time first.
    words: Box<[u64]>,
}

/// The word of ranks, and a time for each possible rank.
const MOST_WORDS: usize = 62;

impl Front {
    /// Takes in a rank at a time, and drops all pairs that are `is_old`; returns true if the rank made a
    /// difference.
    pub(super) fn insert(&mut self, time: u64, rank: u8, is_old: impl Fn(u64) -> bool) -> bool {
        let alive = || self.iter().take_while(|&(other, _)| !is_old(other));
        if alive().any(|(other, other_rank)| other >= time && other_rank >= rank) {
            return false;
        }
        let later = alive().filter(|&(other, _)| other > time);
        let higher = alive().filter(|&(_, other_rank)| other_rank > rank);
        let mut words = [0; MOST_WORDS];
        let mut length = 1;
        for (time, rank) in later.chain([(time, rank)]).chain(higher) {
            words[0] |= 1 << rank;
            words[length] = time;
            length += 1;
        }
        if self.words.len() == length {
            self.words.copy_from_slice(&words[..length]);
        } else {
            self.words = words[..length].into();
        }
        true
    }

    /// Adds a pair that is older and higher than all others.
    pub(super) fn push(&mut self, time: u64, rank: u8) {
        let mut words =
            if self.words.is_empty() { vec![0] } else { core::mem::take(&mut self.words).into_vec() };
        words.reserve_exact(1);
        words[0] |= 1 << rank;
        words.push(time);
        self.words = words.into_boxed_slice();
    }

    /// Returns an iterator over times and ranks, latest first.
    #[inline]
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, u8)> + '_ {
        let (ranks, times) = self.words.split_first().map_or((0, &[][..]), |(&ranks, times)| (ranks, times));
        let mut ranks: u64 = ranks;
        times.iter().map(move |&time| {
            let rank = ranks.trailing_zeros() as u8;
            ranks &= ranks.wrapping_sub(1);
            (time, rank)
        })
    }

    /// Returns the highest rank that is not `is_old`; 0 if there is none.
    pub(super) fn rank(&self, is_old: impl Fn(u64) -> bool) -> u8 {
        self.iter().take_while(|&(time, _)| !is_old(time)).last().map_or(0, |(_, rank)| rank)
    }

    pub(super) fn memory_bytes(&self) -> usize {
        size_of_val(&*self.words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use alloc::collections::BTreeSet;
    use alloc::vec::Vec;

    /// Returns the pairs of time and rank to which no other pair is as late and as high.
    fn pareto(all: &BTreeSet<(u64, u8)>) -> Vec<(u64, u8)> {
        let is_kept = |&&(time, rank): &&(u64, u8)| {
            !all.iter().any(|&(t, r)| (t, r) != (time, rank) && t >= time && r >= rank)
        };
        all.iter().filter(is_kept).rev().copied().collect()
    }

    #[test]
    fn a_front_is_what_no_other_is_as_late_and_as_high_as() {
        let mut rng = Rng::new(1);
        for round in 0..300u64 {
            let (mut front, mut all) = (Front::default(), BTreeSet::new());
            for _ in 0..60 {
                let (time, rank) = (rng.below(1 + round / 4), 1 + rng.below(1 + round % 61) as u8);
                let before: Vec<_> = front.iter().collect();
                let changed = front.insert(time, rank, |_| false);
                all.insert((time, rank));
                let after: Vec<_> = front.iter().collect();
                assert_eq!(after, pareto(&all));
                assert_eq!(changed, after != before);
                assert_eq!(front.memory_bytes(), 8 * (after.len() + 1));
            }
            let since = rng.below(1 + round / 4);
            let expected = all.iter().filter(|&&(time, _)| time >= since).map(|&(_, rank)| rank).max();
            assert_eq!(front.rank(|time| time < since), expected.unwrap_or(0));
        }
    }
}
