//! One measurement for all filters of values that may answer too much.

use crivo::HashSpec;
use crivo::rng::Rng;
use crivo::sketch::Sketch;
use crivo::valued::LinearBloomParams;
use crivo::valued::theory::{Values, load};

use super::show::{bits_plot, bits_table, filling_plot, filling_table, stated_table};
use crate::coverage::Coverage;
use crate::experiments::errors::{FALSE_ALARM, Law, Place, Run, Told};
use crate::experiments::filters::measure::hashes;
use crate::experiments::prelude::*;
use crate::significant;
use crate::summary::{Summary, student};

/// A filter of values to be measured. A test plants a fault with a type of its own.
pub(super) trait Valued {
    type Filter: Sketch;
    /// `c-` and the name of the kind.
    const ID: &'static str;
    const TITLE: &'static str;
    const THEORY: &'static str;
    const COST: Cost;
    /// Whether values come back as they went in, unless others raise them; else they are rounded up, and what shares a level
    /// does not raise it.
    const LAW: Law;

    /// The filter with these items and values from 0.1 to 1.
    fn filled(params: LinearBloomParams, spec: HashSpec, items: &[(u64, f64)]) -> Result<Self::Filter>;

    /// What an item of this value, at this place of `of`, should be answered, and what it is answered if it is alone.
    fn alone(value: f64, place: usize, of: usize) -> Result<(f64, f64)>;

    /// The answers, and the stated probability that each is too much.
    fn ask(filter: &Self::Filter, hashes: &[u64]) -> Vec<Option<(f64, f64)>>;

    /// How many of these are reported at all.
    fn reported(filter: &Self::Filter, hashes: &[u64]) -> u64;

    /// What the filter says of its rate of absent items that are reported.
    fn told(filter: &Self::Filter) -> Told;
}

const LOADS: [f64; 8] = [0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0];
/// The share of items answered too much, of filters that are filled step by step.
const RATE: f64 = 0.01;
const TARGETS: [f64; 3] = [0.1, 0.01, 0.001];
/// Where the stated probabilities are parted.
const STATED: [f64; 4] = [0.001, 0.01, 0.1, 1.0];
/// The values lie from 0.1 to 1.
pub(super) const LOWEST: f64 = 0.1;
/// The guarantee of every kind, rounding included.
const ROUNDING: f64 = 1e-7;

pub(super) const fn experiment<V: Valued>() -> Experiment {
    Experiment {
        id: V::ID,
        title: V::TITLE,
        source: Source::Crivo,
        reference: "Ferreira 2017, chapters 3 and 5, carried on",
        question: "How often is a value too high as the filter fills, and by how much; how many bits does a rate cost; and are the probabilities \
correct that the filter states with its answers?",
        theory: V::THEORY,
        cost: V::COST,
        timed: false,
        structures: const { &[V::ID.split_at(2).1] },
        contradicts: false,
        faults: const {
            &[
                Fault {
                    name: "one hash function",
                    run: |settings, progress| {
                        measure::<V>(settings, progress, Flaw { is_single: true, ..Flaw::NONE })
                    },
                },
                Fault {
                    name: "an item that is not inserted",
                    run: |settings, progress| {
                        measure::<V>(settings, progress, Flaw { lost: 1, ..Flaw::NONE })
                    },
                },
                Fault {
                    name: "filters that state twice their rate",
                    run: |settings, progress| {
                        measure::<V>(settings, progress, Flaw { overstated: 2.0, ..Flaw::NONE })
                    },
                },
            ]
        },
        run: |settings, progress| measure::<V>(settings, progress, Flaw::NONE),
    }
}

/// A planted fault: whether the filter has one hash function only, items that are not inserted, and how many times its own rate a
/// filter states.
#[derive(Clone, Copy)]
struct Flaw {
    is_single: bool,
    lost: usize,
    overstated: f64,
}

impl Flaw {
    const NONE: Self = Self { is_single: false, lost: 0, overstated: 1.0 };
}

/// Filters of one target and number of items.
pub(super) struct Sort {
    pub(super) target: f64,
    pub(super) items: u64,
    /// Items inside that are answered too much.
    pub(super) raised: Place,
    /// Absent items that are reported.
    pub(super) absent: Place,
    /// Items that are denied, or answered too little.
    pub(super) low: u64,
    /// By how much an item is answered too much, on average over each filter, and by theory.
    pub(super) excess: Vec<f64>,
    pub(super) mean_excess: f64,
    /// Bits an item.
    pub(super) memory: f64,
}

/// Answers by stated probability: how many, how many too much, and the sum of what was stated.
type Stated = [(u64, u64, f64); STATED.len()];

