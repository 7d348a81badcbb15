//! What the chapter on massive data does in one pass in addition to distinct elements: a uniform element, counts, the majority element.

use crivo::counting::MorrisParams;
use crivo::frequency::Majority;
use crivo::rng::Rng;
use crivo::stats::binomial_band;
use crivo::{MorrisCounter, Reservoir};
use libm::{exp2, log2};

use super::prelude::*;
use crate::summary::{Summary, bernstein};

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-massive-one-pass",
    title: "One pass: a uniform element, approximate counts and the majority element",
    source: Source::Massive,
    reference: "The chapter on massive data, sections 5.2 to 5.4 and 5.7, algorithms 5.2 to 5.4, 5.6 and 5.15",
    question: "Do algorithms 5.2 to 5.4 choose every element with probability 1/n, does algorithm 5.6 estimate the number of elements with a \
property without bias, and does algorithm 5.15 always return the majority element?",
    theory: "\
Algorithm 5.2 keeps all n elements and draws a position, and algorithm 5.3 knows n, draws a position, and reads the stream up to it. \
Algorithm 5.4 keeps the i-th element with probability 1/i, so that each of n elements is chosen with probability 1/n (theorem 5.1); the \
library does this with a reservoir of one. Algorithm 5.6 increments z with probability 2^(−z) for each element with the property, and returns \
2^z − 1, whose mean is the true number k (theorem 5.2) and whose variance is k(k − 1)/2. After ten elements z is ten with probability \
1·½·¼·…·2^(−9) = 2^(−45), as the chapter prints. Algorithm 5.15 returns the majority element if there is one (theorem 5.8).\n\n\
The choices are compared with binomial bands, the registers after ten elements with the exact law (`MorrisParams::register_chances`), and the \
mean of the estimates with Bernstein's bound, at a false-alarm probability of 10⁻⁶ shared by all.",
    cost: Cost { quick: 0.5, full: 5.0 },
    timed: false,
    structures: &["reservoir", "morris-counter", "majority"],
    contradicts: false,
    faults: &[
        Fault {
            name: "the first element is lost",
            run: |settings, progress| measure(settings, progress, Flaw { lost: 1, ..Flaw::NONE }),
        },
        Fault {
            name: "a Morris counter with the base 1.9",
            run: |settings, progress| measure(settings, progress, Flaw { base: 1.9, ..Flaw::NONE }),
        },
    ],
    run: |settings, progress| measure(settings, progress, Flaw::NONE),
};

const FALSE_ALARM: f64 = 1e-6;
/// Elements of the stream from which one is chosen.
const STREAM: u64 = 20;
/// Elements with the property: as few as in the chapter's example, and many.
const FEW: u64 = 10;
const MANY: u64 = 1000;
/// Elements of a stream with a majority.
const VOTES: u64 = 21;
const REGISTER_BITS: u32 = 6;
/// The base of the chapter's counter.
const BASE: f64 = 2.0;

/// A planted fault.
#[derive(Clone, Copy)]
struct Flaw {
    /// Elements at the begin of a stream that are not read.
    lost: u64,
    /// The base of the Morris counter, which should be 2.
    base: f64,
}

impl Flaw {
    const NONE: Self = Self { lost: 0, base: BASE };
}

/// What was seen.
struct Seen {
    runs: u64,
    /// How often each element was chosen, by algorithms 5.2, 5.3 and 5.4.
    chosen: [Vec<u64>; 3],
    /// How often the register had each value after ten elements.
    registers: Vec<u64>,
    /// Estimates of many elements.
    estimates: Vec<f64>,
    /// Streams with a majority element, and those in which it was returned.
    majorities: (u64, u64),
    /// The base of the Morris counter.
    base: f64,
}

fn measure(settings: &Settings, progress: &mut Progress, flaw: Flaw) -> Result<Outcome> {
    let runs = match settings.size {
        Size::Quick => 20_000,
        Size::Full => 200_000,
    };
    let mut rng = settings.rng("e-massive-one-pass");
    let mut draws = settings.rng("e-massive-one-pass positions");
    progress.start(3);
    let mut chosen = [(); 3].map(|()| vec![0; STREAM as usize]);
    for _ in 0..runs {
        let stream = || flaw.lost..STREAM;
        // The queue of algorithm 5.2, of which the i-th element is taken.
        let queue: Vec<u64> = stream().collect();
        let with_all = queue[draws.below(queue.len() as u64) as usize];
        let with_number = stream().nth(draws.below(STREAM) as usize);
        let mut sample = Reservoir::for_k(1, rng.next_u64())?;
        stream().for_each(|element| sample.insert(element));
        let in_one_pass = sample.sample().first().copied();
        for (chosen, element) in chosen.iter_mut().zip([Some(with_all), with_number, in_one_pass]) {
            if let Some(element) = element {
                chosen[element as usize] += 1;
            }
        }
    }
    progress.step();
    let params = MorrisParams::exact(flaw.base, REGISTER_BITS)?;
    let (mut registers, mut estimates) = (vec![0; FEW as usize + 1], Vec::new());
    for _ in 0..runs {
        let mut counter = MorrisCounter::with_params(params, rng.next_u64());
        (0..FEW).for_each(|_| counter.increment());
        registers[counter.register() as usize] += 1;
        counter.increment_by(MANY - FEW);
        estimates.push(exp2(counter.register().into()) - 1.0);
    }
    progress.step();
    let majorities = elections(&mut rng, runs / 10, flaw.lost);
    progress.step();
    let seen = Seen { runs, chosen, registers, estimates, majorities, base: flaw.base };
    Ok(Outcome {
        atlas: None,
        tables: vec![choices(&seen), registers_table(&seen)?],
        plots: vec![plot(&seen)?],
        verdicts: judge(&seen)?,
        notes: vec![format!(
            "{runs} streams for each of the first two algorithms, {} with a majority.",
            runs / 10
        )],
    })
}

