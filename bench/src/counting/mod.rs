//! Counters of a few bits: the time of an update in an array of a million, compared with exact counters.

use crate::Options;
use crate::harness::{Column, Contender, interleave, print_contenders};
use crate::keys::{SEED, SplitMix64};
use crate::memory::heap_held;
use bench_report::Targets;
use crivo::counting::{BinomialArray, BinomialCounter, BinomialParams, MorrisParams};
use crivo::{MorrisArray, MorrisCounter};
use std::hint::black_box;

/// The number of counters in an array.
const COUNTERS: usize = 1_000_000;
const COLUMNS: [Column; 2] = [Column::Time("update"), Column::Value("KiB")];

pub(crate) fn run(options: &Options, _: &mut Targets) {
    let len = options.sizes().iter().copied().max().unwrap_or(COUNTERS);
    let random = SplitMix64::new(6).take(len);
    let place = |number: u64| usize::try_from(number % COUNTERS as u64).expect("a place of the array");
    let places: Vec<usize> = random.into_iter().map(place).collect();
    let (places, morris) = (&places[..], MorrisParams::exact(1.1, 8).expect("these are valid"));
    let binomial = BinomialParams::exact(1.0 / 64.0, 8).expect("these are valid");
    let mut contenders = vec![
        Contender::new("crivo MorrisArray (8 bits, base 1.1)", |samples| {
            let (mut array, held) =
                heap_held(|| MorrisArray::with_params(COUNTERS as u64, morris, SEED).expect("it fits"));
            samples.time("update", len, || {
                for &place in places {
                    array.increment(place).expect("it has this counter");
                }
            });
            samples.record("KiB", held as f64 / 1024.0);
        }),
        Contender::new("crivo BinomialArray (8 bits, 1/64)", |samples| {
            let (mut array, held) =
                heap_held(|| BinomialArray::with_params(COUNTERS as u64, binomial, SEED).expect("it fits"));
            samples.time("update", len, || {
                for &place in places {
                    array.increment(place).expect("it has this counter");
                }
            });
            samples.record("KiB", held as f64 / 1024.0);
        }),
        Contender::new("Vec<u64> (exact)", |samples| {
            let (mut array, held) = heap_held(|| vec![0u64; COUNTERS]);
            samples.time("update", len, || {
                for &place in places {
                    array[place] += 1;
                }
            });
            samples.record("KiB", held as f64 / 1024.0);
            black_box(array);
        }),
        Contender::new("crivo MorrisCounter (one)", |samples| {
            let mut counter = MorrisCounter::with_params(morris, SEED);
            samples.time("update", len, || {
                for _ in places {
                    counter.increment();
                }
            });
            black_box(counter);
        }),
        Contender::new("crivo BinomialCounter (one)", |samples| {
            let mut counter = BinomialCounter::with_params(binomial, SEED);
            samples.time("update", len, || {
                for _ in places {
                    counter.increment();
                }
            });
            black_box(counter);
        }),
    ];
    interleave(&mut contenders, options.rounds);
    let title = format!("{len} updates at random places of {COUNTERS} counters");
    print_contenders(&title, &COLUMNS, &contenders);
}
