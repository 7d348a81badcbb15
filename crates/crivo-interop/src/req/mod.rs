//! `DataSketches`' REQ sketch: see [`Req`].

mod answers;
mod wire;

pub(crate) use wire::FAMILY;

use crate::KllItem;
use crate::kll::together;
use crivo::Result;
use crivo::foreign::{incompatible, invalid};
use crivo::rng::Rng;
use std::cmp::Ordering;

/// The range of k, the number of values of a section at first.
const K: core::ops::RangeInclusive<u16> = 4..=1024;
/// The sections of a half of a level at first.
const FIRST_SECTIONS: u8 = 3;
/// More would come after 2⁴⁷ compactions of one level.
const MOST_SECTIONS: u8 = 48;
/// The least number of values of a section.
const LEAST_SECTION: u32 = 4;
/// More levels than 2⁶⁴ values can fill.
const MOST_LEVELS: usize = 61;

/// A REQ sketch of Apache `DataSketches`: quantiles and ranks of `f32`, `f64` or `i32`, accurate at one end.
///
/// # Guarantee
/// The standard error that `DataSketches` states: 0.13/k of the values beyond a value at the accurate end, or 0.084/k of all values if that is
/// less or k is 4. [`Guarantee::Approximate`](crivo::Guarantee). Ranks within 3k values of the accurate end are exact. The rank of x is the
/// number of values ≤ x. Least and greatest value are exact.
///
/// # Merge
/// Bounded: ranks stay within the error of the merged sketch. Sketches that are merged must have been made with distinct seeds.
///
/// # Example
/// ```
/// use crivo_interop::Req;
/// let mut latencies = Req::with_seed(12, true, 1)?; // accurate at the greatest values
/// (0..100_000u32).try_for_each(|i| latencies.insert(i as f32))?;
/// let read = Req::<f32>::from_bytes(&latencies.to_bytes())?;
/// let late = read.quantile(0.9999)?;
/// assert_eq!((*late.lower(), *late.upper()), (99_989.0, 99_989.0)); // ten values are greater
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Req<T> {
    k: u16,
    is_high: bool,
    /// The lowest first: a value of level h stands for 2ʰ. There is at least one; all but the lowest are sorted.
    levels: Vec<Level<T>>,
    is_lowest_sorted: bool,
    /// The least and the greatest value.
    ends: Option<(T, T)>,
    total: u64,
    coins: Rng,
}

/// Values of one weight, and the schedule of their compactions.
#[derive(Clone, Debug)]
struct Level<T> {
    /// The number of compactions, whose bits say how many sections the next one takes; a merge joins the bits of both.
    state: u64,
    /// The number of values of a section, before it is rounded to an even number.
    section: f32,
    sections: u8,
    /// Which half the last compaction kept, if it is known; the one after it keeps the other half.
    coin: Option<bool>,
    values: Vec<T>,
}

impl<T: PartialEq> PartialEq for Level<T> {
    fn eq(&self, other: &Self) -> bool {
        self.state == other.state && self.values == other.values
    }
}

/// Two sketches are equal if their values are; coins do not count.
impl<T: PartialEq> PartialEq for Req<T> {
    fn eq(&self, other: &Self) -> bool {
        (self.k, self.is_high, self.total) == (other.k, other.is_high, other.total)
            && self.levels == other.levels
            && self.ends == other.ends
    }
}

impl<T> Level<T> {
    fn new(k: u16) -> Self {
        let section = f32::from(k);
        Self { state: 0, section, sections: FIRST_SECTIONS, coin: None, values: Vec::new() }
    }

    /// Returns the number of values that a level holds before it is compacted.
    fn capacity(&self) -> usize {
        2 * usize::from(self.sections) * even(self.section) as usize
    }

    /// Takes more and smaller sections after this many compactions.
    fn widen(&mut self) {
        while self.sections < MOST_SECTIONS && self.state >> (self.sections - 1) > 0 {
            let smaller = self.section / core::f32::consts::SQRT_2;
            if even(smaller) < LEAST_SECTION {
                return;
            }
            self.section = smaller;
            self.sections *= 2;
        }
    }

    /// Takes the values farthest from the accurate end out, in order, and returns every other one. There are at least as many as the capacity.
    fn compact(&mut self, is_high: bool, coins: &mut Rng) -> Vec<T> {
        let taken = (self.state.trailing_ones() as usize + 1).min(self.sections.into());
        let left = usize::from(self.sections) - taken;
        let kept = self.capacity() / 2 + left * even(self.section) as usize;
        // An even number of values leaves.
        let kept = kept + (self.values.len() - kept) % 2;
        let second = match self.coin {
            Some(coin) if self.state % 2 == 1 => !coin,
            _ => coins.next_u64() >> 63 == 1,
        };
        self.coin = Some(second);
        let range = if is_high { 0..self.values.len() - kept } else { kept..self.values.len() };
        let promoted = self.values.drain(range).skip(usize::from(second)).step_by(2).collect();
        self.state = self.state.wrapping_add(1);
        self.widen();
        promoted
    }
}

