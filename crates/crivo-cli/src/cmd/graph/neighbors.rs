//! `crivo graph neighbors`: who is joined to this one?

use super::edges::{has_header, names};
use super::saved::SavedGraph;
use crate::args::{FormArgs, KeyArgs, LimitArgs};
use crate::input::Source;
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::Result;
use clap::Args;
use crivo::{Estimate, HashSpec};
use crivo_report::{Bar, Page, Records, Report, Text, estimate, shown};
use serde::Serialize;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// List the neighbours of a vertex and estimate their number
///
/// A graph made of filters stores no names, so each vertex of a list is queried. All neighbours in the list are found,
/// with a few false positives; the number below the list is corrected for them.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo graph neighbors graph.crv alice --vertices people.txt
  crivo graph neighbors graph.crv alice --vertices edges.txt    # the names of both columns")]
pub(crate) struct Neighbors {
    /// The graph file
    graph: PathBuf,

    /// The vertex
    vertex: String,

    /// File of the vertices to query: one name or one edge per line
    #[arg(long, value_name = "FILE")]
    vertices: PathBuf,

    /// Treat the first line of a .csv file as data, not as a header
    #[arg(long, help_heading = "Input")]
    no_header: bool,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    key: KeyArgs,

    #[command(flatten)]
    form: FormArgs,

    /// Print only the names
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

/// The vertices that seem joined to one.
#[derive(Debug)]
pub(crate) struct Joined {
    vertex: String,
    neighbours: Vec<Box<[u8]>>,
    /// Without those that only seem joined; none of a vertex that has no edges.
    degree: Option<Estimate>,
}

impl Verb for Neighbors {
    type Report = Joined;

    fn manner(&self) -> Manner {
        self.form.manner(self.quiet)
    }

    fn run(self, session: &Session) -> Result<Joined> {
        let graph = SavedGraph::load(&self.graph, &self.key.decode_options(self.limit, session)?, session)?;
        let vertices = VertexFile::open(&self.vertices, self.no_header, self.limit, session)?;
        let vertex = self.vertex;
        let VertexList { names, hashes } = vertices.read(graph.spec(), session)?;
        let hash = graph.spec().hash_bytes(vertex.as_bytes());
        let pairs: Vec<(u64, u64)> = hashes.iter().map(|&other| (hash, other)).collect();
        let joined = names.into_iter().zip(graph.has_edges(&pairs)).filter(|(_, joined)| *joined);
        let degree = match &graph {
            SavedGraph::Edges(graph) => Some(graph.degree(vertex.as_bytes(), &hashes)),
            SavedGraph::Vertices(graph) => graph.degree_hash(hash).ok(),
        };
        Ok(Joined { vertex, neighbours: joined.map(|(name, _)| name).collect(), degree })
    }
}

#[derive(Serialize)]
#[serde(tag = "type", rename = "neighbor")]
struct NeighborRecord<'a> {
    vertex: Text<'a>,
}

/// `degree` is without those that only seem joined.
#[derive(Serialize)]
#[serde(tag = "type", rename = "neighbors")]
struct NeighborsRecord<'a> {
    vertex: &'a str,
    listed: u64,
    degree: Bar,
}

impl Report for Joined {
    fn text(&self, page: &mut Page) {
        for name in &self.neighbours {
            page.line(&shown(name));
        }
        if let Some(degree) = &self.degree {
            page.note(&format!("# {}", estimate(degree, "neighbours")));
        }
    }

    fn records(&self, records: &mut Records) {
        for name in &self.neighbours {
            records.row(&NeighborRecord { vertex: Text::from(&**name) });
        }
        let degree = self.degree.map_or(Bar::exact(0.0), Bar::from);
        let listed = self.neighbours.len() as u64;
        records.total(&NeighborsRecord { vertex: &self.vertex, listed, degree });
    }

    fn exit_code(&self) -> u8 {
        u8::from(self.neighbours.is_empty())
    }
}

/// A file of vertices: a name, or an edge, a line.
pub(super) struct VertexFile {
    source: Source,
    header: bool,
    max_memory: u64,
}

/// Vertices, by name and by hash.
#[derive(Default)]
pub(super) struct VertexList {
    pub(super) names: Vec<Box<[u8]>>,
    pub(super) hashes: Vec<u64>,
}

impl VertexFile {
    pub(super) fn open(path: &Path, no_header: bool, limit: LimitArgs, session: &Session) -> Result<Self> {
        let (source, header) = (session.line_source(path)?, has_header(path, no_header));
        Ok(Self { source, header, max_memory: limit.max_memory })
    }

    /// The distinct vertices, in order.
    pub(super) fn read(self, spec: HashSpec, session: &Session) -> Result<VertexList> {
        let (hasher, mut header) = (spec.bytes_hasher(), self.header);
        let (mut list, mut known) = (VertexList::default(), HashSet::new());
        for line in self.source.lines(self.max_memory, &session.watch())? {
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
}

#[cfg(test)]
mod tests {
    use super::super::build::Build;
    use super::super::testing::wheel;
    use super::*;
    use crate::testing::Folder;

    #[test]
    fn neighbours_of_a_list_and_their_number() {
        let folder = Folder::with(&[("edges", &wheel(50)), ("names.csv", "name\nv0\nv2\nv9\n")]);
        folder.report::<Build>("@edges -o @graph.crv --fpr 1e-6");
        let report = folder.report::<Neighbors>("@graph.crv v1 --vertices @edges");
        let names: Vec<&[u8]> = report.neighbours.iter().map(|name| &**name).collect();
        assert_eq!(names, [&b"hub"[..], b"v0", b"v2"]);
        assert_eq!((report.degree.unwrap().value(), report.exit_code()), (3.0, 0));
        let text = folder.printed::<Neighbors>("@graph.crv v1 --vertices @names.csv");
        assert!(text.starts_with("v0\nv2\n# 2 neighbours  ("), "{text}");
        assert_eq!(folder.printed::<Neighbors>("@graph.crv v1 --vertices @names.csv -q"), "v0\nv2\n");
        let lines = folder.printed::<Neighbors>("@graph.crv v1 --vertices @names.csv --json");
        let first = "{\"type\":\"neighbor\",\"vertex\":\"v0\"}\n";
        let last = "\n{\"type\":\"neighbors\",\"vertex\":\"v1\",\"listed\":2,\"degree\":{\"value\":2,";
        assert!(lines.starts_with(first) && lines.contains(last), "{lines}");
        assert_eq!(folder.report::<Neighbors>("@graph.crv nobody --vertices @edges").exit_code(), 1);
    }
}
