//! Hash functions: independent hashes (throughput) and chained hashes (latency).

use crate::Options;
use crate::harness::{Column, Contender, Samples, interleave, print_contenders};
use crate::keys::{SEED, SplitMix64};
use bench_report::Targets;
use crivo::HashSpec;
use std::hash::{BuildHasher, Hasher};
use std::hint::black_box;

/// All inputs of one length fit the first-level cache, so the hash alone is timed.
const INPUT_BYTES: usize = 16 * 1024;
const LENGTHS: [usize; 5] = [8, 16, 22, 64, 1024];

pub(crate) fn run(options: &Options, _: &mut Targets) {
    let budget = if options.quick { 1 << 16 } else { 1 << 20 };
    let ours = HashSpec::default();
    let rapid = rapidhash::v3::RapidSecrets::seed(SEED);
    let sip13 = siphasher::sip::SipHasher13::new_with_keys(SEED, !SEED);
    let sip24 = siphasher::sip::SipHasher24::new_with_keys(SEED, !SEED);
    let mut contenders = vec![
        contender("crivo", budget, |b| ours.hash_bytes(b), |w| ours.hash(&w)),
        of_bytes("rapidhash v3", budget, |b| rapidhash::v3::rapidhash_v3_seeded(b, &rapid)),
        of_bytes("rapidhash v3 inline", budget, |b| {
            rapidhash::v3::rapidhash_v3_inline::<true, false, false>(b, &rapid)
        }),
        of_bytes("rapidhash v3 nano", budget, |b| {
            rapidhash::v3::rapidhash_v3_nano_inline::<true, false>(b, &rapid)
        }),
        of_bytes("xxh3_64", budget, |b| xxhash_rust::xxh3::xxh3_64_with_seed(b, SEED)),
        of_hasher("rapidhash fast Hasher", budget, rapidhash::fast::SeedableState::fixed()),
        of_hasher("foldhash fast", budget, foldhash::fast::FixedState::with_seed(SEED)),
        of_hasher("foldhash quality", budget, foldhash::quality::FixedState::with_seed(SEED)),
        of_hasher("ahash", budget, ahash::RandomState::with_seeds(1, 2, 3, 4)),
        of_bytes("siphasher 1-3", budget, |b| sip13.hash(b)),
        of_bytes("siphasher 2-4", budget, |b| sip24.hash(b)),
    ];
    interleave(&mut contenders, options.rounds);
    print_contenders("Hash, throughput: ns per independent hash", &THROUGHPUT.map(Column::Time), &contenders);
    print_contenders(
        "Hash, latency: ns per hash whose input is chosen by the hash before it",
        &LATENCY.map(Column::Time),
        &contenders,
    );
}

const THROUGHPUT: [&str; 6] = ["u64", "8 B", "16 B", "22 B", "64 B", "1024 B"];
const LATENCY: [&str; 6] =
    ["u64 chained", "8 B chained", "16 B chained", "22 B chained", "64 B chained", "1024 B chained"];

/// A function of bytes takes a word as its eight.
fn of_bytes<'a>(name: &'static str, budget: usize, hash: impl Fn(&[u8]) -> u64 + Copy + 'a) -> Contender<'a> {
    contender(name, budget, hash, move |w| hash(&w.to_le_bytes()))
}

/// A `Hasher` takes the bytes alone, without the framing that `Hash for str` adds.
fn of_hasher<'a>(name: &'static str, budget: usize, state: impl BuildHasher + Clone + 'a) -> Contender<'a> {
    let words = state.clone();
    let bytes = move |bytes: &[u8]| {
        let mut hasher = state.build_hasher();
        hasher.write(bytes);
        hasher.finish()
    };
    contender(name, budget, bytes, move |w| words.hash_one(w))
}

fn contender<'a>(
    name: &'static str,
    budget: usize,
    bytes: impl Fn(&[u8]) -> u64 + 'a,
    word: impl Fn(u64) -> u64 + 'a,
) -> Contender<'a> {
    let words = SplitMix64::new(1).take(INPUT_BYTES / 8);
    let buffer: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    Contender::new(name, move |samples| {
        time_words(samples, budget, &words, &word);
        for (index, len) in LENGTHS.into_iter().enumerate() {
            // A few operations suffice for the long inputs: each costs far more than the loop around it.
            let ops = budget * 16 / (16 + len);
            // The length is hidden, or the compiler would build a hash for this length only.
            time_bytes(samples, index + 1, ops, &buffer, black_box(len), &bytes);
        }
    })
}

fn time_words(samples: &mut Samples, ops: usize, words: &[u64], hash: &impl Fn(u64) -> u64) {
    let passes = ops.div_ceil(words.len());
    samples.time(THROUGHPUT[0], passes * words.len(), || {
        (0..passes).fold(0, |acc, _| black_box(words).iter().fold(acc, |acc, &w| acc ^ hash(w)))
    });
    samples.time(LATENCY[0], passes * words.len(), || {
        (0..passes).fold(0, |acc, _| black_box(words).iter().fold(acc, |acc, &w| hash(acc ^ w)))
    });
}

fn time_bytes(
    samples: &mut Samples,
    column: usize,
    ops: usize,
    buffer: &[u8],
    len: usize,
    hash: &impl Fn(&[u8]) -> u64,
) {
    let inputs = buffer.len() / len;
    let passes = ops.div_ceil(inputs);
    samples.time(THROUGHPUT[column], passes * inputs, || {
        (0..passes)
            .fold(0, |acc, _| black_box(buffer).chunks_exact(len).fold(acc, |acc, chunk| acc ^ hash(chunk)))
    });
    // The start of the next input comes from the last hash: that adds one load from the first-level cache,
    // the same for every contender.
    samples.time(LATENCY[column], passes * inputs, || {
        let mask = (buffer.len() / 2 - 1) as u64;
        let mut last = 0u64;
        for _ in 0..passes * inputs {
            let start = usize::try_from(last & mask).expect("the mask is smaller than the buffer");
            last = hash(&buffer[start..start + len]);
        }
        last
    });
}
