//! Walks from k-mer to k-mer.

use super::kmer::Kmer;
use super::kmer_set::KmerSet;
use alloc::vec::Vec;

/// A set of k-mers as a de Bruijn graph: two k-mers are neighbours if they overlap in all bases but one.
///
/// No edges are stored. A k-mer has eight possible neighbours, four successors and four predecessors, and all eight are
/// queried. A k-mer and its reverse complement are one vertex; which of the two is returned shows the direction of
/// reading.
pub trait KmerGraph {
    /// Returns the number of bases of a k-mer.
    fn k(&self) -> u32;

    /// Returns whether a k-mer, or its reverse complement, is a vertex.
    fn contains(&self, kmer: Kmer) -> bool;

    /// Returns the number of k-mers, if it is known exactly.
    fn vertices(&self) -> Option<u64> {
        None
    }

    /// Returns the successors: the neighbours that may come next when the sequence is read on.
    ///
    /// ```
    /// use crivo::graph::{DeBruijn, DeBruijnParams, KmerGraph};
    /// let mut graph = DeBruijn::with_params(DeBruijnParams::for_fpr(5, 100, 1e-9)?);
    /// graph.add_sequence(b"GATTACA");
    /// graph.add_sequence(b"GATTAGA");
    /// let next: Vec<String> = graph.after("GATTA".parse()?).map(|kmer| kmer.to_string()).collect();
    /// assert_eq!(next, ["ATTAC", "ATTAG"]);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    fn after(&self, kmer: Kmer) -> impl Iterator<Item = Kmer> {
        kmer.shifted_left().into_iter().filter(|&next| self.contains(next))
    }

    /// Returns the predecessors.
    fn before(&self, kmer: Kmer) -> impl Iterator<Item = Kmer> {
        kmer.shifted_right().into_iter().filter(|&previous| self.contains(previous))
    }

    /// Returns all neighbours: at most eight.
    fn neighbours(&self, kmer: Kmer) -> impl Iterator<Item = Kmer> {
        self.after(kmer).chain(self.before(kmer))
    }

    /// Returns the next step of an unbranched path: the only successor, if it has no other predecessor.
    ///
    /// A palindrome, and a k-mer next to its own reverse complement, end a path, which would turn back on itself.
    fn only_next(&self, kmer: Kmer) -> Option<Kmer> {
        let next = only(self.after(kmer))?;
        let turns_back = next.canonical() == kmer.canonical() || kmer.is_palindrome() || next.is_palindrome();
        (!turns_back && only(self.before(next)) == Some(kmer)).then_some(next)
    }

    /// Returns the unbranched path from a k-mer on, itself first, up to a fork or an end, or back to its beginning.
    ///
    /// ```
    /// use crivo::graph::{DeBruijn, DeBruijnParams, KmerGraph};
    /// let mut graph = DeBruijn::with_params(DeBruijnParams::for_fpr(5, 100, 1e-9)?);
    /// graph.add_sequence(b"GATTACA");
    /// let path: Vec<String> = graph.walk("GATTA".parse()?).map(|kmer| kmer.to_string()).collect();
    /// assert_eq!(path, ["GATTA", "ATTAC", "TTACA"]);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    fn walk(&self, start: Kmer) -> impl Iterator<Item = Kmer> {
        core::iter::successors(Some(start), move |&kmer| self.only_next(kmer).filter(|&next| next != start))
    }

    /// Returns at most `limit` k-mers that can be reached from one, in canonical form and breadth-first order, itself
    /// first. If there are fewer, they are the whole component.
    fn component_of(&self, start: Kmer, limit: usize) -> Vec<Kmer> {
        let (mut found, mut seen) = (Vec::new(), KmerSet::of(self.k()));
        if self.contains(start) {
            found.push(start.canonical());
            seen.put(start.canonical());
        }
        let mut next = 0;
        while let Some(&kmer) = found.get(next).filter(|_| found.len() < limit) {
            next += 1;
            for neighbour in self.neighbours(kmer).map(Kmer::canonical) {
                if seen.put(neighbour) {
                    found.push(neighbour);
                }
            }
        }
        found.truncate(limit);
        found
    }
}

/// Returns the element if there is exactly one.
pub(super) fn only<T>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.next().is_none().then_some(first)
}
