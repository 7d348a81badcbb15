//! `crivo kmers count`: how often does each k-mer occur?

use super::spectrum::Spectrum;
use super::{ReadArgs, Sequences, Totals, of_short};
use crate::args::{FormArgs, HashArgs, LimitArgs, SaveArgs, parse_count};
use crate::output::Target;
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Result, bail};
use clap::Args;
use crivo::frequency::CountMinParams;
use crivo::graph::{Kmer, kmers};
use crivo::{BloomFilter, BloomParams, CountMin, Estimate, HashSpec};
use crivo_report::{Bar, Form, Page, Records, Report, estimate, percent, plural, size, whole};
use serde::Serialize;

const CSV_HELP: &str = "The spectrum as a table of two columns";

/// Counters of 8 bits tell all frequencies up to this one from those above.
const MOST_OF_8_BITS: u16 = 253;

/// At most this share of k-mers is counted too often, if there are as many as expected.
const OVER_COUNTED: f64 = 0.001;

/// The share of k-mers that the spectrum may leave out, if there are as many as expected.
const LEFT_OUT: f64 = 1e-6;

/// Count how many k-mers occur once, twice, … (the k-mer spectrum)
///
/// A Count-Min sketch of eight rows with conservative update holds the frequencies, in 20 bytes per k-mer, 40 with a
/// --most above 253, or 80 with --kmer or --save. It never underestimates a frequency of up to 4,294,967,295; the
/// number of k-mers that may be overestimated is reported. The files are read twice, and once more unless --kmers is
/// given.
///
/// Distinct k-mers are counted through a filter, which may miss a few; the error bar accounts for them.
#[derive(Args, Debug)]
#[command(mut_arg("csv", |csv| csv.help(CSV_HELP).conflicts_with("kmer")), after_help = "Examples:
  crivo kmers count -k 21 reads.fq.gz
  crivo kmers count -k 21 reads.fq.gz --csv > spectrum.csv
  crivo kmers count -k 5 genome.fa --kmer GATTA --kmer TTTTT")]
pub(crate) struct Count {
    #[command(flatten)]
    read: ReadArgs,

    /// Print how often this k-mer occurs instead of the spectrum; may be repeated
    #[arg(long, value_name = "BASES")]
    kmer: Vec<String>,

    /// Highest frequency with a separate line
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    most: u16,

    /// Expected number of distinct k-mers; by default they are counted first
    #[arg(long, value_name = "N", value_parser = parse_count)]
    kmers: Option<u64>,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    hash: HashArgs,

    #[command(flatten)]
    save: SaveArgs,

    #[command(flatten)]
    form: FormArgs,
}

/// What is counted, and how.
struct Counting {
    /// Instead of the spectrum.
    asked: Vec<(String, Kmer)>,
    most: u16,
    limit: LimitArgs,
    spec: HashSpec,
    target: Option<Target>,
    sequences: Sequences,
}

/// How often each k-mer, or some of them, occur.
#[derive(Debug)]
pub(crate) struct Frequencies {
    k: u32,
    totals: Totals,
    found: Found,
    over_counted: f64,
    memory_bytes: u64,
    saved: Option<String>,
}

#[derive(Debug)]
enum Found {
    /// The spectrum, and whether it is to be a table of two columns.
    Spectrum(Spectrum, bool),
    Asked(Vec<(String, Estimate)>),
}

impl Verb for Count {
    type Report = Frequencies;

    fn manner(&self) -> Manner {
        let manner = self.form.manner(self.read.quiet);
        // The table of the spectrum is not that of the records: it has no types, and a line for all above.
        if manner.form == Form::Csv { Manner { form: Form::Text, ..manner } } else { manner }
    }

