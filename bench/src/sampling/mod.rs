//! Samples: the time per item, compared with that of only reading it.

use crate::Options;
use crate::harness::{Column, Contender, best, interleave, print_contenders};
use crate::keys::{SEED, SplitMix64};
use bench_report::Targets;
use crivo::{Reservoir, VarOpt, WeightedReservoir};
use std::hint::black_box;

const SAMPLE: u32 = 1000;
const COLUMNS: [Column; 1] = [Column::Time("an item")];
const OURS: &str = "crivo Reservoir";
/// Not the crate's Algorithm L, version 0.5.1: it adds each skip to all those before it, and hardly ever takes an item.
const PEER: &str = "reservoir-sampling (Algorithm R)";

pub(crate) fn run(options: &Options, targets: &mut Targets) {
    for &len in options.sizes() {
        let values = SplitMix64::new(5).take(len);
        let values = &values[..];
        let time = |name: &'static str, work: fn(&[u64])| {
            Contender::new(name, move |samples| samples.time("an item", len, || work(black_box(values))))
        };
        let mut contenders = vec![
            time(OURS, |values| {
                let mut sample = Reservoir::for_k(SAMPLE, SEED).expect("this size is valid");
                for &value in values {
                    sample.insert(value);
                }
                black_box(sample);
            }),
            time("crivo Reservoir (extend: passes over unseen)", |values| {
                let mut sample = Reservoir::for_k(SAMPLE, SEED).expect("this size is valid");
                sample.extend(values.iter().copied());
                black_box(sample);
            }),
            time("crivo WeightedReservoir", |values| {
                let mut sample = WeightedReservoir::for_k(SAMPLE, SEED).expect("this size is valid");
                for &value in values {
                    sample.insert(value, (value >> 40) as f64).expect("this weight is valid");
                }
                black_box(sample);
            }),
            time("crivo VarOpt", |values| {
                let mut sample = VarOpt::for_k(SAMPLE, SEED).expect("this size is valid");
                for &value in values {
                    sample.insert(value, (value >> 40) as f64).expect("this weight is valid");
                }
                black_box(sample);
            }),
            time(PEER, |values| {
                let mut sample = [0; SAMPLE as usize];
                reservoir_sampling::unweighted::r(values.iter().copied(), &mut sample);
                black_box(sample);
            }),
            time("reading alone", |values| {
                for value in values {
                    black_box(value);
                }
            }),
        ];
        interleave(&mut contenders, options.rounds);
        print_contenders(&format!("A sample of {SAMPLE} out of {len} u64"), &COLUMNS, &contenders);
        let what = format!("Reservoir vs {PEER}: {len} u64");
        let [ours, peer] = [OURS, PEER].map(|name| best(&contenders, name, "an item"));
        targets.at_most(what, ours, peer, 1.0);
    }
}
