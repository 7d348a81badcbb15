//! Faults planted in filters, which the verdicts must see.

use crivo::membership::BinaryFuseParams;
use crivo::{BinaryFuse, BloomFilter, BloomParams, Family, HashSpec, KINDS};

use super::measure::{Subject, measure};
use crate::experiments::prelude::*;

#[test]
fn every_structure_of_these_families_has_its_measurement() {
    let families = [Family::Membership, Family::Valued, Family::Graph];
    for info in KINDS.iter().filter(|info| families.contains(&info.kind.family())) {
        let id = format!("c-{}", info.kind.name());
        let experiment = crate::find(&id).unwrap_or_else(|| panic!("{id} is missing"));
        assert_eq!((experiment.id, experiment.source), (id.as_str(), Source::Crivo));
    }
}

fn passed<S: Subject>() -> Vec<bool> {
    let settings = Settings { size: Size::Quick, ..Settings::default() };
    let outcome = measure::<S>(&settings, &mut Progress::silent()).unwrap();
    outcome.verdicts.iter().map(|verdict| verdict.passed).collect()
}

/// A Bloom filter, with a fault in how it is filled.
macro_rules! faulty_bloom {
    ($name:ident, $filled:expr) => {
        struct $name;

        impl Subject for $name {
            type Filter = BloomFilter;
            type Params = BloomParams;
            const ID: &'static str = "faulty";
            const TITLE: &'static str = "";
            const REFERENCE: &'static str = "";
            const THEORY: &'static str = "";
            const COST: Cost = Cost { quick: 0.0, full: 0.0 };

            fn sized(capacity: u64, rate: f64) -> Result<BloomParams> {
                BloomFilter::sized(capacity, rate)
            }

            fn filled(params: BloomParams, spec: HashSpec, items: u64) -> Result<BloomFilter> {
                let filled: fn(BloomParams, HashSpec, u64) -> Result<BloomFilter> = $filled;
                filled(params, spec, items)
            }

            answers_as_a_filter!();

            fn fpr_at(params: BloomParams, items: u64) -> f64 {
                BloomFilter::fpr_at(params, items)
            }
        }
    };
}

faulty_bloom!(OneFunctionLess, |params, spec, items| {
    BloomFilter::filled(BloomParams::exact(params.bits(), params.hashes() - 1)?, spec, items)
});
faulty_bloom!(HalfTheBits, |params, spec, items| {
    BloomFilter::filled(BloomParams::exact(params.bits() / 2, params.hashes())?, spec, items)
});
faulty_bloom!(LosesTheLast, |params, spec, items| { BloomFilter::filled(params, spec, items - 1) });
#[test]
fn faults_of_a_bloom_filter_are_found_out() {
    assert!(passed::<BloomFilter>().iter().all(|&passed| passed));
    // Lost items; the law; given the contents; its own word; the target; the bits.
    assert_eq!(passed::<OneFunctionLess>()[..4], [true, false, true, true]);
    assert_eq!(passed::<HalfTheBits>()[..5], [true, false, true, true, false]);
    assert!(!passed::<LosesTheLast>()[0]);
}

/// A filter whose word is not what it does: fingerprints of one bit less.
struct NarrowFuse;

impl Subject for NarrowFuse {
    type Filter = BinaryFuse;
    type Params = BinaryFuseParams;
    const ID: &'static str = "faulty";
    const TITLE: &'static str = "";
    const REFERENCE: &'static str = "";
    const THEORY: &'static str = "";
    const COST: Cost = Cost { quick: 0.0, full: 0.0 };

    fn sized(capacity: u64, rate: f64) -> Result<BinaryFuseParams> {
        BinaryFuse::sized(capacity, rate)
    }

    fn filled(params: BinaryFuseParams, spec: HashSpec, items: u64) -> Result<BinaryFuse> {
        BinaryFuse::filled(BinaryFuseParams::with_width(params.width() - 1)?, spec, items)
    }

    answers_as_a_filter!();

    fn fpr_at(params: BinaryFuseParams, items: u64) -> f64 {
        params.fpr_at(items)
    }
}

#[test]
fn a_narrow_fingerprint_is_found_out() {
    let verdicts = passed::<NarrowFuse>();
    assert!(verdicts[0] && !verdicts[1]);
}
