//! `crivo graph neighbors`: who is joined to this one?

use super::edges::{has_header, names};
use super::saved::SavedGraph;
use crate::args::{KeyArgs, LimitArgs};
use crate::output::{Answer, Bar, Output, Text, estimate, shown};
use crate::sources::read_lines;
use anyhow::Result;
use clap::Args;
use crivo::HashSpec;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The vertices that are joined to one, and how many there are
///
/// A graph in filters knows no names: it is asked for each vertex of a list. All neighbours in the list are found, and a
/// few others seem to be: the number below the list is without them.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo graph neighbors graph.crv alice --vertices people.txt
  crivo graph neighbors graph.crv alice --vertices edges.txt    # the names of both columns")]
pub(crate) struct Neighbors {
    /// The graph
    graph: PathBuf,

    /// The vertex
    vertex: String,

    /// The vertices to ask for: a name, or an edge, a line
    #[arg(long, value_name = "FILE")]
    vertices: PathBuf,

    /// The first line of a .csv file names vertices, not columns
    #[arg(long, help_heading = "Input")]
    no_header: bool,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    key: KeyArgs,

    /// One JSON object a line instead of text
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// Only the names
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

impl Neighbors {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let graph = SavedGraph::load(&self.graph, &self.key.decode_options(&self.limit)?)?;
        let VertexList { names, hashes } = vertex_list(
            &self.vertices,
            has_header(&self.vertices, self.no_header),
            graph.spec(),
            &self.limit,
        )?;
        let vertex = graph.spec().hash_bytes(self.vertex.as_bytes());
        let pairs: Vec<(u64, u64)> = hashes.iter().map(|&other| (vertex, other)).collect();
        let mut output = Output::new();
        let mut listed = 0;
        for (name, _) in names.iter().zip(graph.has_edges(&pairs)).filter(|(_, joined)| *joined) {
            listed += 1;
            if self.json {
                output.json(&Answer::Neighbor { vertex: Text::from(&**name) })?;
            } else {
                output.line(&shown(name))?;
            }
        }
        let degree = match &graph {
            SavedGraph::Edges(graph) => Some(graph.degree(self.vertex.as_bytes(), &hashes)),
            SavedGraph::Vertices(graph) => graph.degree_hash(vertex).ok(),
        };
        if self.json {
            let degree = degree.map_or(Bar::exact(0.0), Bar::from);
            output.json(&Answer::Neighbors { vertex: Text::from(self.vertex.as_bytes()), listed, degree })?;
        } else if !self.quiet
            && let Some(degree) = degree
        {
            output.line(&format!("# {}", estimate(&degree, "neighbours")))?;
        }
        output.flush()?;
        Ok(if listed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// Vertices, by name and by hash.
#[derive(Default)]
pub(super) struct VertexList {
    pub(super) names: Vec<Box<[u8]>>,
    pub(super) hashes: Vec<u64>,
}

/// The different vertices of a file of names or edges, in order.
pub(super) fn vertex_list(
    path: &Path,
    mut header: bool,
    spec: HashSpec,
    limit: &LimitArgs,
) -> Result<VertexList> {
    let hasher = spec.bytes_hasher();
    let (mut list, mut known) = (VertexList::default(), HashSet::new());
    for line in read_lines(path, limit.max_memory)? {
        let mut names = names(&line).take(2).peekable();
        if header && names.peek().is_some() {
            header = false;
            continue;
        }
        for name in names {
            let hash = hasher.hash(name);
            if known.insert(hash) {
                list.names.push(name.into());
                list.hashes.push(hash);
            }
        }
    }
    Ok(list)
}
