//! Compares the graphs with one that is built from texts, by the definitions.

use super::kmer::random_bases;
use super::*;
use crate::rng::Rng;
use crate::{ErrorKind, HashSpec};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

fn other_strand(bases: &[u8]) -> Vec<u8> {
    bases.iter().rev().map(|base| b"ACGT"[3 - b"ACGT".iter().position(|b| b == base).unwrap()]).collect()
}

/// Sequences of one small genome: repeats, on both strands, make forks.
fn sequences(rng: &mut Rng, k: u32) -> Vec<Vec<u8>> {
    let k = k as usize;
    let repeats: Vec<Vec<u8>> = (0..3).map(|_| some_bases(rng, k, k + 8)).collect();
    (0..=rng.below(3))
        .map(|_| {
            let mut genome = Vec::new();
            for _ in 0..=rng.below(6) {
                let repeat = &repeats[rng.below(3) as usize];
                genome.extend(if rng.below(2) == 0 { repeat.clone() } else { other_strand(repeat) });
                genome.extend(some_bases(rng, 0, 20));
            }
            if rng.below(4) == 0 {
                // A circular genome.
                let start = genome[..(k - 1).min(genome.len())].to_vec();
                genome.extend(start);
            }
            genome
        })
        .collect()
}

/// From `least` to `most` random bases.
fn some_bases(rng: &mut Rng, least: usize, most: usize) -> Vec<u8> {
    let length = least + up_to(rng, most - least);
    random_bases(rng, length)
}

fn up_to(rng: &mut Rng, most: usize) -> usize {
    rng.below(most as u64 + 1) as usize
}

fn set_of(sequences: &[Vec<u8>], k: u32) -> KmerSet {
    let mut set = KmerSet::new(k).unwrap();
    for sequence in sequences {
        set.add_sequence(sequence);
    }
    set
}

/// Texts of k letters, each with the texts that follow it; both strands.
struct Texts(BTreeMap<Vec<u8>, Vec<Vec<u8>>>);

impl Texts {
    fn new(sequences: &[Vec<u8>], k: u32) -> Self {
        let windows = sequences.iter().flat_map(|sequence| sequence.windows(k as usize));
        let nodes: BTreeSet<Vec<u8>> =
            windows.flat_map(|window| [window.to_vec(), other_strand(window)]).collect();
        let follow = |node: &Vec<u8>| {
            let next = |base: u8| [&node[1..], &[base]].concat();
            let all: BTreeSet<Vec<u8>> = b"ACGT".iter().map(|&base| next(base)).collect();
            (node.clone(), all.into_iter().filter(|next| nodes.contains(next)).collect())
        };
        Self(nodes.iter().map(follow).collect())
    }

    /// The links that a unitig follows: the only way on, and the only way in.
    fn only_next(&self, node: &Vec<u8>) -> Option<Vec<u8>> {
        let [next] = &self.0[node][..] else { return None };
        // The predecessors of a node are its successors on the other strand.
        let is_only_way_in = self.0[&other_strand(next)].len() == 1;
        let is_palindrome = |node: &Vec<u8>| *node == other_strand(node);
        let turns = next == node || *next == other_strand(node) || is_palindrome(node) || is_palindrome(next);
        (is_only_way_in && !turns).then(|| next.clone())
    }

    fn unitigs(&self) -> BTreeSet<BTreeSet<Vec<u8>>> {
        let mut part: BTreeMap<&Vec<u8>, BTreeSet<Vec<u8>>> = BTreeMap::new();
        let canonical = |node: &Vec<u8>| node.clone().min(other_strand(node));
        for node in self.0.keys() {
            // Everything ahead on this strand, and on the other one.
            let mut reached = BTreeSet::from([canonical(node)]);
            for start in [node.clone(), other_strand(node)] {
                let mut here = start;
                while let Some(next) = self.only_next(&here).filter(|next| reached.insert(canonical(next))) {
                    here = next;
                }
            }
            part.insert(node, reached);
        }
        part.into_values().collect()
    }

    /// The component of each node, named by its smallest node.
    fn components(&self) -> BTreeMap<Vec<u8>, Vec<u8>> {
        let mut component: BTreeMap<Vec<u8>, Vec<u8>> = BTreeMap::new();
        for start in self.0.keys() {
            let mut waiting = vec![start.clone()];
            while let Some(node) = waiting.pop() {
                if component.contains_key(&node) {
                    continue;
                }
                component.insert(node.clone(), start.clone());
                let turned = other_strand(&node);
                waiting.extend(self.0[&node].iter().cloned());
                waiting.extend(self.0[&turned].iter().cloned());
                waiting.push(turned);
            }
        }
        component
    }
}