    fn run(self, session: &Session) -> Result<Frequencies> {
        let k = self.read.k();
        let parse = |bases: String| {
            let kmer: Kmer = bases.parse()?;
            if kmer.k() != k {
                bail!("--kmer {bases} has {} bases, but -k is {k}; give them the same", kmer.k());
            }
            Ok((bases, kmer))
        };
        let mut counting = Counting {
            asked: self.kmer.into_iter().map(parse).collect::<Result<_>>()?,
            most: self.most,
            limit: self.limit,
            spec: self.hash.kmer_spec(session)?,
            target: self.save.target(session)?,
            sequences: self.read.open(self.limit, session)?,
        };
        let different = counting.sequences.different(self.kmers)?;
        if counting.asked.is_empty() {
            counting.sequences.reads.keep()?;
        }
        let (sketch, totals) = counting.count(different)?;
        let over_counted = over_counted(&sketch)?;
        let found = if counting.asked.is_empty() {
            let is_csv = self.form.manner(false).form == Form::Csv;
            Found::Spectrum(counting.spectrum(&sketch, different)?, is_csv)
        } else {
            let frequency = |(bases, kmer): (String, Kmer)| (bases, sketch.frequency(&kmer.canonical()));
            Found::Asked(counting.asked.into_iter().map(frequency).collect())
        };
        if self.kmers.is_some() && over_counted > OVER_COUNTED {
            session.remark(&found.warning(over_counted));
        }
        let saved = session.save(counting.target.as_ref(), || sketch.to_bytes());
        let memory_bytes = sketch.memory_bytes() as u64;
        Ok(Frequencies { k: counting.sequences.k, totals, found, over_counted, memory_bytes, saved })
    }
}

#[derive(Serialize)]
#[serde(tag = "type", rename = "frequency")]
struct FrequencyRecord<'a> {
    key: &'a str,
    frequency: Bar,
}

/// Of the distinct k-mers at most a share `over_counted` is counted too often, and at most a share `left_out` is missing
/// from the value of `distinct`, the sum of the spectrum; these two are null with --kmer.
#[derive(Serialize)]
#[serde(tag = "type", rename = "kmer_count")]
struct CountRecord<'a> {
    k: u32,
    #[serde(flatten)]
    totals: &'a Totals,
    distinct: Option<Bar>,
    over_counted: f64,
    left_out: Option<f64>,
    memory_bytes: u64,
    saved: Option<&'a str>,
}

impl Report for Frequencies {
    fn text(&self, page: &mut Page) {
        let kmers = plural(self.totals.kmers, "k-mer", "k-mers");
        let of = plural(self.totals.sequences, "sequence", "sequences");
        let memory = size(self.memory_bytes);
        match &self.found {
            Found::Spectrum(spectrum, true) => return spectrum.print_csv(page),
            Found::Spectrum(spectrum, false) => {
                spectrum.print(self.over_counted, page);
                page.line(&format!("{kmers}, {}, of {of} in {memory}", spectrum.shown()));
            }
            Found::Asked(frequencies) => {
                for (bases, frequency) in frequencies {
                    page.line(&if frequency.upper().is_infinite() {
                        // As often as a counter can tell.
                        format!("at least {} × {bases}", whole(frequency.lower()))
                    } else {
                        estimate(frequency, &format!("× {bases}"))
                    });
                }
                let wrong = percent(self.over_counted);
                page.line(&format!("{kmers} of {of} in {memory}, up to {wrong} counted too often"));
            }
        }
        if let Some(line) = of_short(self.totals.short, "sequence", self.k) {
            page.line(&line);
        }
    }

    fn records(&self, records: &mut Records) {
        let (mut distinct, mut left_out) = (None, None);
        match &self.found {
            Found::Spectrum(spectrum, _) => {
                spectrum.records(records);
                (distinct, left_out) = (Some(spectrum.bar()), Some(spectrum.left_out));
            }
            Found::Asked(frequencies) => {
                for (bases, frequency) in frequencies {
                    records.row(&FrequencyRecord { key: bases, frequency: (*frequency).into() });
                }
            }
        }
        let Self { k, totals, over_counted, memory_bytes, .. } = self;
        records.total(&CountRecord {
            k: *k,
            totals,
            distinct,
            over_counted: *over_counted,
            left_out,
            memory_bytes: *memory_bytes,
            saved: self.saved.as_deref(),
        });
    }
}

