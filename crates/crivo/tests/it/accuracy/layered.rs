//! Filters of layers: their false-positive rates at any size, and after merges.

use super::{Sample, assert_false_positives, sigmas};
use crivo::membership::{DynamicBloom, DynamicParams, ScalableParams};
use crivo::{HashSpec, Kind, ScalableBloom};

/// On average the false-positive rates are at most as planned.
fn assert_foreseen(rates: &Sample, foreseen: f64, context: &str) {
    let noise = rates.moment(rates.mean(), 2).sqrt() / rates.count().sqrt();
    assert!(rates.mean() <= foreseen + sigmas() * noise, "{context}: {} of {foreseen}", rates.mean());
}

/// From half to 1000 times the first capacity the rate is the reported one, and never above its target.
fn assert_target_holds(params: ScalableParams, times: f64, filters: u64, queries: u64) {
    let items = (params.capacity() as f64 * times) as u64;
    let context = format!("{times} × {params:?}");
    let make = |spec| {
        let mut filter = ScalableBloom::with_params(params).with_hash(spec);
        filter.extend(0..items);
        assert!(
            filter.fpr().value() <= filter.fpr_limit() && filter.fpr_limit() <= params.fpr(),
            "{context}"
        );
        filter
    };
    let rates = assert_false_positives(make, items, filters, queries, &context);
    assert!(params.fpr_at(items) <= params.fpr(), "{context}");
    assert_foreseen(&rates, params.fpr_at(items), &context);
}

#[test]
fn a_scalable_filter_keeps_its_target() {
    let usual = ScalableParams::for_fpr(20, 0.01).unwrap();
    for (times, filters) in [(1.0, 2000), (2.0, 1000), (10.0, 500), (100.0, 50), (1000.0, 10)] {
        assert_target_holds(usual, times, filters, 10_000);
    }
    assert_target_holds(ScalableParams::for_fpr(1000, 0.1).unwrap(), 1.0, 20, 10_000);
    assert_target_holds(ScalableParams::exact(7, 0.2, 4, 0.5).unwrap(), 300.0, 50, 2000);
    assert_target_holds(ScalableParams::exact(1, 0.3, 2, 0.95).unwrap(), 5000.0, 20, 2000);
}

#[test]
#[ignore = "long tier: ten million items"]
fn a_scalable_filter_keeps_its_target_at_a_thousand_times_its_size() {
    assert_target_holds(ScalableParams::for_fpr(1000, 0.01).unwrap(), 1000.0, 8, 1_000_000);
    assert_target_holds(ScalableParams::for_fpr(100, 1e-4).unwrap(), 1000.0, 20, 1_000_000);
}

/// Every layer is used up to its limit, except for the last item: ten filters of 1 % have a rate of 9.6 %.
#[test]
fn equal_filters_add_up() {
    let params = DynamicParams::for_fpr(2000, 0.01).unwrap();
    let make = |spec| {
        let mut filter = DynamicBloom::with_params(params).with_hash(spec);
        let (mut item, mut inserted) = (0u64, 0);
        while filter.layers() <= 10 {
            inserted += u32::from(filter.insert(&item));
            item += 1;
        }
        assert!((20_000..21_500).contains(&inserted), "{inserted} items");
        filter
    };
    let rates = assert_false_positives(make, 30_000, 50, 20_000, "ten filters");
    // A layer ends when one more item, of k bits, might take it beyond its rate.
    let plan = (Kind::DynamicBloom.info().filter.unwrap().plan)(2000, 0.01).unwrap();
    let parameter = |name| plan.parameters.iter().find(|(found, _)| *found == name).unwrap().1 as f64;
    let (bits, hashes) = (parameter("bits"), parameter("hashes"));
    let least = (0.01f64.powf(1.0 / hashes) - (hashes + 1.0) / bits).powf(hashes);
    let ten_times = |rate: f64| 1.0 - (1.0 - rate).powi(10);
    assert!((ten_times(least)..=ten_times(0.01)).contains(&rates.mean()), "{}", rates.mean());
}

#[test]
fn a_dynamic_filter_says_how_its_rate_grows() {
    for (capacity, fpr, times, filters) in [
        (100, 0.02, 0.5, 4000),
        (100, 0.02, 1.0, 500),
        (100, 0.02, 2.0, 500),
        (30, 0.1, 12.5, 100),
        (1, 0.5, 3.0, 500),
    ] {
        let params = DynamicParams::for_fpr(capacity, fpr).unwrap();
        let items = (capacity as f64 * times) as u64;
        let context = format!("{times} × {params:?}");
        let make = |spec| {
            let mut filter = DynamicBloom::with_params(params).with_hash(spec);
            filter.extend(0..items);
            assert!(filter.fpr().value() <= filter.fpr_limit(), "{context}");
            filter
        };
        let rates = assert_false_positives(make, items, filters, 5000, &context);
        assert_foreseen(&rates, params.fpr_at(items), &context);
    }
}

/// Parts of a stream, filtered separately and merged: the rate is the reported one.
#[test]
fn merged_filters_have_the_reported_rate() {
    let params = ScalableParams::for_fpr(50, 0.02).unwrap();
    let merged = |parts: u64, each: u64| {
        move |spec: HashSpec| {
            let part = |part: u64| {
                let mut filter = ScalableBloom::with_params(params).with_hash(spec);
                filter.extend(part * each..(part + 1) * each);
                filter
            };
            let mut whole = part(0);
            for i in 1..parts {
                whole.merge(&part(i)).unwrap();
            }
            let rate = whole.fpr();
            assert!(rate.lower() <= rate.value() && rate.value() <= rate.upper());
            assert!(rate.value() <= parts as f64 * params.fpr());
            whole
        }
    };
    for (parts, each) in [(2, 20), (2, 400), (5, 100), (20, 10)] {
        assert_false_positives(merged(parts, each), parts * each, 200, 5000, &format!("{parts} × {each}"));
    }
}
