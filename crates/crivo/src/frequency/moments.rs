//! The first three frequency moments in one sketch: see [`Moments`].

use super::{CountSketch, CountSketchParams};
use crate::cardinality::{HyperLogLog, Precision};
use crate::codec::put_u64_varint;
use crate::estimate::{count_down, count_up};
use crate::hash::Item;
use crate::kind::Kind;
use crate::sketch::{Core, Empty, Fact, OfSize, Params, Payload, shell};
use crate::{DEFAULT_CONFIDENCE, Error, Estimate, Guarantee, HashSpec, Result};
use alloc::vec;
use alloc::vec::Vec;
use libm::ceil;

/// Frequency moments: estimates the number of distinct items (F₀), the total (F₁), and the skew of the
/// frequencies (F₂ = Σ a²), from a [`HyperLogLog`] and one row of a [`CountSketch`].
///
/// # Use when / not when
/// Use it to describe a stream in three numbers: F₁/F₀ is the mean frequency of an item, F₂/F₁² the
/// probability that two random occurrences are the same item, F₂·F₀/F₁² the skew of the stream (1 if all
/// items are equally frequent). Not for one of these alone: a [`HyperLogLog`] counts distinct items, a
/// [`CountSketch`] estimates F₂ and frequencies too.
///
/// # Guarantee
/// F₀ like a `HyperLogLog`: approximate. F₁ exactly. F₂ like [`CountSketch::second_moment`]: proven, and
/// unbiased.
///
/// # Space
/// | error | precision | cells | memory |
/// |---|---|---|---|
/// | ±10 % | 9 | 4,840 | 39 kB |
/// | ±5 % | 11 | 17,640 | 143 kB |
/// | ±2 % | 14 | 104,040 | 849 kB |
///
/// # Time
/// An update is one of a `HyperLogLog` and one cell. F₂ reads all cells.
///
/// # Merge
/// Exact: the merged sketch equals the sketch of one pass over both streams, in bytes too; commutative,
/// associative, not idempotent, since it is a multiset.
///
/// # Hostile input
/// An attacker who knows the seed can choose items that count for millions, or that cancel each other. Use [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::Moments;
/// let mut visits = Moments::for_error(0.05)?;
/// for visitor in 0..1000u32 {
///     visits.add(&visitor, 1 + u64::from(visitor % 2))?;
/// }
/// assert!(visits.f0().contains(1000.0));
/// assert_eq!(visits.f1().value(), 1500.0);
/// assert!(visits.f2().contains(2500.0));
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
///             HyperLogLog                    distinct items: F₀
/// hash  ->    counter                        all items: F₁
///             cells   +3  0 -1  0  0 +2      the item's cell, plus or minus: F₂ = 9 + 1 + 4
/// ```
///
/// # References
/// Alon, Matias and Szegedy, doi:10.1006/jcss.1997.1545 · one cell for an update: Thorup and Zhang,
/// doi:10.1137/100800774 · Flajolet et al. 2007 (AofA), the counter of distinct items.
///
/// # Measured
/// `crivo-lab run c-moments`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct Moments {
    counter: HyperLogLog,
    squares: CountSketch,
}

impl Moments {
    /// Returns the smallest sketch whose 95 % intervals of F₀ and F₂ extend at most `error` (relative) to
    /// either side.
    ///
    /// ```
    /// # use crivo::Moments;
    /// let sketch = Moments::for_error(0.02)?;
    /// assert_eq!((sketch.precision(), sketch.cells()), (14, 104_040));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless `error` is a number and reachable: at least 0.004.
    pub fn for_error(error: f64) -> Result<Self> {
        let precision = HyperLogLog::for_error(error)?.precision();
        // The upper side is the longer one: 1/(1 − r) − 1 = error, where r = √(2/cells/0.05).
        let reach = error / (1.0 + error);
        Self::for_precision(precision, ceil(2.0 / (1.0 - DEFAULT_CONFIDENCE) / (reach * reach)) as u64)
    }

    /// Adds `count` occurrences of an item.
    ///
    /// # Errors
    /// `Full` if the counts would add up to 2⁶³ or more; nothing changes then.
    #[inline]
    pub fn add<T: Item + ?Sized>(&mut self, item: &T, count: u64) -> Result<()> {
        self.add_hash(self.hash_spec().hash(item), count)
    }

    /// Adds `count` occurrences of the item with this hash.
    ///
    /// # Errors
    /// The errors of [`add`](Self::add).
    #[inline]
    pub fn add_hash(&mut self, hash: u64, count: u64) -> Result<()> {
        if count > 0 {
            self.squares.add_count(hash, count)?;
            self.counter.insert_hash(hash);
        }
        Ok(())
    }

