//! What the founding documents lack: one measurement of every filter of values.

mod measure;
mod show;

use std::ops::Range;

use crivo::rng::Rng;
use crivo::valued::{BloomierParams, DecayingBloom, Fading, LinearBloomParams, QuantisedBloom, Scale};
use crivo::{BloomierFilter, HashSpec, LinearBloom};

use super::errors::{Law, Told};
use super::filters::measure::{Plan, Subject, experiment as filter_experiment, hashes};
use super::prelude::*;
use measure::{LOWEST, Valued, experiment};

pub(super) const LINEAR_BLOOM: Experiment = experiment::<LinearBloom<f64>>();
pub(super) const QUANTISED_BLOOM: Experiment = experiment::<QuantisedBloom<u8>>();
pub(super) const DECAYING_BLOOM: Experiment = experiment::<DecayingBloom>();
pub(super) const BLOOMIER_FILTER: Experiment = filter_experiment::<BloomierFilter>();

/// The answers and stated probabilities of a filter of values.
macro_rules! answers_with_odds {
    () => {
        fn ask(filter: &Self::Filter, hashes: &[u64]) -> Vec<Option<(f64, f64)>> {
            let answers = filter.answer_hashes(hashes).into_iter();
            answers.map(|answer| answer.map(|answer| (answer.value(), answer.overestimated()))).collect()
        }

        fn reported(filter: &Self::Filter, hashes: &[u64]) -> u64 {
            filter.value_hashes(hashes).iter().flatten().count() as u64
        }

        fn told(filter: &Self::Filter) -> Told {
            filter.fpr().into()
        }
    };
}

/// Cells enough for one item.
fn one_cell() -> Result<LinearBloomParams> {
    Ok(LinearBloomParams::exact(1, 1)?)
}

impl Valued for LinearBloom<f64> {
    type Filter = Self;
    const ID: &'static str = "c-linear-bloom";
    const TITLE: &'static str = "Linear Bloom filter: excess of values, bits, and stated probabilities";
    const THEORY: &'static str = "\
An item is answered too much when items of larger values fill all its cells: the mean of a Bloom filter's rate over 0 to \
n − 1 items (`LinearBloomParams::distortion_at`), by ∫F·(1 − e^(−λ(1−F)))^k on average (`valued::theory::mean_distortion`). \
Absent items are reported as by a Bloom filter (`fpr_at`). Of all items answered alike, the share answered too much is \
read off the cells (`ValueAnswer::overestimated`).";
    const COST: Cost = Cost { quick: 0.5, full: 9.1 };
    const LAW: Law = Law::Mean;

    fn filled(params: LinearBloomParams, spec: HashSpec, items: &[(u64, f64)]) -> Result<Self> {
        let mut filter = Self::with_params(params).with_hash(spec);
        filter.insert_hashes(items)?;
        Ok(filter)
    }

    fn alone(value: f64, _place: usize, _of: usize) -> Result<(f64, f64)> {
        Ok((value, value))
    }

    answers_with_odds!();
}

impl Valued for QuantisedBloom<u8> {
    type Filter = Self;
    const ID: &'static str = "c-quantised-bloom";
    const TITLE: &'static str =
        "Quantised Bloom filter: values that are too high, bits, and stated probabilities";
    const THEORY: &'static str = "\
Values are rounded up to one of 255 levels from 0.1 to 1, in a byte instead of eight. What is asked is how often others raise \
an item beyond its own level: no more often than in a Linear Bloom filter (`LinearBloomParams::distortion_at`), since equal \
levels do not raise each other.";
    const COST: Cost = Cost { quick: 0.6, full: 10.6 };
    const LAW: Law = Law::AtMost;

    fn filled(params: LinearBloomParams, spec: HashSpec, items: &[(u64, f64)]) -> Result<Self> {
        let mut filter = Self::with_params(params, Scale::linear(LOWEST, 1.0)?).with_hash(spec);
        filter.insert_hashes(items)?;
        Ok(filter)
    }

    fn alone(value: f64, _place: usize, _of: usize) -> Result<(f64, f64)> {
        let alone = Self::filled(one_cell()?, HashSpec::default(), &[(0, value)])?;
        Ok((value, alone.value_hash(0).unwrap_or(0.0)))
    }

    answers_with_odds!();
}

/// What is left after a step.
const FACTOR: f64 = 0.5;

