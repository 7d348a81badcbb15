//! The lines of `crivo profile --json`, besides [`Answer`](super::Answer)'s others.

use super::{Bar, Number, Point, QuantileBar, Text};
use serde::Serialize;

/// A column; what was not asked for is left out. `type` is `empty`, `boolean`, `integer`, `float`, `date`, `timestamp` or
/// `text`, and `exact` says that all different values were kept, so that nothing here is an estimate. Means are of
/// finite numbers alone; quantiles and bins are of numbers and of times, which are texts. `infinite` and `nans` count floats
/// that are no finite numbers, if there are any; NaN is in no quantile. Bins are of the middle 98 % of the values
/// where the others reach more than three times as far. `key` is `certain`, `possible` or `no`.
/// Lengths are in bytes; of a longer value there are the first 128 bytes, without a character that is cut, and `truncated`
/// says that `minimum`, `maximum` or a value of `sample` may be such
#[derive(Debug, Serialize)]
pub(crate) struct ColumnJson<'a> {
    pub(crate) column: &'a str,
    #[serde(rename = "type")]
    pub(crate) column_type: &'static str,
    pub(crate) table: &'a str,
    pub(crate) rows: u64,
    pub(crate) exact: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) missing: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) distinct: Option<Bar>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) minimum: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) maximum: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mean: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) standard_deviation: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) infinite: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) nans: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) quantiles: Option<Vec<QuantileJson>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) histogram: Option<Vec<BinJson>>,
    /// The share of all values that the most frequent one has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) top_share: Option<Bar>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) top: Option<Vec<TopJson<'a>>>,
    /// No value that is not in `top` has more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) others_most: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sample: Option<Vec<Text<'a>>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lengths: Option<LengthsJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) key: Option<&'static str>,
}

#[derive(Debug, Serialize)]
pub(crate) struct QuantileJson {
    pub(crate) q: f64,
    pub(crate) quantile: QuantileBar,
}

#[derive(Debug, Serialize)]
pub(crate) struct BinJson {
    pub(crate) from: Point,
    pub(crate) to: Point,
    pub(crate) count: Bar,
}

/// Of a long value the beginning, if `truncated`.
#[derive(Debug, Serialize)]
pub(crate) struct TopJson<'a> {
    pub(crate) value: Text<'a>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) truncated: bool,
    pub(crate) count: Bar,
}

#[derive(Debug, Serialize)]
pub(crate) struct LengthsJson {
    pub(crate) least: u64,
    pub(crate) mean: f64,
    pub(crate) most: u64,
}

/// One of the columns of a pair.
#[derive(Debug, Serialize)]
pub(crate) struct ColumnName<'a> {
    pub(crate) table: &'a str,
    pub(crate) column: &'a str,
}

/// A column whose values have become another type.
#[derive(Debug, Serialize)]
pub(crate) struct ColumnTypes<'a> {
    pub(crate) column: &'a str,
    pub(crate) old: &'static str,
    pub(crate) new: &'static str,
}

/// An end of a column, `minimum` or `maximum`, that lies beyond the old one.
#[derive(Debug, Serialize)]
pub(crate) struct NewEndJson<'a> {
    pub(crate) column: &'a str,
    pub(crate) end: &'static str,
    pub(crate) old: Text<'a>,
    pub(crate) new: Text<'a>,
}
