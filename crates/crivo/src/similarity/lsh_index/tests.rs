use super::*;
use crate::rng::Rng;
use crate::{ErrorKind, MinHash, OnePermutation};
use alloc::collections::BTreeSet;

/// Lopes 2017, table 5: four bands of two rows.
const TABLE: [[u32; 8]; 5] = [
    [6, 1, 8, 0, 2, 0, 5, 4],
    [1, 3, 3, 9, 0, 0, 1, 4],
    [7, 7, 8, 4, 6, 3, 1, 9],
    [6, 1, 5, 1, 2, 1, 5, 4],
    [2, 3, 3, 9, 0, 0, 1, 4],
];

fn index(bands: u32, rows: u32) -> LshIndex {
    let params = LshParams::exact(bands, rows).unwrap();
    let slots = params.slots() as usize;
    LshIndex::with_scheme(params, Scheme::Functions, slots, HashSpec::default()).unwrap()
}

fn pairs(index: &LshIndex) -> Vec<(u64, u64)> {
    let mut pairs = Vec::new();
    index.pairs(|one, other| pairs.push((one, other)));
    pairs.sort_unstable();
    pairs
}

#[test]
fn textbook_candidates() {
    let mut index = index(4, 2);
    for (slots, id) in TABLE.iter().zip(1..) {
        index.insert_slots(id, slots).unwrap();
    }
    assert_eq!(pairs(&index), [(1, 4), (2, 5)]);
    assert_eq!(index.candidates_of_slots(&TABLE[0]).unwrap(), [1, 4]);
    let by_band = |band: usize| {
        let alike = |one: usize, other: usize| TABLE[one][2 * band..][..2] == TABLE[other][2 * band..][..2];
        (alike(0, 3), alike(1, 4))
    };
    assert_eq!([0, 1, 2, 3].map(by_band), [(true, false), (false, true), (false, true), (true, true)]);
}

/// Documents of few distinct slots, so that bands are often shared, by many or by few.
fn random_slots(rng: &mut Rng, slots: usize) -> Vec<u32> {
    let values = 2 + rng.below(5);
    (0..slots).map(|_| rng.below(values) as u32).collect()
}

#[test]
fn candidates_and_pairs_are_those_of_all_comparisons() {
    let mut rng = Rng::new(1);
    for (bands, rows) in [(1, 1), (3, 4), (4, 3), (2, 6), (7, 2)] {
        let mut index = index(bands, rows);
        let slots = index.signature_slots();
        let mut twin: Vec<(u64, Vec<u32>)> = Vec::new();
        let shares = |one: &[u32], other: &[u32]| {
            one.chunks(rows as usize).zip(other.chunks(rows as usize)).any(|(one, other)| one == other)
        };
        for step in 0..150 {
            if step % 4 == 3 {
                let (id, _) = twin.swap_remove(rng.below(twin.len() as u64) as usize);
                index.remove(id).unwrap();
                assert_eq!(index.remove(id).unwrap_err().kind(), ErrorKind::InvalidArgument);
            } else {
                let (id, slots) = (rng.next_u64() >> rng.below(64), random_slots(&mut rng, slots));
                let is_new = twin.iter().all(|(other, _)| *other != id);
                assert_eq!(index.insert_slots(id, &slots).is_ok(), is_new);
                if is_new {
                    twin.push((id, slots));
                }
            }
        }
        let asked = random_slots(&mut rng, slots);
        let mut expected: Vec<u64> =
            twin.iter().filter(|(_, slots)| shares(slots, &asked)).map(|&(id, _)| id).collect();
        expected.sort_unstable();
        assert_eq!(index.candidates_of_slots(&asked).unwrap(), expected);
        let mut expected = BTreeSet::new();
        for (id, slots) in &twin {
            assert_eq!(index.slots(*id), Some(&slots[..]));
            for (other, theirs) in twin.iter().filter(|(other, theirs)| other > id && shares(slots, theirs)) {
                assert_ne!(slots.as_ptr(), theirs.as_ptr());
                expected.insert((*id, *other));
            }
        }
        assert!(pairs(&index).into_iter().eq(expected.clone()));
        let found = index.similar_slots(&asked, 0.5).unwrap();
        assert!(found.windows(2).all(|pair| pair[0].1.value() >= pair[1].1.value()));
        for (id, similarity) in found {
            assert!(similarity.value() >= 0.5, "{similarity}");
            assert_eq!(similarity, Scheme::Functions.similarity(&asked, index.slots(id).unwrap()));
        }
        let mut verified = 0;
        let likeness =
            |one, other| Scheme::Functions.similarity(index.slots(one).unwrap(), index.slots(other).unwrap());
        index
            .verified_pairs(0.5, |one, other, similarity| {
                assert!(expected.contains(&(one, other)) && similarity == likeness(one, other));
                verified += 1;
            })
            .unwrap();
        let alike = expected.iter().filter(|&&(one, other)| likeness(one, other).value() >= 0.5).count();
        assert_eq!(verified, alike);
    }
}

