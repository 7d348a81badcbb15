//! The answers of `--json`: one object a line, told apart by `type`. This file is the schema; names and
//! meanings stay, new fields may come.

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
    /// `crivo count`, for each key
    Frequency { key: Text<'a>, frequency: Bar },
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
    /// `crivo seen`, for each record that passes
    Passed { record: Text<'a> },
    /// `crivo seen`, at the end; `nulls` have no value and all passed, `lost` were held back though they were new, as would
    /// be the next with the probability `fpr`
    Seen { records: u64, passed: u64, held_back: u64, nulls: u64, fpr: f64, lost: Bar },
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
    /// `crivo plan`, for each row
    Plan(PlanRow),
    /// `crivo plan` alone, for each question
    Question { question: &'static str, command: &'static str },
    /// `crivo plan membership`, at the end: no filter of any kind can be smaller
    Minimum { target: f64, memory_bytes: u64, bits_per_item: f64 },
}

/// A size that a target needs.
#[derive(Debug, Serialize)]
pub(crate) struct PlanRow {
    pub(crate) kind: &'static str,
    /// Whether this row is the target asked for; the others show what more or less would cost.
    pub(crate) asked: bool,
    pub(crate) target: f64,
    pub(crate) achieved: f64,
    pub(crate) memory_bytes: u64,
    pub(crate) parameters: serde_json::Value,
    pub(crate) command: String,
    /// For filters.
    #[serde(flatten)]
    pub(crate) filter: Option<FilterCost>,
    /// For counters.
    #[serde(flatten)]
    pub(crate) counter: Option<CounterCost>,
    /// For the others.
    #[serde(flatten)]
    pub(crate) work: Option<Work>,
}

/// What a structure computes and touches, and how it merges.
#[derive(Debug, Serialize)]
pub(crate) struct Work {
    pub(crate) insert: String,
    pub(crate) query: String,
    /// `exact`, `bounded`, `by distribution` or null.
    pub(crate) merges: Option<&'static str>,
    pub(crate) best_for: Vec<&'static str>,
}

/// What else a filter costs and can do.
#[derive(Debug, Serialize)]
pub(crate) struct FilterCost {
    pub(crate) bits_per_item: f64,
    pub(crate) cache_lines: f64,
    pub(crate) inserts: bool,
    pub(crate) removes: bool,
    /// `exact`, `bounded` or null.
    pub(crate) merges: Option<&'static str>,
    /// What it is the first choice for, among all kinds.
    pub(crate) best_for: Vec<&'static str>,
}

/// What a counter of different items takes, measured.
#[derive(Debug, Serialize)]
pub(crate) struct CounterCost {
    /// How many items `achieved`, `memory_bytes` and `file_bytes` are for.
    pub(crate) items: u64,
    pub(crate) empty_bytes: u64,
    /// With 1,000 items.
    pub(crate) few_bytes: u64,
    pub(crate) file_bytes: u64,
    /// `exact`, `bounded` or null.
    pub(crate) merges: Option<&'static str>,
    /// What it is the first choice for, among all kinds.
    pub(crate) best_for: Vec<&'static str>,
}

/// Groups that were counted together.
#[derive(Debug, Serialize)]
pub(crate) struct OtherGroups {
    pub(crate) groups: Bar,
    pub(crate) distinct: Bar,
    pub(crate) items: u64,
}

/// A document: the row it stands in, counted from 0, or the path of its file, or the value of its group.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Name<'a> {
    Row(u64),
    Own(Text<'a>),
}
