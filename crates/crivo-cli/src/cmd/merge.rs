//! `crivo merge`: sketches of parts become the sketch of the whole.

use super::sketch_file::load_merged;
use crate::args::{KeyArgs, LimitArgs, OutputArgs};
use crate::output::{Answer, Output, plural, size};
use anyhow::Result;
use clap::Args;
use crivo::sketch::Sketch;
use crivo::{CountMin, MergeLaw};
use std::path::PathBuf;
use std::process::ExitCode;

/// Make one sketch of many, for all their inputs
///
/// The sketches must be of one kind, with the same parameters and the same seed or key; samples must have different
/// seeds. What is printed says what holds: a sketch merged exactly is the one of a single pass over all inputs, byte for
/// byte; one merged within its error answers as truly as its error bars say; one merged by distribution has the
/// probabilities of a single pass.
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

    /// One JSON object instead of text
    #[arg(long, help_heading = "Output")]
    json: bool,
}

impl Merge {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let target = self.output.target()?;
        let options = self.key.decode_options(&self.limit)?;
        let merged = load_merged(&self.files, &options)?;
        let info = merged.kind().info();
        let law = if self.files.len() > 1 { law(&*merged) } else { None };
        let bytes = merged.to_bytes();
        target.write(&bytes)?;
        let (files, length) = (self.files.len() as u64, bytes.len() as u64);
        let mut output = Output::new();
        if self.json {
            output.json(&Answer::Merged {
                saved: target.name(),
                kind: info.kind.name(),
                files,
                law: law.map(|(name, _)| name),
                file_bytes: length,
            })?;
        } else {
            let files = plural(files, "sketch", "sketches");
            let law = law.map(|(_, words)| format!(", merged {words}")).unwrap_or_default();
            output.line(&format!(
                "{}: {} from {files}{law}, {}",
                target.name(),
                info.kind.name(),
                size(length)
            ))?;
        }
        output.flush()?;
        Ok(ExitCode::SUCCESS)
    }
}

/// What holds for a merged sketch: for machines, and for people.
fn law(merged: &dyn Sketch) -> Option<(&'static str, &'static str)> {
    const BOUNDED: (&str, &str) = ("bounded", "within its error");
    // Conservative sketches add up to one that is as right, but not as close as that of a single pass.
    let table = merged.downcast_ref::<CountMin>();
    if table.is_some_and(|table| table.params().is_conservative()) {
        return Some(BOUNDED);
    }
    match merged.kind().merge_law()? {
        MergeLaw::Exact => Some(("exact", "exactly")),
        MergeLaw::Bounded => Some(BOUNDED),
        MergeLaw::Distribution => Some(("distribution", "by distribution")),
        _ => None,
    }
}
