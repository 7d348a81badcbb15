//! `crivo join`: how many pairs?

use super::frequencies::{Frequencies, FrequencyKind, FrequencySize};
use super::sketch_file::is_sketch;
use crate::args::{FormatArgs, HashArgs, LimitArgs, parse_size};
use crate::input::{Columns, Totals, Wants};
use crate::output::{Answer, Bar, Output, estimate, named, plural};
use crate::session::Session;
use anyhow::{Context, Result};
use clap::Args;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

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

    /// One JSON object instead of text
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// No progress and no remarks
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

/// One of the two inputs.
struct Side {
    sketch: Frequencies,
    nulls: u64,
}

impl Join {
    pub(crate) fn run(&self, session: &Session) -> Result<ExitCode> {
        session.set_quiet(self.quiet);
        let (on_a, on_b) = match self.on.as_deref().map(|on| on.split_once('=').unwrap_or((on, on))) {
            Some((a, b)) => (Some(a), Some(b)),
            None => (None, None),
        };
        let saved_a = self.saved(&self.a, session)?;
        let saved_b = self.saved(&self.b, session)?;
        let empty = match saved_a.as_ref().or(saved_b.as_ref()) {
            Some(saved) => saved.empty_twin(),
            None => self.empty(session)?,
        };
        let a = self.side(&self.a, on_a, saved_a, &empty, session)?;
        let b = self.side(&self.b, on_b, saved_b, &empty, session)?;
        let pairs = a
            .sketch
            .inner_product(&b.sketch)
            .with_context(|| format!("{} and {} cannot be joined", self.a.display(), self.b.display()))?;
        let (rows_a, rows_b) = (a.sketch.total(), b.sketch.total());
        let mut output = Output::new();
        if self.json {
            output.json(&Answer::Join {
                kind: a.sketch.kind(),
                pairs: Bar::from(pairs).not_negative(),
                swamped: pairs.is_swamped(),
                rows_a,
                rows_b,
                nulls_a: a.nulls,
                nulls_b: b.nulls,
            })?;
            output.flush()?;
            return Ok(ExitCode::SUCCESS);
        }
        output.line(&estimate(&pairs, "pairs"))?;
        let rows = |rows| plural(rows, "record", "records");
        output.line(&format!("of {} and {}", rows(rows_a), rows(rows_b)))?;
        for (path, nulls) in [(&self.a, a.nulls), (&self.b, b.nulls)] {
            if nulls > 0 && !self.quiet {
                let empty = plural(nulls, "empty key", "empty keys");
                output.line(&format!("{empty} of {} left out", named(path)))?;
            }
        }
        if pairs.is_swamped() {
            output.line("the error is as large as the value; a larger --memory tells more")?;
        }
        output.flush()?;
        Ok(ExitCode::SUCCESS)
    }

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
        if let Some(sketch) = saved {
            return Ok(Side { sketch, nulls: 0 });
        }
        let mut sketch = empty.empty_twin();
        let columns = Columns { values: on.into_iter().collect(), ..Columns::default() };
        let input = self.format.open(&[path.to_owned()], columns, "--on", &self.limit, session)?;
        let Totals { nulls, .. } = input.read(Wants::hashes(sketch.spec()), |batch| {
            sketch.add(batch.hashes, &[])?;
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(Side { sketch, nulls })
    }
}
