//! The values that a sketch keeps, in levels: a value of level h represents 2^h values of the stream.

use crate::codec::Reader;
use crate::rng::Rng;
use crate::{Element, Result};
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt::Debug;

/// The state of one level, apart from its values.
pub(in crate::quantile) trait Level: Copy + Debug + Default + PartialEq {
    /// Returns the number of values in the level; not kept up to date for the lowest.
    fn len(&self) -> u32;

    fn set_len(&mut self, len: u32);

    /// Returns the number of coins drawn for compactions of the level.
    fn coins(&self) -> u64;

    /// Returns the state after a merge with the same level of another sketch; the numbers of values are not looked at.
    fn joined(self, other: Self) -> Self;

    /// Appends everything except the number of values.
    fn write(&self, payload: &mut Vec<u8>);

    /// Reads what [`write`](Self::write) wrote; `None` if no level has such a state.
    fn read(len: u32, payload: &mut Reader<'_>) -> Result<Option<Self>>;
}

/// The sizes of levels, and what a compaction takes.
pub(in crate::quantile) trait Plan: Clone {
    type Level: Level;
    /// Whether a compaction leaves most values of the lowest level behind, in order.
    const LEAVES_MOST: bool;

    /// Returns the number and the capacity of each of `count` levels, highest level first.
    fn sizes(&self, count: usize) -> impl Iterator<Item = (usize, usize)>;

    /// Returns the lowest of `count` levels that has reached its capacity.
    fn lowest_full(&self, count: usize, len_of: impl Fn(usize) -> usize) -> Option<usize> {
        self.sizes(count).filter(|&(level, size)| len_of(level) >= size).last().map(|(level, _)| level)
    }

    /// Decides the compaction of a full level of `len` values.
    fn compaction(&self, level: &mut Self::Level, len: usize, rng: &mut Rng) -> Compaction;

    /// Returns the number of values that fit into `count` levels.
    fn room(&self, count: usize) -> usize {
        self.sizes(count).map(|(_, size)| size).sum()
    }
}

/// Which values leave a level.
pub(in crate::quantile) struct Compaction {
    /// How many pairs of values leave; one of each pair moves up.
    pub(in crate::quantile) pairs: usize,
    /// Whether the greatest values leave, instead of the least.
    pub(in crate::quantile) takes_greatest: bool,
    /// Whether the second value of each pair moves up, instead of the first.
    pub(in crate::quantile) keeps_second: bool,
}

/// All values in one list: the highest level first, the lowest last. Each level is sorted except the lowest, which is
/// in order of arrival.
#[derive(Clone)]
pub(in crate::quantile) struct Levels<T, P: Plan> {
    items: Vec<T>,
    /// The levels, lowest first; never empty.
    states: Vec<P::Level>,
    /// The number of values above the lowest level.
    above: usize,
    /// The number of values that fit in before a compaction.
    room: usize,
    plan: P,
}

impl<T: Element, P: Plan> Levels<T, P> {
    pub(in crate::quantile) fn new(plan: P) -> Self {
        Self { items: Vec::new(), states: vec![P::Level::default()], above: 0, room: plan.room(1), plan }
    }

    /// Builds the levels from the parts in a file; returns `None` if the parts contradict each other.
    pub(in crate::quantile) fn from_parts(plan: P, levels: Vec<P::Level>, items: Vec<T>) -> Option<Self> {
        let room = plan.room(levels.len());
        let mut parts = Self { items, states: levels, above: 0, room, plan };
        parts.above = parts.start(0);
        let fits =
            parts.items.len() <= room && parts.items.len() == parts.above + parts.states[0].len() as usize;
        parts.states[0].set_len(0);
        let is_sorted = |run: &[T]| run.is_sorted_by(|a, b| a.order(b) != Ordering::Greater);
        let is_sound = fits && (1..parts.states.len()).all(|level| is_sorted(parts.of(level)));
        is_sound.then_some(parts)
    }

