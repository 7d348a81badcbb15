//! One column: see [`ColumnProfile`].

use super::params::ProfileParams;
use super::rest::Rest;
use super::summary::ColumnSummary;
use super::value_table::ValueTable;
use crate::hash::BytesHasher;
use crate::{Error, HashSpec, Result};
use core::fmt;

/// What a profile keeps of one column, while its values come.
///
/// Its state follows from the sequence of values alone. Values are texts, as a file has them; what they are is told when
/// the answers are asked for: see [`summary`](Self::summary).
///
/// ```
/// use crivo::{ColumnProfile, ColumnType, ProfileParams};
/// let mut delays = ColumnProfile::new(ProfileParams::default());
/// for text in ["2", "-5", "11", "2"] {
///     delays.add(text.as_bytes());
/// }
/// delays.add_missing(1);
/// let summary = delays.summary();
/// assert_eq!((summary.rows(), summary.missing()), (5, 1));
/// assert_eq!(summary.column_type(), ColumnType::Integer);
/// assert_eq!(summary.distinct().value(), 3.0);
/// assert_eq!((summary.minimum(), summary.maximum()), (Some(&b"-5"[..]), Some(&b"11"[..])));
/// assert_eq!(summary.mean(), Some(2.5));
/// assert_eq!(summary.top(1)[0].value, b"2");
/// ```
#[derive(Clone)]
pub struct ColumnProfile {
    pub(super) params: ProfileParams,
    pub(super) spec: HashSpec,
    pub(super) table: ValueTable,
    /// Of the values that left the table, for so many of their occurrences as were counted there.
    pub(super) rest: Rest,
    pub(super) values: u64,
    pub(super) missing: u64,
    hasher: BytesHasher,
}

impl ColumnProfile {
    /// A column without values.
    pub fn new(params: ProfileParams) -> Self {
        Self::with_spec(params, HashSpec::default())
    }

    /// A column without values, with a hash of one's own.
    pub fn with_spec(params: ProfileParams, spec: HashSpec) -> Self {
        let rest = Rest::new(params, spec).expect("params are made of sizes that sketches can have");
        let table = ValueTable::new(params.counters() as usize);
        Self { params, spec, table, rest, values: 0, missing: 0, hasher: spec.bytes_hasher() }
    }

    /// Takes one value in.
    #[inline]
    pub fn add(&mut self, text: &[u8]) {
        self.add_hashed(text, self.hasher.hash(text), 1);
    }

    /// Takes a value in, so many times. `hash` is what the column's [`HashSpec::hash_bytes`] makes of the text. Counts
    /// stop at 2⁶⁴ − 1.
    #[inline]
    pub fn add_hashed(&mut self, text: &[u8], hash: u64, copies: u64) {
        self.values = self.values.saturating_add(copies);
        if !self.table.raise(text, hash, copies) {
            self.enter(text, hash, copies);
        }
    }

    #[inline(never)]
    fn enter(&mut self, text: &[u8], hash: u64, copies: u64) {
        if copies == 0 {
            return;
        }
        if self.table.is_full() {
            self.table.purge(|value| self.rest.feed(&value));
        }
        self.table.enter(text, hash, copies);
    }

    /// Counts rows in which the column has no value.
    #[inline]
    pub fn add_missing(&mut self, rows: u64) {
        self.missing = self.missing.saturating_add(rows);
    }

    /// How many rows there are.
    pub fn rows(&self) -> u64 {
        self.values.saturating_add(self.missing)
    }

    /// How many rows have no value.
    pub fn missing(&self) -> u64 {
        self.missing
    }

    /// How many rows have a value.
    pub fn values(&self) -> u64 {
        self.values
    }

    /// How exact it is.
    pub fn params(&self) -> ProfileParams {
        self.params
    }

    /// How it hashes.
    pub fn hash_spec(&self) -> &HashSpec {
        &self.spec
    }

    /// Whether all its values are counted one by one, so that every answer is exact: while there are no more different ones
    /// than [`counters`](ProfileParams::counters).
    pub fn is_exact(&self) -> bool {
        self.table.floor() == 0
    }

    /// All answers. This reads every value that is kept, so ask once for many answers.
    pub fn summary(&self) -> ColumnSummary {
        ColumnSummary::of(self)
    }

    /// Becomes the profile of both parts of a column.
    ///
    /// # Errors
    /// `Incompatible` when params or hash differ, `Full` beyond 2⁶⁴ − 2³² values; `self` is unchanged then.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        self.check_same(other)?;
        let mut rest = self.rest.clone();
        rest.merge(&other.rest)?;
        self.table.merge(&other.table, |value| rest.feed(&value));
        self.rest = rest;
        self.values = self.values.saturating_add(other.values);
        self.missing = self.missing.saturating_add(other.missing);
        Ok(())
    }

    pub(super) fn check_same(&self, other: &Self) -> Result<()> {
        if self.params != other.params {
            let remedy = "profile both with the same error";
            return Err(Error::incompatible("kept hashes", self.params.kept(), other.params.kept(), remedy));
        }
        self.spec.check_same(&other.spec)
    }

    /// The memory it holds, in bytes, itself included.
    pub fn memory_bytes(&self) -> usize {
        size_of::<Self>() + self.table.memory_bytes() + self.rest.heap_bytes()
    }
}

impl PartialEq for ColumnProfile {
    fn eq(&self, other: &Self) -> bool {
        (self.params, self.spec, self.values, self.missing)
            == (other.params, other.spec, other.values, other.missing)
            && self.table == other.table
            && self.rest == other.rest
    }
}

impl fmt::Debug for ColumnProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "ColumnProfile({} rows, {} missing, {} values kept)",
            self.rows(),
            self.missing,
            self.table.len()
        )
    }
}
