//! Filters: no item that went in is denied.

use crate::subject::{Subject, distinct};
use crivo::HashSpec;
use crivo::rng::Rng;
use crivo::sketch::{Insert, Membership};
use std::collections::HashSet;

/// Against an exact set, up to ten times full, through inserts by every means, merges and trips through bytes.
pub(super) fn no_false_negatives<S: Subject + Insert + Membership>(make: impl Fn(HashSpec) -> S) {
    let mut rng = Rng::new(50);
    let mut filter = make(HashSpec::seeded(50));
    let mut inside = HashSet::new();
    let most = 10 * filter.scale();
    while inside.len() < most {
        let items = distinct(&mut rng, 1 + most / 40);
        let hashes: Vec<u64> = items.iter().map(|item| filter.spec().hash(item)).collect();
        match rng.below(5) {
            0 => items.iter().for_each(|item| filter.see(item)),
            1 => Insert::insert_hashes(&mut filter, &hashes).unwrap(),
            2 => {
                for &hash in &hashes {
                    let was_inside = Membership::contains_hash(&filter, hash);
                    assert_eq!(Insert::insert_hash(&mut filter, hash), Ok(!was_inside));
                }
            }
            3 => {
                let other = filter.emptied().having_seen(&items);
                filter = filter.merged_with(&other);
            }
            _ => {
                filter = filter.emptied().having_seen(&items).merged_with(&filter);
                filter = S::from_bytes_with(&filter.to_bytes(), &crate::subject::OPTIONS).unwrap();
            }
        }
        inside.extend(hashes);
        assert!(inside.iter().all(|&hash| Membership::contains_hash(&filter, hash)));
        let all: Vec<u64> = inside.iter().copied().collect();
        assert_eq!(Membership::contains_hashes(&filter, &all), vec![true; all.len()]);
        let rate = Membership::fpr(&filter);
        assert!(rate.value() > 0.0 && rate.value() <= 1.0, "{rate}");
    }
    filter.clear();
    assert!(filter.is_empty() && inside.iter().all(|&hash| !Membership::contains_hash(&filter, hash)));
    assert_eq!(Membership::fpr(&filter).value(), 0.0);
}
