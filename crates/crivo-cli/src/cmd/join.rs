//! `crivo join`: how many pairs?

use super::frequencies::{Frequencies, FrequencyKind, FrequencySize};
use super::sketch_file::is_sketch;
use crate::args::{FormArgs, FormatArgs, HashArgs, LimitArgs, parse_size};
use crate::input::{Columns, Input, Totals, Wants};
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Context, Result};
use clap::Args;
use crivo::Estimate;
use crivo_report::{Bar, Page, Records, Report, estimate, named, plural};
use serde::Serialize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// How many pairs of records with one key two inputs have, before joining them
///
/// Each record of A goes with each record of B that has its key. The answer comes from a Count-Sketch of each side,
/// which is right on average, or from Count-Min, which is never too low.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo join flights.csv planes.csv --on tailnum
  crivo join visits.csv users.jsonl --on user=id
  crivo count visits.csv --column user --kind count-sketch --save visits.crv
  crivo join visits.crv users.jsonl --on id    # a saved sketch on either side")]
pub(crate) struct Join {
    /// The first input: data, or a sketch that 'crivo count' saved
    #[arg(value_name = "A")]
    a: PathBuf,

    /// The second input
    #[arg(value_name = "B")]
    b: PathBuf,

    /// The column with the keys, or NAME=NAME where the names differ; without it whole records are keys
    #[arg(long, value_name = "COLUMN")]
    on: Option<String>,

    /// Which sketch, where both inputs are data
    #[arg(long, value_enum, default_value_t = FrequencyKind::CountSketch)]
    kind: FrequencyKind,

    /// Use this much memory for each side
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "4MiB")]
    memory: u64,

    #[command(flatten)]
    format: FormatArgs,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    hash: HashArgs,

    #[command(flatten)]
    form: FormArgs,

    /// No progress and no remarks
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

pub(crate) struct Plan {
    sides: [Side; 2],
}

/// One of the two inputs.
pub(crate) struct Side {
    path: PathBuf,
    /// Saved, or empty.
    sketch: Frequencies,
    /// What goes into an empty one.
    input: Option<Input>,
    /// How many keys were empty.
    nulls: u64,
}

impl Side {
    /// All records into the sketch.
    fn read(mut self) -> Result<Self> {
        if let Some(input) = self.input.take() {
            let Totals { nulls, .. } = input.read(Wants::hashes(self.sketch.spec()), |batch| {
                self.sketch.add(batch.hashes, &[])?;
                Ok(ControlFlow::Continue(()))
            })?;
            self.nulls = nulls;
        }
        Ok(self)
    }

    fn totals(self) -> SideTotals {
        SideTotals { path: self.path, rows: self.sketch.total(), nulls: self.nulls }
    }
}

/// How many pairs of records with one key there are.
#[derive(Debug)]
pub(crate) struct Joined {
    kind: &'static str,
    pairs: Estimate,
    sides: [SideTotals; 2],
}

#[derive(Debug)]
struct SideTotals {
    path: PathBuf,
    rows: u64,
    nulls: u64,
}

#[derive(Serialize)]
#[serde(tag = "type", rename = "join")]
struct JoinRecord {
    kind: &'static str,
    pairs: Bar,
    swamped: bool,
    rows_a: u64,
    rows_b: u64,
    nulls_a: u64,
    nulls_b: u64,
}

impl Report for Joined {
    fn text(&self, page: &mut Page) {
        let [a, b] = &self.sides;
        let [rows_a, rows_b] = [a, b].map(|side| plural(side.rows, "record", "records"));
        page.line(&estimate(&self.pairs, "pairs"));
        page.line(&format!("of {rows_a} and {rows_b}"));
        for SideTotals { path, nulls, .. } in self.sides.iter().filter(|side| side.nulls > 0) {
            let empty = plural(*nulls, "empty key", "empty keys");
            page.note(&format!("{empty} of {} left out", named(path)));
        }
        if self.pairs.is_swamped() {
            page.line("the error is as large as the value; a larger --memory tells more");
        }
    }

    fn records(&self, records: &mut Records) {
        let [a, b] = &self.sides;
        records.row(&JoinRecord {
            kind: self.kind,
            pairs: Bar::from(self.pairs).not_negative(),
            swamped: self.pairs.is_swamped(),
            rows_a: a.rows,
            rows_b: b.rows,
            nulls_a: a.nulls,
            nulls_b: b.nulls,
        });
    }
}

impl Verb for Join {
    type Plan = Plan;
    type Report = Joined;

    fn manner(&self) -> Manner {
        self.form.manner(self.quiet)
    }

