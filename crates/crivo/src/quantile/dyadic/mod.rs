//! Ranges, ranks and quantiles with deletions: see [`DyadicCountMin`].

mod ordinal;
mod params;
mod pieces;

pub use ordinal::Ordinal;
pub use params::DyadicParams;
pub use pieces::{blocks_of, pieces};

use super::{check_ascending, check_share_of_all, target_rank};
use crate::codec::{self, DecodeOptions, put_u64_varint};
use crate::estimate::{check_confidence, count_down, count_up};
use crate::hash::Probes;
use crate::kind::Kind;
use crate::sketch::{Fact, Merge, Sketch, Wire, wire_methods};
use crate::{DEFAULT_CONFIDENCE, Error, Estimate, Guarantee, HashSpec, QuantileEstimate, Result, element};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::ops::RangeInclusive;
use libm::floor;
use pieces::for_each_piece;

/// What tells the blocks of one level from those of another: an odd number, so that within a level they differ.
const LEVEL_STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Counts of numbers from which come range sums, ranks and quantiles, with deletions.
///
/// # Use when / not when
/// Use it where values come and go (open orders, rows of a table, a sliding window), where a merge must equal one pass, or
/// for certain bounds on any range. Not for a stream that only grows: a [`Kll`](crate::Kll) gives its quantiles in a thousandth
/// of the memory, for any type with an order. Not for one value's frequency alone: a [`CountMin`](crate::CountMin) needs one
/// level of it.
///
/// # Guarantee
/// As long as only what was added is removed, nothing is ever counted too low. So a range is at most what its blocks hold, and
/// at least what the blocks outside leave of the total: both bounds are certain, and their distance is measured, not
/// presumed. Where Markov's inequality says more, the lower bound is proven instead: a range is over-counted by more than
/// 2·h·t/w of the total with probability t^−k, with h hashed levels of k rows and width w (the literature's 2ε log₂ n ‖A‖₁ with
/// ε = e/w, for the levels that can err). The bounds of a quantile are certain, and rise with q.
///
/// # Space
/// 64-bit counters for every hashed level, and two for each block of the finest level that is exact:
///
/// | universe | range error | δ | table | hashed levels | memory |
/// |---|---|---|---|---|---|
/// | 2¹⁶ | 1 % | 1 % | 1,639 × 5 | 3 | 0.3 MB |
/// | 2³² | 1 % | 1 % | 9,243 × 5 | 17 | 6.8 MB |
/// | 2³² | 0.1 % | 1 % | 76,112 × 5 | 14 | 47 MB |
/// | 2⁶⁴ | 1 % | 1 % | 26,096 × 5 | 48 | 51 MB |
///
/// # Time
/// An update takes one hash a hashed level and k counters of it, and one counter of every exact level. A range takes at most two
/// blocks a level, on both sides of its ends; a quantile goes down level by level.
///
/// # Merge
/// Exact (counter by counter sum), commutative and associative, not idempotent – it is a multiset.
///
/// # Hostile input
/// Whoever knows the seed can pile counts onto the blocks of a victim. Use [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::{DyadicCountMin, DyadicParams};
/// let mut open = DyadicCountMin::<u64>::new(DyadicParams::for_error(32, 0.01, 0.01)?)?;
/// for price in 10_000..20_000 {
///     open.add(price, 3)?;
/// }
/// for price in 10_000..15_000 {
///     open.remove(price, 3)?;
/// }
/// assert!(open.range(14_000..=15_999)?.contains(3000.0));
/// assert!(open.rank(&15_999)?.contains(3000.0));
/// let median = open.quantile(0.5)?.expect("there are values");
/// assert!(*median.lower() <= 17_499 && 17_499 <= *median.upper());
/// assert_eq!(open.total(), 15_000);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// level 3   [0 ........... 7] [8 .......... 15]    few blocks: counted one by one
/// level 2   [0 .. 3] [4 .. 7] [8 ..11] [12..15]
/// level 1   0–1 2–3 4–5 6–7 8–9 10–11 12–13 14–15  many blocks: a Count-Min table each
/// level 0   0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
///
/// 5..=14 = 5 + 6–7 + 8–11 + 12–13 + 14             adding 7 counts in 7, 6–7, 4–7 and 0–7
/// ```
///
/// # References
/// Cormode and Muthukrishnan, doi:10.1016/j.jalgor.2003.12.001, sections 4.2 and 4.3 · with deletions: Luo, Wang, Yi and
/// Cormode, doi:10.1007/s00778-016-0424-7. The lower bound from the complement is plain arithmetic.
#[derive(Clone, PartialEq)]
pub struct DyadicCountMin<T> {
    params: DyadicParams,
    spec: HashSpec,
    /// The tables of the hashed levels, from the finest, row after row; then the exact levels, from the coarsest: 2 counters,
    /// 4, 8 and so on.
    cells: Vec<u64>,
    total: u64,
    values: PhantomData<fn(T) -> T>,
}

