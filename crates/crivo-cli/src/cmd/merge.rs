//! `crivo merge`: sketches of parts become the sketch of the whole.

use super::sketch_file::load_merged;
use crate::args::{KeyArgs, LimitArgs, OutputArgs};
use crate::output::{Answer, Output, plural, size};
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// Make one sketch of many, as if it had seen all their inputs
///
/// The sketches must be of one kind, with the same parameters and the same seed or key.
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
        let bytes = merged.encode();
        target.write(&bytes)?;
        let (files, length) = (self.files.len() as u64, bytes.len() as u64);
        let mut output = Output::new();
        if self.json {
            output.json(&Answer::Merged {
                saved: target.name(),
                kind: info.name,
                files,
                file_bytes: length,
            })?;
        } else {
            let files = plural(files, "sketch", "sketches");
            output.line(&format!("{}: {} from {files}, {}", target.name(), info.name, size(length)))?;
        }
        output.flush()?;
        Ok(ExitCode::SUCCESS)
    }
}