    fn plan(self, session: &Session) -> Result<Plan> {
        let (on_a, on_b) = self.on.as_deref().map(|on| on.split_once('=').unwrap_or((on, on))).unzip();
        let saved_a = self.saved(&self.a, session)?;
        let saved_b = self.saved(&self.b, session)?;
        let empty = match saved_a.as_ref().or(saved_b.as_ref()) {
            Some(saved) => saved.empty_twin(),
            None => self.empty(session)?,
        };
        let side = |path: &PathBuf, on: Option<&str>, saved| -> Result<Side> {
            let path = path.clone();
            let Some(sketch) = saved else {
                let columns = Columns { values: on.into_iter().collect(), ..Columns::default() };
                let file = std::slice::from_ref(&path);
                let input = self.format.open(file, columns, "--on", self.limit, session)?;
                return Ok(Side { path, sketch: empty.empty_twin(), input: Some(input), nulls: 0 });
            };
            Ok(Side { path, sketch, input: None, nulls: 0 })
        };
        Ok(Plan { sides: [side(&self.a, on_a, saved_a)?, side(&self.b, on_b, saved_b)?] })
    }

    fn run(Plan { sides: [a, b] }: Plan, _session: &Session) -> Result<Joined> {
        let (a, b) = (a.read()?, b.read()?);
        let pairs = a
            .sketch
            .inner_product(&b.sketch)
            .with_context(|| format!("{} and {} cannot be joined", a.path.display(), b.path.display()))?;
        Ok(Joined { kind: a.sketch.kind(), pairs, sides: [a, b].map(Side::totals) })
    }
}

impl Join {
    /// The sketch in `path`, if it is one.
    fn saved(&self, path: &Path, session: &Session) -> Result<Option<Frequencies>> {
        if !is_sketch(path, session)? {
            return Ok(None);
        }
        Frequencies::load(path, &self.hash.decode_options(self.limit, session)?, session).map(Some)
    }

    fn empty(&self, session: &Session) -> Result<Frequencies> {
        let size = FrequencySize {
            error: None,
            delta: 0.01,
            memory: Some(self.memory),
            conservative: false,
            weighted: false,
        };
        Frequencies::new(self.kind, size, self.hash.spec(session)?, |bytes| self.limit.check(2 * bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Folder, printed};

    /// Keys 0 to 999; key i comes `i % 7` times on the left and `i % 5` times on the right.
    fn tables(folder: &Folder) -> (String, String, f64) {
        let (mut left, mut right, mut pairs) = ("id,x\n".to_owned(), "x,key\n".to_owned(), 0);
        for key in 0..1000 {
            left += &format!("k{key},0\n").repeat(key % 7);
            right += &format!("0,k{key}\n").repeat(key % 5);
            pairs += (key % 7) * (key % 5);
        }
        left += ",0\n";
        (folder.write("left.csv", left), folder.write("right.csv", right), pairs as f64)
    }

    #[test]
    fn the_size_of_a_join() {
        let folder = Folder::new();
        let (left, right, truth) = tables(&folder);
        for kind in ["count-sketch", "count-min"] {
            let words = [&left, &right, "--on", "id=key", "--kind", kind, "--json"];
            let (Joined { pairs, kind: made, sides: [a, b] }, json) = printed::<Join>(&words);
            assert!(pairs.lower() <= truth && truth <= pairs.upper(), "{pairs:?} {truth}");
            assert!((pairs.value() - truth).abs() < 0.1 * truth && !pairs.is_swamped(), "{pairs:?} {truth}");
            assert_eq!((made, a.rows, b.rows, a.nulls, b.nulls), (kind, 2997, 2000, 1, 0));
            assert!(json.starts_with(&format!(r#"{{"type":"join","kind":"{kind}","pairs":{{"#)), "{json}");
            let ends = r#""swamped":false,"rows_a":2997,"rows_b":2000,"nulls_a":1,"nulls_b":0}"#;
            assert!(json.trim_end().ends_with(ends), "{json}");
        }
        let text = printed::<Join>(&[&left, &right, "--on", "id=key"]).1;
        let [pairs, rows, empty] = text.lines().collect::<Vec<_>>().try_into().unwrap();
        assert!(pairs.contains(" pairs  (at least 95 %: "), "{pairs}");
        assert_eq!(rows, "of 2,997 records and 2,000 records");
        assert_eq!(empty, format!("1 empty key of {left} left out"));
        let quiet = printed::<Join>(&[&left, &right, "--on", "id=key", "-q"]).1;
        assert_eq!(quiet.lines().count(), 2);
    }
}
