//! The most frequent items: time, memory, how many of the true ones are found, and how far their counts are off.

use crate::harness::{Column, Contender, Stopwatch, best, interleave, print_contenders};
use crate::keys::Stream;
use crate::memory::heap_held;
use bench_report::Targets;
use crivo::{MisraGries, SpaceSaving};
use datasketches::frequencies::{ErrorType, FrequentItemsSketch};
use foldhash::fast::FixedState;
use heavykeeper::BucketedTopK;
use std::collections::{HashMap, HashSet};
use topk::FilteredSpaceSaving;

/// How many of the most frequent items are asked for.
const TOP: usize = 100;
const COLUMNS: [Column; 4] =
    [Column::Time("update"), Column::Value("KiB"), Column::Value("recall %"), Column::Value("count error %")];

/// A sketch that names the most frequent items.
trait Hitters: Sized {
    const NAME: &'static str;

    fn new() -> Self;

    fn add_all(&mut self, items: &[u64]);

    /// The most frequent first, with their counts.
    fn top(&self) -> Vec<(u64, f64)>;
}

/// Our structure in this many KiB of memory.
struct Ours<S, const KIB: u64>(S);

macro_rules! ours {
    ($sketch:ident, $kib:literal) => {
        impl Hitters for Ours<$sketch<u64>, $kib> {
            const NAME: &'static str = concat!("crivo ", stringify!($sketch), " (", $kib, " KiB)");

            fn new() -> Self {
                Self($sketch::for_memory($kib << 10).expect("this size is valid"))
            }

            #[inline(never)]
            fn add_all(&mut self, items: &[u64]) {
                for item in items {
                    self.0.add(item, 1);
                }
            }

            fn top(&self) -> Vec<(u64, f64)> {
                self.0.top(TOP).iter().map(|hitter| (*hitter.item(), hitter.count().value())).collect()
            }
        }
    };
}
// The memory of each of the two peers below.
ours!(MisraGries, 52);
ours!(MisraGries, 130);
ours!(SpaceSaving, 52);
ours!(SpaceSaving, 130);

impl Hitters for FrequentItemsSketch<u64> {
    const NAME: &'static str = "datasketches FrequentItems (2048)";

    fn new() -> Self {
        Self::new(2048).expect("the crate accepts this size")
    }

    #[inline(never)]
    fn add_all(&mut self, items: &[u64]) {
        for &item in items {
            self.update(item);
        }
    }

    fn top(&self) -> Vec<(u64, f64)> {
        let mut rows = self.frequent_items(ErrorType::NoFalseNegatives);
        rows.sort_by_key(|row| std::cmp::Reverse(row.estimate()));
        rows.iter().take(TOP).map(|row| (*row.item(), row.estimate() as f64)).collect()
    }
}

impl Hitters for FilteredSpaceSaving<u64> {
    const NAME: &'static str = "topk FilteredSpaceSaving (1000)";

    fn new() -> Self {
        Self::new(1000)
    }

    #[inline(never)]
    fn add_all(&mut self, items: &[u64]) {
        for &item in items {
            self.insert(item, 1);
        }
    }

    fn top(&self) -> Vec<(u64, f64)> {
        let counted = self.clone().into_sorted_vec();
        counted.iter().take(TOP).map(|(item, count)| (*item, count.estimated_count() as f64)).collect()
    }
}

impl Hitters for BucketedTopK<u64> {
    const NAME: &'static str = "heavykeeper BucketedTopK";

    fn new() -> Self {
        Self::with_seed(TOP, 2048, 4, 0.9, crate::keys::SEED)
    }

    #[inline(never)]
    fn add_all(&mut self, items: &[u64]) {
        for item in items {
            self.add(item, 1);
        }
    }

    fn top(&self) -> Vec<(u64, f64)> {
        self.list().iter().map(|node| (node.item, node.count as f64)).collect()
    }
}

/// The exact counts of all items.
struct Exact(HashMap<u64, u64, FixedState>);

impl Hitters for Exact {
    const NAME: &'static str = "std HashMap (foldhash, exact)";

    fn new() -> Self {
        Self(HashMap::default())
    }

    #[inline(never)]
    fn add_all(&mut self, items: &[u64]) {
        for &item in items {
            *self.0.entry(item).or_default() += 1;
        }
    }

    fn top(&self) -> Vec<(u64, f64)> {
        let mut counts: Vec<(u64, f64)> = self.0.iter().map(|(&item, &count)| (item, count as f64)).collect();
        counts.sort_by(|a, b| b.1.total_cmp(&a.1));
        counts.truncate(TOP);
        counts
    }
}

/// Measures the most frequent of one stream.
pub(super) fn measure(stream: &Stream<u64>, rounds: usize, targets: &mut Targets) {
    let mut exact = <Exact as Hitters>::new();
    exact.add_all(&stream.items);
    let truth = exact.top();
    let items = &stream.items;
    let mut contenders = vec![
        contender::<Ours<MisraGries<u64>, 52>>(items, &truth),
        contender::<Ours<MisraGries<u64>, 130>>(items, &truth),
        contender::<Ours<SpaceSaving<u64>, 52>>(items, &truth),
        contender::<Ours<SpaceSaving<u64>, 130>>(items, &truth),
        contender::<FrequentItemsSketch<u64>>(items, &truth),
        contender::<FilteredSpaceSaving<u64>>(items, &truth),
        contender::<BucketedTopK<u64>>(items, &truth),
        contender::<Exact>(items, &truth),
    ];
    interleave(&mut contenders, rounds);
    let len = items.len();
    print_contenders(
        &format!("The {TOP} most frequent of {len} u64, Zipf(1.1) over 10^6 values"),
        &COLUMNS,
        &contenders,
    );
    if len < 10_000_000 {
        return;
    }
    let small = [<Ours<MisraGries<u64>, 52>>::NAME, <Ours<SpaceSaving<u64>, 52>>::NAME];
    let large = [<Ours<MisraGries<u64>, 130>>::NAME, <Ours<SpaceSaving<u64>, 130>>::NAME];
    for (ours, peer, factor) in
        [(small, <FrequentItemsSketch<u64>>::NAME, 1.2), (large, <FilteredSpaceSaving<u64>>::NAME, 1.5)]
    {
        let [gries, saving] = ours.map(|name| best(&contenders, name, "update"));
        let what = format!("The faster of MisraGries and SpaceSaving vs {peer}, at its memory: {len} u64");
        targets.at_most(what, gries.min(saving), best(&contenders, peer, "update"), 1.0 / factor);
    }
}

fn contender<'a, H: Hitters>(items: &'a [u64], truth: &'a [(u64, f64)]) -> Contender<'a> {
    Contender::new(H::NAME, move |samples| {
        let mut update = Stopwatch::default();
        let (sketch, held) = heap_held(|| {
            let mut sketch = H::new();
            update.run(|| sketch.add_all(items));
            sketch
        });
        let found: HashMap<u64, f64> = sketch.top().into_iter().collect();
        let names: HashSet<u64> = truth.iter().map(|&(item, _)| item).collect();
        let hits = found.keys().filter(|item| names.contains(item)).count();
        let off: f64 = truth
            .iter()
            .filter_map(|(item, count)| found.get(item).map(|found| (found - count).abs() / count))
            .sum();
        samples.record("update", update.per_op(items.len()));
        samples.record("KiB", held as f64 / 1024.0);
        samples.record("recall %", 100.0 * hits as f64 / truth.len() as f64);
        samples.record("count error %", 100.0 * off / hits.max(1) as f64);
    })
}
