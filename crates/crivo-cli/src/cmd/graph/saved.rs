//! A graph in a file, of either kind.

use crate::cmd::sketch_file::{check_takes_texts, load, other_family};
use crate::session::Session;
use anyhow::{Result, bail};
use crivo::graph::{Direction, EdgeBloom, VertexBlooms};
use crivo::sketch::Sketch;
use crivo::{DecodeOptions, Estimate, Family, HashSpec, Kind};
use std::path::Path;

/// A graph that answers whether two vertices are joined.
pub(super) enum SavedGraph {
    Edges(EdgeBloom),
    Vertices(VertexBlooms),
}

impl SavedGraph {
    pub(super) fn load(path: &Path, options: &DecodeOptions, session: &Session) -> Result<Self> {
        let sketch: Box<dyn Sketch> = load(path, options, session)?;
        sketch.hashing().map_or(Ok(()), |spec| check_takes_texts(path, spec))?;
        if let Some(graph) = sketch.downcast_ref::<EdgeBloom>() {
            return Ok(Self::Edges(graph.clone()));
        }
        if let Some(graph) = sketch.downcast_ref::<VertexBlooms>() {
            return Ok(Self::Vertices(graph.clone()));
        }
        let info = sketch.kind().info();
        if matches!(info.kind, Kind::DeBruijn | Kind::ExactDeBruijn) {
            bail!("{}: {} is a graph of k-mers; see: crivo kmers --help", path.display(), info.kind.name());
        }
        if info.kind.family() == Family::Graph {
            bail!(
                "{}: the kind {} knows vertices by number, not by name, so the command cannot ask it; ask from a program, \
                 or make a graph with 'crivo graph build'",
                path.display(),
                info.kind.name()
            );
        }
        Err(other_family(path, sketch.kind(), Family::Graph))
    }

    pub(super) fn spec(&self) -> HashSpec {
        match self {
            Self::Edges(graph) => *graph.hash_spec(),
            Self::Vertices(graph) => *graph.hash_spec(),
        }
    }

    pub(super) fn has_edges(&self, pairs: &[(u64, u64)]) -> Vec<bool> {
        match self {
            Self::Edges(graph) => graph.has_edge_hashes(pairs),
            Self::Vertices(graph) => graph.has_edge_hashes(pairs),
        }
    }

    /// The chance that this pair is reported, if it is not joined.
    pub(super) fn fpr(&self, (from, to): (u64, u64)) -> Estimate {
        match self {
            Self::Edges(graph) => graph.fpr(),
            Self::Vertices(graph) => graph.fpr_hash(from, to),
        }
    }

    /// How many triangles there are among these vertices, or all where the graph knows them; none are counted in a directed
    /// graph.
    pub(super) fn triangles(&self, vertices: &[u64]) -> Result<Option<Estimate>> {
        Ok(match self {
            Self::Edges(graph) if graph.direction() == Direction::Undirected => {
                Some(graph.triangles(vertices)?)
            }
            Self::Vertices(graph) if graph.direction() == Direction::Undirected => Some(graph.triangles()?),
            _ => None,
        })
    }
}
