//! The similarities of the 3486 pairs of works and copies, exact and estimated.

use crivo::rng::Rng;
use crivo::{HashSpec, KMinValues, OnePermutation};
use libm::{log, sqrt};

use super::documents::works_and_copies;
use super::pairs::{Collection, Pair, sign};
use super::prelude::*;
use super::squares::Squares;
use crate::coverage::Coverage;

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-f20",
    title: "Similarities of the pairs of 42 works and 42 copies",
    source: Source::Lopes,
    reference: "Lopes 2017, section 2.3.8, figure 20",
    question: "MinHash is tried on 42 works and a copy of each in which a random share of the words is replaced. How similar are the \
3486 pairs, and how well do the signatures of the library estimate that?",
    theory: "\
The exact similarities are the distinct words in common over the distinct words of both. A copy keeps a word of its work with a \
probability q that is drawn evenly from 0 to 1 for each work, so the similarity of work and copy, q/(2 − q), is at most j with probability \
2j/(1 + j). This is a property of the copies, which the second figure shows; it is no claim.\n\n\
The similarity of every pair is estimated with 256 slots or hashes and compared with the exact one. A slot of a MinHash agrees with \
probability J, so the standard error is √(J(1 − J)/256); the smallest hashes are drawn without replacement, so their error is smaller, and so is \
that of one permutation. The root mean square error over all pairs is compared with the χ² law, the mean error with a normal law, and the \
coverage of the intervals with their confidence, at a false-alarm probability of 10⁻⁶ shared by all claims.",
    cost: Cost { quick: 1.2, full: 1.2 },
    timed: false,
    structures: &["min-hash", "one-permutation", "k-min-values"],
    contradicts: false,
    faults: &[
        Fault {
            name: "half the slots",
            run: |settings, progress| measure(settings, progress, Flaw { slots: SLOTS / 2, ..Flaw::NONE }),
        },
        Fault {
            name: "100 words too many in common",
            run: |settings, progress| measure(settings, progress, Flaw { shifted: 100, ..Flaw::NONE }),
        },
    ],
    run: |settings, progress| measure(settings, progress, Flaw::NONE),
};

const FALSE_ALARM: f64 = 1e-6 / 3.0;
const BINS: u32 = 40;

/// The kinds of pairs.
const SORTS: [&str; 4] =
    ["a work and its copy", "two works", "a work and another's copy", "copies of two works"];

fn sort_of(pair: &Pair, works: usize) -> usize {
    match (pair.first < works, pair.second < works) {
        (true, false) if pair.first + works == pair.second => 0,
        (true, true) => 1,
        (false, false) => 3,
        _ => 2,
    }
}

/// A planted fault: the slots of the signatures, and whether the exact similarity is taken of the wrong copy.
#[derive(Clone, Copy)]
struct Flaw {
    slots: u32,
    shifted: u64,
}

impl Flaw {
    const NONE: Self = Self { slots: SLOTS, shifted: 0 };
}

fn measure(settings: &Settings, progress: &mut Progress, flaw: Flaw) -> Result<Outcome> {
    progress.start(1);
    let collection = Collection::new(&works_and_copies(settings)?);
    let works = collection.len() / 2;
    let pairs: Vec<Pair> = collection.rounds().concat();
    let mut counts = [[0u64; BINS as usize]; 4];
    for pair in &pairs {
        let bin = ((pair.jaccard() * f64::from(BINS)) as usize).min(BINS as usize - 1);
        counts[sort_of(pair, works)][bin] += 1;
    }
    let mut rng = settings.rng("e-f20 hashes");
    let compared: Vec<Pair> = pairs.iter().map(|pair| pair.with_more(flaw.shifted)).collect();
    let seen = estimate(&collection, &compared, &mut rng, flaw.slots)?;
    progress.step();
    Ok(Outcome {
        atlas: None,
        tables: vec![histogram(&counts), summary(&pairs, works)],
        plots: vec![all_pairs(&counts), own_copies(&own(&pairs, works))],
        verdicts: judge(&seen),
        notes: vec![format!(
            "Works: {}. The document has 42 works of 964410 words, 23704 of them distinct. Its figure prints no numbers but \
             that of the pairs.",
            settings.corpus_name()
        )],
    })
}

/// The similarities of works and their copies, in increasing order.
fn own(pairs: &[Pair], works: usize) -> Vec<f64> {
    let own = pairs.iter().filter(|pair| sort_of(pair, works) == 0);
    let mut similarities: Vec<f64> = own.map(Pair::jaccard).collect();
    similarities.sort_by(f64::total_cmp);
    similarities
}

fn histogram(counts: &[[u64; BINS as usize]; 4]) -> Table {
    let columns = ["similarity from", "to", "pairs"].into_iter().chain(SORTS);
    let mut table = Table::new("histogram", columns);
    for bin in 0..BINS {
        let [from, to] = [bin, bin + 1].map(|edge| Cell::from(f64::from(edge) / f64::from(BINS)));
        let by_sort = counts.each_ref().map(|counts| counts[bin as usize]);
        let all = by_sort.iter().sum::<u64>().into();
        table.push([from, to, all].into_iter().chain(by_sort.map(Cell::from)));
    }
    table
}

