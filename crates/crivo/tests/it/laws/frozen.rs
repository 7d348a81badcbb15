//! Static filters and other structures that are built from all their items at once.

use super::any::{keys_are_needed, other_kinds_do_not_merge, reads_as_itself};
use super::memory::assert_told;
use super::wire::copy_of;
use crate::structures::{self, FROZEN_SIZES, Frozen, FrozenFilter, OPTIONS, distinct, shuffled, specs};
use crivo::rng::Rng;
use crivo::{HashSpec, MakeFilter, decode};

/// The hashes of `count` distinct items.
fn hashes(rng: &mut Rng, spec: HashSpec, count: usize) -> Vec<u64> {
    structures::hashes(spec, &distinct(rng, count))
}

/// A round trip through bytes does not change a sketch.
pub(super) fn frozen_copies<S: Frozen>(make: impl Fn(&[u64], HashSpec) -> S) {
    let mut rng = Rng::new(60);
    for spec in specs() {
        for count in FROZEN_SIZES {
            let filter = make(&hashes(&mut rng, spec, count), spec);
            let copy = copy_of(&filter);
            let probes = distinct(&mut rng, 1000);
            assert_eq!(copy.ask_hashes(&probes), filter.ask_hashes(&probes));
            assert_eq!(copy.facts(), filter.facts());
            assert_eq!(copy.hashing(), filter.hashing());
            assert!(filter.hashing().is_none_or(|its| *its == spec));
            assert_eq!(copy.memory_bytes(), filter.memory_bytes());
        }
    }
}

/// A filter reports its memory exactly, to the byte.
pub(super) fn frozen_memory_is_told<S: Frozen>(make: impl Fn(&[u64], HashSpec) -> S) {
    let mut rng = Rng::new(61);
    for count in FROZEN_SIZES {
        let hashes = hashes(&mut rng, HashSpec::default(), count);
        let filter = assert_told("made", &|| make(&hashes, HashSpec::default()));
        let bytes = filter.to_bytes();
        assert_told("read", &|| S::from_bytes_with(&bytes, &OPTIONS).unwrap());
        assert_told("cloned", &|| filter.clone());
    }
}

/// A sketch whose kind is not known.
pub(super) fn frozen_any_sketch<S: Frozen>(make: impl Fn(&[u64], HashSpec) -> S) {
    let mut rng = Rng::new(62);
    for spec in specs() {
        for count in FROZEN_SIZES {
            let sketch = make(&hashes(&mut rng, spec, count), spec);
            reads_as_itself(&sketch);
            let mut any = decode(&sketch.to_bytes(), &OPTIONS).unwrap();
            assert_eq!(any.downcast_mut::<S>().unwrap(), &sketch);
            other_kinds_do_not_merge(&sketch);
            keys_are_needed(&sketch);
        }
    }
}

/// The registry's entries for a filter.
pub(super) fn frozen_views<S: FrozenFilter>(make: impl Fn(&[u64], HashSpec) -> S) {
    let mut rng = Rng::new(65);
    for spec in specs() {
        for count in FROZEN_SIZES {
            let hashes = hashes(&mut rng, spec, count);
            let filter = make(&hashes, spec);
            let info = filter.kind().info();
            let view = info.membership.unwrap()(&filter).unwrap();
            assert_eq!(view.contains_hashes(&hashes), vec![true; count]);
            assert_eq!(view.fpr(), filter.fpr());
            let MakeFilter::Frozen(freeze) = info.filter.unwrap().make else {
                panic!("{filter:?} is not static")
            };
            let frozen = freeze(&hashes, 0.01, spec).unwrap();
            let view = info.membership.unwrap()(&*frozen).unwrap();
            assert_eq!((frozen.hashing(), view.fpr().value() <= 0.01), (Some(&spec), true));
            assert_eq!(view.contains_hashes(&hashes), vec![true; count]);
        }
    }
}

/// The bytes depend only on the set, not on order or repetition.
pub(super) fn frozen_set_decides<S: Frozen>(make: impl Fn(&[u64], HashSpec) -> S) {
    let mut rng = Rng::new(63);
    let spec = HashSpec::default();
    // Also more hashes than fit the cache, where they are sorted first.
    for count in FROZEN_SIZES.into_iter().chain([40_000]) {
        let hashes = hashes(&mut rng, spec, count);
        let filter = make(&hashes, spec);
        assert_eq!(filter.is_empty(), count == 0);
        let (mut sorted, mixed) = (hashes.clone(), shuffled(&mut rng, &hashes));
        sorted.sort_unstable();
        let repeated = hashes.iter().filter(|&&hash| hash % 3 == 0);
        let often = shuffled(&mut rng, &repeated.chain(&hashes).copied().collect::<Vec<_>>());
        for other in [sorted, mixed, often] {
            let other = make(&other, spec);
            assert_eq!(other, filter, "{count} items");
            assert_eq!(other.to_bytes(), filter.to_bytes(), "{count} items");
        }
    }
}

/// No inserted item is denied: thousands of sets, queried by item, by hash and by batch.
pub(super) fn frozen_no_false_negatives<S: FrozenFilter>(make: impl Fn(&[u64], HashSpec) -> S) {
    let mut rng = Rng::new(64);
    for case in 0..2000 {
        let spec = HashSpec::seeded(case);
        let most = 1 << rng.below(11);
        let count = rng.below(most) as usize;
        let items = distinct(&mut rng, count);
        let hashes = structures::hashes(spec, &items);
        let filter = make(&hashes, spec);
        assert!(items.iter().all(|item| filter.contains(item)), "case {case}");
        assert!(hashes.iter().all(|&hash| filter.contains_hash(hash)), "case {case}");
        assert_eq!(filter.contains_hashes(&hashes), vec![true; hashes.len()], "case {case}");
        let others = distinct(&mut rng, 100);
        let answers: Vec<bool> = others.iter().map(|item| filter.contains(item)).collect();
        let hashes = structures::hashes(spec, &others);
        assert_eq!(filter.contains_hashes(&hashes), answers, "case {case}");
        if count == 0 {
            assert!(filter.fpr().value() == 0.0 && !answers.contains(&true), "an empty filter says yes");
        }
    }
}
