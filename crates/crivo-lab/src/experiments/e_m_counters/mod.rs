//! The probabilistic counters of MPEI, against their mean, variance and whole law.

mod show;

use std::collections::HashMap;

use crivo::counting::{BinomialCounter, BinomialParams, MorrisParams};
use crivo::stats::chi_squared_quantile;
use crivo::{Estimate, MorrisCounter};
use libm::pow;

use super::law::Law;
use super::prelude::*;
use crate::coverage::Coverage;

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-m-counters",
    title: "Probabilistic counters: mean, variance and distribution",
    source: Source::Mpei,
    reference: "MPEI, sections 2.1 to 2.7, exercises 2.3, 2.5 and 2.7, and figure 1",
    question: "One counter counts half of all events, one a 64th, and one increments n with probability 2^(−n). Do their registers have the \
mean, the variance and the distribution of the lecture notes, and what happens if they are full?",
    theory: "\
After k events the reading n of the first two is binomial: mean kp, variance kp(1 − p). The reading of the third, Morris's counter, follows \
P(k, n) = P(k − 1, n − 1)·2^(−(n − 1)) + P(k − 1, n)·(1 − 2^(−n)) (`MorrisParams::register_chances`), so that 2ⁿ has the mean k + 1 \
and the variance k(k − 1)/2. A full register keeps its value: what lies beyond is added to its last number.\n\n\
Every counter is counted anew with its own seed in each run, event by event, and by `increment_by` for large k. \
Means, and mean squares about the true mean, are compared with Chernoff's bound for as many draws from the exact law: 2ⁿ has a \
heavy tail, for which a normal band would be too narrow. The laws are compared with Pearson's χ², with cells pooled to 50 \
expected or more. A false-alarm probability of 10⁻⁶ is shared by all points.",
    cost: Cost { quick: 0.8, full: 12.0 },
    timed: false,
    structures: &["binomial-counter", "morris-counter"],
    contradicts: false,
    faults: &[
        Fault {
            name: "a binomial counter with a wrong probability",
            run: |settings, progress| {
                measure(
                    settings,
                    progress,
                    [COUNTERS[0], Binomial { probability: 1.0 / 63.0, bits: 32 }, COUNTERS[2]],
                    1,
                )
            },
        },
        Fault {
            name: "a Morris counter with a wrong base",
            run: |settings, progress| {
                measure(settings, progress, [COUNTERS[0], COUNTERS[1], Morris { base: 2.2, bits: 7 }], 1)
            },
        },
        Fault {
            name: "events that come twice",
            run: |settings, progress| measure(settings, progress, COUNTERS, 2),
        },
    ],
    run: |settings, progress| measure(settings, progress, COUNTERS, 1),
};

const FALSE_ALARM: f64 = 1e-6;

/// What a register stands for.
type Estimates = HashMap<u32, Estimate>;

/// How one counts.
#[derive(Clone, Copy)]
enum Counter {
    Binomial { probability: f64, bits: u32 },
    Morris { base: f64, bits: u32 },
}
use Counter::{Binomial, Morris};

const COUNTERS: [Counter; 3] = [
    Binomial { probability: 0.5, bits: 32 },
    Binomial { probability: 1.0 / 64.0, bits: 32 },
    Morris { base: 2.0, bits: 8 },
];
const NAMES: [&str; 3] = ["half of all", "a 64th of all", "Morris"];
/// Narrow ones, that are full or not after this number of events.
const NARROW: [(Counter, &str, u64); 2] = [
    (Binomial { probability: 0.5, bits: 6 }, "half of all, 6 bits", 130),
    (Morris { base: 2.0, bits: 4 }, "Morris, 4 bits", 40_000),
];
const EVENTS: [u64; 5] = [4, 15, 100, 1000, 10_000];
const MANY_EVENTS: [u64; 2] = [100_000, 1_000_000];

impl Counter {
    fn law(self, events: u64) -> Result<Law> {
        Ok(match self {
            Binomial { probability, bits } => Law::binomial(events, probability, (1 << bits) - 1),
            Morris { base, bits } => Law::new(0, MorrisParams::exact(base, bits)?.register_chances(events)),
        })
    }

    /// What the notes take the mean and the variance of: n, or 2ⁿ.
    fn reading(self, register: u64) -> f64 {
        match self {
            Binomial { .. } => register as f64,
            Morris { base, .. } => pow(base, register as f64),
        }
    }

    /// The mean and the variance that the notes give the reading.
    fn moments(self, events: u64) -> (f64, f64) {
        let k = events as f64;
        match self {
            Binomial { probability, .. } => (k * probability, k * probability * (1.0 - probability)),
            Morris { .. } => (k + 1.0, k * (k - 1.0) / 2.0),
        }
    }

    /// The register after this number of events, and its estimate.
    fn count(self, events: u64, at_once: bool, seed: u64, estimates: &mut Estimates) -> Result<u32> {
        let (by_one, by_many) = if at_once { (0, events) } else { (events, 0) };
        Ok(match self {
            Binomial { probability, bits } => {
                let mut counter =
                    BinomialCounter::with_params(BinomialParams::exact(probability, bits)?, seed);
                (0..by_one).for_each(|_| counter.increment());
                counter.increment_by(by_many);
                estimates.entry(counter.register()).or_insert_with(|| counter.estimate());
                counter.register()
            }
            Morris { base, bits } => {
                let mut counter = MorrisCounter::with_params(MorrisParams::exact(base, bits)?, seed);
                (0..by_one).for_each(|_| counter.increment());
                counter.increment_by(by_many);
                estimates.entry(counter.register()).or_insert_with(|| counter.estimate());
                counter.register()
            }
        })
    }
}

