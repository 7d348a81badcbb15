//! The values that a [`Kll`](super::Kll) keeps, in levels: a value of level h stands for 2^h of the stream.

use crate::Element;
use crate::rng::Rng;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// No level is planned for fewer.
const LEAST: usize = 4;
/// What the level of new values is planned for at least: sorting a few more at a time is faster.
const LEAST_NEW: usize = 32;

/// What is known of one level beside its values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Level {
    /// The number of values in it; not kept up to date for the lowest.
    pub(super) len: u32,
    /// The coins drawn for its compactions since the last merge: one for two of them.
    pub(super) coins: u64,
    /// The half that the next compaction keeps, if the last one drew a coin: the other half.
    pub(super) next_half: Option<bool>,
}

/// How many values each of `count` levels is planned for, from the highest to the lowest, by number: k in the highest,
/// each other two thirds of the one above it. Of all geometric plans one of ratio 1/√2 has the least error for its
/// memory; two thirds is close to it, and whole numbers follow from whole numbers.
fn plan(k: usize, count: usize) -> impl Iterator<Item = (usize, usize)> {
    let mut size = k;
    (0..count).rev().map(move |level| {
        let planned = if level == 0 { size.max(LEAST_NEW.min(k)) } else { size };
        size = (2 * size).div_ceil(3).max(LEAST);
        (level, planned)
    })
}

/// How many values fit into so many levels.
pub(super) fn room(k: usize, count: usize) -> usize {
    plan(k, count).map(|(_, size)| size).sum()
}

/// All values, in one list: the highest level first, the lowest last, each in order but the lowest, which is as it
/// came.
#[derive(Clone)]
pub(super) struct Levels<T> {
    items: Vec<T>,
    /// From the lowest; never empty.
    states: Vec<Level>,
    /// How many values lie above the lowest level.
    above: usize,
    /// How many values fit in before a compaction.
    room: usize,
    k: usize,
}

impl<T: Element> Levels<T> {
    pub(super) fn new(k: usize) -> Self {
        Self { items: Vec::new(), states: vec![Level::default()], above: 0, room: k, k }
    }

    /// From the parts that a file holds; `None` when they contradict each other.
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

    /// The same of other values, which are in the same order.
    pub(super) fn map<U>(&self, value: impl Fn(&T) -> U) -> Levels<U> {
        let items = self.items.iter().map(value).collect();
        Levels { items, states: self.states.clone(), above: self.above, room: self.room, k: self.k }
    }

    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.items.len() >= self.room
    }

    /// The caller has made room.
    #[inline]
    pub(super) fn push(&mut self, value: T) {
        if self.items.len() == self.items.capacity() {
            self.grow();
        }
        self.items.push(value);
    }

    /// As many of these as there is room for; the others are left.
    pub(super) fn push_some<'a>(&mut self, values: &'a [T]) -> &'a [T] {
        let (some, rest) = values.split_at(values.len().min(self.room - self.items.len()));
        if self.items.capacity() - self.items.len() < some.len() {
            self.items.reserve_exact(some.len());
        }
        self.items.extend_from_slice(some);
        rest
    }

    /// Twice the memory, up to what there is room for.
    #[cold]
    fn grow(&mut self) {
        let wanted = (2 * self.items.len()).clamp(16, self.room.max(16));
        self.items.reserve_exact(wanted.saturating_sub(self.items.len()).max(1));
    }

    /// Puts a value into a level above the lowest.
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

    /// Halves the lowest level that has all that was planned for it. Returns the least and the greatest value that left
    /// the lowest level.
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

    /// Every other value of a level goes one up, where it stands for twice as many. Of an odd number the greatest
    /// stays.
    fn halve(&mut self, level: usize, rng: &mut Rng) {
        let (start, half) = (self.start(level), self.len_of(level) / 2);
        let state = &mut self.states[level];
        let keeps_second = state.next_half.take().unwrap_or_else(|| {
            state.coins += 1;
            let coin = rng.next_u64() >> 63 == 1;
            state.next_half = Some(!coin);
            coin
        });
        // The kept half goes to the end of the level; what was there is dropped below.
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

    /// Takes in all values of another, and forgets which halves were to come: the other may have drawn the same coins.
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

    /// Whether there are more values than room, after taking others in.
    pub(super) fn overflows(&self) -> bool {
        self.items.len() > self.room
    }

    /// Gives memory back that a merge needed.
    pub(super) fn shrink(&mut self) {
        self.items.shrink_to(self.room);
    }

    fn start(&self, level: usize) -> usize {
        self.states[level + 1..].iter().map(|level| level.len as usize).sum()
    }

    fn len_of(&self, level: usize) -> usize {
        if level == 0 { self.items.len() - self.above } else { self.states[level].len as usize }
    }

    /// The values of one level.
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

    /// How many of the stream the values stand for.
    pub(super) fn weight(&self) -> u64 {
        let above: u64 = (1..self.states.len()).map(|level| u64::from(self.states[level].len) << level).sum();
        above + self.len_of(0) as u64
    }

    /// Every value with what it stands for, in order.
    pub(super) fn in_order(&self) -> Vec<(&T, u64)> {
        let of = |level: usize| self.of(level).iter().map(move |value| (value, 1u64 << level));
        let mut all: Vec<(&T, u64)> = (0..self.states.len()).rev().flat_map(of).collect();
        // Stable: it finds the runs that are in order already.
        all.sort_by(|(a, _), (b, _)| a.order(b));
        all
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let inside: usize = self.items.iter().map(Element::heap_bytes).sum();
        self.items.capacity() * size_of::<T>() + self.states.capacity() * size_of::<Level>() + inside
    }
}

/// Merges the first `left` values with the last `right` into the first `left + right` places: as many in between as at
/// the end are to be dropped, and are swapped to the end.
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
