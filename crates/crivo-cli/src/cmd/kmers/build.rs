//! `crivo kmers build`: the graph of all sequences.

use super::graph::GraphArgs;
use super::{ReadArgs, Totals, of_short};
use crate::args::{FormArgs, MaybeOutputArgs};
use crate::cmd::number::Number;
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::Result;
use clap::Args;
use crivo::Estimate;
use crivo::graph::ExactDeBruijn;
use crivo::sketch::Sketch;
use crivo_report::{Page, Records, Report, as_bar_or_null, count, estimate, plural, rate, size};
use serde::Serialize;

/// The bytes per k-mer that building an exact graph takes in addition to the set.
const FREEZING: u64 = 110;

/// Build the de Bruijn graph of all sequences
///
/// A Bloom filter holds the k-mers: none is lost, and some are false positives. With --exact the graph is static, takes
/// some 5 bits per k-mer, and a walk that starts at a true k-mer visits true k-mers only. While it is built, all
/// distinct k-mers are kept, in some 150 bytes each, which --max-memory limits.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo kmers build reads.fq.gz -o reads.crv
  crivo kmers build -k 21 --bits 4 lane1.fq.gz lane2.fq.gz -o reads.crv
  crivo kmers build --exact genome.fa.gz -o genome.crv
Graphs of the same size merge: give both the same --kmers, and see 'crivo merge'.")]
pub(crate) struct Build {
    #[command(flatten)]
    read: ReadArgs,

    /// Build a static graph without false positives in walks
    #[arg(long, conflicts_with_all = ["bits", "kmers"])]
    exact: bool,

    #[command(flatten)]
    graph: GraphArgs,

    #[command(flatten)]
    output: MaybeOutputArgs,

    #[command(flatten)]
    form: FormArgs,
}

/// `kmers` counts repeats, `short` sequences have no k-mer; the rate is null for an exact graph.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "kmer_graph")]
pub(crate) struct Built {
    saved: Option<String>,
    kind: &'static str,
    k: u32,
    #[serde(flatten)]
    totals: Totals,
    distinct: Number,
    #[serde(serialize_with = "as_bar_or_null")]
    fpr: Option<Estimate>,
    memory_bytes: u64,
}

impl Verb for Build {
    type Report = Built;

    fn manner(&self) -> Manner {
        self.form.manner(self.read.quiet)
    }

    fn run(self, session: &Session) -> Result<Built> {
        let target = self.output.target(session)?;
        let mut sequences = self.read.open(self.graph.limit, session)?;
        let spec = self.graph.hash.kmer_spec(session)?;
        let (graph, totals, distinct, fpr): (Box<dyn Sketch>, _, _, _) = if self.exact {
            let (set, totals) = sequences.collect(self.graph.limit, FREEZING)?;
            let graph = ExactDeBruijn::freeze_with(&set, spec)?;
            let distinct = Number::Exact(graph.len());
            (Box::new(graph), totals, distinct, None)
        } else {
            let (graph, totals) = self.graph.build(&mut sequences, spec, session)?;
            let (distinct, fpr) = (Number::Estimated(graph.cardinality()), graph.fpr());
            (Box::new(graph), totals, distinct, Some(fpr))
        };
        Ok(Built {
            saved: session.save(target.as_ref(), || graph.to_bytes()),
            kind: graph.kind().name(),
            k: sequences.k,
            totals,
            distinct,
            fpr,
            memory_bytes: graph.memory_bytes() as u64,
        })
    }
}

impl Report for Built {
    fn text(&self, page: &mut Page) {
        let k = self.k;
        let saved = self.saved.as_ref().map_or_else(String::new, |saved| format!("{saved}: "));
        let of = plural(self.totals.sequences, "sequence", "sequences");
        page.line(&format!("{saved}{} of {of} in {}", self.kind, size(self.memory_bytes)));
        page.line(&match &self.distinct {
            Number::Exact(kmers) => format!("{} distinct {k}-mers", count(*kmers)),
            Number::Estimated(kmers) => estimate(kmers, &format!("distinct {k}-mers")),
        });
        if let Some(fpr) = &self.fpr {
            page.line(&format!("false-positive rate: {}", rate(fpr)));
        }
        if let Some(line) = of_short(self.totals.short, "sequence", k) {
            page.line(&line);
        }
    }

