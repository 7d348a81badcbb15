//! `crivo kmers partition`: the reads of each genome apart.

use super::ReadArgs;
use super::graph::{PartArgs, Parted};
use crate::args::FormArgs;
use crate::input::{Reads, Sequence};
use crate::output::{Target, check_new_folder};
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Context, Result};
use clap::{ArgGroup, Args};
use crivo_program::{Draft, interrupt};
use crivo_report::{Page, Records, Report, plural};
use serde::Serialize;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Write the reads of each connected component to a separate file
///
/// Two reads are connected if a path of k-mers leads from one to the other. The largest components get separate files,
/// the largest first; all other reads go to one more file. The output appears only when it is complete.
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

    /// Directory to create for the parts: 1.fa, 2.fa, … and others.fa, or .fq
    #[arg(long, short, value_name = "DIR", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Write a table of the names of all reads and their components instead; 0 for reads without a k-mer
    #[arg(long, value_name = "FILE.tsv", help_heading = "Output")]
    labels: Option<PathBuf>,

    /// Number of components that get a separate file
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1000), help_heading = "Output")]
    parts: u32,

    /// Replace the table if it exists
    #[arg(long, requires = "labels", help_heading = "Output")]
    force: bool,

    #[command(flatten)]
    form: FormArgs,
}

/// What was written.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "partition")]
pub(crate) struct Written {
    saved: Option<String>,
    components: u64,
    reads: u64,
}

impl Verb for Partition {
    type Report = Written;

    fn manner(&self) -> Manner {
        self.form.manner(self.read.quiet)
    }

    fn run(self, session: &Session) -> Result<Written> {
        if let Some(folder) = &self.output {
            check_new_folder(folder).with_context(|| folder.display().to_string())?;
        }
        let labels = self.labels.map(|path| Target::check(&path, self.force, session)).transpose()?;
        let (parted, reads) = self.part.part(&self.read, session)?;
        let mut saved = None;
        if let Some(target) = labels {
            write_labels(&target, &reads, &parted, session)?;
            saved = Some(target.name());
        }
        if let Some(folder) = &self.output {
            let name = folder.display().to_string();
            write_parts(folder, self.parts as usize, &reads, &parted).with_context(|| name.clone())?;
            saved = Some(name);
        }
        let (components, reads) = (parted.sizes.len() as u64, parted.components.len() as u64);
        Ok(Written { saved, components, reads })
    }
}

impl Report for Written {
    fn text(&self, page: &mut Page) {
        let components = plural(self.components, "component", "components");
        let saved = self.saved.as_deref().unwrap_or_default();
        page.line(&format!("{saved}: {} in {components}", plural(self.reads, "read", "reads")));
    }

    fn records(&self, records: &mut Records) {
        records.row(self);
    }
}

/// Into a directory that gets its name when all is written.
fn write_parts(folder: &Path, parts: usize, reads: &Reads, parted: &Parted) -> Result<()> {
    let mut written = Draft::of_folder(folder)?;
    let own = parted.sizes.len().min(parts);
    let mut files = Files { folder: written.get_mut().path(), own, open: Vec::new() };
    let mut components = parted.components.iter();
    reads.for_each(|read| files.write(read, components.next().copied().flatten()))?;
    for file in files.open.into_iter().flatten() {
        file.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()?;
    }
    interrupt::is_finishing();
    Ok(written.finish(folder)?)
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

#[cfg(test)]
mod tests {
    use super::super::build::Build;
    use super::super::testing::{fasta, two_genomes};
    use super::*;
    use crate::testing::Folder;

    #[test]
    fn reads_of_two_genomes_are_parted() {
        let text = fasta(&two_genomes(3)) + ">short\nACGT\n";
        let folder = Folder::with(&[("a.fa", &text)]);
        let written = folder.report::<Partition>("-k 21 @a.fa --bits 20 -o @parts");
        assert_eq!((written.components, written.reads), (2, 121));
        let part = |name: &str| String::from_utf8(folder.read(&format!("parts/{name}.fa"))).unwrap();
        assert_eq!(["1", "2"].map(|name| part(name).matches('>').count()), [75, 45]);
        assert!(
            part("1").starts_with(">r0 of some length\n") && part("2").starts_with(">r1 of some length\n")
        );
        assert_eq!(part("others"), ">short\nACGT\n");
        assert!(folder.error::<Partition>("-k 21 @a.fa -o @parts").contains("exists already"));
        assert!(folder.error::<Partition>("-k 21 @a.fa -o @no/parts").contains("no directory"));
    }

    #[test]
    fn labels_come_from_a_saved_graph_too() {
        let text = fasta(&two_genomes(3)) + ">short\nACGT\n";
        let folder = Folder::with(&[("a.fa", &text)]);
        for flags in ["--exact", "--bits 20"] {
            folder.report::<Build>(&format!("-k 21 @a.fa {flags} -o @g.crv --force"));
            let said = folder.printed::<Partition>("@a.fa --from @g.crv --labels @l.tsv --force");
            assert!(said.ends_with("l.tsv: 121 reads in 2 components\n"), "{said}");
            let labels = String::from_utf8(folder.read("l.tsv")).unwrap();
            let begin = "read\tcomponent\nr0 of some length\t1\nr1 of some length\t2\n";
            assert!(labels.starts_with(begin), "{labels}");
            assert!(labels.ends_with("short\t0\n") && labels.lines().count() == 122, "{labels}");
        }
    }
}
