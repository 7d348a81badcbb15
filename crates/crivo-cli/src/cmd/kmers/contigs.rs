//! `crivo kmers contigs`: the unitigs of a graph without the marks of single wrong bases.

use super::of_short;
use super::paths::{self, PathArgs};
use crate::output::Target;
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::Result;
use clap::Args;
use crivo::graph::{KmerCounts, Simplified};
use crivo_report::{Page, Records, Report, count, plural};
use serde::Serialize;

/// The bytes for each distinct k-mer in addition to the set, at most: counts, the set of k-mers that are removed, and those of one
/// round.
const MORE: u64 = 10 + 40 + 16;

/// Write contigs as FASTA: unitigs after the removal of tips and simple bubbles
///
/// One wrong base of a read changes at most k of its k-mers, which make a dead end (a tip) or a second path between two
/// k-mers (a bubble) of fewer than 2k bases. They are removed where the path next to them occurs more often, again and
/// again until there are none; on a tie nothing is removed. All distinct k-mers and their exact frequencies are kept, in 25
/// to 106 bytes each, and the files are read twice.
///
/// Contigs end at words of k - 1 bases or more that occur in two places of the genome: pairs of reads are not used, and
/// there is no scaffolding. Wrong bases that are close together make longer bubbles, which stay, and of two true variants
/// the more frequent one stays.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo kmers contigs reads.fq.gz -o contigs.fa
  crivo kmers contigs -k 55 lane1.fq.gz lane2.fq.gz -o contigs.fa --max-memory 16GiB")]
pub(crate) struct Contigs {
    #[command(flatten)]
    paths: PathArgs,
}

/// What was written; `kmers` are distinct ones, before the removal.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "contigs")]
pub(crate) struct Written {
    /// None where they went to standard output.
    saved: Option<String>,
    k: u32,
    contigs: u64,
    bases: u64,
    longest: u64,
    n50: u64,
    kmers: u64,
    tips: u64,
    bubbles: u64,
    /// The k-mers of tips and bubbles.
    removed: u64,
    short: u64,
}

impl Verb for Contigs {
    type Report = Written;

    fn manner(&self) -> Manner {
        self.paths.manner()
    }

    fn run(self, session: &Session) -> Result<Written> {
        let target = self.paths.target("contigs", session)?;
        let mut sequences = self.paths.read.open(self.paths.limit, session)?;
        sequences.reads.keep()?;
        let (set, totals) = sequences.collect(self.paths.limit, MORE)?;
        let mut counts = KmerCounts::of(set);
        sequences.reads.for_each(|sequence| {
            counts.add_sequence(sequence.bases);
            Ok(())
        })?;
        let graph = Simplified::new(&counts);
        let lengths = paths::write(&graph, &graph.iter(), target.as_ref(), session)?;
        Ok(Written {
            saved: target.as_ref().map(Target::name),
            k: sequences.k,
            contigs: lengths.len() as u64,
            bases: lengths.iter().sum(),
            longest: lengths.iter().copied().max().unwrap_or(0),
            n50: n50(lengths),
            kmers: counts.set().len(),
            tips: graph.tips(),
            bubbles: graph.bubbles(),
            removed: graph.removed(),
            short: totals.short,
        })
    }
}

/// The length such that sequences of this length or more have at least half of all bases.
fn n50(mut lengths: Vec<u64>) -> u64 {
    lengths.sort_unstable_by(|one, other| other.cmp(one));
    let total: u64 = lengths.iter().sum();
    let mut bases = 0;
    let reaches_half = |length: &u64| {
        bases += length;
        2 * bases >= total
    };
    lengths.into_iter().find(reaches_half).unwrap_or(0)
}

impl Report for Written {
    fn text(&self, page: &mut Page) {
        let contigs = plural(self.contigs, "contig", "contigs");
        let bases = plural(self.bases, "base", "bases");
        let lengths =
            format!("N50 {}, the longest has {}", count(self.n50), plural(self.longest, "base", "bases"));
        let removed = format!(
            "removed {} and {}: {} of {} distinct {}-mers",
            plural(self.tips, "tip", "tips"),
            plural(self.bubbles, "arm of a bubble", "arms of bubbles"),
            count(self.removed),
            count(self.kmers),
            self.k
        );
        let limits = format!(
            "contigs end at words of {} or more that occur in two places (k - 1); pairs of reads are not used",
            plural(u64::from(self.k) - 1, "base", "bases")
        );
        let short = of_short(self.short, "sequence", self.k);
        let more = [removed, limits].into_iter().chain(short);
        paths::print(page, self.saved.as_deref(), [&format!("{contigs} of {bases}"), &lengths], more);
    }

    fn records(&self, records: &mut Records) {
        records.row(self);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{bases, fasta};
    use super::super::unitigs::Unitigs;
    use super::*;
    use crate::testing::Folder;
    use crivo::rng::Rng;

    #[test]
    fn half_of_the_bases_are_in_sequences_of_n50_or_more() {
        for (lengths, expected) in [
            (vec![], 0),
            (vec![7], 7),
            (vec![2, 2, 2, 3, 3, 4, 8, 8], 8),
            (vec![1, 1, 1, 1], 1),
            (vec![5, 4, 1], 5),
            (vec![4, 4, 3], 4),
        ] {
            assert_eq!(n50(lengths.clone()), expected, "{lengths:?}");
        }
    }

    /// A genome in two parts, and reads of them with wrong bases in the middle and near an end.
    #[test]
    fn contigs_are_the_genome_in_spite_of_wrong_bases() {
        let mut rng = Rng::new(5);
        let genomes = [bases(&mut rng, 700), bases(&mut rng, 300)];
        let mut reads: Vec<String> = genomes
            .iter()
            .flat_map(|genome| {
                (0..=genome.len() - 60).step_by(10).map(|start| genome[start..start + 60].into())
            })
            .collect();
        for (read, place) in [(20, 30), (40, 2)] {
            let wrong = if &reads[read][place..=place] == "A" { "C" } else { "A" };
            reads[read].replace_range(place..=place, wrong);
        }
        reads.push("ACGT".into());
        let folder = Folder::with(&[("a.fa", &fasta(&reads)), ("genomes.fa", &fasta(&genomes))]);
        assert!(folder.report::<Unitigs>("-k 21 @a.fa -o @u.fa").unitigs > 2);
        let said = folder.printed::<Contigs>("-k 21 @a.fa -o @c.fa");
        let end = "c.fa: 2 contigs of 1,000 bases\nN50 700, the longest has 700 bases\n\
            removed 1 tip and 1 arm of a bubble: 24 of 984 distinct 21-mers\n\
            contigs end at words of 20 bases or more that occur in two places (k - 1); pairs of reads are not used\n\
            1 sequence without 21 known bases in a row\n";
        assert!(said.ends_with(end), "{said}");
        // The contigs are the unitigs of the genomes themselves.
        folder.report::<Unitigs>("-k 21 @genomes.fa -o @g.fa");
        let sequences = |file: &str| {
            let text = String::from_utf8(folder.read(file)).unwrap();
            let lines = text.lines().filter(|line| !line.starts_with('>')).map(String::from);
            lines.collect::<std::collections::BTreeSet<String>>()
        };
        assert_eq!(sequences("c.fa"), sequences("g.fa"));
        for form in ["--json", "--csv", "--markdown"] {
            let error = folder.error::<Contigs>(&format!("-k 21 @a.fa -o - {form}"));
            assert!(
                error.starts_with(&format!("{form} goes to standard output, where the contigs go")),
                "{error}"
            );
        }
    }
}