/// Rounds to the nearest even number.
fn even(section: f32) -> u32 {
    (libm::roundf(section / 2.0) as u32) << 1
}

impl<T: KllItem> Req<T> {
    /// Creates an empty sketch with `k` values in a section at first, which is accurate at its greatest values if `is_high`, and otherwise at
    /// its least ones. Sketches that will be merged need distinct seeds.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `k` is an even number of 4 to 1024.
    pub fn with_seed(k: u16, is_high: bool, seed: u64) -> Result<Self> {
        if !K.contains(&k) || k % 2 == 1 {
            return Err(invalid(format!("k must be an even number of 4 to 1024, got {k}; 12 is usual")));
        }
        Ok(Self::empty(k, is_high, seed))
    }

    fn empty(k: u16, is_high: bool, seed: u64) -> Self {
        let (levels, coins) = (vec![Level::new(k)], Rng::new(seed));
        Self { k, is_high, levels, is_lowest_sorted: true, ends: None, total: 0, coins }
    }

    /// Inserts a value.
    ///
    /// # Errors
    /// Returns `InvalidArgument` for a value without a rank (NaN), and after 2⁶⁴ − 1 values.
    pub fn insert(&mut self, value: T) -> Result<()> {
        if !value.has_rank() {
            return Err(invalid("NaN has no rank among the others; leave it out"));
        }
        self.total = together(self.total, 1)?;
        self.stretch(&value.clone(), &value);
        self.levels[0].values.push(value);
        self.is_lowest_sorted = self.total == 1;
        self.compress();
        Ok(())
    }

    /// Takes in all values of another sketch.
    ///
    /// # Errors
    /// Returns `Incompatible` if the other end of one is accurate, and `InvalidArgument` if both together have 2⁶⁴ values or more.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        if self.is_high != other.is_high {
            let end = |sketch: &Self| sketch.accurate_end();
            return Err(incompatible(
                "accurate end",
                end(self),
                end(other),
                "make both accurate at the same end",
            ));
        }
        let total = together(self.total, other.total)?;
        let Some((least, greatest)) = &other.ends else { return Ok(()) };
        self.stretch(least, greatest);
        self.total = total;
        let k = self.k;
        self.levels.resize_with(self.levels.len().max(other.levels.len()), || Level::new(k));
        for (ours, theirs) in self.levels.iter_mut().zip(&other.levels) {
            ours.state |= theirs.state;
            ours.widen();
            ours.values.extend_from_slice(&theirs.values);
            ours.values.sort_by(T::order);
        }
        self.is_lowest_sorted = true;
        self.compress();
        Ok(())
    }

    /// Compacts every level that has reached its capacity, if the sketch has reached that of all.
    fn compress(&mut self) {
        if self.kept() < self.levels.iter().map(Level::capacity).sum() {
            return;
        }
        let mut height = 0;
        while height < self.levels.len() {
            if self.levels[height].values.len() >= self.levels[height].capacity() {
                if height == 0 {
                    self.levels[0].values.sort_by(T::order);
                    self.is_lowest_sorted = true;
                }
                if height + 1 == self.levels.len() {
                    self.levels.push(Level::new(self.k));
                }
                let promoted = self.levels[height].compact(self.is_high, &mut self.coins);
                let above = &mut self.levels[height + 1].values;
                above.extend(promoted);
                above.sort_by(T::order);
            }
            height += 1;
        }
    }

    fn stretch(&mut self, least: &T, greatest: &T) {
        let (min, max) = self.ends.get_or_insert_with(|| (least.clone(), greatest.clone()));
        if least.order(min) == Ordering::Less {
            *min = least.clone();
        }
        if greatest.order(max) == Ordering::Greater {
            *max = greatest.clone();
        }
    }

    /// Returns the number of values.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Returns the number of kept values.
    pub fn kept(&self) -> usize {
        self.levels.iter().map(|level| level.values.len()).sum()
    }

    /// Returns the kept values.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.levels.iter().flat_map(|level| &level.values)
    }

    /// Returns the least value.
    pub fn min(&self) -> Option<&T> {
        self.ends.as_ref().map(|(min, _)| min)
    }

    /// Returns the greatest value.
    pub fn max(&self) -> Option<&T> {
        self.ends.as_ref().map(|(_, max)| max)
    }

    /// Returns the number of values of a section at first.
    pub fn k(&self) -> u16 {
        self.k
    }

    /// Returns whether it is accurate at its greatest values, and not at its least ones.
    pub fn is_high(&self) -> bool {
        self.is_high
    }

    fn accurate_end(&self) -> &'static str {
        if self.is_high { "high" } else { "low" }
    }
}
