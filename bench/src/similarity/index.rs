//! Indexes of signatures: the time of an insertion and of a question, and the memory of a document.

use super::SLOTS;
use crate::Options;
use crate::harness::{Column, Contender, best, interleave, print_contenders};
use crate::keys::SplitMix64;
use crate::memory::heap_held;
use bench_report::Targets;
use crivo::similarity::{LshParams, Scheme};
use crivo::{HashSpec, LshIndex};
use gaoya::minhash::MinHashIndex;
use std::hint::black_box;

const DOCUMENTS: usize = 100_000;
const BANDS: usize = 16;
const ROWS: usize = SLOTS / BANDS;
/// What an index returns is at least this alike.
const THRESHOLD: f64 = 0.6;

const COLUMNS: [Column; 5] = [
    Column::Time("insert"),
    Column::Time("query"),
    Column::Time("query with error bars"),
    Column::Value("bytes per document"),
    Column::Value("found"),
];

const OURS: &str = "crivo LshIndex";
const GAOYA: &str = "gaoya MinHashIndex";

pub(crate) fn run(options: &Options, targets: &mut Targets) {
    let documents = if options.quick { DOCUMENTS / 10 } else { DOCUMENTS };
    let signatures = signatures(documents);
    let signatures = &signatures[..];
    let mut contenders = vec![
        Contender::new(OURS, move |samples| {
            let params = LshParams::exact(BANDS as u32, ROWS as u32).expect("these are valid");
            let (index, held) = heap_held(|| {
                let mut index = LshIndex::with_scheme(params, Scheme::Functions, SLOTS, HashSpec::default())
                    .expect("these slots have room for the bands");
                samples.time("insert", documents, || {
                    for (id, slots) in signatures.iter().enumerate() {
                        index.insert_slots(id as u64, slots).expect("every document has an id of its own");
                    }
                });
                index
            });
            samples.record("bytes per document", beside_the_slots(held, documents));
            let found = samples.time("query", documents, || {
                let answers = signatures.iter().map(|slots| {
                    index.alike_to_slots(slots, THRESHOLD).expect("these slots fit the index").len()
                });
                answers.sum::<usize>()
            });
            samples.record("found", found as f64 / documents as f64);
            samples.time("query with error bars", documents, || {
                for slots in signatures {
                    black_box(index.similar_slots(slots, THRESHOLD).expect("these slots fit the index"));
                }
            });
        }),
        Contender::new(GAOYA, move |samples| {
            let copies: Vec<Vec<u32>> = signatures.to_vec();
            let (index, held) = heap_held(|| {
                let mut index = MinHashIndex::<u32, u32>::new(BANDS, ROWS, THRESHOLD);
                samples.time("insert", documents, || {
                    for (id, slots) in (0..).zip(copies) {
                        index.insert(id, slots);
                    }
                });
                index
            });
            // The signatures were handed over, not copied: they are in the index, but not in what it added.
            samples.record("bytes per document", held as f64 / documents as f64);
            let found = samples.time("query", documents, || {
                signatures.iter().map(|slots| index.query(slots).len()).sum::<usize>()
            });
            samples.record("found", found as f64 / documents as f64);
        }),
    ];
    interleave(&mut contenders, options.rounds);
    let title = format!("{documents} signatures in an index of {BANDS} bands of {ROWS} rows");
    print_contenders(&title, &COLUMNS, &contenders);
    for metric in ["insert", "query"] {
        let what = format!("LshIndex {metric} vs gaoya");
        targets.at_most(what, best(&contenders, OURS, metric), best(&contenders, GAOYA, metric), 0.2);
    }
    let what = "LshIndex bytes per document without the signature vs 300".to_owned();
    targets.at_most(what, best(&contenders, OURS, "bytes per document"), 300.0, 1.0);
}

fn beside_the_slots(held: usize, documents: usize) -> f64 {
    held as f64 / documents as f64 - (SLOTS * size_of::<u32>()) as f64
}

/// Signatures of documents, a fifth of which are alike to the one before: a tenth of their slots differ.
pub(super) fn signatures(documents: usize) -> Vec<Vec<u32>> {
    let mut random = SplitMix64::new(7);
    let mut all: Vec<Vec<u32>> = Vec::with_capacity(documents);
    for document in 0..documents {
        let mut slots: Vec<u32> =
            random.take(SLOTS).into_iter().map(|number| (number >> 32) as u32).collect();
        if document % 5 == 4 {
            for (slot, before) in slots.iter_mut().zip(&all[document - 1]) {
                if *slot % 10 != 0 {
                    *slot = *before;
                }
            }
        }
        all.push(slots);
    }
    all
}
