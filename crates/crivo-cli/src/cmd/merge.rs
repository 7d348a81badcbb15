//! `crivo merge`: sketches of parts become the sketch of the whole.

use super::sketch_file::load_merged;
use crate::args::{FormArgs, KeyArgs, LimitArgs, OutputArgs};
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::Result;
use clap::Args;
use crivo::sketch::Sketch;
use crivo::{CountMin, MergeLaw};
use crivo_report::{Page, Records, Report, plural, size};
use serde::Serialize;
use std::path::PathBuf;

/// Merge sketches into one sketch of all their inputs
///
/// The sketches must be of the same kind, with the same parameters and the same seed or key; samples must have
/// different seeds. The output states the merge law: a sketch merged exactly equals, byte for byte, the sketch of a
/// single pass over all inputs; one merged within its error keeps its error bars; one merged by distribution has the
/// same probabilities as a single pass.
#[derive(Args, Debug)]
#[command(after_help = "Example:
  crivo merge monday.crv tuesday.crv -o week.crv && crivo info week.crv")]
pub(crate) struct Merge {
    /// Sketch files
    #[arg(required = true, value_name = "FILE.crv")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    key: KeyArgs,

    #[command(flatten)]
    form: FormArgs,
}

/// `law` is `exact`, `bounded` or `distribution`, null for a single file.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "merged")]
pub(crate) struct Merged {
    saved: String,
    kind: &'static str,
    files: u64,
    law: Option<&'static str>,
    file_bytes: u64,
}

impl Verb for Merge {
    type Report = Merged;

    fn manner(&self) -> Manner {
        self.form.manner(false)
    }

    fn run(self, session: &Session) -> Result<Merged> {
        let target = self.output.target(session)?;
        let options = self.key.decode_options(self.limit, session)?;
        let merged = load_merged(&self.files, &options, session)?;
        let bytes = merged.to_bytes();
        target.write(&bytes, session)?;
        Ok(Merged {
            saved: target.name(),
            kind: merged.kind().name(),
            files: self.files.len() as u64,
            law: if self.files.len() > 1 { law(&*merged) } else { None },
            file_bytes: bytes.len() as u64,
        })
    }
}

impl Report for Merged {
    fn text(&self, page: &mut Page) {
        let files = plural(self.files, "sketch", "sketches");
        let law = match self.law {
            Some("exact") => ", merged exactly",
            Some("bounded") => ", merged within its error",
            Some(_) => ", merged by distribution",
            None => "",
        };
        page.line(&format!("{}: {} from {files}{law}, {}", self.saved, self.kind, size(self.file_bytes)));
    }

    fn records(&self, records: &mut Records) {
        records.row(self);
    }
}

/// What holds for a merged sketch.
fn law(merged: &dyn Sketch) -> Option<&'static str> {
    // The sum of conservative sketches is as correct as a sketch of a single pass, but not as close.
    let table = merged.downcast_ref::<CountMin>();
    if table.is_some_and(|table| table.params().is_conservative()) {
        return Some("bounded");
    }
    match merged.kind().merge_law()? {
        MergeLaw::Exact => Some("exact"),
        MergeLaw::Bounded => Some("bounded"),
        MergeLaw::Distribution => Some("distribution"),
        _ => None,
    }
}
