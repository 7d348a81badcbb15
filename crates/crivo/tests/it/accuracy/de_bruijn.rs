//! Graphs of k-mers: false neighbours, the number of k-mers, and real genomes.

use super::{COVERAGE_TRIALS, Coverage, assert_wrong_answers};
use crate::structures::de_bruijn::bases;
use crivo::graph::{DeBruijnParams, ExactDeBruijn};
use crivo::graph::{KmerGraph, KmerSet, Partition, kmers, unitigs};
use crivo::rng::Rng;
use crivo::{DeBruijn, HashSpec};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::Path;

fn filled(params: DeBruijnParams, seed: u64, genome: &[u8]) -> DeBruijn {
    let mut graph = DeBruijn::with_params(params).with_hash(HashSpec::seeded(seed));
    graph.add_sequence(genome);
    graph
}

fn set_of<'a>(k: u32, sequences: impl IntoIterator<Item = &'a [u8]>) -> KmerSet {
    let mut set = KmerSet::new(k).unwrap();
    for sequence in sequences {
        set.add_sequence(sequence);
    }
    set
}

/// The neighbours of true k-mers equal them in all bases but one: the hash must hide this.
#[test]
fn false_neighbours_are_as_many_as_the_rate_says() {
    let mut rng = Rng::new(1);
    for k in [21, 31, 32, 33, 63] {
        for bits in [4.0, 6.0, 10.0] {
            let (mut expected, mut wrong) = (0.0, 0);
            for seed in 0..20 {
                let genome = bases(&mut rng, 2000 + k as usize);
                let set = set_of(k, [&genome[..]]);
                let graph = filled(DeBruijnParams::for_bits(k, set.len(), bits).unwrap(), seed, &genome);
                // Each false neighbour once, whichever k-mers it belongs to.
                let every = set.iter().flat_map(|kmer| {
                    let bases = kmer.to_bases();
                    let after = b"ACGT".map(|base| [&bases[1..], &[base]].concat());
                    let before = b"ACGT".map(|base| [&[base], &bases[..k as usize - 1]].concat());
                    after.into_iter().chain(before)
                });
                let neighbours =
                    every.map(|bases| crivo::graph::Kmer::from_bases(&bases).unwrap().canonical());
                let others: BTreeSet<_> = neighbours.filter(|&kmer| !set.contains(kmer)).collect();
                expected += others.len() as f64 * graph.fpr().value();
                wrong += others.iter().filter(|&&kmer| graph.contains(kmer)).count() as u64;
            }
            assert_wrong_answers(wrong, expected, &format!("{k}-mers at {bits} bits"));
        }
    }
}

/// 4 bits per k-mer, about 15 %: where partitioning reads still works.
#[test]
fn four_bits_a_kmer_are_fifteen_percent() {
    let rate = |bits| DeBruijnParams::for_bits(31, 1_000_000, bits).unwrap().fpr_at(1_000_000);
    assert!((0.146..0.148).contains(&rate(4.0)), "{}", rate(4.0));
    assert!((0.055..0.057).contains(&rate(6.0)), "{}", rate(6.0));
}

#[test]
fn the_number_of_kmers_is_covered() {
    let mut rng = Rng::new(2);
    for (k, length, kmers) in [(31, 60, 30), (31, 230, 200), (31, 630, 200), (63, 262, 200)] {
        let params = DeBruijnParams::for_bits(k, kmers, 6.0).unwrap();
        let mut coverage = Coverage::default();
        for seed in 0..COVERAGE_TRIALS {
            let genome = bases(&mut rng, length);
            let truth = set_of(k, [&genome[..]]).len() as f64;
            coverage.push(&filled(params, seed, &genome).cardinality(), truth);
        }
        coverage.assert_rule(1.0, &format!("{k}-mers of {length} bases in a graph for {kmers}"));
    }
}

