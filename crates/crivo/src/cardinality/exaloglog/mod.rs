//! ExaLogLog: see [`ExaLogLog`].

mod coded;
mod estimator;
mod evolving;
mod registers;
#[cfg(test)]
mod tests;
mod tokens;
mod wire;

use crate::cardinality::entries::Entries;
use crate::cardinality::precision::{self, OfPrecision, Precision, of_precision};
use crate::sketch::{Empty, shell};
use crate::stats::normal_quantile;
use crate::{Estimate, Guarantee, HashSpec, Result};
use alloc::vec::Vec;
use estimator::{Evidence, Law};
use libm::sqrt;
use registers::{Registers, bytes_of};
use tokens::{PLACES, token_of};

/// ExaLogLog: estimates the number of distinct items with the error of a [`HyperLogLog`](crate::HyperLogLog),
/// in less than half its memory.
///
/// # Use when / not when
/// Use it to count distinct items in one pass, over many streams that are later merged, or in many groups at
/// once, if memory or file size matters. Not if insertions must be as fast as possible: a
/// [`HyperLogLog`](crate::HyperLogLog) takes less than half the time, and 2.3 times the memory. Not to
/// estimate small intersections of two streams: the error is that of the union.
///
/// # Guarantee
/// A standard error of 0.363/√m with m = 2^precision registers, less below 100m items; small sets are counted
/// exactly. The 95 % interval follows the limit law of the estimator, including skewness; its coverage is
/// tested from precision 4 to 18 and from empty to 2⁶² items. [`Guarantee::Approximate`].
///
/// # Space
/// | precision | standard error | 95 % interval | memory | file | compact file | exact up to |
/// |---|---|---|---|---|---|---|
/// | 8 | 2.3 % | ±4.6 % | 0.95 kB | 0.93 kB | 0.59 kB | 192 |
/// | 10 | 1.1 % | ±2.3 % | 3.6 kB | 3.6 kB | 2.2 kB | 768 |
/// | 12 | 0.57 % | ±1.1 % | 14 kB | 14 kB | 8.6 kB | 3,072 |
/// | 14 | 0.28 % | ±0.56 % | 57 kB | 57 kB | 34 kB | 4,096 |
///
/// [`to_compact_bytes`](Self::to_compact_bytes) writes the compact file, which takes the entropy of the registers, 0.2 % and
/// at most 56 bytes more: 2.23 bits times variance at precision 12.
///
/// Up to the number in the last column, a sketch keeps 32 bits of each hash instead, in no more memory than
/// the registers.
///
/// # Time
/// One register per insertion, which rarely changes; no arithmetic beyond shifts and a count of zeros. An
/// estimate reads all registers once, counts their bits in groups, and solves one equation: 7 µs at precision
/// 10. A merge reads and writes all registers once. Compact bytes take about 20 ns per register to write, and as
/// long to read.
///
/// # Merge
/// Exact: the merged sketch equals the sketch of one pass over both streams, in memory and in bytes, whether
/// each was small or large; commutative, associative, idempotent. If the precisions differ,
/// [`fold`](Self::fold) the finer sketch first.
///
/// # Hostile input
/// An attacker who knows the seed can choose items that fill a few registers and count for millions. Use
/// [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::ExaLogLog;
/// let mut monday = ExaLogLog::for_error(0.02)?; // ±2 % at 95 % confidence
/// let mut tuesday = monday.clone();
/// monday.extend(0..40_000u32);
/// tuesday.extend(30_000..70_000u32);
/// monday.merge(&tuesday)?;
/// let visitors = monday.estimate();
/// assert!(visitors.contains(70_000.0), "{visitors}");
/// assert!((visitors.value() / 70_000.0 - 1.0).abs() < 0.02);
/// assert!(monday.memory_bytes() < 7300);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// hash   0 0 0 1 0 1 …  1 1 0 0 | 1 0      the low bits choose a register; the leading zeros and two more
///        3 zeros     register 12   2       bits give a value: 4·3 + 2 + 1 = 15
///
/// register 12   largest value  occurred before?  14 13 12 11 10  9 …
///                      15                         0  0  1  0  0  1 …
/// ```
/// A register keeps its largest value and, for each of the twenty below it, whether it occurred. A value of z
/// zeros occurs once in 2^(z+3) items, so the values that occurred and those that did not make some numbers
/// of items more likely than others. The answer is the most likely number.
///
/// # References
/// Ertl 2024, arXiv:2402.13726, with t = 2 and d = 20. New here: the variance, bias and skewness of the
/// estimate for a given number of items, in closed form, for the interval and the remaining bias
/// (`estimator.rs`); zeros counted from the other end than the register's bits, so that folding is exact; a
/// sparse form that depends on the set alone.
///
/// # Measured
/// `crivo-lab run c-exaloglog`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct ExaLogLog {
    form: Form,
    spec: HashSpec,
    precision: u8,
}

#[derive(Clone, PartialEq)]
enum Form {
    /// The sparse form for few items: the parts of their hashes that registers need.
    Sparse(Entries),
    /// The dense form: registers.
    Dense(Registers),
}

