//! `crivo join`: how many pairs?

use super::frequencies::{Frequencies, FrequencyKind, FrequencySize};
use super::sketch_file::is_sketch;
use crate::args::{FormArgs, FormatArgs, HashArgs, LimitArgs, parse_size};
use crate::input::{Columns, Input, Wants};
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

/// One of the two inputs: its sketch, and what is to be counted in it.
pub(crate) struct Side {
    path: PathBuf,
    sketch: Frequencies,
    input: Option<Input>,
}

impl Verb for Join {
    type Plan = [Side; 2];
    type Report = Pairs;

    fn manner(&self) -> Manner {
        self.form.manner(self.quiet)
    }

    fn plan(self, session: &Session) -> Result<[Side; 2]> {
        let on = self.on.as_deref().map(|on| on.split_once('=').unwrap_or((on, on)));
        let (on_a, on_b) = on.unzip();
        let saved_a = self.saved(&self.a, session)?;
        let saved_b = self.saved(&self.b, session)?;
        let empty = match saved_a.as_ref().or(saved_b.as_ref()) {
            Some(saved) => saved.empty_twin(),
            None => self.empty(session)?,
        };
        let a = self.side(&self.a, on_a, saved_a, &empty, session)?;
        let b = self.side(&self.b, on_b, saved_b, &empty, session)?;
        Ok([a, b])
    }

    fn run([mut a, mut b]: [Side; 2], _session: &Session) -> Result<Pairs> {
        let (nulls_a, nulls_b) = (a.read()?, b.read()?);
        let (path_a, path_b) = (a.path, b.path);
        let pairs = a
            .sketch
            .inner_product(&b.sketch)
            .with_context(|| format!("{} and {} cannot be joined", path_a.display(), path_b.display()))?;
        Ok(Pairs {
            kind: a.sketch.kind(),
            pairs,
            sides: [(path_a, a.sketch.total(), nulls_a), (path_b, b.sketch.total(), nulls_b)],
        })
    }
}

impl Side {
    /// Counts what there is to count, and tells how many keys are empty.
    fn read(&mut self) -> Result<u64> {
        let Some(input) = self.input.take() else { return Ok(0) };
        let totals = input.read(Wants::hashes(self.sketch.spec()), |batch| {
            self.sketch.add(batch.hashes, &[])?;
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(totals.nulls)
    }
}

/// How many pairs two inputs have.
#[derive(Debug)]
pub(crate) struct Pairs {
    kind: &'static str,
    pairs: Estimate,
    /// The name of each input, its records and its empty keys.
    sides: [(PathBuf, u64, u64); 2],
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

impl Report for Pairs {
    fn text(&self, page: &mut Page) {
        page.line(&estimate(&self.pairs, "pairs"));
        let [rows_a, rows_b] = self.sides.each_ref().map(|(_, rows, _)| plural(*rows, "record", "records"));
        page.line(&format!("of {rows_a} and {rows_b}"));
        for (path, _, nulls) in self.sides.iter().filter(|(_, _, nulls)| *nulls > 0) {
            let empty = plural(*nulls, "empty key", "empty keys");
            page.note(&format!("{empty} of {} left out", named(path)));
        }
        if self.pairs.is_swamped() {
            page.line("the error is as large as the value; a larger --memory tells more");
        }
    }

    fn records(&self, records: &mut Records) {
        let [(_, rows_a, nulls_a), (_, rows_b, nulls_b)] = &self.sides;
        let (rows_a, rows_b, nulls_a, nulls_b) = (*rows_a, *rows_b, *nulls_a, *nulls_b);
        let (kind, swamped) = (self.kind, self.pairs.is_swamped());
        let pairs = Bar::from(self.pairs).not_negative();
        records.row(&JoinRecord { kind, pairs, swamped, rows_a, rows_b, nulls_a, nulls_b });
    }
}

impl Join {
    /// The sketch in `path`, if it is one.
    fn saved(&self, path: &Path, session: &Session) -> Result<Option<Frequencies>> {
        if !is_sketch(path, session)? {
            return Ok(None);
        }
        Frequencies::load(path, &self.hash.decode_options(&self.limit, session)?, session).map(Some)
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

    /// The sketch that was saved, or one of the records of `path`.
    fn side(
        &self,
        path: &Path,
        on: Option<&str>,
        saved: Option<Frequencies>,
        empty: &Frequencies,
        session: &Session,
    ) -> Result<Side> {
        let path = path.to_owned();
        if let Some(sketch) = saved {
            return Ok(Side { path, sketch, input: None });
        }
        let columns = Columns { values: on.into_iter().collect(), ..Columns::default() };
        let input = self.format.open(&[path.clone()], columns, "--on", &self.limit, session)?;
        Ok(Side { path, sketch: empty.empty_twin(), input: Some(input) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::testing::run;

    #[test]
    fn pairs_of_records_with_one_key() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b] = ["a.csv", "b.csv"].map(|name| folder.path().join(name));
        std::fs::write(&a, "user,x\nann,1\nbob,2\nann,3\n,4\n").unwrap();
        std::fs::write(&b, "id\nann\nbob\nbob\n").unwrap();
        let words = [a.to_str().unwrap(), b.to_str().unwrap(), "--on", "user=id", "--kind", "count-min"];
        let (report, recorded) = run::<Join>(&words).unwrap();
        assert!(report.pairs.contains(4.0), "{:?}", report.pairs);
        assert_eq!((report.sides[0].1, report.sides[0].2, report.sides[1].1), (3, 1, 3));
        recorded.session.finish(&report).unwrap();
        assert!(recorded.printed().contains("of 3 records and 3 records\n1 empty key of "));
    }
}
