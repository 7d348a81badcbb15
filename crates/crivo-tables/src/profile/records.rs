//! The records of a profile and of a drift. This file is their schema: names and meanings stay, new fields may come.

use crivo_report::{Bar, Number, Point, QuantileBar, Text};
use serde::Serialize;

/// A column; what was not asked for is left out. `data_type` is `empty`, `boolean`, `integer`, `float`, `date`, `timestamp`
/// or `text`, and `exact` says that all distinct values were kept, so that nothing here is an estimate. `minimum` and
/// `maximum` are numbers in columns of numbers, whole ones with all digits also beyond 2⁵³, and else texts as they were
/// written. Means are of finite numbers alone; quantiles and bins are of numbers and of times, which are texts, with `Z` only
/// if the column has zones. `infinite` and `nans` count floats that are no finite numbers, if there are any; NaN is in no
/// quantile. Of whole numbers and dates a bin holds both its ends; of others its lower end, and the last bin both. Bins are of the
/// middle 98 % of the values where the others reach more than three times as far; `below` and `above` count what lies outside,
/// if anything does. `top_share` is a share of the values that are not missing. `key` is `certain`, `possible` or `no`,
/// and left out for floats.
/// Lengths are in bytes; of a longer value there are the first 128 bytes, without a character that is cut, and `truncated`
/// says that `minimum`, `maximum` or a value of `sample` may be such
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "column")]
pub(super) struct ColumnJson<'a> {
    pub(super) column: &'a str,
    pub(super) data_type: &'static str,
    pub(super) table: &'a str,
    pub(super) rows: u64,
    pub(super) exact: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) missing: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) distinct: Option<Bar>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) minimum: Option<EndJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) maximum: Option<EndJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mean: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) standard_deviation: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) infinite: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) nans: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) quantiles: Option<Vec<QuantileJson>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) histogram: Option<Vec<BinJson>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) below: Option<Bar>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) above: Option<Bar>,
    /// The share of all values that the most frequent one has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) top_share: Option<Bar>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) top: Option<Vec<TopJson<'a>>>,
    /// No value that is not in `top` has more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) others_most: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sample: Option<Vec<Text<'a>>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) lengths: Option<LengthsJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) key: Option<&'static str>,
}

/// The least or the greatest value.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum EndJson<'a> {
    Number(Number),
    Text(Text<'a>),
}

#[derive(Debug, Serialize)]
pub(super) struct QuantileJson {
    pub(super) q: f64,
    pub(super) quantile: QuantileBar,
}

#[derive(Debug, Serialize)]
pub(super) struct BinJson {
    pub(super) from: Point,
    pub(super) to: Point,
    pub(super) count: Bar,
}

/// Of a long value the beginning, if `truncated`.
#[derive(Debug, Serialize)]
pub(super) struct TopJson<'a> {
    pub(super) value: Text<'a>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) truncated: bool,
    pub(super) count: Bar,
}

#[derive(Debug, Serialize)]
pub(super) struct LengthsJson {
    pub(super) minimum: u64,
    pub(super) mean: f64,
    pub(super) maximum: u64,
}

/// One of the columns of a group or a pair.
#[derive(Debug, Serialize)]
pub(super) struct ColumnName<'a> {
    pub(super) table: &'a str,
    pub(super) column: &'a str,
}

/// A column whose values have become another type.
#[derive(Debug, Serialize)]
pub(super) struct ColumnTypes<'a> {
    pub(super) column: &'a str,
    pub(super) old: &'static str,
    pub(super) new: &'static str,
}

/// An end of a column, `minimum` or `maximum`, that lies beyond the old one.
#[derive(Debug, Serialize)]
pub(super) struct NewEndJson<'a> {
    pub(super) column: &'a str,
    pub(super) end: &'static str,
    pub(super) old: Text<'a>,
    pub(super) new: Text<'a>,
}

/// Columns that are `equal`, with the same value in every row, or have the `same_distribution`: the same values, each as
/// often. A saved profile does not know rows, and tells the latter of equal columns too
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "column_group")]
pub(super) struct GroupJson<'a> {
    pub(super) relation: &'static str,
    pub(super) columns: Vec<ColumnName<'a>>,
}

/// Two columns that look `joinable`; `of_a` is the share of the distinct values of the first that the second
/// has too.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "column_pair")]
pub(super) struct PairJson<'a> {
    pub(super) relation: &'static str,
    pub(super) a: ColumnName<'a>,
    pub(super) b: ColumnName<'a>,
    pub(super) jaccard: Bar,
    pub(super) shared: Bar,
    pub(super) of_a: Bar,
    pub(super) of_b: Bar,
}

/// A table, at the end. With `--by`, `groups` is the number of groups that are profiled separately, and `others` says whether the
/// remaining groups are profiled together.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "table")]
pub(super) struct TableJson<'a> {
    pub(super) table: &'a str,
    pub(super) rows: u64,
    pub(super) columns: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) groups: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) others: Option<bool>,
    pub(super) remarks: &'a [String],
    pub(super) saved: Option<&'a str>,
}

/// A comparison of a column: its `missing`, `distinct`, `mean`, `distribution` (old and new are medians, of times in seconds
/// since 1970) or the `share` of a value. The effect is a difference of shares; for means in standard deviations of the old
/// column, null if it had none; for `distinct` the quotient minus one; for distributions the greatest difference of the shares
/// up to a value. It `counts` if it is significant and its effect is as large as was asked for.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "change")]
pub(super) struct ChangeJson<'a> {
    pub(super) column: &'a str,
    pub(super) measure: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) value: Option<Text<'a>>,
    pub(super) old: Bar,
    pub(super) new: Bar,
    pub(super) effect: Option<f64>,
    pub(super) test: &'static str,
    pub(super) significant: bool,
    pub(super) counts: bool,
}

/// What changed in all; without any change all comparisons together find one with a probability of at most about
/// 1 − `confidence`. Columns and types are reported as they are, and so are `new_ends`, the least and greatest numbers and times
/// beyond the old ones, which do not count as changed.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "drift")]
pub(super) struct DriftJson<'a> {
    pub(super) changed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) at_least: Option<f64>,
    pub(super) added: &'a [String],
    pub(super) gone: &'a [String],
    pub(super) types: Vec<ColumnTypes<'a>>,
    pub(super) old_rows: u64,
    pub(super) new_rows: u64,
    pub(super) new_ends: Vec<NewEndJson<'a>>,
    pub(super) comparisons: u64,
    pub(super) confidence: f64,
}
