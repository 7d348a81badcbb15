//! `crivo distinct --union`, `--intersect` and `--minus`: questions about saved sketches.

use super::Distinct;
use crate::cmd::counter::Counter;
use crate::cmd::sketch_file::{load_merged, other_family};
use crate::output::{Answer, Output, estimate, plural};
use crate::session::Session;
use anyhow::{Context, Result, bail};
use crivo::{Estimate, Family, compare_sets};
use std::path::PathBuf;

impl Distinct {
    /// Whether the files are sketches.
    pub(super) fn is_on_sketches(&self) -> bool {
        self.union || self.intersect || self.minus
    }

    /// Answers from saved sketches alone.
    pub(super) fn run_on_sketches(&self, session: &Session) -> Result<()> {
        let files = self.input.files();
        let (question, noun, distinct) = match files {
            [] => bail!("name the sketch files to ask; crivo distinct --save makes them"),
            _ if self.union => ("union", "different", self.load_counter(files, session)?.estimate()),
            [first, others @ ..] if self.minus && !others.is_empty() => {
                ("minus", "only in the first", self.compare(first, others, |sets| sets.only_first, session)?)
            }
            [first, second] if self.intersect => {
                let second = std::slice::from_ref(second);
                ("intersect", "in both", self.compare(first, second, |sets| sets.intersection, session)?)
            }
            _ if self.minus => bail!("--minus needs two sketches or more: the first, and those to take away"),
            _ => bail!("--intersect needs two sketches, got {}", files.len()),
        };
        let (files, swamped) = (files.len() as u64, distinct.is_swamped());
        let mut output = Output::new();
        if self.json {
            output.json(&Answer::Sets { question, distinct: distinct.into(), swamped, files })?;
            return output.flush();
        }
        output.line(&estimate(&distinct, noun))?;
        if distinct.upper().is_infinite() {
            output.line("a sketch is full: only a lower bound is left; make it larger, with --items")?;
        } else if swamped {
            let most = plural(distinct.upper().floor() as u64, "item", "items");
            output.line(&format!(
                "the error is as large as the value: there are at most {most}; sketches of --kind joint or k-min-values, \
                 or with a smaller --error, tell more"
            ))?;
        }
        output.flush()
    }

    fn compare(
        &self,
        first: &PathBuf,
        others: &[PathBuf],
        answer: impl FnOnce(crivo::cardinality::Sets) -> Estimate,
        session: &Session,
    ) -> Result<Estimate> {
        let one = self.load_counter(std::slice::from_ref(first), session)?;
        let other = self.load_counter(others, session)?;
        let sets = compare_sets(one.sketch(), other.sketch());
        Ok(answer(sets.with_context(|| {
            format!("{}: cannot be compared with {}", others[0].display(), first.display())
        })?))
    }

    fn load_counter(&self, files: &[PathBuf], session: &Session) -> Result<Counter> {
        let sketch = load_merged(files, &self.hash.decode_options(&self.limit, session)?, session)?;
        let kind = sketch.kind();
        Counter::new(sketch).ok_or_else(|| other_family(&files[0], kind, Family::Cardinality))
    }
}