const LENGTHS: [u32; 12] = [1, 2, 3, 4, 5, 8, 11, 16, 31, 32, 33, 63];

fn text(kmer: Kmer) -> Vec<u8> {
    kmer.to_bases()
}

#[test]
fn neighbours_walks_and_components_are_those_of_the_texts() {
    let mut rng = Rng::new(1);
    for k in LENGTHS {
        for _ in 0..5 {
            let sequences = sequences(&mut rng, k);
            let (set, texts) = (set_of(&sequences, k), Texts::new(&sequences, k));
            let exact = ExactDeBruijn::freeze(&set).unwrap();
            assert_eq!(exact.len(), set.len());
            let components = texts.components();
            for node in texts.0.keys().step_by(5) {
                let kmer = Kmer::from_bases(node).unwrap();
                let mut path = vec![node.clone()];
                while let Some(next) = texts.only_next(path.last().unwrap()).filter(|next| next != node) {
                    path.push(next);
                }
                let whole: BTreeSet<Vec<u8>> = components
                    .iter()
                    .filter(|(_, part)| **part == components[node])
                    .map(|(node, _)| node.clone().min(other_strand(node)))
                    .collect();
                check(&set, &texts, kmer, &path, &whole);
                check(&exact, &texts, kmer, &path, &whole);
            }
        }
    }
}

fn check(graph: &impl KmerGraph, texts: &Texts, kmer: Kmer, path: &[Vec<u8>], whole: &BTreeSet<Vec<u8>>) {
    assert!(graph.contains(kmer) && graph.contains(kmer.reverse_complement()));
    let after: Vec<Vec<u8>> = graph.after(kmer).map(text).collect();
    assert_eq!(after, texts.0[&text(kmer)]);
    let turned = kmer.reverse_complement();
    let mut before: Vec<Vec<u8>> = graph.before(kmer).map(|kmer| text(kmer.reverse_complement())).collect();
    before.sort();
    assert_eq!(before, texts.0[&text(turned)]);
    assert_eq!(graph.neighbours(kmer).count(), after.len() + before.len());
    assert_eq!(graph.walk(kmer).map(text).collect::<Vec<_>>(), path);
    let component = graph.component_of(kmer, usize::MAX);
    assert_eq!(component.len(), whole.len());
    assert_eq!(component[0], kmer.canonical());
    assert_eq!(&component.into_iter().map(text).collect::<BTreeSet<_>>(), whole);
    assert_eq!(graph.component_of(kmer, 1), [kmer.canonical()]);
    assert_eq!(graph.component_of(kmer, 0), []);
    assert!(graph.component_of(kmer, 3).len() <= 3);
}

#[test]
fn unitigs_hold_every_kmer_once() {
    let mut rng = Rng::new(2);
    let mut circles = 0;
    for k in LENGTHS {
        for case in 0..12 {
            let mut sequences = sequences(&mut rng, k);
            if case % 3 == 0 {
                // A separate circle.
                let mut circle = random_bases(&mut rng, 2 * k as usize + 9);
                circle.extend_from_within(..k as usize - 1);
                sequences = vec![circle];
            }
            let (set, texts) = (set_of(&sequences, k), Texts::new(&sequences, k));
            let expected = texts.unitigs();
            let exact = ExactDeBruijn::freeze(&set).unwrap();
            let from_reads = || sequences.iter().flat_map(|sequence| kmers(sequence, k).unwrap());
            for told in [
                unitigs(&set, set.iter()).collect::<Vec<_>>(),
                unitigs(&exact, set.iter()).collect(),
                unitigs(&exact, from_reads()).collect(),
            ] {
                assert_eq!(told.len(), expected.len(), "{k}");
                let parts: Vec<Vec<Kmer>> =
                    told.iter().map(|path| kmers(path, k).unwrap().collect()).collect();
                assert_eq!(parts.iter().map(Vec::len).sum::<usize>() as u64, set.len());
                let parts = parts.into_iter().map(|part| part.into_iter().map(text).collect()).collect();
                assert_eq!(expected, parts);
                for path in &told {
                    let kmer = Kmer::from_bases(&path[path.len() - k as usize..]).unwrap();
                    let is_circle = path.len() > k as usize && exact.only_next(kmer).is_some();
                    circles += u32::from(is_circle);
                    assert!(is_circle || *path <= other_strand(path));
                }
            }
        }
    }
    assert!(circles > 60, "{circles}");
}

