//! `crivo info`: what is in a sketch file.

use super::sketch_file::{authentic, decode, other_family, read};
use crate::args::{KeyArgs, LimitArgs};
use crate::output::{Answer, FactJson, Output, fact, named, seed, size};
use anyhow::{Context, Result};
use clap::Args;
use crivo::DecodeOptions;
use crivo::Family;
use crivo::hash::Algorithm;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What is in a sketch file
///
/// Works on keyed files without the key, from their header.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo info words.crv
  crivo info --json *.crv")]
pub(crate) struct Info {
    /// Sketch files
    #[arg(required = true, value_name = "FILE.crv")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    key: KeyArgs,

    /// One JSON object for each file instead of text
    #[arg(long)]
    json: bool,
}

impl Info {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        self.run_for(None)
    }

    /// Refuses sketches of another family, if one is given.
    pub(crate) fn run_for(&self, family: Option<Family>) -> Result<ExitCode> {
        let mut output = Output::new();
        let options = self.key.decode_options(&self.limit)?;
        for path in &self.files {
            let bytes = read(path, &options)?;
            let kind = crivo::peek(&bytes)?.kind;
            if let Some(family) = family.filter(|&family| family != kind.family()) {
                return Err(other_family(path, kind, family));
            }
            self.show(path, &bytes, &options, &mut output).with_context(|| path.display().to_string())?;
        }
        output.flush()?;
        Ok(ExitCode::SUCCESS)
    }

    fn show(&self, path: &Path, bytes: &[u8], options: &DecodeOptions, output: &mut Output) -> Result<()> {
        let header = crivo::peek(bytes)?;
        let sketch = if header.keyed && options.key.is_none() { None } else { Some(decode(bytes, options)?) };
        let facts = sketch.as_ref().map(|sketch| sketch.facts());
        let memory_bytes = sketch.as_ref().map(|sketch| sketch.memory_bytes() as u64);
        let info = header.kind.info();
        let hash = header.algorithm.map(Algorithm::name);
        let hash_seed = hash.map(|_| seed(header.seed_or_fingerprint));
        if self.json {
            return output.json(&Answer::Sketch {
                file: path.display().to_string(),
                kind: info.kind.name(),
                family: info.kind.family().name(),
                hash,
                seed: hash_seed,
                keyed: header.keyed,
                authentic: authentic(&header, sketch.is_some()),
                file_bytes: bytes.len() as u64,
                memory_bytes,
                facts: facts.as_deref().map(FactJson),
            });
        }
        output.line(&format!("{}: {}, {}", named(path), info.kind.name(), info.kind.summary()))?;
        let mut row = |name: &str, value: &str| output.line(&format!("  {name:<22} {value}"));
        if let (Some(hash), Some(seed)) = (hash, hash_seed) {
            let what = if header.keyed { "with a key of fingerprint" } else { "with seed" };
            row("hash", &format!("{hash} {what} {seed}"))?;
        }
        if header.keyed {
            row(
                "authentic",
                match authentic(&header, sketch.is_some()) {
                    Some(true) => "yes, its tag fits the key",
                    Some(false) => "no, it has no tag: whoever could write it may have changed it",
                    None => "not known without the key",
                },
            )?;
        }
        row("file", &size(bytes.len() as u64))?;
        if let Some(memory) = memory_bytes {
            row("memory", &size(memory))?;
        }
        match facts {
            None => row("contents", "need the key: give it with --secret-file")?,
            Some(facts) => {
                for found in &facts {
                    row(&found.name.replace('_', " "), &fact(found))?;
                }
            }
        }
        Ok(())
    }
}
