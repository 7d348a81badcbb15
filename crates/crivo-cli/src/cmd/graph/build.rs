//! `crivo graph build`: a graph of all edges read.

use super::edges::{EdgeArgs, Edges, Names};
use crate::args::{AnswerArgs, HashArgs, LimitArgs, OutputArgs, parse_share};
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use crivo::graph::{Direction, EdgeBloom, VertexBlooms};
use crivo::sketch::{Fact, Sketch};
use crivo::{BloomParams, HashSpec};
use crivo_report::{Page, Records, Report, as_facts, percent, plural, size};
use serde::Serialize;
use std::path::PathBuf;

/// Build a graph from all edges
///
/// No edge is lost; a small share of the other pairs are false positives. Repeated edges count once. The hashes of both
/// ends, 16 bytes per edge, are kept until the number of edges is known.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo graph build edges.txt.gz -o graph.crv
  crivo graph build depends.tsv -o depends.crv --directed --fpr 0.001
  crivo graph build calls.csv --source caller --target callee -o calls.crv --kind vertex-blooms
Two graphs merge ('crivo merge') if they were built for the same numbers.")]
pub(crate) struct Build {
    /// Files with edges, plain, gzip or zstd; standard input by default or for -
    files: Vec<PathBuf>,

    #[command(flatten)]
    edges: EdgeArgs,

    #[command(flatten)]
    output: OutputArgs,

    /// The kind of graph: one filter of all edges, or one filter per vertex
    #[arg(long, value_enum, default_value_t = GraphKind::EdgeBloom)]
    kind: GraphKind,

    /// Distinguish the edge from u to v from the edge from v to u
    #[arg(long)]
    directed: bool,

    /// False-positive rate: the probability that a pair without an edge is reported (edge-bloom only)
    #[arg(long, value_name = "P", value_parser = parse_share, conflicts_with = "bits_per_edge")]
    fpr: Option<f64>,

    /// Bits per edge, or per neighbour in the filter of a vertex
    #[arg(long, value_name = "BITS", default_value_t = 10)]
    bits_per_edge: u32,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    hash: HashArgs,

    #[command(flatten)]
    answer: AnswerArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum GraphKind {
    EdgeBloom,
    VertexBlooms,
}

/// The distinct edges among all lines.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "graph")]
pub(crate) struct Built {
    saved: String,
    kind: &'static str,
    items: u64,
    edges: u64,
    file_bytes: u64,
    memory_bytes: u64,
    #[serde(serialize_with = "as_facts")]
    facts: Vec<Fact>,
    /// The false-positive rate, if it is the same for all vertices.
    #[serde(skip)]
    fpr: Option<f64>,
}

impl Verb for Build {
    type Report = Built;

    fn manner(&self) -> Manner {
        self.answer.manner()
    }

    fn run(self, session: &Session) -> Result<Built> {
        let Self { kind, fpr, bits_per_edge, limit, .. } = self;
        if kind == GraphKind::VertexBlooms && fpr.is_some() {
            bail!("--fpr is for --kind edge-bloom; filters of vertices are made with --bits-per-edge");
        }
        // An invalid number of bits is refused before anything is read.
        EdgeBloom::params_for_bits(bits_per_edge, 1)?;
        let spec = self.hash.spec(session)?;
        let target = self.output.target(session)?;
        let direction = if self.directed { Direction::Directed } else { Direction::Undirected };
        let edges = self.edges.open(&self.files, limit, session)?;
        let (edges, items) = different_edges(edges, spec, direction, |read, _, edges| {
            edges.extend_from_slice(read);
            limit.check(edges.len() as u64 * 16)
        })?;
        let empty = (direction, spec, limit);
        let graph: Box<dyn Sketch> = match kind {
            GraphKind::EdgeBloom => Box::new(edge_bloom(&edges, fpr, bits_per_edge, empty)?),
            GraphKind::VertexBlooms => Box::new(vertex_blooms(&edges, bits_per_edge, empty)?),
        };
        let bytes = graph.to_bytes();
        target.write(&bytes, session)?;
        Ok(Built {
            saved: target.name(),
            kind: graph.kind().name(),
            items,
            edges: edges.len() as u64,
            file_bytes: bytes.len() as u64,
            memory_bytes: graph.memory_bytes() as u64,
            facts: graph.facts(),
            fpr: graph.downcast_ref::<EdgeBloom>().map(|graph| graph.fpr().value()),
        })
    }
}

impl Report for Built {
    fn text(&self, page: &mut Page) {
        let edges = plural(self.edges, "edge", "edges");
        page.line(&format!("{}: {} of {edges} in {}", self.saved, self.kind, size(self.file_bytes)));
        if let Some(fpr) = self.fpr {
            page.line(&format!("false-positive rate: {}", percent(fpr)));
        }
    }

