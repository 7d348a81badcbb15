//! Sketches that threads fill through a shared reference: eight threads insert ten million items each, all at once.

use crivo::frequency::CountMinParams;
use crivo::{AtomicCountMin, AtomicHyperLogLog, CountMin, HyperLogLog};
use std::sync::Barrier;
use std::thread;

const THREADS: u64 = 8;
const ITEMS: u64 = 10_000_000;

/// Calls `insert` with the items of each thread on a thread of its own. Neighbours share half of their items, so that they race
/// for the same registers.
fn hammer(insert: impl Fn(u64) + Sync) {
    let (insert, barrier) = (&insert, &Barrier::new(THREADS as usize));
    thread::scope(|scope| {
        for thread in 0..THREADS {
            scope.spawn(move || {
                barrier.wait();
                (thread * ITEMS / 2..thread * ITEMS / 2 + ITEMS).for_each(insert);
            });
        }
    });
}

#[test]
#[ignore = "long tier: 80 million insertions"]
fn hammered_registers_are_those_of_one_thread() {
    let atomic = AtomicHyperLogLog::for_precision(10).unwrap();
    hammer(|item| {
        atomic.insert(&item);
    });
    let mut plain = HyperLogLog::for_precision(10).unwrap();
    plain.extend(0..ITEMS * (THREADS + 1) / 2);
    assert_eq!(atomic.snapshot(), plain);
}

#[test]
#[ignore = "long tier: 80 million insertions"]
fn hammered_counters_lose_nothing() {
    let params = CountMinParams::for_error(0.01, 0.01).unwrap();
    let atomic = AtomicCountMin::with_params(params).unwrap();
    hammer(|item| atomic.add(&(item % 1000), 1));
    let mut plain = CountMin::with_params(params);
    // Every thread inserts ten million items in a row, so that each remainder comes equally often.
    (0..1000u64).for_each(|item| plain.add(&item, THREADS * ITEMS / 1000));
    assert_eq!(atomic.snapshot(), plain);
}
