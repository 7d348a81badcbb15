use super::entries::is_heap;
use super::*;
use crate::{ErrorKind, Estimate, Guarantee};

fn filled(k: u32, seed: u64, weights: impl IntoIterator<Item = f64>) -> VarOpt<u64> {
    let mut sample = VarOpt::for_k(k, seed).unwrap();
    for (item, weight) in weights.into_iter().enumerate() {
        sample.insert(item as u64, weight).unwrap();
    }
    sample
}

/// Checks the order of the heap, and that the adjusted weights add up to the total.
fn check(sample: &VarOpt<u64>) {
    let (heavy, light) = sample.entries.split_at(sample.heavy);
    let threshold = sample.threshold();
    assert!(is_heap(heavy) && heavy.iter().all(|entry| entry.weight > threshold), "{sample:?}");
    assert!(light.iter().all(|entry| entry.weight <= threshold * (1.0 + 1e-12)), "{sample:?}");
    let adjusted: f64 = sample.sample().iter().map(|(_, weight)| weight.max(threshold)).sum();
    assert!((adjusted / sample.total_weight() - 1.0).abs() < 1e-12, "{sample:?}: {adjusted}");
    assert_eq!(&VarOpt::from_bytes(&sample.to_bytes()).unwrap(), sample);
}

/// The threshold at which the inclusion probabilities add up to k.
fn threshold_of(weights: &[f64], k: usize) -> f64 {
    let mut sorted = weights.to_vec();
    sorted.sort_by(f64::total_cmp);
    let mut threshold = 0.0;
    for light in 2..=sorted.len() {
        let others = sorted.len() - light;
        if others < k {
            threshold = sorted[..light].iter().sum::<f64>() / (k - others) as f64;
            if others == 0 || threshold <= sorted[light] {
                break;
            }
        }
    }
    threshold
}

#[test]
fn up_to_k_items_are_exact() {
    let mut sample = filled(5, 1, [3.0, 0.0, 1.0, 4.0, 1.0, 5.0]);
    check(&sample);
    assert_eq!((sample.sample().len(), sample.threshold(), sample.total()), (5, 0.0, 6));
    assert_eq!(sample.subset_sum(|item| item % 2 == 1), Estimate::exact(9.0));
    assert_eq!(sample.share(|&item| item == 0), Estimate::exact(3.0 / 14.0));
    sample.insert(6, 9.0).unwrap();
    assert_eq!((sample.sample().len(), sample.threshold() > 1.0), (5, true));
    assert!(matches!(sample.subset_sum(|_| true).guarantee(), Guarantee::Proven { .. }));
    sample.clear();
    assert_eq!(sample, VarOpt::for_k(5, 1).unwrap());
    let nothing = sample.share(|_| true);
    assert_eq!((nothing.lower(), nothing.upper(), nothing.guarantee()), (0.0, 1.0, Guarantee::Certain));
    assert_eq!(sample.subset_sum(|_| true), Estimate::exact(0.0));
}

/// The figure of the documentation: a 4 comes to 9, 5 and two light items of 3.
#[test]
fn the_threshold_of_the_figure() {
    let mut sample = filled(4, 1, [9.0, 5.0, 2.0, 1.0, 3.0]);
    assert_eq!((sample.threshold(), sample.heavy), (3.0, 2));
    sample.insert(5, 4.0).unwrap();
    assert_eq!((sample.threshold(), sample.heavy), (5.0, 1));
}

#[test]
fn thresholds_are_those_of_the_whole_stream() {
    let mut rng = crate::rng::Rng::new(8);
    for k in [1, 2, 7, 30] {
        for spread in [0.0, 1.0, 20.0] {
            let weights: Vec<f64> = (0..200).map(|_| libm::exp(spread * rng.unit())).collect();
            for len in 1..weights.len() {
                let sample = filled(k, 5, weights[..len].iter().copied());
                check(&sample);
                let expected =
                    if len <= k as usize { 0.0 } else { threshold_of(&weights[..len], k as usize) };
                let found = sample.threshold();
                assert!(
                    (found - expected).abs() <= 1e-12 * expected,
                    "{k} {spread} {len}: {found} {expected}"
                );
                let mut merged = filled(k, 6, weights[..len / 3].iter().copied());
                merged.merge(&filled(k, 7, weights[len / 3..len].iter().copied())).unwrap();
                let found = merged.threshold();
                assert!(
                    (found - expected).abs() <= 1e-12 * expected,
                    "{k} {spread} {len}: {found} {expected}"
                );
                check(&merged);
            }
        }
    }
}

