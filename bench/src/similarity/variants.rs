//! Other signatures and indexes: the cost of an operation, compared with a peer where one has the structure.

use super::{SLOTS, index::signatures};
use crate::Options;
use crate::harness::{Column, Contender, interleave, print_contenders};
use crate::keys::{SEED, SplitMix64};
use crate::memory::heap_held;
use crivo::HammingIndex;
use crivo::similarity::HammingParams;
use crivo::similarity::{BBitMinHash, Scheme};
use crivo::similarity::{DistanceBloom, DistanceParams, LshBloom, LshBloomParams, LshParams, Metric};
use crivo::{HashSpec, MinHash, SimHash, WeightedMinHash};
use gaoya::simhash::{SimHash as GaoyaSimHash, SimHashIndex, SimSipHasher64};
use std::hint::black_box;

/// Fingerprints that differ in at most this many bits are near.
const DISTANCE: u32 = 3;
const FINGERPRINTS: usize = 1_000_000;
const ASKED: usize = 10_000;

pub(crate) fn run(options: &Options) {
    sketches(options);
    fingerprints(options);
    filters(options);
}

fn sketches(options: &Options) {
    let items = SplitMix64::new(8).take(1000);
    let (items, len) = (&items[..], items.len());
    let half = [len / 2, len].map(|end| {
        let mut signature = MinHash::for_slots(SLOTS as u32).expect("this size is valid");
        signature.extend(items[..end].iter().copied());
        BBitMinHash::freeze(&signature, 4).expect("this width is valid")
    });
    let half = &half;
    let mut contenders = vec![
        Contender::new("crivo SimHash (64 bits)", move |samples| {
            let mut sketch = SimHash::for_bits(64).expect("this size is valid");
            samples.time("item", len, || {
                for item in items {
                    sketch.add(item, 1.0).expect("1 is a weight");
                }
            });
            black_box(sketch.fingerprint());
        }),
        Contender::new("gaoya SimHash (64 bits, ±1)", move |samples| {
            let sketch = GaoyaSimHash::<SimSipHasher64, u64, 64>::new(SimSipHasher64::new(SEED, SEED));
            samples.time("item", len, || sketch.create_signature(items.iter()));
        }),
        Contender::new("crivo WeightedMinHash (128 slots)", move |samples| {
            let mut sketch = WeightedMinHash::for_slots(SLOTS as u32).expect("this size is valid");
            samples.time("item", len, || {
                for (weight, item) in (1u32..).zip(items) {
                    sketch.add(item, f64::from(weight)).expect("these are weights");
                }
            });
            black_box(sketch);
        }),
        Contender::new("crivo BBitMinHash (128 slots, 4 bits)", move |samples| {
            samples.time("compare", len, || {
                for _ in 0..len {
                    black_box(half[0].similarity(black_box(&half[1])).expect("both have one size"));
                }
            });
            samples.record("bytes", half[0].memory_bytes() as f64);
        }),
    ];
    interleave(&mut contenders, options.rounds);
    let columns = [Column::Time("item"), Column::Time("compare"), Column::Value("bytes")];
    print_contenders(&format!("Other signatures, sets of {len} u64"), &columns, &contenders);
}

