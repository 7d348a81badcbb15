//! The k smallest of all distinct hashes.

use alloc::vec::Vec;

/// The `k` smallest distinct hashes seen. The memory depends on their number alone.
///
/// There are two sorted runs in one vector: a long one, and after it a short one that takes new hashes, so
/// that an insertion moves few of them. When the short run is too long, the two are merged.
#[derive(Debug)]
pub(crate) struct Smallest {
    hashes: Vec<u64>,
    /// The length of the long run.
    sorted: usize,
    /// Larger hashes are not among the k smallest. Most insertions end with this comparison.
    most: u64,
    k: usize,
}

impl Smallest {
    pub(crate) const fn new(k: usize) -> Self {
        Self { hashes: Vec::new(), sorted: 0, most: u64::MAX, k }
    }

    /// Creates an empty set with room for `count` hashes.
    pub(crate) fn with_room_for(k: usize, count: usize) -> Self {
        Self { hashes: Vec::with_capacity(room_for(count).min(k)), ..Self::new(k) }
    }

    /// Creates the set of the first k of these hashes, which are in ascending order.
    pub(super) fn of_sorted(k: usize, hashes: &[u64]) -> Self {
        let hashes = &hashes[..hashes.len().min(k)];
        let mut set = Self::with_room_for(k, hashes.len());
        for &hash in hashes {
            set.push(hash);
        }
        set
    }

    /// Appends a hash that is larger than all others, if there is room for it.
    pub(crate) fn push(&mut self, hash: u64) {
        self.hashes.push(hash);
        self.sorted += 1;
        self.update_most();
    }

    pub(crate) fn k(&self) -> usize {
        self.k
    }

    pub(crate) fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Returns the largest hash if there are k.
    pub(crate) fn last_of_full(&self) -> Option<u64> {
        let (run, fresh) = self.runs();
        if self.len() < self.k { None } else { run.last().max(fresh.last()).copied() }
    }

    fn runs(&self) -> (&[u64], &[u64]) {
        self.hashes.split_at(self.sorted)
    }

    /// Returns an iterator in ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        let (run, fresh) = self.runs();
        let (mut run, mut fresh) = (run.iter().copied().peekable(), fresh.iter().copied().peekable());
        core::iter::from_fn(move || match (run.peek(), fresh.peek()) {
            (Some(one), Some(other)) if other < one => fresh.next(),
            (None, _) => fresh.next(),
            _ => run.next(),
        })
    }

    /// Inserts a hash; returns whether the set changed.
    #[inline]
    pub(crate) fn insert(&mut self, hash: u64) -> bool {
        hash <= self.most && self.insert_small(hash)
    }

    #[inline(never)]
    fn insert_small(&mut self, hash: u64) -> bool {
        let (run, fresh) = self.runs();
        let Err(place) = fresh.binary_search(&hash) else { return false };
        if run.binary_search(&hash).is_ok() {
            return false;
        }
        let run_has_largest = run.last() > fresh.last();
        let place = self.sorted + place;
        if self.len() < self.k {
            self.make_room();
            self.hashes.insert(place, hash);
        } else if run_has_largest {
            // The long run gives its last position to the short one.
            self.hashes.copy_within(self.sorted..place, self.sorted - 1);
            self.hashes[place - 1] = hash;
            self.sorted -= 1;
        } else {
            self.hashes.copy_within(place..self.k - 1, place + 1);
            self.hashes[place] = hash;
        }
        if self.len() - self.sorted > longest_fresh(self.len()) {
            self.sort();
        }
        self.update_most();
        true
    }

    fn make_room(&mut self) {
        if self.len() == self.hashes.capacity() {
            let mut larger = Vec::with_capacity(room_for(self.len() + 1).min(self.k));
            larger.extend_from_slice(&self.hashes);
            self.hashes = larger;
        }
    }

    /// Merges the two runs: the new hashes move to their positions from the largest on, and those between
    /// move up.
    fn sort(&mut self) {
        let fresh = self.hashes[self.sorted..].to_vec();
        let mut end = self.sorted;
        for (before, &hash) in fresh.iter().enumerate().rev() {
            let place = self.hashes[..end].partition_point(|&other| other < hash);
            self.hashes.copy_within(place..end, place + before + 1);
            self.hashes[place + before] = hash;
            end = place;
        }
        self.sorted = self.len();
    }

    fn update_most(&mut self) {
        // Two or more distinct hashes have a largest above 0, so the subtraction cannot underflow.
        self.most = self.last_of_full().map_or(u64::MAX, |last| last - 1);
    }

    /// Returns the k smallest of both.
    pub(crate) fn union(&self, other: &Self) -> Self {
        let mut merged: Vec<u64> = Vec::with_capacity(self.k.min(self.len() + other.len()));
        let (mut ours, mut theirs) = (self.iter().peekable(), other.iter().peekable());
        while merged.len() < self.k {
            let next = match (ours.peek(), theirs.peek()) {
                (Some(&one), Some(&other)) => one.min(other),
                (Some(&hash), None) | (None, Some(&hash)) => hash,
                (None, None) => break,
            };
            ours.next_if_eq(&next);
            theirs.next_if_eq(&next);
            merged.push(next);
        }
        Self::of_sorted(self.k, &merged)
    }

    /// Returns the `k` smallest of these hashes.
    pub(crate) fn fold(&self, k: usize) -> Self {
        let hashes: Vec<u64> = self.iter().take(k).collect();
        Self::of_sorted(k, &hashes)
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.hashes.capacity() * size_of::<u64>()
    }
}

