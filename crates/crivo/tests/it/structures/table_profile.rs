use super::*;
use crivo::profile::{ColumnProfile, ProfileParams, TopValue};
use crivo::{Number, QuantileEstimate, TableProfile};

/// A table of these columns, whose values are made from hashes.
pub(crate) fn make(error: f64, names: &'static [&'static str]) -> impl Fn(HashSpec) -> TableProfile {
    with_params(ProfileParams::for_error(error).unwrap(), names)
}

/// Like [`make`], as in early files.
pub(crate) fn make_early(error: f64, names: &'static [&'static str]) -> impl Fn(HashSpec) -> TableProfile {
    with_params(ProfileParams::for_error(error).unwrap().without_quantiles_by_value(), names)
}

fn with_params(params: ProfileParams, names: &'static [&'static str]) -> impl Fn(HashSpec) -> TableProfile {
    move |spec| {
        let column = |&name: &&str| (name.into(), ColumnProfile::with_params(params).with_hash(spec));
        TableProfile::from_columns(params, spec, 0, names.iter().map(column).collect()).unwrap()
    }
}

/// A column of integers, and one of all types.
pub(crate) const BOTH: &[&str] = &["number", "text"];
/// A column whose files are so small that every byte of them is corrupted in every way.
pub(crate) const SHORT: &[&str] = &["short"];

/// The value of a hash in a column.
pub(crate) fn text(column: &str, hash: u64) -> String {
    let number = (hash >> 20) as i64 - (1 << 43);
    match (column, hash % 4) {
        ("short", _) => (hash >> 56).to_string(),
        ("number", _) => number.to_string(),
        (_, 0) => format!("{}.5", number / 1000),
        (_, 1) => format!("20{:02}-01-{:02}", hash >> 8 & 63, 1 + (hash >> 16) % 31),
        (_, 2) => "a long text ".repeat(9 + (hash >> 60) as usize),
        _ => format!("{hash:x}"),
    }
}

/// Adds copies of the value of a hash to all columns.
fn add(table: &mut TableProfile, hash: u64, copies: u64) {
    let spec = *table.hash_spec();
    let empty = TableProfile::with_params(table.params()).with_hash(spec);
    let mut columns = std::mem::replace(table, empty).into_columns();
    for (name, column) in &mut columns {
        let text = text(name, hash);
        column.add_hashed(text.as_bytes(), spec.hash_bytes(text.as_bytes()), copies);
    }
    *table = TableProfile::from_columns(table.params(), spec, columns[0].1.rows(), columns).unwrap();
}

/// The answer about each column: its distinct values, the ends, the frequent values, a quantile and the mean.
type Answers =
    Vec<(Estimate, Option<Vec<u8>>, Vec<TopValue>, Option<QuantileEstimate<Number>>, Option<Number>)>;

impl Subject for TableProfile {
    /// Texts and counts grow by doubling, and a copy takes no more memory than it needs.
    const MEMORY_IS_CANONICAL: bool = false;

    /// An answer about all items, not about a single one.
    type Answer = Answers;

    fn scale(&self) -> usize {
        self.params().counters() as usize
    }

    fn see_hash(&mut self, hash: u64) {
        add(self, hash, 1);
    }

    fn ask_hash(&self, _: u64) -> Answers {
        let answer = |(_, column): (&str, &ColumnProfile)| {
            let summary = column.summary();
            let least = summary.minimum().map(<[u8]>::to_vec);
            (summary.distinct(), least, summary.top(5), summary.quantile(0.5), summary.mean())
        };
        self.columns().map(answer).collect()
    }

    fn ask_hashes(&self, _: &[u64]) -> Vec<Answers> {
        vec![self.ask_hash(0)]
    }

    fn clear(&mut self) {
        let (params, spec) = (self.params(), *self.hash_spec());
        let empty = |(name, _): (&str, &ColumnProfile)| {
            (name.into(), ColumnProfile::with_params(params).with_hash(spec))
        };
        *self = TableProfile::from_columns(params, spec, 0, self.columns().map(empty).collect()).unwrap();
    }

    fn is_empty(&self) -> bool {
        self.rows() == 0
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        let copies = rng.next_u64() >> rng.below(64);
        add(self, rng.below(2 * self.scale() as u64), copies);
        let (params, spec) = (self.params(), *self.hash_spec());
        let empty = TableProfile::with_params(params).with_hash(spec);
        let mut columns = std::mem::replace(self, empty).into_columns();
        for (_, column) in &mut columns {
            column.add_missing(copies % 100);
        }
        *self = TableProfile::from_columns(params, spec, columns[0].1.rows(), columns).unwrap();
    }
}

#[test]
fn files() {
    let merged_with = |empty: TableProfile| {
        let mut merged = filled(empty.clone(), 200);
        merged.merge(&filled(empty, 500)).unwrap();
        merged
    };
    check("merged", &merged_with(make_early(1.0, BOTH)(HashSpec::default())));
    check("by-value", &merged_with(make(1.0, BOTH)(HashSpec::default())));
    let (params, spec) = (ProfileParams::default().without_quantiles_by_value(), HashSpec::default());
    let mut column = ColumnProfile::with_params(params);
    for text in
        ["true", "False", "12", "-0.5", "1e3", "007", "2013-01-31", "2013-01-31T10:00:00.25+01:00", "é", ""]
    {
        column.add(text.as_bytes());
    }
    column.add_missing(2);
    check("usual", &TableProfile::from_columns(params, spec, 12, vec![("mixed".into(), column)]).unwrap());
    check("no-columns", &TableProfile::with_params(params).with_hash(spec));
}
