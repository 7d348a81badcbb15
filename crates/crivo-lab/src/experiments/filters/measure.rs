//! One measurement for all filters: the rate as they fill, the bits that a rate costs, and what they say of themselves.

use std::ops::Range;

use crivo::HashSpec;
use crivo::rng::Rng;
use crivo::sketch::Sketch;
use libm::log2;

use crate::coverage::Coverage;
use crate::experiments::errors::{FALSE_ALARM, Law, Place, Run, Told};
use crate::experiments::prelude::*;
use crate::significant;

/// A filter, or a structure that answers as one, measured with the items 0, 1, 2, …
pub(in crate::experiments) trait Subject {
    type Filter: Sketch;
    /// Its size.
    type Params: Copy;
    /// `c-` and the name of the kind.
    const ID: &'static str;
    const TITLE: &'static str;
    const REFERENCE: &'static str;
    /// What the formula of its rate is.
    const THEORY: &'static str;
    const COST: Cost;
    /// The shares of the capacity at which it is measured.
    const LOADS: &'static [f64] = &[0.125, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0];
    const LAW: Law = Law::Mean;

    /// The size for a capacity and a rate.
    fn sized(capacity: u64, rate: f64) -> Result<Self::Params>;

    /// The filter of that size with the first items inside.
    fn filled(params: Self::Params, spec: HashSpec, items: u64) -> Result<Self::Filter>;

    /// Whether each of these items seems to be inside.
    fn ask(filter: &Self::Filter, items: Range<u64>) -> Vec<bool>;

    /// What the filter says of its own rate.
    fn told(filter: &Self::Filter) -> Told;

    /// The expected rate with this number of items.
    fn fpr_at(params: Self::Params, items: u64) -> f64;

    /// What is asked of this filter alone.
    fn more(_plan: &Plan, _rng: &mut Rng, _outcome: &mut Outcome) -> Result<()> {
        Ok(())
    }
}

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub(in crate::experiments) struct Plan {
    /// The items that filters are made for.
    pub(in crate::experiments) capacity: u64,
    /// Filters at each place, each with its own hash function.
    pub(in crate::experiments) filters: u64,
    /// Absent items asked of each.
    pub(in crate::experiments) probes: u64,
    /// A planted fault: items that should be inside and are not inserted.
    pub(in crate::experiments) lost: u64,
    /// A planted fault: how many times the rate that is asked for filters are made for.
    pub(in crate::experiments) loosened: f64,
    /// A planted fault: how many times its own rate, or its own count, a filter states.
    pub(in crate::experiments) overstated: f64,
}

impl Plan {
    const SOUND: Self = Self { capacity: 0, filters: 0, probes: 0, lost: 0, loosened: 1.0, overstated: 1.0 };

    fn of(size: Size) -> Self {
        match size {
            Size::Quick => Self { capacity: 1000, filters: 250, probes: 2000, ..Self::SOUND },
            Size::Full => Self { capacity: 10_000, filters: 300, probes: 50_000, ..Self::SOUND },
        }
    }

    /// The rate that filters are made for.
    pub(in crate::experiments) fn rate(&self) -> f64 {
        self.loosened * RATE
    }
}

/// Filters for claims about one interval of each: enough for a band of 3 points.
pub(in crate::experiments) const INTERVALS: u64 = 2200;

/// The rate of the filters that are filled step by step.
pub(in crate::experiments) const RATE: f64 = 0.01;
const TARGETS: [f64; 4] = [0.1, 0.01, 0.001, 0.0001];

/// The experiment on a filter.
pub(in crate::experiments) const fn experiment<S: Subject>() -> Experiment {
    Experiment {
        id: S::ID,
        title: S::TITLE,
        source: Source::Crivo,
        reference: S::REFERENCE,
        question: "What is the false-positive rate of the filter as it fills, beyond its capacity if it can grow; how many bits does a \
rate cost; and is the rate that the filter states correct?",
        theory: S::THEORY,
        cost: S::COST,
        timed: false,
        structures: const { &[S::ID.split_at(2).1] },
        contradicts: false,
        faults: const {
            &[
                Fault {
                    name: "an item that is not inserted",
                    run: |settings, progress| {
                        measure_with::<S>(settings, progress, Plan { lost: 1, ..Plan::of(settings.size) })
                    },
                },
                Fault {
                    name: "filters for twenty times the rate",
                    run: |settings, progress| {
                        measure_with::<S>(
                            settings,
                            progress,
                            Plan { loosened: 20.0, ..Plan::of(settings.size) },
                        )
                    },
                },
                Fault {
                    name: "filters that state ten times their rate",
                    run: |settings, progress| {
                        measure_with::<S>(
                            settings,
                            progress,
                            Plan { overstated: 10.0, ..Plan::of(settings.size) },
                        )
                    },
                },
                Fault {
                    name: "filters for a twentieth of the rate",
                    run: |settings, progress| {
                        measure_with::<S>(
                            settings,
                            progress,
                            Plan { loosened: 0.05, ..Plan::of(settings.size) },
                        )
                    },
                },
            ]
        },
        run: |settings, progress| measure_with::<S>(settings, progress, Plan::of(settings.size)),
    }
}

