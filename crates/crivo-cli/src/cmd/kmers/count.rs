//! `crivo kmers count`: how often does each k-mer occur?

use super::{ReadArgs, Totals};
use crate::args::{HashArgs, LimitArgs, SaveArgs, parse_count};
use crate::input::Reads;
use crate::output::{
    Align, Answer, Bar, Output, Table, count, estimate, percent, plural, remark, save_and_print, size,
    terminal_width, whole,
};
use crate::session::Session;
use anyhow::{Result, bail};
use clap::Args;
use crivo::frequency::CountMinParams;
use crivo::graph::Kmer;
use crivo::graph::kmers;
use crivo::stats::binomial_quantile;
use crivo::{BloomFilter, BloomParams, CountMin, DEFAULT_CONFIDENCE, HashSpec};
use crivo_report::text_bar;

/// Counters of 8 bits tell all frequencies up to this one from those above.
const MOST_OF_8_BITS: u16 = 253;

/// At most this share of k-mers is counted too often, if there are as many as expected.
const OVER_COUNTED: f64 = 0.001;

/// The share of k-mers that the spectrum may leave out, if there are as many as expected.
const LEFT_OUT: f64 = 1e-6;

/// How many k-mers occur once, twice, …: the spectrum
///
/// Frequencies are kept in a Count-Min sketch of eight rows with conservative update, in 20 bytes a k-mer, 40 with a --most
/// above 253, or 80 with --kmer or --save. It never counts too little, up to 4,294,967,295 times; how many k-mers it may
/// count too often is told. Two passes over the files, and one more unless --kmers is given.
///
/// How many different k-mers there are is counted through a filter, which may leave a few out; the bar tells how many.
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
    pub(super) fn run(&self, session: &Session) -> Result<()> {
        let asked = self.asked()?;
        let (spec, target) = (self.hash.spec(session)?, self.save.target(session)?);
        let mut reads = self.read.open(&self.limit, session)?;
        let different = self.read.different(&mut reads, self.kmers)?;
        if asked.is_empty() {
            reads.keep()?;
        }
        let bits = match self.most {
            // Whoever asks for a k-mer, here or later, wants to know how often it occurs, however often that is.
            _ if !asked.is_empty() || target.is_some() => 32,
            ..=MOST_OF_8_BITS => 8,
            _ => 16,
        };
        let (sketch, totals) = self.count(&reads, different, bits, spec)?;
        let over_counted = over_counted(&sketch)?;
        let spectrum = if asked.is_empty() { Some(self.spectrum(&reads, &sketch, different)?) } else { None };
        self.warn(over_counted, spectrum.as_ref());
        save_and_print(
            target.as_ref(),
            || sketch.to_bytes(),
            |output, saved| {
                match &spectrum {
                    Some(spectrum) => self.print_spectrum(output, spectrum, over_counted)?,
                    None => self.print_frequencies(output, &sketch, &asked)?,
                }
                let different = spectrum.as_ref();
                let left_out = spectrum.as_ref().map(|spectrum| spectrum.left_out);
                if self.json {
                    return output.json(&Answer::KmerCount {
                        k: self.read.k(),
                        sequences: totals.sequences,
                        short: totals.short,
                        kmers: totals.kmers,
                        different: different.map(Spectrum::bar),
                        over_counted,
                        left_out,
                        memory_bytes: sketch.memory_bytes() as u64,
                        saved,
                    });
                }
                self.print_end(output, &sketch, &totals, different, over_counted)
            },
            session,
        )
    }

    /// The k-mers that are asked for.
    fn asked(&self) -> Result<Vec<Kmer>> {
        let parse = |bases: &String| {
            let kmer: Kmer = bases.parse()?;
            if kmer.k() != self.read.k() {
                bail!(
                    "--kmer {bases} has {} bases, but -k is {}; give them the same",
                    kmer.k(),
                    self.read.k()
                );
            }
            Ok(kmer)
        };
        self.kmer.iter().map(parse).collect()
    }

    fn count(&self, reads: &Reads, different: u64, bits: u32, spec: HashSpec) -> Result<(CountMin, Totals)> {
        /// With five counters for two k-mers in each of eight rows, a third of each row is in use, and one in 7,000
        /// k-mers finds no counter for itself.
        const ROWS: u32 = 8;
        const FEWEST: u64 = 64;
        let width = (different.saturating_mul(5) / 2).max(FEWEST);
        let params = CountMinParams::exact(width, ROWS)?.with_counter_bits(bits)?;
        self.limit.check(params.memory_bytes())?;
        let mut sketch = CountMin::with_params(params.conservative()).with_hash(spec);
        let (mut totals, mut hashes) = (Totals::default(), Vec::new());
        reads.for_each(|sequence| {
            hashes.clear();
            hashes.extend(kmers(sequence.bases, self.read.k())?.map(|kmer| spec.hash(&kmer)));
            sketch.add_hashes(&hashes);
            totals.add(hashes.len() as u64);
            Ok(())
        })?;
        Ok((sketch, totals))
    }

    fn spectrum(&self, reads: &Reads, sketch: &CountMin, different: u64) -> Result<Spectrum> {
        let params = BloomParams::for_fpr(different, LEFT_OUT)?;
        self.limit.check(params.memory_bytes() + sketch.memory_bytes() as u64)?;
        let (spec, most) = (*sketch.hash_spec(), usize::from(self.most));
        let mut seen = BloomFilter::with_params(params).with_hash(spec);
        let mut places = vec![0; most + 1];
        reads.for_each(|sequence| {
            for kmer in kmers(sequence.bases, self.read.k())? {
                let hash = spec.hash(&kmer);
                if seen.insert_hash(hash) {
                    let frequency = sketch.frequency_hash(hash).value() as usize;
                    places[frequency.clamp(1, most + 1) - 1] += 1;
                }
            }
            Ok(())
        })?;
        Ok(Spectrum { places, left_out: seen.fpr().value() })
    }

    /// Says so when there are far more k-mers than --kmers said.
    fn warn(&self, over_counted: f64, spectrum: Option<&Spectrum>) {
        if self.read.quiet || self.kmers.is_none() || over_counted <= OVER_COUNTED {
            return;
        }
        let left_out = spectrum
            .filter(|spectrum| spectrum.left_out > 10.0 * LEFT_OUT)
            .map(|spectrum| format!(", and up to {} are left out", percent(spectrum.left_out)))
            .unwrap_or_default();
        remark(&format!(
            "more k-mers than --kmers said: up to {} of them are counted too often{left_out}",
            percent(over_counted)
        ));
    }

    fn print_spectrum(&self, output: &mut Output, spectrum: &Spectrum, over_counted: f64) -> Result<()> {
        /// The expected number of wrong counts that goes without saying.
        const UNLIKELY: f64 = 0.1;
        let (&above, counted) = spectrum.places.split_last().expect("a place for all above");
        let last = counted.iter().rposition(|&kmers| kmers > 0).map_or(0, |last| last + 1);
        let rows = (1..).zip(&counted[..last]);
        if self.json {
            for (times, &kmers) in rows {
                output.json(&Answer::KmersOf { times, kmers })?;
            }
            if above > 0 {
                output.json(&Answer::KmersAbove { more_than: self.most, kmers: above })?;
            }
            return Ok(());
        }
        if self.csv {
            output.line("times,kmers")?;
            for (times, kmers) in rows {
                output.line(&format!("{times},{kmers}"))?;
            }
            if above > 0 {
                output.line(&format!(">{},{above}", self.most))?;
            }
            return Ok(());
        }
        let wrong = over_counted * spectrum.different() as f64;
        if wrong > UNLIKELY {
            let wrong = plural(wrong.ceil() as u64, "k-mer", "k-mers");
            output.line(&format!("up to {wrong} counted too often, most of them by one"))?;
        }
        let mut table = Table::new([Align::Right, Align::Right, Align::Left]);
        for (times, &kmers) in rows {
            table.push([format!("{times}×"), count(kmers), String::new()]);
        }
        let most = counted.iter().max().copied().unwrap_or(0) as f64;
        let room = terminal_width().saturating_sub(table.width()).clamp(10, 60);
        table.set_last(counted[..last].iter().map(|&kmers| text_bar(kmers as f64 / most, room)));
        output.page(0, |page| table.print(page))?;
        if above > 0 {
            let kmers = plural(above, "k-mer", "k-mers");
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
            } else if frequency.upper().is_infinite() {
                // As often as a counter can tell.
                output.line(&format!("at least {} × {bases}", whole(frequency.lower())))?;
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
        spectrum: Option<&Spectrum>,
        over_counted: f64,
    ) -> Result<()> {
        if self.csv {
            return Ok(());
        }
        let kmers = plural(totals.kmers, "k-mer", "k-mers");
        let of = plural(totals.sequences, "sequence", "sequences");
        let memory = size(sketch.memory_bytes() as u64);
        output.line(&match spectrum {
            Some(spectrum) => format!("{kmers}, {}, of {of} in {memory}", spectrum.shown()),
            None => format!("{kmers} of {of} in {memory}, up to {} counted too often", percent(over_counted)),
        })?;
        totals.of_short(self.read.k()).map_or(Ok(()), |line| output.line(&line))
    }
}

