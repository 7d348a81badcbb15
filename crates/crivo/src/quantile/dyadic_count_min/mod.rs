//! Ranges, ranks and quantiles of numbers, with deletions: see [`DyadicCountMin`].

mod answers;
mod ordinal;
mod params;
mod pieces;
mod wire;

pub(super) use ordinal::Ordinal;
pub use params::DyadicParams;
pub use pieces::{blocks_of, pieces};

use crate::hash::Probes;
use crate::sketch::Empty;
use crate::{Error, HashSpec, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;
use wire::DyadicSize;

/// Separates the hashes of different levels. It is odd, so multiplication by it keeps the blocks of one level distinct.
const LEVEL_STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A dyadic Count-Min sketch: range counts, ranks and quantiles of numbers, with deletions.
///
/// # Use when / not when
/// Use it where values come and go (open orders, rows of a table, a sliding window), where a merge must equal one pass,
/// or where ranges need deterministic bounds. Not for a stream that only grows: [`Kll`](crate::Kll) gives its quantiles
/// in a thousandth of the memory, for any ordered type. Not for the frequencies of single values:
/// [`CountMin`](crate::CountMin) takes the memory of one level.
///
/// # Guarantee
/// As long as only added values are removed, no count is ever too low. So a range holds at most the sum of its blocks,
/// and at least the total minus the sum of the blocks outside it: both bounds are deterministic, and their distance is
/// measured, not presumed. Where Markov's inequality is sharper, the lower bound is proven instead: a range is
/// over-counted by more than 2·h·t/w of the total with probability at most t^−k, with h hashed levels of k rows and
/// width w (the literature's 2ε log₂ n ‖A‖₁ with ε = e/w, restricted to the levels that can err). The bounds of a
/// quantile are deterministic and do not decrease with q.
///
/// # Space
/// A Count-Min table of 64-bit counters for every hashed level, and two counters for each block of the finest exact
/// level:
///
/// | universe | range error | δ | table | hashed levels | memory |
/// |---|---|---|---|---|---|
/// | 2¹⁶ | 1 % | 1 % | 1,639 × 5 | 3 | 0.3 MB |
/// | 2³² | 1 % | 1 % | 9,243 × 5 | 17 | 6.8 MB |
/// | 2³² | 0.1 % | 1 % | 76,112 × 5 | 14 | 47 MB |
/// | 2⁶⁴ | 1 % | 1 % | 26,096 × 5 | 48 | 51 MB |
///
/// # Time
/// An update takes one hash per hashed level and updates k counters of that level, and one counter of every exact
/// level. A range reads at most two blocks per level, inside and outside the range; a quantile descends level by level.
///
/// # Merge
/// Exact (the counters are added), commutative and associative. Not idempotent, because the sketch holds a multiset.
///
/// ```
/// use crivo::DyadicCountMin;
/// use crivo::quantile::DyadicParams;
/// let params = DyadicParams::for_error(32, 0.05, 0.01)?;
/// let (mut a, mut b) = (DyadicCountMin::<u64>::with_params(params)?, DyadicCountMin::with_params(params)?);
/// a.add(5, 2)?;
/// b.add(9, 1)?;
/// a.merge(&b)?;
/// assert_eq!(a.total(), 3);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # Hostile input
/// An attacker who knows the seed can inflate the counts of chosen blocks. Use [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::DyadicCountMin;
/// use crivo::quantile::DyadicParams;
/// let mut open = DyadicCountMin::<u64>::with_params(DyadicParams::for_error(32, 0.01, 0.01)?)?;
/// for price in 10_000..20_000 {
///     open.add(price, 3)?;
/// }
/// for price in 10_000..15_000 {
///     open.remove(price, 3)?;
/// }
/// assert!(open.range(14_000..=15_999)?.contains(3000.0));
/// assert!(open.rank(&15_999)?.contains(3000.0));
/// let median = open.quantile(0.5)?;
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
/// Cormode and Muthukrishnan, doi:10.1016/j.jalgor.2003.12.001, sections 4.2 and 4.3 · with deletions: Luo, Wang, Yi
/// and Cormode, doi:10.1007/s00778-016-0424-7. The lower bound from the complement follows by subtraction.
///
/// # Measured
/// `crivo-lab run c-dyadic-count-min`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct DyadicCountMin<T> {
    params: DyadicParams,
    spec: HashSpec,
    /// The tables of the hashed levels, finest level first, row after row; then the exact levels, coarsest first: 2
    /// counters, 4, 8 and so on.
    cells: Vec<u64>,
    total: u64,
    values: PhantomData<fn(T) -> T>,
}