/// The hashes of consecutive numbers: whatever is wrong is the hash function's doing, not the data's.
pub(in crate::experiments) fn hashes(spec: HashSpec, items: Range<u64>) -> Vec<u64> {
    items.map(|item| spec.hash(&item)).collect()
}

/// Filters of one target and number of items.
struct Sort {
    target: f64,
    items: u64,
    place: Place,
    lost: u64,
    /// Bits an item, in memory and in a file, of the last one.
    bits: [f64; 2],
}

impl Sort {
    fn measure<S: Subject>(plan: &Plan, target: f64, load: f64, rng: &mut Rng) -> Result<Self> {
        let items = (plan.capacity as f64 * load) as u64;
        let params = S::sized(plan.capacity, target)?;
        let faulty = S::sized(plan.capacity, (plan.loosened * target).min(0.3))?;
        let (mut runs, mut lost, mut bits) = (Vec::new(), 0, [0.0; 2]);
        for _ in 0..plan.filters {
            let spec = HashSpec::seeded(rng.next_u64());
            let filter = S::filled(faulty, spec, items - plan.lost)?;
            let count =
                |items: Range<u64>| S::ask(&filter, items).into_iter().filter(|&yes| yes).count() as u64;
            lost += items - count(0..items);
            let wrong = count(items..items + plan.probes);
            runs.push(Run { asked: plan.probes, wrong, told: S::told(&filter).times(plan.overstated) });
            bits = [filter.memory_bytes(), filter.to_bytes().len()]
                .map(|bytes| 8.0 * bytes as f64 / items as f64);
        }
        let [before, expected, after] = [items - 1, items, items + 1].map(|items| S::fpr_at(params, items));
        let step = after - before;
        let name = format!("{items} items made for {} at {} %", plan.capacity, 100.0 * target);
        Ok(Self { target, items, place: Place { name, x: load, expected, step, runs }, lost, bits })
    }
}

fn measure_with<S: Subject>(settings: &Settings, progress: &mut Progress, plan: Plan) -> Result<Outcome> {
    let mut rng = settings.rng(S::ID);
    progress.start((S::LOADS.len() + TARGETS.len()) as u64);
    let mut measured = |target: f64, load: f64| {
        let sort = Sort::measure::<S>(&plan, target, load, &mut rng);
        progress.step();
        sort
    };
    let filling = S::LOADS.iter().map(|&load| measured(RATE, load)).collect::<Result<Vec<_>>>()?;
    let targets = TARGETS.iter().map(|&target| measured(target, 1.0)).collect::<Result<Vec<_>>>()?;
    let note = format!(
        "{} filters at each place, each with its own hash function. The first items are inserted, and the {} items after them are \
         queried.",
        plan.filters, plan.probes
    );
    let mut outcome = Outcome {
        atlas: targets.iter().find(|sort| sort.target == RATE).map(entry),
        tables: vec![filling_table(&filling), bits_table(&targets)],
        plots: vec![filling_plot(&filling), bits_plot(&targets)],
        verdicts: judge(S::LAW, &filling, &targets),
        notes: vec![note],
    };
    S::more(&plan, &mut settings.rng(&format!("{} more", S::ID)), &mut outcome)?;
    Ok(outcome)
}

/// The line of the atlas: a filter filled to its capacity.
fn entry(sort: &Sort) -> Entry {
    let [theory, seen, coverage] =
        [100.0 * sort.place.expected, sort.place.percent(), 100.0 * sort.place.coverage().share()]
            .map(|percent| significant(percent, 3));
    Entry {
        setting: format!("{} items at a target of {} %", sort.items, 100.0 * sort.target),
        error: format!("{seen} % false positives, theory {theory} %"),
        size: format!("{} bits per item", significant(sort.bits[0], 3)),
        coverage: format!("{coverage} % of stated rates"),
    }
}

