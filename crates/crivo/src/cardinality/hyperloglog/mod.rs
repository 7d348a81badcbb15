//! HyperLogLog: see [`HyperLogLog`].

mod dense;
mod estimator;
mod evolving;
mod sets;
mod sparse;
mod wire;

pub use estimator::Estimator;

#[cfg(doc)]
use crate::Guarantee;
use crate::cardinality::entries::Entries;
use crate::cardinality::precision::{self, OfPrecision, Precision, of_precision};
use crate::cardinality::registers::{self, raise, raise_all};
use crate::sketch::{Empty, shell};
use crate::{Estimate, HashSpec, Result};
use alloc::boxed::Box;
use alloc::vec::Vec;
use dense::{histogram_of, registers_of};
pub(crate) use estimator::Counts;
use estimator::{LIMIT_VARIANCE, limit_reach};
use libm::sqrt;
pub(super) use sparse::entry_of;

/// The largest rank, at precision 4.
const MAX_REGISTER: usize = 61;
/// The number of distinct entries of the sparse form: 31 bits of each hash.
const SPARSE_PLACES: f64 = 2_147_483_648.0;

/// HyperLogLog: estimates the number of distinct items of a stream, in a few kilobytes whatever its length.
///
/// # Use when / not when
/// Use it to count distinct items in one pass, over many streams that are later merged, or in many groups at
/// once. Not to estimate small intersections of two streams (the error is that of the union), nor if half the
/// size matters more than the time of an insertion ([`ExaLogLog`](crate::ExaLogLog)).
///
/// # Guarantee
/// A standard error of 1.039/√m with m = 2^precision registers, less below 5m items; small sets are counted
/// exactly. The 95 % interval follows the limit law of the estimator, including skewness; its coverage is
/// tested from precision 4 to 18 and from empty to far beyond. [`Guarantee::Approximate`].
///
/// # Space
/// | precision | standard error | 95 % interval | memory | file | exact up to |
/// |---|---|---|---|---|---|
/// | 10 | 3.2 % | ±6.4 % | 1 kB | 0.8 kB | 170 |
/// | 12 | 1.6 % | ±3.2 % | 4 kB | 3 kB | 682 |
/// | 14 | 0.81 % | ±1.6 % | 16 kB | 12 kB | 2,730 |
/// | 16 | 0.41 % | ±0.8 % | 64 kB | 49 kB | 4,096 |
///
/// Up to the number in the last column, a sketch keeps 31 bits of each hash instead, in less memory than the
/// registers.
///
/// # Time
/// One register per insertion: a multiplication, a load and a comparison; an estimate reads all
/// registers once; a merge is a vectorised maximum.
///
/// # Merge
/// Exact: the merged sketch equals the sketch of one pass over both streams, in memory and in bytes, whether
/// each was small or large; commutative, associative, idempotent. If the precisions differ,
/// [`fold`](Self::fold) the finer sketch first. A fold is exact too, and so is the change from hashes to
/// registers, and the sketch inside a [`Martingale`](crate::cardinality::Martingale): each equals the sketch
/// that the same items would have made directly. Sketches with different hashes cannot be merged.
///
/// # Hostile input
/// An attacker who knows the seed can choose items that raise one register and count for millions. Use
/// [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::HyperLogLog;
/// let mut monday = HyperLogLog::for_error(0.02)?; // ±2 % at 95 % confidence
/// let mut tuesday = monday.clone();
/// monday.extend(0..40_000u32);
/// tuesday.extend(30_000..70_000u32);
/// monday.merge(&tuesday)?;
/// let visitors = monday.estimate();
/// assert!(visitors.contains(70_000.0), "{visitors}");
/// assert!((visitors.value() / 70_000.0 - 1.0).abs() < 0.02);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// hash   1 1 0 0 | 0 0 0 1 0 1 1 …      the first bits choose a register; the rank of the rest is the
///        register 12   rank 4           position of its first one. A register keeps its largest rank:
///                                       a rank r indicates about 2^r distinct items.
/// ```
///
/// # References
/// Flajolet et al. 2007 (AofA), [`Estimator::Original`] · Heule, Nunkesser and Hall,
/// doi:10.1145/2452376.2452456, [`Estimator::BiasCorrected`] · Ertl, arXiv:1702.01284, section 2.5, the
/// default. New here: the remaining bias of order 1/m is removed, the interval is derived (`estimator.rs`),
/// and the sparse form depends on the set alone.
///
/// # Measured
/// `crivo-lab run c-hyperloglog`, `e-f26`, `e-f27`, `e-f28`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct HyperLogLog {
    form: Form,
    spec: HashSpec,
    precision: u8,
}

#[derive(Clone, PartialEq)]
enum Form {
    /// The sparse form for few items: their hashes.
    Sparse(Entries),
    /// The dense form: one rank per register.
    Dense(Box<[u8]>),
}

impl HyperLogLog {
    /// Inserts the item with this hash; returns true if the sketch changed.
    #[inline]
    pub fn insert_hash(&mut self, hash: u64) -> bool {
        match &mut self.form {
            Form::Dense(registers) => raise(registers, hash),
            Form::Sparse(_) => self.insert_sparse(hash),
        }
    }

    fn insert_sparse(&mut self, hash: u64) -> bool {
        let Form::Sparse(entries) = &mut self.form else { return false };
        let changed = entries.insert(entry_of(hash, u32::from(self.precision)));
        self.densify_if_many();
        changed
    }

    /// Inserts many items by their hashes.
    pub fn insert_hashes(&mut self, hashes: &[u64]) {
        let mut rest = hashes.iter();
        while let Form::Sparse(_) = self.form {
            let Some(&hash) = rest.next() else { return };
            self.insert_sparse(hash);
        }
        if let Form::Dense(registers) = &mut self.form {
            raise_all(registers, rest.as_slice());
        }
    }