#[test]
fn bad_weights_change_nothing() {
    let mut sample = VarOpt::for_k(3, 1).unwrap();
    sample.insert(1u64, 2.0).unwrap();
    let before = sample.clone();
    for bad in [-1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -5e-324, 5e-324, 1e-310, 1e300, f64::MAX] {
        let error = sample.insert(2, bad).unwrap_err();
        assert!(format!("{error}").contains(&format!("got {bad};")), "{error}");
    }
    assert_eq!(sample, before);
    for _ in 0..1000 {
        sample.insert(3, MOST).unwrap();
        sample.insert(4, f64::MIN_POSITIVE).unwrap();
        sample.insert(5, -0.0).unwrap();
    }
    assert!(sample.total_weight() < f64::INFINITY && sample.total() == 3001);
    assert!(sample.sample().iter().all(|(item, _)| **item == 3));
    check(&sample);
}

/// Rounding never leaves light items of the other part among the heavy ones.
#[test]
fn merges_with_negligible_weights_keep_the_kinds_of_items() {
    for scale in [1e-300, 1e-17, 1e-9, 1.0, 1e9, 1e17, 1e200] {
        for (ours, theirs) in [(1, 500), (3, 500), (500, 3), (500, 500), (0, 500)] {
            let mut left = filled(10, 1, (0..ours).map(|_| scale).chain([0.0]));
            let right = filled(10, 2, (0..theirs).map(|item| 1.0 + f64::from(item) * 1e-3).chain([3000.0]));
            left.merge(&right).unwrap();
            assert_eq!(left.sample().len(), 10);
            assert_eq!(left.total(), ours + u64::try_from(theirs).unwrap() + 2);
            let total = ours as f64 * scale + right.total_weight();
            assert!((left.total_weight() / total - 1.0).abs() < 1e-12);
            let adjusted: f64 = left.sample().iter().map(|(_, weight)| weight.max(left.threshold())).sum();
            assert!((adjusted / total - 1.0).abs() < 1e-9, "{scale} {ours} {theirs}: {adjusted} {total}");
            assert_eq!(VarOpt::from_bytes(&left.to_bytes()).unwrap(), left);
        }
    }
}

/// No interval is longer than the weight that was dropped, and none ends below what is kept.
#[test]
fn what_is_kept_is_certain() {
    let sample = filled(100, 3, (0..110).map(|_| 1.0));
    let sum = sample.subset_sum(|item| item % 2 == 0);
    let kept = sample.sample().iter().filter(|(item, _)| **item % 2 == 0).count() as f64;
    assert_eq!((sum.lower(), sum.upper()), (kept, kept + 10.0));
    assert!((sum.value() - kept * 1.1).abs() < 1e-9);
    let all = sample.subset_sum(|_| true);
    assert!((all.value() - 110.0).abs() < 1e-9 && (all.upper() - 110.0).abs() < 1e-9);
}

/// Merges double the sum until one more would make it infinite.
#[test]
fn merges_keep_sums_finite() {
    let (mut left, mut right) = (filled(1, 1, [MOST; 3]), filled(1, 2, [MOST; 3]));
    let refused = (0..100).find_map(|_| left.merge(&right).and_then(|()| right.merge(&left)).err()).unwrap();
    assert_eq!(refused.kind(), ErrorKind::Full);
    for mut sample in [left, right] {
        assert_eq!(VarOpt::from_bytes(&sample.to_bytes()).unwrap(), sample);
        (0..1000).for_each(|item| sample.insert(item, MOST).unwrap());
        assert!(sample.subset_sum(|_| false).upper() < f64::INFINITY);
    }
}

#[test]
fn merges_are_checked() {
    let mut left = filled(10, 1, [1.0; 30]);
    let before = left.clone();
    assert!(format!("{}", left.merge(&filled(11, 2, [1.0])).unwrap_err()).contains("k: 10 and 11"));
    assert!(format!("{}", left.merge(&filled(10, 1, [1.0])).unwrap_err()).contains("its own seed"));
    left.merge(&VarOpt::for_k(10, 1).unwrap()).unwrap();
    assert_eq!(left, before);
    let mut empty = VarOpt::for_k(10, 5).unwrap();
    empty.merge(&left).unwrap();
    assert_eq!(empty, left);
}