/// A counter after a number of events, in many runs.
struct Case {
    /// The one that theory is asked about.
    counter: Counter,
    name: &'static str,
    events: u64,
    at_once: bool,
    registers: Vec<u32>,
    law: Law,
    coverage: Coverage,
}

impl Case {
    fn runs(&self) -> f64 {
        self.registers.len() as f64
    }

    fn is_narrow(&self) -> bool {
        NARROW.iter().any(|&(_, name, _)| name == self.name)
    }

    fn place(&self) -> String {
        let way = if self.at_once { ", counted at once" } else { "" };
        format!("{} events, {}{way}", self.events, self.name)
    }

    fn measured(&self, value: impl Fn(u64) -> f64) -> f64 {
        self.registers.iter().map(|&register| value(register.into())).sum::<f64>() / self.runs()
    }

    fn check(&self, expected: f64, value: impl Fn(u64) -> f64, false_alarm: f64) -> Check {
        let (lower, upper) = self.law.mean_band(&value, self.runs(), false_alarm);
        // Where nothing is left to chance only rounding may be between.
        let rounding = 1e-9 * (expected + 1.0);
        let (lower, upper) = (lower - rounding, upper + rounding);
        Check { place: self.place(), value: self.measured(value), expected, lower, upper }
    }

    fn mean(&self, false_alarm: f64) -> Check {
        self.check(self.counter.moments(self.events).0, |n| self.counter.reading(n), false_alarm)
    }

    fn variance(&self, false_alarm: f64) -> Check {
        let (mean, variance) = self.counter.moments(self.events);
        let square = |n| (self.counter.reading(n) - mean) * (self.counter.reading(n) - mean);
        self.check(variance, square, false_alarm)
    }

    fn distribution(&self, false_alarm: f64) -> Check {
        let (value, freedom) = self.law.pearson(&self.registers);
        let upper = chi_squared_quantile(freedom, 1.0 - false_alarm);
        let place = format!("{} (χ² with {freedom} degrees of freedom)", self.place());
        Check { place, value, expected: freedom, lower: f64::NEG_INFINITY, upper }
    }
}

/// `used` are the counters that really count, and each event comes `times` times; theory is that of [`COUNTERS`].
fn measure(settings: &Settings, progress: &mut Progress, used: [Counter; 3], times: u64) -> Result<Outcome> {
    let runs = match settings.size {
        Size::Quick => 2000,
        Size::Full => 50_000,
    };
    let mut plan = Vec::new();
    for ((counter, used), name) in COUNTERS.into_iter().zip(used).zip(NAMES) {
        plan.extend(EVENTS.map(|events| (counter, used, name, events, false)));
        plan.extend(MANY_EVENTS.map(|events| (counter, used, name, events, true)));
        plan.push((counter, used, name, 1000, true));
    }
    plan.extend(NARROW.map(|(counter, name, events)| (counter, counter, name, events, false)));
    let mut rng = settings.rng("e-m-counters seeds");
    progress.start(plan.len() as u64);
    let mut cases = Vec::new();
    for (counter, used, name, events, at_once) in plan {
        let law = counter.law(events)?;
        let (mut registers, mut estimates, mut coverage) =
            (Vec::new(), Estimates::new(), Coverage::default());
        for _ in 0..runs {
            let register = used.count(times * events, at_once, rng.next_u64(), &mut estimates)?;
            registers.push(register);
            coverage.add(&estimates[&register], events as f64);
        }
        cases.push(Case { counter, name, events, at_once, registers, law, coverage });
        progress.step();
    }
    Ok(Outcome {
        atlas: None,
        tables: vec![show::table(&cases), show::distributions(&cases)],
        plots: vec![
            show::law_plot(&cases, NAMES[0], 100, "half"),
            show::law_plot(&cases, NAMES[2], 10_000, "morris"),
            show::error_plot(&cases),
        ],
        verdicts: judge(&cases),
        notes: vec![format!(
            "{runs} runs of every counter, each with its own seed. By the formula 2ⁿ − 1, four bits in base 2 count to {} and eight to {:e}.",
            MorrisParams::exact(2.0, 4)?.largest(),
            MorrisParams::exact(2.0, 8)?.largest()
        )],
    })
}

fn judge(cases: &[Case]) -> Vec<Verdict> {
    // Three claims of every case, and one of its intervals.
    let false_alarm = FALSE_ALARM / (4 * cases.len()) as f64;
    let wide = || cases.iter().filter(|case| !case.is_narrow());
    vec![
        Verdict::within(
            "The mean of n is kp, that of 2ⁿ is k + 1.",
            "",
            wide().map(|case| case.mean(false_alarm)),
        ),
        Verdict::within(
            "The variance of n is kp(1 − p), that of 2ⁿ is k(k − 1)/2.",
            "",
            wide().map(|case| case.variance(false_alarm)),
        ),
        Verdict::within(
            "The whole distribution is binomial, or Morris's, also where registers are full.",
            "",
            cases.iter().map(|case| case.distribution(false_alarm)),
        ),
        Verdict::within(
            "The 95 % intervals of the counters have the promised coverage.",
            " %",
            cases.iter().map(|case| case.coverage.check(case.place(), false_alarm)),
        ),
    ]
}
