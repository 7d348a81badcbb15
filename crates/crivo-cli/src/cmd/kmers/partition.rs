//! `crivo kmers partition`: the reads of each genome apart.

use super::ReadArgs;
use super::graph::{PartArgs, Parted};
use crate::input::{Reads, Sequence};
use crate::output::{Answer, Output, Target, check_new_folder, plural};
use crate::session::Session;
use anyhow::{Context, Result};
use clap::{ArgGroup, Args};
use crivo_program::{Draft, interrupt};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Write the reads of each component to a file of its own
///
/// Two reads belong together when a path of k-mers leads from one to the other. The largest components get files of
/// their own, the largest first; all other reads go to one more. Nothing is there before all is.
#[derive(Args, Debug)]
#[command(group(ArgGroup::new("to").required(true).args(["output", "labels"])), after_help = "Examples:
  crivo kmers partition reads.fq.gz -o parts
  crivo kmers partition reads.fq.gz -o parts --parts 2
  crivo kmers partition reads.fq.gz --labels components.tsv")]
pub(crate) struct Partition {
    #[command(flatten)]
    read: ReadArgs,

    #[command(flatten)]
    part: PartArgs,

    /// The directory to make for the parts: 1.fa, 2.fa, … and others.fa, or .fq
    #[arg(long, short, value_name = "DIR", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Instead, a table of the names of all reads and their components; 0 for those without a k-mer
    #[arg(long, value_name = "FILE.tsv", help_heading = "Output")]
    labels: Option<PathBuf>,

    /// How many components get a file of their own
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1000), help_heading = "Output")]
    parts: u32,

    /// Replace the table if it exists
    #[arg(long, requires = "labels", help_heading = "Output")]
    force: bool,

    /// One JSON object instead of text
    #[arg(long, help_heading = "Output")]
    json: bool,
}

impl Partition {
    pub(super) fn run(&self, session: &Session) -> Result<()> {
        if let Some(folder) = &self.output {
            check_new_folder(folder).with_context(|| folder.display().to_string())?;
        }
        let labels =
            self.labels.as_deref().map(|path| Target::check(path, self.force, session)).transpose()?;
        let mut reads = self.read.open(&self.part.graph.limit, session)?;
        let parted = self.part.part(&self.read, &mut reads, session)?;
        if let Some(target) = &labels {
            write_labels(target, &reads, &parted, session)?;
        }
        if let Some(folder) = &self.output {
            self.write_parts(folder, &reads, &parted).with_context(|| folder.display().to_string())?;
        }
        let saved = self.output.as_ref().or(self.labels.as_ref()).map(|path| path.display().to_string());
        let (components, all) = (parted.sizes.len() as u64, parted.components.len() as u64);
        let mut output = Output::new();
        if self.json {
            output.json(&Answer::Partition { saved, components, reads: all })?;
        } else {
            let components = plural(components, "component", "components");
            let saved = saved.unwrap_or_default();
            output.line(&format!("{saved}: {} in {components}", plural(all, "read", "reads")))?;
        }
        output.flush()
    }

    /// Into a directory that gets its name when all is written.
    fn write_parts(&self, folder: &Path, reads: &Reads, parted: &Parted) -> Result<()> {
        let mut written = Draft::of_folder(folder)?;
        let mut files = Files {
            folder: written.get_mut().path(),
            own: parted.sizes.len().min(self.parts as usize),
            open: Vec::new(),
        };
        let mut components = parted.components.iter();
        reads.for_each(|read| files.write(read, components.next().copied().flatten()))?;
        for file in files.open.into_iter().flatten() {
            file.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()?;
        }
        interrupt::is_finishing();
        Ok(written.finish(folder)?)
    }
}

/// One file for each of the `own` largest components, and one for all others.
struct Files<'a> {
    folder: &'a Path,
    own: usize,
    open: Vec<Option<BufWriter<File>>>,
}

impl Files<'_> {
    fn write(&mut self, read: Sequence<'_>, component: Option<u32>) -> Result<()> {
        let place = component.map_or(self.own, |component| (component as usize).min(self.own));
        self.open.resize_with(self.own + 1, || None);
        let file = match &mut self.open[place] {
            Some(file) => file,
            none => {
                let name = if place < self.own { (place + 1).to_string() } else { "others".into() };
                let end = if read.is_fastq { "fq" } else { "fa" };
                none.insert(BufWriter::new(File::create(self.folder.join(format!("{name}.{end}")))?))
            }
        };
        file.write_all(read.text)?;
        file.write_all(b"\n")?;
        Ok(())
    }
}

fn write_labels(target: &Target, reads: &Reads, parted: &Parted, session: &Session) -> Result<()> {
    target.write_with(session, |writer| {
        let mut components = parted.components.iter();
        writer.write_all(b"read\tcomponent\n")?;
        reads.for_each(|read| {
            let component = components.next().copied().flatten().map_or(0, |component| component + 1);
            let name: Vec<u8> =
                read.name.iter().map(|&byte| if byte == b'\t' { b' ' } else { byte }).collect();
            writer.write_all(&name)?;
            writeln!(writer, "\t{component}")?;
            Ok(())
        })
    })
}
