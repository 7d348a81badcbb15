use super::*;
use crate::ErrorKind;
use crate::rng::Rng;

fn filter(windows: u64, fingerprint_bits: u32, seed: u64) -> CuckooFilter {
    let params = CuckooParams::exact(windows, fingerprint_bits).unwrap();
    CuckooFilter::with_params(params).with_hash(HashSpec::seeded(seed))
}

/// Fills a filter until it is full; returns the inserted hashes.
fn fill(filter: &mut CuckooFilter, rng: &mut Rng) -> Vec<u64> {
    let mut inside = Vec::new();
    loop {
        let hash = rng.next_u64();
        let before = filter.clone();
        if let Err(error) = filter.insert_hash(hash) {
            assert_eq!(error.kind(), ErrorKind::Full);
            assert!(*filter == before, "a refused insertion changed something");
            return inside;
        }
        inside.push(hash);
    }
}

#[test]
fn windows_come_in_pairs() {
    let mut rng = Rng::new(1);
    for windows in [2, 4, 6, 10, 100, 5282, 1 << 20, (1 << 32) - 2] {
        let params = CuckooParams::exact(windows, 12).unwrap();
        for _ in 0..1000 {
            let place = params.place(rng.next_u64());
            let [one, other] = place.starts;
            assert!(one != other && one.abs_diff(other) > 1 && (one ^ other) % 2 == 0);
            assert!((1..1 << 12).contains(&place.fingerprint));
            for slot in place.slots() {
                assert!((slot as u64) < params.slots());
                let found = params.place_in_slot(slot, place.fingerprint);
                assert!(found.cell() == place.cell() && place.starts.contains(&found.starts[0]));
            }
        }
    }
}

#[test]
fn nothing_is_lost_until_it_is_full_and_when_it_is() {
    for (windows, fingerprint_bits) in [(2, 4), (4, 8), (10, 28), (34, 5), (150, 9), (1000, 4)] {
        let mut rng = Rng::new(windows);
        let mut filter = filter(windows, fingerprint_bits, 0);
        let mut inside = fill(&mut filter, &mut rng);
        assert_eq!(filter.len(), inside.len() as u64);
        assert_eq!(filter.overflow.len(), filter.params.most_overflow());
        // Full, half empty and full again, many times.
        for _ in 0..10 {
            assert!(inside.iter().all(|&hash| filter.contains_hash(hash)));
            for hash in inside.split_off(inside.len() / 2) {
                filter.remove_hash(hash).unwrap();
            }
            inside.extend(fill(&mut filter, &mut rng));
            assert_eq!(filter.len(), inside.len() as u64);
        }
        for hash in inside {
            filter.remove_hash(hash).unwrap();
        }
        assert!(filter.is_empty() && filter.slots.occupied().next().is_none());
        assert_eq!(filter.fpr().value(), 0.0);
    }
}

/// The limit of overlapping windows of two is 96.5 %.
#[test]
fn slots_fill_to_96_percent() {
    for seed in 0..5 {
        // Neither a power of two nor near one.
        let mut filter = filter(52_084, 12, seed);
        let full = (0..110_000u64).find(|item| filter.insert(item).is_err()).unwrap();
        assert_eq!(filter.len(), full);
        assert!(filter.fill() >= 0.96, "{filter:?}");
    }
}

#[test]
fn as_many_items_as_planned_fit() {
    for (items, filters) in
        [(1, 5000), (2, 5000), (7, 5000), (40, 2000), (300, 500), (700, 500), (10_000, 20)]
    {
        for (fpr, width) in [(0.3, 4), (0.01, 9)] {
            let params = CuckooParams::for_fpr(items, fpr).unwrap();
            assert!(items < 10 || params.fingerprint_bits() == width, "{params:?}");
            for seed in 0..filters {
                let mut filter = CuckooFilter::with_params(params).with_hash(HashSpec::seeded(seed));
                (0..items).try_for_each(|item| filter.insert(&item)).unwrap();
            }
        }
    }
}

