//! The rest of our family side by side, with an exact set for scale.

use super::ours::{Bloom, Compaction, Compressed, Dynamic, Partitioned, Scalable, Table, Windowed};
use super::peers::Exact;
use super::{COLUMNS, KeySet, contender, random_sets};
use crate::Options;
use crate::harness::{Column, Contender, Stopwatch, interleave, print_contenders};
use crate::memory::heap_held;
use crivo::baseline::DirectTable;
use crivo::membership::SpectralBloom;

const FPR: f64 = 0.01;

pub(crate) fn run(options: &Options) {
    let n = if options.quick { 10_000 } else { 1_000_000 };
    let sets = random_sets(n);
    let mut contenders = vec![
        contender::<u64, Bloom>(&sets, n, FPR),
        contender::<u64, Partitioned>(&sets, n, FPR),
        contender::<u64, Compressed>(&sets, n, FPR),
        contender::<u64, Scalable>(&sets, n, FPR),
        contender::<u64, Dynamic>(&sets, n, FPR),
        contender::<u64, Windowed>(&sets, n, FPR),
        spectral(&sets, n),
        contender::<u64, Compaction>(&sets, n, FPR),
        contender::<u64, Table>(&sets, n, FPR),
        direct(&sets, n),
        contender::<u64, Exact<u64>>(&sets, n, FPR),
    ];
    interleave(&mut contenders, options.rounds);
    let title = format!("Membership, other structures: n = {n}, target {} %, u64", FPR * 100.0);
    print_contenders(&title, &[&COLUMNS[..], &[Column::Time("frequency")]].concat(), &contenders);
}

/// A counting structure: one occurrence of each key.
fn spectral(sets: &[KeySet<u64>], n: usize) -> Contender<'_> {
    Contender::new("crivo spectral", move |samples| {
        let (mut insert, mut hit, mut miss, mut frequency) =
            (Stopwatch::default(), Stopwatch::default(), Stopwatch::default(), Stopwatch::default());
        let (mut heap, mut wrong, mut asked) = (0, 0, 0);
        for set in sets {
            let (mut filter, held) = heap_held(|| {
                SpectralBloom::for_fpr(n as u64, FPR).expect("every size and rate measured here is valid")
            });
            heap += held;
            insert.run(|| set.members.iter().for_each(|key| filter.add(key, 1)));
            let present = |keys: &[u64]| keys.iter().filter(|key| filter.contains(*key)).count();
            assert_eq!(hit.run(|| present(&set.members)), n, "a filter may not lose a key");
            wrong += miss.run(|| present(&set.strangers));
            asked += set.strangers.len();
            frequency.run(|| set.members.iter().map(|key| filter.frequency(key).value()).sum::<f64>());
        }
        let inserted = n * sets.len();
        samples.record("insert", insert.per_op(inserted));
        samples.record("hit", hit.per_op(inserted));
        samples.record("miss", miss.per_op(asked));
        samples.record("frequency", frequency.per_op(inserted));
        samples.record("fpr %", 100.0 * wrong as f64 / asked as f64);
        samples.record("bits/key", 8.0 * heap as f64 / inserted as f64);
    })
}

/// Numbers below sixteen times as many: what a bit for each possible item costs.
fn direct(sets: &[KeySet<u64>], n: usize) -> Contender<'_> {
    Contender::new("crivo direct table (exact, universe of 16n)", move |samples| {
        let universe = 16 * n as u64;
        let (mut insert, mut hit) = (Stopwatch::default(), Stopwatch::default());
        let mut heap = 0;
        for set in sets {
            let keys: Vec<u64> = set.members.iter().map(|key| key % universe).collect();
            let (mut table, held) =
                heap_held(|| DirectTable::for_universe(universe).expect("every size measured here is valid"));
            heap += held;
            insert.run(|| keys.iter().for_each(|&key| drop(table.insert(key))));
            assert_eq!(hit.run(|| keys.iter().filter(|&&key| table.contains(key)).count()), n);
        }
        let inserted = n * sets.len();
        samples.record("insert", insert.per_op(inserted));
        samples.record("hit", hit.per_op(inserted));
        samples.record("fpr %", 0.0);
        samples.record("bits/key", 8.0 * heap as f64 / inserted as f64);
    })
}