/// Streams in which one element has a bare majority, in random order.
fn elections(rng: &mut Rng, streams: u64, lost: u64) -> (u64, u64) {
    let mut found = 0;
    for _ in 0..streams {
        let mut votes: Vec<u64> =
            (0..VOTES).map(|vote| if vote <= VOTES / 2 { 0 } else { 1 + rng.below(3) }).collect();
        for last in (1..votes.len()).rev() {
            votes.swap(last, rng.below(last as u64 + 1) as usize);
        }
        let mut majority = Majority::<u64>::new();
        majority.extend(votes.iter().copied().skip(lost as usize));
        found += u64::from(majority.candidate() == Some(&0));
    }
    (streams, found)
}

/// The exact probabilities of the register after ten elements.
fn chances(base: f64) -> Result<Vec<f64>> {
    Ok(MorrisParams::exact(base, REGISTER_BITS)?.register_chances(FEW))
}

fn choices(seen: &Seen) -> Table {
    let columns = ["element", "algorithm 5.2", "algorithm 5.3", "algorithm 5.4", "expected"];
    let mut table = Table::new("choices", columns);
    for element in 0..STREAM {
        let counts = seen.chosen.each_ref().map(|chosen| chosen[element as usize].into());
        let expected = (seen.runs as f64 / STREAM as f64).into();
        table.push([(element + 1).into()].into_iter().chain(counts).chain([expected]));
    }
    table
}

fn registers_table(seen: &Seen) -> Result<Table> {
    let mut table = Table::new("registers", ["register z", "runs", "expected", "estimate 2^z − 1"]);
    for ((register, &count), chance) in (0u64..).zip(&seen.registers).zip(chances(BASE)?) {
        let numbers = [chance * seen.runs as f64, exp2(register as f64) - 1.0].map(Cell::from);
        table.push([register.into(), count.into()].into_iter().chain(numbers));
    }
    Ok(table)
}

fn plot(seen: &Seen) -> Result<Plot> {
    let percent = |count: f64| 100.0 * count / seen.runs as f64;
    let theory =
        chances(BASE)?.into_iter().enumerate().map(|(z, chance)| Point::new(z as f64, 100.0 * chance));
    let measured =
        seen.registers.iter().enumerate().map(|(z, &count)| Point::new(z as f64, percent(count as f64)));
    Ok(Plot::new("registers", "The register of a Morris counter after ten elements")
        .axes("register z", "runs (%)")
        .with([
            Series::new("theory", Style::Theory, theory),
            Series::new("measured", Style::Points, measured),
        ]))
}

fn judge(seen: &Seen) -> Result<Vec<Verdict>> {
    let exact = chances(BASE)?;
    let false_alarm = FALSE_ALARM / (3 * STREAM + exact.len() as u64 + 1) as f64;
    let band = |place: String, count: u64, chance: f64| {
        let (fewest, most) = binomial_band(seen.runs, chance, false_alarm);
        let [value, expected, lower, upper] = [count as f64, chance * seen.runs as f64, fewest, most];
        Check { place, value, expected, lower, upper }
    };
    let choices = |algorithm: usize| {
        let counts = seen.chosen[algorithm - 2].iter().enumerate();
        counts.map(move |(i, &count)| {
            band(format!("algorithm 5.{algorithm}, element {}", i + 1), count, 1.0 / STREAM as f64)
        })
    };
    let registers = seen
        .registers
        .iter()
        .zip(&exact)
        .enumerate()
        .filter(|(_, (_, chance))| **chance * seen.runs as f64 >= 1.0);
    let registers = registers.map(|(z, (&count, &chance))| band(format!("z = {z}"), count, chance));
    let (k, Summary { mean, .. }) = (MANY as f64, Summary::of(&seen.estimates));
    // One more increment doubles an estimate; beyond 64 times the truth there is practically none.
    let bound = bernstein(k * (k - 1.0) / 2.0, 64.0 * k, seen.runs as f64, false_alarm);
    let printed = chances(seen.base)?.last().copied().map_or(f64::NAN, log2);
    let (streams, found) = seen.majorities;
    Ok(vec![
        Verdict::within(
            "Algorithms 5.2 and 5.3, which keep all elements or know n, choose every element with probability 1/n.",
            " runs",
            choices(2).chain(choices(3)),
        ),
        Verdict::within(
            "Algorithm 5.4 chooses every element with probability 1/n, and keeps one.",
            " runs",
            choices(4),
        ),
        Verdict::within(
            "After ten elements with the property, the register of algorithm 5.6 follows the exact law.",
            " runs",
            registers,
        ),
        Verdict::within(
            "The estimate 2^z − 1 is unbiased.",
            "",
            [Check {
                place: format!("{MANY} elements"),
                value: mean,
                expected: k,
                lower: k - bound,
                upper: k + bound,
            }],
        ),
        Verdict::within(
            "By the exact law the register is ten after ten elements with probability 2^(−45), as printed.",
            "",
            [Check {
                place: "log₂ of the probability".to_owned(),
                value: printed,
                expected: -45.0,
                lower: -45.000_001,
                upper: -44.999_999,
            }],
        ),
        Verdict::new(
            "Algorithm 5.15 returns the majority element of every stream that has one.",
            found == streams && streams > 0,
            format!(
                "{found} of {streams} majority elements returned, each with {} of {VOTES} occurrences.",
                VOTES / 2 + 1
            ),
        ),
    ])
}
