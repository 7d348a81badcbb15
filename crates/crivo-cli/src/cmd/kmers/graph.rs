//! The graph of what is read, or a saved one.

use super::{ReadArgs, Sequences, Totals};
use crate::args::{HashArgs, LimitArgs, parse_count};
use crate::cmd::sketch_file::load;
use crate::input::Reads;
use crate::session::Session;
use anyhow::{Context, Result, bail};
use clap::Args;
use crivo::graph::{DeBruijnParams, ExactDeBruijn, Kmer};
use crivo::graph::{KmerGraph, Partition, Parts};
use crivo::{DeBruijn, DecodeOptions, HashSpec};
use crivo_report::percent;
use std::path::{Path, PathBuf};

/// How the graph is made.
#[derive(Args, Debug)]
pub(super) struct GraphArgs {
    /// Bits per k-mer: with 4 bits one in seven absent k-mers is a false positive, with 6 one in eighteen, with 10 one
    /// in 120
    #[arg(long, value_name = "BITS", default_value_t = 6.0)]
    bits: f64,

    /// Expected number of distinct k-mers; by default they are counted first
    #[arg(long, value_name = "N", value_parser = parse_count)]
    kmers: Option<u64>,

    #[command(flatten)]
    pub(super) limit: LimitArgs,

    #[command(flatten)]
    pub(super) hash: HashArgs,
}

impl GraphArgs {
    /// The graph of all sequences, in a Bloom filter.
    pub(super) fn build(
        &self,
        sequences: &mut Sequences,
        spec: HashSpec,
        session: &Session,
    ) -> Result<(DeBruijn, Totals)> {
        /// An estimate by the user may be wrong by this factor.
        const FAR_MORE: f64 = 1.1;
        let params = DeBruijnParams::for_bits(sequences.k, sequences.different(self.kmers)?, self.bits)?;
        self.limit.check(params.memory_bytes())?;
        let mut graph = DeBruijn::with_params(params).with_hash(spec);
        let mut totals = Totals::default();
        sequences.reads.for_each(|sequence| {
            totals.add(graph.add_sequence(sequence.bases));
            Ok(())
        })?;
        if let Some(told) = self.kmers
            && graph.cardinality().lower() > FAR_MORE * told as f64
        {
            let fpr = percent(graph.fpr().value());
            session.remark(&format!(
                "more k-mers than --kmers allows for: the false-positive rate is now {fpr}"
            ));
        }
        Ok((graph, totals))
    }
}

/// How reads are parted.
#[derive(Args, Debug)]
pub(super) struct PartArgs {
    /// Use a saved graph of these reads and its k
    #[arg(long, value_name = "FILE.crv", help_heading = "Input", conflicts_with_all = ["bits", "kmers"])]
    from: Option<PathBuf>,

    #[command(flatten)]
    pub(super) graph: GraphArgs,
}

/// The component of each read, and how many reads each has, the largest first.
pub(super) struct Parted {
    /// By read, in their order: a place in `sizes`.
    pub(super) components: Vec<Option<u32>>,
    pub(super) sizes: Vec<u64>,
    /// Bases of a k-mer of the graph.
    pub(super) k: u32,
}

/// Either graph.
enum Graph {
    Filter(DeBruijn),
    Exact(ExactDeBruijn),
}

impl Graph {
    /// Where false positives are rare, every k-mer is visited two or three times.
    fn search_limit(&self) -> u64 {
        const VISITS: u64 = 300;
        let kmers = match self {
            Self::Filter(graph) => graph.cardinality().value().ceil() as u64,
            Self::Exact(graph) => graph.len(),
        };
        kmers.saturating_mul(VISITS).max(1_000_000)
    }
}

impl KmerGraph for Graph {
    fn k(&self) -> u32 {
        match self {
            Self::Filter(graph) => graph.k(),
            Self::Exact(graph) => graph.k(),
        }
    }

    fn contains(&self, kmer: Kmer) -> bool {
        match self {
            Self::Filter(graph) => graph.contains(kmer),
            Self::Exact(graph) => graph.contains(kmer),
        }
    }
}

impl PartArgs {
    /// Parts all reads by a saved graph, or by theirs: they are read once more for this, and may be again.
    pub(super) fn part(&self, args: &ReadArgs, session: &Session) -> Result<(Parted, Reads)> {
        let mut sequences = args.open(self.graph.limit, session)?;
        sequences.reads.keep()?;
        let graph = match &self.from {
            None => {
                let spec = self.graph.hash.kmer_spec(session)?;
                Graph::Filter(self.graph.build(&mut sequences, spec, session)?.0)
            }
            Some(path) => {
                let options = self.graph.hash.decode_options(self.graph.limit, session)?;
                let graph = saved(path, &options, session)?;
                if let Some(told) = args.told_k.filter(|&told| told != graph.k()) {
                    let (path, k) = (path.display(), graph.k());
                    bail!("{path}: the graph is of {k}-mers, but -k is {told}; leave out -k");
                }
                graph
            }
        };
        let mut partition = Partition::new(&graph, graph.search_limit());
        let mut places = Vec::new();
        sequences.reads.for_each(|sequence| {
            let place = partition.add(sequence.bases);
            places.push(place.context("false k-mers join everything; raise --bits")?);
            Ok(())
        })?;
        Ok((by_size(&places, &partition.finish(), graph.k()), sequences.reads))
    }
}

fn saved(path: &Path, options: &DecodeOptions, session: &Session) -> Result<Graph> {
    let sketch = load(path, options, session)?;
    if let Some(graph) = sketch.downcast_ref::<DeBruijn>() {
        return Ok(Graph::Filter(graph.clone()));
    }
    let Some(graph) = sketch.downcast_ref::<ExactDeBruijn>() else {
        bail!("{}: this is not a graph of k-mers; make one with: crivo kmers build", path.display())
    };
    Ok(Graph::Exact(graph.clone()))
}

/// Numbers the components by the number of their reads; of equal ones, the one whose reads came first is first.
fn by_size(places: &[Option<u32>], parts: &Parts, k: u32) -> Parted {
    let component = |place: &Option<u32>| place.and_then(|place| parts.component(place));
    let mut sizes = vec![0u64; parts.len()];
    for component in places.iter().filter_map(component) {
        sizes[component as usize] += 1;
    }
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&component| std::cmp::Reverse(sizes[component]));
    let mut rank = vec![0u32; sizes.len()];
    for (place, &component) in (0..).zip(&order) {
        rank[component] = place;
    }
    let components = places.iter().map(|place| component(place).map(|component| rank[component as usize]));
    Parted {
        components: components.collect(),
        sizes: order.iter().map(|&component| sizes[component]).collect(),
        k,
    }
}
