//! Filters before the exceptions of a hyphenator: time, look-ups and room.

use std::collections::HashSet;
use std::hint::black_box;
use std::time::Instant;

use crivo::HashSpec;
use crivo::stats::binomial_band;
use crivo_report::plural;
use libm::log2;
use std::f64::consts::LOG2_E;

use super::hyphenator::{FILTERS, Guard, Kind, Lists, Params};
use super::prelude::*;
use super::{hyphenation_times as times, silva_bound};
use crate::summary::{Summary, student};

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-s",
    title: "Filters in front of the exceptions of a hyphenator",
    source: Source::Silva,
    reference: "Silva 2022, sections 3.3, 5 and 6, figures 5.1 to 5.6",
    question: "A hyphenator queries a filter before it looks up a word in the list of exceptions. What do Bloom, cuckoo, blocked and \
fuse filters save and cost there, and is any of them worth its cost?",
    theory: "\
A filter with the false-positive rate p reports every exception, and each other word with probability p: a share 1 − p of the \
look-ups is saved (`fpr_at` of each filter), on any machine, and the hyphenation is unchanged. The work's cuckoo filter has buckets of \
four, the second bucket is i ⊕ h(f), and a full bucket moves a random fingerprint; the library's has overlapping windows of two slots and \
searches for a free one. Each repetition has its own hash \
function. Given the content of the filters, the number of false positives is binomial. Its mean over the repetitions is compared with \
`fpr_at` by Student's t, at a false-alarm probability of 10⁻⁶ shared by all.\n\n\
Times depend on the machine, so findings about time are reported and not judged, unless a full run contradicts the document. \
Within a repetition all contenders run in turn, in an order that changes with the repetition. The differences within a repetition are \
paired, and their mean has an interval by Student's t. The document uses 95 % for each interval; here the fourteen intervals together \
have a confidence of 95 %, each one 1 − 0.05/14. An interval without 0 confirms or contradicts the document, and a contradiction \
is a claim; an interval with 0 decides nothing. The filters are built \
from words, and their sizes are computed before.",
    cost: Cost { quick: 2.0, full: 363.0 },
    timed: true,
    structures: &["bloom-filter", "cuckoo-filter", "blocked-bloom", "binary-fuse"],
    contradicts: true,
    faults: &[
        Fault {
            name: "filters for 1.3 times the rate",
            run: |settings, progress| measure(settings, progress, Planted { rate: 1.3, ..Planted::NONE }),
        },
        Fault {
            name: "filters that state 1.3 times their rate",
            run: |settings, progress| measure(settings, progress, Planted { stated: 1.3, ..Planted::NONE }),
        },
        Fault {
            name: "an exception that is not inserted",
            run: |settings, progress| measure(settings, progress, Planted { skipped: 1, ..Planted::NONE }),
        },
        Fault {
            name: "the correct bound printed",
            run: |settings, progress| {
                measure(settings, progress, Planted { corrected: true, ..Planted::NONE })
            },
        },
    ],
    run: |settings, progress| measure(settings, progress, Planted::NONE),
};

const FALSE_ALARM: f64 = 1e-6;
/// Hash functions, and in full as many measurements of time as in the document.
const REPETITIONS: usize = 30;
/// Filters built in a row for one measurement of the time.
const BUILDS: u32 = 20;

/// Passes without hyphens for one measurement.
const ASKED: u32 = 2;
/// At these ε, in percent, all words are hyphenated, which takes long; at the others they are only asked for.
const HYPHENATED: [u32; 6] = [1, 2, 3, 5, 10, 20];

/// A planted fault.
#[derive(Clone, Copy)]
struct Planted {
    /// Filters are made for this multiple of the rate.
    rate: f64,
    /// The number of exceptions that are not inserted.
    skipped: usize,
    /// Whether the document prints the correct bound.
    corrected: bool,
    /// Filters state this multiple of their rate.
    stated: f64,
}

impl Planted {
    const NONE: Self = Self { rate: 1.0, skipped: 0, corrected: false, stated: 1.0 };
}

