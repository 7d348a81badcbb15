//! Properties of every kind of filter that is planned for a target: the plan is what is built, the target is met, the
//! reported rate is the rate of false positives, and construction takes little more memory than the filter.

use crate::accuracy::{FALSE_ALARM, Sample};
use crate::allocator::peak_of;
use crivo::rng::Rng;
use crivo::sketch::{Membership, Sketch};
use crivo::stats::normal_quantile;
use crivo::{ErrorKind, FilterTarget, HashSpec, KINDS, Kind, KindInfo, MakeFilter};

fn kinds() -> impl Iterator<Item = (&'static KindInfo, FilterTarget)> {
    KINDS.iter().filter_map(|info| Some((info, info.filter?)))
}

/// A filter for `planned` items, with these items; `None` if it has no room for them.
fn made(
    info: &KindInfo,
    target: &FilterTarget,
    planned: u64,
    fpr: f64,
    hashes: &[u64],
) -> Option<Box<dyn Sketch>> {
    match target.make {
        MakeFilter::Frozen(freeze) => Some(freeze(hashes, fpr, HashSpec::default()).unwrap()),
        MakeFilter::Empty(make) => {
            let mut filter = make(planned, fpr, HashSpec::default()).unwrap();
            let inserts = info.insert.and_then(|view| view(&mut *filter)).unwrap();
            match inserts.try_insert_hashes(hashes) {
                Ok(()) => Some(filter),
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::Full, "{error}");
                    assert!(
                        hashes.len() as u64 > planned,
                        "{}: full before its capacity: {error}",
                        info.kind.name()
                    );
                    None
                }
            }
        }
    }
}

fn as_filter<'a>(info: &KindInfo, sketch: &'a dyn Sketch) -> &'a dyn Membership {
    info.membership.and_then(|view| view(sketch)).unwrap()
}

#[test]
fn filters_are_built_as_planned() {
    let mut rng = Rng::new(60);
    for (info, target) in kinds() {
        for items in [1, 2, 10, 100, 1000, 10_000, 123_457] {
            for fpr in [0.3, 0.05, 0.01, 0.001, 1e-6] {
                let plan = (target.plan)(items, fpr).unwrap();
                let hashes: Vec<u64> = (0..items).map(|_| rng.next_u64()).collect();
                let context = format!("{} for {items} items at {fpr}", info.kind.name());
                let fresh = match target.make {
                    MakeFilter::Empty(make) => make(items, fpr, HashSpec::default()).unwrap(),
                    MakeFilter::Frozen(freeze) => freeze(&hashes, fpr, HashSpec::default()).unwrap(),
                };
                assert_eq!(plan.memory_bytes, fresh.memory_bytes() as u64, "{context}");
                // Nor does it take more with all its items, except for a short list in a cuckoo filter.
                let filled = made(info, &target, items, fpr, &hashes).unwrap().memory_bytes() as u64;
                let most = if info.kind == Kind::CuckooFilter { plan.memory_bytes / 64 } else { 0 };
                assert!(filled - plan.memory_bytes <= most, "{context}: {filled} bytes when filled");
                assert!(plan.fpr <= fpr, "{context}: {}", plan.fpr);
                assert!(plan.cache_lines >= 1.0 && plan.cache_lines <= 64.0, "{context}");
                assert!(!plan.parameters.is_empty(), "{context}");
            }
        }
        for (items, fpr) in [(0, 0.01), (10, 0.0), (10, 1.0), (10, f64::NAN), (10, -1.0), (u64::MAX, 1e-9)] {
            let error = (target.plan)(items, fpr).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{} for {items} at {fpr}", info.kind.name());
        }
    }
}

/// Builds filters of independent random items at a share of their planned load: the number of false positives among
/// absent items is the reported one, within the noise.
fn assert_rates(load: f64, planned: u64, fpr: f64, filters: u64, queries: u64) {
    for (info, target) in kinds() {
        let context = format!("{} at {fpr}, {load} × {planned} items", info.kind.name());
        let mut rng = Rng::new(61 + planned);
        let (mut expected, mut wrong) = (0.0, 0u64);
        let mut rates = Sample::default();
        for _ in 0..filters {
            let hashes: Vec<u64> = (0..(planned as f64 * load) as u64).map(|_| rng.next_u64()).collect();
            let Some(sketch) = made(info, &target, planned, fpr, &hashes) else { continue };
            let filter = as_filter(info, &*sketch);
            assert_eq!(filter.contains_hashes(&hashes), vec![true; hashes.len()], "{context}");
            let rate = filter.fpr().value();
            rates.push(rate);
            expected += rate * queries as f64;
            wrong += (0..queries).filter(|_| filter.contains_hash(rng.next_u64())).count() as u64;
        }
        if expected == 0.0 {
            assert!(load > 1.0, "{context}: no filter was made");
            continue;
        }
        // A sum of independent rare events: at worst Poisson.
        let margin = normal_quantile(1.0 - FALSE_ALARM / 2.0) * expected.sqrt() + 5.0;
        assert!(
            (wrong as f64 - expected).abs() < margin,
            "{context}: {wrong} wrong, {expected:.1} ± {margin:.1}"
        );
        if load <= 1.0 {
            let noise = rates.moment(rates.mean(), 2).sqrt() / (filters as f64).sqrt();
            let most = fpr + normal_quantile(1.0 - FALSE_ALARM) * noise;
            assert!(rates.mean() <= most, "{context}: {} on average", rates.mean());
        }
    }
}

#[test]
fn the_reported_rate_is_the_rate_of_false_positives() {
    for load in [0.5, 1.0, 2.0] {
        assert_rates(load, 1000, 0.05, 30, 5000);
        assert_rates(load, 3000, 0.005, 20, 30_000);
    }
}

#[test]
#[ignore = "long tier: a hundred million queries"]
fn the_reported_rate_is_the_rate_of_rare_false_positives() {
    for load in [0.5, 1.0, 2.0] {
        assert_rates(load, 20_000, 1e-4, 10, 1_000_000);
    }
}

/// The peak memory while a filter of this many items is built, relative to its final size.
fn assert_building_is_small(items: u64) {
    for (info, target) in kinds() {
        let MakeFilter::Empty(make) = target.make else { continue };
        let (filter, peak) = peak_of(|| {
            let mut filter = make(items, 0.01, HashSpec::default()).unwrap();
            let inserts = info.insert.and_then(|view| view(&mut *filter)).unwrap();
            let mut rng = Rng::new(62);
            let mut block = [0; 256];
            let mut left = items as usize;
            while left > 0 {
                let block = &mut block[..left.min(256)];
                block.fill_with(|| rng.next_u64());
                inserts.try_insert_hashes(block).unwrap();
                left -= block.len();
            }
            filter
        });
        let most = 2 * filter.memory_bytes();
        assert!(peak <= most, "{}: {peak} bytes to make one of {}", info.kind.name(), filter.memory_bytes());
    }
}

#[test]
fn building_takes_at_most_twice_the_filter() {
    assert_building_is_small(100_000);
}

#[test]
#[ignore = "long tier: ten million items for every kind"]
fn building_from_ten_million_takes_at_most_twice_the_filter() {
    assert_building_is_small(10_000_000);
}