/// All that was seen: sorts of filters, and of each filter its answers by stated probability.
struct Seen {
    flaw: Flaw,
    capacity: u64,
    filters: u64,
    stated: Vec<Stated>,
}

impl Seen {
    fn sort<V: Valued>(
        &mut self,
        (target, params): (f64, LinearBloomParams),
        load_share: f64,
        rng: &mut Rng,
    ) -> Result<Sort> {
        let items = (self.capacity as f64 * load_share) as u64;
        let (mut raised, mut absent, mut excess) = (Vec::new(), Vec::new(), Vec::new());
        let (mut low, mut memory) = (0, 0.0);
        for _ in 0..self.filters {
            let spec = HashSpec::seeded(rng.next_u64());
            let inside = hashes(spec, 0..items);
            let pairs: Vec<(u64, f64)> =
                inside.iter().map(|&hash| (hash, LOWEST + (1.0 - LOWEST) * rng.unit())).collect();
            let faulty = LinearBloomParams::exact(
                params.cells(),
                if self.flaw.is_single { 1 } else { params.hashes() },
            )?;
            let filter = V::filled(faulty, spec, &pairs[self.flaw.lost..])?;
            let (mut wrong, mut sum, mut stated) = (0, 0.0, Stated::default());
            let answers = V::ask(&filter, &inside);
            for (place, (answer, &(_, value))) in answers.iter().zip(&pairs).enumerate() {
                let (truth, own) = V::alone(value, place, pairs.len())?;
                let (answer, chance) = answer.unwrap_or((0.0, 0.0));
                let chance = (self.flaw.overstated * chance).min(1.0);
                low += u64::from(answer < truth * (1.0 - ROUNDING));
                let is_raised = answer > own * (1.0 + ROUNDING);
                wrong += u64::from(is_raised);
                sum += (answer - own).max(0.0);
                let part = &mut stated[STATED.partition_point(|&end| end < chance).min(STATED.len() - 1)];
                *part = (part.0 + 1, part.1 + u64::from(is_raised), part.2 + chance);
            }
            self.stated.push(stated);
            excess.push(sum / items as f64);
            raised.push(Run { asked: items, wrong, told: (wrong as f64 / items as f64).into() });
            let others = hashes(spec, items..2 * items);
            let reported = V::reported(&filter, &others);
            absent.push(Run {
                asked: items,
                wrong: reported,
                told: V::told(&filter).times(self.flaw.overstated),
            });
            memory = 8.0 * filter.memory_bytes() as f64 / items as f64;
        }
        let name = format!("{items} items made for {} at {} %", self.capacity, 100.0 * target);
        let place = |runs, rate: fn(LinearBloomParams, u64) -> f64| {
            let [before, expected, after] = [items - 1, items, items + 1].map(|items| rate(params, items));
            Place { name: name.clone(), x: load_share, expected, step: after - before, runs }
        };
        let mean =
            Values::Uniform.mean_distortion(load(items, params.cells(), params.hashes()), params.hashes());
        Ok(Sort {
            target,
            items,
            raised: place(raised, |params, items| params.distortion_at(items)),
            absent: place(absent, |params, items| params.fpr_at(items)),
            low,
            excess,
            mean_excess: (1.0 - LOWEST) * mean,
            memory,
        })
    }

    /// The answers with one range of stated probabilities, as a place where the stated mean is expected.
    fn calibration(&self) -> Vec<Place> {
        let run = |(asked, wrong, _)| Run { asked, wrong, told: (wrong as f64 / asked as f64).into() };
        let place = |(part, &end): (usize, &f64)| {
            let of = |stated: &Stated| stated[part];
            let runs: Vec<Run> =
                self.stated.iter().map(of).filter(|&(asked, ..)| asked > 0).map(run).collect();
            let all = self.stated.iter().map(of).fold((0, 0.0), |sum, (n, _, p)| (sum.0 + n, sum.1 + p));
            let expected = all.1 / all.0 as f64;
            Place { name: format!("stated up to {end}"), x: expected, expected, step: 0.0, runs }
        };
        STATED.iter().enumerate().map(place).filter(|place| place.runs.len() > 1).collect()
    }
}

