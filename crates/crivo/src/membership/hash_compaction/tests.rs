use super::*;
use crate::rng::Rng;

fn empty() -> HashCompaction {
    HashCompaction::with_params(HashCompactionParams::exact(5000, 40).unwrap())
}

/// Unchosen hashes, hashes that crowd around a few cells, and hashes that ascend or descend through one
/// crowd.
fn streams() -> [Vec<u64>; 4] {
    let mut rng = Rng::new(3);
    let scattered = (0..20_000).map(|_| rng.next_u64()).collect();
    let crowded = (0..20_000).map(|_| rng.below(3) << 62 | rng.below(1 << 45)).collect();
    let ascending = (0..20_000).map(|i| i << 24 | 7).collect();
    let descending = (0..20_000).rev().map(|i| i << 24).collect();
    [scattered, crowded, ascending, descending]
}

#[test]
fn crowds_are_kept_as_a_sorted_set_keeps_them() {
    for stream in streams() {
        let (mut set, mut sorted) = (empty(), BTreeSet::new());
        for (i, &hash) in stream.iter().enumerate() {
            let fingerprint = set.params.fingerprint(hash);
            assert_eq!(set.contains_hash(hash), sorted.contains(&fingerprint));
            assert_eq!(set.insert_hash(hash), sorted.insert(fingerprint));
            assert!(!set.insert_hash(stream[i / 2]));
            assert!(set.contains_hash(stream[i / 3]));
            if i % 1000 == 0 {
                assert!(set.fingerprints().eq(sorted.iter().copied()));
                let copy = HashCompaction::from_bytes(&set.to_bytes()).unwrap();
                assert!(copy == set && copy.waiting.is_empty());
                assert!(stream[..=i].iter().all(|&hash| copy.contains_hash(hash)));
            }
        }
        assert_eq!(set.len(), sorted.len() as u64);
    }
}

/// Insertion is never quadratic: waiting fingerprints are a share of all, and the others move few cells.
#[test]
fn few_wait() {
    let [scattered, crowded, ascending, descending] = streams().map(|stream| {
        let mut set = empty();
        let most = stream.iter().map(|&hash| {
            set.insert_hash(hash);
            assert!(set.waiting.len() as u64 <= SHORT_REACH + set.len() / SHARE_WAITING);
            set.waiting.len()
        });
        most.max().unwrap()
    });
    assert_eq!(scattered, 0);
    assert!(crowded > 128 && descending > 128, "{crowded} {descending}");
    assert_eq!(ascending, 0);
}
