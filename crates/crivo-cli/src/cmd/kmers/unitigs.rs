//! `crivo kmers unitigs`: the longest sequences without a fork.

use super::ReadArgs;
use crate::args::LimitArgs;
use crate::output::{Answer, Output, Target, count, plural};
use anyhow::Result;
use clap::Args;
use crivo::graph::unitigs;
use std::path::PathBuf;

/// The longest sequences that the k-mers make without a choice, as FASTA
///
/// Exact: all different k-mers are kept while they are made. Every k-mer is in one unitig, once. A unitig is written on
/// the strand whose text is the smaller; a circle begins at any of its k-mers.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo kmers unitigs genome.fa -o unitigs.fa
  crivo kmers unitigs -k 55 lane1.fq.gz lane2.fq.gz -o unitigs.fa --max-memory 16GiB")]
pub(crate) struct Unitigs {
    #[command(flatten)]
    read: ReadArgs,

    /// Where to write them
    #[arg(long, short, value_name = "FILE.fa", help_heading = "Output")]
    output: PathBuf,

    /// Replace the file if it exists
    #[arg(long, help_heading = "Output")]
    force: bool,

    #[command(flatten)]
    limit: LimitArgs,

    /// One JSON object instead of text
    #[arg(long, help_heading = "Output")]
    json: bool,
}

impl Unitigs {
    pub(super) fn run(&self) -> Result<()> {
        let target = Target::check(&self.output, self.force)?;
        let reads = self.read.open()?;
        let (set, totals) = self.read.collect(&reads, &self.limit, 0)?;
        let (mut number, mut bases, mut longest) = (0u64, 0, 0);
        target.write_with(|writer| {
            for unitig in unitigs(&set, set.iter()) {
                number += 1;
                bases += unitig.len() as u64;
                longest = longest.max(unitig.len() as u64);
                writeln!(writer, ">{number} {} bases", unitig.len())?;
                writer.write_all(&unitig)?;
                writer.write_all(b"\n")?;
            }
            Ok(())
        })?;
        let (saved, kmers, k) = (target.name(), set.len(), self.read.k());
        let mut output = Output::new();
        if self.json {
            let short = totals.short;
            output.json(&Answer::Unitigs { saved, k, unitigs: number, bases, longest, kmers, short })?;
        } else {
            let unitigs = plural(number, "unitig", "unitigs");
            output.line(&format!("{saved}: {unitigs} of {} different {k}-mers", count(kmers)))?;
            output.line(&format!("the longest has {}", plural(longest, "base", "bases")))?;
            totals.of_short(k).map_or(Ok(()), |line| output.line(&line))?;
        }
        output.flush()
    }
}