#[test]
fn copies_fit_four_times_and_a_few_times_more() {
    let mut filter = filter(100, 12, 0);
    for copy in 1..=4 + filter.params.most_overflow() as u64 {
        filter.insert("copy").unwrap();
        assert_eq!((filter.len(), filter.overflow.len() as u64), (copy, copy.saturating_sub(4)));
        // Copies count as one item.
        assert_eq!(filter.fpr().value(), 1.0 / filter.params.cells());
    }
    let error = filter.insert("copy").unwrap_err();
    assert!(error.kind() == ErrorKind::Full && format!("{error}").contains("four"), "{error}");
    filter.insert("another").unwrap();
    filter.remove("another").unwrap();
    for _ in 0..filter.len() {
        assert!(filter.contains("copy"));
        filter.remove("copy").unwrap();
    }
    assert!(filter.is_empty() && !filter.contains("copy"));
    assert_eq!(filter.remove("copy").unwrap_err().kind(), ErrorKind::InvalidArgument);
}

#[test]
fn a_merge_without_room_changes_nothing() {
    let [mut one, mut other] = [filter(50, 9, 3), filter(50, 9, 3)];
    (0..80u32).try_for_each(|item| one.insert(&item)).unwrap();
    (80..160u32).try_for_each(|item| other.insert(&item)).unwrap();
    let before = one.clone();
    assert_eq!(one.merge(&other).unwrap_err().kind(), ErrorKind::Full);
    assert_eq!(one, before);
    one.clear();
    one.merge(&other).unwrap();
    assert!((80..160u32).all(|item| one.contains(&item)) && one.len() == 80);
}

#[test]
fn parts_that_share_an_item_merge_while_there_is_room() {
    let mut part = filter(1000, 9, 3);
    part.insert("copy").unwrap();
    let mut all = part.clone();
    let error = (0..1000).find_map(|_| all.merge(&part).err()).unwrap();
    assert_eq!(error.kind(), ErrorKind::Full);
    // Everything that the message recommends exists.
    let text = alloc::format!("{error}");
    assert!(
        text.contains("one filter of all the data") && text.contains("quotient, counting or bloom"),
        "{text}"
    );
    assert!(text.contains(&alloc::format!("about {} copies", all.len())), "{text}");
    let mut quotient = crate::QuotientFilter::for_fpr(1000, 0.01).unwrap();
    quotient.insert("copy").unwrap();
    let part = quotient.clone();
    (0..1000).try_for_each(|_| quotient.merge(&part)).unwrap();
}

#[test]
fn unlike_filters_do_not_merge() {
    let mut ours = filter(100, 9, 1);
    ours.insert("kept").unwrap();
    let before = ours.clone();
    for (other, field) in
        [(filter(102, 9, 1), "slots"), (filter(100, 10, 1), "fingerprint bits"), (filter(100, 9, 2), "hash")]
    {
        let error = ours.merge(&other).unwrap_err();
        assert!(error.kind() == ErrorKind::Incompatible && format!("{error}").contains(field), "{error}");
        assert_eq!(ours, before);
    }
}

/// Fingerprints in slots outside their windows, and items outside the slots that do not belong to this
/// filter.
#[test]
fn impossible_contents_are_refused() {
    let empty = filter(10, 8, 0);
    let read = |change: &dyn Fn(&mut CuckooFilter)| {
        let mut changed = empty.clone();
        change(&mut changed);
        CuckooFilter::from_bytes(&changed.to_bytes()).map_err(|error| error.kind())
    };
    assert!(read(&|filter| filter.slots.set(0, 2)).is_ok());
    assert!(read(&|filter| filter.slots.set(20, 3)).is_ok());
    assert_eq!(read(&|filter| filter.slots.set(0, 3)), Err(ErrorKind::Malformed));
    assert_eq!(read(&|filter| filter.slots.set(20, 2)), Err(ErrorKind::Malformed));
    let [low, high] = [empty.params.place(1 << 50).cell(), empty.params.place(u64::MAX / 3).cell()];
    let [low, high] = [low.min(high), low.max(high)];
    assert_eq!(read(&|filter| filter.overflow = vec![low, high]).unwrap().len(), 2);
    assert_eq!(read(&|filter| filter.overflow = vec![high, low]), Err(ErrorKind::Malformed));
    assert_eq!(read(&|filter| filter.overflow = vec![low; 9]), Err(ErrorKind::Malformed));
    for cell in [Cell { fingerprint: 0, ..low }, Cell { fingerprint: 256, ..low }, Cell { window: 10, ..low }]
    {
        assert_eq!(read(&|filter| filter.overflow = vec![cell]), Err(ErrorKind::Malformed));
    }
    let other = empty.params.place_of(low.fingerprint, u64::from(low.window)).starts[1] / 2;
    let unsorted = Cell { window: other as u32, ..low };
    assert_eq!(read(&|filter| filter.overflow = vec![unsorted]), Err(ErrorKind::Malformed));
}
