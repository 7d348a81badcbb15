//! The values that a [`Kll`](super::Kll) keeps, in levels: a value of level h represents 2^h values of the stream.

use crate::Element;
use crate::rng::Rng;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// The smallest capacity of a level.
const LEAST: usize = 4;
/// The smallest capacity of the lowest level, where values arrive: sorting a few more at a time is faster.
const LEAST_NEW: usize = 32;

/// The state of one level, apart from its values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Level {
    /// The number of values in the level; not kept up to date for the lowest.
    pub(super) len: u32,
    /// The coins drawn for compactions of the level since the last merge; one coin decides two compactions.
    pub(super) coins: u64,
    /// The half that the next compaction keeps, if the last one drew a coin: the other half.
    pub(super) next_half: Option<bool>,
}

/// Returns the number and the capacity of each of `count` levels, highest level first: k for the highest, and for each
/// other level two thirds of the capacity above it. Among geometric plans the ratio 1/√2 has the least error for its
/// memory; two thirds is close to it and can be computed in integers.
fn plan(k: usize, count: usize) -> impl Iterator<Item = (usize, usize)> {
    let mut size = k;
    (0..count).rev().map(move |level| {
        let planned = if level == 0 { size.max(LEAST_NEW.min(k)) } else { size };
        size = (2 * size).div_ceil(3).max(LEAST);
        (level, planned)
    })
}

/// Returns the number of values that fit into `count` levels.
pub(super) fn room(k: usize, count: usize) -> usize {
    plan(k, count).map(|(_, size)| size).sum()
}

/// All values in one list: the highest level first, the lowest last. Each level is sorted except the lowest, which is
/// in order of arrival.
#[derive(Clone)]
pub(super) struct Levels<T> {
    items: Vec<T>,
    /// The levels, lowest first; never empty.
    states: Vec<Level>,
    /// The number of values above the lowest level.
    above: usize,
    /// The number of values that fit in before a compaction.
    room: usize,
    k: usize,
}

impl<T: Element> Levels<T> {
    pub(super) fn new(k: usize) -> Self {
        Self { items: Vec::new(), states: vec![Level::default()], above: 0, room: k, k }
    }

    /// Builds the levels from the parts in a file; returns `None` if the parts contradict each other.
    pub(super) fn from_parts(k: usize, levels: Vec<Level>, items: Vec<T>) -> Option<Self> {
        let room = room(k, levels.len());
        let mut parts = Self { items, states: levels, above: 0, room, k };
        parts.above = parts.start(0);
        let fits =
            parts.items.len() <= room && parts.items.len() == parts.above + parts.states[0].len as usize;
        parts.states[0].len = 0;
        let is_sorted = |run: &[T]| run.is_sorted_by(|a, b| a.order(b) != Ordering::Greater);
        let is_sound = fits && (1..parts.states.len()).all(|level| is_sorted(parts.of(level)));
        is_sound.then_some(parts)
    }

