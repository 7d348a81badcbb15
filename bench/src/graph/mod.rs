//! Graphs: what it costs to ask for an edge, and to keep the graph.

mod edges;
mod kmers;
mod trees;

use crate::Options;
use bench_report::Targets;

pub(crate) fn run(options: &Options, targets: &mut Targets) {
    edges::run(options, targets);
    trees::run(options);
    kmers::run(options);
}
