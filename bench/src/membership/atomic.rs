//! Filters that many threads insert into at once.

use super::filter::SharedFilter;
use super::ours::Atomic;
use super::peers::FastbloomAtomic;
use super::{KeySet, random_sets};
use crate::Options;
use crate::harness::{Column, Contender, best, interleave, print_contenders};
use crate::memory::heap_held;
use bench_report::Targets;
use std::time::Instant;

const FPR: f64 = 0.01;
const COLUMNS: [Column; 6] = [
    Column::Time("insert, 1 thread"),
    Column::Time("insert, 2 threads"),
    Column::Time("hit"),
    Column::Time("miss"),
    Column::Value("fpr %"),
    Column::Value("bits/key"),
];

pub(crate) fn run(options: &Options, targets: &mut Targets) {
    for &n in options.sizes() {
        let sets = random_sets(n);
        let mut contenders = vec![
            contender(Atomic::NAME, &sets, n, Atomic::new),
            contender(FastbloomAtomic::NAME, &sets, n, FastbloomAtomic::new),
        ];
        interleave(&mut contenders, options.rounds);
        let title = format!("n = {n}, target {} %, u64, wall time", FPR * 100.0);
        print_contenders(&format!("Shared membership: {title}"), &COLUMNS, &contenders);
        let of = |name, metric| best(&contenders, name, metric);
        let (one, two) = ("insert, 1 thread", "insert, 2 threads");
        let what = format!("{} insert vs {}: {title}", Atomic::NAME, FastbloomAtomic::NAME);
        targets.at_most(what, of(Atomic::NAME, one), of(FastbloomAtomic::NAME, one), 1.0 / 1.5);
        if n >= 1_000_000 {
            let what = format!("{} insert by two threads vs one: {title}", Atomic::NAME);
            targets.at_most(what, of(Atomic::NAME, two), of(Atomic::NAME, one), 1.0 / 1.7);
        }
    }
}

#[inline(never)]
fn insert_all(filter: &impl SharedFilter, keys: &[u64]) {
    for &key in keys {
        filter.insert(key);
    }
}

#[inline(never)]
fn count_present(filter: &impl SharedFilter, keys: &[u64]) -> usize {
    keys.iter().filter(|&&key| filter.contains(key)).count()
}

/// Wall time: that of two threads is what counts.
fn contender<'a, F: SharedFilter + 'a>(
    name: &'static str,
    sets: &'a [KeySet<u64>],
    n: usize,
    new: fn(usize, f64) -> F,
) -> Contender<'a> {
    Contender::new(name, move |samples| {
        let mut times = [0.0; 4];
        let mut timed = |index: usize, work: &mut dyn FnMut() -> usize| {
            let start = Instant::now();
            let result = work();
            times[index] += start.elapsed().as_secs_f64() * 1e9;
            result
        };
        let (mut heap, mut wrong, mut asked) = (0, 0, 0);
        for set in sets {
            let (filter, held) = heap_held(|| new(n, FPR));
            heap += held;
            timed(0, &mut || {
                insert_all(&filter, &set.members);
                n
            });
            let shared = new(n, FPR);
            let (some, others) = set.members.split_at(n / 2);
            timed(1, &mut || {
                std::thread::scope(|scope| {
                    scope.spawn(|| insert_all(&shared, some));
                    insert_all(&shared, others);
                });
                n
            });
            let found = timed(2, &mut || count_present(&shared, &set.members));
            assert_eq!(found, n, "{name}: a filter may not lose a key");
            wrong += timed(3, &mut || count_present(&filter, &set.strangers));
            asked += set.strangers.len();
        }
        let inserted = (n * sets.len()) as f64;
        samples.record("insert, 1 thread", times[0] / inserted);
        samples.record("insert, 2 threads", times[1] / inserted);
        samples.record("hit", times[2] / inserted);
        samples.record("miss", times[3] / asked as f64);
        samples.record("fpr %", 100.0 * wrong as f64 / asked as f64);
        samples.record("bits/key", 8.0 * heap as f64 / inserted);
    })
}
