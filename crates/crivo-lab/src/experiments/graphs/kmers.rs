//! Graphs of k-mers.

use std::ops::Range;

use crivo::graph::{DeBruijnParams, ExactDeBruijn};
use crivo::graph::{Kmer, KmerGraph, KmerSet};
use crivo::membership::BinaryFuseParams;
use crivo::rng::Rng;
use crivo::valued::BloomierParams;
use crivo::{DeBruijn, HashSpec};
use libm::sqrt;

use crate::experiments::errors::{FALSE_ALARM, Place, Run, Told};
use crate::experiments::exact::{Answer, Exact, Weighed, experiment as exact_experiment};
use crate::experiments::filters::measure::{Plan, Subject, experiment};
use crate::experiments::prelude::*;

pub(in crate::experiments) const DE_BRUIJN: Experiment = experiment::<DeBruijn>();
pub(in crate::experiments) const EXACT_DE_BRUIJN: Experiment = exact_experiment::<ExactDeBruijn>();

const K: u32 = 31;

/// The k-mer that writes a number to the base four. It begins with A, and its reverse complement ends with T: no two of them
/// are one.
fn kmer(number: u64) -> Result<Kmer> {
    let mut bases = [b'A'; K as usize];
    for (digit, base) in bases.iter_mut().rev().take(16).enumerate() {
        *base = b"ACGT"[(number >> (2 * digit) & 3) as usize];
    }
    Ok(Kmer::from_bases(&bases)?)
}

/// A random sequence.
fn genome(length: u64, rng: &mut Rng) -> Vec<u8> {
    (0..length).map(|_| b"ACGT"[rng.below(4) as usize]).collect()
}

impl Subject for DeBruijn {
    type Filter = Self;
    type Params = DeBruijnParams;
    const ID: &'static str = "c-de-bruijn";
    const TITLE: &'static str = "k-mers in a Bloom filter: false k-mers, false neighbours, bits";
    const REFERENCE: &'static str = "Pell and others 2012";
    const THEORY: &'static str = "\
A k-mer that was not inserted is reported at the rate of a Bloom filter (`DeBruijnParams::fpr_at`, `fpr`), and so is each \
possible false neighbour of a true k-mer. k is 31.";
    const COST: Cost = Cost { quick: 0.4, full: 28.1 };

    fn sized(capacity: u64, rate: f64) -> Result<DeBruijnParams> {
        Ok(DeBruijnParams::for_fpr(K, capacity, rate)?)
    }

    fn filled(params: DeBruijnParams, spec: HashSpec, items: u64) -> Result<Self> {
        let mut graph = Self::with_params(params).with_hash(spec);
        for item in 0..items {
            graph.insert(kmer(item)?)?;
        }
        Ok(graph)
    }

    fn ask(graph: &Self, items: Range<u64>) -> Vec<bool> {
        items.map(|item| kmer(item).is_ok_and(|kmer| graph.contains(kmer))).collect()
    }

    fn told(graph: &Self) -> Told {
        graph.fpr().into()
    }

    fn fpr_at(params: DeBruijnParams, items: u64) -> f64 {
        params.fpr_at(items)
    }

    /// Random genomes, of which all k-mers are asked for their neighbours.
    fn more(plan: &Plan, rng: &mut Rng, outcome: &mut Outcome) -> Result<()> {
        let params = Self::sized(plan.capacity, plan.rate())?;
        let mut runs = Vec::new();
        let mut broken = 0;
        for _ in 0..plan.filters {
            let sequence = genome(plan.capacity, rng);
            let (mut set, mut graph) =
                (KmerSet::new(K)?, Self::with_params(params).with_hash(HashSpec::seeded(rng.next_u64())));
            set.add_sequence(&sequence);
            graph.add_sequence(&sequence[plan.lost as usize..]);
            let (mut asked, mut wrong) = (0, 0);
            for kmer in set.iter() {
                let (seen, truth) =
                    (graph.neighbours(kmer).count() as u64, set.neighbours(kmer).count() as u64);
                (asked, wrong) = (asked + 8 - truth, wrong + seen.saturating_sub(truth));
                broken += u64::from(seen < truth);
            }
            runs.push(Run { asked, wrong, told: Told::from(graph.fpr()).times(plan.overstated) });
        }
        let expected = params.fpr_at(plan.capacity);
        let place =
            Place { name: "the neighbours of true k-mers".to_owned(), x: 1.0, expected, step: 0.0, runs };
        outcome.verdicts.push(Verdict::new(
            "No path is broken.",
            broken == 0,
            format!("{broken} k-mers lack a neighbour."),
        ));
        outcome.verdicts.push(Verdict::within(
            "False neighbours are reported at the rate that the graph states.",
            " %",
            [place.as_told(FALSE_ALARM)],
        ));
        Ok(())
    }
}

impl Exact for ExactDeBruijn {
    const ID: &'static str = "c-exact-de-bruijn";
    const TITLE: &'static str = "Exact graph of k-mers: exact answers, and bits per k-mer";
    const REFERENCE: &'static str = "Chikhi and Rizk 2013, with retrieval of one bit";
    const THEORY: &'static str = "\
A binary fuse filter of two bits reports all k-mers and a quarter of all others; of each k-mer six possible neighbours are \
none, of which it reports one and a half. One bit for each k-mer and each of these tells which is true: the sizes are those of \
`BinaryFuseParams::memory_bytes` and `BloomierParams::memory_bytes`. Random genomes, k = 31.";
    const COST: Cost = Cost { quick: 0.1, full: 5.4 };
    const UNIT: &'static str = "k-mers";
    const SIZES: [&'static [u64]; 2] =
        [&[1000, 3000, 10_000], &[1000, 3000, 10_000, 30_000, 100_000, 300_000]];

    fn weigh(n: u64, rng: &mut Rng) -> Result<Weighed> {
        let mut set = KmerSet::new(K)?;
        set.add_sequence(&genome(n + u64::from(K) - 1, rng));
        let graph = Self::freeze_with(&set, HashSpec::seeded(rng.next_u64()))?;
        let answer = |kmer| Answer {
            right: graph.neighbours(kmer).eq(set.neighbours(kmer)),
            yes: graph.neighbours(kmer).count() as u64,
        };
        Ok(Weighed::new(set.iter().map(answer), &graph))
    }

    fn bits(n: u64) -> (f64, f64) {
        let items = n as f64;
        let shell = 8.0 * (size_of::<Self>() as f64);
        // A quarter of six for each, within six standard deviations; sizes come in steps of segments, one on either side.
        let spread = 6.0 * sqrt(items * 6.0 * 3.0 / 16.0);
        let at = |reported: f64| {
            let filter = BinaryFuseParams::with_width(2).and_then(|params| params.memory_bytes(n));
            let truth = BloomierParams::exact(1, 0).and_then(|params| params.memory_bytes(reported as u64));
            8.0 * (filter.unwrap_or(0) + truth.unwrap_or(0)) as f64
        };
        (at(2.5 * items - spread) - shell, at(2.5 * items + spread) + shell)
    }
}