    fn records(&self, records: &mut Records) {
        records.row(self);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{bases, fasta, two_genomes};
    use super::*;
    use crate::testing::Folder;
    use crivo::rng::Rng;

    #[test]
    fn every_way_to_write_reads_gives_the_same_graph() {
        let reads = two_genomes(1);
        let text = fasta(&reads);
        let folded = |read: &String| format!(">x\n{}\n{}\n", &read[..17], &read[17..]);
        let fastq = |read: &String| format!("@r\n{read}\n+\n{}\n", "I".repeat(read.len()));
        let folder = Folder::with(&[
            ("a.fa", &text),
            ("a.fq", &reads.iter().map(fastq).collect::<String>()),
            ("crlf.fa", &text.replace('\n', "\r\n")),
            ("folded.fa", &reads.iter().map(folded).collect::<String>().to_lowercase()),
        ]);
        let built = |name: &str| {
            folder.report::<Build>(&format!("-k 21 @{name} -o @graph.crv --force"));
            folder.read("graph.crv")
        };
        let expected = built("a.fa");
        for name in ["a.fq", "crlf.fa", "folded.fa"] {
            assert!(built(name) == expected, "{name}");
        }
    }

    #[test]
    fn a_graph_tells_its_size() {
        let reads = two_genomes(2);
        let folder = Folder::with(&[
            ("a.fa", &fasta(&reads)),
            ("short.fa", ">one\nACGT\n>two\n\n>three\nACGTNACGTNACGTNACGTNACGTN\n"),
            ("empty.fa", ""),
        ]);
        let built = folder.report::<Build>("-k 21 @a.fa @short.fa");
        let Totals { sequences, short, kmers } = built.totals;
        assert_eq!((sequences, short, kmers), (reads.len() as u64 + 3, 3, reads.len() as u64 * 40));
        assert!((built.distinct.value() - 1260.0).abs() < 60.0, "780 + 480: {built:?}");
        let text = folder.printed::<Build>("-k 21 @a.fa @short.fa --exact -o @e.crv");
        assert!(text.contains("e.crv: exact-de-bruijn of 123 sequences"), "{text}");
        assert!(text.contains("\n1,260 distinct 21-mers\n"), "{text}");
        assert!(text.ends_with("3 sequences without 21 known bases in a row\n"), "{text}");
        let line = folder.printed::<Build>("@empty.fa --exact --json");
        let begin = "{\"type\":\"kmer_graph\",\"saved\":null,\"kind\":\"exact-de-bruijn\",\"k\":31,\"sequences\":0,\"short\":0,\
             \"kmers\":0,\"distinct\":{\"value\":0,";
        assert!(line.starts_with(begin) && line.contains("},\"fpr\":null,\"memory_bytes\":"), "{line}");
    }

    #[test]
    fn more_kmers_than_said_are_told() {
        let folder = Folder::with(&[("a.fa", &fasta(&two_genomes(4)))]);
        let (_, recorded) = folder.run::<Build>("-k 21 @a.fa --kmers 100").unwrap();
        assert!(recorded.remarks()[0].starts_with("more k-mers than --kmers allows for: "));
        let (_, recorded) = folder.run::<Build>("-k 21 @a.fa --kmers 100 --quiet").unwrap();
        assert!(recorded.remarks().is_empty());
    }

    #[test]
    fn bad_files_are_named() {
        let folder = Folder::with(&[
            ("text.txt", "hello\nworld\n"),
            ("cut.fq", "@a\nACGTACGT\n+\nIII"),
            ("bad.fq", "@a\nACGT\n+\nIIII\n@b\nACGT\nIIII\n@c\n"),
            ("empty.fa", ""),
            ("long.fa", &format!(">a\n{}\n", bases(&mut Rng::new(7), 20_000))),
        ]);
        for (line, words) in [
            ("@text.txt", ["text.txt", "FASTA"]),
            ("@cut.fq", ["cut.fq", "line"]),
            ("@bad.fq", ["bad.fq", "line"]),
            ("@none.fa", ["none.fa", "no such file"]),
            ("--bits 0 @empty.fa", ["0 bits", ""]),
            ("--max-memory 1KiB --kmers 1e6 @empty.fa", ["--max-memory", ""]),
            ("--exact --max-memory 2MiB @long.fa", ["--max-memory", "distinct k-mers"]),
        ] {
            let error = folder.error::<Build>(line);
            assert!(words.iter().all(|word| error.contains(word)), "{line}: {error}");
        }
        folder.report::<Build>("--exact --max-memory 4MiB @long.fa");
    }
}
