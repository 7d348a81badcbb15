//! `crivo values`: which value has it?

mod build;
mod kept;
mod query;

use crate::verb::{Verb as _, answers};
use clap::Subcommand;

/// Keep a number with each key, and ask for it
///
/// A filter that keeps the greatest value of each key in a few cells, whatever the keys: what it answers is never too
/// small, and too large for a share of the keys that --distortion chose.
#[derive(Debug, Subcommand)]
#[command(after_help = "Examples:
  crivo values build offers.csv --key shop --value price -o best.crv
  crivo values query best.crv north south
  crivo values query best.crv --keys claims.csv --column shop --claimed price")]
pub(crate) enum Values {
    Build(build::Build),
    Query(query::Query),
}

answers!(Values: Build, Query);