/// What the counters say of a set of blocks.
#[derive(Clone, Copy, Default)]
struct Sum {
    /// In blocks whose number is known.
    exact: u128,
    /// In blocks whose number is over-counted.
    hashed: u128,
    /// How many blocks are over-counted.
    blocks: u32,
}

impl Sum {
    fn all(&self) -> u128 {
        self.exact + self.hashed
    }
}

impl<T: Ordinal> DyadicCountMin<T> {
    /// An empty sketch with the default hash.
    ///
    /// # Errors
    /// `InvalidArgument` for `f64` unless the universe has 64 bits.
    pub fn new(params: DyadicParams) -> Result<Self> {
        Self::with_spec(params, HashSpec::default())
    }

    /// An empty sketch with a hash of one's own.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_spec(params: DyadicParams, spec: HashSpec) -> Result<Self> {
        if T::NEEDS_ALL_BITS && params.bits() != 64 {
            return Err(Error::invalid(format!(
                "{} takes a universe of 64 bits, got {}; ask for 64",
                element::name_of(T::TAG),
                params.bits()
            )));
        }
        let cells = vec![0; (params.memory_bytes() / 8) as usize];
        Ok(Self { params, spec, cells, total: 0, values: PhantomData })
    }

    /// Adds `count` occurrences of a value.
    ///
    /// # Errors
    /// `InvalidArgument` for a value outside the universe (NaN too), `Full` when the total would exceed the largest `u64`;
    /// nothing changes then.
    pub fn add(&mut self, value: T, count: u64) -> Result<()> {
        let place = self.place(&value)?;
        self.total = self.checked_total(count)?;
        let (params, spec) = (self.params, self.spec);
        for_each_cell(&params, &spec, place, |cell| self.cells[cell] += count);
        Ok(())
    }

    /// Takes `count` occurrences of a value away. Only what was added may be removed: taking away what was not, but is
    /// hidden by others, makes later answers too low.
    ///
    /// ```
    /// use crivo::{DyadicCountMin, DyadicParams};
    /// let mut open = DyadicCountMin::<i64>::new(DyadicParams::for_error(32, 0.05, 0.01)?)?;
    /// open.add(-7, 3)?;
    /// open.remove(-7, 2)?;
    /// assert!(open.remove(-7, 2).is_err());
    /// assert_eq!(open.total(), 1);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` for a value outside the universe, or when the value was certainly not added so often; nothing
    /// changes then.
    pub fn remove(&mut self, value: T, count: u64) -> Result<()> {
        let place = self.place(&value)?;
        let (params, spec) = (self.params, self.spec);
        let mut most = self.total;
        for_each_cell(&params, &spec, place, |cell| most = most.min(self.cells[cell]));
        if most < count {
            return Err(Error::invalid(format!(
                "{value:?} was added {most} times at most, so {count} cannot be removed; remove only what was added"
            )));
        }
        self.total -= count;
        for_each_cell(&params, &spec, place, |cell| self.cells[cell] -= count);
        Ok(())
    }

    /// Where a value lies in the universe.
    fn place(&self, value: &T) -> Result<u64> {
        let place = value.place(self.params.bits());
        if value.has_rank() && place <= self.last() {
            return Ok(place);
        }
        Err(Error::invalid(format!(
            "{value:?} is outside the universe from {:?} to {:?}; give it more bits, or leave the value out",
            T::at(0, self.params.bits()),
            T::at(self.last(), self.params.bits())
        )))
    }

    /// The last place of the universe.
    fn last(&self) -> u64 {
        u64::MAX >> (64 - self.params.bits())
    }

    fn checked_total(&self, count: u64) -> Result<u64> {
        self.total.checked_add(count).ok_or_else(|| {
            Error::full(format!(
                "{} occurrences and {count} more exceed the largest total, {}; start another sketch",
                self.total,
                u64::MAX
            ))
        })
    }

    /// What is counted in a block: never less than there is.
    fn count(&self, level: u32, number: u64) -> u64 {
        let params = &self.params;
        if level == params.bits() {
            return self.total;
        }
        if level >= params.hashed_levels() {
            return self.cells[exact_cell(params, level, number)];
        }
        let columns = columns(params, &self.spec, level, number);
        hashed_cells(params, level, columns).map(|cell| self.cells[cell]).min().unwrap_or(self.total)
    }

    /// What is counted from `first` to `last`; nothing if that is empty.
    fn sum(&self, first: u64, last: u64) -> Sum {
        let mut sum = Sum::default();
        for_each_piece(first, last, self.params.bits(), |level, number| {
            let count = u128::from(self.count(level, number));
            if level < self.params.hashed_levels() {
                sum.hashed += count;
                sum.blocks += 1;
            } else {
                sum.exact += count;
            }
        });
        sum
    }

    /// How many occurrences lie in a range, at 95 %.
    ///
    /// ```
    /// use crivo::{DyadicCountMin, DyadicParams};
    /// let mut sketch = DyadicCountMin::new(DyadicParams::for_error(64, 0.05, 0.01)?)?;
    /// sketch.add(-1.5, 2)?;
    /// sketch.add(3.25, 4)?;
    /// assert!(sketch.range(-2.0..=3.0)?.contains(2.0));
    /// assert!(sketch.range_at(0.0..=f64::INFINITY, 0.999)?.contains(4.0));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless the range is not empty and lies in the universe.
    pub fn range(&self, range: RangeInclusive<T>) -> Result<Estimate> {
        self.range_at(range, DEFAULT_CONFIDENCE)
    }

    /// [`range`](Self::range) at another confidence.
    ///
    /// # Errors
    /// As [`range`](Self::range), and unless `confidence` lies strictly between 0 and 1.
    pub fn range_at(&self, range: RangeInclusive<T>, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        let (first, last) = (self.place(range.start())?, self.place(range.end())?);
        if first > last {
            return Err(Error::invalid(format!("the range {range:?} is empty; give the lower end first")));
        }
        Ok(self.between(first, last, confidence))
    }

    /// How many occurrences are at most `value`, at 95 %: its inclusive rank.
    ///
    /// # Errors
    /// `InvalidArgument` for a value outside the universe.
    pub fn rank(&self, value: &T) -> Result<Estimate> {
        self.rank_at(value, DEFAULT_CONFIDENCE)
    }

    /// [`rank`](Self::rank) at another confidence.
    ///
    /// # Errors
    /// As [`rank`](Self::rank), and unless `confidence` lies strictly between 0 and 1.
    pub fn rank_at(&self, value: &T, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        Ok(self.between(0, self.place(value)?, confidence))
    }

    fn between(&self, first: u64, last: u64, confidence: f64) -> Estimate {
        let total = u128::from(self.total);
        let inside = self.sum(first, last);
        let below = if first > 0 { self.sum(0, first - 1) } else { Sum::default() };
        let above = if last < self.last() { self.sum(last + 1, self.last()) } else { Sum::default() };
        let outside = below.all() + above.all();
        // Neither side is ever counted too low, so each bounds the other.
        let upper = inside.all().min(total) as u64;
        let certain = total.saturating_sub(outside) as u64;
        if certain >= upper {
            return Estimate::new(count_up(upper), count_down(upper), count_up(upper), Guarantee::Certain);
        }
        let proven = self.proven_lower(&inside, confidence);
        let (lower, guarantee) = if proven > count_down(certain) {
            (proven, Guarantee::Proven { confidence })
        } else {
            (count_down(certain), Guarantee::Certain)
        };
        // All over-counts together are known: each block takes its part of them.
        let blocks = inside.blocks + below.blocks + above.blocks;
        let share = f64::from(inside.blocks) / f64::from(blocks.max(1));
        let value = inside.all() as f64 - (inside.all() + outside - total) as f64 * share;
        let upper = count_up(upper);
        Estimate::new(value.clamp(lower.min(upper), upper), lower, upper, guarantee)
    }

    /// The hashed blocks, p in all, are over-counted by p·(N − a)/w in a row on average, and by t times that in all
    /// rows at once with the probability that is left: solved for what they hold.
    fn proven_lower(&self, inside: &Sum, confidence: f64) -> f64 {
        let factor = self.params.markov_factor(confidence) / self.params.width() as f64;
        if factor >= 1.0 {
            return inside.exact as f64;
        }
        let excess = factor * f64::from(inside.blocks) * self.total as f64;
        let hashed = (inside.hashed as f64 - excess) / (1.0 - factor);
        floor(inside.exact as f64 + hashed.max(0.0))
    }

    /// The smallest value whose rank is at least `q` times the total; `None` when nothing is there. The bounds are certain,
    /// and rise with `q` as the value does.
    ///
    /// # Errors
    /// `InvalidArgument` unless `q` is 0 to 1.
    pub fn quantile(&self, q: f64) -> Result<Option<QuantileEstimate<T>>> {
        Ok(self.quantiles(&[q])?.pop())
    }

    /// Many quantiles; none when nothing is there.
    ///
    /// ```
    /// use crivo::{DyadicCountMin, DyadicParams};
    /// let mut sketch = DyadicCountMin::<u64>::new(DyadicParams::for_error(8, 0.05, 0.01)?)?;
    /// (0..100).try_for_each(|value| sketch.add(value, 1))?;
    /// assert_eq!(*sketch.quantiles(&[0.5, 0.9])?[1].value(), 89);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless each `q` is 0 to 1.
    pub fn quantiles(&self, qs: &[f64]) -> Result<Vec<QuantileEstimate<T>>> {
        qs.iter().try_for_each(|&q| check_share_of_all(q))?;
        if self.is_empty() {
            return Ok(Vec::new());
        }
        let value_at = |place: u64| T::at(place, self.params.bits());
        let answer = |&q: &f64| {
            let rank = target_rank(q, self.total).max(1);
            let (lower, upper) = (self.lowest_of_rank(rank), self.highest_of_rank(rank));
            let place = self.likely_of_rank(rank).clamp(lower, upper);
            QuantileEstimate::new(value_at(place), value_at(lower), value_at(upper), Guarantee::Certain)
        };
        Ok(qs.iter().map(answer).collect())
    }

    /// A place at or below the value of this rank: it goes right only where all that may lie to the left is too little.
    fn lowest_of_rank(&self, mut rank: u64) -> u64 {
        self.descend(|level, left| {
            let counted = self.count(level, left);
            let goes_right = rank > counted;
            rank -= if goes_right { counted } else { 0 };
            goes_right
        })
    }

    /// A place at or above the value of this rank: the same from the other side.
    fn highest_of_rank(&self, rank: u64) -> u64 {
        let mut from_above = self.total - rank + 1;
        self.descend(|level, left| {
            let counted = self.count(level, left + 1);
            let goes_left = from_above > counted;
            from_above -= if goes_left { counted } else { 0 };
            !goes_left
        })
    }

    /// Between both: what a block holds is split so that both halves are over-counted alike.
    fn likely_of_rank(&self, mut rank: u64) -> u64 {
        let mut inside = self.total;
        self.descend(|level, left| {
            let (counted, right) =
                (i128::from(self.count(level, left)), i128::from(self.count(level, left + 1)));
            let split = ((counted + i128::from(inside) - right) / 2).clamp(0, i128::from(inside)) as u64;
            let goes_right = rank > split;
            rank -= if goes_right { split } else { 0 };
            inside = if goes_right { inside - split } else { split };
            goes_right
        })
    }

    /// From all values to one, by halves; `goes_right` is asked with the level and the number of the left half.
    fn descend(&self, mut goes_right: impl FnMut(u32, u64) -> bool) -> u64 {
        (0..self.params.bits()).rev().fold(0, |node, level| 2 * node + u64::from(goes_right(level, 2 * node)))
    }

    /// How many occurrences lie in each of the classes that `edges` make, at 95 %: up to the first edge, then above one
    /// edge and up to the next, and above the last.
    ///
    /// ```
    /// use crivo::{DyadicCountMin, DyadicParams};
    /// let mut sketch = DyadicCountMin::<u64>::new(DyadicParams::for_error(8, 0.05, 0.01)?)?;
    /// (0..100).try_for_each(|value| sketch.add(value, 1))?;
    /// let classes = sketch.histogram(&[9, 49])?; // so small a universe is exact
    /// assert!(classes.iter().map(|class| class.value()).eq([10.0, 40.0, 50.0]));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless `edges` ascend and lie in the universe.
    pub fn histogram(&self, edges: &[T]) -> Result<Vec<Estimate>> {
        check_ascending(edges)?;
        let mut first = 0;
        let mut classes = Vec::with_capacity(edges.len() + 1);
        for edge in edges {
            let last = self.place(edge)?;
            classes.push(self.between(first, last, DEFAULT_CONFIDENCE));
            first = last.saturating_add(1);
        }
        let all_are_below = edges.last().is_some_and(|edge| edge.place(self.params.bits()) == self.last());
        classes.push(if all_are_below {
            Estimate::exact(0.0)
        } else {
            self.between(first, self.last(), DEFAULT_CONFIDENCE)
        });
        Ok(classes)
    }

    /// The sum of all counts added, less those removed.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Becomes the sketch of both streams.
    ///
    /// ```
    /// use crivo::{DyadicCountMin, DyadicParams};
    /// let params = DyadicParams::for_error(32, 0.05, 0.01)?;
    /// let (mut a, mut b) = (DyadicCountMin::<u64>::new(params)?, DyadicCountMin::new(params)?);
    /// a.add(5, 2)?;
    /// b.add(9, 1)?;
    /// a.merge(&b)?;
    /// assert_eq!(a.total(), 3);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Incompatible` when size or hash differ, `Full` when the total would exceed the largest `u64`; `self` is unchanged
    /// then.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        let (ours, theirs) = (self.params, other.params);
        let numbers = [
            ("bits", ours.bits().into(), theirs.bits().into()),
            ("width", ours.width(), theirs.width()),
            ("depth", ours.depth().into(), theirs.depth().into()),
        ];
        for (field, a, b) in numbers {
            if a != b {
                return Err(Error::incompatible(field, a, b, "build both with the same params"));
            }
        }
        self.spec.check_same(&other.spec)?;
        self.total = self.checked_total(other.total)?;
        self.cells.iter_mut().zip(&other.cells).for_each(|(cell, more)| *cell += more);
        Ok(())
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.cells.fill(0);
        self.total = 0;
    }

    /// Whether nothing is there.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// The size.
    pub fn params(&self) -> DyadicParams {
        self.params
    }

    /// How it hashes.
    pub fn hash_spec(&self) -> &HashSpec {
        &self.spec
    }

    /// The memory it holds, in bytes, itself included.
    pub fn memory_bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(self.cells.as_slice())
    }
}

