//! Paths of a graph of k-mers, written as FASTA.

use super::ReadArgs;
use crate::args::{FormArgs, LimitArgs};
use crate::output::{Target, is_stdout};
use crate::session::{Manner, Session};
use anyhow::{Result, bail};
use clap::Args;
use crivo::graph::{Kmer, KmerGraph, unitigs};
use crivo_report::{Page, Records, Report};
use std::path::PathBuf;

/// What is read, and where the paths go.
#[derive(Args, Debug)]
pub(super) struct PathArgs {
    #[command(flatten)]
    pub(super) read: ReadArgs,

    /// FASTA file to write; - is standard output
    #[arg(long, short, value_name = "FILE.fa", help_heading = "Output")]
    output: PathBuf,

    /// Replace the file if it exists
    #[arg(long, help_heading = "Output")]
    force: bool,

    #[command(flatten)]
    pub(super) limit: LimitArgs,

    #[command(flatten)]
    form: FormArgs,
}

impl PathArgs {
    pub(super) fn manner(&self) -> Manner {
        self.form.manner(self.read.quiet)
    }

    /// The file to write, or none for standard output. `what` is written.
    pub(super) fn target(&self, what: &str, session: &Session) -> Result<Option<Target>> {
        if !is_stdout(&self.output) {
            return Ok(Some(Target::check(&self.output, self.force, session)?));
        }
        if let Some(flag) = self.form.flag() {
            bail!("{flag} goes to standard output, where the {what} go; name a file for them");
        }
        Ok(None)
    }
}

/// Writes the unitigs of a graph, and returns their lengths.
pub(super) fn write<G: KmerGraph>(
    graph: &G,
    kmers: &(impl Iterator<Item = Kmer> + Clone),
    target: Option<&Target>,
    session: &Session,
) -> Result<Vec<u64>> {
    let mut lengths = Vec::new();
    let mut write_all = |write: &mut dyn FnMut(&[u8]) -> Result<()>| {
        for unitig in unitigs(graph, kmers.clone()) {
            lengths.push(unitig.len() as u64);
            write(format!(">{} {} bases\n", lengths.len(), unitig.len()).as_bytes())?;
            write(&unitig)?;
            write(b"\n")?;
        }
        Ok(())
    };
    match target {
        Some(target) => {
            target.write_with(session, |writer| write_all(&mut |bytes| Ok(writer.write_all(bytes)?)))?;
        }
        None => write_all(&mut |bytes| session.show(&Piece(bytes)))?,
    }
    Ok(lengths)
}

/// Prints what was written and the lengths: after the name of the file, or as warnings if the paths went to standard output.
/// Further lines follow.
pub(super) fn print(
    page: &mut Page,
    saved: Option<&str>,
    [what, lengths]: [&str; 2],
    more: impl IntoIterator<Item = String>,
) {
    if let Some(saved) = saved {
        page.line(&format!("{saved}: {what}"));
        page.line(lengths);
        more.into_iter().for_each(|line| page.line(&line));
    } else {
        page.remark(&format!("{what}; {lengths}"));
        more.into_iter().for_each(|line| page.remark(&line));
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
