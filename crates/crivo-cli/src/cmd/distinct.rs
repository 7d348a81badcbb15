//! `crivo distinct`: how many different?

use crate::args::{HashArgs, InputArgs, SaveArgs, parse_share};
use crate::input::Totals;
use crate::output::{Answer, Output, estimate, plural, save_and_print};
use anyhow::Result;
use clap::Args;
use crivo::HyperLogLog;
use std::process::ExitCode;

/// How many different items there are
///
/// Counts with HyperLogLog: 64 KiB for an error of 1 %, whatever the input, and exact while the items are few.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo distinct access.log.gz
  crivo distinct visits.csv --column user --error 0.005
  cut -f1 data | crivo distinct --save monday.crv")]
pub(crate) struct Distinct {
    #[command(flatten)]
    input: InputArgs,

    /// Half-width of the 95 % interval, as a share of the answer
    #[arg(long, value_name = "SHARE", default_value_t = 0.01, value_parser = parse_share, conflicts_with = "precision")]
    error: f64,

    /// Use 2^P registers, P from 4 to 18, instead of deriving P from --error
    #[arg(long, value_name = "P")]
    precision: Option<u8>,

    #[command(flatten)]
    hash: HashArgs,

    #[command(flatten)]
    save: SaveArgs,

    /// One JSON object instead of text
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// No progress and no remarks
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

impl Distinct {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let spec = self.hash.spec()?;
        let sketch = match self.precision {
            Some(precision) => HyperLogLog::with_spec(precision, spec)?,
            None => HyperLogLog::with_spec(HyperLogLog::for_error(self.error)?.precision(), spec)?,
        };
        let target = self.save.target()?;
        let input = self.input.open(self.quiet)?;
        let states = vec![sketch; input.jobs];
        let (totals, mut sketches) = input.fold(spec, states, |sketch, hashes| {
            sketch.insert_hashes(hashes);
            Ok(())
        })?;
        let mut sketch = sketches.pop().expect("at least one worker");
        for part in &sketches {
            sketch.merge(part)?;
        }
        let distinct = sketch.estimate();
        let Totals { items, nulls } = totals;
        let print = |output: &mut Output, saved| {
            if self.json {
                return output.json(&Answer::Distinct { distinct: distinct.into(), items, nulls, saved });
            }
            output.line(&estimate(&distinct, "different"))?;
            if nulls > 0 {
                output.line(&format!("{} not counted", plural(nulls, "empty value", "empty values")))?;
            }
            Ok(())
        };
        save_and_print(target.as_ref(), || sketch.to_bytes(), print)?;
        Ok(ExitCode::SUCCESS)
    }
}
