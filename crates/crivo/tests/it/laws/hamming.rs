//! An index of fingerprints answers like a linear scan, after any operations.

use crate::structures::{OPTIONS, Subject, distinct};
use crivo::rng::Rng;
use crivo::{HammingIndex, HashSpec};

/// Removals, round trips and merges lose nothing and leave nothing behind: answers and pairs are those of an exact
/// list.
pub(super) fn removal_and_reload_lose_nothing(make: impl Fn(HashSpec) -> HammingIndex) {
    let mut rng = Rng::new(80);
    let mut index = make(HashSpec::default());
    let most = index.params().distance();
    for round in 0..40 {
        index = match round % 4 {
            0 => index.clone().merged_with(&make(HashSpec::default()).having_seen(&distinct(&mut rng, 30))),
            1 => HammingIndex::from_bytes_with(&index.to_bytes(), &OPTIONS).unwrap(),
            _ => index.having_seen(&distinct(&mut rng, 20)),
        };
        for _ in 0..12 {
            index.peculiar(&mut rng);
        }
        let documents: Vec<(u64, u64)> = index.iter().collect();
        assert_eq!(documents.len(), index.len());
        let near = |fingerprint: u64| {
            let distances = documents.iter().map(|&(id, other)| ((fingerprint ^ other).count_ones(), id));
            let mut near: Vec<(u32, u64)> = distances.filter(|&(distance, _)| distance <= most).collect();
            near.sort_unstable();
            near.into_iter().map(|(distance, id)| (id, distance)).collect::<Vec<_>>()
        };
        let mut pairs = 0;
        for &(id, fingerprint) in &documents {
            let found = index.similar(fingerprint);
            assert_eq!(found, near(fingerprint), "{index:?}");
            pairs += found.iter().filter(|&&(other, _)| other < id).count();
        }
        assert_eq!(index.pairs().count(), pairs, "{index:?}");
        let anywhere = rng.next_u64();
        assert_eq!(index.similar(anywhere), near(anywhere));
    }
}
