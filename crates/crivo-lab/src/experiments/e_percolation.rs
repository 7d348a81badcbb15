//! False k-mers of a de Bruijn graph in a Bloom filter: how far they reach, and when they join everything.

use std::collections::BTreeSet;

use crivo::HashSpec;
use crivo::graph::{DeBruijn, DeBruijnParams, Kmer, KmerGraph, kmers};
use crivo::rng::Rng;
use crivo::stats::binomial_band;
use libm::pow;

use super::prelude::*;
use crate::summary::{Summary, student};
use crate::{Size, significant};

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-percolation",
    title: "The rate at which false k-mers join unrelated genomes",
    source: Source::Lopes,
    reference: "Pell et al. 2012, doi:10.1073/pnas.1121464109; Lopes 2017, section 3.2; the theory is our own",
    question: "A Bloom filter of k-mers reports false k-mers, and a walk continues from them to others. How many false k-mers are connected to a \
genome, and from which false-positive rate on do they join unrelated genomes?",
    theory: "\
The four k-mers that end alike are joined to the four that begin so: a block of 4 × 4, and every k-mer is in two of them. A walk \
that enters a block at one k-mer finds each of the four opposite with the rate p and, through them, each of its three \
fellows: M = 4p + 3p(1 − (1 − p)⁴) others on average, each with one more block to enter. Were all blocks different, this were a \
branching process: a false k-mer would lie among 1 + 2M/(1 − M) on average while M < 1, which is up to p = 0.1776, and beyond \
a share of 1 − η² be part of what never ends, η being the least root of η = (1 − p)⁴ + ((1 − p + pη)⁴ − (1 − p)⁴)(1 − p + pη)³. \
A genome, a path of k-mers, has six neighbouring places at each step, and would pick up 6p/(1 − M) false k-mers a k-mer. But blocks \
meet again, those of k-mers with the same bases in the middle, and what is found twice counts once. So all of these are the most \
there can be, and the threshold is 0.1776 at least; Pell et al. simulated 0.183 ± 0.001.\n\n\
The means are compared with that by Student's t and the share by the binomial distribution, at a false-alarm probability of \
10⁻⁶ shared by all. The rate p is that of the filter's present fill, `DeBruijn::fpr`.",
    cost: Cost { quick: 1.9, full: 18.0 },
    timed: false,
    structures: &["de-bruijn"],
    contradicts: false,
    faults: &[
        Fault {
            name: "a false-positive rate stated too low",
            run: |settings, progress| measure(settings, progress, -0.03, 1.0),
        },
        Fault {
            name: "filters for twice the rate",
            run: |settings, progress| measure(settings, progress, 0.0, 2.0),
        },
    ],
    run: |settings, progress| measure(settings, progress, 0.0, 1.0),
};

const K: u32 = 31;
const RATES: [f64; 12] = [0.01, 0.05, 0.1, 0.12, 0.14, 0.16, 0.17, 0.18, 0.19, 0.2, 0.22, 0.25];
/// Filters made for lower rates: means are judged, and what is apart has to stay so.
const BELOW: f64 = 0.165;
/// Filters made for higher ones: some walks have to reach the limit.
const ABOVE: f64 = 0.185;
const FALSE_ALARM: f64 = 1e-6;

/// How many others a walk finds on average in a block that it enters.
fn others(p: f64) -> f64 {
    4.0 * p + 3.0 * p * (1.0 - pow(1.0 - p, 4.0))
}

/// The share of false k-mers in what never ends.
fn endless(p: f64) -> f64 {
    let absent = pow(1.0 - p, 4.0);
    let mut root = 0.0;
    // From below, it comes to the least root; next to the threshold slowly.
    for _ in 0..10_000 {
        let found = 1.0 - p + p * root;
        root = absent + (pow(found, 4.0) - absent) * pow(found, 3.0);
    }
    1.0 - root * root
}

/// The mean number of k-mers that a false one lies among.
fn cluster(p: f64) -> f64 {
    1.0 + 2.0 * others(p) / (1.0 - others(p))
}

/// What was seen with filters made for one rate.
struct Seen {
    rate: f64,
    /// The mean rate that they have.
    p: f64,
    bits: f64,
    /// False k-mers that were followed, and how many of them reached the limit.
    followed: u64,
    at_limit: u64,
    clusters: Summary,
    /// False k-mers a k-mer of a genome, and the same less those expected.
    picked_up: Summary,
    off: Summary,
    genomes: u64,
    joined: u64,
    /// Means over all filters, as theory gives them for their rates.
    expected: Expected,
}

#[derive(Default)]
struct Expected {
    endless: f64,
    cluster: f64,
    picked_up: f64,
}

