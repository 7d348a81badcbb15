//! `crivo graph stats`: what a graph has.

use super::build::different_edges;
use super::edges::EdgeArgs;
use super::neighbors::vertex_list;
use super::saved::SavedGraph;
use crate::args::{HashArgs, LimitArgs, parse_count};
use crate::cmd::item_set::{ItemSet, Place};
use crate::cmd::sketch_file::is_sketch;
use crate::output::{Align, Answer, Bar, Output, Table, Text, count, estimate_cells, remark, shown};
use crate::session::Session;
use anyhow::{Result, bail};
use clap::Args;
use crivo::graph::{Direction, edge_hash};
use crivo::{Estimate, HashSpec, HyperLogLog, MisraGries};
use std::cmp::Reverse;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// How many vertices and edges a graph has, which vertices have most, and how many triangles there are
///
/// Of edges that are read: different vertices, edges and loops (edges from a vertex to itself) are counted by sketches, in a
/// small memory, and the vertices that are named most often are listed. --exact keeps the edges and the names of the
/// vertices, and counts triangles too.
///
/// Of a saved graph: its edges or vertices, and with --vertices the spurious edges and the triangles among them, for which
/// every pair is asked for.
#[derive(Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
#[command(after_help = "Examples:
  crivo graph stats edges.txt.gz
  crivo graph stats edges.txt.gz --exact
  crivo graph stats graph.crv --vertices edges.txt.gz")]
pub(crate) struct Stats {
    /// Files with edges, plain or compressed, or one saved graph; standard input for '-' or without any
    files: Vec<PathBuf>,

    #[command(flatten)]
    edges: EdgeArgs,

    /// The edge from u to v is not the edge from v to u; triangles are not counted then
    #[arg(long)]
    directed: bool,

    /// Keep all edges, and count exactly
    #[arg(long, conflicts_with = "vertices")]
    exact: bool,

    /// The vertices of a saved graph: a name, or an edge, a line
    #[arg(long, value_name = "FILE")]
    vertices: Option<PathBuf>,

    /// How many of the vertices that are named most often to list
    #[arg(long = "number", short = 'k', value_name = "K", default_value = "3", value_parser = parse_count)]
    number: u64,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    hash: HashArgs,

    /// One JSON object a line instead of text
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// No progress and no remarks
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

/// What was counted.
struct Figure {
    name: &'static str,
    bar: Bar,
    /// The number and its bar, for people.
    cells: [String; 2],
}

impl Figure {
    fn estimated(name: &'static str, estimate: Estimate) -> Self {
        Self { name, cells: estimate_cells(&estimate), bar: estimate.into() }
    }

    fn counted(name: &'static str, number: u64) -> Self {
        Self { name, bar: Bar::exact(number as f64), cells: [count(number), "(exact)".into()] }
    }
}

/// The answer: figures, and the vertices with most edges.
struct Answered {
    figures: Vec<Figure>,
    top: Vec<(Vec<u8>, Figure)>,
}

impl Stats {
    pub(crate) fn run(&self, session: &Session) -> Result<ExitCode> {
        session.set_quiet(self.quiet);
        let answered = match &self.files[..] {
            [file] if is_sketch(file, session)? => self.of_saved(file, session)?,
            _ if self.vertices.is_some() => {
                bail!("--vertices is for a saved graph; edges name their vertices themselves")
            }
            _ => {
                let spec = self.hash.spec(session)?;
                let direction = if self.directed { Direction::Directed } else { Direction::Undirected };
                if self.exact {
                    self.exactly(spec, direction, session)?
                } else {
                    self.by_sketches(spec, direction, session)?
                }
            }
        };
        self.print(&answered)?;
        Ok(ExitCode::SUCCESS)
    }

    /// In a small memory.
    fn by_sketches(&self, spec: HashSpec, direction: Direction, session: &Session) -> Result<Answered> {
        let sketch = || {
            HyperLogLog::for_precision(HyperLogLog::for_error(0.01)?.precision())
                .map(|sketch| sketch.with_hash(spec))
        };
        let (mut vertices, mut edges, mut loops) = (sketch()?, sketch()?, sketch()?);
        let mut named = MisraGries::<Vec<u8>>::for_counters(COUNTERS)?.with_hash(spec);
        let mut lines = 0;
        self.edges.read(
            &self.files,
            spec,
            &self.limit,
            self.quiet,
            |read, names| {
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
                self.limit.check((sketches.iter().sum::<usize>() + named.memory_bytes()) as u64)
            },
            session,
        )?;
        let top = named.top(usize::try_from(self.number)?).into_iter();
        let top = top.map(|hitter| (hitter.item().clone(), Figure::estimated("times", hitter.count())));
        let figures = vec![
            Figure::estimated("vertices", vertices.estimate()),
            Figure::estimated("edges", edges.estimate()),
            Figure::counted("lines", lines),
            Figure::estimated("loops", loops.estimate()),
        ];
        Ok(Answered { figures, top: top.collect() })
    }

