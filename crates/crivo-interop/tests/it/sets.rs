//! Set operations where the answer is known, and merges that equal one pass.

use crate::golden;
use crivo_interop::{Foreign, Hll, Kll, SparkBloom, SparkCountMin, Theta, UpdateTheta};
use std::ops::Range;

fn theta(items: Range<u32>) -> Theta {
    let mut sketch = UpdateTheta::for_lg_k(8).unwrap();
    items.for_each(|item| sketch.insert(&item));
    sketch.sketch()
}

#[test]
fn few_items_have_exact_answers() {
    let (a, b, none) = (theta(0..100), theta(80..180), theta(0..0));
    let count = |sketch: Theta| sketch.estimate().value();
    assert_eq!(count(Theta::union([&a, &b, &none], 12).unwrap()), 180.0);
    assert_eq!(count(a.intersection(&b).unwrap()), 20.0);
    assert_eq!(count(a.difference(&b).unwrap()), 80.0);
    assert_eq!(a.similarity(&b).unwrap().value(), 20.0 / 180.0);
    for empty in [a.intersection(&none).unwrap(), none.difference(&a).unwrap(), a.difference(&a).unwrap()] {
        assert!(empty.is_empty() && empty.has_all() && empty.estimate().is_exact(), "{empty:?}");
    }
    assert_eq!((none.similarity(&none).unwrap().value(), a.similarity(&none).unwrap().value()), (1.0, 0.0));
    assert_eq!(count(a.difference(&none).unwrap()), 100.0);
}

#[test]
fn a_union_of_parts_is_the_union_of_all() {
    let parts = [theta(0..5000), theta(3000..3001), theta(2000..60_000), theta(50_000..90_000)];
    let whole = Theta::union(&parts, 8).unwrap();
    let by_steps =
        parts[1..].iter().fold(parts[0].clone(), |all, part| Theta::union([part, &all], 8).unwrap());
    assert_eq!(by_steps, whole);
    assert_eq!(whole.hashes().len(), 256);
    assert_eq!(Theta::lg_k_of(&parts), 12);
}

/// A sketch that is compact for a while takes the same items as one that never was.
#[test]
fn a_theta_sketch_goes_on_where_it_ended() {
    for pause in [0, 1, 17, 100, 479, 480, 481, 3000, 5000] {
        let mut whole = UpdateTheta::with_seed(8, 3).unwrap();
        (0..pause).for_each(|item: u64| whole.insert(&item));
        let mut resumed = UpdateTheta::from_sketch(&whole.sketch(), whole.lg_k(), whole.seed()).unwrap();
        for item in 0..6000u64 {
            whole.insert(&item);
            resumed.insert(&item);
            assert!(item % 100 > 0 || resumed.sketch() == whole.sketch(), "{pause} {item}");
        }
        // With a smaller k it keeps fewer hashes of the same stream.
        let mut coarse = UpdateTheta::from_sketch(&whole.sketch(), 5, 3).unwrap();
        (4000..9000u64).for_each(|item| coarse.insert(&item));
        let coarse = coarse.sketch();
        assert!(coarse.hashes().len() <= 60 && coarse.estimate().contains(9000.0), "{coarse:?}");
    }
    let sketch = theta(0..10);
    assert!(
        UpdateTheta::from_sketch(&sketch, 8, 7).unwrap_err().to_string().contains("the seed that the sketch")
    );
    assert!(
        UpdateTheta::from_sketch(&theta(0..0), 8, 7).is_ok()
            && UpdateTheta::from_sketch(&sketch, 4, 9001).is_err()
    );
}

#[test]
fn seeds_do_not_mix() {
    let mut other = UpdateTheta::with_seed(8, 1).unwrap();
    other.insert(&1);
    let (ours, other) = (theta(0..10), other.sketch());
    assert!(Theta::union([&ours, &other], 8).is_err());
    assert!(ours.intersection(&other).is_err() && ours.similarity(&other).is_err());
    assert!(ours.difference(&other).unwrap_err().to_string().contains("seed"));
}

