//! Quantiles within a relative error: see [`LogQuantiles`].

mod answers;
mod params;
mod scale;
mod side;
mod wire;

pub use params::LogQuantilesParams;

use crate::sketch::{Empty, shell};
use crate::{Error, HashSpec, Result};
use alloc::format;
use core::ops::RangeInclusive;
use scale::Scale;
use side::Side;

const SIGN: u64 = 1 << 63;
/// Values that [`LogQuantiles::insert_all`] assigns to buckets before it counts them.
const BLOCK: usize = 64;
/// A number that no bucket has.
const NO_BUCKET: u32 = u32::MAX;

/// Quantiles of numbers within a relative error of their values, for certain: a histogram with buckets of equal
/// relative width (`DDSketch`).
///
/// # Use when / not when
/// Use it where the *value* of a quantile must be close: latencies, sizes and prices, whose high quantiles matter and
/// spread over orders of magnitude. Also where values are removed, where a merge must equal one pass, or where a
/// certain bound is needed. Not where the *rank* must be close, for elements other than `f64`, nor for data around an
/// offset: of dates in seconds since 1970 one percent is more than half a year. [`Kll`](crate::Kll) bounds the rank,
/// for any ordered type. Not for ranges of integers with exact ends: [`DyadicCountMin`](crate::DyadicCountMin) has
/// deterministic bounds for these.
///
/// # Guarantee
/// A quantile is within [`relative_error`](LogQuantilesParams::relative_error) of the true value, whatever the values
/// and their order are: [`Guarantee::Certain`](crate::Guarantee::Certain). Its interval is the bucket of the true
/// value. All finite numbers of both signs are allowed. Zeros are counted apart and exact; a value below 2.2·10⁻³⁰⁸ may
/// be off by the distance of two such doubles, 5·10⁻³²⁴, instead. The rank of x is the number of values ≤ x, and its
/// interval has the values in the bucket of x between its bounds. The quantile q is the smallest value whose rank is at
/// least q times the number of values.
///
/// The memory is bounded: if the magnitudes span more buckets than [`buckets`](LogQuantilesParams::buckets), the lowest
/// are collapsed. Zeros and all values within that span of the largest magnitude, 64 octaves or a factor of 1.8·10¹⁹ by
/// default, keep the guarantee. A quantile among the collapsed values has an interval from 0 to the largest collapsed
/// magnitude, and this is certain too.
///
/// # Space
/// Eight bytes for each bucket between the lowest and the highest one of either sign, up to a quarter more while a list
/// grows, and a table of eight bytes for each of 1.5 to 3 times the buckets of an octave:
///
/// | relative error | buckets of an octave | of a decade | from 1 ms to 1 h | most memory, with both signs |
/// |---|---|---|---|---|
/// | 5 % | 7 | 23 | 153 | 7.4 kB |
/// | 2 % | 18 | 60 | 393 | 19 kB |
/// | 1 % | 35 | 116 | 763 | 37 kB |
/// | 0.1 % | 347 | 1,153 | 7,558 | 364 kB |
///
/// # Time
/// An insertion takes a table lookup and adds to a counter; it computes no logarithm. A quantile or a rank sums the
/// counts. A merge adds them.
///
/// # Merge
/// Exact, commutative and associative, with and without collapsed buckets: the merged sketch has the bytes of one pass
/// over all values. For which buckets are collapsed depends only on the lowest and the highest one: with b buckets,
/// those at least b below the highest, if there are any. After removals a sketch remembers the collapse until the last
/// collapsed value is removed: then merges remain commutative and associative, but a pass over the remaining values may
/// keep more buckets.
///
/// ```
/// use crivo::LogQuantiles;
/// let (mut monday, mut tuesday) = (LogQuantiles::for_error(0.01)?, LogQuantiles::for_error(0.01)?);
/// monday.insert_all(&[0.3, 25.0])?;
/// tuesday.insert_all(&[-4.0, 1e9])?;
/// monday.merge(&tuesday)?;
/// assert_eq!(monday, [1e9, 25.0, -4.0, 0.3].into_iter().collect());
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # Hostile input
/// Nothing is hashed or drawn, and the guarantee holds for values that an attacker chooses. One value of 10³⁰⁰
/// collapses all buckets of usual values, though: refuse absurd values before the sketch, or let
/// [`exact`](LogQuantilesParams::exact) span all octaves.
///
/// # Example
/// ```
/// use crivo::LogQuantiles;
/// let mut latencies = LogQuantiles::for_error(0.01)?;
/// for request in 0..100_000u64 {
///     latencies.insert(20.0 + (request * 7919 % 1000) as f64 / 10.0)?;
/// }
/// let p99 = latencies.quantile(0.99)?;
/// assert!((p99.value() - 118.9).abs() <= 0.01 * 118.9);
/// assert!(*p99.lower() <= 118.9 && 118.9 <= *p99.upper());
/// let fast = latencies.rank(29.95); // how many took at most 29.95?
/// assert!(fast.lower() <= 10_000.0 && 10_000.0 <= fast.upper());
/// latencies.remove(119.9, 100)?;
/// assert_eq!(latencies.total(), 99_900);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// two buckets of an octave        1      1.41     2      2.83     4      5.66     8
///                                 |   3   |   0   |   7   |   4   |   1   |   2   |
///                                                                     ^ one more
///   5.1 = 1.275 · 2², and 1.275 is below √2: the first bucket of its octave
///
/// the median of the 18 lies in the bucket from 2 to 2.83: the answer, 2ab/(a + b) = 2.34, is 17 % from either end
/// ```
/// The bits of an `f64` are its octave and a fraction. A table of cells, each narrower than a bucket, has at most one
/// boundary in each cell: one lookup and one addition of integers give the bucket, exactly and without a logarithm.
///
/// # References
/// Masson, Rim and Lee, "`DDSketch`: a fast and fully-mergeable quantile sketch with relative-error guarantees",
/// doi:10.14778/3352063.3352135. The table, and the exact merge of collapsed sketches of both signs, are derived here.
///
/// # Measured
/// `crivo-lab run c-log-quantiles`; the last full run is in `docs/lab`.
#[derive(Clone)]
pub struct LogQuantiles {
    params: LogQuantilesParams,
    scale: Scale,
    /// The counts of the positive and of the negative values, by the buckets of their magnitudes.
    sides: [Side; 2],
    zeros: u64,
    total: u64,
    collapsed: Collapsed,
    /// The first of the `params.buckets()` consecutive buckets that the lists of both sides lie in.
    window: u32,
}

