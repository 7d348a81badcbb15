//! `WindowedBloom`: its false-positive rate at any load, with and without repetitions, and what it forgets.

use super::{assert_false_positives, assert_wrong_answers, sigmas};
use crivo::membership::WindowedParams;
use crivo::{HashSpec, WindowedBloom};

/// A stream of several windows, with `load` times as many distinct items as planned in each. Item i comes at time i.
fn stream(params: WindowedParams, load: f64, windows: f64, spec: HashSpec) -> (WindowedBloom, u64) {
    let mut filter = WindowedBloom::with_params(params).with_hash(spec);
    let items = (params.items() as f64 * load * windows) as u64;
    let time_of = |item: u64| (item as f64 / (params.items() as f64 * load) * params.window() as f64) as u64;
    for item in 0..items {
        filter.insert_at(&item, time_of(item));
    }
    (filter, items)
}

/// From fewer items than planned to thirty times as many the rate is the reported one, and never above its target.
#[test]
fn the_target_holds_at_any_load() {
    for (items, fpr, generations) in [(200, 0.02, 4), (1000, 0.1, 1), (60, 0.05, 12)] {
        let params = WindowedParams::for_fpr(items, fpr, 1_000_000, generations).unwrap();
        for (load, filters) in [(0.8, 600), (1.0, 300), (3.0, 100), (30.0, 20)] {
            let context = format!("{load} × {params:?}");
            let make = |spec| {
                let (filter, _) = stream(params, load, 2.6, spec);
                let rate = filter.fpr();
                assert!(rate.upper() <= fpr && filter.fpr_limit() <= fpr, "{context}: {rate}");
                assert!(rate.lower() <= rate.value() && rate.value() <= rate.upper(), "{context}: {rate}");
                filter
            };
            let inserted = (params.items() as f64 * load * 2.6) as u64;
            assert_false_positives(make, inserted, filters, 20_000, &context);
        }
    }
}

/// Forgotten items are reported as often as items that were never inserted.
#[test]
fn forgotten_items_are_like_items_never_inserted() {
    let params = WindowedParams::for_fpr(500, 0.05, 1000, 4).unwrap();
    let (mut wrong, mut expected) = (0, 0.0);
    for seed in 0..300 {
        let (filter, items) = stream(params, 1.0, 4.0, HashSpec::seeded(seed));
        let old = 0..items * (4000 - params.forgets_after()) / 4000 - 1;
        expected += filter.fpr().value() * (old.end - old.start) as f64;
        wrong += old.filter(|item| filter.contains_at(item, 0)).count() as u64;
    }
    assert_wrong_answers(wrong, expected, "forgotten items");
}

/// Items that come in every generation have the same bits in all of them: the rate is the lower bound.
#[test]
fn repetitions_keep_the_rate_between_its_bounds() {
    let params = WindowedParams::for_fpr(1000, 0.2, 1000, 4).unwrap();
    let (mut wrong, mut least, mut most) = (0u64, 0.0, 0.0);
    for seed in 0..50 {
        let mut filter = WindowedBloom::with_params(params).with_hash(HashSpec::seeded(seed));
        for time in (0..2000).step_by(100) {
            for item in 0..250u32 {
                filter.insert_at(&item, time);
            }
        }
        let rate = filter.fpr();
        (least, most) = (least + rate.lower() * 20_000.0, most + rate.upper() * 20_000.0);
        wrong += (1000..21_000u32).filter(|item| filter.contains_at(item, 0)).count() as u64;
    }
    assert!(least > 1000.0 && most > 2.0 * least, "{least} to {most}");
    assert_wrong_answers(wrong, least, "the same items in every generation");
    assert!((wrong as f64) < most - sigmas() * most.sqrt());
}