fn measure(settings: &Settings, progress: &mut Progress, fault: Planted) -> Result<Outcome> {
    let (percents, timed, step): (Vec<u32>, usize, usize) = match settings.size {
        Size::Quick => (vec![1, 5, 20], 5, 20),
        Size::Full => ((1..=20).collect(), REPETITIONS, 1),
    };
    let lists = Lists::of(settings, step)?;
    let items = lists.exceptional.len() as u64;
    let mut cases = vec![
        Case::new(Kind::Nothing, f64::NAN, Params::Nothing, items)?,
        Case::new(Kind::OwnHash, f64::NAN, Params::OwnHash, items)?,
    ];
    for percent in percents {
        for &kind in FILTERS {
            let rate = f64::from(percent) / 100.0;
            let mut case = Case::new(kind, rate, Params::new(kind, items, rate)?, items)?;
            case.params = Params::new(kind, items, rate * fault.rate)?;
            case.hyphenates = HYPHENATED.contains(&percent);
            cases.push(case);
        }
    }
    let exceptional: HashSet<&String> = lists.exceptional.iter().collect();
    let (inside, others): (Vec<&String>, Vec<&String>) =
        lists.words.iter().partition(|word| exceptional.contains(word));
    let counts = Counts { items, inside: inside.len() as u64, others: others.len() as u64 };
    let mut rng = settings.rng("e-s hash seeds");
    progress.start((REPETITIONS * cases.len()) as u64);
    for repetition in 0..REPETITIONS {
        let spec = HashSpec::seeded(rng.next_u64());
        let hashes = |words: &[&String]| -> Vec<u64> {
            words.iter().map(|word| spec.hash_bytes(word.as_bytes())).collect()
        };
        let (inside, others) = (hashes(&inside), hashes(&others));
        for turn in 0..cases.len() {
            let first = repetition * cases.len() / REPETITIONS;
            let count = cases.len();
            let case = &mut cases[(first + turn) % count];
            let guard = case.build(&lists, fault.skipped, spec, repetition < timed)?;
            case.count(&guard, &inside, &others, fault.stated);
            if repetition < timed {
                case.time(&guard, &lists, spec);
            }
            progress.step();
        }
    }
    let mut verdicts = vec![
        same(&cases),
        given_bits(&cases, counts),
        as_asked(&cases, counts),
        silva_bound::erratum(&mut rng, settings.size, fault.corrected)?,
    ];
    let findings = times::findings(&cases);
    verdicts.extend(findings.iter().map(|finding| finding.verdict(settings.size)));
    Ok(Outcome {
        atlas: None,
        tables: vec![table(&cases, counts), times::table(&cases), times::findings_table(&findings)],
        plots: vec![
            times::plot(&cases, 0, "build", "Time to build a filter of the exceptions"),
            times::plot(&cases, 2, "hyphenate", "Time to hyphenate all words"),
            saved(&cases, counts),
        ],
        verdicts,
        notes: vec![format!(
            "Words: {}; {} words, distinct in lower case, of which {} are among the {items} exceptions. {REPETITIONS} hash functions, \
             {timed} of them timed. The document prints its times as figures only: on its machine, in JavaScript, a \
             Bloom filter took 60 to 90 ms to build (the axis of figure 5.1).",
            settings.corpus_name(),
            lists.words.len(),
            inside.len(),
        )],
    })
}

/// How many exceptions there are, and how many words are exceptions and are not.
#[derive(Clone, Copy)]
struct Counts {
    items: u64,
    inside: u64,
    others: u64,
}

impl Counts {
    /// The share of look-ups that is saved, in percent, if this number of other words is let through.
    fn saved(self, passed: f64) -> f64 {
        100.0 * (1.0 - (self.inside as f64 + passed) / (self.inside + self.others) as f64)
    }
}

/// One contender at one rate.
pub(super) struct Case {
    pub(super) kind: Kind,
    pub(super) rate: f64,
    expected: f64,
    bits: u64,
    params: Params,
    /// Whether all words are hyphenated with it.
    hyphenates: bool,
    /// Words let through that are no exceptions, and the rate that the bits say, by repetition.
    passed: Vec<f64>,
    said: Vec<f64>,
    /// Exceptions that were kept out.
    lost: u64,
    /// Microseconds to build, nanoseconds a word to ask, milliseconds to hyphenate all, by timed repetition.
    pub(super) times: [Vec<f64>; 3],
    /// What all breaks came to.
    digests: HashSet<u64>,
}

impl Case {
    fn new(kind: Kind, rate: f64, params: Params, items: u64) -> Result<Self> {
        let (passed, said, times, digests) = Default::default();
        let (expected, bits) = (params.fpr_at(items), params.bits(items)?);
        Ok(Self {
            kind,
            rate,
            expected,
            bits,
            params,
            hyphenates: true,
            passed,
            said,
            lost: 0,
            times,
            digests,
        })
    }

    fn is_filter(&self) -> bool {
        FILTERS.contains(&self.kind)
    }

    fn place(&self) -> String {
        format!("{}, ε = {} %", self.kind.name(), 100.0 * self.rate)
    }

    fn build<'a>(
        &mut self,
        lists: &'a Lists,
        skipped: usize,
        spec: HashSpec,
        timed: bool,
    ) -> Result<Guard<'a>> {
        if timed && self.kind != Kind::Nothing {
            let start = Instant::now();
            for _ in 0..BUILDS {
                black_box(Guard::new(self.params, lists, skipped, spec)?);
            }
            self.times[0].push(start.elapsed().as_secs_f64() * 1e6 / f64::from(BUILDS));
        }
        Guard::new(self.params, lists, skipped, spec)
    }

    fn count(&mut self, guard: &Guard, inside: &[u64], others: &[u64], stated: f64) {
        if self.is_filter() {
            self.lost += (inside.len() - guard.lets_through(inside)) as u64;
            self.passed.push(guard.lets_through(others) as f64);
            self.said.push(stated * guard.fpr());
        }
    }

    fn time(&mut self, guard: &Guard, lists: &Lists, spec: HashSpec) {
        let words = lists.words.len() as f64;
        let timed = |whole: bool| {
            let start = Instant::now();
            let digest = guard.pass(black_box(lists), spec, whole);
            (start.elapsed().as_secs_f64(), black_box(digest))
        };
        // Short, and so taken as the best of a few.
        let asked = (0..ASKED).map(|_| timed(false).0).fold(f64::INFINITY, f64::min);
        self.times[1].push(asked * 1e9 / words);
        if self.hyphenates {
            let (seconds, digest) = timed(true);
            self.times[2].push(seconds * 1e3);
            self.digests.insert(digest);
        }
    }

    fn passed_mean(&self) -> f64 {
        Summary::of(&self.passed).mean
    }
}