    /// Adds one occurrence of each of many items by their hashes.
    ///
    /// # Errors
    /// The errors of [`add`](Self::add); all items are added or none.
    pub fn add_hashes(&mut self, hashes: &[u64]) -> Result<()> {
        self.squares.add_hashes(hashes)?;
        self.counter.insert_hashes(hashes);
        Ok(())
    }

    /// Returns the estimated number of distinct items, at 95 % confidence.
    pub fn f0(&self) -> Estimate {
        self.counter.estimate()
    }

    /// Returns [`f0`](Self::f0) at another confidence.
    ///
    /// # Errors
    /// `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn f0_at(&self, confidence: f64) -> Result<Estimate> {
        self.counter.estimate_at(confidence)
    }

    /// Returns the exact number of all added items, rounded to the nearest `f64` beyond 2⁵³.
    /// [`total`](Self::total) returns it as an integer.
    pub fn f1(&self) -> Estimate {
        let total = self.total();
        Estimate::new(total as f64, count_down(total), count_up(total), Guarantee::Certain)
    }

    /// Returns the sum of the squares of all frequencies, at 95 % confidence.
    pub fn f2(&self) -> Estimate {
        self.squares.second_moment()
    }

    /// Returns [`f2`](Self::f2) at another confidence.
    ///
    /// ```
    /// # use crivo::Moments;
    /// let mut sketch = Moments::for_error(0.05)?;
    /// sketch.add("a", 3)?;
    /// sketch.add("b", 4)?;
    /// assert!(sketch.f0_at(0.99)?.contains(2.0) && sketch.f2_at(0.99)?.contains(25.0));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn f2_at(&self, confidence: f64) -> Result<Estimate> {
        self.squares.second_moment_at(confidence)
    }

    /// Returns the sum of all counts.
    pub fn total(&self) -> u64 {
        self.squares.volume()
    }

    /// Returns the precision of the counter of distinct items: log₂ of the number of registers.
    pub fn precision(&self) -> u8 {
        self.counter.precision()
    }

    /// Returns the number of cells.
    pub fn cells(&self) -> u64 {
        self.squares.params().width()
    }
}

/// The params: the precision of the counter, and the one row of cells.
#[derive(Clone, Copy)]
pub(crate) struct MomentsSize {
    precision: Precision,
    cells: CountSketchParams,
}

impl MomentsSize {
    fn new(precision: u8, cells: u64) -> Result<Self> {
        Self::of(&[precision.into(), cells])
    }
}

impl Params for MomentsSize {
    const REMEDY: &str = "build both with the same precision and cells";
    const NAMES: &[&str] = &["precision", "cells"];

    fn numbers(&self) -> Vec<u64> {
        [self.precision.numbers(), vec![self.cells.width()]].concat()
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        let precision = Precision::of(&numbers[..1])?;
        Ok(Self { precision, cells: CountSketchParams::exact(numbers[1], 1)? })
    }

    fn memory_bytes(&self) -> u64 {
        self.cells.memory_bytes()
    }
}

shell!(Moments: hashes_by(self => self.counter.hash_spec()), starts, merges,
    for_numbers(for_precision, MomentsSize(precision: u8, cells: u64),
        "Creates an empty sketch of 2^`precision` registers and `cells` cells.",
        "`precision` is 4 to 18, and `cells` at least 1 and at most 128 GiB"));

impl OfSize for Moments {
    type Params = MomentsSize;

    fn params(&self) -> MomentsSize {
        MomentsSize { precision: OfSize::params(&self.counter), cells: self.squares.params() }
    }
}

impl Core for Moments {
    const KIND: Kind = Kind::Moments;

    fn heap_bytes(&self) -> usize {
        self.counter.heap_bytes() + self.squares.heap_bytes()
    }

    fn heap_bound(&self) -> Option<usize> {
        Some(self.counter.heap_bound()? + self.squares.heap_bound()?)
    }

    fn write(&self, payload: &mut Vec<u8>) {
        let mut counter = Vec::new();
        self.counter.write(&mut counter);
        put_u64_varint(payload, counter.len() as u64);
        payload.extend(counter);
        self.squares.write(payload);
    }

