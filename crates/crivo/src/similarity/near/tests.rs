use super::*;
use crate::rng::Rng;
use std::collections::{BTreeMap, BTreeSet};
use std::string::{String, ToString};
use std::vec;

/// Families of sets in random order: each has some copies, some of which lack or add a few items.
fn collection(rng: &mut Rng, families: u64) -> Vec<Vec<u64>> {
    let mut sets = Vec::new();
    for _ in 0..families {
        let size = [0, 1, 3, 20, 100, 300][rng.below(6) as usize];
        let base: Vec<u64> = (0..size).map(|_| rng.next_u64()).collect();
        for _ in 0..rng.below(5) {
            let mut set = base.clone();
            let edits = rng.below(1 + size / 4);
            for _ in 0..edits {
                let place = rng.below(size) as usize;
                set[place] = if rng.below(2) == 0 { rng.next_u64() } else { set[0] };
            }
            sets.push(set);
        }
    }
    for place in (1..sets.len()).rev() {
        sets.swap(place, rng.below(place as u64 + 1) as usize);
    }
    sets
}

fn searched(params: NearParams, sets: &[Vec<u64>]) -> NearDuplicates {
    let mut search = NearDuplicates::keeping_sets(params);
    for (index, set) in (0..).zip(sets) {
        assert_eq!(search.insert(&params.sign(set)).unwrap(), index);
    }
    search
}

/// All pairs, by comparing each with each.
fn truth(threshold: f64, sets: &[Vec<u64>]) -> BTreeMap<(u32, u32), f64> {
    let sets: Vec<BTreeSet<u64>> = sets.iter().map(|set| set.iter().copied().collect()).collect();
    let mut pairs = BTreeMap::new();
    for (first, one) in (0..).zip(&sets) {
        for (second, other) in (0..).zip(&sets).skip(first as usize + 1) {
            let common = one.intersection(other).count();
            let all = one.len() + other.len() - common;
            let similarity = if all == 0 { 1.0 } else { common as f64 / all as f64 };
            if similarity >= threshold {
                pairs.insert((first, second), similarity);
            }
        }
    }
    pairs
}

fn found(search: &NearDuplicates, verify: Verify<'_>) -> (BTreeMap<(u32, u32), f64>, Summary) {
    let mut pairs = BTreeMap::new();
    let visit = |pair: Pair| {
        let again = pairs.insert((pair.first, pair.second), pair.similarity);
        assert_eq!(again, None, "{pair:?} came twice");
    };
    let summary = search.pairs(verify, visit).unwrap();
    (pairs, summary)
}

/// Each document that is similar to none of the kept ones before it is kept; each other goes to the first that it is
/// similar to.
fn stars(documents: u32, pairs: &BTreeMap<(u32, u32), f64>) -> Vec<Vec<u32>> {
    let mut kept: Vec<Vec<u32>> = Vec::new();
    for document in 0..documents {
        match kept.iter_mut().find(|group| pairs.contains_key(&(group[0], document))) {
            Some(group) => group.push(document),
            None => kept.push(vec![document]),
        }
    }
    kept.retain(|group| group.len() > 1);
    kept
}

/// The connected components of two or more documents, by the simplest algorithm.
fn components(documents: u32, pairs: &BTreeMap<(u32, u32), f64>) -> Vec<Vec<u32>> {
    let mut of: Vec<u32> = (0..documents).collect();
    for &(one, other) in pairs.keys() {
        let (from, to) = (of[one as usize], of[other as usize]);
        of.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
    }
    let mut groups: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    (0..documents).for_each(|document| groups.entry(of[document as usize]).or_default().push(document));
    let mut groups: Vec<Vec<u32>> = groups.into_values().filter(|group| group.len() > 1).collect();
    groups.sort();
    groups
}