fn measure<V: Valued>(settings: &Settings, progress: &mut Progress, flaw: Flaw) -> Result<Outcome> {
    let (capacity, filters) = match settings.size {
        Size::Quick => (1000, 230),
        Size::Full => (10_000, 230),
    };
    let mut seen = Seen { flaw, capacity, filters, stated: Vec::new() };
    let mut rng = settings.rng(V::ID);
    progress.start((LOADS.len() + TARGETS.len()) as u64);
    let mut measured = |sized: (f64, LinearBloomParams), load: f64| {
        let sort = seen.sort::<V>(sized, load, &mut rng);
        progress.step();
        sort
    };
    // The search for a size takes longer than all else that is done with it.
    let sized = |rate: f64| -> Result<_> { Ok((rate, LinearBloomParams::for_distortion(capacity, rate)?)) };
    let usual = sized(RATE)?;
    let filling = LOADS.iter().map(|&load| measured(usual, load)).collect::<Result<Vec<_>>>()?;
    let targets = TARGETS.iter().map(|&target| measured(sized(target)?, 1.0)).collect::<Result<Vec<_>>>()?;
    let stated = seen.calibration();
    Ok(Outcome {
        atlas: targets.iter().find(|sort| sort.target == RATE).map(entry),
        tables: vec![filling_table(&filling), bits_table(&targets), stated_table(&stated)],
        plots: vec![filling_plot(&filling), bits_plot(&targets)],
        verdicts: judge(V::LAW, &filling, &targets, &stated),
        notes: vec![format!(
            "{filters} filters at each place, each with its own hash function and random values from 0.1 to 1."
        )],
    })
}

/// The line of the atlas: a filter filled to its capacity.
fn entry(sort: &Sort) -> Entry {
    let [theory, seen, coverage] =
        [100.0 * sort.raised.expected, sort.raised.percent(), 100.0 * sort.absent.coverage().share()]
            .map(|percent| significant(percent, 3));
    Entry {
        setting: format!("{} items at a target of {} %", sort.items, 100.0 * sort.target),
        error: format!("{seen} % of values too high, theory {theory} %"),
        size: format!("{} bits per item", significant(sort.memory, 3)),
        coverage: format!("{coverage} % of stated rates"),
    }
}

fn judge(law: Law, filling: &[Sort], targets: &[Sort], stated: &[Place]) -> Vec<Verdict> {
    let all = || filling.iter().chain(targets);
    // Shared by all places and the six claims that chance has a part in.
    let false_alarm = FALSE_ALARM / (6 * all().count()) as f64;
    let mut stated_rates = Coverage::default();
    all().for_each(|sort| stated_rates.merge(sort.absent.coverage()));
    let (low, inside) = all().fold((0, 0), |sum, sort| (sum.0 + sort.low, sum.1 + sort.raised.asked()));
    let target = |sort: &Sort| {
        let place = Place { expected: sort.target, step: 0.0, ..sort.raised.clone() };
        place.follows(Law::AtMost, false_alarm)
    };
    // Student's t is for means of many: from a hundred items answered too much on.
    let many = |sort: &&Sort| sort.raised.expected * sort.raised.asked() as f64 >= 100.0;
    let excess = all().filter(many).map(|sort| {
        let (seen, expected) = (Summary::of(&sort.excess), sort.mean_excess);
        // The formula is that of large filters: right to about 1/n.
        let spread = student(sort.excess.len() as f64 - 1.0, false_alarm) * seen.standard_error
            + expected * 10.0 / sort.items as f64;
        Check {
            place: sort.raised.name.clone(),
            value: seen.mean,
            expected,
            lower: if law == Law::Mean { expected - spread } else { f64::NEG_INFINITY },
            upper: expected + spread,
        }
    });
    let [often, much] = match law {
        Law::Mean => ["Values are too high as often as theory says.", "Their mean excess is that of theory."],
        Law::AtMost => [
            "Values are too high at most as often as theory says.",
            "Their mean excess is at most that of theory.",
        ],
    };
    vec![
        Verdict::new(
            "No inserted item is denied, and no value is too low.",
            low == 0 && inside > 0,
            format!("{low} of {inside} answers were denied or too low."),
        ),
        Verdict::within(often, " %", all().map(|sort| sort.raised.follows(law, false_alarm))),
        Verdict::within(much, "", excess),
        Verdict::within(
            "The false-positive rate is that of theory.",
            " %",
            all().map(|sort| sort.absent.follows(Law::Mean, false_alarm)),
        ),
        Verdict::within(
            "The rate that a filter states for absent items lies in the 95 % interval of its own false positives in at least 95 % of \
             all filters.",
            " %",
            [stated_rates.check("all places together", FALSE_ALARM / 6.0)],
        ),
        Verdict::within(
            "Of the answers with a stated probability of being too high, that share is too high.",
            " %",
            stated.iter().map(|place| place.follows(Law::Mean, false_alarm)),
        ),
        Verdict::within(
            "Filled to the capacity, the share of values that are too high does not exceed the target.",
            " %",
            targets.iter().map(target),
        ),
    ]
}
