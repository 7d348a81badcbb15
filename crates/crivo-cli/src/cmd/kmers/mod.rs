//! `crivo kmers`: what are these sequences made of?

mod build;
mod components;
mod contigs;
mod count;
mod graph;
mod partition;
mod paths;
mod spectrum;
mod unitigs;

use crate::args::LimitArgs;
use crate::input::Reads;
use crate::session::Session;
use crate::verb::{Verb, answers};
use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use crivo::graph::Kmer;
use crivo::graph::{KmerSet, MAX_K, kmers};
use crivo::{HashSpec, HyperLogLog};
use crivo_report::{count, plural};
use serde::Serialize;
use std::path::PathBuf;

/// Graphs and counts of the k-mers of FASTA and FASTQ files
///
/// A k-mer is a word of k bases; a k-mer and its reverse complement are one. Files may be compressed with gzip or zstd.
/// If data from a pipe must be read more than once, they are copied to an unnamed file in the directory for temporary
/// files (TMPDIR). The copy takes as much space as the data and does not count towards --max-memory.
#[derive(Debug, Subcommand)]
#[command(after_help = "Examples:
  crivo kmers build -k 31 reads.fq.gz -o reads.crv
  crivo kmers count -k 21 reads.fq.gz
  crivo kmers components reads.fq.gz
  crivo kmers partition reads.fq.gz -o parts
  crivo kmers unitigs genome.fa -o unitigs.fa
  crivo kmers contigs reads.fq.gz -o contigs.fa")]
pub(crate) enum Kmers {
    Build(build::Build),
    Count(count::Count),
    Components(components::Components),
    Partition(partition::Partition),
    Unitigs(unitigs::Unitigs),
    Contigs(contigs::Contigs),
}

answers!(Kmers: Build, Count, Components, Partition, Unitigs, Contigs);

/// What is read, and how it is cut.
#[derive(Args, Debug)]
struct ReadArgs {
    /// FASTA or FASTQ files; standard input by default
    #[arg(value_name = "FILE", help_heading = "Input")]
    files: Vec<PathBuf>,

    /// Number of bases of a k-mer [default: 31]
    #[arg(short = 'k', value_name = "K", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_K)))]
    told_k: Option<u32>,

    /// Suppress progress and warnings
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

/// Sequences to read, and how they are cut.
struct Sequences {
    reads: Reads,
    k: u32,
}

impl ReadArgs {
    fn k(&self) -> u32 {
        const DEFAULT: u32 = 31;
        self.told_k.unwrap_or(DEFAULT)
    }

    fn open(&self, limit: LimitArgs, session: &Session) -> Result<Sequences> {
        Ok(Sequences { reads: session.open_reads(&self.files, limit.max_memory)?, k: self.k() })
    }
}

impl Sequences {
    /// Returns all distinct k-mers. Refuses to exceed the memory limit, also while the table grows, and with `more`
    /// bytes for each k-mer later.
    fn collect(&self, limit: LimitArgs, more: u64) -> Result<(KmerSet, Totals)> {
        /// The number of k-mers between two checks of the memory.
        const AT_ONCE: usize = 1 << 12;
        let (mut set, mut totals) = (KmerSet::new(self.k)?, Totals::default());
        let others = self.k as usize - 1;
        let check = |set: &KmerSet, bytes: u64| {
            limit.check(bytes).with_context(|| format!("with {} distinct k-mers", count(set.len())))
        };
        self.reads.for_each(|sequence| {
            let mut kmers = 0;
            for start in (0..sequence.bases.len()).step_by(AT_ONCE) {
                let end = sequence.bases.len().min(start + AT_ONCE + others);
                check(&set, memory_with(&set, (end - start) as u64))?;
                kmers += set.add_sequence(&sequence.bases[start..end]);
                check(&set, set.memory_bytes() as u64 + set.len() * more)?;
            }
            totals.add(kmers);
            Ok(())
        })?;
        Ok((set, totals))
    }

    /// Returns about how many distinct k-mers there are, rather too many than too few: `told`, or counted in a pass of
    /// its own.
    fn different(&mut self, told: Option<u64>) -> Result<u64> {
        /// An error of 0.8 %.
        const PRECISION: u8 = 14;
        if let Some(told) = told {
            return Ok(told.max(1));
        }
        self.reads.keep()?;
        let mut counter = HyperLogLog::for_precision(PRECISION)?.with_hash(HashSpec::default());
        self.reads.for_each(|sequence| {
            counter.extend(kmers(sequence.bases, self.k)?);
            Ok(())
        })?;
        Ok((counter.estimate().upper().ceil() as u64).max(1))
    }
}

/// Returns the memory of a set while this many k-mers are added: a table that is four fifths full stays until one of
/// twice its size is filled.
fn memory_with(set: &KmerSet, kmers: u64) -> u64 {
    let bytes = set.memory_bytes() as u64;
    let slots = bytes / size_of::<Kmer>() as u64;
    if slots > kmers && (set.len() + kmers) * 5 >= slots * 4 { 3 * bytes } else { bytes }
}

/// What was read.
#[derive(Debug, Default, Serialize)]
struct Totals {
    sequences: u64,
    /// Sequences without a k-mer.
    short: u64,
    /// With those that repeat.
    kmers: u64,
}

impl Totals {
    fn add(&mut self, kmers: u64) {
        self.sequences += 1;
        self.short += u64::from(kmers == 0);
        self.kmers += kmers;
    }
}

/// Returns a note on the sequences that are too short, if there are any.
fn of_short(short: u64, what: &str, k: u32) -> Option<String> {
    let short = (short > 0).then(|| plural(short, what, &format!("{what}s")))?;
    Some(format!("{short} without {k} known bases in a row"))
}

#[cfg(test)]
mod testing {
    use crivo::rng::Rng;

    pub(super) fn bases(rng: &mut Rng, count: usize) -> String {
        (0..count).map(|_| char::from(b"ACGT"[rng.below(4) as usize])).collect()
    }

    /// Reads of 60 bases, every ten bases, of two genomes that share no 21-mer; in turns.
    pub(super) fn two_genomes(seed: u64) -> Vec<String> {
        let rng = &mut Rng::new(seed);
        let genomes = [bases(rng, 800), bases(rng, 500)];
        let mut reads = Vec::new();
        for start in (0..=740).step_by(10) {
            reads.push(genomes[0][start..start + 60].to_string());
            if start <= 440 {
                reads.push(genomes[1][start..start + 60].to_string());
            }
        }
        reads
    }

    pub(super) fn fasta(reads: &[String]) -> String {
        let record = |(i, read): (usize, &String)| format!(">r{i} of some length\n{read}\n");
        reads.iter().enumerate().map(record).collect()
    }
}