    /// Maps the values; `value` must preserve their order.
    pub(super) fn map<U>(&self, value: impl Fn(&T) -> U) -> Levels<U> {
        let items = self.items.iter().map(value).collect();
        Levels { items, states: self.states.clone(), above: self.above, room: self.room, k: self.k }
    }

    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.items.len() >= self.room
    }

    /// Appends a value to the lowest level. The caller has made room.
    #[inline]
    pub(super) fn push(&mut self, value: T) {
        if self.items.len() == self.items.capacity() {
            self.grow();
        }
        self.items.push(value);
    }

    /// Appends as many of these values as there is room for, and returns the rest.
    pub(super) fn push_some<'a>(&mut self, values: &'a [T]) -> &'a [T] {
        let (some, rest) = values.split_at(values.len().min(self.room - self.items.len()));
        if self.items.capacity() - self.items.len() < some.len() {
            self.items.reserve_exact(some.len());
        }
        self.items.extend_from_slice(some);
        rest
    }

    /// Doubles the memory, up to the room.
    #[cold]
    fn grow(&mut self) {
        let wanted = (2 * self.items.len()).clamp(16, self.room.max(16));
        self.items.reserve_exact(wanted.saturating_sub(self.items.len()).max(1));
    }

    /// Inserts a value into a level above the lowest.
    pub(super) fn put(&mut self, level: usize, value: T) {
        while self.states.len() <= level {
            self.add_level();
        }
        let start = self.start(level);
        let place = self.of(level).partition_point(|kept| kept.order(&value) != Ordering::Greater);
        if self.items.len() == self.items.capacity() {
            self.grow();
        }
        self.items.insert(start + place, value);
        self.states[level].len += 1;
        self.above += 1;
    }

    fn add_level(&mut self) {
        self.states.reserve_exact(1);
        self.states.push(Level::default());
        self.room = room(self.k, self.states.len());
    }

    /// Compacts the lowest level that has reached its capacity. Returns the least and the greatest value that left the
    /// lowest level.
    pub(super) fn compact(&mut self, rng: &mut Rng) -> Option<(T, T)> {
        let is_full = |&(level, size): &(usize, usize)| self.len_of(level) >= size;
        let (full, _) = plan(self.k, self.states.len()).filter(is_full).last()?;
        if full + 1 == self.states.len() {
            self.add_level();
        }
        if full > 0 {
            self.halve(full, rng);
            return None;
        }
        let new = &mut self.items[self.above..];
        new.sort_unstable_by(T::order);
        let ends = new.first().cloned().zip(new.last().cloned());
        self.halve(0, rng);
        ends
    }

    /// Moves every other value of a level one level up, where it has twice the weight, and drops the rest. Of an odd
    /// number of values the greatest stays.
    fn halve(&mut self, level: usize, rng: &mut Rng) {
        let (start, half) = (self.start(level), self.len_of(level) / 2);
        let state = &mut self.states[level];
        let keeps_second = state.next_half.take().unwrap_or_else(|| {
            state.coins += 1;
            let coin = rng.next_u64() >> 63 == 1;
            state.next_half = Some(!coin);
            coin
        });
        // The kept half goes to the end of the level; the rest is dropped below.
        for i in (0..half).rev() {
            self.items.swap(start + half + i, start + 2 * i + usize::from(keeps_second));
        }
        let above = self.len_of(level + 1);
        merge_across(&mut self.items[start - above..start + 2 * half], above, half);
        self.items.drain(start + half..start + 2 * half);
        self.states[level + 1].len += half as u32;
        if level == 0 {
            self.above += half;
        } else {
            self.states[level].len -= 2 * half as u32;
            self.above -= half;
        }
    }

    /// Takes in all values of another sketch, and forgets which halves were next, since the other sketch may have drawn
    /// the same coins.
    pub(super) fn absorb(&mut self, other: &Self) {
        while self.states.len() < other.states.len() {
            self.add_level();
        }
        let mut items = Vec::with_capacity(self.items.len() + other.items.len());
        let mut levels = vec![Level::default(); self.states.len()];
        for level in (0..levels.len()).rev() {
            let start = items.len();
            items.extend_from_slice(self.of(level));
            if level < other.states.len() {
                items.extend_from_slice(other.of(level));
            }
            if level > 0 {
                items[start..].sort_by(T::order);
                levels[level].len = (items.len() - start) as u32;
            }
        }
        self.states = levels;
        self.items = items;
        self.above = self.start(0);
    }

    /// Returns whether there are more values than room, as after `absorb`.
    pub(super) fn overflows(&self) -> bool {
        self.items.len() > self.room
    }

    /// Releases the extra memory that a merge needed.
    pub(super) fn shrink(&mut self) {
        self.items.shrink_to(self.room);
    }

    fn start(&self, level: usize) -> usize {
        self.states[level + 1..].iter().map(|level| level.len as usize).sum()
    }

    fn len_of(&self, level: usize) -> usize {
        if level == 0 { self.items.len() - self.above } else { self.states[level].len as usize }
    }

    /// Returns the values of one level.
    pub(super) fn of(&self, level: usize) -> &[T] {
        if level == 0 {
            return &self.items[self.above..];
        }
        let start = self.start(level);
        &self.items[start..start + self.len_of(level)]
    }

    pub(super) fn k(&self) -> usize {
        self.k
    }

    pub(super) fn count(&self) -> usize {
        self.states.len()
    }

    pub(super) fn states(&self) -> &[Level] {
        &self.states
    }

    pub(super) fn items(&self) -> &[T] {
        &self.items
    }

    /// Returns the number of values of the stream that the kept values represent.
    pub(super) fn weight(&self) -> u64 {
        let above: u64 = (1..self.states.len()).map(|level| u64::from(self.states[level].len) << level).sum();
        above + self.len_of(0) as u64
    }

    /// Returns every value with its weight, in order.
    pub(super) fn in_order(&self) -> Vec<(&T, u64)> {
        let of = |level: usize| self.of(level).iter().map(move |value| (value, 1u64 << level));
        let mut all: Vec<(&T, u64)> = (0..self.states.len()).rev().flat_map(of).collect();
        // The stable sort detects runs that are already in order.
        all.sort_by(|(a, _), (b, _)| a.order(b));
        all
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let inside: usize = self.items.iter().map(Element::heap_bytes).sum();
        self.items.capacity() * size_of::<T>() + self.states.capacity() * size_of::<Level>() + inside
    }
}

/// Merges the first `left` values with the last `right` ones into the first `left + right` places. The values in
/// between are to be dropped; they are as many as the last `right` and are swapped to the end.
fn merge_across<T: Element>(run: &mut [T], mut left: usize, right: usize) {
    let start = left + right;
    let (mut dest, mut end) = (start, start + right);
    while end > start {
        dest -= 1;
        let from = if left > 0 && run[left - 1].order(&run[end - 1]) == Ordering::Greater {
            left -= 1;
            left
        } else {
            end -= 1;
            end
        };
        run.swap(dest, from);
    }
}