/// A planted fault: theory assumes a rate that differs by `shift`, and filters are made for `times` the rate.
fn measure(settings: &Settings, progress: &mut Progress, shift: f64, times: f64) -> Result<Outcome> {
    let (followed, limit, genomes, length) = match settings.size {
        Size::Quick => (320, 2_000, 16, 500),
        Size::Full => (3_000, 10_000, 40, 2_000),
    };
    let mut rng = settings.rng("e-percolation");
    progress.start(RATES.len() as u64);
    let mut seen = Vec::new();
    for rate in RATES {
        seen.push(try_rate(rate, (followed, limit), (genomes, length), (shift, times), &mut rng)?);
        progress.step();
    }
    let picture = |name, title: &str, y: &str| Plot::new(name, title).axes("rate p of false k-mers (%)", y);
    let point = |seen: &Seen, summary: &Summary| {
        let bar = 1.96 * summary.standard_error;
        Point::new(100.0 * seen.p, summary.mean).with_bounds(summary.mean - bar, summary.mean + bar)
    };
    let fine = || (1..=500).map(|i| f64::from(i) / 2_000.0);
    let curve = |of: fn(f64) -> f64| fine().map(move |p| Point::new(100.0 * p, of(p)));
    let below = || seen.iter().filter(|seen| seen.rate < BELOW);
    Ok(Outcome {
        atlas: None,
        tables: vec![table(&seen)],
        plots: vec![
            picture(
                "endless",
                "False k-mers whose walk reaches the limit",
                "share of false k-mers (95 % interval)",
            )
            .with([Series::new("never ends, at most", Style::Theory, curve(endless))])
            .with([Series::new(
                format!("reached {limit} k-mers"),
                Style::Points,
                seen.iter().map(|seen| {
                    let (lower, upper) = crivo::stats::clopper_pearson(seen.at_limit, seen.followed, 0.95);
                    let share = seen.at_limit as f64 / seen.followed as f64;
                    Point::new(100.0 * seen.p, share).with_bounds(lower, upper)
                }),
            )]),
            picture(
                "picked-up",
                "False k-mers that a genome picks up",
                "false k-mers a k-mer (95 % interval)",
            )
            .with([Series::new(
                "6p/(1 − M), the most",
                Style::Theory,
                curve(picked_up).filter(|point| point.x < 100.0 * BELOW),
            )])
            .with([Series::new(
                "measured",
                Style::Points,
                below().map(|seen| point(seen, &seen.picked_up)),
            )]),
        ],
        verdicts: judge(&seen),
        notes: vec![format!(
            "k = {K}; {followed} false k-mers followed up to {limit} others at each rate; {genomes} pairs of random circular \
             genomes of {length} k-mers each."
        )],
    })
}

fn picked_up(p: f64) -> f64 {
    6.0 * p / (1.0 - others(p))
}

fn try_rate(
    rate: f64,
    (followed, limit): (u64, usize),
    (genomes, length): (u64, usize),
    (shift, times): (f64, f64),
    rng: &mut Rng,
) -> Result<Seen> {
    let (mut clusters, mut rates) = (Vec::new(), Vec::new());
    let mut expected = Expected::default();
    let (mut picked, mut off) = (Vec::new(), Vec::new());
    let (mut at_limit, mut joined) = (0, 0);
    let params = DeBruijnParams::for_fpr(K, 2 * length as u64, times * rate)?;
    for _ in 0..genomes {
        let pair = [random_genome(length, rng), random_genome(length, rng)];
        let mut graph = DeBruijn::with_params(params).with_hash(HashSpec::seeded(rng.next_u64()));
        for genome in &pair {
            graph.add_sequence(genome);
        }
        let p = graph.fpr().value();
        rates.push(p);
        expected.endless += endless(p + shift) / genomes as f64;
        expected.cluster += cluster(p + shift) / genomes as f64;
        expected.picked_up += picked_up(p + shift) / genomes as f64;
        let (first, second) = (kmers_of(&pair[0])?, kmers_of(&pair[1])?);
        if let Some(&start) = first.first().filter(|_| rate < BELOW) {
            let found = graph.component_of(start, 100 * length);
            joined += u64::from(found.iter().any(|kmer| second.contains(kmer)));
            let false_ones = found.iter().filter(|kmer| !first.contains(kmer)).count() as f64;
            picked.push(false_ones / first.len() as f64);
            off.push(false_ones / first.len() as f64 - picked_up(p + shift));
        }
        for _ in 0..followed / genomes {
            let start = loop {
                let kmer = Kmer::from_bases(&random_bases(K as usize, rng))?;
                if graph.contains(kmer) {
                    break kmer;
                }
            };
            let size = graph.component_of(start, limit).len();
            at_limit += u64::from(size == limit);
            clusters.push(size as f64);
        }
    }
    Ok(Seen {
        rate,
        p: rates.iter().sum::<f64>() / genomes as f64,
        bits: params.filter().bits() as f64 / (2 * length) as f64,
        followed: clusters.len() as u64,
        at_limit,
        clusters: Summary::of(&clusters),
        picked_up: Summary::of(&picked),
        off: Summary::of(&off),
        genomes,
        joined,
        expected,
    })
}

