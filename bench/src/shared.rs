//! Counters that threads share, and sketches per key.

use crate::Options;
use crate::harness::{Column, Contender, best, interleave, print_contenders};
use bench_report::Targets;
use crivo::{AtomicCountMin, AtomicHyperLogLog, CountMin, ExaLogLog, HyperLogLog, PerKey};
use std::collections::HashMap;
use std::hint::black_box;
use std::time::Instant;

const ONE: &str = "1 thread";
const TWO: &str = "2 threads";
const INSERT: &str = "insert";

pub(crate) fn run(options: &Options, targets: &mut Targets) {
    let items = if options.quick { 1_000_000 } else { 10_000_000 };
    counters(options, targets, items);
    per_key(options, targets, items / 5);
}

/// Wall time per item of `items` inserts, all by one thread or half of them by each of two.
fn time<S: Sync>(items: u64, threads: u64, sketch: &S, insert: impl Fn(&S, u64) + Sync) -> f64 {
    let start = Instant::now();
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let insert = &insert;
            scope
                .spawn(move || (0..items / threads).for_each(|item| insert(sketch, item * threads + thread)));
        }
    });
    start.elapsed().as_secs_f64() * 1e9 / items as f64
}

fn counters(options: &Options, targets: &mut Targets, items: u64) {
    let mut contenders = vec![
        Contender::new("HyperLogLog", |samples| {
            let mut sketch = HyperLogLog::for_precision(14).expect("in range");
            let start = Instant::now();
            (0..items).for_each(|item| {
                sketch.insert(&item);
            });
            samples.record(ONE, start.elapsed().as_secs_f64() * 1e9 / items as f64);
            black_box(sketch.estimate());
        }),
        Contender::new("AtomicHyperLogLog", |samples| {
            for (metric, threads) in [(ONE, 1), (TWO, 2)] {
                let sketch = AtomicHyperLogLog::for_precision(14).expect("in range");
                let insert = |sketch: &AtomicHyperLogLog, item| {
                    sketch.insert(&item);
                };
                samples.record(metric, time(items, threads, &sketch, insert));
                black_box(sketch.snapshot());
            }
        }),
        Contender::new("CountMin", |samples| {
            let mut sketch = CountMin::for_error(0.0001, 0.01).expect("in range");
            let start = Instant::now();
            (0..items).for_each(|item| sketch.add(&item, 1));
            samples.record(ONE, start.elapsed().as_secs_f64() * 1e9 / items as f64);
            black_box(sketch.total());
        }),
        Contender::new("AtomicCountMin", |samples| {
            for (metric, threads) in [(ONE, 1), (TWO, 2)] {
                let sketch = AtomicCountMin::for_error(0.0001, 0.01).expect("in range");
                samples.record(metric, time(items, threads, &sketch, |sketch, item| sketch.add(&item, 1)));
                black_box(sketch.total());
            }
        }),
    ];
    interleave(&mut contenders, options.rounds);
    let columns = [Column::Time(ONE), Column::Time(TWO)];
    print_contenders(&format!("Shared counters: {items} distinct u64, wall time"), &columns, &contenders);
    let of = |name, metric| best(&contenders, name, metric);
    let (atomic, plain) = ("AtomicHyperLogLog", "HyperLogLog");
    targets.at_most(format!("{atomic} insert vs {plain}, one thread"), of(atomic, ONE), of(plain, ONE), 1.3);
    targets.at_most(
        format!("{atomic} insert by two threads vs one"),
        of(atomic, TWO),
        of(atomic, ONE),
        1.0 / 1.6,
    );
}

fn per_key(options: &Options, targets: &mut Targets, items: u64) {
    const KEYS: u64 = 1000;
    let visits: Vec<(u64, u64)> =
        (0..items).map(|item| (item.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40, item)).collect();
    let visits = &visits;
    let empty = || ExaLogLog::for_error(0.05).expect("in range");
    let mut contenders = vec![
        Contender::new("PerKey", move |samples| {
            let mut table = PerKey::new(empty(), 1 << 30).expect("it fits");
            samples.time(INSERT, visits.len(), || {
                for (key, item) in visits {
                    table.insert(&(key % KEYS), item).expect("never full");
                }
            });
            assert_eq!(table.len() as u64, KEYS);
        }),
        Contender::new("HashMap of sketches", move |samples| {
            let mut table = HashMap::new();
            samples.time(INSERT, visits.len(), || {
                for (key, item) in visits {
                    table.entry(key % KEYS).or_insert_with(empty).insert(item);
                }
            });
            assert_eq!(table.len() as u64, KEYS);
        }),
    ];
    interleave(&mut contenders, options.rounds);
    print_contenders(&format!("{items} items of {KEYS} keys"), &[Column::Time(INSERT)], &contenders);
    let of = |name| best(&contenders, name, INSERT);
    targets.at_most(
        "PerKey insert vs a HashMap of sketches".into(),
        of("PerKey"),
        of("HashMap of sketches"),
        1.5,
    );
}
