//! Cardinality: insert, estimate and merge times, the error over many runs, and the bytes held.

mod ours;
mod peers;
mod products;
mod quality;
mod variants;
pub(crate) mod wire;

use crate::Options;
use crate::harness::{Column, Contender, Stopwatch, best, fastest_peer, interleave, print_contenders};
use crate::keys::{SplitMix64, hashed, sets_of, slices, text};
use bench_report::Targets;
use crivo::{ExaLogLog, HyperLogLog, Item};
use ours::{Batch, Crivo, HashBatch, Single};
use std::hash::Hash;
use std::hint::black_box;

/// Of every contender that has one.
const PRECISION: u8 = 12;
/// Calls per timing of `estimate`, which takes from a few nanoseconds to a few microseconds.
const ESTIMATES: usize = 1000;
const SPEED: [Column; 3] = [Column::Time("insert"), Column::Time("estimate"), Column::Time("merge")];

type Hll<F> = Crivo<HyperLogLog, F, PRECISION>;
type Exa<F> = Crivo<ExaLogLog, F, PRECISION>;

/// A sketch that counts distinct keys of type `K`.
trait Distinct<K: Copy>: Sized {
    const NAME: &'static str;
    const MERGES: bool = true;

    fn new() -> Self;

    fn insert(&mut self, key: K);

    fn estimate(&mut self) -> f64;

    /// Called only where it [merges](Self::MERGES).
    fn merge(&mut self, other: &Self);

    #[inline(never)]
    fn insert_all(&mut self, keys: &[K]) {
        for &key in keys {
            self.insert(key);
        }
    }
}

/// Calls a function once for every counter with plain registers and collects the answers, ours first.
macro_rules! every_hyperloglog {
    ($function:ident::<$key:ty>($($argument:expr),*)) => {{
        use $crate::cardinality::{Hll, PRECISION, ours, peers};
        vec![
            $function::<$key, Hll<ours::Single>>($($argument),*),
            $function::<$key, peers::SimpleHll>($($argument),*),
            $function::<$key, peers::Lockless>($($argument),*),
            $function::<$key, peers::LocklessPlus>($($argument),*),
            $function::<$key, peers::PlusPlus<$key>>($($argument),*),
            $function::<$key, peers::PlainPacked<$key>>($($argument),*),
            $function::<$key, peers::Estimator<$key>>($($argument),*),
            $function::<$key, peers::Datasketches<8, PRECISION>>($($argument),*),
            $function::<$key, peers::Datasketches<4, PRECISION>>($($argument),*),
        ]
    }};
}
use every_hyperloglog;

pub(crate) fn run(options: &Options, targets: &mut Targets) {
    for &n in options.sizes() {
        let mut random = SplitMix64::new(n as u64);
        let sets: Vec<Vec<u64>> = (0..sets_of(n)).map(|_| random.take(n)).collect();
        speed("u64", n, &sets, options, targets);
        let texts: Vec<String> = sets.iter().map(|set| text(set)).collect();
        drop(sets);
        let strings: Vec<Vec<&str>> = texts.iter().map(|text| slices(text)).collect();
        speed("16-byte strings", n, &strings, options, targets);
    }
    variants::run(options);
    products::run(if options.quick { 100 } else { 1000 }, targets);
    quality::run(if options.quick { 10 } else { 100 }, targets);
}

fn speed<K: Copy + Hash + Item>(
    keys: &str,
    n: usize,
    sets: &[Vec<K>],
    options: &Options,
    targets: &mut Targets,
) {
    let hashes: Vec<Vec<u64>> = sets.iter().map(|set| hashed(set)).collect();
    let mut contenders = every_hyperloglog!(contender::<K>(sets));
    contenders.insert(1, contender::<K, Hll<Batch>>(sets));
    contenders.insert(2, contender::<u64, Hll<HashBatch>>(&hashes));
    let plain = contenders.len();
    contenders.extend([
        contender::<K, Exa<Single>>(sets),
        contender::<K, Exa<Batch>>(sets),
        contender::<u64, Exa<HashBatch>>(&hashes),
        contender::<K, peers::Exa<PRECISION>>(sets),
        contender::<K, peers::ExaFast<PRECISION>>(sets),
        contender::<K, peers::Ultra<PRECISION>>(sets),
        contender::<K, peers::Cpc<PRECISION>>(sets),
    ]);
    interleave(&mut contenders, options.rounds);
    print_contenders(&format!("Cardinality: precision 12, {n} distinct {keys}"), &SPEED, &contenders);

    let case = format!("{n} {keys}");
    let (plain, finer) = contenders.split_at(plain);
    for form in [name::<K, Hll<Single>>(), name::<K, Hll<Batch>>()] {
        let (peer, reference) = fastest_peer(plain, "insert");
        let what = format!("{form} insert vs {peer}: {case}");
        targets.at_most(what, best(plain, form, "insert"), reference, 1.0);
    }
    for metric in ["merge", "estimate"] {
        let (peer, reference) = fastest_peer(plain, metric);
        let what = format!("HyperLogLog {metric} vs {peer}: {case}");
        targets.at_most(what, best(plain, name::<K, Hll<Single>>(), metric), reference, 1.0);
    }
    let pairs = [
        (name::<K, Exa<Single>>(), name::<K, Hll<Single>>()),
        (name::<K, Exa<Batch>>(), name::<K, Hll<Batch>>()),
    ];
    for (exa, hll) in pairs {
        let ours = best(finer, exa, "insert");
        targets.at_most(format!("{exa} insert vs {hll}: {case}"), ours, best(plain, hll, "insert"), 2.0);
        let (peer, reference) = fastest_peer(finer, "insert");
        targets.below(format!("{exa} insert vs {peer}: {case}"), ours, reference);
    }
}

fn name<K: Copy, D: Distinct<K>>() -> &'static str {
    D::NAME
}

fn contender<K: Copy, D: Distinct<K>>(sets: &[Vec<K>]) -> Contender<'_> {
    Contender::new(D::NAME, move |samples| {
        let mut insert = Stopwatch::default();
        let mut keys = 0;
        for set in sets {
            let mut sketch = D::new();
            insert.run(|| sketch.insert_all(set));
            keys += set.len();
        }
        samples.record("insert", insert.per_op(keys));

        let mut full = filled::<K, D>(&sets[0]);
        samples.time("estimate", ESTIMATES, || {
            (0..ESTIMATES).map(|_| black_box(&mut full).estimate()).sum::<f64>()
        });
        samples.record("merge", merge_time::<K, D>(&sets[0]));
    })
}

/// Merges into sketches that have not yet seen the other half, a handful at a time so that they stay in the
/// second-level cache and the clock is read once for all of them.
fn merge_time<K: Copy, D: Distinct<K>>(keys: &[K]) -> f64 {
    const TOGETHER: usize = 32;
    const PASSES: usize = 8;
    const KEYS: usize = 25_000;
    let keys = &keys[..keys.len().min(KEYS)];
    let (left, right) = keys.split_at(keys.len() / 2);
    let other = filled::<K, D>(right);
    let mut watch = Stopwatch::default();
    for _ in 0..PASSES {
        let mut sketches: Vec<D> = (0..TOGETHER).map(|_| filled(left)).collect();
        watch.run(|| {
            for sketch in &mut sketches {
                sketch.merge(&other);
            }
        });
    }
    watch.per_op(PASSES * TOGETHER)
}

fn filled<K: Copy, D: Distinct<K>>(keys: &[K]) -> D {
    let mut sketch = D::new();
    sketch.insert_all(keys);
    sketch
}
