//! `crivo graph`: are u and v joined?

mod build;
mod edge_list;
mod edges;
mod feasibility;
mod labels;
mod neighbors;
mod query;
mod saved;
mod stats;

use crate::session::Session;
use anyhow::Result;
use clap::Subcommand;
use std::process::ExitCode;

/// Represent a graph in few bits, ask it who is joined, and count what it has
///
/// An edge is a line with two names, between them a tab, a comma or blanks; what follows is not looked at, nor are lines
/// that begin with #. The first line of a .csv file names columns, unless --no-header says that it is an edge; files of
/// other names, such as .tsv, have no header unless --from and --to name columns. Edges have no direction unless --directed says so.
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

impl Graph {
    pub(crate) fn run(&self, session: &Session) -> Result<ExitCode> {
        match self {
            Self::Build(verb) => verb.run(session),
            Self::Query(verb) => verb.run(session),
            Self::Neighbors(verb) => verb.run(session),
            Self::Stats(verb) => verb.run(session),
            Self::Labels(verb) => verb.run(session),
            Self::Feasibility(verb) => verb.run(session),
        }
    }
}
