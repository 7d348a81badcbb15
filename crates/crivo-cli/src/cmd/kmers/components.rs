//! `crivo kmers components`: how many genomes are these?

use super::ReadArgs;
use super::graph::PartArgs;
use crate::output::{Align, Answer, Output, Table, count, percent, plural};
use crate::session::Session;
use anyhow::Result;
use clap::Args;

/// How many groups of reads are joined by their k-mers, and how large
///
/// Two reads belong together when a path of k-mers leads from one to the other. False k-mers of the graph may join
/// groups that do not belong together; more --bits make them fewer.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo kmers components reads.fq.gz
  crivo kmers components reads.fq.gz --from reads.crv")]
pub(crate) struct Components {
    #[command(flatten)]
    read: ReadArgs,

    #[command(flatten)]
    part: PartArgs,

    /// How many components to list, the largest first
    #[arg(long, value_name = "N", default_value_t = 10)]
    list: usize,

    /// JSON objects instead of text, one a line
    #[arg(long, help_heading = "Output")]
    json: bool,
}

impl Components {
    pub(super) fn run(&self, session: &Session) -> Result<()> {
        let mut reads = self.read.open(&self.part.graph.limit, session)?;
        let parted = self.part.part(&self.read, &mut reads, session)?;
        let all = parted.components.len() as u64;
        let short = parted.components.iter().filter(|component| component.is_none()).count() as u64;
        let mut output = Output::new();
        let mut table = Table::new([Align::Right, Align::Right, Align::Right]);
        for (component, &reads) in (1..).zip(parted.sizes.iter().take(self.list)) {
            if self.json {
                output.json(&Answer::Component { component, reads })?;
            } else {
                table.push([component.to_string(), count(reads), percent(reads as f64 / all as f64)]);
            }
        }
        if self.json {
            let components = parted.sizes.len() as u64;
            output.json(&Answer::Components { components, reads: all, short })?;
            return output.flush();
        }
        output.page(0, |page| table.print(page))?;
        let components = plural(parted.sizes.len() as u64, "component", "components");
        output.line(&format!("{components} of {}", plural(all, "read", "reads")))?;
        if short > 0 {
            let short = plural(short, "read", "reads");
            output.line(&format!("{short} without {} known bases in a row", parted.k))?;
        }
        output.flush()
    }
}
