//! `crivo graph stats`: what a graph has.

use super::build::different_edges;
use super::edges::{EdgeArgs, Edges};
use super::figures::{Counted, EDGES_AT, Figure};
use super::neighbors::VertexFile;
use super::saved::SavedGraph;
use crate::args::{AnswerArgs, HashArgs, LimitArgs, parse_count};
use crate::cmd::item_set::{ItemSet, Place};
use crate::cmd::sketch_file::is_sketch;
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Result, bail};
use clap::Args;
use crivo::graph::{Direction, edge_hash};
use crivo::{HashSpec, HyperLogLog, MisraGries};
use std::cmp::Reverse;
use std::path::PathBuf;

/// Count the vertices, edges and triangles of a graph, and list the vertices with most edges
///
/// From edges: sketches count the distinct vertices, edges and loops (edges from a vertex to itself) in little memory,
/// and the most frequent vertices are listed. --exact keeps the edges and the names of the vertices, and also counts
/// triangles.
///
/// From a saved graph: its edges or vertices, and with --vertices the false-positive edges and the triangles among
/// these vertices, for which every pair is queried.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo graph stats edges.txt.gz
  crivo graph stats edges.txt.gz --exact
  crivo graph stats graph.crv --vertices edges.txt.gz")]
pub(crate) struct Stats {
    /// Files with edges, plain, gzip or zstd, or one saved graph; standard input by default or for -
    files: Vec<PathBuf>,

    #[command(flatten)]
    edges: EdgeArgs,

    /// Distinguish the edge from u to v from the edge from v to u; triangles are not counted
    #[arg(long)]
    directed: bool,

    /// Keep all edges and count exactly
    #[arg(long, conflicts_with = "vertices")]
    exact: bool,

    /// File of the vertices of a saved graph: one name or one edge per line
    #[arg(long, value_name = "FILE")]
    vertices: Option<PathBuf>,

    /// Number of vertices to list, the most frequent first
    #[arg(long, short, visible_short_alias = 'k', value_name = "N", default_value = "3", value_parser = parse_count)]
    number: u64,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    hash: HashArgs,

    #[command(flatten)]
    answer: AnswerArgs,
}

/// Edges that are read.
struct Read {
    edges: Edges,
    direction: Direction,
    /// How many vertices to list.
    number: usize,
    spec: HashSpec,
    limit: LimitArgs,
}

impl Verb for Stats {
    type Report = Counted;

    fn manner(&self) -> Manner {
        self.answer.manner()
    }

    fn run(self, session: &Session) -> Result<Counted> {
        if let [file] = &self.files[..]
            && is_sketch(file, session)?
        {
            if self.exact {
                bail!("--exact needs the edges; a saved graph knows estimates");
            }
            let graph = SavedGraph::load(file, &self.hash.decode_options(self.limit, session)?, session)?;
            let open = |path| VertexFile::open(path, self.edges.no_header(), self.limit, session);
            let vertices = self.vertices.as_deref().map(open).transpose()?;
            return of_saved(&graph, vertices, session);
        }
        if self.vertices.is_some() {
            bail!("--vertices is for a saved graph; edges name their vertices themselves")
        }
        let read = Read {
            spec: self.hash.spec(session)?,
            edges: self.edges.open(&self.files, self.limit, session)?,
            direction: if self.directed { Direction::Directed } else { Direction::Undirected },
            number: usize::try_from(self.number)?,
            limit: self.limit,
        };
        if self.exact { read.exactly(session) } else { read.by_sketches() }
    }
}

impl Read {
    /// In a small memory.
    fn by_sketches(self) -> Result<Counted> {
        let Self { direction, spec, limit, .. } = self;
        let sketch = || {
            HyperLogLog::for_precision(HyperLogLog::for_error(0.01)?.precision())
                .map(|sketch| sketch.with_hash(spec))
        };
        let (mut vertices, mut edges, mut loops) = (sketch()?, sketch()?, sketch()?);
        let mut named = MisraGries::<Vec<u8>>::for_counters(COUNTERS)?.with_hash(spec);
        let mut lines = 0;
        self.edges.read(spec, |read, names| {
            lines += read.len() as u64;
            for (&(from, to), (from_name, to_name)) in read.iter().zip(names) {
                vertices.insert_hash(from);
                vertices.insert_hash(to);
                edges.insert_hash(edge_hash(from, to, direction));
                if from_name == to_name {
                    loops.insert_hash(from);
                }
                named.add_hashed(from_name, from, 1);
                named.add_hashed(to_name, to, 1);
            }
            let sketches = [&vertices, &edges, &loops].map(HyperLogLog::memory_bytes);
            limit.check((sketches.iter().sum::<usize>() + named.memory_bytes()) as u64)
        })?;
        let top = named.top(self.number).into_iter();
        let top = top.map(|hitter| (hitter.item().clone(), Figure::estimated("times", hitter.count())));
        let figures = vec![
            Figure::estimated("vertices", vertices.estimate()),
            Figure::estimated("edges", edges.estimate()),
            Figure::counted("lines", lines),
            Figure::estimated("loops", loops.estimate()),
        ];
        Ok(Counted { figures, top: top.collect() })
    }

