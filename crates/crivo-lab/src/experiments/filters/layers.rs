//! Filters that grow by layers, and one that forgets.

use std::ops::Range;

use crivo::membership::{DynamicBloom, DynamicParams, ScalableParams, WindowedParams};
use crivo::rng::Rng;
use crivo::stats::binomial_band;
use crivo::{HashSpec, ScalableBloom, WindowedBloom};

use super::from_target;
use super::measure::{Plan, RATE, Subject, experiment, hashes};
use crate::experiments::errors::{FALSE_ALARM, Law, Told};
use crate::experiments::prelude::*;

pub(in crate::experiments) const DYNAMIC_BLOOM: Experiment = experiment::<DynamicBloom>();
pub(in crate::experiments) const SCALABLE_BLOOM: Experiment = experiment::<ScalableBloom>();
pub(in crate::experiments) const WINDOWED_BLOOM: Experiment = experiment::<WindowedBloom>();

/// They take any number of items.
const TENFOLD: &[f64] = &[0.125, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0];

impl Subject for DynamicBloom {
    const ID: &'static str = "c-dynamic-bloom";
    const TITLE: &'static str = "Dynamic Bloom filter: rate as it grows, bits and the rate it states";
    const REFERENCE: &'static str = "Guo and others 2010";
    const THEORY: &'static str = "\
Equal filters of a rate f, each opened when the one before is full: with s of them full the rate is at most 1 − (1 − f)^s, \
and the last as its items make it (`DynamicParams::fpr_at`). Given the ones it is 1 − Π(1 − f) over the layers (`fpr`). It \
passes the target as soon as the second layer fills.";
    const COST: Cost = Cost { quick: 0.2, full: 12.1 };
    const LOADS: &'static [f64] = TENFOLD;
    const LAW: Law = Law::AtMost;
    from_target!(DynamicParams);
}

impl Subject for ScalableBloom {
    const ID: &'static str = "c-scalable-bloom";
    const TITLE: &'static str =
        "Scalable Bloom filter: rate at any number of items, bits and the rate it states";
    const REFERENCE: &'static str = "Almeida and others 2007";
    const THEORY: &'static str = "\
Each layer takes twice the items of the one before at 0.8 times its rate; the rates of all layers, however many, add up to \
the target. `ScalableParams::fpr_at` is an upper bound; given the ones the rate is 1 − Π(1 − f) over the layers (`fpr`).";
    const COST: Cost = Cost { quick: 0.1, full: 9.3 };
    const LOADS: &'static [f64] = TENFOLD;
    const LAW: Law = Law::AtMost;
    from_target!(ScalableParams);

    /// The limit of what the layers may err is certain, so that no chance has a part in it.
    fn more(plan: &Plan, rng: &mut Rng, outcome: &mut Outcome) -> Result<()> {
        let params = Self::sized(plan.capacity, plan.rate())?;
        let (mut rate, mut limit) = (0.0, 0.0);
        for load in [1, 10, 100] {
            let spec = HashSpec::seeded(rng.next_u64());
            let filter = Self::filled(params, spec, load * plan.capacity)?;
            (rate, limit) = (filter.fpr().value().max(rate), filter.fpr_limit().max(limit));
        }
        outcome.verdicts.push(Verdict::new(
            "The target holds at 1, 10 and 100 times the first capacity, and the filter's own limit keeps to it.",
            rate <= limit && limit <= RATE,
            format!("At worst {rate:.5}, limit {limit:.5}, target {RATE}."),
        ));
        Ok(())
    }
}

/// Time units of the window, and the generations that cover it.
const WINDOW: u64 = 1000;
const GENERATIONS: u32 = 4;