/// At 4 bits per k-mer false neighbours connect hardly any genomes: random ones share no 21-mer.
///
/// A k-mer picks up at most 6p/(1 − M) false ones, M = 4p + 3p(1 − (1 − p)⁴), as walks branch: 4.3 at p = 14.7 % and
/// 0.45 at 5.6 %. Each has eight neighbours, and a neighbour is one of the 100,000 true k-mers by chance, out of 4²¹/2:
/// at most 0.16 and 0.017 connections are expected. By Poisson's law more than 5 and 2 occur with a probability below
/// 10⁻⁶.
#[test]
fn parts_of_a_crowded_filter_are_the_genomes() {
    let mut rng = Rng::new(3);
    for (bits, most_joined) in [(4.0, 5), (6.0, 2)] {
        let genomes: Vec<Vec<u8>> = (0..200).map(|_| bases(&mut rng, 520)).collect();
        let params = DeBruijnParams::for_bits(21, 200 * 500, bits).unwrap();
        let mut graph = DeBruijn::with_params(params);
        for genome in &genomes {
            graph.add_sequence(genome);
        }
        let mut partition = Partition::new(&graph, 100_000_000);
        let mut places = Vec::new();
        for genome in &genomes {
            // Both halves, which overlap by twenty bases: a read each.
            let halves = [&genome[..270], &genome[250..]];
            places.push(halves.map(|half| partition.add(half).unwrap().unwrap()));
        }
        let parts = partition.finish();
        for [first, second] in places {
            assert_eq!(parts.component(first), parts.component(second), "a genome is broken");
        }
        assert!(parts.len() + most_joined >= 200, "{} parts at {bits} bits", parts.len());
    }
}

/// The records of a file of genomes, if it lies next to the repository.
fn records(name: &str) -> Option<Vec<Vec<u8>>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/genomes").join(name);
    let Ok(file) = std::fs::File::open(&path) else {
        println!("skipped: {} is absent", path.display());
        return None;
    };
    let mut text = Vec::new();
    flate2::read::GzDecoder::new(file).read_to_end(&mut text).unwrap();
    let mut records: Vec<Vec<u8>> = Vec::new();
    for line in text.split(|&byte| byte == b'\n') {
        match line.first() {
            Some(b'>') => records.push(Vec::new()),
            Some(_) => records.last_mut().unwrap().extend_from_slice(line),
            None => {}
        }
    }
    Some(records)
}

/// The 21-mers were counted independently of this library.
#[test]
fn the_kmers_of_lambda_and_the_stamps_are_as_many_as_were_counted() {
    let Some(lambda) = records("lambda_NC_001416.fa.gz") else { return };
    assert_eq!(set_of(21, lambda.iter().map(Vec::as_slice)).len(), 48_482);
    let Some(genomes) = records("khmer_stamps-genomes.fa.gz") else { return };
    let sets: Vec<KmerSet> = genomes.iter().map(|genome| set_of(21, [&genome[..]])).collect();
    assert_eq!(sets.iter().map(KmerSet::len).sum::<u64>(), 7960);
    assert_eq!(sets[0].iter().filter(|&kmer| sets[1].contains(kmer)).count(), 0);
}

/// Five or six bits per k-mer; prophages are the reason that E. coli and lambda are not separated.
#[test]
#[ignore = "long tier: all 31-mers of E. coli"]
fn e_coli_takes_few_bits_and_every_neighbour_is_right() {
    let Some(genome) = records("ecoli_K12_MG1655.fa.gz") else { return };
    let set = set_of(31, genome.iter().map(Vec::as_slice));
    assert_eq!(set.len(), 4_554_207);
    let plain = filled(DeBruijnParams::for_bits(31, set.len(), 6.0).unwrap(), 1, &genome[0]);
    let bits = |bytes: usize| bytes as f64 * 8.0 / set.len() as f64;
    assert!(bits(plain.memory_bytes()) < 6.001, "{}", bits(plain.memory_bytes()));
    assert!((0.055..0.057).contains(&plain.fpr().value()), "{:?}", plain.fpr());
    let exact = ExactDeBruijn::freeze(&set).unwrap();
    assert!(bits(exact.memory_bytes()) < 5.1, "{}", bits(exact.memory_bytes()));
    for kmer in set.iter().step_by(20) {
        assert!(exact.contains(kmer));
        assert!(exact.neighbours(kmer).eq(set.neighbours(kmer)), "{kmer}");
    }
    let start = set.iter().next().unwrap();
    assert_eq!(exact.component_of(start, 100_000), set.component_of(start, 100_000));
    let Some(lambda) = records("lambda_NC_001416.fa.gz") else { return };
    let shared = set_of(31, [&lambda[0][..]]).iter().filter(|&kmer| set.contains(kmer)).count();
    assert_eq!(shared, 2958, "31-mers that lambda shares with E. coli");
}

