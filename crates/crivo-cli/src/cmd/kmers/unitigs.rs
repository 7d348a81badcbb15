//! `crivo kmers unitigs`: the longest sequences without a fork.

use super::of_short;
use super::paths::{self, PathArgs};
use crate::output::Target;
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::Result;
use clap::Args;
use crivo_report::{Page, Records, Report, count, plural};
use serde::Serialize;

/// Write the unitigs of all sequences as FASTA: the longest paths of k-mers without a fork
///
/// The result is exact: all distinct k-mers are kept while the unitigs are built. Every k-mer is in exactly one unitig,
/// once. A unitig is written on the strand whose text is the smaller; a cycle begins at any of its k-mers.
///
/// An odd k is usual: with an even k some k-mers are their own reverse complements, and a unitig ends there, since what
/// follows such a k-mer also precedes it.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo kmers unitigs genome.fa -o unitigs.fa
  crivo kmers unitigs -k 55 lane1.fq.gz lane2.fq.gz -o unitigs.fa --max-memory 16GiB")]
pub(crate) struct Unitigs {
    #[command(flatten)]
    paths: PathArgs,
}

/// What was written; `kmers` are distinct ones.
#[derive(Debug, Default, Serialize)]
#[serde(tag = "type", rename = "unitigs")]
pub(crate) struct Written {
    /// None where they went to standard output.
    saved: Option<String>,
    k: u32,
    pub(super) unitigs: u64,
    bases: u64,
    longest: u64,
    kmers: u64,
    short: u64,
}

impl Verb for Unitigs {
    type Report = Written;

    fn manner(&self) -> Manner {
        self.paths.manner()
    }

    fn run(self, session: &Session) -> Result<Written> {
        let target = self.paths.target("unitigs", session)?;
        let sequences = self.paths.read.open(self.paths.limit, session)?;
        let (set, totals) = sequences.collect(self.paths.limit, 0)?;
        let lengths = paths::write(&set, &set.iter(), target.as_ref(), session)?;
        Ok(Written {
            saved: target.as_ref().map(Target::name),
            k: sequences.k,
            unitigs: lengths.len() as u64,
            bases: lengths.iter().sum(),
            longest: lengths.iter().copied().max().unwrap_or(0),
            kmers: set.len(),
            short: totals.short,
        })
    }
}

impl Report for Written {
    fn text(&self, page: &mut Page) {
        let unitigs = plural(self.unitigs, "unitig", "unitigs");
        let unitigs = format!("{unitigs} of {} distinct {}-mers", count(self.kmers), self.k);
        let longest = format!("the longest has {}", plural(self.longest, "base", "bases"));
        let short = of_short(self.short, "sequence", self.k);
        paths::print(page, self.saved.as_deref(), [&unitigs, &longest], short);
    }

    fn records(&self, records: &mut Records) {
        records.row(self);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{bases, fasta};
    use super::*;
    use crate::testing::Folder;
    use crivo::rng::Rng;

    #[test]
    fn unitigs_are_the_genome() {
        let genome = bases(&mut Rng::new(5), 700);
        let reads: Vec<String> =
            (0..=640).step_by(20).map(|start| genome[start..start + 60].into()).collect();
        let folder = Folder::with(&[("a.fa", &fasta(&reads))]);
        let said = folder.printed::<Unitigs>("-k 21 @a.fa -o @u.fa");
        let end = "u.fa: 1 unitig of 680 distinct 21-mers\nthe longest has 700 bases\n";
        assert!(said.ends_with(end), "{said}");
        let written = String::from_utf8(folder.read("u.fa")).unwrap();
        let complement = |base| match base {
            'A' => 'T',
            'C' => 'G',
            'G' => 'C',
            _ => 'A',
        };
        let turned: String = genome.chars().rev().map(complement).collect();
        assert_eq!(written, format!(">1 700 bases\n{}\n", genome.min(turned)));
        let report = folder.report::<Unitigs>("-k 21 @a.fa -o @u.fa --force");
        assert_eq!((report.unitigs, report.bases, report.kmers, report.short), (1, 700, 680, 0));
        // To standard output: nothing else is written there.
        let (report, recorded) = folder.run::<Unitigs>("-k 21 @a.fa -o -").unwrap();
        recorded.session.finish(&report).unwrap();
        assert_eq!(recorded.printed(), written);
        assert_eq!(recorded.remarks(), ["1 unitig of 680 distinct 21-mers; the longest has 700 bases"]);
        for form in ["--json", "--csv", "--markdown"] {
            let error = folder.error::<Unitigs>(&format!("-k 21 @a.fa -o - {form}"));
            assert!(error.starts_with(&format!("{form} goes to standard output")), "{error}");
        }
        assert!(folder.error::<Unitigs>("-k 21 @a.fa -o @u.fa").contains("--force"));
    }
}
