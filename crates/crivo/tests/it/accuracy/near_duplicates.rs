use super::{FALSE_ALARM, Sample, sigmas};
use crate::allocator::{kept_by, peak_of};
use crivo::HashSpec;
use crivo::rng::Rng;
use crivo::similarity::near_duplicates;
use crivo::similarity::{ExactSet, Keep, LshParams, NearDuplicates, NearParams, Pair, Shingles, Verify};
use crivo::stats::binomial_band;
use std::io::Read;
use std::path::Path;

const TRIALS: u64 = 3000;

/// The probability that a byte of two slots agrees, for sets of this similarity.
fn agreement(similarity: f64) -> f64 {
    similarity + (1.0 - similarity) / 256.0
}

/// The number of seeds under which two sets are found whose union has this many items; by their signatures as by their
/// sets.
fn times_found(params: NearParams, union: u64, common: u64) -> u64 {
    let found = |seed: u64| {
        let spec = HashSpec::seeded(seed << 32 | union);
        // The items that are not common are divided between the two.
        let middle = (union - common) / 2;
        let hashes: Vec<u64> = (0..union).map(|item| spec.hash(&item)).collect();
        let mut search = NearDuplicates::keeping_sets(params);
        search.insert(&params.sign(&hashes[..(middle + common) as usize])).unwrap();
        search.insert(&params.sign(&hashes[middle as usize..])).unwrap();
        let mut pairs = 0;
        search.pairs(Verify::Kept, |_| pairs += 1).unwrap();
        let summary = search.pairs(Verify::Signature, |_| {}).unwrap();
        assert_eq!(summary.verified, pairs, "seed {seed}, {common} of {union}");
        pairs
    };
    (0..TRIALS).map(found).sum()
}

/// As many as the bounds of the probability allow, within the noise of the trials.
fn assert_found(found: u64, least: f64, most: f64, context: &str) {
    let low = binomial_band(TRIALS, least, FALSE_ALARM).0;
    let high = binomial_band(TRIALS, most.min(1.0), FALSE_ALARM).1;
    assert!(
        (low..=high).contains(&(found as f64)),
        "{context}: {found} of {TRIALS}, expected {low} to {high}"
    );
}

/// Small and large sets: their slots are equally independent.
#[test]
fn pairs_at_the_threshold_are_found_as_often_as_stated() {
    for (threshold, union, common) in [
        (0.5, 2, 1),
        (0.5, 10, 5),
        (0.5, 500, 250),
        (0.8, 5, 4),
        (0.8, 20, 16),
        (0.8, 500, 400),
        (0.95, 20, 19),
        (0.95, 500, 475),
    ] {
        for recall in [0.9, 0.995] {
            let params = NearParams::for_recall(threshold, recall).unwrap();
            let bands = LshParams::exact(params.bands(), params.rows()).unwrap();
            let (least, most) = (params.recall(threshold), bands.probability(agreement(threshold)).unwrap());
            assert!(least >= recall);
            let context = format!("{common} of {union} at the recall {recall}");
            assert_found(times_found(params, union, common), least, most, &context);
        }
    }
}

/// Below and above the threshold, with custom bands. At so low a threshold few slots must agree overall.
#[test]
fn pairs_are_found_as_the_curve_says() {
    for (bands, rows) in [(10, 1), (16, 4), (8, 10)] {
        let bands = LshParams::exact(bands, rows).unwrap();
        let params = NearParams::with_bands(0.01, bands).unwrap();
        assert_eq!(params.least_agreement(), 0);
        for (union, common) in [(10, 1), (10, 5), (100, 30), (100, 60), (100, 80), (100, 97)] {
            let similarity = common as f64 / union as f64;
            let [least, most] = [similarity, agreement(similarity)].map(|s| bands.probability(s).unwrap());
            let context = format!("{bands}, {common} of {union}");
            assert_found(times_found(params, union, common), least, most, &context);
        }
    }
}

/// The number of pairs of a collection that are found under each seed: on average as many as the curve says, pair by
/// pair. Pairs of one collection share documents, so the spread is that of the sample.
fn assert_counts_follow_the_curve(sets: &[Vec<u64>], seeds: u64, context: &str) {
    let threshold = 0.3;
    let exact: Vec<ExactSet> = sets.iter().map(|set| ExactSet::new(set)).collect();
    let mut similarities = Vec::new();
    for (place, one) in exact.iter().enumerate() {
        for other in &exact[place + 1..] {
            let (small, large) = (one.len().min(other.len()), one.len().max(other.len()));
            if small as f64 >= threshold * large as f64 {
                similarities.push(one.similarity(other));
            }
        }
    }
    similarities.retain(|&similarity| similarity >= threshold);
    for (bands, rows) in [(20, 6), (8, 4), (6, 12), (40, 4)] {
        let bands = LshParams::exact(bands, rows).unwrap();
        let params = NearParams::with_bands(threshold, bands).unwrap();
        let least: f64 = similarities.iter().map(|&similarity| params.recall(similarity)).sum();
        let most: f64 = similarities
            .iter()
            .map(
                |&similarity| {
                    if similarity == 1.0 { 1.0 } else { bands.probability(agreement(similarity)).unwrap() }
                },
            )
            .sum();
        let mut counts = Sample::default();
        for seed in 0..seeds {
            let spec = HashSpec::seeded(seed);
            let mut search = NearDuplicates::keeping_sets(params);
            for set in sets {
                let hashes: Vec<u64> = set.iter().map(|item| spec.hash(item)).collect();
                search.insert(&params.sign(&hashes)).unwrap();
            }
            let mut found = 0;
            search.pairs(Verify::Kept, |_| found += 1).unwrap();
            counts.push(f64::from(found));
        }
        let mean = counts.mean();
        let margin = sigmas() * (counts.moment(mean, 2) / (seeds - 1) as f64).sqrt();
        assert!(
            (least - margin..=most + margin).contains(&mean),
            "{context}, {bands}: {mean} pairs of {}, expected {least:.1} to {most:.1} ± {margin:.1}",
            similarities.len()
        );
    }
}