impl<T: Ordinal> DyadicCountMin<T> {
    /// Creates an empty sketch of this size.
    ///
    /// # Errors
    /// Returns `InvalidArgument` for `f64` unless the universe has 64 bits.
    pub fn with_params(params: DyadicParams) -> Result<Self> {
        Ok(Self::empty(DyadicSize::new(params)?, HashSpec::default()))
    }

    /// Creates an empty sketch with the parameters of [`DyadicParams::for_error`].
    ///
    /// # Errors
    /// Fails as [`DyadicParams::for_error`] and [`with_params`](Self::with_params) do.
    pub fn for_error(bits: u32, error: f64, delta: f64) -> Result<Self> {
        Self::with_params(DyadicParams::for_error(bits, error, delta)?)
    }

    /// Adds `count` occurrences of a value.
    ///
    /// # Errors
    /// Returns `InvalidArgument` for a value outside the universe (including NaN), and `Full` if the total would exceed
    /// the largest `u64`. On error nothing changes.
    pub fn add(&mut self, value: T, count: u64) -> Result<()> {
        let place = self.place(&value)?;
        self.total = self.checked_total(count)?;
        let (params, spec) = (self.params, self.spec);
        for_each_cell(&params, &spec, place, |cell| self.cells[cell] += count);
        Ok(())
    }

    /// Removes `count` occurrences of a value. Remove only what was added: a removal of other values that the sketch
    /// cannot detect makes later counts too low.
    ///
    /// ```
    /// use crivo::DyadicCountMin;
    /// use crivo::quantile::DyadicParams;
    /// let mut open = DyadicCountMin::<i64>::with_params(DyadicParams::for_error(32, 0.05, 0.01)?)?;
    /// open.add(-7, 3)?;
    /// open.remove(-7, 2)?;
    /// assert!(open.remove(-7, 2).is_err());
    /// assert_eq!(open.total(), 1);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` for a value outside the universe, or if the value was certainly added fewer than
    /// `count` times. On error nothing changes.
    pub fn remove(&mut self, value: T, count: u64) -> Result<()> {
        let place = self.place(&value)?;
        let (params, spec) = (self.params, self.spec);
        let mut most = self.total;
        for_each_cell(&params, &spec, place, |cell| most = most.min(self.cells[cell]));
        if most < count {
            return Err(Error::invalid(format!(
                "{value:?} was added at most {most} times, so {count} cannot be removed; remove only what was added"
            )));
        }
        self.total -= count;
        for_each_cell(&params, &spec, place, |cell| self.cells[cell] -= count);
        Ok(())
    }

    /// Maps a value to its place in the universe.
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

    /// Returns the last place of the universe.
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

    /// Returns the count of a block, which is never too low.
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

    /// Returns the sum of all added counts minus the removed ones.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Returns the parameters.
    pub fn params(&self) -> DyadicParams {
        self.params
    }
}

/// Returns the columns of a block, one per row.
#[inline]
fn columns(params: &DyadicParams, spec: &HashSpec, level: u32, number: u64) -> Probes {
    let block = number.wrapping_add(LEVEL_STEP.wrapping_mul(u64::from(level)));
    Probes::new(spec.hash(&block), params.width())
}

/// Returns the counters of a block of a hashed level.
#[inline]
fn hashed_cells(params: &DyadicParams, level: u32, columns: Probes) -> impl Iterator<Item = usize> {
    let (width, depth) = (params.width() as usize, params.depth() as usize);
    let table = level as usize * width * depth;
    (0..depth).zip(columns).map(move |(row, column)| table + row * width + column as usize)
}

/// Returns the counter of a block of an exact level.
#[inline]
fn exact_cell(params: &DyadicParams, level: u32, number: u64) -> usize {
    let tables = u64::from(params.hashed_levels()) * u64::from(params.depth()) * params.width();
    (tables + (1 << (params.bits() - level)) - 2 + number) as usize
}

/// Calls `each` with the index of every counter of a value.
#[inline]
fn for_each_cell(params: &DyadicParams, spec: &HashSpec, place: u64, mut each: impl FnMut(usize)) {
    let hashed = params.hashed_levels();
    for level in 0..hashed {
        hashed_cells(params, level, columns(params, spec, level, place >> level)).for_each(&mut each);
    }
    (hashed..params.bits()).for_each(|level| each(exact_cell(params, level, place >> level)));
}

impl<T: Ordinal> Empty for DyadicCountMin<T> {
    fn empty(DyadicSize { params, .. }: DyadicSize<T>, spec: HashSpec) -> Self {
        let cells = vec![0; (params.memory_bytes() / 8) as usize];
        Self { params, spec, cells, total: 0, values: PhantomData }
    }

    fn has_nothing(&self) -> bool {
        self.total == 0
    }
}

#[cfg(test)]
mod tests;