impl Found {
    /// Returns the warning that there are far more k-mers than --kmers allows for.
    fn warning(&self, over_counted: f64) -> String {
        let left_out = match self {
            Self::Spectrum(Spectrum { left_out, .. }, _) if *left_out > 10.0 * LEFT_OUT => {
                format!(", and up to {} are left out", percent(*left_out))
            }
            _ => String::new(),
        };
        let over_counted = percent(over_counted);
        format!(
            "more k-mers than --kmers allows for: up to {over_counted} of them are counted too often{left_out}"
        )
    }
}

impl Counting {
    fn count(&self, different: u64) -> Result<(CountMin, Totals)> {
        /// With five counters for two k-mers in each of eight rows, a third of each row is in use, and one in 7,000
        /// k-mers finds no counter for itself.
        const ROWS: u32 = 8;
        const FEWEST: u64 = 64;
        let bits = match self.most {
            // The frequency of a k-mer that is asked for, here or later, may be high.
            _ if !self.asked.is_empty() || self.target.is_some() => 32,
            ..=MOST_OF_8_BITS => 8,
            _ => 16,
        };
        let width = (different.saturating_mul(5) / 2).max(FEWEST);
        let params = CountMinParams::exact(width, ROWS)?.with_counter_bits(bits)?;
        self.limit.check(params.memory_bytes())?;
        let mut sketch = CountMin::with_params(params.conservative()).with_hash(self.spec);
        let (mut totals, mut hashes) = (Totals::default(), Vec::new());
        self.sequences.reads.for_each(|sequence| {
            hashes.clear();
            hashes.extend(kmers(sequence.bases, self.sequences.k)?.map(|kmer| self.spec.hash(&kmer)));
            sketch.add_hashes(&hashes);
            totals.add(hashes.len() as u64);
            Ok(())
        })?;
        Ok((sketch, totals))
    }