    /// From all distinct edges and the names of the vertices.
    fn exactly(self, session: &Session) -> Result<Counted> {
        /// Of an edge: itself, and each end in the list of the other and in that of the higher ones.
        const EDGE: usize = 2 * size_of::<Place>() + 4 * size_of::<usize>();
        /// Of a vertex: its place, two lists, and where it is in their order.
        const VERTEX: usize = 2 * size_of::<Place>() + 2 * size_of::<Vec<usize>>();
        let Self { direction, spec, limit, .. } = self;
        let mut names = ItemSet::default();
        let (edges, lines) = different_edges(self.edges, spec, direction, |read, ends, edges| {
            for (&(from, to), (from_name, to_name)) in read.iter().zip(ends) {
                edges.push((names.place(from, from_name), names.place(to, to_name)));
            }
            let bytes = names.memory_bytes() + names.len() * VERTEX + edges.len() * EDGE;
            limit.check_items(bytes, "--exact")
        })?;
        let mut vertices: Vec<Place> = edges.iter().flat_map(|&(from, to)| [from, to]).collect();
        vertices.sort_unstable();
        vertices.dedup();
        let name = |vertex: usize| names.item(vertices[vertex]);
        let place = |vertex: &Place| vertices.binary_search(vertex).unwrap_or_default();
        let mut neighbours = vec![Vec::new(); vertices.len()];
        for (from, to) in &edges {
            let (from, to) = (place(from), place(to));
            if from != to {
                neighbours[from].push(to);
                neighbours[to].push(from);
            } else if direction == Direction::Directed {
                // A loop is an edge at its vertex, but makes it no neighbour.
                neighbours[from].push(to);
            }
        }
        let loops = edges.iter().filter(|(from, to)| from == to).count();
        let mut figures = vec![
            Figure::counted("vertices", vertices.len() as u64),
            Figure::counted("edges", edges.len() as u64),
            Figure::counted("lines", lines),
            Figure::counted("loops", loops as u64),
        ];
        if direction == Direction::Undirected {
            figures.push(Figure::counted("triangles", triangles(&neighbours)));
        } else {
            session.remark(NO_TRIANGLES);
        }
        let mut order: Vec<usize> = (0..vertices.len()).collect();
        order.sort_by_key(|&vertex| (Reverse(neighbours[vertex].len()), name(vertex)));
        let at_vertex = if direction == Direction::Undirected { "neighbours" } else { EDGES_AT };
        let top = order.into_iter().take(self.number).map(|vertex| {
            let degree = Figure::counted(at_vertex, neighbours[vertex].len() as u64);
            (name(vertex).to_vec(), degree)
        });
        Ok(Counted { figures, top: top.collect() })
    }
}

fn of_saved(graph: &SavedGraph, vertices: Option<VertexFile>, session: &Session) -> Result<Counted> {
    let mut figures = match graph {
        SavedGraph::Edges(graph) => vec![Figure::estimated("edges", graph.edges())],
        SavedGraph::Vertices(graph) => vec![Figure::counted("vertices", graph.vertices().len() as u64)],
    };
    if let Some(vertices) = vertices {
        let vertices = vertices.read(graph.spec(), session)?.hashes;
        if let SavedGraph::Edges(graph) = graph {
            figures.push(Figure::counted("vertices", vertices.len() as u64));
            figures.push(Figure::estimated("spurious edges", graph.spurious_edges(vertices.len() as u64)));
        }
        match graph.triangles(&vertices)? {
            Some(triangles) => figures.push(Figure::estimated("triangles", triangles)),
            None => session.remark(NO_TRIANGLES),
        }
    } else {
        session.remark("triangles are counted among the vertices that --vertices names");
    }
    Ok(Counted { figures, top: Vec::new() })
}

const NO_TRIANGLES: &str = "triangles are counted in undirected graphs only";

/// The number of names that are counted at once: a name that is on more than one line in this many is always found.
const COUNTERS: u32 = 10_000;