    /// Changes to the dense form if there are many entries. A sketch is sparse exactly while it has at most
    /// m/6 (and 4,096) distinct entries: the form depends on the set, not on the order or the history, and
    /// the entries take less space than the registers, in memory and in a file.
    fn densify_if_many(&mut self) {
        if let Form::Sparse(entries) = &self.form
            && entries.len() > sparse_limit(self.precision)
        {
            self.form = Form::Dense(registers_of(entries, self.precision));
        }
    }

    pub(in crate::cardinality) fn estimate_within(&self, confidence: f64) -> Estimate {
        match &self.form {
            Form::Sparse(entries) => entries.estimate(SPARSE_PLACES, confidence),
            Form::Dense(_) => self.counts().estimate(confidence),
        }
    }

    /// Returns the relative standard error of the estimate of `items` distinct items: 1.039/√m for many
    /// items, less below 5m items, almost 0 while the sketch keeps the hashes themselves.
    ///
    /// ```
    /// # use crivo::HyperLogLog;
    /// assert!((HyperLogLog::standard_error_at(12, 1_000_000)? - 0.0162).abs() < 1e-4);
    /// assert!(HyperLogLog::standard_error_at(12, 4096)? < 0.0125);
    /// assert!(HyperLogLog::standard_error_at(12, 500)? < 1e-4);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless `precision` is 4 to 18.
    pub fn standard_error_at(precision: u8, items: u64) -> Result<f64> {
        Self::for_precision(precision)?;
        let n = items as f64;
        if items == 0 {
            return Ok(0.0);
        }
        if items <= sparse_limit(precision) as u64 {
            return Ok(sqrt(0.5 / SPARSE_PLACES));
        }
        let registers = f64::from(1u32 << precision);
        Ok(sqrt(estimator::relative_variance(n / registers) / registers))
    }

    /// Returns the value of a formula of the literature on the registers, without an interval, for
    /// comparison.
    ///
    /// ```
    /// # use crivo::HyperLogLog;
    /// # use crivo::cardinality::Estimator;
    /// let mut sketch = HyperLogLog::for_precision(12)?;
    /// sketch.extend(0..10_000u32); // 5m/2: where the original switches formulas
    /// let original = sketch.estimate_with(Estimator::Original);
    /// let ours = sketch.estimate_with(Estimator::Ertl);
    /// assert!((ours / 10_000.0 - 1.0).abs() < 0.05 && (original / 10_000.0 - 1.0).abs() < 0.08);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn estimate_with(&self, estimator: Estimator) -> f64 {
        self.counts().value(estimator)
    }

    /// The sketch of these entries, with the precision and hash of this one.
    pub(super) fn with_entries(&self, entries: Entries) -> Self {
        Self { form: Form::Sparse(entries), ..*self }
    }

    /// The sketch with these registers, with the precision and hash of this one.
    pub(super) fn with_registers(&self, registers: Box<[u8]>) -> Self {
        Self { form: Form::Dense(registers), ..*self }
    }

    fn counts(&self) -> Counts {
        let histogram = match &self.form {
            Form::Dense(registers) => histogram_of(registers),
            Form::Sparse(entries) => histogram_of(&registers_of(entries, self.precision)),
        };
        Counts { histogram, precision: self.precision.into(), most: 65 - usize::from(self.precision) }
    }

    fn fold_once(&self) -> Self {
        let form = match &self.form {
            Form::Sparse(entries) => Form::Sparse(sparse::fold(entries, self.precision.into())),
            Form::Dense(registers) => Form::Dense(registers::fold(registers)),
        };
        let mut folded = Self { form, spec: self.spec, precision: self.precision - 1 };
        folded.densify_if_many();
        folded
    }

    /// Returns whether the sketch still keeps hashes instead of registers.
    pub fn is_sparse(&self) -> bool {
        matches!(self.form, Form::Sparse(_))
    }

    /// Returns the registers in order, as the worked examples print them.
    pub fn registers(&self) -> Vec<u8> {
        match &self.form {
            Form::Dense(registers) => registers.to_vec(),
            Form::Sparse(entries) => registers_of(entries, self.precision).into_vec(),
        }
    }
}

/// Returns the most entries of the sparse form: as many as take less space than the registers, and few enough that it is
/// soon over.
pub(super) fn sparse_limit(precision: u8) -> usize {
    ((1 << precision) / 6).min(4096)
}

of_precision!(HyperLogLog of "registers", "", 0.01 => 16, at least 0.004 and 0.00203);
shell!(HyperLogLog: hashes, starts, merges, set, counts,
    collects(Self::for_precision(14), "A sketch of precision 14: 0.8 % standard error in 16 kB."));

impl OfPrecision for HyperLogLog {
    const REACH_AT_12: &str = "±3.2 %";

    fn reach(precision: u8) -> f64 {
        limit_reach(precision.into())
    }

    /// Returns 1.039/√m.
    fn limit_error(precision: u8) -> f64 {
        sqrt(LIMIT_VARIANCE / f64::from(1u32 << precision))
    }

    fn most_bytes(precision: u8) -> usize {
        size_of::<Self>() + (1 << precision)
    }

    fn coarser(&self, precision: u8) -> Self {
        let mut folded = self.clone();
        while folded.precision > precision {
            folded = folded.fold_once();
        }
        folded
    }
}

impl Empty for HyperLogLog {
    fn empty(Precision(precision): Precision, spec: HashSpec) -> Self {
        Self { form: Form::Sparse(Entries::default()), spec, precision }
    }

    fn has_nothing(&self) -> bool {
        matches!(&self.form, Form::Sparse(entries) if entries.len() == 0)
    }
}

#[cfg(test)]
mod tests;
