//! A queue of the smallest counters, which are replaced next.

use super::table::Table;
use super::threshold::nth_largest;
use crate::Element;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// The smallest counters in order, to be removed one by one.
///
/// The order is by count, then by hash, then by item, so that the next counter to be replaced depends on the
/// counters alone and not on their history. Counting does not touch the queue: its record of a counter may be
/// lower than the counter is now, which is detected when its turn comes.
#[derive(Clone, Default)]
pub(super) struct Queue {
    /// The largest first: the excess of a counter over `least` in the high half, its position in the low
    /// half.
    nodes: Vec<u64>,
    /// The smallest counter when the queue was filled.
    least: u64,
    /// All counters up to this value are in the queue.
    limit: u64,
}

impl Queue {
    /// The number of bytes for each counter, if all are equal.
    pub(super) const BYTES: usize = size_of::<u64>();

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<u64>()
    }

    /// Removes the position of the smallest counter from the queue. The table must have a counter.
    pub(super) fn pop<T: Element>(&mut self, table: &Table<T>) -> usize {
        loop {
            let Some(node) = self.nodes.pop() else {
                self.fill(table);
                continue;
            };
            let place = place_of(node);
            if table.upper(place) == self.least + (node >> 32) {
                return place;
            }
            self.push(place, table);
        }
    }

    /// Adds a counter, if it is small enough.
    pub(super) fn push<T: Element>(&mut self, place: usize, table: &Table<T>) {
        let upper = table.upper(place);
        if upper <= self.limit {
            let node = self.node(place, upper);
            let position =
                self.nodes.partition_point(|&other| order(table, other, node) == Ordering::Greater);
            self.nodes.insert(position, node);
        }
    }

    /// Fills the queue with few of the counters, so that later ones are inserted among few; or with all that
    /// equal the smallest, since later ones are larger.
    #[cold]
    fn fill<T: Element>(&mut self, table: &Table<T>) {
        let uppers = table.uppers();
        self.least = uppers.iter().copied().min().unwrap_or(0);
        let few = (4 * uppers.len().isqrt()).min(uppers.len() - 1);
        let next = nth_largest(&uppers.iter().copied(), self.least, uppers.len() - few);
        let limit = next.saturating_sub(1).max(self.least);
        self.limit = limit.min(self.least.saturating_add(u32::MAX.into()));
        let count = uppers.iter().filter(|&&upper| upper <= self.limit).count();
        self.nodes.reserve_exact(count);
        for (place, &upper) in uppers.iter().enumerate() {
            if upper <= self.limit {
                let node = self.node(place, upper);
                self.nodes.push(node);
            }
        }
        self.nodes.sort_unstable_by(|&one, &other| order(table, other, one));
    }

    fn node(&self, place: usize, upper: u64) -> u64 {
        (upper - self.least) << 32 | place as u64
    }
}

fn place_of(node: u64) -> usize {
    node as u32 as usize
}

fn order<T: Element>(table: &Table<T>, one: u64, other: u64) -> Ordering {
    let (one_place, other_place) = (place_of(one), place_of(other));
    let by_hash = || table.hash(one_place).cmp(&table.hash(other_place));
    let by_item = || table.item(one_place).order(table.item(other_place));
    (one >> 32).cmp(&(other >> 32)).then_with(by_hash).then_with(by_item)
}
