use super::queue::Queue;
use super::summary::divisor_for;
use super::table::Table;
use super::threshold::nth_largest;
use super::*;
use crate::codec::{self, put_u64_varint};
use crate::kind::Kind;
use crate::rng::Rng;
use crate::{Element, ErrorKind};
use alloc::collections::BTreeMap;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

#[test]
fn counting_finds_what_sorting_finds() {
    let mut rng = Rng::new(1);
    for round in 0..300u64 {
        let least = rng.next_u64() >> rng.below(64);
        let spread = 1 + (rng.next_u64() >> rng.below(64)) % (u64::MAX - least).max(1);
        let few = if round % 3 == 0 { 3 } else { spread };
        let values: Vec<u64> =
            (0..=rng.below(60)).map(|_| least + rng.below(spread).min(rng.below(few))).collect();
        let mut sorted = values.clone();
        sorted.sort_unstable_by(|one, other| other.cmp(one));
        for (place, &value) in sorted.iter().enumerate() {
            assert_eq!(
                nth_largest(&values.iter().copied(), least, place + 1),
                value,
                "{place} of {sorted:?}"
            );
        }
    }
    assert_eq!(nth_largest(&[u64::MAX, 0, 256, 255].into_iter(), 0, 2), 256);
}

/// Returns hashes of items that share all bits, some bits, or none.
fn hash_of(item: u64, round: u64) -> u32 {
    match round % 3 {
        0 => 7,
        1 => (item % 4) as u32 * 0x4000_0001,
        _ => (crate::HashSpec::default().hash(&item) >> 32) as u32,
    }
}

/// Compares with a sorted map, for any hashes.
#[test]
fn the_table_is_a_map() {
    let mut rng = Rng::new(2);
    for round in 0..12 {
        let most = 1 + rng.below(300) as usize;
        let mut table = Table::<u64>::new(most);
        let mut model = BTreeMap::new();
        for _ in 0..2000 {
            let item = rng.below(3 * most as u64);
            let hash = hash_of(item, round);
            match table.find(&item, hash) {
                Ok(place) => {
                    table.raise(place, 1);
                    model.get_mut(&item).map(|(upper, _)| *upper += 1u64).unwrap();
                }
                Err(slot) if !table.is_full() => {
                    let upper = 1 + rng.below(5);
                    table.push(&item, hash, upper, 1, slot);
                    assert!(model.insert(item, (upper, 1)).is_none());
                }
                Err(_) => {
                    let place = rng.below(most as u64) as usize;
                    model.remove(table.item(place));
                    table.replace(place, &item, hash, 2, 0);
                    model.insert(item, (2, 0));
                }
            }
            if rng.below(200) == 0 {
                let threshold = rng.below(6);
                table.retain_above(threshold);
                model.retain(|_, (upper, _)| *upper > threshold);
            }
            assert_eq!(table.len(), model.len());
        }
        for item in 0..3 * most as u64 {
            let place = table.find(&item, hash_of(item, round)).ok();
            let found = place.map(|place| (table.upper(place), table.error(place)));
            assert_eq!(found, model.get(&item).copied(), "item {item}");
        }
    }
}

#[test]
fn items_of_one_hash_are_placed_by_another() {
    for (round, was_chosen) in [(0, true), (2, false)] {
        let mut table = Table::<u64>::new(5000);
        for item in 0..10_000u64 {
            let hash = hash_of(item, round);
            match table.find(&item, hash) {
                Err(slot) if !table.is_full() => table.push(&item, hash, 1, 0, slot),
                _ => table.replace(item as usize % 5000, &item, hash, 1, 0),
            }
        }
        assert_eq!(table.is_rehashed(), was_chosen);
        assert!((5000..10_000u64).all(|item| table.find(&item, hash_of(item, round)).is_ok()));
    }
}

/// The next counter to be replaced is the smallest by count, hash and item, whatever was raised or replaced
/// in between.
#[test]
fn the_queue_gives_the_smallest() {
    let mut rng = Rng::new(3);
    for round in 0..9 {
        let most = 1 + rng.below(150) as usize;
        let (mut table, mut queue) = (Table::<u64>::new(most), Queue::default());
        let wide = 1 << (round * 7);
        for item in 0..most as u64 {
            let slot = table.free_slot(&item, hash_of(item, round));
            table.push(&item, hash_of(item, round), 1 + rng.below(wide), 0, slot);
        }
        for next in 0..1000 {
            for _ in 0..rng.below(20) {
                table.raise(rng.below(most as u64) as usize, 1 + rng.below(wide));
            }
            let key = |place: &usize| (table.upper(*place), table.hash(*place), *table.item(*place));
            let smallest = (0..most).min_by_key(key).unwrap();
            assert_eq!(queue.pop(&table), smallest, "round {round}");
            let (item, upper) = (1000 + next, table.upper(smallest) + 1 + rng.below(wide));
            table.replace(smallest, &item, hash_of(item, round), upper, 0);
            queue.push(smallest, &table);
        }
    }
}

