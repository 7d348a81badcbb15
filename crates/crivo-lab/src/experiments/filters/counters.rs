//! Filters of counters.

use crivo::membership::{CountingParams, SpectralBloom, SpectralParams};
use crivo::rng::Rng;
use crivo::{CountingBloom, HashSpec};

use super::from_target;
use super::measure::{INTERVALS, Plan, RATE, Subject, experiment, hashes};
use crate::coverage::Coverage;
use crate::experiments::errors::{FALSE_ALARM, Law, Place, Run};
use crate::experiments::prelude::*;

pub(in crate::experiments) const COUNTING_BLOOM: Experiment = experiment::<CountingBloom>();
pub(in crate::experiments) const SPECTRAL_BLOOM: Experiment = experiment::<SpectralBloom>();

impl Subject for CountingBloom {
    const ID: &'static str = "c-counting-bloom";
    const TITLE: &'static str = "Counting Bloom filter: rate, bits and deletions";
    const REFERENCE: &'static str = "Fan and others 2000";
    const THEORY: &'static str = "\
The rate is that of a Bloom filter with as many bits as there are counters (`CountingParams::fpr_at`, `fpr`), for four times \
the bits. What is removed is as if it had never been inserted, unless a counter stops; at the capacity one does with \
probability `overflow_probability`.";
    const COST: Cost = Cost { quick: 0.1, full: 9.0 };
    from_target!(CountingParams);

    /// Twice the capacity goes in, and half of it out again.
    fn more(plan: &Plan, rng: &mut Rng, outcome: &mut Outcome) -> Result<()> {
        let (params, made) = (Self::sized(plan.capacity, RATE)?, Self::sized(plan.capacity, plan.rate())?);
        let (mut runs, mut lost) = (Vec::new(), 0);
        for _ in 0..plan.filters {
            let spec = HashSpec::seeded(rng.next_u64());
            let mut filter = Self::filled(made, spec, 2 * plan.capacity)?;
            let (kept, removed) = (0..plan.capacity, plan.capacity..2 * plan.capacity);
            (plan.capacity - plan.lost..2 * plan.capacity).try_for_each(|item| filter.remove(&item))?;
            lost += kept.filter(|item| !filter.contains(item)).count();
            let wrong = removed.filter(|item| filter.contains(item)).count() as u64;
            runs.push(Run { asked: plan.capacity, wrong, told: filter.fpr().into() });
        }
        // A counter that stopped stays above 0, and adds to the rate less than one item does.
        let [before, expected, after] = [0, 1, 2].map(|more| params.fpr_at(plan.capacity - 1 + more));
        let name = format!("{} items removed from {}", plan.capacity, 2 * plan.capacity);
        let place = Place { name, x: 1.0, expected, step: after - before, runs };
        outcome.verdicts.push(Verdict::new(
            "Deletions cause no false negative.",
            lost == 0,
            format!("{lost} of {} items that stayed were denied.", plan.filters * plan.capacity),
        ));
        outcome.verdicts.push(Verdict::within(
            "Deleted items are reported as often as items that were never inserted.",
            " %",
            [place.follows(Law::Mean, FALSE_ALARM)],
        ));
        Ok(())
    }
}

impl Subject for SpectralBloom {
    const ID: &'static str = "c-spectral-bloom";
    const TITLE: &'static str = "Spectral Bloom filter: rate, bits, and counts that are too high";
    const REFERENCE: &'static str = "Cohen and Matias 2003";
    const THEORY: &'static str = "\
The rate is that of a Bloom filter with as many bits as there are counters (`SpectralParams::fpr_at`, `fpr`). No count is too \
low. It is too high when the others took all its counters: with n items inside as often as an absent item is reported with \
n − 1.";
    const COST: Cost = Cost { quick: 0.2, full: 10.0 };
    from_target!(SpectralParams);

    /// Items come one to five times; the counts of all are asked, and of one in each filter the interval.
    fn more(plan: &Plan, rng: &mut Rng, outcome: &mut Outcome) -> Result<()> {
        let (params, made) = (Self::sized(plan.capacity, RATE)?, Self::sized(plan.capacity, plan.rate())?);
        let (mut runs, mut low, mut coverage) = (Vec::new(), 0, Coverage::default());
        for _ in 0..INTERVALS {
            let spec = HashSpec::seeded(rng.next_u64());
            let mut filter = Self::with_params(made).with_hash(spec);
            let inside = hashes(spec, 0..plan.capacity);
            let truths = || (0..).map(|item: u64| 1 + item % 5);
            let added = inside.iter().zip(truths()).skip(plan.lost as usize);
            added.for_each(|(&hash, count)| filter.add_hash(hash, count));
            let mut high = 0;
            for (&hash, truth) in inside.iter().zip(truths()) {
                let answer = filter.frequency_hash(hash).value();
                low += u64::from(answer < truth as f64);
                high += u64::from(answer > truth as f64);
            }
            coverage.add(&filter.frequency_hash(inside[0]), 1.0);
            runs.push(Run { asked: plan.capacity, wrong: high, told: filter.fpr().into() });
        }
        let expected = params.fpr_at(plan.capacity - 1);
        let step = params.fpr_at(plan.capacity + 1) - expected;
        let place = Place { name: format!("{} items inside", plan.capacity), x: 1.0, expected, step, runs };
        outcome.verdicts.push(Verdict::new(
            "No count is too low.",
            low == 0,
            format!("{low} of {} counts were too low.", place.asked()),
        ));
        outcome.verdicts.push(Verdict::within(
            "The share of counts that are too high is that of theory.",
            " %",
            [place.follows(Law::Mean, FALSE_ALARM)],
        ));
        outcome.verdicts.push(Verdict::within(
            "The interval of a count, one in each filter, has the promised coverage.",
            " %",
            [coverage.check("the capacity", FALSE_ALARM)],
        ));
        Ok(())
    }
}
