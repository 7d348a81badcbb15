//! `crivo graph`: are u and v joined?

mod build;
mod edge_list;
mod edges;
mod feasibility;
mod figures;
mod labelled;
mod labels;
mod made;
mod neighbors;
mod query;
mod saved;
mod sides;
mod stats;

use crate::verb::{Verb, answers};
use clap::Subcommand;

/// Represent a graph in few bits, query its edges, and count what it contains
///
/// An edge is a line with two names, separated by a tab, a comma or blanks; the rest of the line is ignored, and so are
/// lines that begin with #. The first line of a .csv file is a header, unless --no-header is given; other files, such
/// as .tsv, have no header unless --source and --target name columns. Edges are undirected unless --directed is given.
#[derive(Debug, Subcommand)]
#[command(after_help = "Examples:
  crivo graph build edges.txt -o graph.crv
  crivo graph query graph.crv alice bob
  crivo graph neighbors graph.crv alice --vertices edges.txt
  crivo graph stats edges.txt --exact
  crivo graph labels tree.tsv
  crivo graph feasibility edges.txt --not-edge 1/3 --edge 1/2")]
pub(crate) enum Graph {
    Build(build::Build),
    Query(query::Query),
    #[command(alias = "neighbours")]
    Neighbors(neighbors::Neighbors),
    Stats(stats::Stats),
    Labels(labels::Labels),
    Feasibility(feasibility::Feasibility),
}

answers!(Graph: Build, Query, Neighbors, Stats, Labels, Feasibility);

#[cfg(test)]
mod testing {
    /// A wheel: a hub with `spokes` vertices around it, each of which is joined to the next: as many triangles.
    pub(super) fn wheel(spokes: u32) -> String {
        let edge = |i: u32| format!("hub\tv{i}\nv{i}\tv{}\n", (i + 1) % spokes);
        (0..spokes).map(edge).collect()
    }

    /// A tree in which each vertex has three children.
    pub(super) fn tree(vertices: u32) -> String {
        let edge = |child: u32| format!("v{child}\tv{}\n", (child - 1) / 3);
        (1..vertices).map(edge).collect()
    }
}