    fn read(size: MomentsSize, file: &mut Payload<'_>) -> Result<Self> {
        let counter = file.bytes.framed()?;
        let counter: HyperLogLog = file.inner(size.precision, counter, size_of::<CountSketch>())?;
        let squares = file.bytes.take_rest();
        let beside = counter.memory_bytes() + size_of::<CountSketch>();
        let squares: CountSketch = file.inner(size.cells, squares, beside)?;
        // Every count is positive, and every item that has one is counted.
        if squares.total().unsigned_abs() != squares.volume() || squares.total() < 0 {
            return Err(Error::malformed("the moments include negative counts"));
        }
        if counter.is_empty() != squares.is_empty() {
            return Err(Error::malformed("there are items without counts, or counts without items"));
        }
        Ok(Self { counter, squares })
    }

    fn state(&self) -> Vec<Fact> {
        vec![
            Fact::estimate("f0", self.f0()),
            Fact::count("f1", self.total()),
            Fact::estimate("f2", self.f2()),
        ]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        self.squares.absorb(&other.squares)?;
        self.counter.absorb(&other.counter)
    }
}

impl Empty for Moments {
    fn empty(size: MomentsSize, spec: HashSpec) -> Self {
        Self {
            counter: HyperLogLog::empty(size.precision, spec),
            squares: CountSketch::empty(size.cells, spec),
        }
    }

    fn has_nothing(&self) -> bool {
        self.squares.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use alloc::format;

    #[test]
    fn a_total_beyond_53_bits_rounds_outwards() {
        let mut sketch = Moments::for_precision(4, 10).unwrap();
        sketch.add("often", (1 << 53) + 1).unwrap();
        assert!(sketch.f1().lower() < sketch.f1().upper());
    }

    /// Checks the table on the page: the target is met, and one cell less would not meet it.
    #[test]
    fn targets_choose_both_sizes() {
        for (error, precision, cells) in [(0.1, 9, 4840), (0.05, 11, 17_640), (0.02, 14, 104_040)] {
            let sketch = Moments::for_error(error).unwrap();
            assert_eq!((sketch.precision(), sketch.cells()), (precision, cells));
            let upper_reach = |cells: u64| 1.0 / (1.0 - libm::sqrt(40.0 / cells as f64)) - 1.0;
            assert!(upper_reach(cells) <= error * (1.0 + 1e-12) && upper_reach(cells - 1) > error);
        }
        for bad in [0.0, 1e-3, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(Moments::for_error(bad).unwrap_err().kind(), ErrorKind::InvalidArgument, "{bad}");
        }
    }

    #[test]
    fn nothing_added_is_nothing_seen() {
        let mut sketch = Moments::for_precision(4, 10).unwrap();
        sketch.add("none", 0).unwrap();
        assert!(sketch.is_empty() && sketch.f0().value() == 0.0 && sketch.f2().value() == 0.0);
        sketch.add("all", i64::MAX as u64).unwrap();
        let before = sketch.clone();
        for result in [sketch.add("more", 1), sketch.add("more", u64::MAX), sketch.merge(&before)] {
            assert_eq!(result.unwrap_err().kind(), ErrorKind::Full);
        }
        assert_eq!(sketch, before);
    }

    #[test]
    fn unlike_sketches_do_not_merge() {
        let mut sketch = Moments::for_precision(10, 100).unwrap();
        sketch.add("kept", 1).unwrap();
        let before = sketch.clone();
        let others = [
            (Moments::for_precision(11, 100).unwrap(), "precision: 10 and 11"),
            (Moments::for_precision(10, 99).unwrap(), "cells: 100 and 99"),
            (Moments::for_precision(10, 100).unwrap().with_hash(HashSpec::seeded(9)), "hash"),
        ];
        for (other, field) in others {
            let error = sketch.merge(&other).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Incompatible);
            assert!(format!("{error}").contains(field), "{error}");
            assert_eq!(sketch, before);
        }
    }

    #[test]
    fn impossible_parts_are_refused() {
        let (mut one, empty) =
            (Moments::for_precision(8, 16).unwrap(), Moments::for_precision(8, 16).unwrap());
        one.add("a", 3).unwrap();
        let mut taken = CountSketch::with_params(CountSketchParams::exact(16, 1).unwrap());
        taken.add("a", -3).unwrap();
        let mixtures = [
            Moments { counter: one.counter.clone(), squares: empty.squares },
            Moments { counter: empty.counter, squares: one.squares },
            Moments { counter: one.counter, squares: taken },
        ];
        for mixed in mixtures {
            assert_eq!(Moments::from_bytes(&mixed.to_bytes()).unwrap_err().kind(), ErrorKind::Malformed);
        }
    }
}
