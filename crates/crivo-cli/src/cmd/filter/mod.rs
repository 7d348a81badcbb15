//! `crivo filter`: is it there?

mod build;
mod query;

use anyhow::Result;
use clap::Subcommand;
use std::process::ExitCode;

/// Build a filter, and ask it what it holds
///
/// A Bloom filter says 'certainly not' or 'probably' in about ten bits an item.
#[derive(Debug, Subcommand)]
#[command(after_help = "Examples:
  crivo filter build words.txt -o words.crv --fpr 0.001
  crivo filter query words.crv draft.txt")]
pub(crate) enum Filter {
    Build(build::Build),
    Query(query::Query),
}

impl Filter {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        match self {
            Self::Build(verb) => verb.run(),
            Self::Query(verb) => verb.run(),
        }
    }
}
