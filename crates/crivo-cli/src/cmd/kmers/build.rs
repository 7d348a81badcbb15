//! `crivo kmers build`: the graph of all sequences.

use super::graph::GraphArgs;
use super::{ReadArgs, Totals};
use crate::args::SaveArgs;
use crate::output::{Answer, Bar, Output, Target, count, estimate, plural, rate, save_and_print, size};
use crate::session::Session;
use anyhow::Result;
use clap::Args;
use crivo::Estimate;
use crivo::graph::ExactDeBruijn;
use crivo::sketch::Sketch;

/// The bytes a k-mer that making an exact graph takes, beside the set.
const FREEZING: u64 = 110;

/// The graph of the k-mers of all sequences
///
/// Its k-mers are kept in a Bloom filter: none is lost, and some appear that are not there. With --exact the graph never
/// changes, takes some 5 bits a k-mer, and whoever begins at a true k-mer follows true ones only; while it is made, all
/// different k-mers are kept, in some 150 bytes each, and --max-memory is about these.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo kmers build reads.fq.gz --save reads.crv
  crivo kmers build -k 21 --bits 4 lane1.fq.gz lane2.fq.gz --save reads.crv
  crivo kmers build --exact genome.fa.gz --save genome.crv
Graphs of the same size merge: give both the same --kmers, and see 'crivo merge'.")]
pub(crate) struct Build {
    #[command(flatten)]
    read: ReadArgs,

    /// A graph that never changes, and follows no false k-mer
    #[arg(long, conflicts_with_all = ["bits", "kmers"])]
    exact: bool,

    #[command(flatten)]
    graph: GraphArgs,

    #[command(flatten)]
    save: SaveArgs,

    /// One JSON object instead of text
    #[arg(long, help_heading = "Output")]
    json: bool,
}

impl Build {
    pub(super) fn run(&self, session: &Session) -> Result<()> {
        let target = self.save.target(session)?;
        let mut reads = self.read.open(&self.graph.limit, session)?;
        if self.exact {
            let (set, totals) = self.read.collect(&reads, &self.graph.limit, FREEZING)?;
            let graph = ExactDeBruijn::freeze_with(&set, self.graph.hash.spec(session)?)?;
            drop(set);
            return self.report(&graph, &totals, Count::Exact(graph.len()), None, target.as_ref(), session);
        }
        let (graph, totals) = self.graph.build(&self.read, &mut reads, session)?;
        let different = Count::Estimated(graph.cardinality());
        self.report(&graph, &totals, different, Some(graph.fpr()), target.as_ref(), session)
    }

    fn report(
        &self,
        graph: &dyn Sketch,
        totals: &Totals,
        different: Count,
        fpr: Option<Estimate>,
        target: Option<&Target>,
        session: &Session,
    ) -> Result<()> {
        let (k, kind, memory_bytes) = (self.read.k(), graph.kind().name(), graph.memory_bytes() as u64);
        let print = |output: &mut Output, saved: Option<String>| {
            if self.json {
                return output.json(&Answer::KmerGraph {
                    saved,
                    kind,
                    k,
                    sequences: totals.sequences,
                    short: totals.short,
                    kmers: totals.kmers,
                    different: different.bar(),
                    fpr: fpr.map(Into::into),
                    memory_bytes,
                });
            }
            let saved = saved.map_or_else(String::new, |saved| format!("{saved}: "));
            let of = plural(totals.sequences, "sequence", "sequences");
            output.line(&format!("{saved}{kind} of {of} in {}", size(memory_bytes)))?;
            output.line(&different.text(k))?;
            if let Some(fpr) = fpr {
                output.line(&format!("a wrong yes: {}", rate(&fpr)))?;
            }
            totals.of_short(k).map_or(Ok(()), |line| output.line(&line))
        };
        save_and_print(target, || graph.to_bytes(), print, session)
    }
}

/// How many different k-mers there are.
#[derive(Clone, Copy)]
enum Count {
    Exact(u64),
    Estimated(Estimate),
}

impl Count {
    fn bar(&self) -> Bar {
        match self {
            Self::Exact(count) => Bar::exact(*count as f64),
            Self::Estimated(estimate) => (*estimate).into(),
        }
    }

    fn text(&self, k: u32) -> String {
        match self {
            Self::Exact(kmers) => format!("{} different {k}-mers", count(*kmers)),
            Self::Estimated(kmers) => estimate(kmers, &format!("different {k}-mers")),
        }
    }
}