fn summary(pairs: &[Pair], works: usize) -> Table {
    let mut table = Table::new(
        "sorts",
        ["pairs of", "count", "least similarity", "mean similarity", "largest similarity"],
    );
    for (sort, what) in SORTS.into_iter().enumerate() {
        let similarities = || pairs.iter().filter(|pair| sort_of(pair, works) == sort).map(Pair::jaccard);
        let count = similarities().count() as u64;
        let mean = similarities().sum::<f64>() / count as f64;
        let (least, largest) = (similarities().fold(1.0, f64::min), similarities().fold(0.0, f64::max));
        table.push([what.into(), count.into(), least.into(), mean.into(), largest.into()]);
    }
    table
}

/// Figure 20 itself.
fn all_pairs(counts: &[[u64; BINS as usize]; 4]) -> Plot {
    let series = SORTS.into_iter().zip(counts).map(|(what, counts)| {
        let points = (0..).zip(counts).filter(|&(_, &count)| count > 0);
        let middle = |bin: u32| (f64::from(bin) + 0.5) / f64::from(BINS);
        Series::new(what, Style::Joined, points.map(|(bin, &count)| Point::new(middle(bin), count as f64)))
    });
    Plot::new("histogram", "How alike the pairs of documents are, by sort of pair")
        .log_y()
        .axes(
            format!("similarity of Jaccard (share, middle of {BINS} classes)"),
            "pairs in the class (count)",
        )
        .with(series)
}

/// The law of works and their copies.
fn own_copies(own: &[f64]) -> Plot {
    let reach = reach(own.len());
    let grid = (0..=100).map(|step| f64::from(step) / 100.0);
    let band = grid.clone().map(|j| {
        let law = law(j);
        Point::new(j, law).with_bounds((law - reach).max(0.0), (law + reach).min(1.0))
    });
    let points =
        own.iter().zip(1..).map(|(&j, rank)| Point::new(j, (f64::from(rank) - 0.5) / own.len() as f64));
    Plot::new("copies", "A work and its own copy: how many pairs are less alike")
        .axes("similarity of Jaccard (share)", "pairs up to it (share)")
        .with([
            Series::new("allowed (false alarm: 10⁻⁶)", Style::Band, band),
            Series::new("theory: 2j/(1 + j)", Style::Theory, grid.map(|j| Point::new(j, law(j)))),
            Series::new("works and their copies", Style::Points, points),
        ])
}

fn law(similarity: f64) -> f64 {
    2.0 * similarity / (1.0 + similarity)
}

/// The greatest distance of the shares of `count` values from their law.
fn reach(count: usize) -> f64 {
    sqrt(log(2.0 / FALSE_ALARM) / (2.0 * count as f64))
}

/// The signatures that are compared with the exact similarity, by name.
const SIGNATURES: [&str; 3] = ["MinHash", "OnePermutation", "KMinValues"];
/// Slots or hashes of each.
const SLOTS: u32 = 256;

/// Errors of the estimated similarity of all pairs, and how often the interval contains the exact one.
struct Estimated {
    errors: [Squares; 3],
    coverage: [Coverage; 3],
}

/// Every pair has its own hash function, so that all errors are independent. The signatures have this number of slots.
fn estimate(collection: &Collection, pairs: &[Pair], rng: &mut Rng, slots: u32) -> Result<Estimated> {
    let mut seen = Estimated { errors: Default::default(), coverage: Default::default() };
    for pair in pairs {
        let spec = HashSpec::seeded(rng.next_u64());
        let [first, second] = [pair.first, pair.second].map(|document| collection.hashes(document, spec));
        let truth = pair.jaccard();
        let (one, other) = (sign(slots, spec, &first)?, sign(slots, spec, &second)?);
        let permuted = |hashes: &[u64]| -> Result<OnePermutation> {
            let mut signature = OnePermutation::for_slots(slots)?.with_hash(spec);
            signature.insert_hashes(hashes);
            Ok(signature)
        };
        let smallest = |hashes: &[u64]| -> Result<KMinValues> {
            let mut signature = KMinValues::for_k(slots)?.with_hash(spec);
            signature.insert_hashes(hashes);
            Ok(signature)
        };
        let estimates = [
            one.similarity(&other)?,
            permuted(&first)?.similarity(&permuted(&second)?)?,
            smallest(&first)?.similarity(&smallest(&second)?)?,
        ];
        for ((errors, coverage), estimate) in seen.errors.iter_mut().zip(&mut seen.coverage).zip(estimates) {
            errors.add_share(estimate.value() - truth, SLOTS.into(), truth, 1.0);
            coverage.add(&estimate, truth);
        }
    }
    Ok(seen)
}

fn judge(seen: &Estimated) -> Vec<Verdict> {
    let false_alarm = FALSE_ALARM / SIGNATURES.len() as f64;
    let of = |check: &dyn Fn(usize) -> Check| (0..SIGNATURES.len()).map(check).collect::<Vec<_>>();
    vec![
        Verdict::within(
            "The estimated similarity of a pair is unbiased.",
            " %",
            of(&|which| seen.errors[which].check_bias(SIGNATURES[which], false_alarm)),
        ),
        Verdict::within(
            "Its root mean square error is at most √(J(1 − J)/k), and that of MinHash is equal to it.",
            " %",
            of(&|which| match which {
                0 => seen.errors[which].check(SIGNATURES[which], false_alarm),
                _ => seen.errors[which].check_most(SIGNATURES[which], false_alarm),
            }),
        ),
        Verdict::within(
            "Its interval has the promised coverage.",
            " %",
            of(&|which| seen.coverage[which].check(SIGNATURES[which], false_alarm)),
        ),
    ]
}
