//! Membership: insert, hit and miss times, bits per key and the measured rate of false positives.

mod atomic;
mod bloom;
mod deletable;
mod filter;
mod frozen;
mod ours;
mod peers;
mod variants;

use crate::Options;
use crate::harness::{Column, Contender, Stopwatch, is_ours};
use crate::keys::{SplitMix64, hashed, sets_of};
use crate::memory::heap_held;
use bench_report::Targets;
use crivo::Item;
use filter::Filter;

const COLUMNS: [Column; 5] = [
    Column::Time("insert"),
    Column::Time("hit"),
    Column::Time("miss"),
    Column::Value("fpr %"),
    Column::Value("bits/key"),
];

pub(crate) fn run(options: &Options, targets: &mut Targets) {
    bloom::run(options, targets);
    if options.huge {
        return;
    }
    deletable::run(options, targets);
    frozen::run(options, targets);
    atomic::run(options, targets);
    variants::run(options);
}

/// Keys to insert, and others to ask for that were never inserted.
struct KeySet<K> {
    members: Vec<K>,
    strangers: Vec<K>,
}

impl<K: Item> KeySet<K> {
    fn hashed(&self) -> KeySet<u64> {
        KeySet { members: hashed(&self.members), strangers: hashed(&self.strangers) }
    }
}

fn random_sets(n: usize) -> Vec<KeySet<u64>> {
    let mut random = SplitMix64::new(n as u64);
    (0..sets_of(n))
        .map(|_| KeySet { members: random.take(n), strangers: random.take(n.min(10_000_000)) })
        .collect()
}

fn contender<K: Copy, F: Filter<K>>(sets: &[KeySet<K>], n: usize, fpr: f64) -> Contender<'_> {
    Contender::new(F::NAME, move |samples| {
        let (mut insert, mut hit, mut miss) =
            (Stopwatch::default(), Stopwatch::default(), Stopwatch::default());
        let (mut heap, mut wrong, mut asked) = (0, 0, 0);
        for set in sets {
            // Filters that grow hold their memory only once they are filled.
            let (filter, held) = heap_held(|| {
                let mut filter = F::new(n, fpr);
                insert.run(|| filter.insert_all(&set.members));
                filter
            });
            heap += held;
            // As many hits as misses: at the largest size a part of the members is enough.
            let members = &set.members[..set.strangers.len()];
            let found = hit.run(|| filter.count_present(members));
            assert!(found == members.len() || !is_ours(F::NAME), "{}: a filter may not lose a key", F::NAME);
            wrong += miss.run(|| filter.count_present(&set.strangers));
            asked += set.strangers.len();
        }
        let inserted = n * sets.len();
        samples.record("insert", insert.per_op(inserted));
        samples.record("hit", hit.per_op(asked));
        samples.record("miss", miss.per_op(asked));
        samples.record("fpr %", 100.0 * wrong as f64 / asked as f64);
        samples.record("bits/key", 8.0 * heap as f64 / inserted as f64);
    })
}