#[test]
#[ignore = "long tier: the unitigs of half of E. coli, twice"]
fn e_coli_has_the_unitigs_of_its_set() {
    let Some(genome) = records("ecoli_K12_MG1655.fa.gz") else { return };
    let set = set_of(31, [&genome[0][..2_000_000]]);
    let exact = ExactDeBruijn::freeze(&set).unwrap();
    let all = unitigs(&exact, set.iter()).collect::<BTreeSet<_>>();
    assert_eq!(all, unitigs(&set, set.iter()).collect());
    assert_eq!(all.iter().map(|unitig| unitig.len() as u64 - 30).sum::<u64>(), set.len());
}

/// Reads with errors from two genomes that share no 21-mer.
#[test]
#[ignore = "long tier: 40,000 reads, parted three times"]
fn reads_of_two_genomes_are_parted() {
    let (Some(reads), Some(genomes)) =
        (records("khmer_stamps-reads.fa.gz"), records("khmer_stamps-genomes.fa.gz"))
    else {
        return;
    };
    let reads: Vec<Vec<u8>> = reads.into_iter().step_by(5).collect();
    let k = 31;
    let genomes: Vec<KmerSet> = genomes.iter().map(|genome| set_of(k, [&genome[..]])).collect();
    let set = set_of(k, reads.iter().map(Vec::as_slice));
    let mut all = vec![parts_by_genome(&set, &reads, &genomes)];
    for bits in [6.0, 4.0] {
        let mut graph = DeBruijn::with_params(DeBruijnParams::for_bits(k, set.len(), bits).unwrap());
        for read in &reads {
            graph.add_sequence(read);
        }
        all.push(parts_by_genome(&graph, &reads, &genomes));
    }
    // The two largest parts are the two genomes, and no part has reads of both.
    for parts in &all {
        let mut largest: Vec<(u64, usize)> = Vec::new();
        for counts in parts.values() {
            assert!(counts[0] == 0 || counts[1] == 0, "a part with {counts:?} reads of both genomes");
            largest.push(if counts[0] > 0 { (counts[0], 0) } else { (counts[1], 1) });
        }
        largest.sort_unstable();
        let [.., (second, one), (first, other)] = largest[..] else { panic!("{largest:?}") };
        assert!(one != other && second > 3000 && first > 30_000, "{first} {second}");
    }
}

/// Counts the reads of each genome in a part; reads of neither are left out.
fn parts_by_genome(
    graph: &impl KmerGraph,
    reads: &[Vec<u8>],
    genomes: &[KmerSet],
) -> BTreeMap<u32, [u64; 2]> {
    let mut partition = Partition::new(graph, 200_000_000);
    let places: Vec<_> = reads.iter().map(|read| partition.add(read).unwrap()).collect();
    let parts = partition.finish();
    let mut counts = BTreeMap::<u32, [u64; 2]>::new();
    for (read, place) in reads.iter().zip(places) {
        let Some(place) = place else { continue };
        for (genome, set) in genomes.iter().enumerate() {
            let is_its = kmers(read, graph.k()).unwrap().any(|kmer| set.contains(kmer));
            counts.entry(parts.component(place).unwrap()).or_default()[genome] += u64::from(is_its);
        }
    }
    counts
}