#[test]
fn counts_of_pairs_follow_the_curve() {
    let mut rng = Rng::new(1);
    let mut sets = Vec::new();
    for _ in 0..50 {
        let base: Vec<u64> = (0..60).map(|_| rng.next_u64()).collect();
        for edits in [0, 3, 8, 15] {
            let mut set = base.clone();
            set[..edits].iter_mut().for_each(|item| *item = rng.next_u64());
            sets.push(set);
        }
    }
    assert_counts_follow_the_curve(&sets, 100, "families of four");
}

/// The licence texts of SPDX, if they lie next to the repository.
fn licences() -> Option<Vec<String>> {
    let name = "../../../shared/data/licences/spdx-licences.jsonl.gz";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    let Ok(file) = std::fs::File::open(&path) else {
        println!("skipped: {} is absent", path.display());
        return None;
    };
    let mut lines = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut lines).unwrap();
    let text = |line: &str| {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        row["text"].as_str().unwrap().to_string()
    };
    Some(lines.lines().map(text).collect())
}

#[test]
fn near_duplicates_among_licences() {
    let Some(texts) = licences() else { return };
    let shingles = Shingles::words(3).unwrap();
    let sets: Vec<ExactSet> =
        texts.iter().map(|text| ExactSet::new(&shingles.hashes(text, &HashSpec::default()))).collect();
    let mut truth = Vec::new();
    for (first, one) in (0..).zip(&sets) {
        for (second, other) in (0..).zip(&sets).skip(first as usize + 1) {
            let (small, large) = (one.len().min(other.len()), one.len().max(other.len()));
            if small as f64 >= 0.8 * large as f64 && one.similarity(other) >= 0.8 {
                truth.push(Pair { first, second, similarity: one.similarity(other) });
            }
        }
    }
    assert_eq!(truth.len(), 454);
    let params = NearParams::for_threshold(0.8).unwrap();
    let mut search = NearDuplicates::keeping_sets(params);
    for set in &sets {
        search.insert(&params.sign(set.hashes())).unwrap();
    }
    let mut pairs = Vec::new();
    search.pairs(Verify::Kept, |pair| pairs.push(pair)).unwrap();
    assert!(pairs.iter().all(|pair| truth.contains(pair)), "nothing wrong");
    let found = pairs.len() as f64 / truth.len() as f64;
    assert!(found >= 0.99, "{found}");
    let report = near_duplicates(&texts, &shingles, params).unwrap();
    assert!(report.pairs.iter().all(|pair| pairs.contains(pair)));
    assert_eq!(report.groups, search.groups(Verify::Kept, Keep::First).unwrap().0);
}

#[ignore = "long tier: 160 searches among 728 texts"]
#[test]
fn counts_of_pairs_among_licences_follow_the_curve() {
    let Some(texts) = licences() else { return };
    let shingles = Shingles::words(3).unwrap();
    let sets: Vec<Vec<u64>> = texts
        .iter()
        .map(|text| ExactSet::new(&shingles.hashes(text, &HashSpec::default())).hashes().to_vec())
        .collect();
    assert_counts_follow_the_curve(&sets, 40, "licences");
}

/// `documents` sets of twenty items, one in ten nearly equal to another and one in ten equal to another.
fn many(documents: u64) -> NearDuplicates {
    let params = NearParams::for_threshold(0.8).unwrap();
    let mut search = NearDuplicates::with_params(params);
    let spec = HashSpec::default();
    for document in 0..documents {
        let first = match document % 10 {
            8 => (document - 1) * 20,
            9 => (document - 2) * 20 + 1,
            _ => document * 20,
        };
        let hashes: [u64; 20] = core::array::from_fn(|item| spec.hash(&(first + item as u64)));
        search.insert(&params.sign(&hashes)).unwrap();
    }
    search
}

/// The reported memory is exact to the byte; a search needs little more, which does not grow with the number of pairs.
fn assert_memory_is_bounded(documents: u64, most: usize) {
    let (search, kept) = kept_by(|| many(documents));
    assert_eq!(search.memory_bytes(), kept + size_of::<NearDuplicates>());
    let ((groups, _), peak) = peak_of(|| search.groups(Verify::Signature, Keep::First).unwrap());
    let different = documents / 10 * 9;
    // One number per set and document, in the forest and in the lists of members; a band; the groups themselves.
    let lists = 40 * groups.len() + 24 * documents as usize + 12 * different as usize;
    assert!(peak < 2 * lists, "{peak} bytes while searching, expected {lists} or so");
    assert!(kept + peak < most, "{kept} bytes kept and {peak} while searching");
    println!(
        "{documents} documents: {kept} bytes kept, {peak} more while searching, {} groups",
        groups.len()
    );
}

#[test]
fn memory_is_reported_and_bounded() {
    for documents in [10, 1_000, 20_000] {
        assert_memory_is_bounded(documents, 2_000 + 400 * documents as usize);
    }
}

#[ignore = "long tier: a million documents"]
#[test]
fn a_million_documents_fit_in_three_hundred_megabytes() {
    assert_memory_is_bounded(1_000_000, 300_000_000);
}