fn filling_table(sorts: &[Sort]) -> Table {
    let columns = [
        "items n",
        "n/capacity",
        "theory (%)",
        "stated, mean (%)",
        "measured (%)",
        "95 % lower (%)",
        "95 % upper (%)",
        "asked",
        "wrong",
        "items lost",
        "stated rates confirmed (%)",
    ];
    let mut table = Table::new("filling", columns);
    for Sort { items, place, lost, .. } in sorts {
        let (lower, upper) = place.bars();
        let rates =
            [place.x, 100.0 * place.expected, 100.0 * place.told().mean, place.percent(), lower, upper];
        let held = 100.0 * place.coverage().share();
        let counts = [place.asked(), place.wrong(), *lost].map(Cell::from);
        table.push(
            [Cell::from(*items)].into_iter().chain(rates.map(Cell::from)).chain(counts).chain([held.into()]),
        );
    }
    table
}

fn bits_table(sorts: &[Sort]) -> Table {
    let columns = [
        "target (%)",
        "theory (%)",
        "measured (%)",
        "95 % upper (%)",
        "memory (bits per item)",
        "file (bits per item)",
        "log2(1/measured) (bits)",
    ];
    let mut table = Table::new("bits", columns);
    for Sort { target, place, bits: [memory, file], .. } in sorts {
        let (rate, (_, upper)) = (place.percent(), place.bars());
        let row = [100.0 * target, 100.0 * place.expected, rate, upper, *memory, *file, log2(100.0 / rate)];
        table.push(row.map(Cell::from));
    }
    table
}

fn filling_plot(sorts: &[Sort]) -> Plot {
    let theory = sorts.iter().map(|sort| Point::new(sort.place.x, 100.0 * sort.place.expected));
    Plot::new("filling", "False positives of a filter for 1 % as it fills")
        .axes("items inside (share of the capacity)", "false positives (%)")
        .log_x()
        .log_y()
        .with([Series::new("theory", Style::Theory, theory)])
        .with([Series::new(
            "measured (95 % interval)",
            Style::Points,
            sorts.iter().map(|sort| sort.place.point()),
        )])
}

fn bits_plot(sorts: &[Sort]) -> Plot {
    let at =
        |bits: fn(&Sort) -> f64| sorts.iter().map(move |sort| Point::new(sort.place.percent(), bits(sort)));
    let bound = TARGETS.map(|target| Point::new(100.0 * target, log2(1.0 / target)));
    Plot::new("bits", "Bits that a rate costs, filled to the capacity")
        .axes("false positives (%)", "size (bits per item)")
        .log_x()
        .with([Series::new("least of all filters: log2(1/rate)", Style::Theory, bound)])
        .with([Series::new("in memory", Style::Joined, at(|sort| sort.bits[0]))])
        .with([Series::new("in a file", Style::Joined, at(|sort| sort.bits[1]))])
}

fn judge(law: Law, filling: &[Sort], targets: &[Sort]) -> Vec<Verdict> {
    let all = || filling.iter().chain(targets);
    // Shared by all places and the four claims that chance has a part in.
    let false_alarm = FALSE_ALARM / (4 * all().count()) as f64;
    let (lost, inside) = all().fold((0, 0), |(lost, inside), sort| {
        (lost + sort.lost, inside + sort.items * sort.place.runs.len() as u64)
    });
    let follows = match law {
        Law::Mean => "Given only n, the false-positive rate is that of theory.",
        Law::AtMost => "Given only n, the false-positive rate is at most that of theory.",
    };
    let target = |sort: &Sort| {
        let place = Place { expected: sort.target, step: 0.0, ..sort.place.clone() };
        place.follows(Law::AtMost, false_alarm)
    };
    let mut stated = Coverage::default();
    all().for_each(|sort| stated.merge(sort.place.coverage()));
    vec![
        Verdict::new(
            "No inserted item is denied.",
            lost == 0 && inside > 0,
            format!("{lost} of {inside} inserted items were denied."),
        ),
        Verdict::within(follows, " %", all().map(|sort| sort.place.follows(law, false_alarm))),
        Verdict::within(
            "Given their content, the false-positive rate of the filters is the one that they state.",
            " %",
            all().map(|sort| sort.place.as_told(false_alarm)),
        ),
        Verdict::within(
            "The rate that a filter states lies in the 95 % interval of its own false positives in at least 95 % of all filters.",
            " %",
            [stated.check("all places together", FALSE_ALARM / 4.0)],
        ),
        Verdict::within(
            "Filled to the capacity, the false-positive rate does not exceed the target.",
            " %",
            targets.iter().map(target),
        ),
    ]
}