/// Partitions reads by the components of the texts: two reads belong together if they share one.
fn parts_of_texts(reads: &[Vec<u8>], texts: &Texts, k: u32) -> Vec<Option<usize>> {
    fn end(leads_to: &BTreeMap<Vec<u8>, Vec<u8>>, part: &Vec<u8>) -> Vec<u8> {
        if leads_to[part] == *part { part.clone() } else { end(leads_to, &leads_to[part]) }
    }

    let components = texts.components();
    let mut leads_to: BTreeMap<Vec<u8>, Vec<u8>> =
        components.values().map(|part| (part.clone(), part.clone())).collect();
    let runs = |read: &Vec<u8>| -> Vec<Vec<u8>> {
        let whole = read.windows(k as usize).filter(|window| !window.contains(&b'N'));
        whole.map(|window| components[window].clone()).collect()
    };
    for read in reads {
        let parts = runs(read);
        for pair in parts.windows(2) {
            let (first, second) = (end(&leads_to, &pair[0]), end(&leads_to, &pair[1]));
            leads_to.insert(first, second);
        }
    }
    let mut numbers = BTreeMap::new();
    let number = |read: &Vec<u8>| {
        let part = end(&leads_to, runs(read).first()?);
        let next = numbers.len();
        Some(*numbers.entry(part).or_insert(next))
    };
    reads.iter().map(number).collect()
}

#[test]
fn reads_are_parted_by_the_components() {
    let mut rng = Rng::new(3);
    let mut several = 0;
    for k in [3, 5, 8, 11, 16, 31, 32, 33, 63] {
        for _ in 0..40 {
            let mut reads = Vec::new();
            for _ in 0..=rng.below(6) {
                let genome = some_bases(&mut rng, 100, 500);
                for _ in 0..rng.below(12) {
                    let start = up_to(&mut rng, genome.len());
                    let end = (start + up_to(&mut rng, 3 * k as usize)).min(genome.len());
                    let mut read = genome[start..end].to_vec();
                    if rng.below(8) == 0 && !read.is_empty() {
                        let place = rng.below(read.len() as u64) as usize;
                        read[place] = b'N';
                    }
                    reads.push(if rng.below(2) == 0 {
                        read
                    } else {
                        read.iter()
                            .rev()
                            .map(|base| match base {
                                b'A' => b'T',
                                b'C' => b'G',
                                b'G' => b'C',
                                b'T' => b'A',
                                _ => b'N',
                            })
                            .collect()
                    });
                }
            }
            let pieces: Vec<Vec<u8>> =
                reads.iter().flat_map(|read| read.split(|&base| base == b'N')).map(<[u8]>::to_vec).collect();
            let texts = Texts::new(&pieces, k);
            let expected = parts_of_texts(&reads, &texts, k);
            several += u32::from(expected.iter().flatten().max() > Some(&1));
            let set = set_of(&reads, k);
            let exact = ExactDeBruijn::freeze(&set).unwrap();
            assert_eq!(parted(&set, &reads), expected, "{k}");
            assert_eq!(parted(&exact, &reads), expected, "{k}");
            // A filter without false positives.
            let mut filter =
                DeBruijn::with_params(DeBruijnParams::for_fpr(k, set.len().max(1), 1e-12).unwrap());
            for read in &reads {
                filter.add_sequence(read);
            }
            assert_eq!(parted(&filter, &reads), expected, "{k}");
        }
    }
    assert!(several > 100, "{several}");
}

fn parted(graph: &impl KmerGraph, reads: &[Vec<u8>]) -> Vec<Option<usize>> {
    let mut partition = Partition::new(graph, 1_000_000);
    let places: Vec<Option<u32>> = reads.iter().map(|read| partition.add(read).unwrap()).collect();
    let parts = partition.finish();
    let components = places.iter().map(|&place| Some(parts.component(place?).unwrap() as usize));
    let components: Vec<Option<usize>> = components.collect();
    let most = components.iter().flatten().max().map_or(0, |most| most + 1);
    assert_eq!((parts.len(), parts.is_empty()), (most, most == 0));
    assert_eq!(parts.component(u32::MAX), None);
    components
}

#[test]
fn a_filter_that_reports_everything_is_given_up() {
    let mut graph = DeBruijn::with_params(DeBruijnParams::for_bits(31, 1000, 1.0).unwrap());
    let sequence = random_bases(&mut Rng::new(4), 1030);
    graph.add_sequence(&sequence);
    let error = Partition::new(&graph, 50_000).add(&sequence).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Full);
    assert!(format!("{error}").contains("50000"), "{error}");
}

