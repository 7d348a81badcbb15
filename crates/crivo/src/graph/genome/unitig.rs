//! Unitigs: the longest paths without a fork.

use super::kmer::Kmer;
use super::walk::{KmerGraph, only};
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::fmt;

/// Returns the unitigs of a graph: its longest unbranched paths, as sequences of bases.
///
/// Every k-mer of the graph is in exactly one unitig, once, and each unitig is reported once: a path as the smaller of
/// its sequence and its reverse complement, a circle from one of its k-mers on, with k − 1 bases repeated at its end.
/// `kmers` are all k-mers of the graph, in any order and possibly repeated. In addition to the graph only one start of
/// each unitig is stored.
///
/// ```
/// use crivo::graph::{KmerSet, unitigs};
/// let mut set = KmerSet::new(5)?;
/// set.add_sequence(b"GATTACATTC");
/// let mut all: Vec<Vec<u8>> = unitigs(&set, set.iter()).collect();
/// all.sort();
/// assert_eq!(all, [&b"GAATGTAATC"[..]]); // on the other strand
/// # Ok::<(), crivo::Error>(())
/// ```
pub fn unitigs<G: KmerGraph, I: Iterator<Item = Kmer> + Clone>(graph: &G, kmers: I) -> Unitigs<'_, G, I> {
    let again = kmers.clone();
    Unitigs { graph, kmers, again, near_ends: Vec::new(), told: BTreeSet::new(), covered: 0 }
}

/// An iterator over the unitigs of a graph: see [`unitigs`].
pub struct Unitigs<'g, G, I> {
    graph: &'g G,
    kmers: I,
    /// The same k-mers, for circles, which are paths without an end.
    again: I,
    /// K-mers that may be ends of paths.
    near_ends: Vec<Kmer>,
    /// Both ends of every reported path, and the first k-mer of every reported circle.
    told: BTreeSet<Kmer>,
    covered: u64,
}

impl<G: KmerGraph, I: Iterator<Item = Kmer>> Iterator for Unitigs<'_, G, I> {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        loop {
            if let Some(kmer) = self.near_ends.pop() {
                if let Some(path) = self.path_of_end(kmer) {
                    return Some(path);
                }
            } else if let Some(kmer) = self.kmers.next() {
                // A path ends next to a fork, or at one.
                if !is_passed_straight(self.graph, kmer) {
                    self.near_ends.extend(self.graph.neighbours(kmer).map(Kmer::canonical));
                    self.near_ends.push(kmer.canonical());
                }
            } else {
                return if self.graph.vertices() == Some(self.covered) { None } else { self.next_circle() };
            }
        }
    }
}

impl<G: KmerGraph, I: Iterator<Item = Kmer>> Unitigs<'_, G, I> {
    /// Returns the path that ends at a canonical k-mer, unless there is none or it was reported.
    fn path_of_end(&mut self, kmer: Kmer) -> Option<Vec<u8>> {
        if self.told.contains(&kmer) {
            return None;
        }
        let is_start = |start: &Kmer| self.graph.only_next(start.reverse_complement()).is_none();
        let start = [kmer, kmer.reverse_complement()].into_iter().find(is_start)?;
        let (path, end) = read(self.graph, start);
        self.told.extend([kmer, end.canonical()]);
        self.covered += path.len() as u64 + 1 - u64::from(self.graph.k());
        let other_strand = reverse_complement(&path);
        Some(path.min(other_strand))
    }

    fn next_circle(&mut self) -> Option<Vec<u8>> {
        let (graph, told) = (self.graph, &mut self.told);
        let mut all = self.again.by_ref().map(Kmer::canonical);
        let first = all.find(|&kmer| begins_circle(graph, kmer) && told.insert(kmer))?;
        Some(read(graph, first).0)
    }
}

impl<G, I> fmt::Debug for Unitigs<'_, G, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Unitigs, {} k-mers so far", self.covered)
    }
}

/// Returns whether the k-mer has one predecessor and one successor, and the path does not turn back here.
fn is_passed_straight<G: KmerGraph>(graph: &G, kmer: Kmer) -> bool {
    let goes_on = |next: Option<Kmer>| next.is_some_and(|next| next.canonical() != kmer.canonical());
    goes_on(only(graph.after(kmer))) && goes_on(only(graph.before(kmer))) && !kmer.is_palindrome()
}

/// Returns the bases of the unbranched path from a k-mer on, and its last k-mer.
fn read<G: KmerGraph>(graph: &G, start: Kmer) -> (Vec<u8>, Kmer) {
    let (mut bases, mut end) = (start.to_bases(), start);
    for kmer in graph.walk(start).skip(1) {
        bases.push(kmer.last_base());
        end = kmer;
    }
    (bases, end)
}

fn reverse_complement(bases: &[u8]) -> Vec<u8> {
    let complement = |base: &u8| match base {
        b'A' => b'T',
        b'C' => b'G',
        b'G' => b'C',
        _ => b'A',
    };
    bases.iter().rev().map(complement).collect()
}

/// Returns whether the path from a k-mer on comes back to it, and the k-mer is the first of its circle in a random
/// order.
///
/// Some k-mer that is smaller in that order soon follows: after ln n steps, on average, of a path of n. So no k-mer
/// needs a mark that its path was seen.
fn begins_circle<G: KmerGraph>(graph: &G, kmer: Kmer) -> bool {
    let rank = |kmer: Kmer| (kmer.canonical().scattered(), kmer.canonical());
    let others = core::iter::successors(graph.only_next(kmer), |&here| graph.only_next(here));
    let mut later = others.skip_while(|&other| other != kmer && rank(other) > rank(kmer));
    later.next() == Some(kmer)
}