impl Subject for WindowedBloom {
    type Filter = Self;
    type Params = WindowedParams;
    const ID: &'static str = "c-windowed-bloom";
    const TITLE: &'static str = "Windowed Bloom filter: rate in the window, expiry, bits";
    const REFERENCE: &'static str =
        "Metwally, Agrawal and El Abbadi 2005, generations; Almeida and others 2007, their layers";
    const THEORY: &'static str = "\
Items come evenly over a window of 1000 time units, which four generations cover in addition to the one that is being filled. The \
rate stays at or below the target however many come. Given the ones it lies between bounds (`fpr`), since layers of one level \
share their positions. An item is found up to the age of the window and forgotten after five quarters of it \
(`WindowedParams::forgets_after`), but for wrong answers.";
    const COST: Cost = Cost { quick: 0.2, full: 13.8 };
    const LAW: Law = Law::AtMost;

    fn sized(capacity: u64, rate: f64) -> Result<WindowedParams> {
        Ok(WindowedParams::for_fpr(capacity, rate, WINDOW, GENERATIONS)?)
    }

    fn filled(params: WindowedParams, spec: HashSpec, items: u64) -> Result<Self> {
        let mut filter = Self::with_params(params).with_hash(spec);
        for item in 0..items {
            // The first comes just within the window of the last.
            filter.insert_at(&item, WINDOW + item * WINDOW / items);
        }
        Ok(filter)
    }

    fn ask(filter: &Self, items: Range<u64>) -> Vec<bool> {
        filter.contains_hashes_at(&hashes(*filter.hash_spec(), items), filter.latest())
    }

    fn told(filter: &Self) -> Told {
        filter.fpr().into()
    }

    fn fpr_at(params: WindowedParams, _items: u64) -> f64 {
        params.fpr()
    }

    /// A stream of three windows: which ages are found.
    fn more(plan: &Plan, rng: &mut Rng, outcome: &mut Outcome) -> Result<()> {
        let params = Self::sized(plan.capacity, plan.rate())?;
        let mut table = Table::new("ages", ["age (share of the window)", "items", "found"]);
        let mut ages = [(0u64, 0u64); 24];
        for _ in 0..plan.filters.div_ceil(10) {
            let spec = HashSpec::seeded(rng.next_u64());
            let mut filter = Self::with_params(params).with_hash(spec);
            let stream = hashes(spec, 0..3 * plan.capacity);
            let at = |item: usize| item as u64 * WINDOW / plan.capacity;
            let lost = stream.len() - 1 - plan.lost as usize..stream.len() - 1;
            let kept = stream.iter().enumerate().filter(|(item, _)| !lost.contains(item));
            kept.for_each(|(item, &hash)| {
                filter.insert_hash_at(hash, at(item));
            });
            let now = filter.latest();
            for (item, &hash) in stream.iter().enumerate() {
                let (items, found) = &mut ages[((now - at(item)) * 8 / WINDOW).min(23) as usize];
                *items += 1;
                *found += u64::from(filter.contains_hash_at(hash, now));
            }
        }
        for (eighth, &(items, found)) in ages.iter().enumerate() {
            table.push([(eighth as f64 / 8.0).into(), items.into(), found.into()]);
        }
        let forgotten = (params.forgets_after() * 8).div_ceil(WINDOW) as usize;
        let sum =
            |part: &[(u64, u64)]| part.iter().fold((0, 0), |sum, next| (sum.0 + next.0, sum.1 + next.1));
        let (within, held) = sum(&ages[..8]);
        let (old, reported) = sum(&ages[forgotten..]);
        outcome.tables.push(table);
        outcome.verdicts.push(Verdict::new(
            "All items of the window are found.",
            held == within && within > 0,
            format!("{held} of {within} found."),
        ));
        let (_, most) = binomial_band(old, RATE, FALSE_ALARM);
        outcome.verdicts.push(Verdict::new(
            "Items older than five quarters of the window are reported no more often than the target.",
            reported as f64 <= most && old > 0,
            format!("{reported} of {old} reported, at most {most} allowed."),
        ));
        Ok(())
    }
}