    fn spectrum(&self, sketch: &CountMin, different: u64) -> Result<Spectrum> {
        let params = BloomParams::for_fpr(different, LEFT_OUT)?;
        self.limit.check(params.memory_bytes() + sketch.memory_bytes() as u64)?;
        let most = usize::from(self.most);
        let mut seen = BloomFilter::with_params(params).with_hash(self.spec);
        let mut places = vec![0; most + 1];
        self.sequences.reads.for_each(|sequence| {
            for kmer in kmers(sequence.bases, self.sequences.k)? {
                let hash = self.spec.hash(&kmer);
                if seen.insert_hash(hash) {
                    let frequency = sketch.frequency_hash(hash).value() as usize;
                    places[frequency.clamp(1, most + 1) - 1] += 1;
                }
            }
            Ok(())
        })?;
        Ok(Spectrum { places, left_out: seen.fpr().value() })
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

#[cfg(test)]
mod tests {
    use super::super::testing::{bases, fasta, two_genomes};
    use super::*;
    use crate::testing::Folder;
    use crivo::rng::Rng;

    /// TGTAATC is GATTACA on the other strand.
    const READS: &str = ">a\nGATTACA\n>b\nGATTACA\n>c\nTGTAATC\n>d\nGATTA\n";

    #[test]
    fn the_spectrum_is_a_drawing_a_table_or_records() {
        let folder = Folder::with(&[("a.fa", READS)]);
        let counted = folder.report::<Count>("-k 5 @a.fa");
        let Found::Spectrum(spectrum, false) = &counted.found else { panic!("{counted:?}") };
        assert_eq!((&spectrum.places[..5], spectrum.places.len()), (&[0, 0, 2, 1, 0][..], 41));
        assert_eq!((counted.totals.kmers, counted.totals.sequences, counted.totals.short), (10, 4, 0));
        let text = folder.printed::<Count>("-k 5 @a.fa --most 3 --save @c.crv");
        assert!(text.contains("3×  2  █"), "{text}");
        assert!(text.contains("\n1 k-mer more than 3 times; see --most\n"), "{text}");
        assert!(text.contains("\n10 k-mers, 3 distinct (95 %: 3), of 4 sequences in "), "{text}");
        let csv = |flags: &str| folder.printed::<Count>(&format!("-k 5 @a.fa --kmers 1000 --csv {flags}"));
        assert_eq!(csv(""), "times,kmers\n1,0\n2,0\n3,2\n4,1\n");
        assert_eq!(csv("--most 3"), "times,kmers\n1,0\n2,0\n3,2\n>3,1\n");
        let json = folder.printed::<Count>("-k 5 @a.fa --most 3 --json");
        let lines: Vec<&str> = json.lines().collect();
        assert_eq!(lines[2], "{\"type\":\"kmers_of\",\"times\":3,\"kmers\":2}");
        assert_eq!(lines[3], "{\"type\":\"kmers_above\",\"more_than\":3,\"kmers\":1}");
        let begin = "{\"type\":\"kmer_count\",\"k\":5,\"sequences\":4,\"short\":0,\"kmers\":10,\
             \"distinct\":{\"value\":3,";
        assert!(lines[4].starts_with(begin), "{json}");
    }

    #[test]
    fn frequencies_do_not_stop_at_two_bytes() {
        let folder = Folder::with(&[("a.fa", READS), ("b.fa", &format!(">a\n{}\n", "A".repeat(70_000)))]);
        let counted = folder.report::<Count>("-k 5 @a.fa --kmers 1000 --kmer TAATC --kmer CCCCC");
        let Found::Asked(found) = &counted.found else { panic!("{counted:?}") };
        assert_eq!([found[0].1.value(), found[1].1.value()], [4.0, 0.0]);
        let text = folder.printed::<Count>("-k 4 @b.fa --kmer AAAA");
        assert!(text.starts_with("69,997 × AAAA  (at least 95 %: 69,997)\n"), "{text}");
        let line = folder.printed::<Count>("-k 4 @b.fa --kmer TTTT --json");
        let begin = "{\"type\":\"frequency\",\"key\":\"TTTT\",\"frequency\":{\"value\":69997,";
        assert!(line.starts_with(begin), "{line}");
        let error = folder.error::<Count>("-k 5 @a.fa --kmer GATT");
        assert_eq!(error, "--kmer GATT has 4 bases, but -k is 5; give them the same");
        let error = folder.error::<Count>("-k 5 @a.fa --kmer GATTN");
        assert!(error.contains("letter 5") && error.contains("'N'"), "{error}");
    }

    /// The filter through which distinct k-mers are counted leaves some out: the bar holds the truth.
    #[test]
    fn the_number_of_different_kmers_has_a_bar() {
        // Without repeats of 31, except by chance once in 4^31/400,000² files.
        const BASES: usize = 400_000;
        let folder = Folder::with(&[("a.fa", &format!(">a\n{}\n", bases(&mut Rng::new(1), BASES)))]);
        // Planned for half of them, the filter leaves out many.
        let (counted, recorded) = folder.run::<Count>("-k 31 @a.fa --kmers 200000").unwrap();
        let Found::Spectrum(spectrum, _) = &counted.found else { panic!("{counted:?}") };
        let truth = (BASES - 30) as f64;
        let (different, most) = (spectrum.different() as f64, spectrum.most_different());
        assert!(different < truth && truth <= most, "{different} to {most}");
        assert!(spectrum.shown().contains(" distinct (95 %: ") && spectrum.shown().contains(" to "));
        assert!(recorded.remarks()[0].contains("are left out"), "{:?}", recorded.remarks());
    }

    #[test]
    fn more_kmers_than_said_are_told() {
        let folder = Folder::with(&[("a.fa", &fasta(&two_genomes(4)))]);
        let (_, recorded) = folder.run::<Count>("-k 21 @a.fa --kmers 100").unwrap();
        assert!(recorded.remarks()[0].starts_with("more k-mers than --kmers allows for: "));
        let (_, recorded) = folder.run::<Count>("-k 21 @a.fa --kmers 100 --quiet").unwrap();
        assert!(recorded.remarks().is_empty());
    }
}