/// The columns of a block, one a row.
#[inline]
fn columns(params: &DyadicParams, spec: &HashSpec, level: u32, number: u64) -> Probes {
    let block = number.wrapping_add(LEVEL_STEP.wrapping_mul(u64::from(level)));
    Probes::new(spec.hash(&block), params.width())
}

/// The counters of a block of a hashed level.
#[inline]
fn hashed_cells(params: &DyadicParams, level: u32, columns: Probes) -> impl Iterator<Item = usize> {
    let (width, depth) = (params.width() as usize, params.depth() as usize);
    let table = level as usize * width * depth;
    (0..depth).zip(columns).map(move |(row, column)| table + row * width + column as usize)
}

/// The counter of a block of an exact level.
#[inline]
fn exact_cell(params: &DyadicParams, level: u32, number: u64) -> usize {
    let tables = u64::from(params.hashed_levels()) * u64::from(params.depth()) * params.width();
    (tables + (1 << (params.bits() - level)) - 2 + number) as usize
}

/// Every counter of a value.
#[inline]
fn for_each_cell(params: &DyadicParams, spec: &HashSpec, place: u64, mut each: impl FnMut(usize)) {
    let hashed = params.hashed_levels();
    for level in 0..hashed {
        hashed_cells(params, level, columns(params, spec, level, place >> level)).for_each(&mut each);
    }
    (hashed..params.bits()).for_each(|level| each(exact_cell(params, level, place >> level)));
}

