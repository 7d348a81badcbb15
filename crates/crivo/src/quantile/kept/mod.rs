//! What sketches of quantiles that keep values have in common: the values, their levels, and the coins that decide which
//! values go up.

mod levels;
mod numbers;
mod wire;

pub(super) use levels::{Compaction, Level, Levels, Plan};
pub(super) use wire::malformed;

use crate::rng::Rng;
use crate::{Element, Error, Result};
use alloc::format;
use core::cmp::Ordering;
use core::ops::RangeInclusive;

/// The largest number of insertions; more would leave no room for the lowest level below 2⁶⁴.
const MOST: u64 = u64::MAX - (1 << 32);

/// The values of a sketch with this plan of levels.
#[derive(Clone)]
pub(super) struct Kept<T, P: Plan> {
    pub(super) seed: u64,
    pub(super) rng: Rng,
    pub(super) levels: Levels<T, P>,
    /// The least and the greatest value that were in the lowest level at a compaction, or entered a higher level.
    pub(super) ends: Option<(T, T)>,
}

impl<T: Element, P: Plan> Kept<T, P> {
    pub(super) fn new(plan: P, seed: u64) -> Self {
        Self { seed, rng: Rng::new(seed), levels: Levels::new(plan), ends: None }
    }

    #[inline]
    pub(super) fn insert(&mut self, value: T) -> Result<()> {
        check_rank(&value)?;
        if self.levels.is_full() {
            self.make_room()?;
        }
        self.levels.push(value);
        Ok(())
    }

    pub(super) fn insert_all(&mut self, values: &[T]) -> Result<()> {
        // The usual case is one pass without branches.
        if !values.iter().fold(true, |have, value| have & value.has_rank()) {
            values.iter().try_for_each(check_rank)?;
        }
        self.check_room_for(values.len() as u64)?;
        let mut rest = values;
        while !rest.is_empty() {
            while self.levels.is_full() {
                self.compact();
            }
            rest = self.levels.push_some(rest);
        }
        Ok(())
    }

    pub(super) fn insert_weighted(&mut self, value: T, count: u64) -> Result<()> {
        check_rank(&value)?;
        self.check_room_for(count)?;
        let Some(highest) = count.checked_ilog2() else { return Ok(()) };
        // A value of level h has weight 2^h, so each 1 bit of the count is one value.
        for level in (0..highest).filter(|level| count >> level & 1 == 1) {
            self.put(level as usize, value.clone())?;
        }
        self.put(highest as usize, value)
    }

    fn put(&mut self, level: usize, value: T) -> Result<()> {
        if level == 0 {
            return self.insert(value);
        }
        self.widen(&value, &value);
        self.levels.put(level, value);
        if self.levels.is_full() { self.make_room() } else { Ok(()) }
    }

    #[cold]
    fn make_room(&mut self) -> Result<()> {
        self.check_room_for(0)?;
        while self.levels.is_full() {
            self.compact();
        }
        Ok(())
    }

    fn compact(&mut self) {
        if let Some((least, greatest)) = self.levels.compact(&mut self.rng) {
            self.widen(&least, &greatest);
        }
    }

    pub(super) fn check_room_for(&self, count: u64) -> Result<()> {
        if self.total().checked_add(count).is_some_and(|total| total <= MOST) {
            return Ok(());
        }
        Err(Error::full(format!(
            "{} values and {count} more exceed 2^64 - 2^32, the most that can be counted; start another sketch",
            self.total()
        )))
    }

    fn widen(&mut self, least: &T, greatest: &T) {
        match &mut self.ends {
            None => self.ends = Some((least.clone(), greatest.clone())),
            Some((min, max)) => {
                if least.order(min) == Ordering::Less {
                    *min = least.clone();
                }
                if greatest.order(max) == Ordering::Greater {
                    *max = greatest.clone();
                }
            }
        }
    }

    /// Takes in the values of another sketch; neither is empty, and there is room for the number of both. Coins drawn from
    /// now on are new.
    pub(super) fn absorb(&mut self, other: &Self) {
        self.rng = Rng::new(self.rng.next_u64() ^ other.rng.clone().next_u64().rotate_left(32));
        if let Some((least, greatest)) = &other.ends {
            self.widen(least, greatest);
        }
        self.levels.absorb(&other.levels);
        while self.levels.overflows() {
            self.compact();
        }
        self.levels.shrink();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.levels.items().is_empty()
    }

    pub(super) fn total(&self) -> u64 {
        self.levels.weight()
    }