    /// Maps the values; `value` must preserve their order.
    pub(in crate::quantile) fn map<U>(&self, value: impl Fn(&T) -> U) -> Levels<U, P> {
        let items = self.items.iter().map(value).collect();
        let (states, plan) = (self.states.clone(), self.plan.clone());
        Levels { items, states, above: self.above, room: self.room, plan }
    }

    #[inline]
    pub(in crate::quantile) fn is_full(&self) -> bool {
        self.items.len() >= self.room
    }

    /// Appends a value to the lowest level. The caller has made room.
    #[inline]
    pub(in crate::quantile) fn push(&mut self, value: T) {
        if self.items.len() == self.items.capacity() {
            self.grow();
        }
        self.items.push(value);
    }

    /// Appends as many of these values as there is room for, and returns the rest.
    pub(in crate::quantile) fn push_some<'a>(&mut self, values: &'a [T]) -> &'a [T] {
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
    pub(in crate::quantile) fn put(&mut self, level: usize, value: T) {
        while self.states.len() <= level {
            self.add_level();
        }
        let start = self.start(level);
        let place = self.of(level).partition_point(|kept| kept.order(&value) != Ordering::Greater);
        if self.items.len() == self.items.capacity() {
            self.grow();
        }
        self.items.insert(start + place, value);
        self.add(level, 1);
        self.above += 1;
    }

    fn add_level(&mut self) {
        self.states.reserve_exact(1);
        self.states.push(P::Level::default());
        self.room = self.plan.room(self.states.len());
    }

    /// Adds to the number of values of a level above the lowest.
    fn add(&mut self, level: usize, values: usize) {
        let state = &mut self.states[level];
        state.set_len(state.len() + values as u32);
    }

    /// Compacts the lowest level that has reached its capacity. Returns the least and the greatest value of the lowest
    /// level if some leave it.
    pub(in crate::quantile) fn compact(&mut self, rng: &mut Rng) -> Option<(T, T)> {
        let full = self.plan.lowest_full(self.states.len(), |level| self.len_of(level))?;
        if full + 1 == self.states.len() {
            self.add_level();
        }
        let ends = if full == 0 { self.sort_lowest() } else { None };
        let len = self.len_of(full);
        let compaction = self.plan.compaction(&mut self.states[full], len, rng);
        self.halve(full, &compaction);
        ends
    }

    fn sort_lowest(&mut self) -> Option<(T, T)> {
        let new = &mut self.items[self.above..];
        if P::LEAVES_MOST {
            // This sort detects runs that are already in order.
            new.sort_by(T::order);
        } else {
            new.sort_unstable_by(ranked);
        }
        new.first().cloned().zip(new.last().cloned())
    }

    /// Moves every other of the leaving values of a level one level up, where it has twice the weight, and drops the
    /// rest.
    fn halve(
        &mut self,
        level: usize,
        &Compaction { pairs: half, takes_greatest, keeps_second }: &Compaction,
    ) {
        let (start, len) = (self.start(level), self.len_of(level));
        if takes_greatest {
            self.items[start..start + len].rotate_right(2 * half);
        }
        let above = self.len_of(level + 1);
        let run = &mut self.items[start - above..start + 2 * half];
        if above == 0 {
            // Nothing to merge with, as is usual for low levels.
            for i in 0..half {
                run.swap(i, 2 * i + usize::from(keeps_second));
            }
        } else {
            // The kept half goes to the end of the leaving values; the rest is dropped below.
            for i in (0..half).rev() {
                run.swap(above + half + i, above + 2 * i + usize::from(keeps_second));
            }
            merge_across(run, above, half);
        }
        self.items.drain(start + half..start + 2 * half);
        self.add(level + 1, half);
        if level == 0 {
            self.above += half;
        } else {
            self.states[level].set_len((len - 2 * half) as u32);
            self.above -= half;
        }
    }

