//! `crivo kmers unitigs`: the longest sequences without a fork.

use super::ReadArgs;
use crate::args::LimitArgs;
use crate::output::{Answer, Output, Target, count, is_stdout, plural, remark};
use crate::session::Session;
use anyhow::{Result, bail};
use clap::Args;
use crivo::graph::{KmerSet, unitigs};
use std::path::PathBuf;

/// The longest sequences that the k-mers make without a choice, as FASTA
///
/// Exact: all different k-mers are kept while they are made. Every k-mer is in one unitig, once. A unitig is written on
/// the strand whose text is the smaller; a circle begins at any of its k-mers.
///
/// An odd k is usual: at an even k some k-mers are their own reverse complements, what comes after them also comes before
/// them, and a unitig ends there.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo kmers unitigs genome.fa -o unitigs.fa
  crivo kmers unitigs -k 55 lane1.fq.gz lane2.fq.gz -o unitigs.fa --max-memory 16GiB")]
pub(crate) struct Unitigs {
    #[command(flatten)]
    read: ReadArgs,

    /// Where to write them; - is standard output
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
    pub(super) fn run(&self, session: &Session) -> Result<()> {
        let to_stdout = is_stdout(&self.output);
        if to_stdout && self.json {
            bail!("--json goes to standard output, where the unitigs go; name a file for them");
        }
        let target = if to_stdout { None } else { Some(Target::check(&self.output, self.force, session)?) };
        let reads = self.read.open(&self.limit, session)?;
        let (set, totals) = self.read.collect(&reads, &self.limit, 0)?;
        let mut output = Output::new();
        let mut written = Written::default();
        match &target {
            Some(target) => {
                target.write_with(session, |writer| {
                    written.write(&set, |bytes| Ok(writer.write_all(bytes)?))
                })?;
            }
            None => written.write(&set, |bytes| output.bytes(bytes))?,
        }
        let (kmers, k) = (set.len(), self.read.k());
        let Written { unitigs, bases, longest } = written;
        if let Some(target) = target.as_ref().filter(|_| self.json) {
            let (saved, short) = (target.name(), totals.short);
            output.json(&Answer::Unitigs { saved, k, unitigs, bases, longest, kmers, short })?;
            return output.flush();
        }
        let unitigs =
            format!("{} of {} different {k}-mers", plural(unitigs, "unitig", "unitigs"), count(kmers));
        let longest = format!("the longest has {}", plural(longest, "base", "bases"));
        if let Some(target) = &target {
            output.line(&format!("{}: {unitigs}", target.name()))?;
            output.line(&longest)?;
            totals.of_short(k).map_or(Ok(()), |line| output.line(&line))?;
            return output.flush();
        }
        output.flush()?;
        if !self.read.quiet {
            remark(&format!("{unitigs}; {longest}"));
            totals.of_short(k).inspect(|line| remark(line));
        }
        Ok(())
    }
}

/// What was written.
#[derive(Default)]
struct Written {
    unitigs: u64,
    bases: u64,
    longest: u64,
}

impl Written {
    /// All unitigs, as FASTA.
    fn write(&mut self, set: &KmerSet, mut write: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        for unitig in unitigs(set, set.iter()) {
            let bases = unitig.len() as u64;
            self.unitigs += 1;
            self.bases += bases;
            self.longest = self.longest.max(bases);
            write(format!(">{} {bases} bases\n", self.unitigs).as_bytes())?;
            write(&unitig)?;
            write(b"\n")?;
        }
        Ok(())
    }
}