fn fingerprints(options: &Options) {
    let count = if options.quick { FINGERPRINTS / 10 } else { FINGERPRINTS };
    let all = SplitMix64::new(9).take(count);
    // Every question is two bits away from one that is there.
    let asked: Vec<u64> =
        all.iter().take(ASKED).map(|fingerprint| fingerprint ^ 0x8000_0000_0000_0001).collect();
    let (all, asked) = (&all[..], &asked[..]);
    let mut contenders = vec![
        Contender::new("crivo HammingIndex", move |samples| {
            let (index, held) = heap_held(|| {
                let params =
                    HammingParams::for_distance(DISTANCE, all.len() as u64).expect("these are valid");
                let mut index = HammingIndex::with_params(params);
                samples.time("insert", all.len(), || {
                    for (id, &fingerprint) in (0..).zip(all) {
                        index.insert(id, fingerprint).expect("every one has an id of its own");
                    }
                });
                index
            });
            samples.record("bytes each", held as f64 / all.len() as f64);
            let found = samples.time("query", asked.len(), || {
                asked.iter().map(|&fingerprint| index.similar(fingerprint).len()).sum::<usize>()
            });
            samples.record("found", found as f64 / asked.len() as f64);
        }),
        Contender::new("gaoya SimHashIndex", move |samples| {
            let (index, held) = heap_held(|| {
                let mut index = SimHashIndex::<u64, u32>::new(DISTANCE as usize + 1, DISTANCE as usize);
                samples.time("insert", all.len(), || {
                    for (id, &fingerprint) in (0..).zip(all) {
                        index.insert(id, fingerprint);
                    }
                });
                index
            });
            samples.record("bytes each", held as f64 / all.len() as f64);
            let found = samples.time("query", asked.len(), || {
                asked.iter().map(|fingerprint| index.query(fingerprint).len()).sum::<usize>()
            });
            samples.record("found", found as f64 / asked.len() as f64);
        }),
    ];
    interleave(&mut contenders, options.rounds);
    let columns =
        [Column::Time("insert"), Column::Time("query"), Column::Value("bytes each"), Column::Value("found")];
    print_contenders(&format!("{count} fingerprints, within {DISTANCE} of 64 bits"), &columns, &contenders);
}

fn filters(options: &Options) {
    let documents = signatures(20_000);
    let documents = &documents[..];
    let len = documents.len();
    let strings = strings(len);
    let strings = &strings[..];
    let mut contenders = vec![
        Contender::new("crivo LshBloom (16 x 8, 1 %)", move |samples| {
            let bands = LshParams::exact(16, 8).expect("these are valid");
            let params = LshBloomParams::for_fpr(bands, len as u64, 0.01).expect("this target is possible");
            let filter = LshBloom::with_scheme(params, Scheme::Functions, SLOTS, HashSpec::default());
            let mut filter = filter.expect("these slots have room for the bands");
            let seen = samples.time("insert", len, || {
                let was_seen = |slots: &Vec<u32>| filter.insert_slots(slots).expect("these slots fit");
                documents.iter().map(was_seen).filter(|&seen| seen).count()
            });
            samples.record("seen", seen as f64 / len as f64);
            samples.record("bytes each", filter.memory_bytes() as f64 / len as f64);
        }),
        Contender::new("crivo DistanceBloom (256 bits, within 4)", move |samples| {
            let metric = Metric::Hamming { bits: 256 };
            let params = DistanceParams::for_targets(metric, len as u64, (4.0, 0.01), (96.0, 0.01));
            let mut filter = DistanceBloom::with_params(params.expect("this target is possible"));
            let seen = samples.time("insert", len, || {
                let was_seen = |words: &[u64; 4]| filter.insert_bits(words).expect("these bits fit");
                strings.iter().map(was_seen).filter(|&seen| seen).count()
            });
            samples.record("seen", seen as f64 / len as f64);
            samples.record("bytes each", filter.memory_bytes() as f64 / len as f64);
        }),
    ];
    interleave(&mut contenders, options.rounds);
    let columns = [Column::Time("insert"), Column::Value("seen"), Column::Value("bytes each")];
    print_contenders(&format!("{len} signatures or strings, a fifth like one before"), &columns, &contenders);
}

/// Strings of 256 bits, a fifth of which differ from the one before in three bits.
fn strings(count: usize) -> Vec<[u64; 4]> {
    let mut random = SplitMix64::new(10);
    let mut all: Vec<[u64; 4]> = Vec::with_capacity(count);
    for number in 0..count {
        let mut words = [random.next(), random.next(), random.next(), random.next()];
        if number % 5 == 4 {
            words = all[number - 1];
            words[number % 4] ^= 0x8000_0001_0000_0001;
        }
        all.push(words);
    }
    all
}
