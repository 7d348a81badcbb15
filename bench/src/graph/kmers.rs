//! Sequences of bases as graphs of k-mers.

use crate::Options;
use crate::harness::{Column, Contender, interleave, print_contenders};
use crate::keys::SplitMix64;
use crate::memory::heap_held;
use crivo::DeBruijn;
use crivo::graph::ExactDeBruijn;
use crivo::graph::{DeBruijnParams, Kmer, KmerGraph, KmerSet, kmers};
use std::collections::HashSet;

const COLUMNS: [Column; 3] =
    [Column::Time("insert"), Column::Time("neighbours"), Column::Value("bits/k-mer")];

pub(crate) fn run(options: &Options) {
    for (bases, k) in [(300_000, 31), (300_000, 55), (3_000_000, 31)] {
        if options.quick && bases > 300_000 {
            continue;
        }
        let mut random = SplitMix64::new(92);
        let sequence: Vec<u8> = (0..bases).map(|_| b"ACGT"[(random.next() >> 62) as usize]).collect();
        let sequence = &sequence[..];
        let asked: Vec<Kmer> = kmers(sequence, k).expect("a length").step_by(10).collect();
        let asked = &asked[..];
        let mut contenders = vec![
            contender("crivo DeBruijn, 6 bits", sequence, asked, move || {
                let params = DeBruijnParams::for_bits(k, bases, 6.0).expect("a graph");
                let mut graph = DeBruijn::with_params(params);
                graph.add_sequence(sequence);
                graph
            }),
            contender("crivo ExactDeBruijn", sequence, asked, move || {
                let mut set = KmerSet::new(k).expect("a length");
                set.add_sequence(sequence);
                ExactDeBruijn::freeze(&set).expect("a graph")
            }),
            contender("std HashSet", sequence, asked, move || Exact {
                k,
                kmers: kmers(sequence, k).expect("a length").map(Kmer::canonical).collect(),
            }),
        ];
        interleave(&mut contenders, options.rounds);
        print_contenders(&format!("k-mers: k = {k}, {bases} bases"), &COLUMNS, &contenders);
    }
}

/// The k-mers themselves.
struct Exact {
    k: u32,
    kmers: HashSet<Kmer>,
}

impl KmerGraph for Exact {
    fn k(&self) -> u32 {
        self.k
    }

    fn contains(&self, kmer: Kmer) -> bool {
        self.kmers.contains(&kmer.canonical())
    }
}

fn contender<'a, G: KmerGraph>(
    name: &'static str,
    sequence: &'a [u8],
    asked: &'a [Kmer],
    build: impl Fn() -> G + 'a,
) -> Contender<'a> {
    Contender::new(name, move |samples| {
        let (graph, held) = heap_held(|| samples.time("insert", sequence.len(), &build));
        let neighbours: usize = samples.time("neighbours", asked.len(), || {
            asked.iter().map(|&kmer| graph.neighbours(kmer).count()).sum()
        });
        assert!(neighbours >= 2 * asked.len() - 2, "{name}: no neighbour is lost");
        samples.record("bits/k-mer", 8.0 * held as f64 / sequence.len() as f64);
    })
}
