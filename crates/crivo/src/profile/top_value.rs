//! Values of a column with the numbers of their occurrences: see [`TopValue`] and [`KnownValue`].

use super::value_table::Counted;
use crate::estimate::{count_down, count_up};
use crate::{Estimate, Guarantee};
use alloc::vec::Vec;

/// A frequent value.
#[derive(Clone, Debug, PartialEq)]
pub struct TopValue {
    /// The value, or its first 128 bytes.
    pub value: Vec<u8>,
    /// Whether the value is longer than that.
    pub truncated: bool,
    /// The number of occurrences. The bounds are deterministic; the value is the lower one.
    pub count: Estimate,
}

impl TopValue {
    pub(super) fn of(value: &Counted<'_>) -> Self {
        let (lower, upper) = (count_down(value.seen), count_up(value.upper()));
        let count = Estimate::new(lower, lower, upper, Guarantee::Certain);
        Self { value: value.text.to_vec(), truncated: value.is_truncated(), count }
    }
}

/// A value whose occurrences were counted: see [`ColumnSummary::known`](super::ColumnSummary::known).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownValue<'a> {
    /// The value, or its first 128 bytes.
    pub value: &'a [u8],
    /// Whether the value is longer than that.
    pub truncated: bool,
    /// The least number of its occurrences, for certain.
    pub least: u64,
    /// The largest number of its occurrences, for certain.
    pub most: u64,
}

impl<'a> KnownValue<'a> {
    pub(super) fn of(value: Counted<'a>) -> Self {
        Self { value: value.text, truncated: value.is_truncated(), least: value.seen, most: value.upper() }
    }
}