fn entries<T: Element>(hitters: Vec<Hitter<T>>) -> Vec<(T, f64, f64)> {
    hitters.into_iter().map(|h| (h.item.clone(), h.count.lower(), h.count.upper())).collect()
}

/// Checks the drawings on the pages.
#[test]
fn worked_examples() {
    let mut cut = MisraGries::<u64>::for_counters(4).unwrap();
    let mut saved = SpaceSaving::<u64>::for_counters(3).unwrap();
    for (item, count) in [(1, 9), (2, 4), (3, 2), (4, 1)] {
        cut.add(&item, count);
        saved.add(&item, count);
    }
    assert_eq!(entries(saved.top(9)), [(1, 9.0, 9.0), (2, 4.0, 4.0), (4, 1.0, 3.0)]);
    assert_eq!(saved.floor(), 2);
    cut.add(&5u64, 1);
    assert_eq!(entries(cut.top(9)), [(1, 9.0, 9.0), (2, 4.0, 4.0), (5, 1.0, 3.0)]);
    assert_eq!(cut.floor(), 2);
    let flags: Vec<bool> = cut.top(9).iter().map(Hitter::is_rank_guaranteed).collect();
    assert_eq!(flags, [true, true, false], "a removed item may have occurred twice");
}

#[test]
fn items_with_one_hash_are_told_apart() {
    let (mut cut, mut saved) =
        (MisraGries::<u64>::for_counters(10).unwrap(), SpaceSaving::<u64>::for_counters(10).unwrap());
    for i in 0..10u64 {
        cut.add_hashed(&i, 42, i + 1);
        saved.add_hashed(&i, 42, i + 1);
    }
    for i in 0..10u64 {
        assert_eq!(cut.frequency_hashed(&i, 42).value(), (i + 1) as f64);
        assert_eq!(saved.frequency_hashed(&i, 42).value(), (i + 1) as f64);
    }
    saved.add_hashed(&99u64, 42, 1);
    assert_eq!(saved.frequency_hashed(&99u64, 42).upper(), 2.0);
    assert_eq!(saved.frequency_hashed(&0u64, 42).lower(), 0.0);
}

#[test]
fn counts_beyond_64_bits_are_unbounded() {
    let mut sketch = SpaceSaving::<u64>::for_counters(2).unwrap();
    sketch.add(&1u64, u64::MAX - 1);
    assert!(sketch.frequency(&1u64).upper().is_finite());
    sketch.add(&1u64, 9);
    let answer = sketch.frequency(&1u64);
    assert!(answer.upper().is_infinite() && answer.lower() > 1.8e19, "{answer}");
    assert_eq!(sketch.total(), u64::MAX);
    sketch.add(&2u64, u64::MAX);
    assert!(sketch.top(2).iter().all(|hitter| !hitter.is_rank_guaranteed()));
    sketch.add(&3u64, 1);
    assert!(sketch.frequency(&4u64).upper().is_infinite());
    assert!(sketch.possibly_above(u64::MAX).is_err());
}

#[test]
fn targets_are_met_with_the_fewest_counters() {
    for (share, divisor) in [(0.5, 2), (0.01, 100), (0.001, 1000), (1.0 / 3.0, 4), (0.3, 4), (0.999, 2)] {
        assert_eq!(divisor_for(share, u32::MAX), Ok(divisor), "{share}");
        assert_eq!(SpaceSaving::<u64>::for_error(share).unwrap().counters(), divisor);
        assert_eq!(MisraGries::<u64>::for_error(share).unwrap().counters(), 2 * (divisor - 1));
    }
    // The double nearest to a third is below it: three counters would just miss it.
    assert_eq!(SpaceSaving::<u64>::for_error(1e-9).unwrap_err().kind(), ErrorKind::InvalidArgument);
}

/// Returns a file of numbers: total, floor, and item, upper bound less floor and error of each entry.
fn file(kind: Kind, counters: u64, total: u64, floor: u64, entries: &[(u64, u64, u64)]) -> Vec<u8> {
    let (mut params, mut payload) = (vec![u64::TAG], Vec::new());
    put_u64_varint(&mut params, counters);
    for number in [total, floor, entries.len() as u64] {
        put_u64_varint(&mut payload, number);
    }
    for (item, excess, error) in entries {
        item.encode(&mut payload);
        put_u64_varint(&mut payload, *excess);
        put_u64_varint(&mut payload, *error);
    }
    codec::seal(kind, Some(&crate::HashSpec::default()), &params, &payload)
}

