//! Similarity: the time and error of signatures, and indexes of many of them.

mod index;
mod signatures;
mod variants;

use crate::Options;
use bench_report::Targets;

/// The slots of every signature.
const SLOTS: usize = 128;

pub(crate) fn run(options: &Options, targets: &mut Targets) {
    signatures::run(options, targets);
    index::run(options, targets);
    variants::run(options);
}
