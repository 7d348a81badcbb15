use super::*;
use crate::graph::genome::kmer::random_bases;
use crate::rng::Rng;
use alloc::vec;

const K: u32 = 21;
const READ: usize = 60;

fn counted(reads: &[Vec<u8>], k: u32) -> KmerCounts {
    let mut set = KmerSet::new(k).unwrap();
    for read in reads {
        set.add_sequence(read);
    }
    let mut counts = KmerCounts::of(set);
    for read in reads {
        counts.add_sequence(read);
    }
    counts
}

fn other_strand(bases: &[u8]) -> Vec<u8> {
    bases.iter().rev().map(|base| b"TGAC"[b"ACTG".iter().position(|b| b == base).unwrap()]).collect()
}

/// A sequence on the strand on which a unitig is reported.
fn reported(bases: &[u8]) -> Vec<u8> {
    other_strand(bases).min(bases.to_vec())
}

fn contigs(counts: &KmerCounts) -> Vec<Vec<u8>> {
    let graph = Simplified::new(counts);
    let mut found: Vec<Vec<u8>> = unitigs(&graph, graph.iter()).collect();
    found.sort();
    found
}

/// Reads of a genome, one from every `step` bases on.
fn reads_of(genome: &[u8], step: usize) -> Vec<Vec<u8>> {
    (0..=genome.len() - READ).step_by(step).map(|start| genome[start..start + READ].to_vec()).collect()
}

/// The read with another base at this place.
fn wrong_at(mut read: Vec<u8>, place: usize) -> Vec<u8> {
    read[place] = if read[place] == b'A' { b'C' } else { b'A' };
    read
}

/// Wrong bases in the middle of reads make bubbles and near their ends tips; without them the genome is one contig.
#[test]
fn single_wrong_bases_are_removed() {
    let genome = random_bases(&mut Rng::new(3), 1000);
    let mut reads = reads_of(&genome, 5);
    for (read, place) in [(20, 30), (60, 33), (90, 3), (130, 57), (150, 58)] {
        reads[read] = wrong_at(reads[read].clone(), place);
    }
    let counts = counted(&reads, K);
    // Each base is in twelve reads, so the right words of a wrong read are seen elsewhere.
    assert_eq!(counts.set().len(), 980 + 2 * 21 + 4 + 3 + 2);
    assert!(unitigs(counts.set(), counts.set().iter()).count() > 10);
    let graph = Simplified::new(&counts);
    assert_eq!((graph.tips(), graph.bubbles(), graph.removed(), graph.rounds()), (3, 2, 51, 1));
    assert_eq!(graph.vertices(), Some(980));
    assert_eq!(contigs(&counts), [reported(&genome)]);
}

/// A word of k − 1 bases that comes twice ends contigs; one of k − 2 does not.
#[test]
fn repeats_end_contigs_from_k_minus_1_bases_on() {
    let mut rng = Rng::new(4);
    for (length, parts) in [(K as usize - 2, 1), (K as usize - 1, 3), (K as usize, 4), (50, 4)] {
        let repeat = random_bases(&mut rng, length);
        // The bases on both sides of the repeat differ, so that it is no longer than planned.
        let around = [[b'A', b'A'], [b'C', b'C']];
        let [start, middle, end] = [300, 200, 250].map(|bases| random_bases(&mut rng, bases));
        let genome: Vec<u8> = [
            &start[..],
            &around[0][..1],
            &repeat,
            &around[0][1..],
            &middle,
            &around[1][..1],
            &repeat,
            &around[1][1..],
            &end,
        ]
        .concat();
        let found = contigs(&counted(&reads_of(&genome, 1), K));
        assert_eq!(found.len(), parts, "a repeat of {length} bases");
        if parts == 1 {
            assert_eq!(found, [reported(&genome)]);
        }
        for contig in &found {
            let is_part = |genome: &[u8]| genome.windows(contig.len()).any(|window| window == contig);
            assert!(is_part(&genome) || is_part(&other_strand(&genome)), "a contig is a part of the genome");
        }
    }
}

/// Of two variants the more frequent one stays. If they are equally frequent, both do.
#[test]
fn the_more_frequent_variant_stays() {
    let genome = random_bases(&mut Rng::new(5), 400);
    let variant = wrong_at(genome.clone(), 200);
    for (copies, expected) in [([3, 2], 1), ([2, 3], 1), ([2, 2], 4)] {
        let [one, other] = copies.map(|copies| vec![(); copies]);
        let mut reads: Vec<Vec<u8>> = one.iter().map(|()| genome.clone()).collect();
        reads.extend(other.iter().map(|()| variant.clone()));
        let found = contigs(&counted(&reads, K));
        assert_eq!(found.len(), expected, "{copies:?}");
        if expected == 1 {
            assert_eq!(found, [reported(if copies[0] > copies[1] { &genome } else { &variant })]);
        }
    }
}

/// A dead end of 2k bases stays, and so does one that is seen as often as what follows the fork.
#[test]
fn long_and_frequent_ends_stay() {
    let mut rng = Rng::new(6);
    let genome = random_bases(&mut rng, 300);
    for (bases, copies, expected) in [(2 * K as usize - 1, 1, 1), (2 * K as usize, 1, 3), (K as usize, 3, 3)]
    {
        // The end leaves the genome after base 100; its unitig has the last k − 1 bases before it, too.
        let own = bases + 1 - K as usize;
        let mut end = [&genome[..100], &random_bases(&mut rng, own)].concat();
        end[100] = if genome[100] == b'A' { b'C' } else { b'A' };
        let reads = [vec![genome.clone(); 2], vec![end; copies]].concat();
        let counts = counted(&reads, K);
        assert_eq!(contigs(&counts).len(), expected, "{bases} bases, {copies} times");
    }
}

/// In random graphs with repeats and many wrong bases, a k-mer that stays keeps a neighbour on each side on which it had one,
/// and what is left has nothing to remove.
#[test]
fn no_kmer_becomes_an_end() {
    let mut removed = 0;
    for seed in 0..150 {
        let mut rng = Rng::new(seed);
        let k = [5, 6, 7, 9, 12][rng.below(5) as usize];
        let length = 60 + rng.below(100) as usize;
        let genome = random_bases(&mut rng, length);
        let mut reads = Vec::new();
        for _ in 0..40 {
            let start = rng.below(genome.len() as u64 - 29) as usize;
            let mut read = genome[start..start + 30].to_vec();
            if rng.below(3) == 0 {
                read = wrong_at(read, rng.below(30) as usize);
            }
            reads.push(if rng.below(2) == 0 { read } else { other_strand(&read) });
        }
        let counts = counted(&reads, k);
        let graph = Simplified::new(&counts);
        removed += graph.removed();
        assert!(graph.weak_paths().is_empty());
        assert_eq!(graph.iter().count() as u64, counts.set().len() - graph.removed());
        for kmer in graph.iter().flat_map(|kmer| [kmer, kmer.reverse_complement()]) {
            assert!(counts.count(kmer) > 0);
            let had_next = counts.set().after(kmer).next().is_some();
            assert_eq!(graph.after(kmer).next().is_some(), had_next, "seed {seed}: after {kmer}");
        }
        let total: u64 = counts.set().iter().map(|kmer| u64::from(counts.count(kmer))).sum();
        assert_eq!(total, 40 * (31 - u64::from(k)), "each k-mer of a read is counted once");
    }
    assert!(removed > 1000, "only {removed} k-mers were removed");
}