    /// From all different edges and the names of the vertices.
    fn exactly(&self, spec: HashSpec, direction: Direction, session: &Session) -> Result<Answered> {
        /// Of an edge: itself, and each end in the list of the other and in that of the higher ones.
        const EDGE: usize = 2 * size_of::<Place>() + 4 * size_of::<usize>();
        /// Of a vertex: its place, two lists, and where it is in their order.
        const VERTEX: usize = 2 * size_of::<Place>() + 2 * size_of::<Vec<usize>>();
        let mut names = ItemSet::default();
        let args = (&self.edges, &self.files[..], &self.limit, self.quiet);
        let (edges, lines) = different_edges(
            args,
            spec,
            direction,
            |read, ends, edges| {
                for (&(from, to), (from_name, to_name)) in read.iter().zip(ends) {
                    edges.push((names.place(from, from_name), names.place(to, to_name)));
                }
                let bytes = names.memory_bytes() + names.len() * VERTEX + edges.len() * EDGE;
                self.limit.check_items(bytes, "--exact")
            },
            session,
        )?;
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
            self.no_triangles();
        }
        let mut order: Vec<usize> = (0..vertices.len()).collect();
        order.sort_by_key(|&vertex| (Reverse(neighbours[vertex].len()), name(vertex)));
        let at_vertex = if direction == Direction::Undirected { "neighbours" } else { EDGES_AT };
        let top = order.into_iter().take(usize::try_from(self.number)?).map(|vertex| {
            let degree = Figure::counted(at_vertex, neighbours[vertex].len() as u64);
            (name(vertex).to_vec(), degree)
        });
        Ok(Answered { figures, top: top.collect() })
    }

    fn of_saved(&self, path: &Path, session: &Session) -> Result<Answered> {
        if self.exact {
            bail!("--exact needs the edges; a saved graph knows estimates");
        }
        let graph = SavedGraph::load(path, &self.hash.decode_options(&self.limit, session)?, session)?;
        let mut figures = Vec::new();
        let mut listed = None;
        if let Some(file) = &self.vertices {
            listed = Some(
                vertex_list(file, self.edges.has_header(file), graph.spec(), &self.limit, session)?.hashes,
            );
        }
        match &graph {
            SavedGraph::Edges(graph) => {
                figures.push(Figure::estimated("edges", graph.edges()));
                if let Some(vertices) = &listed {
                    figures.push(Figure::counted("vertices", vertices.len() as u64));
                    let spurious = graph.spurious_edges(vertices.len() as u64);
                    figures.push(Figure::estimated("spurious edges", spurious));
                    if graph.direction() == Direction::Undirected {
                        figures.push(Figure::estimated("triangles", graph.triangles(vertices)?));
                    } else {
                        self.no_triangles();
                    }
                }
            }
            SavedGraph::Vertices(graph) => {
                figures.push(Figure::counted("vertices", graph.vertices().len() as u64));
                match graph.direction() {
                    Direction::Undirected if listed.is_some() => {
                        figures.push(Figure::estimated("triangles", graph.triangles()?));
                    }
                    Direction::Directed if listed.is_some() => self.no_triangles(),
                    _ => {}
                }
            }
        }
        if listed.is_none() && !self.quiet {
            remark("triangles are counted among the vertices that --vertices names");
        }
        Ok(Answered { figures, top: Vec::new() })
    }

    fn no_triangles(&self) {
        if !self.quiet {
            remark("triangles are counted in undirected graphs only");
        }
    }

    fn print(&self, answered: &Answered) -> Result<()> {
        let mut output = Output::new();
        if self.json {
            for figure in &answered.figures {
                output.json(&Answer::Figure { name: figure.name, value: &figure.bar })?;
            }
            for (vertex, figure) in &answered.top {
                let vertex = Text::from(&**vertex);
                output.json(&Answer::Vertex { vertex, name: figure.name, value: &figure.bar })?;
            }
            return output.flush();
        }
        let mut table = Table::new([Align::Left, Align::Right, Align::Left]);
        for Figure { name, cells: [number, bar], .. } in &answered.figures {
            table.push([(*name).into(), number.clone(), bar.clone()]);
        }
        for (vertex, Figure { name, cells: [number, bar], .. }) in &answered.top {
            let of = if *name == EDGES_AT { "at" } else { "of" };
            table.push([format!("{name} {of} {}", shown(vertex)), number.clone(), bar.clone()]);
        }
        output.page(0, |page| table.print(page))?;
        output.flush()
    }
}

/// What a directed graph has at a vertex: in and out.
const EDGES_AT: &str = "edges";

/// How many names are counted at once: one that is on more than a line in so many is never missed.
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
    use super::*;

    #[test]
    fn triangles_of_small_graphs() {
        let complete =
            |n: usize| -> Vec<Vec<usize>> { (0..n).map(|u| (0..n).filter(|&v| v != u).collect()).collect() };
        assert_eq!([0, 1, 2, 3, 4, 5].map(|n| triangles(&complete(n))), [0, 0, 0, 1, 4, 10]);
        assert_eq!(triangles(&[vec![1, 3], vec![0, 2], vec![1, 3], vec![2, 0]]), 0);
    }
}