wire_methods!(impl[T: Ordinal] DyadicCountMin<T>);

impl<T: Ordinal> DyadicCountMin<T> {
    /// The counters that a file holds: the coarser exact levels follow from the finest.
    fn written(params: &DyadicParams) -> [core::ops::Range<usize>; 2] {
        let all = (params.memory_bytes() / 8) as usize;
        let exact = (2usize << params.exact_bits()) - 2;
        let finest = if params.exact_bits() == 0 { 0 } else { 1 << params.exact_bits() };
        [0..all - exact, all - finest..all]
    }

    /// Every occurrence is counted once in every row, and once in the finest exact level.
    fn adds_up(&self) -> bool {
        let [tables, finest] = Self::written(&self.params);
        let is_total = |cells: &[u64]| {
            cells.iter().map(|&cell| u128::from(cell)).sum::<u128>() == u128::from(self.total)
        };
        let mut rows = self.cells[tables].chunks(self.params.width() as usize);
        rows.all(is_total) && (finest.is_empty() || is_total(&self.cells[finest]))
    }
}

impl<T: Ordinal> Wire for DyadicCountMin<T> {
    fn to_bytes(&self) -> Vec<u8> {
        let mut params = vec![T::TAG, self.params.bits() as u8];
        put_u64_varint(&mut params, self.params.width());
        put_u64_varint(&mut params, u64::from(self.params.depth()));
        let mut payload = Vec::new();
        put_u64_varint(&mut payload, self.total);
        for part in Self::written(&self.params) {
            self.cells[part].iter().for_each(|&cell| put_u64_varint(&mut payload, cell));
        }
        codec::seal(Kind::DyadicCountMin, Some(&self.spec), &params, &payload)
    }

