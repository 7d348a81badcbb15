//! `crivo distinct --union`: questions about saved sketches.

use super::Distinct;
use crate::cmd::counter::Counter;
use crate::cmd::sketch_file::{load_merged, other_family};
use crate::output::{Answer, Output, estimate};
use anyhow::{Result, bail};
use crivo::Family;

impl Distinct {
    /// Answers from saved sketches alone.
    pub(super) fn run_on_sketches(&self) -> Result<()> {
        let files = self.input.files();
        if files.is_empty() {
            bail!("name the sketch files to ask; crivo distinct --save makes them");
        }
        let sketch = load_merged(files, &self.hash.decode_options(&self.limit)?)?;
        let kind = sketch.kind();
        let Some(counter) = Counter::new(sketch) else {
            return Err(other_family(&files[0], kind, Family::Cardinality));
        };
        let distinct = counter.estimate();
        let mut output = Output::new();
        if self.json {
            let question = "union";
            output.json(&Answer::Sets { question, distinct: distinct.into(), files: files.len() as u64 })?;
        } else {
            output.line(&estimate(&distinct, "different"))?;
        }
        output.flush()
    }
}
