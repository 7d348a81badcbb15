//! Cardinality: insert, estimate and merge times, the error over many runs, and the bytes held.

/// Calls a function once for every contender and collects the answers, ours first.
macro_rules! every_contender {
    ($function:ident::<$key:ty>($($argument:expr),*)) => {
        vec![
            $function::<$key, $crate::cardinality::contenders::Crivo<$crate::cardinality::contenders::Single>>($($argument),*),
            $function::<$key, $crate::cardinality::contenders::SimpleHll>($($argument),*),
            $function::<$key, $crate::cardinality::contenders::Lockless>($($argument),*),
            $function::<$key, $crate::cardinality::contenders::LocklessPlus>($($argument),*),
            $function::<$key, $crate::cardinality::contenders::PlusPlus<$key>>($($argument),*),
            $function::<$key, $crate::cardinality::contenders::PlainPacked<$key>>($($argument),*),
            $function::<$key, $crate::cardinality::contenders::Estimator<$key>>($($argument),*),
            $function::<$key, $crate::cardinality::contenders::Datasketches<8>>($($argument),*),
            $function::<$key, $crate::cardinality::contenders::Datasketches<4>>($($argument),*),
        ]
    };
}

mod contenders;
mod quality;

use crate::Options;
use crate::harness::{Column, Contender, Stopwatch, best, fastest_peer, interleave, print_contenders};
use crate::keys::{SplitMix64, hashed, sets_of, slices, text};
use crate::targets::Targets;
use contenders::{Batch, Crivo, Distinct, Feed, HashBatch, SimpleHll, Single};
use crivo::Item;
use std::hash::Hash;
use std::hint::black_box;

/// Calls per timing of `estimate`, which takes from a few nanoseconds to a few microseconds.
const ESTIMATES: usize = 1000;
const SPEED: [Column; 3] = [Column::Time("insert"), Column::Time("estimate"), Column::Time("merge")];

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
    let mut contenders = every_contender!(contender::<K>(sets));
    contenders.insert(1, contender::<K, Crivo<Batch>>(sets));
    contenders.insert(2, contender::<u64, Crivo<HashBatch>>(&hashes));
    interleave(&mut contenders, options.rounds);
    print_contenders(&format!("Cardinality: precision 12, {n} distinct {keys}"), &SPEED, &contenders);

    let case = format!("{n} {keys}");
    let ours = <Single as Feed<K>>::NAME;
    let simple = <SimpleHll as Distinct<K>>::NAME;
    for form in [ours, <Batch as Feed<K>>::NAME] {
        let what = format!("HyperLogLog insert, {form} vs {simple}: {case}");
        targets.at_most(what, best(&contenders, form, "insert"), best(&contenders, simple, "insert"), 1.0);
    }
    let (peer, reference) = fastest_peer(&contenders, "merge");
    let what = format!("HyperLogLog merge vs {peer}: {case}");
    targets.at_most(what, best(&contenders, ours, "merge"), reference, 1.0);
    let what = format!("HyperLogLog estimate vs 3 µs: {case}");
    targets.at_most(what, best(&contenders, ours, "estimate"), 3_000.0, 1.0);
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