    fn from_bytes_with(bytes: &[u8], options: &DecodeOptions) -> Result<Self> {
        let mut envelope = codec::open(Kind::DyadicCountMin, bytes, options)?;
        envelope.params.tag_of::<T>()?;
        let bits = u32::from(envelope.params.u8()?);
        let width = envelope.params.u64_varint()?;
        let depth = u32::try_from(envelope.params.u64_varint()?).unwrap_or(u32::MAX);
        envelope.params.finish()?;
        let malformed = |error| Error::malformed(format!("{error}"));
        let params = DyadicParams::exact(bits, width, depth).map_err(malformed)?;
        codec::check_memory(params.memory_bytes() + size_of::<Self>() as u64, options)?;
        let total = envelope.payload.u64_varint()?;
        // Each counter takes a byte at least: a short payload cannot make a large sketch.
        let counters: usize = Self::written(&params).iter().map(ExactSizeIterator::len).sum();
        if envelope.payload.rest().len() < counters {
            return Err(Error::malformed(format!("the payload has no room for {counters} counters")));
        }
        let mut sketch = Self::with_spec(params, envelope.spec).map_err(malformed)?;
        sketch.total = total;
        for part in Self::written(&params) {
            for cell in &mut sketch.cells[part] {
                *cell = envelope.payload.u64_varint()?;
            }
        }
        envelope.payload.finish()?;
        if !sketch.adds_up() {
            return Err(Error::malformed(format!("the counters do not add up to the total of {total}")));
        }
        for level in params.hashed_levels() + 1..params.bits() {
            for number in 0..1 << (params.bits() - level) {
                let halves = exact_cell(&params, level - 1, 2 * number);
                sketch.cells[exact_cell(&params, level, number)] =
                    sketch.cells[halves] + sketch.cells[halves + 1];
            }
        }
        Ok(sketch)
    }
}