#[test]
fn impossible_states_are_refused() {
    type Case = (u64, u64, u64, &'static [(u64, u64, u64)]);
    const MAX: u64 = u64::MAX;
    let read = |kind, (counters, total, floor, entries): Case| {
        let bytes = file(kind, counters, total, floor, entries);
        let result = crate::decode(&bytes, &crate::DecodeOptions::default()).map(|sketch| sketch.to_bytes());
        assert!(result.as_ref().map_or(true, |again| *again == bytes), "written otherwise");
        result.map(|_| ()).map_err(|error| error.kind())
    };
    let possible: [Case; 7] = [
        (4, 0, 0, &[]),
        (4, 5, 0, &[(1, 2, 0), (2, 3, 0)]),
        (4, 11, 2, &[(1, 3, 0)]),
        (4, 11, 2, &[(1, 3, 2)]),
        (4, MAX, 0, &[(1, MAX, 0)]),
        (4, MAX, MAX, &[(1, 0, MAX)]),
        (4, MAX, 7, &[(1, 1, 7)]),
    ];
    let impossible: [Case; 12] = [
        (0, 0, 0, &[]),
        (1 << 27, 0, 0, &[]),
        (1, 5, 0, &[(1, 2, 0), (2, 3, 0)]),
        (4, 5, 0, &[(2, 3, 0), (1, 2, 0)]),
        (4, 5, 0, &[(1, 3, 0), (1, 2, 0)]),
        (4, 4, 0, &[(1, 2, 0), (2, 3, 0)]),
        (4, 6, 0, &[(1, 2, 0), (2, 3, 0)]),
        (4, 8, 2, &[(1, 3, 0)]),
        (4, 11, 2, &[(1, 3, 3)]),
        (4, 11, 2, &[(1, 0, 2)]),
        (4, MAX, 1, &[(1, MAX, 0)]),
        (4, 1, 1, &[]),
    ];
    for kind in [Kind::MisraGries, Kind::SpaceSaving] {
        for case in possible {
            assert_eq!(read(kind, case), Ok(()), "{kind:?} {case:?}");
        }
        for case in impossible {
            assert_eq!(read(kind, case), Err(ErrorKind::Malformed), "{kind:?} {case:?}");
        }
    }
    // An item at the floor can wait to be replaced, but cannot survive a cut.
    assert_eq!(read(Kind::SpaceSaving, (2, 6, 3, &[(1, 0, 0)])), Ok(()));
    assert_eq!(read(Kind::MisraGries, (2, 6, 3, &[(1, 0, 0)])), Err(ErrorKind::Malformed));
}

/// Checks the tables on the pages.
#[test]
fn memory_of_the_pages() {
    for (share, cut_bytes, saved_bytes) in [(0.01, 7_128, 4_400), (0.001, 71_928, 44_000)] {
        let (mut cut, mut saved) =
            (MisraGries::<u64>::for_error(share).unwrap(), SpaceSaving::<u64>::for_error(share).unwrap());
        cut.extend(0..100_000);
        saved.extend(0..saved.counters().into());
        assert_eq!(cut.memory_bytes() - size_of::<MisraGries<u64>>(), cut_bytes);
        // The queue is longest when all counters are equal.
        saved.add(&u64::MAX, 1);
        assert_eq!(saved.memory_bytes() - size_of::<SpaceSaving<u64>>(), saved_bytes);
    }
}

#[test]
fn an_error_too_small_is_told_as_such() {
    for error in
        [MisraGries::<u64>::for_error(2e-8).unwrap_err(), SpaceSaving::<u64>::for_error(1e-8).unwrap_err()]
    {
        assert!(error.to_string().contains("choose a larger error"), "{error}");
    }
}

std::thread_local! {
    /// The number of comparisons of two [`Crowding`] items.
    static COMPARED: core::cell::Cell<u64> = const { core::cell::Cell::new(0) };
}

/// Numbers whose hashes anyone can choose: one hash for all, or one slot for all with other low bits.
#[derive(Clone, Copy, Debug)]
struct Crowding<const ONE_HASH: bool>(u64);

impl<const ONE_HASH: bool> Ord for Crowding<ONE_HASH> {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        COMPARED.set(COMPARED.get() + 1);
        self.0.cmp(&other.0)
    }
}

impl<const ONE_HASH: bool> PartialOrd for Crowding<ONE_HASH> {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<const ONE_HASH: bool> PartialEq for Crowding<ONE_HASH> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<const ONE_HASH: bool> Eq for Crowding<ONE_HASH> {}

impl<const ONE_HASH: bool> crate::Item for Crowding<ONE_HASH> {
    fn hash_item(&self, _: &crate::HashSpec) -> u64 {
        if ONE_HASH { 42 << 32 } else { 1 << 63 | (self.0 % (1 << 18)) << 32 }
    }
}

impl<const ONE_HASH: bool> Element for Crowding<ONE_HASH> {
    const TAG: u8 = 200;