    pub(super) fn min(&self) -> Option<&T> {
        let ends = self.ends.iter().map(|(min, _)| min);
        ends.chain(self.levels.of(0)).min_by(|a, b| a.order(b))
    }

    pub(super) fn max(&self) -> Option<&T> {
        let ends = self.ends.iter().map(|(_, max)| max);
        ends.chain(self.levels.of(0)).max_by(|a, b| a.order(b))
    }

    pub(super) fn levels(&self) -> impl Iterator<Item = &[T]> + '_ {
        (0..self.levels.count()).map(|level| self.levels.of(level))
    }

    pub(super) fn len(&self) -> usize {
        self.levels.items().len()
    }

    pub(super) fn heap_bytes(&self) -> usize {
        let ends = self.ends.as_ref().map_or(0, |(min, max)| min.heap_bytes() + max.heap_bytes());
        self.levels.memory_bytes() + ends
    }

    /// Elements that own memory may own any amount of it. Others are at most as many as two sketches keep, since a merge holds
    /// the values of both; `levels` is the number of levels of a sketch of 2⁶⁴ values.
    pub(super) fn heap_bound(&self, levels: usize) -> Option<usize> {
        let plan = self.levels.plan();
        let others = plan.room(levels) + 64;
        (!core::mem::needs_drop::<T>()).then(|| Self::heap_for(plan, levels) + others * size_of::<T>())
    }

    /// Returns the heap memory of this many full levels, not counting memory that the values own elsewhere.
    pub(super) fn heap_for(plan: &P, levels: usize) -> usize {
        plan.room(levels) * size_of::<T>() + levels * size_of::<P::Level>()
    }

    /// Maps the kept values; `value` must preserve their order.
    pub(super) fn map<U: Element>(&self, value: impl Fn(&T) -> U + Copy) -> Kept<U, P> {
        Kept {
            seed: self.seed,
            rng: self.rng.clone(),
            levels: self.levels.map(value),
            ends: self.ends.as_ref().map(|(min, max)| (value(min), value(max))),
        }
    }

    /// Returns the rank of a value below the least or not below the greatest one, where it is exact.
    pub(super) fn rank_outside(&self, value: &T) -> Option<u64> {
        let is_below = |end: Option<&T>| end.is_none_or(|end| value.order(end) == Ordering::Less);
        if is_below(self.min()) {
            return Some(0);
        }
        (!is_below(self.max())).then(|| self.total())
    }

    /// Returns the number of kept values ≤ `value` in a level.
    pub(super) fn kept_up_to(&self, level: usize, value: &T) -> usize {
        let is_up_to = |kept: &T| kept.order(value) != Ordering::Greater;
        let kept = self.levels.of(level);
        // The lowest level is in order of arrival.
        if level > 0 {
            kept.partition_point(is_up_to)
        } else {
            kept.iter().filter(|kept| is_up_to(kept)).count()
        }
    }
}

impl<T: Element, P: Plan> PartialEq for Kept<T, P> {
    fn eq(&self, other: &Self) -> bool {
        let same = |a: &T, b: &T| a.order(b) == Ordering::Equal;
        let same_ends = match (&self.ends, &other.ends) {
            (None, None) => true,
            (Some((min, max)), Some((their_min, their_max))) => same(min, their_min) && same(max, their_max),
            _ => false,
        };
        let (ours, theirs) = (self.levels.items(), other.levels.items());
        (self.seed, &self.rng, self.levels.states()) == (other.seed, &other.rng, other.levels.states())
            && same_ends
            && ours.len() == theirs.len()
            && ours.iter().zip(theirs).all(|(a, b)| same(a, b))
    }
}

/// Returns the largest k in a range whose sketch takes at most `bytes` bytes.
pub(super) fn largest_within(
    bytes: u64,
    range: RangeInclusive<u64>,
    takes: impl Fn(u64) -> u64,
) -> Result<u64> {
    let (mut fits, mut too_large) = (range.start() - 1, range.end() + 1);
    while too_large - fits > 1 {
        let middle = u64::midpoint(fits, too_large);
        if takes(middle) <= bytes { fits = middle } else { too_large = middle }
    }
    if fits < *range.start() {
        return Err(Error::invalid(format!(
            "{bytes} bytes are too few; the smallest sketch takes {}",
            takes(*range.start())
        )));
    }
    Ok(fits)
}

fn check_rank<T: Element>(value: &T) -> Result<()> {
    if value.has_rank() {
        return Ok(());
    }
    Err(no_rank(value))
}

#[cold]
fn no_rank<T: Element>(value: &T) -> Error {
    Error::invalid(format!("{value:?} has no rank among the others; leave it out"))
}