impl<T: Ordinal> Sketch for DyadicCountMin<T> {
    fn kind(&self) -> Kind {
        Kind::DyadicCountMin
    }

    fn hash_spec(&self) -> Option<&HashSpec> {
        Some(&self.spec)
    }

    fn memory_bytes(&self) -> usize {
        self.memory_bytes()
    }

    fn facts(&self) -> Vec<Fact> {
        vec![
            Fact::text("elements", element::name_of(T::TAG)),
            Fact::count("bits", u64::from(self.params.bits())),
            Fact::count("width", self.params.width()),
            Fact::count("depth", u64::from(self.params.depth())),
            Fact::count("hashed_levels", u64::from(self.params.hashed_levels())),
            Fact::count("total", self.total),
            Fact::number("error_share", self.params.error_at(DEFAULT_CONFIDENCE)),
        ]
    }
}

impl<T: Ordinal> Merge for DyadicCountMin<T> {
    fn merge(&mut self, other: &Self) -> Result<()> {
        self.merge(other)
    }
}

impl<T: Ordinal> fmt::Debug for DyadicCountMin<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let params = &self.params;
        write!(
            f,
            "DyadicCountMin({} of {} bits, {} levels of {} x {} counters, total {}, {})",
            element::name_of(T::TAG),
            params.bits(),
            params.hashed_levels(),
            params.depth(),
            params.width(),
            self.total,
            self.spec
        )
    }
}

#[cfg(test)]
mod tests;
