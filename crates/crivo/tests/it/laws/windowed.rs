//! A window of a stream: no item within it is denied, and earlier ones are forgotten.

use crate::structures::{OPTIONS, Subject};
use crivo::rng::Rng;
use crivo::sketch::Membership;
use crivo::{HashSpec, WindowedBloom};
use std::collections::HashMap;

/// Compares with the exact times of all items: in parts that are merged, through bytes and pauses. A single stream
/// leaves the same state and bytes as its last generations alone.
pub(super) fn windows_are_filters(make: impl Fn(HashSpec) -> WindowedBloom) {
    let mut rng = Rng::new(120);
    for round in 0..60 {
        let spec = HashSpec::seeded(round);
        let stream = stream(&mut rng, &make(spec));
        forgets_as_if_never_seen(&make(spec), &stream);
        let (mut one, mut other) = (make(spec), make(spec));
        let mut last_times = HashMap::new();
        for (time, hashes) in &stream {
            let part = if rng.below(2) == 0 { &mut one } else { &mut other };
            let time_there = part.latest().max(*time);
            if rng.below(2) == 0 {
                let latest_were = part.clone();
                for (hash, new) in hashes.iter().zip(part.insert_hashes_at(hashes, *time)) {
                    assert!(!new || !latest_were.contains_hash_at(*hash, *time), "new, but it was inside");
                }
            } else {
                for &hash in hashes {
                    part.insert_hash_at(hash, *time);
                }
            }
            for &hash in hashes {
                let last = last_times.entry(hash).or_insert(time_there);
                *last = time_there.max(*last);
            }
        }
        if round % 2 == 0 {
            other = WindowedBloom::from_bytes_with(&other.to_bytes(), &OPTIONS).unwrap();
        }
        let mut filter = one.merged_with(&other);
        if round % 3 == 0 {
            filter.advance(filter.latest() + rng.below(filter.params().window()));
        }
        assert_window(&filter, &last_times);
    }
}

/// Times, mostly in order, and the hashes that come at each; some are repeated.
fn stream(rng: &mut Rng, filter: &WindowedBloom) -> Vec<(u64, Vec<u64>)> {
    let (span, items) = (filter.params().span(), filter.params().items());
    let mut time = rng.next_u64() >> 2;
    let some = (0..4 * items + 20).map(|_| rng.next_u64()).collect::<Vec<_>>();
    (0..rng.below(40))
        .map(|_| {
            time = (time + rng.below(span + 2)).saturating_sub(rng.below(2) * rng.below(span));
            let count = rng.below(items + 10);
            (time, (0..count).map(|_| some[rng.below(some.len() as u64) as usize]).collect())
        })
        .collect()
}

fn forgets_as_if_never_seen(empty: &WindowedBloom, stream: &[(u64, Vec<u64>)]) {
    let (mut whole, mut short) = (empty.clone(), empty.clone());
    let (span, generations) = (empty.params().span(), u64::from(empty.params().generations()));
    let latest = stream.iter().map(|(time, _)| *time).max().unwrap_or(0);
    for (time, hashes) in stream {
        whole.insert_hashes_at(hashes, *time);
        if whole.latest() / span + generations >= latest / span {
            short.insert_hashes_at(hashes, whole.latest());
        }
    }
    short.advance(latest);
    assert_eq!(whole, short);
    assert_eq!(whole.to_bytes(), short.to_bytes());
    assert_eq!(whole.memory_bytes(), short.memory_bytes());
    let rate = whole.fpr();
    assert!(rate.upper() <= empty.params().fpr() * (1.0 + 1e-9), "{rate} of {:?}", empty.params());
}

fn assert_window(filter: &WindowedBloom, last_times: &HashMap<u64, u64>) {
    let latest = filter.latest();
    for at in [0, latest, latest + 1, latest + filter.params().span()] {
        let is_recent = |time: u64| at.max(latest) - time <= filter.params().window();
        let recent: Vec<u64> =
            last_times.iter().filter(|&(_, &time)| is_recent(time)).map(|(&hash, _)| hash).collect();
        assert!(recent.iter().all(|&hash| filter.contains_hash_at(hash, at)));
        assert_eq!(filter.contains_hashes_at(&recent, at), vec![true; recent.len()]);
        if at == latest {
            assert_eq!(Membership::contains_hashes(filter, &recent), vec![true; recent.len()]);
        }
    }
    let (rate, limit) = (filter.fpr(), 2.0 * filter.params().fpr());
    assert!(rate.value() <= limit, "two filters of {:?}: {rate}", filter.params());
}