    /// Takes in all values of another sketch.
    pub(in crate::quantile) fn absorb(&mut self, other: &Self) {
        while self.states.len() < other.states.len() {
            self.add_level();
        }
        let mut items = Vec::with_capacity(self.items.len() + other.items.len());
        let mut levels = self.states.clone();
        for (state, other) in levels.iter_mut().zip(&other.states) {
            *state = state.joined(*other);
        }
        for state in levels.iter_mut().skip(other.states.len()) {
            *state = state.joined(P::Level::default());
        }
        for level in (0..levels.len()).rev() {
            let start = items.len();
            items.extend_from_slice(self.of(level));
            if level < other.states.len() {
                items.extend_from_slice(other.of(level));
            }
            if level > 0 {
                items[start..].sort_by(T::order);
                levels[level].set_len((items.len() - start) as u32);
            }
        }
        self.states = levels;
        self.items = items;
        self.above = self.start(0);
    }

    /// Returns whether there are more values than room, as after `absorb`.
    pub(in crate::quantile) fn overflows(&self) -> bool {
        self.items.len() > self.room
    }

    /// Releases the extra memory that a merge needed.
    pub(in crate::quantile) fn shrink(&mut self) {
        self.items.shrink_to(self.room);
    }

    fn start(&self, level: usize) -> usize {
        self.states[level + 1..].iter().map(|level| level.len() as usize).sum()
    }

    fn len_of(&self, level: usize) -> usize {
        if level == 0 { self.items.len() - self.above } else { self.states[level].len() as usize }
    }

    /// Returns the values of one level.
    pub(in crate::quantile) fn of(&self, level: usize) -> &[T] {
        if level == 0 {
            return &self.items[self.above..];
        }
        let start = self.start(level);
        &self.items[start..start + self.len_of(level)]
    }

    pub(in crate::quantile) fn plan(&self) -> &P {
        &self.plan
    }

    pub(in crate::quantile) fn count(&self) -> usize {
        self.states.len()
    }

    pub(in crate::quantile) fn states(&self) -> &[P::Level] {
        &self.states
    }

    pub(in crate::quantile) fn items(&self) -> &[T] {
        &self.items
    }

    /// Returns the number of values of the stream that the kept values represent.
    pub(in crate::quantile) fn weight(&self) -> u64 {
        let above: u64 =
            (1..self.states.len()).map(|level| u64::from(self.states[level].len()) << level).sum();
        above + self.len_of(0) as u64
    }

    /// Returns every value with its weight, in order.
    pub(in crate::quantile) fn in_order(&self) -> Vec<(&T, u64)> {
        let of = |level: usize| self.of(level).iter().map(move |value| (value, 1u64 << level));
        let mut all: Vec<(&T, u64)> = (0..self.states.len()).rev().flat_map(of).collect();
        // The stable sort detects runs that are already in order.
        all.sort_by(|(a, _), (b, _)| a.order(b));
        all
    }

    pub(in crate::quantile) fn memory_bytes(&self) -> usize {
        let inside: usize = self.items.iter().map(Element::heap_bytes).sum();
        self.items.capacity() * size_of::<T>() + self.states.capacity() * size_of::<P::Level>() + inside
    }
}

/// Merges the first `left` values with the last `right` ones into the first `left + right` places. The values in
/// between are to be dropped; they are as many as the last `right` and are swapped to the end.
fn merge_across<T: Element>(run: &mut [T], mut left: usize, right: usize) {
    let start = left + right;
    let (mut dest, mut end) = (start, start + right);
    while end > start && left > 0 {
        dest -= 1;
        // Which of the two is greater is not predictable, so it is no branch.
        let is_left = run[end - 1].is_below(&run[left - 1]);
        left -= usize::from(is_left);
        end -= usize::from(!is_left);
        run.swap(dest, if is_left { left } else { end });
    }
    while end > start {
        dest -= 1;
        end -= 1;
        run.swap(dest, end);
    }
}

/// Compares two values with a rank.
fn ranked<T: Element>(one: &T, other: &T) -> Ordering {
    if one.is_below(other) {
        Ordering::Less
    } else if other.is_below(one) {
        Ordering::Greater
    } else {
        Ordering::Equal
    }
}
