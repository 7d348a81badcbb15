//! `crivo filter build`: a filter of everything read.

use crate::args::{HashArgs, InputArgs, LimitArgs, OutputArgs, parse_share};
use crate::input::{Input, Totals};
use crate::output::{Answer, Output, Target, count, plural, rate, size};
use anyhow::{Result, bail};
use clap::Args;
use crivo::{BloomFilter, BloomParams, HashSpec};
use std::ops::ControlFlow;
use std::process::ExitCode;

/// Make a filter of all items
///
/// Without --capacity the hashes of the different items are kept, 8 bytes each, until their number is
/// known, and the filter is made exactly large enough. With --capacity nothing but the filter is kept.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo filter build words.txt.gz -o words.crv
  crivo filter build visits.csv --column user -o users.crv --fpr 0.001
  zcat *.gz | crivo filter build -o seen.crv --capacity 1000000000 --fpr 0.01")]
pub(crate) struct Build {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    output: OutputArgs,

    /// Probability of a wrong yes
    #[arg(long, value_name = "P", default_value_t = 0.01, value_parser = parse_share)]
    fpr: f64,

    /// How many different items the filter is made for
    #[arg(long, value_name = "N")]
    capacity: Option<u64>,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    hash: HashArgs,

    /// One JSON object instead of text
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// No progress and no remarks
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

impl Build {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let spec = self.hash.spec()?;
        let params = self.params(self.capacity.unwrap_or(1))?;
        let target = self.output.target()?;
        let input = self.input.open(self.quiet)?;
        let (filter, totals) = match self.capacity {
            Some(_) => stream(input, spec, params)?,
            None => self.collect(input, spec)?,
        };
        let bytes = filter.to_bytes();
        target.write(&bytes)?;
        self.report(&filter, totals, &target, bytes.len() as u64)?;
        Ok(ExitCode::SUCCESS)
    }

    fn params(&self, capacity: u64) -> Result<BloomParams> {
        let params = BloomParams::for_fpr(capacity, self.fpr)?;
        self.limit.check(params.memory_bytes())?;
        Ok(params)
    }

    /// Keeps the hashes until the number of different ones is known.
    fn collect(&self, input: Input, spec: HashSpec) -> Result<(BloomFilter, Totals)> {
        let limit = usize::try_from(self.limit.max_memory / 8).unwrap_or(usize::MAX);
        let mut hashes: Vec<u64> = Vec::new();
        let mut tidy_at = limit.min(1 << 20);
        let totals = input.read(spec, false, |batch| {
            hashes.extend_from_slice(batch.hashes);
            if hashes.len() >= tidy_at {
                hashes.sort_unstable();
                hashes.dedup();
                if hashes.len() > limit {
                    bail!(
                        "more than {} different items, too many to keep in --max-memory {}; \
                         say about how many there are with --capacity",
                        count(limit as u64),
                        size(self.limit.max_memory)
                    );
                }
                tidy_at = (2 * hashes.len()).max(1 << 20).min(limit.max(hashes.len() + 1));
            }
            Ok(ControlFlow::Continue(()))
        })?;
        hashes.sort_unstable();
        hashes.dedup();
        let mut filter = BloomFilter::with_spec(self.params(hashes.len().max(1) as u64)?, spec);
        filter.insert_hashes(&hashes);
        Ok((filter, totals))
    }

    fn report(&self, filter: &BloomFilter, totals: Totals, target: &Target, bytes: u64) -> Result<()> {
        let wrong_yes = filter.fpr();
        let mut output = Output::new();
        if self.json {
            output.json(&Answer::Filter {
                saved: target.name(),
                items: totals.items,
                nulls: totals.nulls,
                bits: filter.params().bits(),
                hashes: filter.params().hashes(),
                bytes,
                wrong_yes: wrong_yes.into(),
            })?;
        } else {
            output.line(&format!(
                "{}: {} in {}",
                target.name(),
                plural(totals.items, "item", "items"),
                size(bytes)
            ))?;
            output.line(&format!("a wrong yes: {}", rate(&wrong_yes)))?;
            if totals.nulls > 0 {
                output.line(&format!("{} left out", plural(totals.nulls, "empty value", "empty values")))?;
            }
        }
        if let Some(capacity) = self.capacity
            && wrong_yes.lower() > self.fpr
            && !self.quiet
        {
            eprintln!(
                "crivo: there are more different items than the capacity of {}, so a wrong yes is likelier than \
                 the {} asked for; raise --capacity",
                count(capacity),
                self.fpr
            );
        }
        output.flush()
    }
}

/// Nothing but the filter is kept.
fn stream(input: Input, spec: HashSpec, params: BloomParams) -> Result<(BloomFilter, Totals)> {
    let mut filter = BloomFilter::with_spec(params, spec);
    let totals = input.read(spec, false, |batch| {
        filter.insert_hashes(batch.hashes);
        Ok(ControlFlow::Continue(()))
    })?;
    Ok((filter, totals))
}
