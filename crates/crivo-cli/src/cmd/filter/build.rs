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
/// Without --capacity the hashes of the different items are kept, up to 16 bytes each, until their number
/// is known, and the filter is made exactly large enough. With --capacity nothing but the filter is kept.
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

/// So high that a filter filled to its capacity is hardly ever called overfull.
const OVERFULL_CONFIDENCE: f64 = 0.999_999;

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
        let mut different = Different::new(self.limit.max_memory);
        let totals = input.read(spec, false, |batch| {
            different.extend(batch.hashes)?;
            Ok(ControlFlow::Continue(()))
        })?;
        let hashes = different.finish()?;
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
            && filter.cardinality_at(OVERFULL_CONFIDENCE)?.lower() > capacity as f64
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

/// The different hashes of a stream, in bounded memory.
struct Different {
    hashes: Vec<u64>,
    max_memory: u64,
    /// When there are so many, duplicates are removed.
    tidy_at: usize,
}

impl Different {
    fn new(max_memory: u64) -> Self {
        let mut new = Self { hashes: Vec::new(), max_memory, tidy_at: 0 };
        new.plan_tidying();
        new
    }

    /// Half of the memory holds different hashes, the other half new ones: so every tidying makes much
    /// room, and all of them together cost a few sorts.
    fn limit(&self) -> usize {
        usize::try_from(self.max_memory / 16).unwrap_or(usize::MAX / 2)
    }

    fn plan_tidying(&mut self) {
        const OFTEN_ENOUGH: usize = 1 << 20;
        self.tidy_at = (2 * self.hashes.len()).max(OFTEN_ENOUGH).min(2 * self.limit());
    }

    fn extend(&mut self, hashes: &[u64]) -> Result<()> {
        self.hashes.extend_from_slice(hashes);
        if self.hashes.len() >= self.tidy_at {
            self.tidy()?;
            self.plan_tidying();
        }
        Ok(())
    }

    fn tidy(&mut self) -> Result<()> {
        self.hashes.sort_unstable();
        self.hashes.dedup();
        if self.hashes.len() > self.limit() {
            bail!(
                "more than {} different items, too many to keep in --max-memory {}; \
                 say about how many there are with --capacity",
                count(self.limit() as u64),
                size(self.max_memory)
            );
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<u64>> {
        self.tidy()?;
        Ok(self.hashes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_hashes_stay_within_the_limit() {
        let mut different = Different::new(16 * 1000);
        for round in 0..200u64 {
            let hashes: Vec<u64> = (0..700).map(|i| (i * 7 + round) % 1000).collect();
            different.extend(&hashes).unwrap();
            assert!(different.hashes.len() <= 2000 + 700);
        }
        assert!(different.extend(&[5000]).is_ok());
        assert!(different.finish().is_err(), "one more than the limit");
        let mut few = Different::new(16);
        few.extend(&[3; 100]).unwrap();
        assert_eq!(few.finish().unwrap(), [3]);
    }
}
