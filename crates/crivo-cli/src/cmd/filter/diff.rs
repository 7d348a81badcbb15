//! `crivo filter diff`: how two filters differ.

use super::membership;
use crate::args::{FormArgs, InputArgs, KeyArgs, LimitArgs};
use crate::cmd::sketch_file::{load, other_family};
use crate::input::{Batch, Input, Wants};
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Result, bail};
use clap::Args;
use crivo::sketch::{Fact, Sketch};
use crivo::{BloomFilter, Estimate, Family, HashSpec};
use crivo_report::{Bar, FactJson, Page, Records, Report, Text, estimate, fact, named, size};
use serde::Serialize;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Compare two filters
///
/// Without input files, shows both filters side by side, marks the differences with a star, and for Bloom filters of
/// the same size estimates how many items they have in common. With input files, prints the records that only one of
/// the two filters contains: '< ' marks records of the first, '> ' records of the second. The other filter certainly
/// does not contain them.
///
/// As with diff, the exit code is 0 if there is no difference, 1 if there is one, and 2 after an error.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo filter diff monday.crv tuesday.crv
  crivo filter diff monday.crv tuesday.crv users.txt
  crivo filter query monday.crv --keys users.txt | crivo filter query --invert tuesday.crv    # on monday only")]
pub(crate) struct Diff {
    /// The first filter
    #[arg(value_name = "A.crv")]
    a: PathBuf,

    /// The second filter
    #[arg(value_name = "B.crv")]
    b: PathBuf,

    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    key: KeyArgs,

    #[command(flatten)]
    form: FormArgs,
}

impl Verb for Diff {
    type Report = Box<dyn Report>;

    fn manner(&self) -> Manner {
        self.form.manner(false)
    }

    fn run(self, session: &Session) -> Result<Box<dyn Report>> {
        let options = self.key.decode_options(self.limit, session)?;
        let (a, b) = (load(&self.a, &options, session)?, load(&self.b, &options, session)?);
        let filters = [(self.a, a), (self.b, b)];
        for (path, filter) in &filters {
            if filter.kind().family() != Family::Membership {
                return Err(other_family(path, filter.kind(), Family::Membership));
            }
        }
        if !self.input.is_named() {
            return Ok(Box::new(Compared::new(filters)));
        }
        let spec = common_hash(&filters)?;
        let (input, end) = (self.input.open(self.limit, session)?, self.input.record_end());
        Ok(Box::new(compare(input, &filters, spec, end, session)?))
    }
}

/// How both hash items, which must be the same way.
fn common_hash([(path_a, a), (path_b, b)]: &[(PathBuf, Box<dyn Sketch>); 2]) -> Result<HashSpec> {
    let (Some(_), Some(_), Some(&spec)) = (membership(&**a), membership(&**b), a.hashing()) else {
        bail!("only filters of hashed items can be asked for lines; see both with: crivo filter diff");
    };
    match b.hashing() {
        Some(other) if *other == spec => Ok(spec),
        other => bail!(
            "{} and {} hash differently: {spec} and {}; build both with the same seed or key",
            path_a.display(),
            path_b.display(),
            other.map_or("not at all".into(), ToString::to_string)
        ),
    }
}

/// Both filters side by side. The estimates are missing where the kind has none.
struct Compared {
    filters: [(PathBuf, Box<dyn Sketch>); 2],
    is_same: bool,
    both_and_either: Option<(Estimate, Estimate)>,
}

/// One of two filters.
#[derive(Serialize)]
struct FilterRecord<'a> {
    file: String,
    kind: &'static str,
    facts: FactJson<'a>,
}

/// The estimates are null where the kind has none.
#[derive(Serialize)]
#[serde(tag = "type", rename = "diff")]
struct DiffRecord<'a> {
    a: FilterRecord<'a>,
    b: FilterRecord<'a>,
    same: bool,
    both: Option<Bar>,
    either: Option<Bar>,
}

impl Compared {
    fn new(filters: [(PathBuf, Box<dyn Sketch>); 2]) -> Self {
        let [(_, a), (_, b)] = &filters;
        let bloom = |filter: &dyn Sketch| filter.downcast_ref::<BloomFilter>().cloned();
        let both_and_either = bloom(&**a).zip(bloom(&**b)).and_then(|(a, b)| common(a, &b).ok());
        Self { is_same: a.to_bytes() == b.to_bytes(), both_and_either, filters }
    }

    fn facts(&self) -> [Vec<Fact>; 2] {
        self.filters.each_ref().map(|(_, filter)| filter.facts())
    }
}

impl Report for Compared {
    fn text(&self, page: &mut Page) {
        let names = self.filters.each_ref().map(|(path, _)| named(path));
        let [(_, a), (_, b)] = &self.filters;
        let rows = side_by_side(&**a, &**b, &self.facts());
        let width = |column: &dyn Fn(&Row) -> usize| rows.iter().map(column).max().unwrap_or_default();
        let first = width(&|row| row.name.len());
        let second = width(&|row| row.values[0].chars().count()).max(names[0].chars().count());
        let mut line = |mark, name: &str, [a, b]: &[String; 2]| {
            page.line(&format!("{mark} {name:<first$}  {a:<second$}  {b}"));
        };
        line(' ', "", &names);
        for Row { name, values } in &rows {
            line(if values[0] == values[1] { ' ' } else { '*' }, name, values);
        }
        if let Some((both, either)) = &self.both_and_either {
            page.line("");
            page.line(&format!("in both    {}", estimate(both, "")));
            page.line(&format!("in either  {}", estimate(either, "")));
        }
    }

