//! `crivo graph build`: a graph of all edges read.

use super::edges::{EdgeArgs, Names};
use crate::args::{HashArgs, LimitArgs, OutputArgs, parse_share};
use crate::output::{Answer, FactJson, Output, Target, percent, plural, size};
use crate::session::Session;
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use crivo::graph::{Direction, EdgeBloom, VertexBlooms};
use crivo::sketch::Sketch;
use crivo::{BloomParams, HashSpec};
use std::path::PathBuf;
use std::process::ExitCode;

/// Make a graph of all edges
///
/// No edge is lost, and of the pairs that are not joined a small share seems to be. Edges that repeat count once. The
/// hashes of their ends are kept, 16 bytes an edge, until their number is known.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo graph build edges.txt.gz -o graph.crv
  crivo graph build depends.tsv -o depends.crv --directed --fpr 0.001
  crivo graph build calls.csv --from caller --to callee -o calls.crv --kind vertex-blooms
Two graphs merge ('crivo merge') if they were built for the same numbers.")]
pub(crate) struct Build {
    /// Files with edges, plain or compressed; standard input for '-' or without any
    files: Vec<PathBuf>,

    #[command(flatten)]
    edges: EdgeArgs,

    #[command(flatten)]
    output: OutputArgs,

    /// One filter of all edges, or one for each vertex
    #[arg(long, value_enum, default_value_t = GraphKind::EdgeBloom)]
    kind: GraphKind,

    /// The edge from u to v is not the edge from v to u
    #[arg(long)]
    directed: bool,

    /// Probability that a pair which is not joined seems to be (edge-bloom)
    #[arg(long, value_name = "P", value_parser = parse_share, conflicts_with = "bits_per_edge")]
    fpr: Option<f64>,

    /// The memory of an edge, or of a neighbour in the filter of a vertex
    #[arg(long, value_name = "BITS", default_value_t = 10)]
    bits_per_edge: u32,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    hash: HashArgs,

    /// One JSON object instead of text
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// No progress and no remarks
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum GraphKind {
    EdgeBloom,
    VertexBlooms,
}

impl Build {
    pub(crate) fn run(&self, session: &Session) -> Result<ExitCode> {
        session.set_quiet(self.quiet);
        if self.kind == GraphKind::VertexBlooms && self.fpr.is_some() {
            bail!("--fpr is for --kind edge-bloom; filters of vertices are made with --bits-per-edge");
        }
        // What is no number of bits is refused before anything is read.
        EdgeBloom::params_for_bits(self.bits_per_edge, 1)?;
        let spec = self.hash.spec(session)?;
        let target = self.output.target(session)?;
        let direction = if self.directed { Direction::Directed } else { Direction::Undirected };
        let args = (&self.edges, &self.files[..], &self.limit, self.quiet);
        let (edges, lines) = different_edges(
            args,
            spec,
            direction,
            |read, _, edges| {
                edges.extend_from_slice(read);
                self.limit.check(edges.len() as u64 * 16)
            },
            session,
        )?;
        let graph: Box<dyn Sketch> = match self.kind {
            GraphKind::EdgeBloom => Box::new(self.edge_bloom(&edges, direction, spec)?),
            GraphKind::VertexBlooms => Box::new(self.vertex_blooms(&edges, direction, spec)?),
        };
        let bytes = graph.to_bytes();
        target.write(&bytes, session)?;
        self.report(&*graph, &target, lines, edges.len() as u64, bytes.len() as u64)?;
        Ok(ExitCode::SUCCESS)
    }

    fn edge_bloom(&self, edges: &[(u64, u64)], direction: Direction, spec: HashSpec) -> Result<EdgeBloom> {
        let count = (edges.len() as u64).max(1);
        let params = match self.fpr {
            Some(fpr) => BloomParams::for_fpr(count, fpr)?,
            None => EdgeBloom::params_for_bits(self.bits_per_edge, count)?,
        };
        self.limit.check(params.memory_bytes() + 16 * count)?;
        let mut graph = EdgeBloom::with_params(params, direction).with_hash(spec);
        graph.add_edge_hashes(edges);
        Ok(graph)
    }

    fn vertex_blooms(
        &self,
        edges: &[(u64, u64)],
        direction: Direction,
        spec: HashSpec,
    ) -> Result<VertexBlooms> {
        // Two ends of 16 bytes each, and the bits.
        self.limit.check(edges.len() as u64 * (48 + u64::from(self.bits_per_edge) / 4))?;
        let mut ends: Vec<u64> = edges.iter().flat_map(|&(from, to)| [from, to]).collect();
        ends.sort_unstable();
        let mut degrees: Vec<(u64, u64)> =
            ends.chunk_by(|one, next| one == next).map(|same| (same[0], 0)).collect();
        let mut count = |vertex: u64| {
            if let Ok(place) = degrees.binary_search_by_key(&vertex, |&(hash, _)| hash) {
                degrees[place].1 += 1;
            }
        };
        for &(from, to) in edges {
            count(from);
            if direction == Direction::Undirected && from != to {
                count(to);
            }
        }
        let mut graph = VertexBlooms::for_degrees(degrees, self.bits_per_edge, direction, spec)?;
        for &(from, to) in edges {
            graph.add_edge_hash(from, to)?;
        }
        Ok(graph)
    }

    fn report(
        &self,
        graph: &dyn Sketch,
        target: &Target,
        lines: u64,
        edges: u64,
        file_bytes: u64,
    ) -> Result<()> {
        let facts = graph.facts();
        let mut output = Output::new();
        if self.json {
            output.json(&Answer::Graph {
                saved: target.name(),
                kind: graph.kind().name(),
                lines,
                edges,
                file_bytes,
                memory_bytes: graph.memory_bytes() as u64,
                facts: FactJson(&facts),
            })?;
            return output.flush();
        }
        output.line(&format!(
            "{}: {} of {} in {}",
            target.name(),
            graph.kind().name(),
            plural(edges, "edge", "edges"),
            size(file_bytes)
        ))?;
        if let Some(graph) = graph.downcast_ref::<EdgeBloom>() {
            output.line(&format!("a pair that only seems joined: {}", percent(graph.fpr().value())))?;
        }
        output.flush()
    }
}

/// All different edges, sorted, and how many were read. `take` appends them as they come, with ends of its own choice,
/// and refuses too many.
pub(super) fn different_edges<V: Copy + Ord>(
    (args, files, limit, quiet): (&EdgeArgs, &[PathBuf], &LimitArgs, bool),
    spec: HashSpec,
    direction: Direction,
    mut take: impl FnMut(&[(u64, u64)], Names<'_>, &mut Vec<(V, V)>) -> Result<()>,
    session: &Session,
) -> Result<(Vec<(V, V)>, u64)> {
    let (mut edges, mut lines, mut sorted) = (Vec::new(), 0, 0);
    let compact = |edges: &mut Vec<(V, V)>| {
        edges.sort_unstable();
        edges.dedup();
        edges.len()
    };
    args.read(
        files,
        spec,
        limit,
        quiet,
        |read, names| {
            lines += read.len() as u64;
            let known = edges.len();
            take(read, names, &mut edges)?;
            if direction == Direction::Undirected {
                for (from, to) in &mut edges[known..] {
                    (*from, *to) = ((*from).min(*to), (*from).max(*to));
                }
            }
            // Repeats are dropped now and then: it takes no more time than to sort them in the end.
            if edges.len() > 2 * sorted + (1 << 20) {
                sorted = compact(&mut edges);
            }
            Ok(())
        },
        session,
    )?;
    compact(&mut edges);
    Ok((edges, lines))
}