/// Returns the maximum length of the short run: long enough that merging the runs is rare, and short enough
/// that an insertion moves little, which is about the square root of their length.
fn longest_fresh(len: usize) -> usize {
    2 << (len.max(1).ilog2() / 2)
}

impl Clone for Smallest {
    fn clone(&self) -> Self {
        let mut copy = Self::with_room_for(self.k, self.len());
        copy.hashes.extend_from_slice(&self.hashes);
        Self { sorted: self.sorted, most: self.most, ..copy }
    }
}

impl PartialEq for Smallest {
    /// The order of insertion does not matter.
    fn eq(&self, other: &Self) -> bool {
        self.k == other.k && self.len() == other.len() && self.iter().eq(other.iter())
    }
}

/// Returns the capacity of a vector that grows to `count` elements: at most an eighth, or two, to spare. It
/// depends on their number alone, so that equal sketches take equal memory.
pub(super) fn room_for(count: usize) -> usize {
    let mut capacity = 0;
    while capacity < count {
        capacity += capacity / 8 + 2;
    }
    capacity
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use alloc::collections::BTreeSet;

    /// Compares with a sorted set, for any order of the hashes.
    #[test]
    fn is_an_ordered_set_cut_at_k() {
        let mut rng = Rng::new(3);
        let orders: [fn(u64, u64) -> u64; 4] = [
            |_, random| random,
            |i, _| i,
            |i, _| !i,
            |i, random| {
                if i % 2 == 0 { u64::MAX - random % 50 } else { random % 900 }
            },
        ];
        for order in orders {
            for k in [2, 16, 17, 300] {
                let mut set = Smallest::new(k);
                let mut model = BTreeSet::new();
                for i in 0..3000 {
                    let hash = order(i, rng.next_u64());
                    let before = model.clone();
                    model.insert(hash);
                    if model.len() > k {
                        model.pop_last();
                    }
                    assert_eq!(set.insert(hash), model != before);
                    assert_eq!(set.len(), model.len());
                    assert_eq!(set.hashes.capacity(), room_for(set.len()).min(k));
                    if i % 64 == 0 {
                        assert!(set.iter().eq(model.iter().copied()));
                        assert_eq!(set.last_of_full(), (model.len() == k).then(|| *model.last().unwrap()));
                    }
                }
                assert!(set.iter().eq(model.iter().copied()));
            }
        }
    }
}