    fn records(&self, records: &mut Records) {
        let facts = self.facts();
        let filter = |place: usize| {
            let (path, filter): &(PathBuf, Box<dyn Sketch>) = &self.filters[place];
            let (file, kind) = (path.display().to_string(), filter.kind().name());
            FilterRecord { file, kind, facts: FactJson(&facts[place]) }
        };
        let (both, either) = self.both_and_either.map(|(both, either)| (both.into(), either.into())).unzip();
        records.row(&DiffRecord { a: filter(0), b: filter(1), same: self.is_same, both, either });
    }

    fn exit_code(&self) -> u8 {
        u8::from(!self.is_same)
    }
}

/// The first or the second of two.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum Side {
    A,
    B,
}

/// Records that only one filter reports.
struct OnlyOne<'a> {
    records: Vec<(Side, &'a [u8])>,
    end: u8,
}

#[derive(Serialize)]
#[serde(tag = "type", rename = "difference")]
struct DifferenceRecord<'a> {
    only: Side,
    record: Text<'a>,
}

impl Report for OnlyOne<'_> {
    fn text(&self, page: &mut Page) {
        for (only, record) in &self.records {
            page.bytes(match only {
                Side::A => b"< ",
                Side::B => b"> ",
            });
            page.record(record, self.end);
        }
    }

    fn records(&self, records: &mut Records) {
        for &(only, record) in &self.records {
            records.row(&DifferenceRecord { only, record: Text::from(record) });
        }
    }
}

/// How many records only one filter reports, and how many others there are.
#[derive(Default, Serialize)]
#[serde(tag = "type", rename = "differences")]
struct Differences {
    only_a: u64,
    only_b: u64,
    both: u64,
    neither: u64,
    missing: u64,
}

/// Shows the records that only one filter reports.
fn compare(
    input: Input,
    filters: &[(PathBuf, Box<dyn Sketch>); 2],
    spec: HashSpec,
    end: u8,
    session: &Session,
) -> Result<Differences> {
    let mut all = Differences::default();
    input.read(Wants::hashes(spec).and_records(), |batch: &Batch<'_>| {
        let [in_a, in_b] = filters.each_ref().map(|(_, filter)| {
            let filter = membership(&**filter).expect("checked before it was read");
            filter.contains_hashes(batch.hashes)
        });
        let mut records = Vec::new();
        all.missing += batch.missing.len() as u64;
        for ((record, in_a), (_, in_b)) in batch.records(&in_a).zip(batch.records(&in_b)) {
            let (number, side) = match (in_a, in_b) {
                (Some(true), Some(false)) => (&mut all.only_a, Some(Side::A)),
                (Some(false), Some(true)) => (&mut all.only_b, Some(Side::B)),
                (Some(true), _) => (&mut all.both, None),
                (Some(false), _) => (&mut all.neither, None),
                (None, _) => continue,
            };
            *number += 1;
            records.extend(side.map(|only| (only, record)));
        }
        session.show(&OnlyOne { records, end })?;
        session.flush()?;
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(all)
}

impl Report for Differences {
    fn text(&self, _page: &mut Page) {}

    fn records(&self, records: &mut Records) {
        records.total(self);
    }

    fn exit_code(&self) -> u8 {
        u8::from(self.only_a + self.only_b > 0)
    }
}

/// How many items are in both, and in one or the other.
fn common(mut a: BloomFilter, b: &BloomFilter) -> crivo::Result<(Estimate, Estimate)> {
    let both = a.intersection_estimate(b)?;
    a.merge(b)?;
    Ok((both, a.cardinality()))
}

struct Row {
    name: String,
    values: [String; 2],
}

fn side_by_side(a: &dyn Sketch, b: &dyn Sketch, facts: &[Vec<Fact>; 2]) -> Vec<Row> {
    let row = |name: &str, value: &dyn Fn(&dyn Sketch) -> String| Row {
        name: name.into(),
        values: [value(a), value(b)],
    };
    let mut rows = vec![
        row("kind", &|filter| filter.kind().name().into()),
        row("hash", &|filter| filter.hashing().map_or("none".into(), ToString::to_string)),
        row("memory", &|filter| size(filter.memory_bytes() as u64)),
    ];
    let find = |facts: &[Fact], name| facts.iter().find(|fact| fact.name == name).map_or(String::new(), fact);
    let mut names: Vec<&str> = Vec::new();
    for Fact { name, .. } in facts.iter().flatten() {
        if !names.contains(name) {
            names.push(name);
        }
    }
    rows.extend(names.into_iter().map(|name| Row {
        name: name.replace('_', " "),
        values: [find(&facts[0], name), find(&facts[1], name)],
    }));
    rows
}