/// The values in collapsed buckets. There are some exactly if `up_to` is not 0.
#[derive(Clone, Copy, Default, PartialEq)]
struct Collapsed {
    /// The highest collapsed bucket.
    up_to: u32,
    /// The counts of the positive and of the negative values.
    counts: [u64; 2],
}

shell!(LogQuantiles: hashes_nothing, kept(LogQuantilesParams), clears, merges,
    for_target(LogQuantilesParams::for_error(error: f64)));

impl LogQuantiles {
    /// Creates an empty sketch of this size.
    pub fn with_params(params: LogQuantilesParams) -> Self {
        let scale = Scale::new(params.buckets_per_octave());
        let (sides, collapsed) = (Default::default(), Collapsed::default());
        Self { params, scale, sides, zeros: 0, total: 0, collapsed, window: 1 }
    }

    /// Inserts a value.
    ///
    /// # Errors
    /// Returns `InvalidArgument` for NaN and infinite values, and `Full` after 2⁶⁴ − 1 values. On error nothing
    /// changes.
    #[inline]
    pub fn insert(&mut self, value: f64) -> Result<()> {
        if value.is_normal()
            && let Some(bucket) = self.scale.find(magnitude(value))
            && let Some(count) = self.sides[side(value)].count_mut(bucket)
            && let Some(total) = self.total.checked_add(1)
        {
            *count += 1;
            self.total = total;
            return Ok(());
        }
        self.insert_weighted(value, 1)
    }

    /// Inserts all of these values, or none.
    ///
    /// ```
    /// use crivo::LogQuantiles;
    /// let mut sketch = LogQuantiles::for_error(0.01)?;
    /// sketch.insert_all(&[2.5, -1.0, 0.0])?;
    /// assert!(sketch.insert_all(&[4.0, f64::NAN]).is_err());
    /// assert_eq!(sketch.total(), 3);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails as [`insert`](Self::insert) does.
    pub fn insert_all(&mut self, values: &[f64]) -> Result<()> {
        values.iter().try_for_each(|&value| check_finite(value))?;
        self.check_room_for(values.len() as u64)?;
        values.chunks(BLOCK).try_for_each(|block| self.insert_block(block))
    }