#[test]
fn reported_pairs_are_correct_and_few_are_missed() {
    let mut rng = Rng::new(1);
    let (mut all, mut missed) = (0, 0);
    for round in 0..60 {
        let sets = collection(&mut rng, 60);
        let threshold = [0.3, 0.5, 0.8, 0.95, 1.0][round % 5];
        let search = searched(NearParams::for_threshold(threshold).unwrap(), &sets);
        let (pairs, summary) = found(&search, Verify::Kept);
        let truth = truth(threshold, &sets);
        for (pair, similarity) in &pairs {
            assert_eq!(truth.get(pair), Some(similarity), "{round}: {pair:?}");
        }
        all += truth.len();
        missed += truth.len() - pairs.len();
        let equal = truth.iter().filter(|(_, similarity)| **similarity == 1.0);
        assert!(
            equal.clone().all(|(pair, _)| pairs.contains_key(pair)),
            "{round}: equal sets are always found"
        );
        assert_eq!(summary.documents, sets.len() as u64);
        let different: BTreeSet<BTreeSet<u64>> =
            sets.iter().map(|set| set.iter().copied().collect()).collect();
        assert_eq!(summary.different, different.len() as u64, "{round}");

        let members = |groups: &[Group]| groups.iter().map(|group| group.members.clone()).collect::<Vec<_>>();
        let (groups, _) = search.groups(Verify::Kept, Keep::First).unwrap();
        assert_eq!(members(&groups), stars(sets.len() as u32, &pairs), "{round}");
        assert!(groups.iter().all(|group| group.keep == group.members[0]));
        let (groups, economical) = search.components(Verify::Kept, Keep::First).unwrap();
        assert_eq!(members(&groups), components(sets.len() as u32, &pairs), "{round}");
        assert!(groups.iter().all(|group| group.keep == group.members[0]));
        assert!(economical.candidates <= summary.candidates, "{round}");

        let (estimated, _) = found(&search, Verify::Signature);
        assert!(pairs.keys().all(|pair| estimated.contains_key(pair)), "{round}");
        let (groups, _) = search.components(Verify::Signature, Keep::First).unwrap();
        assert_eq!(members(&groups), components(sets.len() as u32, &estimated), "{round}");
        let (groups, _) = search.groups(Verify::Signature, Keep::First).unwrap();
        assert_eq!(members(&groups), stars(sets.len() as u32, &estimated), "{round}");
    }
    // At the threshold 0.5 % may be missed, and most pairs are above it.
    assert!(all > 3_000 && missed * 200 < all, "{missed} of {all} missed");
}

#[test]
fn sets_that_are_asked_for_give_the_same_answer_as_kept_ones() {
    let mut rng = Rng::new(2);
    for round in 0..20 {
        let sets = collection(&mut rng, 40);
        let params = NearParams::for_threshold(0.5).unwrap();
        let kept = searched(params, &sets);
        let mut search = NearDuplicates::with_params(params);
        for set in &sets {
            search.insert(&search.sign(set)).unwrap();
        }
        let mut again = |index: u32, hashes: &mut Vec<u64>| hashes.extend_from_slice(&sets[index as usize]);
        assert_eq!(found(&search, Verify::Asked(&mut again)), found(&kept, Verify::Kept), "{round}");
        let mut asked = BTreeSet::new();
        let mut listed = |index: u32, hashes: &mut Vec<u64>| {
            asked.insert(index);
            hashes.extend_from_slice(&sets[index as usize]);
        };
        search.pairs(Verify::Asked(&mut listed), |_| {}).unwrap();
        assert_eq!(search.candidates(), asked.into_iter().collect::<Vec<u32>>(), "{round}");
        let groups = search.groups(Verify::Asked(&mut again), Keep::Longest).unwrap();
        assert_eq!(groups, kept.groups(Verify::Kept, Keep::Longest).unwrap(), "{round}");
        let error = search.pairs(Verify::Kept, |_| ()).unwrap_err();
        assert!(error.to_string().contains("keeping_sets"), "{error}");
    }
}

#[test]
fn signatures_estimate_the_similarity_of_sets() {
    let mut rng = Rng::new(3);
    let params = NearParams::for_threshold(0.6).unwrap();
    let base: Vec<u64> = (0..1000).map(|_| rng.next_u64()).collect();
    let (first, second) = (base[..900].to_vec(), base[100..].to_vec());
    let (pairs, _) = found(&searched(params, &[first.clone(), second, first]), Verify::Signature);
    // Four standard errors about 0.8.
    let reach = 4.0 * libm::sqrt(0.16 / f64::from(params.slots()));
    assert!((pairs[&(0, 1)] - 0.8).abs() < reach && pairs[&(0, 1)] == pairs[&(1, 2)], "{pairs:?}");
    assert_eq!(pairs[&(0, 2)], 1.0);
}

#[test]
fn many_equal_documents_are_one() {
    let params = NearParams::for_threshold(0.8).unwrap();
    let mut search = NearDuplicates::keeping_sets(params);
    for round in 0..10_000u64 {
        // Repetitions, another order, and sometimes one more shingle.
        let mut hashes = vec![3, 1, 2, 5, 4, 6, 7, 8, 9, 10];
        hashes.rotate_left(round as usize % 10);
        hashes.extend(0..round % 3);
        hashes.retain(|&hash| hash != 0 || round % 1000 == 2);
        for hash in &mut hashes {
            *hash = HashSpec::default().hash(hash);
        }
        search.insert(&params.sign(&hashes)).unwrap();
    }
    assert!(search.memory_bytes() < 200_000, "{} bytes", search.memory_bytes());
    let (groups, summary) = search.groups(Verify::Kept, Keep::Longest).unwrap();
    assert_eq!((summary.different, summary.candidates, summary.verified), (2, 1, 1));
    assert_eq!(groups.len(), 1);
    assert_eq!(groups[0].members.len(), 10_000);
    assert_eq!(groups[0].keep, 2, "ten, and two more");
}

