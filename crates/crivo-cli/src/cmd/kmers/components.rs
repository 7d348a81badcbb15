//! `crivo kmers components`: how many genomes are these?

use super::graph::PartArgs;
use super::{ReadArgs, of_short};
use crate::args::FormArgs;
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::Result;
use clap::Args;
use crivo_report::{Align, Page, Records, Report, Table, count, percent, plural};
use serde::Serialize;

/// Count the connected components of reads, and their sizes
///
/// Two reads are connected if a path of k-mers leads from one to the other. False-positive k-mers may connect groups
/// that do not belong together; more --bits make them rarer.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo kmers components reads.fq.gz
  crivo kmers components reads.fq.gz --from reads.crv")]
pub(crate) struct Components {
    #[command(flatten)]
    read: ReadArgs,

    #[command(flatten)]
    part: PartArgs,

    /// Number of components to list, the largest first
    #[arg(long, value_name = "N", default_value_t = 10)]
    list: usize,

    #[command(flatten)]
    form: FormArgs,
}

/// `short` reads have no k-mer.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "components")]
pub(crate) struct Found {
    components: u64,
    reads: u64,
    short: u64,
    /// How many reads those that are listed have, the largest first.
    #[serde(skip)]
    listed: Vec<u64>,
    #[serde(skip)]
    k: u32,
}

impl Verb for Components {
    type Report = Found;

    fn manner(&self) -> Manner {
        self.form.manner(self.read.quiet)
    }

    fn run(self, session: &Session) -> Result<Found> {
        let (mut parted, _) = self.part.part(&self.read, session)?;
        let components = parted.sizes.len() as u64;
        parted.sizes.truncate(self.list);
        Ok(Found {
            components,
            reads: parted.components.len() as u64,
            short: parted.components.iter().filter(|component| component.is_none()).count() as u64,
            listed: parted.sizes,
            k: parted.k,
        })
    }
}

#[derive(Serialize)]
#[serde(tag = "type", rename = "component")]
struct ComponentRecord {
    component: u64,
    reads: u64,
}

impl Report for Found {
    fn text(&self, page: &mut Page) {
        let mut table = Table::new([Align::Right, Align::Right, Align::Right]);
        for (component, &reads) in (1u64..).zip(&self.listed) {
            let share = percent(reads as f64 / self.reads as f64);
            table.push([component.to_string(), count(reads), share]);
        }
        table.print(page);
        let components = plural(self.components, "component", "components");
        page.line(&format!("{components} of {}", plural(self.reads, "read", "reads")));
        if let Some(line) = of_short(self.short, "read", self.k) {
            page.line(&line);
        }
    }

    fn records(&self, records: &mut Records) {
        for (component, &reads) in (1..).zip(&self.listed) {
            records.row(&ComponentRecord { component, reads });
        }
        records.total(self);
    }
}

#[cfg(test)]
mod tests {
    use super::super::build::Build;
    use super::super::testing::{fasta, two_genomes};
    use super::*;
    use crate::testing::Folder;

    #[test]
    fn reads_of_two_genomes_are_told_apart() {
        let text = fasta(&two_genomes(3)) + ">short\nACGT\n";
        let folder = Folder::with(&[("a.fa", &text), ("empty.fa", "")]);
        let found = folder.report::<Components>("-k 21 @a.fa --bits 20");
        assert_eq!((found.components, found.reads, found.short), (2, 121, 1));
        assert_eq!(found.listed, [75, 45]);
        assert_eq!(
            folder.printed::<Components>("-k 21 @a.fa --bits 20"),
            "1  75    62 %\n2  45  37.2 %\n2 components of 121 reads\n1 read without 21 known bases in a row\n"
        );
        assert_eq!(
            folder.printed::<Components>("-k 21 @a.fa --bits 20 --list 1 --json"),
            "{\"type\":\"component\",\"component\":1,\"reads\":75}\n\
             {\"type\":\"components\",\"components\":2,\"reads\":121,\"short\":1}\n"
        );
        assert_eq!(folder.printed::<Components>("@empty.fa"), "0 components of 0 reads\n");
        assert!(folder.error::<Components>("-k 21 @a.fa --bits 1").contains("--bits"));
        // With a saved graph, and its k.
        folder.report::<Build>("-k 21 @a.fa --bits 20 -o @g.crv");
        assert_eq!(folder.report::<Components>("@a.fa --from @g.crv").k, 21);
        let error = folder.error::<Components>("-k 31 @a.fa --from @g.crv");
        assert!(error.contains("g.crv: the graph is of 21-mers, but -k is 31"), "{error}");
    }
}
