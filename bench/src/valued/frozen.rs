//! Maps made once from all their keys.

use crate::Options;
use crate::harness::{Column, Contender, Stopwatch, best, interleave, print_contenders};
use crate::keys::{SplitMix64, sets_of};
use crate::memory::heap_held;
use bench_report::Targets;
use crivo::membership::BinaryFuseParams;
use crivo::valued::BloomierParams;
use crivo::{BinaryFuse, BloomierFilter, HashSpec};
use dsi_progress_logger::no_logging;
use sux::func::VFunc;
use sux::utils::FromSlice;

const COLUMNS: [Column; 4] =
    [Column::Time("build"), Column::Time("hit"), Column::Value("bits/key"), Column::Value("bits/key/bit")];

/// A static structure of cells of `WIDTH` bits.
trait Frozen: Sized {
    const NAME: &'static str;
    const WIDTH: u32;

    fn freeze(keys: &[u64], values: &[u8]) -> Self;

    fn value(&self, key: u64) -> u64;

    #[inline(never)]
    fn sum(&self, keys: &[u64]) -> u64 {
        keys.iter().map(|&key| self.value(key)).fold(0, u64::wrapping_add)
    }
}

/// The filter whose build and query times are the baseline.
struct Fuse<const WIDTH: u32>(BinaryFuse);

/// A value of 8 bits, and the rest of the cell to check the key with.
struct Bloomier<const WIDTH: u32>(BloomierFilter);

/// The same, many keys at once.
struct Batch(Bloomier<16>);

/// Values of 8 bits, and no check.
struct Sux(VFunc<u64, Box<[u8]>>);

macro_rules! of_width {
    ($width:literal, $fuse:literal, $bloomier:literal) => {
        impl Frozen for Fuse<$width> {
            const NAME: &'static str = $fuse;
            const WIDTH: u32 = $width;

            fn freeze(keys: &[u64], _: &[u8]) -> Self {
                let params = BinaryFuseParams::with_width($width).expect("this is a width");
                let filter = BinaryFuse::freeze_hashes(keys.iter().copied(), params, HashSpec::default());
                Self(filter.expect("random keys make a filter"))
            }

            #[inline]
            fn value(&self, key: u64) -> u64 {
                self.0.contains_hash(key).into()
            }
        }

        impl Frozen for Bloomier<$width> {
            const NAME: &'static str = $bloomier;
            const WIDTH: u32 = $width;

            fn freeze(keys: &[u64], values: &[u8]) -> Self {
                let params = BloomierParams::exact(8, $width - 8).expect("these are widths");
                let pairs = keys.iter().copied().zip(values.iter().map(|&value| u64::from(value)));
                let map = BloomierFilter::freeze_hashes(pairs, params, HashSpec::default());
                Self(map.expect("random keys make a map"))
            }

            #[inline]
            fn value(&self, key: u64) -> u64 {
                self.0.value_hash(key).unwrap_or(0)
            }
        }
    };
}
of_width!(8, "crivo BinaryFuse, 8 bits", "crivo BloomierFilter, 8 + 0 bits");
of_width!(16, "crivo BinaryFuse, 16 bits", "crivo BloomierFilter, 8 + 8 bits");
of_width!(13, "crivo BinaryFuse, 13 bits", "crivo BloomierFilter, 8 + 5 bits");

impl Frozen for Batch {
    const NAME: &'static str = "crivo BloomierFilter, 8 + 8 bits (batch)";
    const WIDTH: u32 = 16;

    fn freeze(keys: &[u64], values: &[u8]) -> Self {
        Self(Bloomier::freeze(keys, values))
    }

    fn value(&self, key: u64) -> u64 {
        self.0.value(key)
    }

    #[inline(never)]
    fn sum(&self, keys: &[u64]) -> u64 {
        keys.chunks(1024).flat_map(|keys| self.0.0.value_hashes(keys)).flatten().sum()
    }
}

impl Frozen for Sux {
    const NAME: &'static str = "sux VFunc, 8 + 0 bits";
    const WIDTH: u32 = 8;

    fn freeze(keys: &[u64], values: &[u8]) -> Self {
        let map =
            <VFunc<u64, Box<[u8]>>>::try_new(FromSlice::new(keys), FromSlice::new(values), no_logging![]);
        Self(map.expect("random keys make a map"))
    }

    #[inline]
    fn value(&self, key: u64) -> u64 {
        self.0.get(&key).into()
    }
}

pub(crate) fn run(options: &Options, targets: &mut Targets) {
    let sizes: &[usize] =
        if options.quick { &[10_000, 100_000] } else { &[10_000, 100_000, 1_000_000, 10_000_000] };
    for &n in sizes {
        let mut random = SplitMix64::new(81);
        let sets: Vec<Vec<u64>> = (0..sets_of(n)).map(|_| random.take(n)).collect();
        let sets = &sets[..];
        let mut contenders = vec![
            contender::<Fuse<8>>(sets),
            contender::<Bloomier<8>>(sets),
            contender::<Sux>(sets),
            contender::<Fuse<13>>(sets),
            contender::<Bloomier<13>>(sets),
            contender::<Fuse<16>>(sets),
            contender::<Bloomier<16>>(sets),
            contender::<Batch>(sets),
        ];
        interleave(&mut contenders, options.rounds);
        let title = format!("n = {n}, 64-bit hashes given");
        print_contenders(&format!("Static maps: {title}"), &COLUMNS, &contenders);
        for (ours, fuse) in [
            (Bloomier::<8>::NAME, Fuse::<8>::NAME),
            (Bloomier::<13>::NAME, Fuse::<13>::NAME),
            (Bloomier::<16>::NAME, Fuse::<16>::NAME),
        ] {
            for metric in ["build", "hit"] {
                let what = format!("{ours} {metric} vs {fuse}: {title}");
                targets.at_most(what, best(&contenders, ours, metric), best(&contenders, fuse, metric), 1.5);
            }
            let limit = match n {
                ..100_000 => 1.30,
                100_000..1_000_000 => 1.20,
                _ => 1.15,
            };
            let what = format!("{ours}: bits per key divided by the bits of value and check: {title}");
            targets.at_most(what, best(&contenders, ours, "bits/key/bit"), 1.0, limit);
        }
    }
}

fn contender<F: Frozen>(sets: &[Vec<u64>]) -> Contender<'_> {
    Contender::new(F::NAME, move |samples| {
        let (mut build, mut hit) = (Stopwatch::default(), Stopwatch::default());
        let mut heap = 0;
        for keys in sets {
            let values: Vec<u8> = keys.iter().map(|key| key.to_le_bytes()[3]).collect();
            let (map, held) = heap_held(|| build.run(|| F::freeze(keys, &values)));
            heap += held;
            let sum = hit.run(|| map.sum(keys));
            let expected: u64 = values.iter().map(|&value| u64::from(value)).sum();
            let expected = if F::NAME.contains("Fuse") { keys.len() as u64 } else { expected };
            assert_eq!(sum, expected, "{}: every key has its value", F::NAME);
        }
        let keys = (sets.len() * sets[0].len()) as f64;
        // Its builder works in threads of its own, which this clock does not see.
        if F::NAME != Sux::NAME {
            samples.record("build", build.per_op(keys as usize));
        }
        samples.record("hit", hit.per_op(keys as usize));
        let bits = 8.0 * heap as f64 / keys;
        samples.record("bits/key", bits);
        samples.record("bits/key/bit", bits / f64::from(F::WIDTH));
    })
}
