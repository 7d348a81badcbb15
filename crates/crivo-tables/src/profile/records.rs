//! The records of a profile and of a drift. This file defines their schema: names and meanings do not change, and
//! new fields may be added.

use crivo_report::{Bar, Number, Point, QuantileBar, Text};
use serde::Serialize;

/// A column. Parts that were not requested are absent.
///
/// - `data_type` is `empty`, `boolean`, `integer`, `float`, `date`, `timestamp` or `text`. `exact` says that all
///   distinct values were kept, so that no answer is an estimate.
/// - `semantic_type` is what the values stand for: `uuid`, `mail`, `url`, `ip`, `json`, `coordinates`, `latitude`,
///   `longitude`, `yes_no`, `country`, `currency`, `percent`, `money`, `decimal_comma`, `day_month_year`,
///   `month_day_year`, `day_or_month_first`, `year_month_day` or `base64`; more may come. `semantic_share` is the share
///   of the distinct values that fit, at least 0.9.
/// - `minimum` and `maximum` are numbers in columns of numbers, with all digits of integers beyond 2⁵³, and texts
///   as written in other columns.
/// - Means are means of the finite numbers. Quantiles and bins exist for numbers and for times; times are texts,
///   with `Z` only if the column has zones. `infinite` and `nans` count the floats that are not finite, if there are
///   any; NaN is in no quantile.
/// - A bin of integers or dates contains both its ends. Any other bin contains its lower end, and the last bin
///   both. If all values span more than three times the range of the middle 98 %, the bins cover only this middle,
///   and `below` and `above` count the values outside.
/// - `top_share` is a share of the values that are not missing. `key` is `certain`, `possible` or `no`, and absent
///   for floats.
/// - Lengths are in bytes. Of a longer value only the first 128 bytes are kept, without a character that is cut;
///   `truncated` says that `minimum`, `maximum` or a value of `sample` may be such a value.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "column")]
pub(super) struct ColumnJson<'a> {
    pub(super) column: &'a str,
    pub(super) data_type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) semantic_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) semantic_share: Option<Bar>,
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
    /// The share of the most frequent value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) top_share: Option<Bar>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) top: Option<Vec<TopJson<'a>>>,
    /// The largest frequency that a value outside of `top` can have.
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

/// The minimum or the maximum.
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

/// A frequent value, or the beginning of a long one if `truncated`.
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

/// A column of a group or a pair.
#[derive(Debug, Serialize)]
pub(super) struct ColumnName<'a> {
    pub(super) table: &'a str,
    pub(super) column: &'a str,
}

/// A column whose type has changed.
#[derive(Debug, Serialize)]
pub(super) struct ColumnTypes<'a> {
    pub(super) column: &'a str,
    pub(super) old: &'static str,
    pub(super) new: &'static str,
}

/// A `minimum` or `maximum` of a column that lies beyond the old one.
#[derive(Debug, Serialize)]
pub(super) struct NewEndJson<'a> {
    pub(super) column: &'a str,
    pub(super) end: &'static str,
    pub(super) old: Text<'a>,
    pub(super) new: Text<'a>,
}

/// Columns that are `equal`, with the same value in every row, or that have the `same_distribution`: the same
/// values, equally often. A saved profile does not keep rows, so there equal columns have the `same_distribution`.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "column_group")]
pub(super) struct GroupJson<'a> {
    pub(super) relation: &'static str,
    pub(super) columns: Vec<ColumnName<'a>>,
}

/// Two columns that seem `joinable`. `of_a` is the share of the first column's distinct values that the second
/// column also has.
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

/// What may be wrong with the values of a column, or of several columns of one table.
///
/// - `warning` is `encoding`, `mixed_types`, `outliers`, `sentinel` (a value that may stand for a missing one), `future`,
///   `key_with_duplicates`, `key_with_missing`, `mixed_case`, `blanks`, `invisible`, `mostly_missing`, `constant`,
///   `nearly_constant`, `unsorted`, `gaps`, `missing_together`, `equal_columns`, `zeros` or `skewed`; more may come. `message` has the evidence.
/// - `rows` is the number of rows that it concerns, and `values` are some of their values, cut after 128 bytes if
///   `truncated`.
/// - `chance` bounds the probability that the error of a sketch makes the warning wrong; it is 0 if the warning is
///   certain.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "warning")]
pub(super) struct WarningJson<'a> {
    pub(super) table: &'a str,
    pub(super) columns: Vec<&'a str>,
    pub(super) warning: &'static str,
    pub(super) message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rows: Option<Bar>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) values: Option<Vec<Text<'a>>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) truncated: bool,
    pub(super) chance: f64,
}

/// A table, after its columns. With `--by`, `groups` is the number of groups that are profiled separately, and
/// `others` says whether the remaining groups are profiled together.
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

/// A comparison of a column: its `missing`, `distinct`, `mean`, `distribution` (`old` and `new` are medians;
/// medians of times are in seconds since 1970) or the `share` of a value. The effect is the difference for shares;
/// the difference in standard deviations of the old column for means, or null if the old column has none; the
/// quotient minus one for `distinct`; and the largest difference of the shares up to a value for distributions. A
/// change `counts` if it is significant and its effect is at least as large as requested.
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

/// The whole comparison. If nothing has changed, the probability that any comparison finds a change is at most
/// about 1 − `confidence`. Columns and types are facts. So are `new_ends`, the minima and maxima of numbers and
/// times beyond the old ones, which do not count as changes.
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