/// How many different k-mers occur how often.
struct Spectrum {
    /// Place i for i + 1 times, the last place for all above.
    places: Vec<u64>,
    /// At most this share is missing: k-mers taken for others that came before.
    left_out: f64,
}

impl Spectrum {
    /// How many were counted, which is no more than there are.
    fn different(&self) -> u64 {
        self.places.iter().sum()
    }

    /// How many there are at most, with the usual confidence, as each was left out with at most that probability; infinite
    /// where the filter is full.
    fn most_different(&self) -> f64 {
        let counted = self.different() as f64;
        if self.left_out >= 1.0 {
            return f64::INFINITY;
        }
        let all = (counted / (1.0 - self.left_out)).ceil();
        counted + binomial_quantile(all as u64, self.left_out, DEFAULT_CONFIDENCE)
    }

    fn bar(&self) -> Bar {
        let counted = self.different() as f64;
        Bar::approximate(counted, counted, self.most_different())
    }

    /// `3,940,316 different (95 %: 3,940,316 to 3,940,324)`
    fn shown(&self) -> String {
        let (counted, most) = (count(self.different()), self.most_different());
        let bar = match whole(most) {
            _ if most.is_infinite() => format!("{counted} or more"),
            most if most == counted => most,
            most => format!("{counted} to {most}"),
        };
        format!("{counted} different ({}: {bar})", percent(DEFAULT_CONFIDENCE))
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
