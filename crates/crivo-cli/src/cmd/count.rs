//! `crivo count`: how often?

use super::sketch_file::{load, other_family};
use crate::args::{HashArgs, InputArgs, LimitArgs, SaveArgs, parse_share, parse_size};
use crate::input::{Totals, read_lines};
use crate::output::{Answer, Output, Text, estimate, plural, save_and_print, shown};
use anyhow::Result;
use clap::Args;
use crivo::{CountMin, CountMinParams, Family};
use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

/// How often given keys occur
///
/// Counts with Count-Min: an answer is never below the truth, and above it by at most a small share of all
/// items, with the probability shown.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo count access.log --key 'GET /'
  crivo count visits.csv --column page --key /home --key /about
  crivo count visits.csv --column page --save pages.crv
  crivo count --from pages.crv --keys wanted.txt")]
pub(crate) struct Count {
    #[command(flatten)]
    input: InputArgs,

    /// A key to look up; may be given many times
    #[arg(long = "key", short, value_name = "KEY", required_unless_present_any = ["keys_file", "save"])]
    keys: Vec<OsString>,

    /// A file of keys to look up, one a line, gzip and zstd too
    #[arg(long = "keys", value_name = "FILE")]
    keys_file: Option<PathBuf>,

    /// Look the keys up in a saved sketch, reading no input
    #[arg(long, value_name = "FILE.crv",
          conflicts_with_all = ["files", "error", "delta", "memory", "conservative", "seed", "save", "column",
                                "format", "delimiter", "no_header", "null", "jobs"])]
    from: Option<PathBuf>,

    /// An answer exceeds the truth by at most this share of all items …
    #[arg(long, value_name = "SHARE", default_value_t = 0.0001, value_parser = parse_share, conflicts_with = "memory")]
    error: f64,

    /// … but for this probability
    #[arg(long, value_name = "PROBABILITY", default_value_t = 0.01, value_parser = parse_share)]
    delta: f64,

    /// Use this much memory instead of deriving it from --error
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory: Option<u64>,

    /// Raise only the counters that must rise: closer answers, but merged sketches lose some of it
    #[arg(long)]
    conservative: bool,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    hash: HashArgs,

    #[command(flatten)]
    save: SaveArgs,

    /// JSON objects instead of text, one a line
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// No progress and no remarks
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

impl Count {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let keys = self.all_keys()?;
        let target = self.save.target()?;
        let (sketch, totals) = self.sketch()?;
        save_and_print(
            target.as_ref(),
            || sketch.to_bytes(),
            |output, saved| self.print(output, &keys, &sketch, totals.nulls, saved),
        )?;
        Ok(ExitCode::SUCCESS)
    }

    fn print(
        &self,
        output: &mut Output,
        keys: &[Vec<u8>],
        sketch: &CountMin,
        nulls: u64,
        saved: Option<String>,
    ) -> Result<()> {
        let hashes: Vec<u64> = keys.iter().map(|key| sketch.hash_spec().hash_bytes(key)).collect();
        for (key, frequency) in keys.iter().zip(sketch.frequency_hashes(&hashes)) {
            if self.json {
                output.json(&Answer::Frequency { key: Text::from(&key[..]), frequency: frequency.into() })?;
            } else {
                output.line(&format!("{}\t{}", shown(key), estimate(&frequency, "")))?;
            }
        }
        let items = sketch.total();
        if self.json {
            return output.json(&Answer::Count { items, nulls, saved });
        }
        let empty = plural(nulls, "empty value", "empty values");
        let beside = if nulls > 0 { format!(", {empty} not counted") } else { String::new() };
        output.line(&format!("of {}{beside}", plural(items, "item", "items")))
    }

    /// The keys, in the order given.
    fn all_keys(&self) -> Result<Vec<Vec<u8>>> {
        let mut keys: Vec<Vec<u8>> = self.keys.iter().map(|key| key.as_encoded_bytes().to_vec()).collect();
        if let Some(path) = &self.keys_file {
            keys.extend(read_lines(path, self.limit.max_memory)?);
        }
        Ok(keys)
    }

    /// Read from its file, or made from the input.
    fn sketch(&self) -> Result<(CountMin, Totals)> {
        if let Some(path) = &self.from {
            let sketch = load(path, &self.hash.decode_options(&self.limit)?)?;
            return match sketch.as_any().downcast_ref::<CountMin>() {
                Some(sketch) => Ok((sketch.clone(), Totals::default())),
                None => Err(other_family(path, sketch.kind(), Family::Frequency)),
            };
        }
        let params = match self.memory {
            Some(memory) => CountMinParams::for_memory(memory, self.delta)?,
            None => CountMinParams::for_error(self.error, self.delta)?,
        };
        let params = if self.conservative { params.conservative() } else { params };
        self.limit.check(params.memory_bytes())?;
        let spec = self.hash.spec()?;
        let input = self.input.open(self.quiet)?;
        let mut sketch = CountMin::with_spec(params, spec);
        let totals = input.read(spec, false, |batch| {
            sketch.add_hashes(batch.hashes);
            Ok(ControlFlow::Continue(()))
        })?;
        Ok((sketch, totals))
    }
}
