//! Values stored with items: a linear Bloom filter compared with a Count-Min sketch of the same shape, and static maps.

mod frozen;
mod linear;

use crate::Options;
use bench_report::Targets;

pub(crate) fn run(options: &Options, targets: &mut Targets) {
    linear::run(options, targets);
    frozen::run(options, targets);
}