    fn order(&self, other: &Self) -> core::cmp::Ordering {
        self.0.cmp(&other.0)
    }

    fn encode(&self, bytes: &mut Vec<u8>) {
        self.0.encode(bytes);
    }

    fn decode(bytes: &mut &[u8]) -> crate::Result<Self> {
        u64::decode(bytes).map(Self)
    }
}

/// Checks that `work` for each of `n` items takes few comparisons: a search in the slots and one in the
/// crowd, of at most 8 + log₂ n + 2 each.
fn assert_few_comparisons<R>(what: &str, n: u64, searches: u64, work: impl FnOnce() -> R) -> R {
    COMPARED.set(0);
    let result = work();
    let most = searches * n * (8 + 2 + u64::from(n.ilog2() + 1));
    assert!(COMPARED.get() <= most, "{what}: {} comparisons, more than {most}", COMPARED.get());
    result
}

fn crowds_cost_logarithms<const ONE_HASH: bool>() {
    let n = 20_000u64;
    let items = |from: u64| (from..from + n).map(Crowding::<ONE_HASH>);
    let (mut cut, mut saved) = (
        MisraGries::for_counters(n as u32).unwrap(),
        SpaceSaving::<Crowding<ONE_HASH>>::for_counters(n as u32).unwrap(),
    );
    // Each insertion takes a search and an entry, and moves to larger tables about twice.
    assert_few_comparisons("coming in", 2 * n, 4, || {
        cut.extend(items(0));
        saved.extend(items(0));
    });
    assert_few_comparisons("being counted", 2 * n, 1, || {
        cut.extend(items(0));
        saved.extend(items(0));
    });
    let [cut_bytes, saved_bytes] = [cut.to_bytes(), saved.to_bytes()];
    let other = assert_few_comparisons("reading", 2 * n, 2, || {
        (MisraGries::from_bytes(&cut_bytes).unwrap(), SpaceSaving::from_bytes(&saved_bytes).unwrap())
    });
    assert_few_comparisons("being equal", 2 * n, 1, || assert!(other.0 == cut && other.1 == saved));
    assert_eq!([other.0.to_bytes(), other.1.to_bytes()], [cut_bytes, saved_bytes]);
    assert_few_comparisons("merging", 2 * n, 2, || {
        cut.merge(&other.0).unwrap();
        saved.merge(&other.1).unwrap();
    });
    // A search, a removal and an insertion; the queue compares items that are otherwise equal.
    assert_few_comparisons("taking the place of others", 2 * n, 6, || {
        cut.extend(items(n));
        saved.extend(items(n));
    });
    assert_eq!(saved.top(usize::MAX).len() as u64, n);
    assert!(items(n).all(|item| saved.frequency(&item).lower() == 1.0));
}

#[test]
fn items_of_one_hash_cost_logarithms() {
    crowds_cost_logarithms::<true>();
}

#[test]
fn items_of_one_slot_cost_logarithms() {
    crowds_cost_logarithms::<false>();
}

/// Far below any possible size, and above 2⁵³, where a divisor plus one equals the divisor.
#[test]
fn errors_without_end_are_refused() {
    for share in [1e-9, 1e-16, 3e-17, 1e-18, 1e-19, 1e-20, 1e-30, 1e-300, 5e-324] {
        assert_eq!(divisor_for(share, u32::MAX).is_ok(), share == 1e-9, "{share}");
        assert!(
            MisraGries::<u64>::for_error(share).is_err() && SpaceSaving::<u64>::for_error(share).is_err()
        );
    }
}

#[test]
fn full_sketches_take_what_is_planned() {
    for counters in [1u32, 15, 16, 17, 1000] {
        let mut misra_gries = MisraGries::<Vec<u8>>::for_counters(counters).unwrap();
        let mut space_saving = SpaceSaving::<Vec<u8>>::for_counters(counters).unwrap();
        for item in 0..counters {
            misra_gries.add(&item.to_le_bytes()[..], 1);
            space_saving.add(&item.to_le_bytes()[..], 1);
        }
        // The queue is filled when a counter is needed for another item.
        space_saving.add(&counters.to_le_bytes()[..], 1);
        let items = counters as usize * size_of::<u32>();
        let beside = |bytes: usize| (bytes - items) as u64;
        assert_eq!(beside(misra_gries.memory_bytes()), MisraGries::<Vec<u8>>::memory_for(counters));
        assert_eq!(beside(space_saving.memory_bytes()), SpaceSaving::<Vec<u8>>::memory_for(counters));
    }
}
