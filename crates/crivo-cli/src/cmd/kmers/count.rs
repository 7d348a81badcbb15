//! `crivo kmers count`: how often does each k-mer occur?

use super::{ReadArgs, Totals};
use crate::args::{HashArgs, LimitArgs, SaveArgs, parse_count};
use crate::cmd::numbers::text_bar;
use crate::input::Reads;
use crate::output::{
    Align, Answer, Output, Table, count, estimate, percent, plural, save_and_print, size, terminal_width,
};
use anyhow::{Result, bail};
use clap::Args;
use crivo::graph::kmers;
use crivo::{BloomFilter, BloomParams, CountMin, CountMinParams, HashSpec, Kmer};

/// How many k-mers occur once, twice, …: the spectrum
///
/// Frequencies are kept in a Count-Min sketch of four rows with conservative update. It never counts too little; the
/// share of k-mers that it counts too often is told. Two passes over the files, and one more unless --kmers is given.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo kmers count -k 21 reads.fq.gz
  crivo kmers count -k 21 reads.fq.gz --csv > spectrum.csv
  crivo kmers count -k 5 genome.fa --kmer GATTA --kmer TTTTT")]
pub(crate) struct Count {
    #[command(flatten)]
    read: ReadArgs,

    /// Print how often this k-mer occurs instead of the spectrum; may be given many times
    #[arg(long, value_name = "BASES")]
    kmer: Vec<String>,

    /// The highest frequency with a line of its own
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    most: u16,

    /// About how many different k-mers there are; without it they are counted first
    #[arg(long, value_name = "N", value_parser = parse_count)]
    kmers: Option<u64>,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    hash: HashArgs,

    #[command(flatten)]
    save: SaveArgs,

    /// The spectrum as a table of two columns
    #[arg(long, conflicts_with_all = ["json", "kmer"], help_heading = "Output")]
    csv: bool,

    /// JSON objects instead of text, one a line
    #[arg(long, help_heading = "Output")]
    json: bool,
}

impl Count {
    pub(super) fn run(&self) -> Result<()> {
        let asked = self.asked()?;
        let (spec, target) = (self.hash.spec()?, self.save.target()?);
        let mut reads = self.read.open()?;
        let different = self.read.different(&mut reads, self.kmers)?;
        if asked.is_empty() {
            reads.keep()?;
        }
        let (sketch, totals) = self.count(&reads, different, spec)?;
        let spectrum = if asked.is_empty() { self.spectrum(&reads, &sketch, different)? } else { Vec::new() };
        save_and_print(
            target.as_ref(),
            || sketch.to_bytes(),
            |output, saved| {
                if asked.is_empty() {
                    self.print_spectrum(output, &spectrum)?;
                } else {
                    self.print_frequencies(output, &sketch, &asked)?;
                }
                self.print_end(output, &sketch, &totals, saved)
            },
        )
    }

    /// The k-mers that are asked for.
    fn asked(&self) -> Result<Vec<Kmer>> {
        let parse = |bases: &String| {
            let kmer: Kmer = bases.parse()?;
            if kmer.k() != self.read.k {
                bail!("--kmer {bases} has {} bases, but -k is {}; give them the same", kmer.k(), self.read.k);
            }
            Ok(kmer)
        };
        self.kmer.iter().map(parse).collect()
    }

    fn count(&self, reads: &Reads, different: u64, spec: HashSpec) -> Result<(CountMin, Totals)> {
        /// With two counters a k-mer in each row, one in 40 k-mers finds none for itself.
        const COUNTERS: u64 = 2;
        let params = CountMinParams::exact(different.saturating_mul(COUNTERS), 4)?.with_counter_bits(16)?;
        self.limit.check(params.memory_bytes())?;
        let mut sketch = CountMin::with_spec(params.conservative(), spec);
        let (mut totals, mut hashes) = (Totals::default(), Vec::new());
        reads.for_each(|sequence| {
            hashes.clear();
            hashes.extend(kmers(sequence.bases, self.read.k)?.map(|kmer| spec.hash(&kmer)));
            sketch.add_hashes(&hashes);
            totals.add(hashes.len() as u64);
            Ok(())
        })?;
        Ok((sketch, totals))
    }