fn same(cases: &[Case]) -> Verdict {
    let digests: HashSet<u64> = cases.iter().flat_map(|case| &case.digests).copied().collect();
    let lost: u64 = cases.iter().map(|case| case.lost).sum();
    let passes: usize = cases.iter().map(|case| case.times[2].len()).sum();
    Verdict::new(
        "Every filter leaves the hyphenation unchanged, and none denies an exception.",
        digests.len() == 1 && lost == 0,
        format!(
            "{} over all words gave {}; {lost} exceptions were denied.",
            plural(passes as u64, "pass", "passes"),
            plural(digests.len() as u64, "distinct result", "distinct results")
        ),
    )
}

fn filters(cases: &[Case]) -> impl Iterator<Item = &Case> + Clone {
    cases.iter().filter(|case| case.is_filter())
}

fn given_bits(cases: &[Case], counts: Counts) -> Verdict {
    let false_alarm = FALSE_ALARM / (2 * filters(cases).count()) as f64;
    let checks = filters(cases).map(|case| {
        let repetitions = case.said.len() as f64;
        let (asked, p) =
            (counts.others * case.said.len() as u64, case.said.iter().sum::<f64>() / repetitions);
        let (fewest, most) = binomial_band(asked, p, false_alarm);
        let value = case.passed.iter().sum();
        Check { place: case.place(), value, expected: asked as f64 * p, lower: fewest, upper: most }
    });
    Verdict::within("Given its content, each filter has the false-positive rate that it states.", "", checks)
}

fn as_asked(cases: &[Case], counts: Counts) -> Verdict {
    let chance = FALSE_ALARM / (2 * filters(cases).count()) as f64;
    let others = counts.others as f64;
    let checks = filters(cases).map(|case| {
        let Summary { mean, standard_error, .. } = Summary::of(&case.passed);
        let repetitions = case.passed.len() as f64;
        let expected = case.expected * others;
        // Never less than the spread of the answers alone, should the repetitions be alike by chance.
        let least = libm::sqrt(expected * (1.0 - case.expected) / repetitions);
        let stray = student(repetitions - 1.0, chance) * standard_error.max(least);
        let percent = |words: f64| 100.0 * words / others;
        let upper = if case.expected <= case.rate { percent(expected + stray) } else { f64::NAN };
        let (value, lower) = (percent(mean), percent(expected - stray));
        Check { place: case.place(), value, expected: percent(expected), lower, upper }
    });
    Verdict::within(
        "Over all hash functions, each filter has the false-positive rate of its size, which is at most ε; the other look-ups are \
saved.",
        " %",
        checks,
    )
}

#[rustfmt::skip]
fn table(cases: &[Case], counts: Counts) -> Table {
    let mut table = Table::new("look-ups", [
        "filter", "ε (%)", "theory, others let through (%)", "others let through (%)", "look-ups saved (%)",
        "bits an exception", "least: log2(1/ε)", "printed least: log2 e·log2(1/ε)",
    ]);
    for case in filters(cases) {
        let least = log2(1.0 / case.rate);
        table.push([
            case.kind.name().into(), (100.0 * case.rate).into(), (100.0 * case.expected).into(),
            (100.0 * case.passed_mean() / counts.others as f64).into(), counts.saved(case.passed_mean()).into(),
            (case.bits as f64 / counts.items as f64).into(), least.into(), (LOG2_E * least).into(),
        ]);
    }
    table
}

fn saved(cases: &[Case], counts: Counts) -> Plot {
    let series = FILTERS.iter().enumerate().flat_map(|(colour, &kind)| {
        let of_kind = cases.iter().filter(move |case| case.kind == kind);
        let theory = of_kind
            .clone()
            .map(|case| Point::new(100.0 * case.rate, counts.saved(case.expected * counts.others as f64)));
        let seen = of_kind.map(|case| Point::new(100.0 * case.rate, counts.saved(case.passed_mean())));
        [
            Series::new(format!("theory, {}", kind.name()), Style::Curve, theory).coloured(colour),
            Series::new(kind.name(), Style::Points, seen).coloured(colour),
        ]
    });
    Plot::new("saved", "Look-ups that a filter saves")
        .axes("rate that is asked for, ε (%)", "look-ups saved (% of words)")
        .with(series)
}