#[test]
fn no_documents_and_empty_ones() {
    let params = NearParams::for_threshold(0.8).unwrap();
    let mut search = NearDuplicates::keeping_sets(params);
    assert!(search.is_empty());
    assert_eq!(search.groups(Verify::Kept, Keep::First).unwrap(), (vec![], Summary::default()));
    for set in [&[][..], &[1], &[], &[2, 3]] {
        search.insert(&params.sign(set)).unwrap();
    }
    assert_eq!(found(&search, Verify::Kept).0, BTreeMap::from([((0, 2), 1.0)]));
    let other = NearParams::for_threshold(0.5).unwrap().sign(&[1]);
    assert_eq!(search.insert(&other).unwrap_err().kind(), crate::ErrorKind::Incompatible);
    assert_eq!(search.len(), 4);
}

#[test]
fn rows_in_any_order_become_sets() {
    let mut rng = Rng::new(4);
    for round in 0..300 {
        let mut rows = GroupedRows::new();
        let mut expected: Vec<(u64, Vec<u64>)> = Vec::new();
        let groups = 1 + rng.below(30);
        let mut group = 0;
        for _ in 0..rng.below(400) {
            if rng.below(3) != 0 {
                group = rng.below(groups);
            }
            let item = rng.below(50);
            let number = rows.insert(group, item).unwrap();
            match expected.iter_mut().find(|(name, _)| *name == group) {
                Some((_, items)) => items.push(item),
                None => expected.push((group, vec![item])),
            }
            assert_eq!(expected[number as usize].0, group, "{round}");
        }
        assert_eq!((rows.len(), rows.is_empty()), (expected.len(), expected.is_empty()));
        let mut sets = Vec::new();
        rows.for_each(|group, items| {
            assert_eq!(group as usize, sets.len());
            sets.push(items.to_vec());
        });
        assert_eq!(sets, expected.into_iter().map(|(_, items)| items).collect::<Vec<_>>(), "{round}");
    }
}

#[test]
fn equal_film_sets_whatever_the_order_and_the_repeats() {
    let spec = HashSpec::default();
    let films: [(&str, &[u32]); 5] =
        [("ann", &[1, 2, 3]), ("bob", &[3, 2]), ("cy", &[3, 1, 2, 1]), ("dot", &[2, 3, 3]), ("eve", &[1, 2])];
    let mut rows = GroupedRows::default();
    for turn in 0..4 {
        for (user, films) in films {
            if let Some(film) = films.get(turn) {
                rows.insert(spec.hash(user), spec.hash(film)).unwrap();
            }
        }
    }
    let params = NearParams::for_threshold(1.0).unwrap();
    assert_eq!(params.slots(), 0);
    let mut search = NearDuplicates::with_params(params);
    rows.for_each(|_, items| _ = search.insert(&params.sign(items)).unwrap());
    let (groups, _) = search.groups(Verify::Signature, Keep::Longest).unwrap();
    assert_eq!(groups, [Group { members: vec![0, 2], keep: 2 }, Group { members: vec![1, 3], keep: 3 }]);
}

#[test]
fn a_report_is_in_order() {
    let mut rng = Rng::new(5);
    let words: Vec<String> = (0..500).map(|_| rng.below(1 << 40).to_string()).collect();
    let texts: Vec<String> =
        (0..200).map(|text: usize| words[text % 40 * 10..][..100 + text % 3].join(" ")).collect();
    let params = NearParams::for_threshold(0.7).unwrap();
    let report = near_duplicates(&texts, &Shingles::words(3).unwrap(), params).unwrap();
    assert!(report.pairs.is_sorted_by_key(|pair| (pair.first, pair.second)) && report.pairs.len() > 200);
    assert!(report.groups.is_sorted_by_key(|group| group.members[0]));
    // In the report the first of equal texts stands for all; here all pairs count.
    let mut search = NearDuplicates::keeping_sets(params);
    for text in &texts {
        let hashes = Shingles::words(3).unwrap().hashes(text, &HashSpec::default());
        search.insert(&search.sign(&hashes)).unwrap();
    }
    let members: Vec<Vec<u32>> = report.groups.iter().map(|group| group.members.clone()).collect();
    assert_eq!(members, stars(200, &found(&search, Verify::Kept).0));
    assert_eq!(report.groups, search.groups(Verify::Kept, Keep::First).unwrap().0);
}