#[test]
fn incompatible_signatures_are_refused() {
    let params = LshParams::exact(4, 4).unwrap();
    let like = OnePermutation::for_slots(16).unwrap();
    let mut index = LshIndex::with_params(params, &like).unwrap();
    index.insert(7, &like).unwrap();
    let refused = |result: Result<Vec<u64>>, field: &str| {
        let error = result.unwrap_err();
        assert!(error.kind() == ErrorKind::Incompatible && format!("{error}").contains(field), "{error}");
    };
    refused(index.candidates(&MinHash::for_slots(16).unwrap()), "scheme");
    refused(index.candidates(&OnePermutation::for_slots(17).unwrap()), "slots");
    refused(index.candidates(&OnePermutation::for_slots(16).unwrap().with_hash(HashSpec::seeded(1))), "hash");
    assert_eq!(index.insert(7, &like).unwrap_err().kind(), ErrorKind::InvalidArgument);
    assert_eq!(
        index.insert(8, &MinHash::for_slots(16).unwrap()).unwrap_err().kind(),
        ErrorKind::Incompatible
    );
    assert_eq!(index.insert_slots(8, &[0; 15]).unwrap_err().kind(), ErrorKind::Incompatible);
    for bad in [0.0, -1.0, 1.01, f64::NAN] {
        assert_eq!(index.similar(&like, bad).unwrap_err().kind(), ErrorKind::InvalidArgument);
        assert_eq!(index.verified_pairs(bad, |_, _, _| ()).unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
    assert_eq!(index.ids().collect::<Vec<_>>(), [7]);
    assert!(LshIndex::with_params(params, &OnePermutation::for_slots(15).unwrap()).is_err());
}

#[test]
fn incompatible_indexes_do_not_merge() {
    let make = |bands, rows, scheme, slots, spec| {
        LshIndex::with_scheme(LshParams::exact(bands, rows).unwrap(), scheme, slots, spec).unwrap()
    };
    let (spec, scheme) = (HashSpec::default(), Scheme::Functions);
    let mut index = make(4, 4, scheme, 16, spec);
    index.insert_slots(1, &[5; 16]).unwrap();
    let before = index.clone();
    for (other, field) in [
        (make(2, 4, scheme, 16, spec), "bands"),
        (make(4, 2, scheme, 16, spec), "rows"),
        (make(4, 4, Scheme::Bins, 16, spec), "scheme"),
        (make(4, 4, scheme, 17, spec), "slots"),
        (make(4, 4, scheme, 16, HashSpec::seeded(1)), "hash"),
    ] {
        let error = index.merge(&other).unwrap_err();
        assert!(error.kind() == ErrorKind::Incompatible && format!("{error}").contains(field), "{error}");
    }
    let mut other = make(4, 4, scheme, 16, spec);
    other.insert_slots(0, &[1; 16]).unwrap();
    other.insert_slots(1, &[6; 16]).unwrap();
    let error = index.merge(&other).unwrap_err();
    assert!(error.kind() == ErrorKind::Incompatible && format!("{error}").contains("id 1"), "{error}");
    assert_eq!(index, before);
}

#[test]
fn empty_sets_are_similar_only_to_each_other() {
    let mut some = OnePermutation::for_slots(64).unwrap();
    let empty = some.clone();
    some.insert("x");
    let mut index = LshIndex::with_params(LshParams::exact(32, 2).unwrap(), &empty).unwrap();
    index.insert(1, &empty).unwrap();
    index.insert(2, &some).unwrap();
    index.insert(3, &empty).unwrap();
    let ids =
        |signature| index.similar(signature, 0.5).unwrap().iter().map(|found| found.0).collect::<Vec<_>>();
    assert_eq!((ids(&empty), ids(&some)), (vec![1, 3], vec![2]));
    assert_eq!(pairs(&index), [(1, 3)]);
}