#[test]
fn a_filter_denies_nothing_and_counts() {
    let mut rng = Rng::new(5);
    for k in LENGTHS {
        let sequence = random_bases(&mut rng, 3000);
        let set = set_of(core::slice::from_ref(&sequence), k);
        let mut graph = DeBruijn::with_params(DeBruijnParams::for_bits(k, set.len(), 6.0).unwrap());
        assert_eq!(graph.add_sequence(&sequence), 3001 - u64::from(k));
        assert!(set.iter().all(|kmer| graph.contains(kmer) && graph.contains(kmer.reverse_complement())));
        let mut one_by_one = DeBruijn::with_params(graph.params());
        assert!(set.iter().all(|kmer| one_by_one.insert(kmer.reverse_complement()).is_ok()));
        assert_eq!(one_by_one, graph);
        if k > 10 {
            // Six standard deviations of the limit law.
            let (estimate, truth) = (graph.cardinality(), set.len() as f64);
            let deviation = (estimate.upper() - estimate.lower()) / (2.0 * 1.96);
            assert!((estimate.value() - truth).abs() < 6.0 * deviation, "{estimate:?}, {truth}");
        }
    }
}

#[test]
fn kmers_of_another_length_are_refused() {
    let mut graph = DeBruijn::with_params(DeBruijnParams::for_fpr(5, 10, 0.9).unwrap());
    let mut set = KmerSet::new(5).unwrap();
    let kmer: Kmer = "ACGT".parse().unwrap();
    for error in [graph.insert(kmer).unwrap_err(), set.insert(kmer).unwrap_err()] {
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(format!("{error}").contains("4 bases"), "{error}");
    }
    assert!(graph.is_empty() && set.is_empty());
    graph.add_sequence(&random_bases(&mut Rng::new(6), 10_000));
    assert!(graph.fill() > 0.99 && !graph.contains(kmer));
    assert_eq!(graph.component_of(kmer, 10), []);
}

#[test]
fn incompatible_graphs_do_not_merge() {
    let make = |k, kmers, seed| {
        DeBruijn::with_params(DeBruijnParams::for_bits(k, kmers, 6.0).unwrap())
            .with_hash(HashSpec::seeded(seed))
    };
    let mut graph = make(5, 100, 1);
    graph.add_sequence(b"GATTACA");
    let before = graph.clone();
    for (other, field) in [(make(6, 100, 1), " k:"), (make(5, 101, 1), "bits"), (make(5, 100, 2), "hash")] {
        let error = graph.merge(&other).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Incompatible);
        assert!(format!("{error}").contains(field), "{error}");
        assert_eq!(graph, before);
    }
}

/// The graph depends only on the set, not on the order of its sequences.
#[test]
fn the_set_decides_the_exact_graph() {
    let mut rng = Rng::new(7);
    for k in [4, 31, 45] {
        for spec in [HashSpec::default(), HashSpec::seeded(3), HashSpec::keyed([9; 16])] {
            let mut all = sequences(&mut rng, k);
            let graph = ExactDeBruijn::freeze_with(&set_of(&all, k), spec).unwrap();
            all.reverse();
            all.push(other_strand(&all[0]));
            assert_eq!(
                ExactDeBruijn::freeze_with(&set_of(&all, k), spec).unwrap().to_bytes(),
                graph.to_bytes()
            );
        }
    }
}

/// 1 in 4 passes the filter, and every other of these has a 1.
#[test]
fn other_kmers_are_reported_at_times() {
    let mut rng = Rng::new(8);
    let sequence = random_bases(&mut rng, 100_030);
    let set = set_of(core::slice::from_ref(&sequence), 31);
    let graph = ExactDeBruijn::freeze(&set).unwrap();
    let bits = 8.0 * graph.memory_bytes() as f64 / set.len() as f64;
    assert!((4.9..5.4).contains(&bits), "{bits} bits a k-mer");
    let trials = 100_000;
    let (low, _) = crate::stats::binomial_band(trials, 0.1, 1e-6);
    let (_, high) = crate::stats::binomial_band(trials, 0.15, 1e-6);
    let others = random_bases(&mut rng, trials as usize + 30);
    let reported = kmers(&others, 31).unwrap().filter(|&kmer| graph.contains(kmer)).count() as f64;
    assert!((low..=high).contains(&reported), "{reported} of {trials}");
}
