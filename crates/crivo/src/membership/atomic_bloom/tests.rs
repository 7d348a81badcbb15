use super::*;
use crate::codec;

#[test]
fn the_words_of_an_item_differ_and_are_uniform() {
    let mut rng = crate::rng::Rng::new(1);
    let mut counts = [[0u32; WORDS]; WORDS];
    for _ in 0..56_000 {
        let [a, b] = Place::of(rng.next_u64(), 3).words;
        counts[a][b] += 1;
    }
    let mut statistic = 0.0;
    for (a, row) in counts.iter().enumerate() {
        for (b, &count) in row.iter().enumerate() {
            assert!(a != b || count == 0);
            statistic += if a == b { 0.0 } else { pow(f64::from(count) - 1000.0, 2.0) / 1000.0 };
        }
    }
    assert!(statistic < crate::stats::chi_squared_quantile(55.0, 1.0 - 1e-6), "{statistic}");
}

#[test]
fn unlike_filters_do_not_merge() {
    let make = |blocks, hashes, seed| {
        let params = AtomicParams::exact(blocks, hashes).unwrap();
        AtomicBloom::with_params(params).with_hash(HashSpec::seeded(seed))
    };
    let filter = make(3, 6, 1);
    filter.insert("kept");
    let before = filter.clone();
    for (other, field) in [(make(4, 6, 1), "blocks"), (make(3, 8, 1), "hashes"), (make(3, 6, 2), "hash")] {
        let error = filter.merge(&other).unwrap_err();
        assert_eq!(error.kind(), crate::ErrorKind::Incompatible);
        assert!(format!("{error}").contains(field), "{error}");
        assert_eq!(filter, before);
    }
}

#[test]
fn filters_differ_by_size_hash_and_bits() {
    let make = |blocks, seed| {
        AtomicBloom::with_params(AtomicParams::exact(blocks, 6).unwrap()).with_hash(HashSpec::seeded(seed))
    };
    let (empty, filled) = (make(3, 1), make(3, 1));
    filled.insert("inside");
    assert!(empty == make(3, 1) && filled == filled.clone());
    assert!(empty != filled && empty != make(4, 1) && empty != make(3, 2));
}

#[test]
fn a_payload_must_be_as_many_blocks_as_the_params_say() {
    for length in [0, 8, 56, 64, 120, 127, 128, 129, 136, 192] {
        let file = codec::seal(Kind::AtomicBloom, Some(&HashSpec::default()), &[2, 6], &vec![0; length]);
        assert_eq!(AtomicBloom::from_bytes(&file).is_ok(), length == 128, "{length} bytes");
    }
}

#[test]
fn a_full_filter_says_so() {
    let mut filter = AtomicBloom::with_params(AtomicParams::exact(1, 6).unwrap());
    filter.extend(0..10_000u32);
    assert_eq!(filter.fpr().value(), 1.0);
}

/// Four threads insert overlapping parts in different orders and query their own items meanwhile: no item is
/// ever missing for the thread that inserted it, and the final state is that of one thread.
#[test]
fn threads_make_the_filter_that_one_makes() {
    let params = AtomicParams::for_fpr(40_000, 0.01).unwrap();
    let shared = AtomicBloom::with_params(params);
    let part = |thread: u64| (0..20_000u64).map(move |i| thread * 7000 + i * 7919 % 20_000);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (shared, part) = (&shared, &part);
            scope.spawn(move || {
                let mut last = None;
                for item in part(thread) {
                    shared.insert(&item);
                    assert!(shared.contains(&item) && last.is_none_or(|last| shared.contains(&last)));
                    last = Some(item);
                }
            });
        }
    });
    let mut alone = AtomicBloom::with_params(params);
    alone.extend((0..4).flat_map(part));
    assert_eq!(shared, alone);
    assert!((0..4).flat_map(part).all(|item| shared.contains(&item)));
}

/// Two threads in step set bits of the same words, by insertions and by merges: no bit is lost.
#[test]
fn bits_of_the_same_words_are_not_lost() {
    let make = || AtomicBloom::with_params(AtomicParams::exact(1, 16).unwrap());
    let filters: Vec<AtomicBloom> = (0..4000).map(|_| make()).collect();
    let hashes: [Vec<u64>; 2] = [1, 2].map(|seed| {
        let mut rng = crate::rng::Rng::new(seed);
        (0..32).map(|_| rng.next_u64()).collect()
    });
    let parts = [make(), make()];
    parts[0].insert_hashes(&hashes[0]);
    parts[1].insert_hashes(&hashes[1]);
    let reached = [0, 1].map(|_| AtomicU64::new(0));
    std::thread::scope(|scope| {
        for thread in 0..2usize {
            let (filters, hashes, parts, reached) = (&filters, &hashes, &parts, &reached);
            scope.spawn(move || {
                for (filter, round) in filters.iter().zip(0u64..) {
                    reached[thread].store(round, Ordering::Relaxed);
                    while reached[1 - thread].load(Ordering::Relaxed) < round {
                        std::thread::yield_now();
                    }
                    if round % 2 == 0 {
                        filter.insert_hashes(&hashes[thread]);
                    } else {
                        filter.merge(&parts[thread]).unwrap();
                    }
                }
            });
        }
    });
    let [both, other] = parts;
    both.insert_hashes(&hashes[1]);
    assert!(other != both && filters.iter().all(|filter| *filter == both));
}

/// Only one thread sets a bit, and learns so: of two that insert the same item, at least one gets true.
#[test]
fn one_of_two_threads_is_told_that_an_item_is_new() {
    let shared = AtomicBloom::for_fpr(20_000, 1e-8).unwrap();
    let insert_all = || (0..20_000u64).map(|item| shared.insert(&item)).collect::<Vec<bool>>();
    let (one, other) = std::thread::scope(|scope| {
        let other = scope.spawn(insert_all);
        (insert_all(), other.join().unwrap())
    });
    assert!(one.iter().zip(&other).all(|(one, other)| one | other));
}

/// Concurrent insertions and merges into one filter lose nothing.
#[test]
fn a_merge_and_inserts_at_once_lose_nothing() {
    let params = AtomicParams::for_fpr(20_000, 0.01).unwrap();
    let (shared, mut other) = (AtomicBloom::with_params(params), AtomicBloom::with_params(params));
    other.extend(0..10_000u32);
    std::thread::scope(|scope| {
        scope.spawn(|| (10_000..20_000u32).filter(|item| shared.insert(item)).count());
        scope.spawn(|| (0..10).for_each(|_| shared.merge(&other).unwrap()));
    });
    assert!((0..20_000u32).all(|item| shared.contains(&item)));
}
