//! The profile of one column: see [`ColumnProfile`].

use super::column_summary::ColumnSummary;
use super::params::ProfileParams;
use super::table_profile::check_rows;
use super::value_summaries::Rest;
use super::value_table::{MOST_KEPT, ValueTable};
use crate::hash::BytesHasher;
use crate::sketch::Params;
use crate::{HashSpec, Result};
use alloc::boxed::Box;
use core::fmt;

/// The largest number of rows, as a sketch of ranks can count no more.
pub(super) const MOST_ROWS: u64 = u64::MAX - (1 << 32);

/// The profile of one column while its values arrive.
///
/// Its state depends only on the sequence of values. Values are texts, as in a file; they are interpreted when
/// [`summary`](Self::summary) is called.
///
/// ```
/// use crivo::profile::{ColumnProfile, ColumnType, ProfileParams};
/// let mut delays = ColumnProfile::with_params(ProfileParams::default());
/// for text in ["2", "-5", "11", "2"] {
///     delays.add(text.as_bytes());
/// }
/// delays.add_missing(1);
/// let summary = delays.summary();
/// assert_eq!((summary.rows(), summary.missing()), (5, 1));
/// assert_eq!(summary.column_type(), ColumnType::Integer);
/// assert_eq!(summary.distinct().value(), 3.0);
/// assert_eq!((summary.minimum(), summary.maximum()), (Some(&b"-5"[..]), Some(&b"11"[..])));
/// assert_eq!(summary.mean(), Some(2.5.into()));
/// assert_eq!(summary.top(1)[0].value, b"2");
/// ```
#[derive(Clone)]
pub struct ColumnProfile {
    pub(super) params: ProfileParams,
    pub(super) spec: HashSpec,
    pub(super) table: ValueTable,
    /// The summaries of the values that left the table, weighted by the occurrences that were counted there. `None`
    /// before the first value leaves.
    pub(super) rest: Option<Box<Rest>>,
    pub(super) rows: u64,
    pub(super) missing: u64,
    hasher: BytesHasher,
}

impl ColumnProfile {
    /// The number of bytes that are kept of a longer value.
    pub const LONGEST_KEPT: usize = MOST_KEPT;

    /// Creates a column without values.
    pub fn with_params(params: ProfileParams) -> Self {
        Self::empty(params, HashSpec::default())
    }

    /// Creates an empty column of the same size that hashes by `spec`.
    #[must_use]
    pub fn with_hash(self, spec: HashSpec) -> Self {
        Self::empty(self.params, spec)
    }

    pub(super) fn empty(params: ProfileParams, spec: HashSpec) -> Self {
        let table = ValueTable::new(params.counters() as usize);
        Self { params, spec, table, rest: None, rows: 0, missing: 0, hasher: spec.bytes_hasher() }
    }

    /// Adds one value.
    #[inline]
    pub fn add(&mut self, text: &[u8]) {
        self.add_hashed(text, self.hasher.hash(text), 1);
    }

    /// Adds a value `copies` times. `hash` is the result of the column's [`HashSpec::hash_bytes`] for the text. A
    /// column ends at 2⁶⁴ − 2³² rows: further rows are ignored.
    #[inline]
    pub fn add_hashed(&mut self, text: &[u8], hash: u64, copies: u64) {
        if self.add_rows(copies) && !self.table.raise(text, hash, copies) {
            self.enter(text, hash, copies);
        }
    }

    /// Counts rows, and returns whether this many can be counted.
    #[inline]
    fn add_rows(&mut self, rows: u64) -> bool {
        let fits = rows <= MOST_ROWS - self.rows;
        if fits {
            self.rows += rows;
        }
        fits
    }

    #[inline(never)]
    fn enter(&mut self, text: &[u8], hash: u64, copies: u64) {
        if copies == 0 {
            return;
        }
        if self.table.is_full() {
            self.make_room();
        }
        self.table.enter(text, hash, copies);
    }

    fn make_room(&mut self) {
        let rest = self.rest.get_or_insert_with(|| Box::new(Rest::none(self.params, self.spec)));
        rest.make_room_in(&mut self.table);
    }

    /// Counts rows in which the column has a missing value.
    #[inline]
    pub fn add_missing(&mut self, rows: u64) {
        if self.add_rows(rows) {
            self.missing += rows;
        }
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns the number of rows with a missing value.
    pub fn missing(&self) -> u64 {
        self.missing
    }

    /// Returns the number of rows with a value.
    pub fn values(&self) -> u64 {
        self.rows - self.missing
    }

    /// Returns the parameters.
    pub fn params(&self) -> ProfileParams {
        self.params
    }

    /// Returns the hash.
    pub fn hash_spec(&self) -> &HashSpec {
        &self.spec
    }

    /// Returns whether all values are counted one by one, so that every answer is exact: this holds while there are at
    /// most [`counters`](ProfileParams::counters) distinct values.
    pub fn is_exact(&self) -> bool {
        self.table.floor() == 0
    }

    /// Computes all answers. This reads every kept value, so call it once for many answers.
    pub fn summary(&self) -> ColumnSummary {
        ColumnSummary::of(self)
    }

    /// Merges the profile of another part of the column.
    ///
    /// # Errors
    /// Returns `Incompatible` if params or hash differ, and `Full` beyond 2⁶⁴ − 2³² rows. On error `self` is unchanged.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        self.params.check_same(&other.params)?;
        self.spec.check_same(&other.spec)?;
        check_rows(self.rows, other.rows)?;
        if let Some(theirs) = &other.rest {
            // Works on a copy, so that a refusal changes nothing.
            let mut rest = self.rest.clone().unwrap_or_else(|| Box::new(Rest::none(self.params, self.spec)));
            rest.merge(theirs)?;
            self.rest = Some(rest);
        }
        self.table.merge(&other.table);
        if self.table.is_overfull() {
            self.make_room();
        }
        self.rows += other.rows;
        self.missing += other.missing;
        Ok(())
    }

    /// Returns the memory in bytes, including the struct itself.
    pub fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + self.table.memory_bytes()
            + self.rest.as_ref().map_or(0, |rest| rest.memory_bytes())
    }
}

impl PartialEq for ColumnProfile {
    fn eq(&self, other: &Self) -> bool {
        (self.params, self.spec, self.rows, self.missing)
            == (other.params, other.spec, other.rows, other.missing)
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
