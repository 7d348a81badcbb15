//! `crivo filter`: is it there?

mod asked;
mod build;
mod change;
mod diff;
mod different;
mod insert;
mod inserter;
mod near;
mod query;
mod remove;
mod route;
mod saved;
#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use build::Build;
pub(crate) use build::{filter_of, memory_to_make};
pub(crate) use different::memory_to_collect;
pub(crate) use saved::Saved;

use super::info::{self, Info};
use crate::session::{Manner, Session};
use crate::verb::{Verb, answers};
use anyhow::Result;
use clap::{Args, Subcommand};
use crivo::sketch::{Membership, Sketch};
use crivo::{Family, Kind};

/// Build, query and change filters (approximate sets)
///
/// A filter answers 'certainly not' or 'probably' in a few bits per item. A negative answer is always correct; a
/// positive one is false with the probability given by --fpr.
#[derive(Debug, Subcommand)]
#[command(after_help = "Examples:
  crivo filter build words.txt -o words.crv --fpr 0.001
  crivo filter query words.crv --keys draft.txt
  crivo filter route monday.crv tuesday.crv --key sieve
  crivo filter insert words.crv more-words.txt
  crivo filter diff monday.crv tuesday.crv")]
pub(crate) enum Filter {
    Build(build::Build),
    Query(query::Query),
    Route(route::Route),
    Insert(insert::Insert),
    Remove(remove::Remove),
    Diff(diff::Diff),
    Info(FilterInfo),
}

answers!(Filter: Build, Query, Route, Insert, Remove, Diff, Info);

/// Describe a filter file
///
/// Like 'crivo info', for filters only.
#[derive(Args, Debug)]
#[command(after_help = "Example:
  crivo filter info words.crv")]
pub(crate) struct FilterInfo {
    #[command(flatten)]
    info: Info,
}

impl Verb for FilterInfo {
    type Report = info::Sketches;

    fn manner(&self) -> Manner {
        self.info.manner()
    }

    fn run(self, session: &Session) -> Result<info::Sketches> {
        self.info.of(Some(Family::Membership), session)
    }
}

/// A sketch as a filter, if its kind answers for hashes.
pub(crate) fn membership(sketch: &dyn Sketch) -> Option<&dyn Membership> {
    sketch.kind().info().membership.and_then(|view| view(sketch))
}

/// Whether a filter keeps how often each item came, and not only that it came.
fn keeps_counts(kind: Kind) -> bool {
    kind == Kind::SpectralBloom
}
