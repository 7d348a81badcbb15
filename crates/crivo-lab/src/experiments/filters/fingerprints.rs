//! Filters of fingerprints.

use crivo::membership::{
    BinaryFuseParams, CuckooParams, HashCompaction, HashCompactionParams, QuotientParams,
};
use crivo::{BinaryFuse, CuckooFilter, HashSpec, QuotientFilter};

use super::measure::{Subject, experiment, hashes};
use super::{answers_as_a_filter, from_target};
use crate::experiments::prelude::*;

pub(in crate::experiments) const CUCKOO_FILTER: Experiment = experiment::<CuckooFilter>();
pub(in crate::experiments) const QUOTIENT_FILTER: Experiment = experiment::<QuotientFilter>();
pub(in crate::experiments) const HASH_COMPACTION: Experiment = experiment::<HashCompaction>();
pub(in crate::experiments) const BINARY_FUSE: Experiment = experiment::<BinaryFuse>();

/// They have room for the items that they are made for, and are full soon after.
const TO_CAPACITY: &[f64] = &[0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0];

impl Subject for CuckooFilter {
    const ID: &'static str = "c-cuckoo-filter";
    const TITLE: &'static str = "Cuckoo filter: rate, bits and the rate it states";
    const REFERENCE: &'static str = "Fan and others 2014; windows of Lehman and Panigrahy 2009";
    const THEORY: &'static str = "\
C cells, each a pair of windows with a fingerprint, can be distinguished: an absent item meets one that is taken with \
probability 1 − (1 − 1/C)^n (`CuckooParams::fpr_at`), given the contents taken/C (`fpr`).";
    const COST: Cost = Cost { quick: 0.1, full: 6.2 };
    const LOADS: &'static [f64] = TO_CAPACITY;
    from_target!(CuckooParams);
}

impl Subject for QuotientFilter {
    const ID: &'static str = "c-quotient-filter";
    const TITLE: &'static str = "Quotient filter: rate, bits and the rate it states";
    const REFERENCE: &'static str = "Bender and others 2012";
    const THEORY: &'static str = "\
R fingerprints can be distinguished: an absent item has that of one inside with probability 1 − (1 − 1/R)^n \
(`QuotientParams::fpr_at`), given the contents different/R (`fpr`).";
    const COST: Cost = Cost { quick: 0.1, full: 7.0 };
    const LOADS: &'static [f64] = TO_CAPACITY;
    from_target!(QuotientParams);
}

impl Subject for HashCompaction {
    const ID: &'static str = "c-hash-compaction";
    const TITLE: &'static str = "Hash compaction: rate, bits and the rate it states";
    const REFERENCE: &'static str = "Silva 2022, section 2.1.3; Wolper and Leroy 1993";
    const THEORY: &'static str = "\
The table keeps fingerprints of l bits, one value of which marks an empty cell: an absent item has that of one inside with \
probability 1 − (1 − 1/(2^l − 1))^n (`HashCompactionParams::fpr_at`), given the contents different/(2^l − 1) (`fpr`). The \
table grows with the items.";
    const COST: Cost = Cost { quick: 0.1, full: 8.1 };
    from_target!(HashCompactionParams);
}

impl Subject for BinaryFuse {
    type Filter = Self;
    type Params = BinaryFuseParams;
    const ID: &'static str = "c-binary-fuse";
    const TITLE: &'static str = "Binary fuse filter: rate, bits and the rate it states";
    const REFERENCE: &'static str = "Graf and Lemire 2022";
    const THEORY: &'static str = "\
Three cells combine to a fingerprint of w bits, which an absent item meets with probability 2^−w, however many items are \
inside (`BinaryFuseParams::fpr_at`, `fpr`). The filter never changes: each number of items is frozen anew, at the rate it \
is made for. It takes little more than w bits per item.";
    const COST: Cost = Cost { quick: 0.1, full: 5.7 };

    fn sized(capacity: u64, rate: f64) -> Result<BinaryFuseParams> {
        Ok(BinaryFuseParams::for_fpr(capacity, rate)?)
    }

    fn filled(params: BinaryFuseParams, spec: HashSpec, items: u64) -> Result<Self> {
        Ok(Self::freeze_hashes(hashes(spec, 0..items), params, spec)?)
    }

    answers_as_a_filter!();

    fn fpr_at(params: BinaryFuseParams, items: u64) -> f64 {
        params.fpr_at(items)
    }
}