fn random_bases(count: usize, rng: &mut Rng) -> Vec<u8> {
    (0..count).map(|_| b"ACGT"[rng.below(4) as usize]).collect()
}

/// A circle of this number of k-mers, written with its beginning once more at the end.
fn random_genome(kmers: usize, rng: &mut Rng) -> Vec<u8> {
    let mut bases = random_bases(kmers, rng);
    bases.extend_from_within(..K as usize - 1);
    bases
}

fn kmers_of(genome: &[u8]) -> Result<BTreeSet<Kmer>> {
    Ok(kmers(genome, K)?.collect())
}

fn table(seen: &[Seen]) -> Table {
    let mut table = Table::new(
        "data",
        [
            "rate p",
            "bits per k-mer",
            "M",
            "false k-mers followed",
            "reached the limit",
            "never end, theory (share)",
            "mean found",
            "standard error",
            "theory",
            "picked up a k-mer",
            "standard error of it",
            "theory of it",
            "pairs of genomes",
            "joined",
        ],
    );
    for seen in seen {
        let (m, Expected { endless, cluster, picked_up }) = (others(seen.p), &seen.expected);
        let [cluster, picked_up] = [*cluster, *picked_up].map(|mean| if m < 1.0 { mean } else { f64::NAN });
        table.push([
            seen.p.into(),
            seen.bits.into(),
            m.into(),
            seen.followed.into(),
            seen.at_limit.into(),
            (*endless).into(),
            seen.clusters.mean.into(),
            seen.clusters.standard_error.into(),
            cluster.into(),
            seen.picked_up.mean.into(),
            seen.picked_up.standard_error.into(),
            picked_up.into(),
            seen.genomes.into(),
            seen.joined.into(),
        ]);
    }
    table
}

fn judge(seen: &[Seen]) -> Vec<Verdict> {
    let false_alarm = FALSE_ALARM / (3 * seen.len()) as f64;
    let below = || seen.iter().filter(|seen| seen.rate < BELOW);
    let place = |seen: &Seen| format!("p = {} %", significant(100.0 * seen.p, 3));
    let at_most = |seen: &Seen, value: f64, most: f64, stray: f64| Check {
        place: place(seen),
        value,
        expected: most,
        lower: f64::NEG_INFINITY,
        upper: most + stray,
    };
    let sizes = below().map(|seen| {
        let stray = student(seen.followed as f64 - 1.0, false_alarm) * seen.clusters.standard_error;
        at_most(seen, seen.clusters.mean, seen.expected.cluster, stray)
    });
    let picked = below().map(|seen| {
        let stray = student(seen.genomes as f64 - 1.0, false_alarm) * seen.off.standard_error;
        at_most(seen, seen.picked_up.mean, seen.expected.picked_up, stray)
    });
    let shares = seen.iter().filter(|seen| seen.rate > ABOVE).map(|seen| {
        let (_, upper) = binomial_band(seen.followed, seen.expected.endless, false_alarm);
        let expected = seen.expected.endless * seen.followed as f64;
        Check { place: place(seen), value: seen.at_limit as f64, expected, lower: 1.0, upper }
    });
    let (joined, pairs) =
        below().fold((0, 0), |(joined, pairs), seen| (joined + seen.joined, pairs + seen.genomes));
    let away = below().map(|seen| seen.at_limit).sum::<u64>();
    let highest = below().map(|seen| seen.p).fold(0.0, f64::max);
    let bits = below().map(|seen| seen.bits).fold(f64::INFINITY, f64::min);
    vec![
        Verdict::within(
            "Below the threshold, a false k-mer is connected to at most 1 + 2M/(1 − M) false k-mers on average.",
            "",
            sizes,
        ),
        Verdict::within("A genome is connected to at most 6p/(1 − M) false k-mers per k-mer.", "", picked),
        Verdict::within(
            "Above the threshold, walks from a share of at most 1 − η² of the false k-mers never end.",
            "",
            shares,
        ),
        Verdict::new(
            "Below the threshold, genomes without common k-mers stay apart, and no walk reaches the limit.",
            joined == 0 && away == 0,
            format!(
                "{joined} of {pairs} pairs joined, {away} walks to the limit, up to p = {} % ({} bits per k-mer).",
                significant(100.0 * highest, 3),
                significant(bits, 3)
            ),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The threshold is where M is 1, and what never ends begins there.
    #[test]
    fn threshold() {
        assert!(others(0.1775) < 1.0 && others(0.1777) > 1.0);
        assert!(endless(0.17) < 1e-9 && endless(0.19) > 0.1);
        assert!((endless(1.0) - 1.0).abs() < 1e-12);
    }
}