    /// Inserts a block of finite values. It finds all buckets first: a loop that waits for no counter.
    fn insert_block(&mut self, values: &[f64]) -> Result<()> {
        let mut buckets = [NO_BUCKET; BLOCK];
        for (bucket, &value) in buckets.iter_mut().zip(values) {
            if value.is_normal() {
                *bucket = self.scale.find(magnitude(value)).unwrap_or(NO_BUCKET);
            }
        }
        let mut counted = 0;
        for (&bucket, &value) in buckets.iter().zip(values) {
            match self.sides[side(value)].count_mut(bucket) {
                Some(count) => {
                    *count += 1;
                    counted += 1;
                }
                None => self.insert(value)?,
            }
        }
        self.total += counted;
        Ok(())
    }

    /// Inserts `count` copies of a value, in the time of one.
    ///
    /// ```
    /// use crivo::LogQuantiles;
    /// let mut wealth = LogQuantiles::for_error(0.01)?;
    /// wealth.insert_weighted(10.0, 1_000_000_000)?;
    /// wealth.insert_weighted(1_000_000.0, 1)?;
    /// assert_eq!(wealth.rank(11.0).value(), 1e9);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails as [`insert`](Self::insert) does.
    pub fn insert_weighted(&mut self, value: f64, count: u64) -> Result<()> {
        check_finite(value)?;
        let total = self.check_room_for(count)?;
        if count == 0 {
            return Ok(());
        }
        if value == 0.0 {
            self.zeros += count;
        } else {
            self.scale.prepare();
            self.add(side(value), self.scale.bucket(magnitude(value)), count);
        }
        self.total = total;
        Ok(())
    }

    /// Adds to the count of a bucket.
    fn add(&mut self, side: usize, bucket: u32, count: u64) {
        if self.count_mut(side, bucket).is_none() {
            self.make_room(Some((bucket, bucket)));
            let window = self.window();
            if bucket >= *window.start() {
                self.sides[side].cover(bucket, bucket, &window);
            }
        }
        if let Some(sum) = self.count_mut(side, bucket) {
            *sum += count;
        }
    }

    /// Returns the count that contains a bucket, if there is one.
    fn count_mut(&mut self, side: usize, bucket: u32) -> Option<&mut u64> {
        if bucket <= self.collapsed.up_to {
            return Some(&mut self.collapsed.counts[side]);
        }
        self.sides[side].count_mut(bucket)
    }

    /// Moves the window so that it contains all buckets that are not empty, and those from `more.0` to `more.1`. If
    /// they are too many for it, it collapses the lowest.
    fn make_room(&mut self, more: Option<(u32, u32)>) {
        let Some((low, high)) = self.ends_of_all().into_iter().chain(more).reduce(join) else { return };
        let buckets = self.params.buckets();
        let lowest_kept = (high + 1).saturating_sub(buckets);
        if low < lowest_kept || self.collapsed.up_to > 0 {
            self.collapse(lowest_kept.saturating_sub(1));
        } else if !(self.window().contains(&low) && self.window().contains(&high)) {
            self.move_window(u32::midpoint(lowest_kept, low));
        }
    }

    /// Returns the lowest and the highest bucket of both signs that is not empty.
    fn ends_of_all(&self) -> Option<(u32, u32)> {
        self.sides.iter().filter_map(Side::ends).reduce(join)
    }

    /// Collapses the buckets up to this one.
    fn collapse(&mut self, up_to: u32) {
        if up_to > self.collapsed.up_to {
            self.collapsed.up_to = up_to;
            for (sum, side) in self.collapsed.counts.iter_mut().zip(&mut self.sides) {
                *sum += side.drain_up_to(up_to);
            }
            self.move_window(up_to + 1);
        }
    }

    fn move_window(&mut self, first: u32) {
        self.window = first;
        let window = self.window();
        self.sides.iter_mut().for_each(|side| side.stay_within(&window));
    }

    fn window(&self) -> RangeInclusive<u32> {
        self.window..=self.window + (self.params.buckets() - 1)
    }

