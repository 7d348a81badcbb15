//! ExaLogLog: see [`ExaLogLog`].

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

/// How many different items a stream has, to the same error as a [`HyperLogLog`](crate::HyperLogLog) in less than half its
/// memory.
///
/// # Use when / not when
/// Use it to count different items in one pass, over many streams that are later merged, or in many groups at once,
/// where memory or files count. Not where an insert must cost least: a [`HyperLogLog`](crate::HyperLogLog) takes one in
/// less than half the time, and 2.3 times the memory. Not to ask how many items two streams share when that is little: the
/// error is that of the whole.
///
/// # Guarantee
/// A standard error of 0.363/√m with m = 2^precision registers, less below 100m items; small sets are counted
/// one by one. The 95 % interval follows the estimator's own limit law, skewness included; its coverage is
/// tested from precision 4 to 18 and from empty to 2⁶² items. [`Guarantee::Approximate`].
///
/// # Space
/// | precision | standard error | 95 % interval | memory | file | exact up to |
/// |---|---|---|---|---|---|
/// | 8 | 2.3 % | ±4.6 % | 0.95 kB | 0.93 kB | 192 |
/// | 10 | 1.1 % | ±2.3 % | 3.6 kB | 3.6 kB | 768 |
/// | 12 | 0.57 % | ±1.1 % | 14 kB | 14 kB | 3,072 |
/// | 14 | 0.28 % | ±0.56 % | 57 kB | 57 kB | 4,096 |
///
/// Up to the last column a sketch keeps 32 bits of each hash instead, in no more memory than the registers.
///
/// # Time
/// One register an insert, which rarely changes; no arithmetic beyond shifts and a count of zeros. An estimate reads all
/// registers once, counts their bits in groups, and solves one equation: 7 µs at precision 10. A merge reads and
/// writes all registers once.
///
/// # Merge
/// Exact: the merged sketch equals that of one pass over both streams, in memory and in bytes, whether each
/// was small or large; commutative, associative, idempotent. Unlike precisions: [`fold`](Self::fold) the
/// finer one first.
///
/// # Hostile input
/// Whoever knows the seed can choose items that fill a few registers and count for millions. Use
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
/// hash   0 0 0 1 0 1 …  1 1 0 0 | 1 0      the low bits choose a register; the zeros in front, and two bits
///        3 zeros     register 12   2       more, give a value: 4·3 + 2 + 1 = 15
///
/// register 12   largest value  came before?  14 13 12 11 10  9 …
///                      15                     0  0  1  0  0  1 …
/// ```
/// A register keeps its largest value and, for the twenty below it, whether they came. A value of z zeros comes once in
/// 2^(z+3) items: what came and what did not make some numbers of items likelier than others. The answer is the
/// likeliest one.
///
/// # References
/// Ertl 2024, arXiv:2402.13726, with its t = 2 and d = 20. Beyond it: the variance, bias and skewness of the estimate for
/// a given number of items, in closed form, for the interval and the last bias (`estimator.rs`); values whose zeros are
/// counted from the other end than the registers, so that folding is exact; a small form that depends on the set alone.
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
    /// Few items: what registers need of their hashes.
    Sparse(Entries),
    /// The registers.
    Dense(Registers),
}

impl ExaLogLog {
    /// Inserts the item with this hash; true when the sketch changed.
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

    /// A sketch is sparse exactly while it has at most 3m/4 (and 4,096) different tokens: the set decides, not the order
    /// or the history, and the tokens take no more room than the registers, in memory and in a file.
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

    /// The relative standard error of the estimate of `items` different items: 0.36/√m far out, less below
    /// 100m items, next to nothing while the sketch keeps tokens.
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

    /// Whether the sketch still keeps tokens instead of registers.
    pub fn is_sparse(&self) -> bool {
        matches!(self.form, Form::Sparse(_))
    }

    /// The registers, the first one first: the largest value that came, above twenty bits for those just below it.
    pub fn registers(&self) -> Vec<u32> {
        match &self.form {
            Form::Dense(registers) => registers.pairs().flatten().collect(),
            Form::Sparse(tokens) => Registers::of_tokens(tokens, self.precision).pairs().flatten().collect(),
        }
    }
}

/// Tokens keep their order, so an insert moves half of them: beyond a few thousand that would cost more
/// time than the memory is worth.
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

    /// 0.36/√m.
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
        Self { form: Form::Sparse(Entries::new()), spec, precision }
    }

    fn has_nothing(&self) -> bool {
        matches!(&self.form, Form::Sparse(tokens) if tokens.len() == 0)
    }
}