    fn records(&self, records: &mut Records) {
        records.row(self);
    }
}

/// What both kinds of graph need: the direction, the hash, and the memory that they may take.
type Empty = (Direction, HashSpec, LimitArgs);

fn edge_bloom(
    edges: &[(u64, u64)],
    fpr: Option<f64>,
    bits_per_edge: u32,
    (direction, spec, limit): Empty,
) -> Result<EdgeBloom> {
    let count = (edges.len() as u64).max(1);
    let params = match fpr {
        Some(fpr) => BloomParams::for_fpr(count, fpr)?,
        None => EdgeBloom::params_for_bits(bits_per_edge, count)?,
    };
    limit.check(params.memory_bytes() + 16 * count)?;
    let mut graph = EdgeBloom::with_params(params, direction).with_hash(spec);
    graph.add_edge_hashes(edges);
    Ok(graph)
}

fn vertex_blooms(
    edges: &[(u64, u64)],
    bits_per_edge: u32,
    (direction, spec, limit): Empty,
) -> Result<VertexBlooms> {
    // Two ends of 16 bytes each, and the bits.
    limit.check(edges.len() as u64 * (48 + u64::from(bits_per_edge) / 4))?;
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
    let mut graph = VertexBlooms::for_degrees(degrees, bits_per_edge, direction, spec)?;
    for &(from, to) in edges {
        graph.add_edge_hash(from, to)?;
    }
    Ok(graph)
}

/// Returns all distinct edges, sorted, and how many were read. `take` appends them as they come, with ends of its
/// choice, and refuses too many.
pub(super) fn different_edges<V: Copy + Ord>(
    read: Edges,
    spec: HashSpec,
    direction: Direction,
    mut take: impl FnMut(&[(u64, u64)], Names<'_>, &mut Vec<(V, V)>) -> Result<()>,
) -> Result<(Vec<(V, V)>, u64)> {
    let (mut edges, mut lines, mut sorted) = (Vec::new(), 0, 0);
    let compact = |edges: &mut Vec<(V, V)>| {
        edges.sort_unstable();
        edges.dedup();
        edges.len()
    };
    read.read(spec, |read, names| {
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
    })?;
    compact(&mut edges);
    Ok((edges, lines))
}

#[cfg(test)]
mod tests {
    use super::super::testing::wheel;
    use super::*;
    use crate::testing::Folder;

    /// Rows of a table with a number before each edge, turned.
    fn table(tabs: &str) -> String {
        let row = |(i, line): (usize, &str)| {
            let (from, to) = line.split_once('\t').unwrap();
            format!("{i},{to},{from}\n")
        };
        tabs.lines().enumerate().map(row).collect()
    }

    #[test]
    fn a_graph_does_not_depend_on_how_edges_are_written() {
        let tabs = wheel(50);
        let folder = Folder::with(&[
            ("tabs.txt", &format!("# a wheel\n\n{tabs}")),
            ("commas.csv", &format!("# a wheel\none,other\n{}", tabs.replace('\t', ","))),
            ("bare.csv", &tabs.replace('\t', ",")),
            ("tabs.tsv", &tabs),
            ("blanks", &tabs.replace('\t', "   ")),
            ("table.csv", &format!("n,to,from\n{}", table(&tabs))),
        ]);
        for kind in ["edge-bloom", "vertex-blooms"] {
            let built = |line: &str| {
                let built =
                    folder.report::<Build>(&format!("{line} --kind {kind} -o @graph.crv --force --json"));
                assert_eq!((built.kind, built.edges, built.items), (kind, 100, 100), "{line}");
                let bytes = folder.read("graph.crv");
                assert_eq!(built.file_bytes, bytes.len() as u64);
                assert_eq!(built.fpr.is_some(), kind == "edge-bloom");
                bytes
            };
            let bytes = built("@tabs.txt");
            for line in [
                "@commas.csv",
                "@bare.csv --no-header",
                "@tabs.tsv",
                "@blanks",
                "@table.csv --source from --target to",
                "@tabs.txt --jobs 1",
            ] {
                assert_eq!(built(line), bytes, "{line}");
            }
        }
    }

    #[test]
    fn what_cannot_be_built_is_told_and_nothing_is_saved() {
        let folder = Folder::with(&[("edges", "a b\n"), ("bad", "a b\n# fine\n\nalone\nc d\n")]);
        for (line, word) in [
            ("@bad", "bad, line 4: an edge is two names"),
            ("@bad", "got 'alone'"),
            ("@edges --kind vertex-blooms --fpr 0.1", "--bits-per-edge"),
            ("@edges --bits-per-edge 0", "got 0"),
            ("@edges --format csv", "--source"),
            ("@edges --max-memory 1", "--max-memory"),
            ("@nothing", "nothing"),
        ] {
            let error = folder.error::<Build>(&format!("{line} -o @graph.crv"));
            assert!(error.contains(word), "{line}: {error}");
            assert!(!std::fs::exists(folder.path("graph.crv")).unwrap(), "{line}");
        }
    }
}
