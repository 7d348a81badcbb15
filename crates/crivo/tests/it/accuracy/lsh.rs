//! Sets are found as often as the S-curve says, and filters of bands have the reported rates.

use super::{FALSE_ALARM, sigmas};
use crivo::rng::Rng;
use crivo::similarity::{
    DistanceBloom, DistanceParams, LshBloom, LshBloomParams, LshParams, Metric, Signature,
};
use crivo::sketch::Insert;
use crivo::stats::binomial_band;
use crivo::{HashSpec, LshIndex, MinHash, OnePermutation};

/// Numbers of common items and of those in only one set: Jaccard's similarity is common / (common + 2·own).
const SETS: [(u64, u64); 5] = [(0, 20), (10, 15), (20, 10), (60, 10), (38, 1)];

fn similarity(common: u64, own: u64) -> f64 {
    common as f64 / (common + 2 * own) as f64
}

/// Two sets with this much in common.
fn pair<S: Signature + Insert>(make: impl Fn() -> S, spec: HashSpec, common: u64, own: u64) -> [S; 2] {
    [0, own].map(|first| {
        let mut set = make();
        let items = (0..common).chain(common + first..common + first + own);
        set.try_insert_hashes(&items.map(|item| spec.hash(&item)).collect::<Vec<_>>()).unwrap();
        set
    })
}

/// The number of events with these probabilities lies within their noise: normal, plus a few for the rare ones.
fn assert_events(events: u64, probabilities: &[f64], context: &str) {
    let expected: f64 = probabilities.iter().sum();
    let variance: f64 = probabilities.iter().map(|p| p * (1.0 - p)).sum();
    let margin = sigmas() * variance.sqrt() + 5.0;
    assert!(
        (events as f64 - expected).abs() <= margin,
        "{context}: {events}, expected {expected:.1} ± {margin:.1}"
    );
}

fn candidates_follow_the_curve<S: Signature + Insert>(make: impl Fn(HashSpec) -> S, scale: u64, trials: u64) {
    for (bands, rows) in [(16, 2), (8, 4), (4, 8)] {
        let params = LshParams::exact(bands, rows).unwrap();
        for (common, own) in SETS {
            let (common, own) = (common * scale, own * scale);
            let mut found = 0;
            for seed in 0..trials {
                let spec = HashSpec::seeded(seed << 8 | u64::from(rows));
                let [one, other] = pair(|| make(spec), spec, common, own);
                let mut index = LshIndex::with_params(params, &one).unwrap();
                index.insert(1, &one).unwrap();
                found += index.candidates(&other).unwrap().len() as u64;
            }
            let chance = params.probability(similarity(common, own)).unwrap();
            let (least, most) = binomial_band(trials, chance, FALSE_ALARM);
            let context =
                format!("{params}, {common} common, {own} own: {found} of {trials}, expected {chance}");
            assert!((least..=most).contains(&(found as f64)), "{context}: {least} to {most}");
        }
    }
}

#[test]
fn candidates_of_functions_follow_the_curve() {
    candidates_follow_the_curve(|spec| MinHash::for_slots(32).unwrap().with_hash(spec), 1, 1500);
}

#[test]
fn candidates_of_bins_follow_the_curve() {
    candidates_follow_the_curve(|spec| OnePermutation::for_slots(32).unwrap().with_hash(spec), 10, 1500);
}

/// Others fill the filter; one pair is queried.
#[test]
fn detection_is_as_stated() {
    let bands = LshParams::exact(8, 4).unwrap();
    let params = LshBloomParams::for_fpr(bands, 40, 0.2).unwrap();
    for (common, own) in SETS {
        let (mut events, mut probabilities) = (0, Vec::new());
        for seed in 0..600 {
            let spec = HashSpec::seeded(seed);
            let [one, other] = pair(|| MinHash::for_slots(32).unwrap().with_hash(spec), spec, common, own);
            let mut filter = LshBloom::with_params(params, &one).unwrap();
            filter.insert(&one).unwrap();
            let mut rng = Rng::new(seed);
            for _ in 0..39 {
                let slots: Vec<u32> = (0..32).map(|_| rng.next_u64() as u32).collect();
                filter.insert_slots(&slots).unwrap();
            }
            events += u64::from(filter.contains(&other).unwrap());
            probabilities.push(filter.detection(similarity(common, own)).unwrap());
        }
        assert_events(events, &probabilities, &format!("{common} common, {own} own"));
    }
}

