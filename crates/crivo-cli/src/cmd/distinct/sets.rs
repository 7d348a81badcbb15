//! `crivo distinct --union`, `--intersect` and `--minus`: questions about saved sketches.

use super::Distinct;
use crate::cmd::counter::Counter;
use crate::cmd::sketch_file::{load_merged, other_family};
use crate::session::Session;
use anyhow::{Context, Result, bail};
use crivo::{DecodeOptions, Estimate, Family, compare_sets};
use crivo_report::{Page, Records, Report, as_bar, estimate, plural};
use serde::Serialize;
use std::path::PathBuf;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Question {
    Union,
    Intersect,
    Minus,
}

impl Distinct {
    /// Reads the saved sketches, and answers.
    pub(super) fn sets(&self, session: &Session) -> Result<SetsCount> {
        let files = self.input.files();
        let options = || self.hash.decode_options(self.limit, session);
        let load = |files: &[PathBuf]| load_counter(files, &options()?, session);
        let (question, first) = match files {
            [] => bail!("name the sketch files to ask; crivo distinct --save makes them"),
            _ if self.union => (Question::Union, files),
            [first, _, ..] if self.minus => (Question::Minus, std::slice::from_ref(first)),
            [first, _] if self.intersect => (Question::Intersect, std::slice::from_ref(first)),
            _ if self.minus => bail!("--minus needs two sketches or more: the first, and those to take away"),
            _ => bail!("--intersect needs two sketches, got {}", files.len()),
        };
        let counter = load(first)?;
        let distinct = match &files[first.len()..] {
            [] => counter.estimate(),
            others => {
                let sets = compare_sets(counter.sketch(), load(others)?.sketch()).with_context(|| {
                    format!("{}: cannot be compared with {}", others[0].display(), first[0].display())
                })?;
                if question == Question::Minus { sets.only_first } else { sets.intersection }
            }
        };
        Ok(SetsCount { question, distinct, swamped: distinct.is_swamped(), files: files.len() as u64 })
    }
}

/// How many items are in both sets, in either, or in the first alone.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "sets")]
pub(super) struct SetsCount {
    question: Question,
    #[serde(serialize_with = "as_bar")]
    distinct: Estimate,
    /// Whether the error is as large as the value.
    swamped: bool,
    files: u64,
}

impl Report for SetsCount {
    fn text(&self, page: &mut Page) {
        let noun = match self.question {
            Question::Union => "distinct",
            Question::Intersect => "in both",
            Question::Minus => "only in the first",
        };
        page.line(&estimate(&self.distinct, noun));
        if self.distinct.upper().is_infinite() {
            page.line("a sketch is full and gives only a lower bound; make a larger one with --items");
        } else if self.swamped {
            let most = plural(self.distinct.upper().floor() as u64, "item", "items");
            page.line(&format!(
                "the error is as large as the value: there are at most {most}; sketches of --kind joint or k-min-values, \
                 or with a smaller --error, give a closer estimate"
            ));
        }
    }

    fn records(&self, records: &mut Records) {
        records.row(self);
    }
}

fn load_counter(files: &[PathBuf], options: &DecodeOptions, session: &Session) -> Result<Counter> {
    let sketch = load_merged(files, false, options, session)?.sketch;
    let kind = sketch.kind();
    Counter::new(sketch).ok_or_else(|| other_family(&files[0], kind, Family::Cardinality))
}
