//! `crivo values`: which value has it?

mod build;
mod built;
mod kept;
mod query;

use crate::verb::{Verb as _, answers};
use clap::Subcommand;

/// Store a number for each key, and look it up
///
/// A filter keeps the largest value of each key in a few cells and does not store the keys. A value is never
/// underestimated, and overestimated for the share of keys given by --distortion.
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