/// Registers after a merge are those of one pass, also where one of them was finer.
#[test]
fn merged_registers_are_those_of_one_pass() {
    let hll = |lg_k, items: Range<u32>| {
        let mut sketch = Hll::for_lg_k(lg_k).unwrap();
        items.for_each(|item| sketch.insert(&item));
        sketch
    };
    for (a, b) in [(0..5, 3..9), (0..5, 0..9000), (0..9000, 5000..20_000), (0..30, 20..60)] {
        for lg_k in [10, 8, 5] {
            let both = a.start.min(b.start)..a.end.max(b.end);
            let (mut forth, mut back) = (hll(10, a.clone()), hll(lg_k, b.clone()));
            let (first, second) = (forth.clone(), back.clone());
            forth.merge(&second);
            back.merge(&first);
            let whole = hll(lg_k, both);
            // The registers, without the estimate that was counted along.
            let registers =
                |sketch: &Hll| sketch.to_bytes().split_off(if sketch.is_sparse() { 12 } else { 16 });
            let sorted = |sketch: &Hll| {
                let mut words = registers(sketch).as_chunks::<4>().0.to_vec();
                if sketch.is_sparse() {
                    words.sort_unstable();
                }
                words
            };
            assert_eq!(sorted(&forth), sorted(&whole), "{a:?} {b:?} {lg_k}");
            assert_eq!(sorted(&back), sorted(&whole), "{a:?} {b:?} {lg_k}");
        }
    }
}

#[test]
fn merged_quantile_sketches_keep_what_is_exact() {
    let kll = |k, items: Range<i64>| {
        let mut sketch = Kll::with_seed(k, items.start as u64).unwrap();
        items.for_each(|item| sketch.insert(item).unwrap());
        sketch
    };
    let mut all = kll(200, 0..3);
    all.merge(&kll(50, 100..5100)).unwrap();
    all.merge(&kll(100, -5..0)).unwrap();
    all.merge(&kll(100, 0..0)).unwrap();
    assert_eq!((all.total(), all.min(), all.max(), all.k()), (5008, Some(&-5), Some(&5099), 200));
    assert!(all.rank_error() > kll(200, 0..5008).rank_error());
    assert_eq!(all.rank(&-6).value(), 0.0);
    assert!(all.rank(&5099).is_exact() && all.quantile(1.5).is_err());
    assert_eq!(*all.quantile(0.0).unwrap().value(), -5);
    assert!(kll(8, 0..0).quantile(0.5).is_err());
}

#[test]
fn formats_do_not_merge_with_each_other() {
    let theta = Foreign::Theta(theta(0..9));
    let hll = Foreign::Hll(Hll::for_lg_k(8).unwrap());
    let floats = Foreign::KllF32(Kll::with_seed(20, 1).unwrap());
    let longs = Foreign::KllI64(Kll::with_seed(20, 1).unwrap());
    for pair in [[&theta, &hll], [&hll, &theta], [&floats, &longs]] {
        let error = Foreign::merged(pair.map(Clone::clone).to_vec()).unwrap_err();
        assert!(error.to_string().contains("differ in format"), "{error}");
    }
    assert!(Foreign::merged(Vec::new()).is_err());
    assert!(longs.cardinality().is_err() && theta.cardinality_at(1.0).is_err());
}

#[test]
fn sketches_of_spark_merge_by_adding() {
    let mut counts = SparkCountMin::from_bytes(&golden("spark-counts.cms")).unwrap();
    let once = counts.clone();
    counts.merge(&once).unwrap();
    assert_eq!(counts.total(), 2 * once.total());
    assert_eq!(counts.frequency(5).value(), 2.0 * once.frequency(5).value());
    let (mut one, two) = (golden("spark-1.bloom"), golden("spark-2.bloom"));
    let mut filter = SparkBloom::from_bytes(&one).unwrap();
    let fill = filter.fill();
    filter.merge(&filter.clone()).unwrap();
    assert_eq!(filter.fill(), fill);
    assert!(filter.merge(&SparkBloom::from_bytes(&two).unwrap()).is_err());
    // Another seed has other factors; the rows still add up.
    let mut other = golden("spark-counts.cms");
    other[27] ^= 1;
    assert!(counts.merge(&SparkCountMin::from_bytes(&other).unwrap()).is_err());
    one[7] += 1;
    assert!(filter.merge(&SparkBloom::from_bytes(&one).unwrap()).is_err());
}

/// The golden sketch has 600 occurrences in 4 rows of 32: the lower bound subtracts 600/32·0.05^(-1/4), 39.65, and rounds up.
#[test]
fn frequencies_have_bounds() {
    let counts = SparkCountMin::from_bytes(&golden("spark-counts.cms")).unwrap();
    let estimate = counts.frequency("visitor 3");
    assert!(
        estimate.value() >= 7.0 && estimate.upper() == estimate.value() && estimate.contains(7.0),
        "{estimate}"
    );
    let most = (-20..80)
        .map(|number| counts.frequency(number))
        .max_by(|a, b| a.value().total_cmp(&b.value()))
        .unwrap();
    assert_eq!(most.lower(), (most.value() - 39.0).max(0.0), "{most}");
    assert!(counts.frequency_at(3, 0.5).unwrap().lower() >= counts.frequency(3).lower());
    assert!(counts.frequency_at(3, 1.5).is_err());
}
