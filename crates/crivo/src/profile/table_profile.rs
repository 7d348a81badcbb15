//! The profile of a whole table: see [`TableProfile`].

use super::column_profile::{ColumnProfile, MOST_ROWS};
use super::params::ProfileParams;
use crate::sketch::Params;
use crate::{Error, HashSpec, Result};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A profile of a table: for each column its type, distinct values, ends, mean, quantiles, frequent values and a
/// sample, from one pass over all columns.
///
/// # Use when / not when
/// Use it to explore a table, to detect changes ([`drift`](Self::drift)), and to find columns that are keys
/// ([`ColumnSummary::key`](crate::profile::ColumnSummary::key)) or have values in common
/// ([`ColumnSummary::overlap`](crate::profile::ColumnSummary::overlap)). Not for a single question about a single
/// column: an [`ExaLogLog`](crate::ExaLogLog), a [`Kll`](crate::Kll) or a [`MisraGries`](crate::MisraGries) takes a
/// fraction of the memory.
///
/// # Guarantee
/// A column with at most [`counters`](ProfileParams::counters) distinct values is known exactly, in everything. For any
/// other column the rows, missing values, types, ends, lengths, mean and standard deviation are still exact;
/// frequencies have deterministic bounds, no further apart than 2/m of all values with m counters; the number of
/// distinct values has the proven interval of [`KMinValues`](crate::KMinValues), and a quantile the proven one of
/// [`Kll`](crate::Kll) or the certain one of [`LogQuantiles`](crate::LogQuantiles), whichever is shorter. At most the
/// first 128 bytes of a value are kept: longer values are distinguished by their hash and length.
///
/// # Space
/// For each column, whatever the values:
///
/// | distinct values within | counters | exact up to | quantiles within | memory of short values | at most |
/// |---|---|---|---|---|---|
/// | 5 % | 1,024 | 1,024 | 1.2 % of the ranks or 2.5 % of the value | 80 kB | 0.4 MB |
/// | 2 % | 8,192 | 8,192 | 0.5 % of the ranks or 1 % of the value | 0.5 MB | 2.5 MB |
/// | 1 % | 32,768 | 32,768 | 0.25 % of the ranks or 0.5 % of the value | 2 MB | 10 MB |
///
/// Columns with few distinct values take little: 5 kB for a hundred.
///
/// # Time
/// A value that was counted before takes one look-up and an addition; it is not parsed. Numbers and times are parsed
/// once for each distinct value, and once for each value that leaves the counters.
///
/// # Merge
/// Bounded. Rows, missing values, types, ends, lengths, distinct values, sample, mean and deviation are exactly those
/// of one pass. Bounds of frequencies stay deterministic and no wider than 2/m of all values; quantiles stay within the
/// error that the merged sketch reports. Columns are matched by name; a column that one part lacks is missing in its
/// rows, and new columns come last. Params and hash must be equal.
///
/// # Hostile input
/// An attacker who knows the seed can choose values that bias the number of distinct values and the sample. Use
/// [`HashSpec::keyed`]. Exact answers and deterministic bounds hold for all input, and values that all collide in the
/// table, in a file too, cost a search in an ordered list each.
///
/// # Example
/// ```
/// use crivo::{HashSpec, TableProfile};
/// use crivo::profile::{ColumnProfile, ColumnType, Key, ProfileParams};
/// let params = ProfileParams::for_error(0.02)?;
/// let (mut id, mut delay) = (ColumnProfile::with_params(params), ColumnProfile::with_params(params));
/// for row in 0..50_000u32 {
///     id.add(format!("flight {row}").as_bytes());
///     delay.add((row % 300).to_string().as_bytes());
/// }
/// let columns = vec![("id".into(), id), ("delay".into(), delay)];
/// let table = TableProfile::from_columns(params, HashSpec::default(), 50_000, columns)?;
///
/// let id = table.column("id").expect("it is there").summary();
/// assert_eq!((id.column_type(), id.key()), (ColumnType::Text, Key::Possible));
/// assert!(id.distinct().contains(50_000.0), "{}", id.distinct());
/// let delay = table.column("delay").expect("it is there").summary();
/// assert!(delay.is_exact());
/// assert_eq!((delay.distinct().value(), delay.maximum()), (300.0, Some(&b"299"[..])));
/// assert_eq!(*delay.quantile(0.5).expect("numbers").value(), 149.0);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
///            known: count it                              all m counters in use: the values up to the
/// value ──▶ ┌─────────────────┐   median leave, with their counts
///           │ UA 58665  +0    │ ──────────────────────────────▶ type, number, time
///           │ B6 54635  +0    │                                 k smallest hashes    distinct values, overlap
///           │ 9E    12  +118  │   at the end all values         levels of ranks      quantiles, histogram
///           └─────────────────┘ ──────────────────────────────▶ exact sums           mean, deviation
///            seen, missed at most                               ends, lengths, sample, fingerprint
/// ```
/// Most columns have few values, or few that make up most rows: for these the table suffices. Everything behind it
/// takes values with a count, in any number of steps, so a value may leave and return.
///
/// # References
/// Counters that leave at the median: Anderson et al., doi:10.1145/3131365.3131407, after Misra and Gries,
/// doi:10.1016/0167-6423(82)90012-0. Sums without rounding: Kulisch, *Computer Arithmetic and Validity*, 2013. For the
/// sketches behind the table see [`KMinValues`](crate::KMinValues) and [`Kll`](crate::Kll). `docs/adr/0014` has the
/// reasons.
///
/// # Measured
/// `crivo-lab run c-table-profile`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct TableProfile {
    pub(super) params: ProfileParams,
    pub(super) spec: HashSpec,
    pub(super) rows: u64,
    pub(super) columns: Vec<(String, ColumnProfile)>,
}