/// Each triangle is found at its edge between the two vertices of fewer neighbours.
fn triangles(neighbours: &[Vec<usize>]) -> u64 {
    let rank = |vertex: usize| (neighbours[vertex].len(), vertex);
    let above = |&vertex: &usize| -> Vec<usize> {
        neighbours[vertex].iter().copied().filter(|&other| rank(other) > rank(vertex)).collect()
    };
    let higher: Vec<Vec<usize>> = (0..neighbours.len()).map(|vertex| above(&vertex)).collect();
    let mut is_higher = vec![false; neighbours.len()];
    let mut found = 0;
    for of_vertex in &higher {
        for &other in of_vertex {
            is_higher[other] = true;
        }
        for &other in of_vertex {
            found += higher[other].iter().filter(|&&third| is_higher[third]).count() as u64;
        }
        for &other in of_vertex {
            is_higher[other] = false;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::build::Build;
    use super::super::testing::wheel;
    use super::*;
    use crate::cmd::number::Number;
    use crate::testing::Folder;

    #[test]
    fn triangles_of_small_graphs() {
        let complete =
            |n: usize| -> Vec<Vec<usize>> { (0..n).map(|u| (0..n).filter(|&v| v != u).collect()).collect() };
        assert_eq!([0, 1, 2, 3, 4, 5].map(|n| triangles(&complete(n))), [0, 0, 0, 1, 4, 10]);
        assert_eq!(triangles(&[vec![1, 3], vec![0, 2], vec![1, 3], vec![2, 0]]), 0);
    }

    impl Counted {
        fn figure(&self, name: &str) -> Number {
            self.figures.iter().find(|figure| figure.name == name).unwrap().number
        }

        /// The vertex with most edges, and how many.
        fn most(&self) -> (&[u8], &str, f64) {
            let (vertex, figure) = &self.top[0];
            (vertex, figure.name, figure.number.value())
        }
    }

    #[test]
    fn figures_of_edges() {
        let folder = Folder::with(&[("edges", &format!("{}v0 v0\nv0 v0\n", wheel(50)))]);
        let exact = folder.report::<Stats>("@edges --exact -k 1");
        let sketched = folder.report::<Stats>("@edges -k 1");
        for (name, truth) in [("vertices", 51.0), ("edges", 101.0), ("lines", 102.0), ("loops", 1.0)] {
            assert_eq!(exact.figure(name).value(), truth, "{name}");
            assert_eq!(sketched.figure(name).value(), truth, "{name}");
        }
        assert_eq!(exact.figure("triangles").value(), 50.0);
        assert_eq!(exact.most(), (&b"hub"[..], "neighbours", 50.0));
        assert_eq!(sketched.most(), (&b"hub"[..], "times", 50.0));
        let text = folder.printed::<Stats>("@edges --exact -k 1");
        let [triangles, hub] = ["triangles           50  (exact)", "neighbours of hub   50  (exact)"];
        assert!(text.ends_with(&format!("{triangles}\n{hub}\n")), "{text}");
        let lines = folder.printed::<Stats>("@edges --exact -k 1 --json");
        assert!(lines.starts_with("{\"type\":\"figure\",\"name\":\"vertices\",\"value\":{"), "{lines}");
        assert!(
            lines.contains("\n{\"type\":\"vertex\",\"vertex\":\"hub\",\"name\":\"neighbours\","),
            "{lines}"
        );
    }

    #[test]
    fn figures_of_saved_graphs() {
        let folder = Folder::with(&[("edges", &wheel(50))]);
        for kind in ["edge-bloom", "vertex-blooms"] {
            folder.report::<Build>(&format!("@edges -o @graph.crv --force --kind {kind} --bits-per-edge 30"));
            let stats = folder.report::<Stats>("@graph.crv --vertices @edges");
            let Number::Estimated(triangles) = stats.figure("triangles") else { panic!("{stats:?}") };
            assert!(triangles.lower() <= 50.0 && 50.0 <= triangles.upper(), "{kind}: {triangles:?}");
            assert_eq!(stats.figure("vertices").value(), 51.0);
            let (_, recorded) = folder.run::<Stats>("@graph.crv").unwrap();
            assert!(recorded.remarks()[0].contains("--vertices"), "{:?}", recorded.remarks());
        }
    }

    #[test]
    fn directed_graphs_have_edges_at_a_vertex() {
        let folder = Folder::with(&[("edges", "a b\nb a\nb c\nb b\n")]);
        let (report, recorded) = folder.run::<Stats>("@edges --directed --exact -k 1").unwrap();
        assert_eq!(report.most(), (&b"b"[..], EDGES_AT, 4.0));
        assert_eq!(recorded.remarks(), [NO_TRIANGLES]);
        let (_, recorded) = folder.run::<Stats>("@edges --directed --exact --quiet").unwrap();
        assert!(recorded.remarks().is_empty());
        assert!(folder.printed::<Stats>("@edges --directed --exact -k 1").contains("edges at b  4"));
    }

    #[test]
    fn what_a_graph_cannot_tell_is_refused() {
        let folder = Folder::with(&[("edges", "a b\n")]);
        assert!(folder.error::<Stats>("@edges --vertices @edges").contains("--vertices"));
        folder.report::<Build>("@edges -o @graph.crv");
        assert!(folder.error::<Stats>("@graph.crv --exact").contains("--exact"));
    }
}