    /// How many different k-mers occur so often: place i for i + 1 times, the last place for all above.
    fn spectrum(&self, reads: &Reads, sketch: &CountMin, different: u64) -> Result<Vec<u64>> {
        /// So many k-mers are taken for others that came before.
        const LEFT_OUT: f64 = 0.001;
        let params = BloomParams::for_fpr(different, LEFT_OUT)?;
        self.limit.check(params.memory_bytes() + sketch.memory_bytes() as u64)?;
        let (spec, most) = (*sketch.hash_spec(), usize::from(self.most));
        let mut seen = BloomFilter::with_spec(params, spec);
        let mut spectrum = vec![0; most + 1];
        reads.for_each(|sequence| {
            for kmer in kmers(sequence.bases, self.read.k)? {
                let hash = spec.hash(&kmer);
                if seen.insert_hash(hash) {
                    let frequency = sketch.frequency_hash(hash).value() as usize;
                    spectrum[frequency.clamp(1, most + 1) - 1] += 1;
                }
            }
            Ok(())
        })?;
        Ok(spectrum)
    }

    fn print_spectrum(&self, output: &mut Output, spectrum: &[u64]) -> Result<()> {
        let (above, counted) = spectrum.split_last().expect("a place for all above");
        let last = counted.iter().rposition(|&kmers| kmers > 0).map_or(0, |last| last + 1);
        let rows = (1..).zip(&counted[..last]);
        if self.json {
            return rows
                .clone()
                .try_for_each(|(times, &kmers)| output.json(&Answer::KmersOf { times, kmers }));
        }
        if self.csv {
            output.line("times,kmers")?;
            return rows.clone().try_for_each(|(times, kmers)| output.line(&format!("{times},{kmers}")));
        }
        let mut table = Table::new([Align::Right, Align::Right, Align::Left]);
        for (times, &kmers) in rows {
            table.push([format!("{times}×"), count(kmers), String::new()]);
        }
        let most = counted.iter().max().copied().unwrap_or(0) as f64;
        let room = terminal_width().saturating_sub(table.width()).clamp(10, 60);
        table.set_last(counted[..last].iter().map(|&kmers| text_bar(kmers as f64 / most, room)));
        table.print(output)?;
        if *above > 0 {
            let kmers = plural(*above, "k-mer", "k-mers");
            output.line(&format!("{kmers} more than {} times; see --most", self.most))?;
        }
        Ok(())
    }

    fn print_frequencies(&self, output: &mut Output, sketch: &CountMin, asked: &[Kmer]) -> Result<()> {
        for (bases, kmer) in self.kmer.iter().zip(asked) {
            let frequency = sketch.frequency(&kmer.canonical());
            if self.json {
                output
                    .json(&Answer::Frequency { key: bases.as_bytes().into(), frequency: frequency.into() })?;
            } else {
                output.line(&estimate(&frequency, &format!("× {bases}")))?;
            }
        }
        Ok(())
    }

    fn print_end(
        &self,
        output: &mut Output,
        sketch: &CountMin,
        totals: &Totals,
        saved: Option<String>,
    ) -> Result<()> {
        let over_counted = over_counted(sketch)?;
        if self.json {
            return output.json(&Answer::KmerCount {
                k: self.read.k,
                sequences: totals.sequences,
                short: totals.short,
                kmers: totals.kmers,
                over_counted,
                memory_bytes: sketch.memory_bytes() as u64,
                saved,
            });
        }
        if self.csv {
            return Ok(());
        }
        output.line(&format!(
            "{} of {} in {}, {} of them counted too often",
            plural(totals.kmers, "k-mer", "k-mers"),
            plural(totals.sequences, "sequence", "sequences"),
            size(sketch.memory_bytes() as u64),
            percent(over_counted),
        ))?;
        totals.of_short(self.read.k).map_or(Ok(()), |line| output.line(&line))
    }
}

/// The share of k-mers that have no counter of their own: those whose counters are all in use by others.
fn over_counted(sketch: &CountMin) -> Result<f64> {
    let mut share = 1.0;
    for row in 0..sketch.params().depth() {
        let counters = sketch.row(row)?;
        share *= counters.iter().filter(|&&count| count > 0).count() as f64 / counters.len() as f64;
    }
    Ok(share)
}