#[test]
fn a_report_of_equal_texts_is_short() {
    let texts = (0..100_000).map(|text| match text % 4 {
        0 => "",
        1 => "one text of a few words",
        2 => "one text of a few words!",
        _ => "one text of a few words more",
    });
    let report =
        near_duplicates(texts, &Shingles::words(1).unwrap(), NearParams::for_threshold(0.8).unwrap())
            .unwrap();
    let between: Vec<&Pair> = report.pairs.iter().filter(|pair| pair.similarity < 1.0).collect();
    assert_eq!(between, [&Pair { first: 1, second: 3, similarity: 6.0 / 7.0 }]);
    assert_eq!(report.pairs.len(), 1 + 49_999 + 24_999);
    assert!(report.pairs.is_sorted_by_key(|pair| (pair.first, pair.second)));
    assert_eq!(report.groups.len(), 1);
    assert_eq!(report.groups[0].members.len(), 75_000, "texts without words are left alone");
}

#[test]
fn sets_that_were_forgotten_are_asked_for() {
    let params = NearParams::for_threshold(0.8).unwrap();
    let sets = collection(&mut Rng::new(12), 60);
    let half = sets.len() / 2;
    let kept = searched(params, &sets);
    let mut search = searched(params, &sets[..half]);
    let with_sets = search.memory_bytes();
    search.forget_sets();
    assert!(kept.keeps_sets() && !search.keeps_sets() && search.memory_bytes() < with_sets);
    for set in &sets[half..] {
        search.insert(&params.sign(set)).unwrap();
    }
    assert!(search.pairs(Verify::Kept, |_| {}).is_err());
    let mut ask = |index: u32, hashes: &mut Vec<u64>| hashes.extend_from_slice(&sets[index as usize]);
    assert_eq!(found(&search, Verify::Asked(&mut ask)), found(&kept, Verify::Kept));
}

/// Each document is similar to its neighbours only, so the ends of the chain have nothing in common.
#[test]
fn what_is_dropped_has_a_kept_document_within_the_threshold() {
    let spec = HashSpec::default();
    let params = NearParams::for_threshold(0.6).unwrap();
    let mut search = NearDuplicates::keeping_sets(params);
    let sets: Vec<Vec<u64>> = (0..60u64)
        .map(|start| (8 * start..8 * start + 40).map(|item| spec.hash(&item)).collect())
        .chain([(0..43).map(|item: u64| spec.hash(&item)).collect()])
        .collect();
    for set in &sets {
        search.insert(&search.sign(set)).unwrap();
    }
    let alike = |one: u32, other: u32| {
        ExactSet::new(&sets[one as usize]).similarity(&ExactSet::new(&sets[other as usize])) >= 0.6
    };
    let chained = search.components(Verify::Kept, Keep::First).unwrap().0;
    assert_eq!((chained.len(), chained[0].members.len(), chained[0].keep), (1, 61, 0));
    for (keep, first) in [(Keep::First, 0), (Keep::Longest, 60)] {
        let (groups, _) = search.groups(Verify::Kept, keep).unwrap();
        assert_eq!(groups[0].keep, first);
        let mut dropped = vec![false; sets.len()];
        for group in &groups {
            for &member in group.members.iter().filter(|&&member| member != group.keep) {
                assert!(alike(group.keep, member), "{keep:?}: {group:?}");
                dropped[member as usize] = true;
            }
        }
        let kept: Vec<u32> = (0..61).filter(|&document| !dropped[document as usize]).collect();
        assert!(kept.len() >= 20 && kept.len() < 45, "{kept:?}");
        for &one in &kept {
            assert!(
                kept.iter().all(|&other| one == other || !alike(one, other)),
                "{keep:?}: {one} of {kept:?}"
            );
        }
    }
}

/// A search by keys alone finds the same pairs as the search in memory.
#[test]
fn documents_with_a_key_in_common_are_the_candidates() {
    let params = NearParams::for_threshold(0.8).unwrap();
    let sets = collection(&mut Rng::new(13), 60);
    let exact: Vec<_> = sets.iter().map(|set| ExactSet::new(set)).collect();
    let signed: Vec<_> = sets.iter().map(|set| params.sign(set)).collect();
    let keys: Vec<Vec<u64>> = signed.iter().map(|document| params.band_keys(document).collect()).collect();
    assert!(keys.iter().all(|keys| keys.len() == params.bands() as usize));
    let mut by_keys = Vec::new();
    for other in 0..sets.len() {
        for one in 0..other {
            let similarity = exact[one].similarity(&exact[other]);
            if keys[one].iter().any(|key| keys[other].contains(key)) && similarity >= 0.8 {
                by_keys.push((one as u32, other as u32));
            }
            let is_same = exact[one] == exact[other];
            assert_eq!(signed[one].fingerprint() == signed[other].fingerprint(), is_same);
        }
    }
    let in_memory = found(&searched(params, &sets), Verify::Kept).0;
    assert!(!in_memory.is_empty() && in_memory.keys().all(|pair| by_keys.contains(pair)));
}
