//! Counts of consecutive buckets.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::RangeInclusive;

/// The least room that a list gets on the side on which it grows.
const LEAST_ROOM: u32 = 16;

/// The counts of the numbers of one sign. Buckets outside the list are empty, and so may be some at its ends.
#[derive(Clone, Default)]
pub(super) struct Side {
    first: u32,
    counts: Vec<u64>,
}

impl Side {
    /// Creates the counts of buckets from `first` on.
    pub(super) fn new(first: u32, counts: Vec<u64>) -> Self {
        Self { first, counts }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.counts.capacity() * size_of::<u64>()
    }

    /// Returns the count of a bucket in the list.
    #[inline]
    pub(super) fn count_mut(&mut self, bucket: u32) -> Option<&mut u64> {
        self.counts.get_mut(bucket.wrapping_sub(self.first) as usize)
    }

    /// Returns the first and the last bucket that is not empty.
    pub(super) fn ends(&self) -> Option<(u32, u32)> {
        let (first, counts) = self.kept();
        Some((first, first + (counts.len() as u32).checked_sub(1)?))
    }

    /// Returns the first bucket that is not empty, and the counts from there to the last such bucket.
    pub(super) fn kept(&self) -> (u32, &[u64]) {
        let is_filled = |&count: &u64| count > 0;
        let Some(begin) = self.counts.iter().position(is_filled) else { return (0, &[]) };
        let end = self.counts.iter().rposition(is_filled).map_or(begin, |last| last + 1);
        (self.first + begin as u32, &self.counts[begin..end])
    }

    /// Returns the buckets that are not empty, with their counts, in ascending order.
    pub(super) fn filled(&self) -> impl DoubleEndedIterator<Item = (u32, u64)> + '_ {
        let buckets = self.first..self.first + self.counts.len() as u32;
        buckets.zip(self.counts.iter().copied()).filter(|&(_, count)| count > 0)
    }

    /// Extends the list so that it contains `low` to `high`, within `window`.
    pub(super) fn cover(&mut self, low: u32, high: u32, window: &RangeInclusive<u32>) {
        let len = self.counts.len() as u32;
        let (first, end) = if len == 0 { (high + 1, low) } else { (self.first, self.first + len) };
        // An eighth more on the side on which the list grows, so that a slow ascent copies each count a few times only.
        let room = ((high + 1).max(end) - low.min(first)) / 8;
        let room = room.max(LEAST_ROOM);
        let begin = if low < first { low.saturating_sub(room) } else { first };
        let end = if high >= end { high + 1 + room } else { end };
        let (begin, end) = (begin.max(*window.start()), end.min(window.end() + 1));
        if (begin, end) != (self.first, self.first + len) {
            self.lie_at(begin, end);
        }
    }

    /// Drops empty buckets outside the window from the list.
    pub(super) fn stay_within(&mut self, window: &RangeInclusive<u32>) {
        let end = self.first + self.counts.len() as u32;
        if !self.counts.is_empty() && (self.first < *window.start() || end > window.end() + 1) {
            let (first, counts) = self.kept();
            *self = Self { first, counts: counts.to_vec() };
        }
    }

    /// Moves the counts, which all lie in the new list.
    fn lie_at(&mut self, begin: u32, end: u32) {
        let mut counts = vec![0; (end - begin) as usize];
        for (bucket, count) in self.filled() {
            counts[(bucket - begin) as usize] = count;
        }
        *self = Self { first: begin, counts };
    }

    /// Empties all buckets up to this one and returns the sum of their counts.
    pub(super) fn drain_up_to(&mut self, bucket: u32) -> u64 {
        let len = (bucket + 1).saturating_sub(self.first).min(self.counts.len() as u32);
        self.counts[..len as usize].iter_mut().map(core::mem::take).sum()
    }
}

impl PartialEq for Side {
    fn eq(&self, other: &Self) -> bool {
        self.kept() == other.kept()
    }
}