/// How many steps the item at this place lives through: the first half comes a step before the second.
fn steps(place: usize, of: usize) -> u64 {
    if place < of / 2 { 2 } else { 1 }
}

impl Valued for DecayingBloom {
    type Filter = Self;
    const ID: &'static str = "c-decaying-bloom";
    const TITLE: &'static str =
        "Decaying Bloom filter: values that are too high, bits, and stated probabilities";
    const THEORY: &'static str = "\
Half of the items come a step before the others, and all are asked a step later: they are worth a quarter and a half of their \
values, rounded up to 1/256 of a step. Others raise an item no more often than in a Linear Bloom filter of what the items are \
worth by then (`LinearBloomParams::distortion_at`).";
    const COST: Cost = Cost { quick: 0.6, full: 13.7 };
    const LAW: Law = Law::AtMost;

    fn filled(params: LinearBloomParams, spec: HashSpec, items: &[(u64, f64)]) -> Result<Self> {
        let mut filter = Self::with_params(params, Fading::new(FACTOR, 0.01)?).with_hash(spec);
        for half in [&items[..items.len() / 2], &items[items.len() / 2..]] {
            filter.insert_hashes(half)?;
            filter.advance(1);
        }
        Ok(filter)
    }

    fn alone(value: f64, place: usize, of: usize) -> Result<(f64, f64)> {
        let mut alone = Self::with_params(one_cell()?, Fading::new(FACTOR, 0.01)?);
        alone.insert_hash(0, value)?;
        let steps = steps(place, of);
        alone.advance(steps);
        Ok((value * libm::pow(FACTOR, steps as f64), alone.value_hash(0).unwrap_or(0.0)))
    }

    answers_with_odds!();
}

/// The bits of a value.
const VALUE_BITS: u32 = 8;

impl Subject for BloomierFilter {
    type Filter = Self;
    type Params = BloomierParams;
    const ID: &'static str = "c-bloomier-filter";
    const TITLE: &'static str = "Bloomier filter: values, false-positive rate, bits";
    const REFERENCE: &'static str = "Chazelle and others 2004; segments of Graf and Lemire 2022";
    const THEORY: &'static str = "\
Three cells combine to a check of w bits and a value of 8: each key has its own value, always, and another key gets a value \
with probability 2^−w, however many are inside (`BloomierParams::fpr_at`, `fpr`). The filter never changes: each number of \
keys is frozen anew. The bits are those of the check and the value together.";
    const COST: Cost = Cost { quick: 0.1, full: 7.5 };

    fn sized(capacity: u64, rate: f64) -> Result<BloomierParams> {
        Ok(BloomierParams::for_fpr(VALUE_BITS, capacity, rate)?)
    }

    fn filled(params: BloomierParams, spec: HashSpec, items: u64) -> Result<Self> {
        let keys = hashes(spec, 0..items).into_iter();
        Ok(Self::freeze_hashes(keys.map(|hash| (hash, value_of(hash))), params, spec)?)
    }

    fn ask(filter: &Self, items: Range<u64>) -> Vec<bool> {
        filter.value_hashes(&hashes(*filter.hash_spec(), items)).iter().map(Option::is_some).collect()
    }

    fn told(filter: &Self) -> Told {
        filter.fpr().into()
    }

    fn fpr_at(params: BloomierParams, items: u64) -> f64 {
        params.fpr_at(items)
    }

    fn more(plan: &Plan, rng: &mut Rng, outcome: &mut Outcome) -> Result<()> {
        let params = Self::sized(plan.capacity, plan.rate())?;
        let (mut wrong, mut asked) = (0, 0);
        for _ in 0..plan.filters {
            let spec = HashSpec::seeded(rng.next_u64());
            let filter = Self::filled(params, spec, plan.capacity - plan.lost)?;
            let keys = hashes(spec, 0..plan.capacity);
            let right =
                keys.iter().filter(|&&key| filter.value_hash(key) == Some(value_of(key))).count() as u64;
            (wrong, asked) = (wrong + plan.capacity - right, asked + plan.capacity);
        }
        outcome.verdicts.push(Verdict::new(
            "Every key has its own value.",
            wrong == 0 && asked > 0,
            format!("{wrong} of {asked} values were wrong."),
        ));
        Ok(())
    }
}

/// A value that says nothing about where a key lies.
fn value_of(hash: u64) -> u64 {
    hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - VALUE_BITS)
}