impl TableProfile {
    /// Creates a table without columns and rows.
    pub fn with_params(params: ProfileParams) -> Self {
        Self { params, spec: HashSpec::default(), rows: 0, columns: Vec::new() }
    }

    /// Creates an empty table of the same size that hashes by `spec`.
    #[must_use]
    pub fn with_hash(self, spec: HashSpec) -> Self {
        Self { spec, ..Self::with_params(self.params) }
    }

    /// Builds the table of these columns, which must all have these params and this hash.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if two columns have the same name, or if one has another number of rows;
    /// `Incompatible` if params or hashes differ; `Full` beyond 2⁶⁴ − 2³² rows.
    pub fn from_columns(
        params: ProfileParams,
        spec: HashSpec,
        rows: u64,
        columns: Vec<(String, ColumnProfile)>,
    ) -> Result<Self> {
        check_rows(0, rows)?;
        let mut names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        if let Some([name, ..]) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::invalid(format!(
                "expected columns with distinct names, got two of name {name:?}; rename one"
            )));
        }
        for (name, column) in &columns {
            params.check_same(&column.params())?;
            spec.check_same(column.hash_spec())?;
            if column.rows() != rows {
                return Err(Error::invalid(format!(
                    "expected {rows} rows in every column, got {} in {name:?}; add the missing rows",
                    column.rows()
                )));
            }
        }
        Ok(Self { params, spec, rows, columns })
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns all columns with their names, in order.
    pub fn columns(&self) -> impl ExactSizeIterator<Item = (&str, &ColumnProfile)> {
        self.columns.iter().map(|(name, column)| (name.as_str(), column))
    }

    /// Takes the columns with their names out of the table.
    pub fn into_columns(self) -> Vec<(String, ColumnProfile)> {
        self.columns
    }

    /// Returns the columns by name, because searching for many columns one after the other would take quadratic time.
    pub(super) fn by_name(&self) -> BTreeMap<&str, &ColumnProfile> {
        self.columns().collect()
    }

    /// Returns the column of this name.
    pub fn column(&self, name: &str) -> Option<&ColumnProfile> {
        self.columns().find(|&(own, _)| own == name).map(|(_, column)| column)
    }
}

/// Returns `Full` if this many rows cannot be counted.
pub(super) fn check_rows(ours: u64, theirs: u64) -> Result<()> {
    if theirs <= MOST_ROWS - ours {
        return Ok(());
    }
    Err(Error::full(format!(
        "{ours} rows and {theirs} more exceed 2^64 - 2^32, the most that can be counted; keep the two separate"
    )))
}
