//! `crivo kmers unitigs`: the longest sequences without a fork.

use super::{ReadArgs, of_short};
use crate::args::{FormArgs, LimitArgs};
use crate::output::{Target, is_stdout};
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Result, bail};
use clap::Args;
use crivo::graph::{KmerSet, unitigs};
use crivo_report::{Page, Records, Report, count, plural};
use serde::Serialize;
use std::path::PathBuf;

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
    read: ReadArgs,

    /// FASTA file to write; - is standard output
    #[arg(long, short, value_name = "FILE.fa", help_heading = "Output")]
    output: PathBuf,

    /// Replace the file if it exists
    #[arg(long, help_heading = "Output")]
    force: bool,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    form: FormArgs,
}

/// What was written; `kmers` are distinct ones.
#[derive(Debug, Default, Serialize)]
#[serde(tag = "type", rename = "unitigs")]
pub(crate) struct Written {
    /// None where they went to standard output.
    saved: Option<String>,
    k: u32,
    unitigs: u64,
    bases: u64,
    longest: u64,
    kmers: u64,
    short: u64,
}

impl Verb for Unitigs {
    type Report = Written;

    fn manner(&self) -> Manner {
        self.form.manner(self.read.quiet)
    }

    fn run(self, session: &Session) -> Result<Written> {
        let target = if is_stdout(&self.output) {
            if let Some(flag) = self.form.flag() {
                bail!("{flag} goes to standard output, where the unitigs go; name a file for them");
            }
            None
        } else {
            Some(Target::check(&self.output, self.force, session)?)
        };
        let sequences = self.read.open(self.limit, session)?;
        let (set, totals) = sequences.collect(self.limit, 0)?;
        let mut written = Written {
            saved: target.as_ref().map(Target::name),
            k: sequences.k,
            kmers: set.len(),
            short: totals.short,
            ..Written::default()
        };
        match &target {
            Some(target) => target
                .write_with(session, |writer| written.write(&set, |bytes| Ok(writer.write_all(bytes)?)))?,
            None => written.write(&set, |bytes| session.show(&Piece(bytes)))?,
        }
        Ok(written)
    }
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

impl Report for Written {
    fn text(&self, page: &mut Page) {
        let unitigs = plural(self.unitigs, "unitig", "unitigs");
        let unitigs = format!("{unitigs} of {} distinct {}-mers", count(self.kmers), self.k);
        let longest = format!("the longest has {}", plural(self.longest, "base", "bases"));
        let short = of_short(self.short, "sequence", self.k);
        if let Some(saved) = &self.saved {
            page.line(&format!("{saved}: {unitigs}"));
            page.line(&longest);
            if let Some(short) = short {
                page.line(&short);
            }
        } else {
            page.remark(&format!("{unitigs}; {longest}"));
            if let Some(short) = short {
                page.remark(&short);
            }
        }
    }

    fn records(&self, records: &mut Records) {
        records.row(self);
    }
}

/// A piece of FASTA.
struct Piece<'a>(&'a [u8]);

impl Report for Piece<'_> {
    fn text(&self, page: &mut Page) {
        page.bytes(self.0);
    }

    fn records(&self, _records: &mut Records) {}
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
