//! The answers of `--json`: one object a line, told apart by `type`. This file is the schema; names and
//! meanings stay, new fields may come.

use super::profile::{ColumnJson, ColumnName, ColumnTypes, NewEndJson};
use super::{AnyBar, Bar, FactJson, Number, QuantileBar, Text};
use serde::Serialize;

/// One line of output.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Answer<'a> {
    /// `crivo distinct`
    Distinct { distinct: Bar, items: u64, nulls: u64, saved: Option<String> },
    /// `crivo distinct --window`; `until` is the time of the latest record, `late` were not counted
    Window { distinct: Bar, until: String, items: u64, nulls: u64, late: u64, saved: Option<String> },
    /// `--every`, at each step; `end` is its end in the time of the data, if that counts. With `crivo distinct` it holds
    /// the answer, with other verbs their answer follows
    Step {
        end: Option<String>,
        items: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        distinct: Option<Bar>,
    },
    /// `--when`, when the condition holds; `item` is null unless it is about one item
    Alert { when: &'a str, items: u64, item: Option<Text<'a>>, estimate: AnyBar },
    /// `crivo distinct --by`, for each group
    Group { group: Text<'a>, distinct: Bar, items: u64 },
    /// `crivo distinct --by`, at the end; `groups` were counted apart, `others` together
    Groups {
        groups: u64,
        others: Option<OtherGroups>,
        until: Option<String>,
        items: u64,
        nulls: u64,
        late: u64,
    },
    /// `crivo distinct --union`, `--intersect` and `--minus`; `swamped` if the error is as large as the value
    Sets { question: &'static str, distinct: Bar, swamped: bool, files: u64 },
    /// `crivo count`, at the end
    Count { items: u64, nulls: u64, saved: Option<String> },
    /// `crivo top`, for each item
    Item { rank: u64, item: Text<'a>, count: Bar, share: f64, rank_guaranteed: bool },
    /// `crivo top`, at the end; an item that is not listed has no more than `others_most`, the listed ones together have
    /// at least the share `listed`
    Top {
        items: u64,
        nulls: u64,
        floor: u64,
        others_most: Option<f64>,
        listed: f64,
        memory_bytes: u64,
        saved: Option<String>,
    },
    /// `crivo quantiles`, for each `q`
    Quantile { q: f64, quantile: QuantileBar },
    /// `crivo quantiles`, at the end
    Quantiles { numbers: u64, nulls: u64, not_numbers: u64, saved: Option<String> },
    /// `crivo histogram`, for each bin: from `from` to below `to`, the last one including it
    Bin { from: Number, to: Number, count: Bar, share: f64 },
    /// `crivo histogram`, at the end
    Histogram {
        numbers: u64,
        below: Bar,
        above: Bar,
        min: Option<Number>,
        max: Option<Number>,
        nulls: u64,
        not_numbers: u64,
        saved: Option<String>,
    },
    /// `crivo range`: how many numbers lie from `low` to `high`, both included
    Range {
        low: Number,
        high: Number,
        count: Bar,
        share: f64,
        numbers: u64,
        nulls: u64,
        not_numbers: u64,
        saved: Option<String>,
    },
    /// `crivo sample`, for each record or value; `weight` where it was given
    Sampled {
        record: Text<'a>,
        #[serde(skip_serializing_if = "Option::is_none")]
        weight: Option<Number>,
    },
    /// `crivo sample`, at the end; the seed is hexadecimal
    Sample { sampled: u64, items: u64, nulls: u64, seed: String, saved: Option<String> },
    /// `crivo join`: the number of pairs of records with one key
    Join {
        kind: &'static str,
        pairs: Bar,
        swamped: bool,
        rows_a: u64,
        rows_b: u64,
        nulls_a: u64,
        nulls_b: u64,
    },
    /// `crivo similar`, for each pair of files
    Similarity { a: Text<'a>, b: Text<'a>, similarity: Bar },
    /// `crivo similar --save`
    Signature { saved: String, kind: &'static str, items: u64, nulls: u64, file_bytes: u64 },
    /// `crivo dups --output pairs`, for each pair; an estimate with `--verify signature`
    Pair { a: Name<'a>, b: Name<'a>, similarity: f64 },
    /// `crivo dups`, for each group of near-duplicates
    Duplicates { keep: Name<'a>, drop: Vec<Name<'a>> },
    /// `crivo dups --like`, for each document, the most alike first
    Like { document: Name<'a>, similarity: f64 },
    /// `crivo dups`, at the end; `empty` have no words and are not compared, `different` have sets of their own,
    /// `candidates` pairs of these were compared and `verified` are alike; a pair at the threshold is found with the
    /// probability `recall`; the search began when all was read. The number of pairs is null for groups, those of groups
    /// and of what can go are null for pairs, and the bytes for `--group`
    Dups {
        documents: u64,
        empty: u64,
        different: u64,
        candidates: u64,
        verified: u64,
        pairs: Option<u64>,
        groups: Option<u64>,
        dropped: Option<u64>,
        dropped_bytes: Option<u64>,
        threshold: f64,
        recall: f64,
        seconds: f64,
        search_seconds: f64,
    },
    /// `crivo filter build`
    Filter {
        saved: String,
        kind: &'static str,
        items: u64,
        nulls: u64,
        file_bytes: u64,
        memory_bytes: u64,
        fpr: Bar,
        facts: FactJson<'a>,
    },
    /// `crivo filter insert`; `inserted` were certainly not inside
    Inserted {
        saved: String,
        kind: &'static str,
        items: u64,
        nulls: u64,
        inserted: u64,
        file_bytes: u64,
        fpr: Bar,
    },
    /// `crivo filter remove`; `absent` were certainly not inside
    Removed {
        saved: String,
        kind: &'static str,
        items: u64,
        nulls: u64,
        removed: u64,
        absent: u64,
        file_bytes: u64,
        fpr: Bar,
    },
    /// `crivo filter diff`; the estimates are null where the kind has none
    Diff { a: FilterJson<'a>, b: FilterJson<'a>, same: bool, both: Option<Bar>, either: Option<Bar> },
    /// `crivo filter diff` with records, for each that only one filter reports
    Difference { only: Side, record: Text<'a> },
    /// `crivo filter diff` with records, at the end
    Differences { only_a: u64, only_b: u64, both: u64, neither: u64, nulls: u64 },
    /// `crivo filter query`, for each record that is printed
    Record { present: bool, record: Text<'a> },
    /// `crivo filter query`, at the end
    Query { present: u64, absent: u64, nulls: u64, fpr: Option<Bar> },
    /// `crivo seen`, for each record that passes
    Passed { record: Text<'a> },
    /// `crivo seen`, at the end; `nulls` have no value and all passed, `lost` were held back though they were new, as would
    /// be the next with the probability `fpr`
    Seen { records: u64, passed: u64, held_back: u64, nulls: u64, fpr: f64, lost: Bar },
    /// `crivo values build`; with so many items a share of `distortion` is answered too much
    Values {
        saved: String,
        kind: &'static str,
        items: u64,
        nulls: u64,
        distortion: f64,
        file_bytes: u64,
        memory_bytes: u64,
        fpr: Bar,
        facts: FactJson<'a>,
    },
    /// `crivo values query`, for each key; `value` and what follows is null if it is certainly not inside. An item inside
    /// that is answered `value` has less with the probability `overestimated`, besides a `rounding` of so much at most; one
    /// that was never inserted is answered so much or more with the probability `fpr`. The verdict is `absent`, `below`,
    /// `equal` or `above`
    Value {
        key: Text<'a>,
        value: Option<Number>,
        overestimated: Option<f64>,
        rounding: Option<f64>,
        fpr: Option<f64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        claimed: Option<Number>,
        #[serde(skip_serializing_if = "Option::is_none")]
        verdict: Option<&'static str>,
    },
    /// `crivo passwords add`; all `passwords` so far. A count is too high by at most `too_high` with a probability of 95 %;
    /// `new_key` is null unless a key was made
    PasswordsAdded {
        saved: String,
        added: u64,
        nulls: u64,
        passwords: u64,
        too_high: f64,
        file_bytes: u64,
        new_key: Option<String>,
    },
    /// `crivo passwords check`, for each; the number is null if it was typed, and the verdict without `--too-common`
    Password { number: Option<u64>, times: Bar, too_common: Option<bool> },
    /// `crivo passwords check`, at the end of a stream; all `passwords` that were counted
    PasswordsChecked { checked: u64, nulls: u64, too_common: Option<u64>, passwords: u64 },
    /// `crivo spell`, for each unknown word; the column is that of its first letter, in characters from 1
    Misspelt { file: &'a str, line: u64, column: u64, word: &'a str, suggestions: &'a [String] },
    /// `crivo spell --list`, for each different one, the most frequent first
    MisspeltWord { word: &'a str, times: u64, suggestions: &'a [String] },
    /// `crivo spell`, at the end; another word is taken for known with the probability `fpr`, and an unknown one has a wrong
    /// suggestion with at most `wrong_suggestion`
    Spelling { words: u64, unknown: u64, fpr: Bar, wrong_suggestion: f64 },
    /// `crivo hyphenate`, for each word
    Hyphenated { word: &'a str, parts: Vec<&'a str> },
    /// `crivo hyphenate`, at the end; `broken` words have `breaks`. The dictionary of exceptions was asked so often, and the
    /// word was `found` in it; the filter `saved` a look-up, or was wrong. What a filter has is null without one
    Hyphenation {
        words: u64,
        broken: u64,
        breaks: u64,
        exceptions: u64,
        dictionary_bytes: u64,
        asked: u64,
        found: u64,
        saved: u64,
        filter: Option<&'static str>,
        filter_bytes: Option<u64>,
        fpr: Option<Bar>,
        false_positives: Option<u64>,
    },
    /// `crivo info`; `facts` is null if the key is missing
    Sketch {
        file: String,
        kind: &'static str,
        family: &'static str,
        hash: Option<&'static str>,
        /// Hexadecimal: the seed, or the fingerprint of the key.
        seed: Option<String>,
        keyed: bool,
        /// Whether its tag fits the key; null if it has no key, or the key was not given.
        authentic: Option<bool>,
        file_bytes: u64,
        memory_bytes: Option<u64>,
        facts: Option<FactJson<'a>>,
    },
    /// `crivo verify`, for each file; `decoded` is false for a keyed file without its key, and `authentic` for one without a
    /// tag. What a damaged file does not tell is null, and so is the error of one that is not, and whether a file is authentic that
    /// has no key, or whose key was not given
    Verified {
        file: String,
        ok: bool,
        decoded: bool,
        authentic: Option<bool>,
        kind: Option<&'static str>,
        file_bytes: Option<u64>,
        error: Option<String>,
    },
    /// `crivo merge`; `law` is `exact`, `bounded` or `distribution`, null for a single file
    Merged { saved: String, kind: &'static str, files: u64, law: Option<&'static str>, file_bytes: u64 },
    /// `crivo profile`, for each pair of columns that look `equal` or `joinable`; `of_a` is the share of the different
    /// values of the first that the second has too
    Columns {
        relation: &'static str,
        a: ColumnName<'a>,
        b: ColumnName<'a>,
        jaccard: Bar,
        shared: Bar,
        of_a: Bar,
        of_b: Bar,
    },
    /// `crivo profile`, for each table, at the end
    Table { table: &'a str, rows: u64, columns: u64, remarks: &'a [String], saved: Option<&'a str> },
    /// `crivo profile --compare`, for each comparison of a column: its `missing`, `distinct`, `mean`, `distribution` (old
    /// and new are medians, of times in seconds since 1970) or the `share` of a value. The effect is a difference of
    /// shares; for means in standard deviations of the old column, null if it had none; for `distinct` the quotient minus
    /// one; for distributions the greatest difference of the shares up to a value
    Change {
        column: &'a str,
        measure: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        value: Option<Text<'a>>,
        old: Bar,
        new: Bar,
        effect: Option<f64>,
        test: &'static str,
        significant: bool,
    },
    /// `crivo profile --compare`, at the end; without any change all comparisons together find one with a probability of
    /// at most about 1 − `confidence`. Columns and types are told as they are, and so are `new_ends`, the least and
    /// greatest numbers and times beyond the old ones, which do not count as changed
    Drift {
        changed: bool,
        added: &'a [String],
        gone: &'a [String],
        types: Vec<ColumnTypes<'a>>,
        old_rows: u64,
        new_rows: u64,
        new_ends: Vec<NewEndJson<'a>>,
        comparisons: u64,
        confidence: f64,
    },
    /// `crivo profile`, for each column; its `type` is that of its values
    #[serde(untagged)]
    Column(Box<ColumnJson<'a>>),
}

/// Groups that were counted together.
#[derive(Debug, Serialize)]
pub(crate) struct OtherGroups {
    pub(crate) groups: Bar,
    pub(crate) distinct: Bar,
    pub(crate) items: u64,
}

/// One of two filters.
#[derive(Debug, Serialize)]
pub(crate) struct FilterJson<'a> {
    pub(crate) file: String,
    pub(crate) kind: &'static str,
    pub(crate) facts: FactJson<'a>,
}

/// A document: the row it stands in, counted from 0, or the path of its file, or the value of its group.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Name<'a> {
    Row(u64),
    Own(Text<'a>),
}

/// The first or the second of two.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Side {
    A,
    B,
}
