use super::*;
use crate::ErrorKind;
use crate::rng::Rng;
use alloc::collections::BTreeMap;

/// Fingerprints close to each other, so that every distance occurs: a few patterns with some bits flipped.
fn random_fingerprint(rng: &mut Rng) -> u64 {
    let pattern = [0, u64::MAX, 0x0123_4567_89ab_cdef][rng.below(3) as usize];
    let turned = rng.below(20);
    (0..turned).fold(pattern, |fingerprint, _| fingerprint ^ 1 << rng.below(64))
}

/// The near documents, found by a linear scan.
fn near(documents: &BTreeMap<u64, u64>, fingerprint: u64, most: u32) -> Vec<(u64, u32)> {
    let mut near: Vec<(u64, u32)> = documents
        .iter()
        .map(|(&id, &other)| (id, (fingerprint ^ other).count_ones()))
        .filter(|&(_, distance)| distance <= most)
        .collect();
    near.sort_unstable_by_key(|&(id, distance)| (distance, id));
    near
}

fn assert_same(index: &HammingIndex, documents: &BTreeMap<u64, u64>, rng: &mut Rng) {
    let most = index.params().distance();
    assert_eq!(index.len(), documents.len());
    for _ in 0..5 {
        let fingerprint = random_fingerprint(rng);
        let all = near(documents, fingerprint, most);
        assert_eq!(index.similar(fingerprint), all, "{index:?}");
        let mut found = Vec::new();
        index.look_up_blocks(fingerprint, |number, distance| {
            found.push((index.ids.at(number), distance));
        });
        found.sort_unstable_by_key(|&(id, distance)| (distance, id));
        assert!(found == all || index.params().blocks() == 0, "{index:?}: {found:?}");
    }
    let mut pairs: Vec<(u64, u64, u32)> = index.pairs().collect();
    pairs.sort_unstable();
    let mut all: Vec<(u64, u64, u32)> = documents
        .iter()
        .flat_map(|(&id, &fingerprint)| {
            let larger = documents.range(id..).skip(1);
            larger.map(move |(&other, found)| (id, other, (fingerprint ^ found).count_ones()))
        })
        .filter(|&(_, _, distance)| distance <= most)
        .collect();
    all.sort_unstable();
    assert_eq!(pairs, all, "{index:?}");
}

/// At every distance, after insertions, removals, merges and round trips through bytes, no document is missed and none
/// is wrong.
#[test]
fn exact_at_every_distance() {
    let mut rng = Rng::new(6);
    for distance in 0..=20 {
        for blocks in 0..=MAX_BLOCKS.min(distance + 1) {
            let params = HammingParams::exact(distance, blocks).unwrap();
            if params.look_ups() > 5000 {
                continue;
            }
            let mut index = HammingIndex::with_params(params);
            let mut documents = BTreeMap::new();
            for step in 0..120 {
                let (id, fingerprint) = (rng.below(80), random_fingerprint(&mut rng));
                if let Some(known) = documents.remove(&id) {
                    assert_eq!(index.fingerprint(id), Some(known));
                    let error = index.insert(id, fingerprint).unwrap_err();
                    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
                    assert_eq!(index.remove(id), Ok(known));
                } else {
                    assert_eq!(index.remove(id).unwrap_err().kind(), ErrorKind::InvalidArgument);
                    index.insert(id, fingerprint).unwrap();
                    documents.insert(id, fingerprint);
                }
                if step % 40 == 39 {
                    assert_same(&index, &documents, &mut rng);
                    index = HammingIndex::from_bytes(&index.to_bytes()).unwrap();
                    assert_same(&index, &documents, &mut rng);
                }
            }
        }
    }
}

/// Blocks of more than 32 bits whose keys collide are distinguished by the fingerprints.
#[test]
fn colliding_keys_are_distinguished() {
    let mut index = HammingIndex::with_params(HammingParams::exact(0, 1).unwrap());
    let mut keys = BTreeMap::new();
    let collide = (0u64..).find_map(|fingerprint| {
        keys.insert(block_key(fingerprint), fingerprint).map(|earlier| (earlier, fingerprint))
    });
    let (one, other) = collide.unwrap();
    index.insert(1, one).unwrap();
    index.insert(2, other).unwrap();
    assert_eq!((index.similar(one), index.similar(other)), (vec![(1, 0)], vec![(2, 0)]));
    assert_eq!(index.pairs().count(), 0);
}

#[test]
fn incompatible_indexes_do_not_merge() {
    let index_of = |distance, blocks, fingerprint| {
        let mut index = HammingIndex::with_params(HammingParams::exact(distance, blocks).unwrap());
        index.insert(7, fingerprint).unwrap();
        index.insert(fingerprint, fingerprint).unwrap();
        index
    };
    let mut index = index_of(3, 2, 5);
    let before = index.clone();
    let others = [
        (index_of(4, 2, 5), "distance: 3 and 4"),
        (index_of(3, 4, 5), "blocks: 2 and 4"),
        (index_of(3, 2, 9), "document 7"),
    ];
    for (other, field) in others {
        let error = index.merge(&other).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Incompatible);
        assert!(format!("{error}").contains(field), "{error}");
        assert_eq!(index, before);
        assert_ne!(index, other);
    }
}

/// An absurd number of look-ups is never started.
#[test]
fn absurd_params_are_harmless() {
    let mut index = HammingIndex::with_params(HammingParams::exact(64, 1).unwrap());
    assert_eq!(index.params().look_ups(), u64::MAX);
    index.insert(1, 5).unwrap();
    assert_eq!(index.similar(!5), [(1, 64)]);
    assert_eq!(index.pairs().count(), 0);
}

/// The portable version, which is compiled for every processor.
#[test]
fn differences_are_the_same_with_and_without_avx2() {
    let mut rng = Rng::new(7);
    for _ in 0..100 {
        let word = rng.next_u64();
        let others: Vec<u64> = (0..70).map(|i| rng.next_u64() >> (i % 64)).collect();
        let mut counts = [0; 70];
        count_differences(&mut counts, word, &others);
        assert!(
            others.iter().zip(counts).all(|(other, count)| (word ^ other).count_ones() == u32::from(count))
        );
    }
}
