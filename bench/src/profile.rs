//! Profiles of columns: the time per value, by the number of distinct values, compared with an exact table that only counts
//! them.

use crate::Options;
use crate::harness::{Column, Contender, interleave, print_contenders};
use crate::keys::SplitMix64;
use bench_report::Targets;
use crivo::profile::{ColumnProfile, ProfileParams};
use crivo::{HashSpec, TableProfile};
use std::collections::HashMap;
use std::hint::black_box;

const COLUMNS: [Column; 2] = [Column::Time("per value"), Column::Time("all answers, per value")];

pub(crate) fn run(options: &Options, _: &mut Targets) {
    for &len in options.sizes() {
        let random = SplitMix64::new(6).take(len);
        let of = |different: u64| random.iter().map(|&r| (r % different).to_string().into_bytes()).collect();
        measure(&format!("{len} values, 100 distinct"), &of(100), options);
        measure(&format!("{len} values, 4,000 distinct"), &of(4000), options);
        measure(&format!("{len} distinct integers"), &of(u64::MAX), options);
        let texts = random.iter().map(|r| format!("text {r:015x}").into_bytes()).collect();
        measure(&format!("{len} distinct texts of 20 bytes"), &texts, options);
    }
}

fn measure(title: &str, texts: &Vec<Vec<u8>>, options: &Options) {
    let (params, spec) = (ProfileParams::default(), HashSpec::default());
    let hashes: Vec<u64> = texts.iter().map(|text| spec.hash_bytes(text)).collect();
    let hashes = &hashes;
    let mut contenders = vec![
        Contender::new("crivo TableProfile, one column", move |samples| {
            let column = samples.time("per value", texts.len(), || {
                let mut column = ColumnProfile::with_params(params);
                for (text, &hash) in texts.iter().zip(hashes) {
                    column.add_hashed(text, hash, 1);
                }
                column
            });
            let rows = texts.len() as u64;
            let columns = vec![("column".into(), column)];
            let table = TableProfile::from_columns(params, spec, rows, columns).expect("one column");
            samples.time("all answers, per value", texts.len(), || {
                for (_, column) in table.columns() {
                    black_box(column.summary());
                }
            });
        }),
        Contender::new("HashMap of counts", move |samples| {
            samples.time("per value", texts.len(), || {
                let mut counts: HashMap<&[u8], u64> = HashMap::new();
                for text in texts {
                    *counts.entry(text).or_default() += 1;
                }
                black_box(counts.len());
            });
        }),
    ];
    interleave(&mut contenders, options.rounds);
    print_contenders(title, &COLUMNS, &contenders);
}
