//! `crivo filter build`: a filter of everything read.

use crate::args::{HashArgs, InputArgs, LimitArgs, OutputArgs, parse_share};
use crate::input::{Input, Totals};
use crate::output::{Answer, Output, Target, count, plural, rate, remark, size};
use anyhow::{Result, bail};
use clap::Args;
use crivo::{BloomFilter, BloomParams, HashSpec};
use std::ops::ControlFlow;
use std::process::ExitCode;

/// Make a filter of all items
///
/// Without --capacity the hashes of the different items are kept, 8 to 32 bytes each, until their number
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
        let hashes = different.finish();
        let params = self.params(hashes.len().max(1) as u64)?;
        let together = params.memory_bytes() + 8 * hashes.capacity() as u64;
        if together > self.limit.max_memory {
            bail!(
                "the hashes of {} different items and their filter take {}, more than --max-memory {}; say about how \
                 many items there are with --capacity",
                count(hashes.len() as u64),
                size(together),
                size(self.limit.max_memory)
            );
        }
        let mut filter = BloomFilter::with_spec(params, spec);
        filter.insert_hashes(&hashes);
        Ok((filter, totals))
    }

    fn report(&self, filter: &BloomFilter, totals: Totals, target: &Target, bytes: u64) -> Result<()> {
        let fpr = filter.fpr();
        let mut output = Output::new();
        if self.json {
            output.json(&Answer::Filter {
                saved: target.name(),
                items: totals.items,
                nulls: totals.nulls,
                bits: filter.params().bits(),
                hashes: filter.params().hashes(),
                file_bytes: bytes,
                fpr: fpr.into(),
            })?;
        } else {
            output.line(&format!(
                "{}: {} in {}",
                target.name(),
                plural(totals.items, "item", "items"),
                size(bytes)
            ))?;
            output.line(&format!("a wrong yes: {}", rate(&fpr)))?;
            if totals.nulls > 0 {
                output.line(&format!("{} left out", plural(totals.nulls, "empty value", "empty values")))?;
            }
        }
        if let Some(capacity) = self.capacity
            && filter.cardinality_at(OVERFULL_CONFIDENCE)?.lower() > capacity as f64
            && !self.quiet
        {
            remark(&format!(
                "there are more different items than the capacity of {}, so a wrong yes is likelier than \
                 the {} asked for; raise --capacity",
                count(capacity),
                self.fpr
            ));
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
    /// Its capacity doubles from a fraction of the limit to the limit.
    hashes: Vec<u64>,
    limit: usize,
    max_memory: u64,
}

impl Different {
    fn new(max_memory: u64) -> Self {
        const FEW: usize = 1 << 20;
        // While it doubles, the old half and the new whole are there: 12 bytes for each hash that fits.
        let limit = usize::try_from(max_memory / 12).unwrap_or(usize::MAX / 16).max(16);
        let halvings = (limit / FEW).checked_ilog2().map_or(0, |halvings| halvings + 1);
        let mut hashes = Vec::new();
        hashes.reserve_exact((limit >> halvings).max(1));
        Self { hashes, limit, max_memory }
    }

    fn extend(&mut self, mut hashes: &[u64]) -> Result<()> {
        loop {
            let (fitting, rest) =
                hashes.split_at(hashes.len().min(self.hashes.capacity() - self.hashes.len()));
            self.hashes.extend_from_slice(fitting);
            if rest.is_empty() {
                return Ok(());
            }
            self.make_room()?;
            hashes = rest;
        }
    }

    /// Removes duplicates; if few were found, doubles the memory, so that all sorts together cost a few.
    fn make_room(&mut self) -> Result<()> {
        self.tidy();
        let (length, capacity) = (self.hashes.len(), self.hashes.capacity());
        if length <= capacity / 2 {
            return Ok(());
        }
        if capacity < self.limit {
            self.hashes.reserve_exact((2 * capacity).min(self.limit) - length);
        } else if length > capacity / 4 * 3 {
            bail!(
                "more than {} different items, too many to keep in --max-memory {}; \
                 say about how many there are with --capacity",
                count(length as u64),
                size(self.max_memory)
            );
        }
        Ok(())
    }

    fn tidy(&mut self) {
        self.hashes.sort_unstable();
        self.hashes.dedup();
    }

    fn finish(mut self) -> Vec<u64> {
        self.tidy();
        self.hashes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_hashes_stay_within_the_memory() {
        for max_memory in [12_000, 12 * (3 << 20)] {
            let most = max_memory / 12;
            let mut different = Different::new(max_memory);
            for round in 0..12 {
                let hashes: Vec<u64> = (0..most / 4).map(|i| (i * 3 + round) % (most * 3 / 5)).collect();
                let before = different.hashes.capacity();
                different.extend(&hashes).unwrap();
                let after = different.hashes.capacity();
                let peak = if after == before { after } else { after + before };
                assert!(8 * peak as u64 <= max_memory, "{before} and {after} of {max_memory}");
            }
            let many: Vec<u64> = (0..2 * most).collect();
            assert!(different.extend(&many).is_err(), "more than the memory holds");
        }
    }

    #[test]
    fn a_little_memory_holds_a_little() {
        let mut few = Different::new(1);
        few.extend(&[3; 100]).unwrap();
        assert_eq!(few.finish(), [3]);
    }
}