impl ExaLogLog {
    /// Inserts the item with this hash; returns true if the sketch changed.
    #[inline]
    pub fn insert_hash(&mut self, hash: u64) -> bool {
        match &mut self.form {
            Form::Dense(registers) => registers.take(hash, u32::from(self.precision)),
            Form::Sparse(_) => self.insert_sparse(hash),
        }
    }

    fn insert_sparse(&mut self, hash: u64) -> bool {
        let Form::Sparse(tokens) = &mut self.form else { return false };
        let changed = tokens.insert(token_of(hash));
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
            registers.take_all(rest.as_slice(), u32::from(self.precision));
        }
    }

    /// Changes to the dense form if there are many tokens. A sketch is sparse exactly while it has at most
    /// 3m/4 (and 4,096) distinct tokens: the form depends on the set, not on the order or the history, and
    /// the tokens take no more space than the registers, in memory and in a file.
    fn densify_if_many(&mut self) {
        if let Form::Sparse(tokens) = &self.form
            && tokens.len() > sparse_limit(self.precision)
        {
            self.form = Form::Dense(Registers::of_tokens(tokens, self.precision));
        }
    }

    fn estimate_within(&self, confidence: f64) -> Estimate {
        match &self.form {
            Form::Sparse(tokens) => tokens.estimate(PLACES, confidence),
            Form::Dense(registers) => {
                let evidence = Evidence::of(registers, self.precision.into());
                let interval = evidence.interval(normal_quantile(0.5 + confidence / 2.0));
                let guarantee = Guarantee::Approximate { confidence };
                Estimate::new(interval.value, interval.lower, interval.upper, guarantee)
            }
        }
    }

    /// Returns the relative standard error of the estimate of `items` distinct items: 0.36/√m for many items,
    /// less below 100m items, almost 0 while the sketch keeps tokens.
    ///
    /// ```
    /// # use crivo::ExaLogLog;
    /// assert!((ExaLogLog::standard_error_at(12, 1_000_000)? - 0.0056).abs() < 1e-4);
    /// assert!(ExaLogLog::standard_error_at(12, 4096)? < 0.0050);
    /// assert!(ExaLogLog::standard_error_at(12, 3000)? < 1e-4);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless `precision` is 4 to 18.
    pub fn standard_error_at(precision: u8, items: u64) -> Result<f64> {
        Self::for_precision(precision)?;
        if items == 0 {
            return Ok(0.0);
        }
        if items <= sparse_limit(precision) as u64 {
            return Ok(sqrt(0.5 / PLACES));
        }
        let registers = f64::from(1u32 << precision);
        Ok(sqrt(Law::at(items as f64 / registers, precision.into()).variance / registers))
    }

    /// Returns whether the sketch still keeps tokens instead of registers.
    pub fn is_sparse(&self) -> bool {
        matches!(self.form, Form::Sparse(_))
    }

    /// Returns the registers in order: the largest value seen, above twenty bits for the values just below
    /// it.
    pub fn registers(&self) -> Vec<u32> {
        match &self.form {
            Form::Dense(registers) => registers.pairs().flatten().collect(),
            Form::Sparse(tokens) => Registers::of_tokens(tokens, self.precision).pairs().flatten().collect(),
        }
    }
}

/// Returns the most tokens of the sparse form: as many as take no more space than the registers, and few enough that it is
/// soon over.
fn sparse_limit(precision: u8) -> usize {
    (3 << (precision - 2)).min(4096)
}

of_precision!(ExaLogLog of "registers", "", 0.01 => 13, at least 0.0014 and 0.00071);
shell!(ExaLogLog: hashes, starts, merges, set, counts,
    collects(Self::for_precision(11), "A sketch of precision 11: 0.8 % standard error."));

impl OfPrecision for ExaLogLog {
    const REACH_AT_12: &str = "±1.1 %";

    fn reach(precision: u8) -> f64 {
        Law::limit(precision.into()).reach(precision.into())
    }

    /// Returns 0.36/√m.
    fn limit_error(precision: u8) -> f64 {
        sqrt(Law::limit(precision.into()).variance / f64::from(1u32 << precision))
    }

    fn most_bytes(precision: u8) -> usize {
        size_of::<Self>() + bytes_of(precision)
    }

    fn coarser(&self, precision: u8) -> Self {
        let form = match &self.form {
            Form::Sparse(tokens) => Form::Sparse(tokens.clone()),
            Form::Dense(registers) => Form::Dense(registers.fold(self.precision, precision)),
        };
        let mut folded = Self { form, spec: self.spec, precision };
        folded.densify_if_many();
        folded
    }
}

impl Empty for ExaLogLog {
    fn empty(Precision(precision): Precision, spec: HashSpec) -> Self {
        Self { form: Form::Sparse(Entries::default()), spec, precision }
    }

    fn has_nothing(&self) -> bool {
        matches!(&self.form, Form::Sparse(tokens) if tokens.len() == 0)
    }
}
