//! Filters made once from all their items.

use super::{KeySet, random_sets};
use crate::Options;
use crate::harness::{Column, Contender, Stopwatch, best, interleave, print_contenders};
use crate::memory::heap_held;
use bench_report::Targets;
use crivo::membership::BinaryFuseParams;
use crivo::{BinaryFuse, HashSpec};
use xorf::{BinaryFuse8, BinaryFuse16, BinaryFuse32};

const COLUMNS: [Column; 5] = [
    Column::Time("build"),
    Column::Time("hit"),
    Column::Time("miss"),
    Column::Value("fpr %"),
    Column::Value("bits/key"),
];

/// A static filter over 64-bit keys.
trait Frozen: Sized {
    const NAME: &'static str;

    fn freeze(keys: &[u64]) -> Self;

    fn contains(&self, key: u64) -> bool;

    #[inline(never)]
    fn count_present(&self, keys: &[u64]) -> usize {
        keys.iter().filter(|&&key| self.contains(key)).count()
    }
}

struct Ours<const WIDTH: u32>(BinaryFuse);

fn params(width: u32) -> BinaryFuseParams {
    BinaryFuseParams::with_width(width).expect("8, 16 and 32 bits are widths")
}

macro_rules! ours {
    ($name:literal, $width:literal) => {
        impl Frozen for Ours<$width> {
            const NAME: &'static str = $name;

            fn freeze(keys: &[u64]) -> Self {
                let filter =
                    BinaryFuse::freeze_hashes(keys.iter().copied(), params($width), HashSpec::default());
                Self(filter.expect("random keys make a filter"))
            }

            #[inline]
            fn contains(&self, key: u64) -> bool {
                self.0.contains_hash(key)
            }
        }
    };
}

macro_rules! xorf {
    ($name:literal, $type:ty) => {
        impl Frozen for $type {
            const NAME: &'static str = $name;

            fn freeze(keys: &[u64]) -> Self {
                Self::try_from(keys).expect("random keys make a filter")
            }

            #[inline]
            fn contains(&self, key: u64) -> bool {
                xorf::Filter::contains(self, &key)
            }
        }
    };
}

ours!("crivo fuse, 8 bits", 8);
ours!("crivo fuse, 16 bits", 16);
ours!("crivo fuse, 32 bits", 32);
xorf!("xorf BinaryFuse8", BinaryFuse8);
xorf!("xorf BinaryFuse16", BinaryFuse16);
xorf!("xorf BinaryFuse32", BinaryFuse32);

/// A batch of queries.
struct Batch(Ours<8>);

impl Frozen for Batch {
    const NAME: &'static str = "crivo fuse, 8 bits (batch)";

    fn freeze(keys: &[u64]) -> Self {
        Self(Ours::freeze(keys))
    }

    fn contains(&self, key: u64) -> bool {
        self.0.contains(key)
    }

    #[inline(never)]
    fn count_present(&self, keys: &[u64]) -> usize {
        let answers = keys.chunks(1024).map(|keys| self.0.0.contains_hashes(keys));
        answers.map(|answers| answers.into_iter().filter(|&answer| answer).count()).sum()
    }
}

pub(crate) fn run(options: &Options, targets: &mut Targets) {
    for &n in options.sizes() {
        let sets = random_sets(n);
        let mut contenders = vec![
            contender::<Ours<8>>(&sets, n),
            contender::<Batch>(&sets, n),
            contender::<BinaryFuse8>(&sets, n),
            contender::<Ours<16>>(&sets, n),
            contender::<BinaryFuse16>(&sets, n),
            contender::<Ours<32>>(&sets, n),
            contender::<BinaryFuse32>(&sets, n),
        ];
        interleave(&mut contenders, options.rounds);
        let title = format!("n = {n}, 64-bit hashes given");
        print_contenders(&format!("Static membership: {title}"), &COLUMNS, &contenders);
        for (ours, peer) in [
            (Ours::<8>::NAME, BinaryFuse8::NAME),
            (Ours::<16>::NAME, BinaryFuse16::NAME),
            (Ours::<32>::NAME, BinaryFuse32::NAME),
        ] {
            for metric in ["build", "hit", "miss", "bits/key"] {
                let what = format!("{ours} {metric} vs {peer}: {title}");
                targets.at_most(what, best(&contenders, ours, metric), best(&contenders, peer, metric), 1.0);
            }
        }
    }
}

fn contender<F: Frozen>(sets: &[KeySet<u64>], n: usize) -> Contender<'_> {
    Contender::new(F::NAME, move |samples| {
        let (mut build, mut hit, mut miss) =
            (Stopwatch::default(), Stopwatch::default(), Stopwatch::default());
        let (mut heap, mut wrong, mut asked) = (0, 0, 0);
        for set in sets {
            let (filter, held) = heap_held(|| build.run(|| F::freeze(&set.members)));
            heap += held;
            let found = hit.run(|| filter.count_present(&set.members));
            assert_eq!(found, n, "{}: a filter may not lose a key", F::NAME);
            wrong += miss.run(|| filter.count_present(&set.strangers));
            asked += set.strangers.len();
        }
        samples.record("build", build.per_op(n * sets.len()));
        samples.record("hit", hit.per_op(n * sets.len()));
        samples.record("miss", miss.per_op(asked));
        samples.record("fpr %", 100.0 * wrong as f64 / asked as f64);
        samples.record("bits/key", 8.0 * heap as f64 / (n * sets.len()) as f64);
    })
}