fn flipped(rng: &mut Rng, words: &[u64], bits: u64, distance: u64) -> Vec<u64> {
    let mut flipped = words.to_vec();
    let mut left = distance;
    while left > 0 {
        let (place, mask) = {
            let bit = rng.below(bits);
            ((bit / 64) as usize, 1u64 << (bit % 64))
        };
        if flipped[place] & mask == words[place] & mask {
            flipped[place] ^= mask;
            left -= 1;
        }
    }
    flipped
}

#[test]
fn misses_and_false_reports_of_bit_strings_are_as_stated() {
    let metric = Metric::Hamming { bits: 128 };
    let params = DistanceParams::for_targets(metric, 50, (6.0, 0.05), (45.0, 0.05)).unwrap();
    let (mut reports, mut stated) = (0u64, 0.0);
    for distance in [0, 3, 6, 12, 25] {
        let (mut misses, mut probabilities) = (0, Vec::new());
        for seed in 0..400 {
            let mut rng = Rng::new(seed << 8 | distance);
            let mut filter = DistanceBloom::with_params(params).with_hash(HashSpec::seeded(rng.next_u64()));
            let items: Vec<[u64; 2]> = (0..50).map(|_| [rng.next_u64(), rng.next_u64()]).collect();
            for item in &items {
                filter.insert_bits(item).unwrap();
            }
            let near = flipped(&mut rng, &items[7], 128, distance);
            misses += u64::from(!filter.contains_bits(&near).unwrap());
            probabilities.push(filter.false_negative_rate(distance as f64).unwrap());
            let far = [rng.next_u64(), rng.next_u64()];
            let differ = |item: &[u64; 2]| (item[0] ^ far[0]).count_ones() + (item[1] ^ far[1]).count_ones();
            if items.iter().all(|item| differ(item) >= 45) {
                reports += u64::from(filter.contains_bits(&far).unwrap());
                stated += filter.false_positive_rate(45.0).unwrap();
            }
        }
        assert_events(misses, &probabilities, &format!("distance {distance}"));
    }
    // The rate assumes all items at the least distance, which they are not.
    assert!(
        stated > 20.0 && (reports as f64) <= stated + sigmas() * stated.sqrt() + 5.0,
        "{reports} of {stated}"
    );
    assert!(params.false_negative_rate(6.0).unwrap() <= 0.05);
}

#[test]
fn misses_and_false_reports_of_sets_are_as_stated() {
    let like = MinHash::for_slots(256).unwrap();
    let metric = Metric::Jaccard { scheme: like.scheme(), slots: 256 };
    let params = DistanceParams::for_targets(metric, 30, (0.2, 0.05), (0.8, 0.05)).unwrap();
    let (mut reports, mut stated) = (0u64, 0.0);
    for (common, own) in [(40, 0), (40, 2), (40, 5), (20, 10)] {
        let (mut misses, mut probabilities) = (0, Vec::new());
        for seed in 0..400 {
            let spec = HashSpec::seeded(seed << 8 | own);
            let make = || MinHash::for_slots(256).unwrap().with_hash(spec);
            let [one, other] = pair(make, spec, common, own);
            let mut filter = DistanceBloom::with_params(params).with_hash(spec);
            filter.insert(&one).unwrap();
            for set in 1..30u64 {
                let mut others = make();
                others.insert_hashes(&(0..40).map(|item| spec.hash(&(set << 32 | item))).collect::<Vec<_>>());
                filter.insert(&others).unwrap();
            }
            misses += u64::from(!filter.contains(&other).unwrap());
            probabilities.push(filter.false_negative_rate(1.0 - similarity(common, own)).unwrap());
            let mut far = make();
            far.insert_hashes(&(0..40).map(|item| spec.hash(&(1u64 << 50 | item))).collect::<Vec<_>>());
            reports += u64::from(filter.contains(&far).unwrap());
            stated += filter.false_positive_rate(1.0).unwrap();
        }
        assert_events(misses, &probabilities, &format!("{common} common, {own} own"));
    }
    // Sets that share nothing: the rate at distance 1 is exact.
    let margin = sigmas() * stated.sqrt() + 5.0;
    assert!((reports as f64 - stated).abs() <= margin, "{reports} reports, stated {stated} ± {margin}");
}