    /// Removes `count` copies of a value. Remove only what was inserted: a bucket cannot tell which of its values are
    /// removed.
    ///
    /// ```
    /// use crivo::LogQuantiles;
    /// let mut open = LogQuantiles::for_error(0.01)?;
    /// open.insert_weighted(-7.5, 3)?;
    /// open.remove(-7.5, 2)?;
    /// assert!(open.remove(-7.5, 2).is_err() && open.remove(7.5, 1).is_err());
    /// assert_eq!(open.total(), 1);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` for NaN and infinite values, and if the value was certainly inserted fewer than
    /// `count` times. On error nothing changes.
    pub fn remove(&mut self, value: f64, count: u64) -> Result<()> {
        check_finite(value)?;
        let sum = if value == 0.0 {
            Some(&mut self.zeros)
        } else {
            let bucket = self.scale.bucket(magnitude(value));
            self.count_mut(side(value), bucket)
        };
        let most = sum.as_ref().map_or(0, |sum| **sum);
        let Some(rest) = most.checked_sub(count) else {
            return Err(Error::invalid(format!(
                "{value:?} was inserted at most {most} times, so {count} cannot be removed; remove only what was inserted"
            )));
        };
        if let Some(sum) = sum {
            *sum = rest;
        }
        self.total -= count;
        if self.collapsed.counts == [0, 0] {
            self.collapsed.up_to = 0;
        }
        Ok(())
    }

    /// Returns the total with `count` more values.
    fn check_room_for(&self, count: u64) -> Result<u64> {
        self.total.checked_add(count).ok_or_else(|| {
            Error::full(format!(
                "{} values and {count} more exceed 2^64 - 1, the most that can be counted; start another sketch",
                self.total
            ))
        })
    }

    /// Returns the number of inserted values.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Returns the number of values in collapsed buckets, whose quantiles have no relative error.
    ///
    /// ```
    /// use crivo::LogQuantiles;
    /// let mut sketch: LogQuantiles = [1e-9, 2e-9, 5.0].into_iter().collect();
    /// assert_eq!(sketch.collapsed(), 0);
    /// sketch.insert(1e15)?; // more than 64 octaves above the two smallest
    /// assert_eq!(sketch.collapsed(), 2);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn collapsed(&self) -> u64 {
        self.collapsed.counts.iter().sum()
    }

    /// Returns the parameters.
    pub fn params(&self) -> LogQuantilesParams {
        self.params
    }
}

/// Returns the ends of two ranges together.
fn join(one: (u32, u32), other: (u32, u32)) -> (u32, u32) {
    (one.0.min(other.0), one.1.max(other.1))
}

/// Returns the bits of the absolute value.
#[inline]
fn magnitude(value: f64) -> u64 {
    value.to_bits() & !SIGN
}

/// Returns 0 for positive values and 1 for negative ones.
#[inline]
fn side(value: f64) -> usize {
    (value.to_bits() >> 63) as usize
}

#[inline]
fn check_finite(value: f64) -> Result<()> {
    if value.is_finite() { Ok(()) } else { Err(not_finite(value)) }
}

#[cold]
fn not_finite(value: f64) -> Error {
    Error::invalid(format!("a value must be a finite number, got {value:?}; leave it out"))
}

impl PartialEq for LogQuantiles {
    fn eq(&self, other: &Self) -> bool {
        (self.params, self.zeros, self.collapsed) == (other.params, other.zeros, other.collapsed)
            && self.sides == other.sides
    }
}

impl Empty for LogQuantiles {
    fn empty(params: LogQuantilesParams, _: HashSpec) -> Self {
        Self::with_params(params)
    }

    fn has_nothing(&self) -> bool {
        self.total == 0
    }
}

impl Extend<f64> for LogQuantiles {
    /// Takes all values in, except NaN and infinite ones, which are skipped: [`insert`](Self::insert) refuses them.
    ///
    /// # Panics
    /// After 2⁶⁴ − 1 values.
    fn extend<I: IntoIterator<Item = f64>>(&mut self, values: I) {
        for value in values.into_iter().filter(|value| value.is_finite()) {
            self.insert(value).expect("fewer than 2⁶⁴ values");
        }
    }
}

impl FromIterator<f64> for LogQuantiles {
    /// A sketch with a relative error of 1 %. NaN and infinite values are skipped.
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut sketch = Self::for_error(0.01).expect("the default error is in range");
        sketch.extend(values);
        sketch
    }
}

#[cfg(test)]
mod tests;
