//! `crivo graph`: are they joined?

mod edge_list;
mod feasibility;
mod labels;

use anyhow::Result;
use clap::Subcommand;
use std::process::ExitCode;

/// Represent a graph in few bits, and ask who is joined
#[derive(Debug, Subcommand)]
#[command(after_help = "Examples:
  crivo graph labels tree.tsv
  crivo graph feasibility edges.txt --not-edge 1/3 --edge 1/2")]
pub(crate) enum Graph {
    Labels(labels::Labels),
    Feasibility(feasibility::Feasibility),
}

impl Graph {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        match self {
            Self::Labels(verb) => verb.run(),
            Self::Feasibility(verb) => verb.run(),
        }
    }
}
