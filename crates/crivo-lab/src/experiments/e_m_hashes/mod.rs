//! The hash functions of the documents and the default one, side by side.

mod functions;
mod measures;
mod sets;
mod show;

use self::functions::Function;
use self::measures::Quality;
use super::prelude::*;

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-m-hashes",
    title: "Hash functions side by side: buckets, avalanche, and their effect on sketches",
    source: Source::Mpei,
    reference: "MPEI, section 3.1; Lopes 2017, section 1.2 and algorithms 1 to 3",
    question: "Which of the hash functions that the documents name may be taken for random ones, on words, on numbers that follow \
each other and on addresses, and what happens to a Bloom filter and to HyperLogLog with the others?",
    theory: "\
The theory of all sketches takes values for independent and uniform. Then items in 1024 buckets, by the lowest or the highest ten \
bits, have Pearson's χ² with 1023 degrees of freedom; a changed bit of an item changes each bit of its value with probability ½; \
a Bloom filter with ten bits per item and seven functions answers wrongly as `BloomParams::fpr_at` says, 0.82 %; and \
HyperLogLog has the error of `HyperLogLog::standard_error_at`.\n\n\
Every function is drawn several times by a random seed or key; what has no seed gets one as a prefix of four bytes. Functions of 32 bits \
give positions as in Lopes, one from each of seven seeds, modulo the bits of the filter, and 64 bits from two seeds; \
those of 64 bits (the first 64 of SHA-1) as in the library, from one value. Bits are changed in the last four bytes. \
A false-alarm probability of 10⁻⁶ is shared by all.",
    cost: Cost { quick: 1.3, full: 10.5 },
    timed: false,
    structures: &["bloom-filter", "hyperloglog", "count-min"],
    contradicts: false,
    faults: &[
        Fault {
            name: "two functions exchanged",
            run: |settings, progress| measure(settings, progress, exchanged),
        },
        Fault {
            name: "MurmurHash3 in place of one-at-a-time",
            run: |settings, progress| {
                measure(settings, progress, |function| match function {
                    Function::OneAtATime => Function::Murmur3,
                    other => other,
                })
            },
        },
    ],
    run: |settings, progress| measure(settings, progress, |function| function),
};

const FALSE_ALARM: f64 = 1e-6;

/// A planted fault: MurmurHash3 and DJB31MA exchange their places.
fn exchanged(function: Function) -> Function {
    match function {
        Function::Murmur3 => Function::Java,
        Function::Djb31ma => Function::Murmur3,
        other => other,
    }
}

/// `used` is the function that is computed in the place of each.
fn measure(settings: &Settings, progress: &mut Progress, used: fn(Function) -> Function) -> Result<Outcome> {
    let (count, draws) = match settings.size {
        Size::Quick => (10_000, 12),
        Size::Full => (20_000, 32),
    };
    let sets = sets::sets(settings, count)?;
    let mut rng = settings.rng("e-m-hashes functions");
    progress.start((sets.len() * Function::ALL.len()) as u64);
    let mut qualities = Vec::new();
    for set in &sets {
        for function in Function::ALL {
            let mut quality = Quality::of(used(function), set, draws, &mut rng)?;
            quality.function = function;
            qualities.push(quality);
            progress.step();
        }
    }
    Ok(Outcome {
        atlas: None,
        tables: vec![show::table(&qualities)?],
        plots: show::plots(&qualities)?,
        verdicts: judge(&qualities)?,
        notes: vec![format!("{count} items of each kind, every function drawn {draws} times.")],
    })
}

fn judge(qualities: &[Quality]) -> Result<Vec<Verdict>> {
    // Two tests of buckets, two of bits, one of filters and one of sketches.
    let false_alarm = FALSE_ALARM / (6 * qualities.len()) as f64;
    let of = |functions: &[Function]| {
        let functions = functions.to_vec();
        qualities.iter().filter(move |it| functions.contains(&it.function)).collect::<Vec<&Quality>>()
    };
    let filters =
        |of: &[&Quality]| of.iter().map(|it| it.check_filter(false_alarm)).collect::<Result<Vec<Check>>>();
    let sketches =
        |of: &[&Quality]| of.iter().map(|it| it.check_sketch(false_alarm)).collect::<Result<Vec<Check>>>();
    let worst =
        |of: &[&Quality]| of.iter().map(|it| it.check_worst_flip(false_alarm)).collect::<Vec<Check>>();
    let (strong, weak, mixed) = (of(&Function::STRONG), of(&Function::WEAK), of(&[Function::OneAtATime]));
    let buckets = strong.iter().flat_map(|it| [0, 1].map(|end| it.check_buckets(end, false_alarm)));
    let flips: Vec<Check> = weak.iter().map(|it| it.check_flips(false_alarm)).collect();
    let harmless: Vec<Check> = filters(&mixed)?.into_iter().chain(sketches(&mixed)?).collect();
    let (few, wrong, lost) = (flips.iter().all(is_below), filters(&weak)?, sketches(&weak)?);
    let biased = worst(&mixed);
    Ok(vec![
        Verdict::within(
            "MurmurHash3, SHA-1, SipHash and the default hash distribute items over buckets uniformly (χ² by its degrees of freedom).",
            "",
            buckets,
        ),
        Verdict::within(
            "With these functions a changed bit of an item changes half of all bits.",
            " %",
            strong.iter().map(|it| it.check_flips(false_alarm)),
        ),
        Verdict::within(
            "No bit of the item changes a bit of the value more or less often than half of the time.",
            " %",
            worst(&strong),
        ),
        Verdict::within(
            "With these functions a Bloom filter has the false-positive rate of theory.",
            " %",
            filters(&strong)?,
        ),
        Verdict::within("With these functions HyperLogLog has only its own error.", " %", sketches(&strong)?),
        Verdict::new(
            "The polynomial hashes of Java and DJB31MA fail the avalanche on all data: a changed bit changes far fewer than half of all bits.",
            few && worst(&weak).iter().all(|check| !is_inside(check)),
            format!("{} of all bits, and of some always or never.", range(&flips)),
        ),
        Verdict::new(
            "They break the Bloom filter on all data: their seven functions are shifted copies of one.",
            wrong.iter().all(is_above),
            format!(
                "{} wrong answers, where theory has {:.2} %.",
                range(&wrong),
                wrong.first().map_or(f64::NAN, |it| it.expected)
            ),
        ),
        Verdict::new(
            "They break HyperLogLog on all data: its estimates are too small.",
            lost.iter().all(is_below),
            format!("{} off.", range(&lost)),
        ),
        Verdict::new(
            "One-at-a-time fails the avalanche, too, but the filter and HyperLogLog are unaffected.",
            biased.iter().all(|check| !is_inside(check)) && harmless.iter().all(is_inside),
            format!(
                "The worst bits change in {}; {} of {} filters and sketches are inside what theory allows.",
                range(&biased),
                harmless.iter().filter(|check| is_inside(check)).count(),
                harmless.len()
            ),
        ),
    ])
}

fn is_inside(check: &Check) -> bool {
    (check.lower..=check.upper).contains(&check.value)
}

fn is_below(check: &Check) -> bool {
    check.value < check.lower
}

fn is_above(check: &Check) -> bool {
    check.value > check.upper
}

/// The least and the most that was measured.
fn range(checks: &[Check]) -> String {
    let least = checks.iter().map(|check| check.value).fold(f64::INFINITY, f64::min);
    let most = checks.iter().map(|check| check.value).fold(f64::NEG_INFINITY, f64::max);
    format!("{least:.2} to {most:.2} %")
}
