//! `crivo distinct --union`, `--intersect` and `--minus`: questions about saved sketches.

use super::Distinct;
use crate::cmd::counter::Counter;
use crate::cmd::foreign;
use crate::cmd::sketch_file::{load_merged, other_family};
use crate::session::Session;
use anyhow::{Context, Result, bail};
use crivo::{DecodeOptions, Estimate, Family, compare_sets};
use crivo_interop::Foreign;
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
        let (question, first) = match files {
            [] => bail!("name the sketch files to ask; crivo distinct --save makes them"),
            _ if self.union => (Question::Union, files),
            [first, _, ..] if self.minus => (Question::Minus, std::slice::from_ref(first)),
            [first, _] if self.intersect => (Question::Intersect, std::slice::from_ref(first)),
            _ if self.minus => bail!("--minus needs two sketches or more: the first, and those to take away"),
            _ => bail!("--intersect needs two sketches, got {}", files.len()),
        };
        let others = &files[first.len()..];
        let distinct = match foreign::load_merged(first, &options()?, session)? {
            Some(sketch) => foreign_sets(question, (first, sketch), others, &options()?, session)?,
            None => own_sets(question, first, others, &options()?, session)?,
        };
        Ok(SetsCount { question, distinct, swamped: distinct.is_swamped(), files: files.len() as u64 })
    }
}

fn own_sets(
    question: Question,
    first: &[PathBuf],
    others: &[PathBuf],
    options: &DecodeOptions,
    session: &Session,
) -> Result<Estimate> {
    let counter = load_counter(first, options, session)?;
    if others.is_empty() {
        return Ok(counter.estimate());
    }
    let other = load_counter(others, options, session)?;
    let sets = compare_sets(counter.sketch(), other.sketch()).with_context(|| {
        format!("{}: cannot be compared with {}", others[0].display(), first[0].display())
    })?;
    Ok(if question == Question::Minus { sets.only_first } else { sets.intersection })
}

/// Answers from sketches of another library.
fn foreign_sets(
    question: Question,
    (path, sketch): (&[PathBuf], Foreign),
    others: &[PathBuf],
    options: &DecodeOptions,
    session: &Session,
) -> Result<Estimate> {
    if others.is_empty() {
        return Ok(sketch.cardinality()?);
    }
    let Some(rest) = foreign::load_merged(others, options, session)? else {
        bail!("{}: is no sketch of another library, as {} is", others[0].display(), path[0].display());
    };
    let first = foreign::theta_of(&path[0], sketch)?;
    let rest = foreign::theta_of(&others[0], rest)?;
    let sketch =
        if question == Question::Minus { first.difference(&rest)? } else { first.intersection(&rest)? };
    Ok(sketch.estimate())
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
