//! Going from k-mer to k-mer.

use super::kmer::Kmer;
use super::kmer_set::KmerSet;
use alloc::vec::Vec;

/// A set of k-mers as a graph: two are neighbours when one begins as the other ends, in all bases but one.
///
/// No edges are kept. A k-mer has eight possible neighbours, four behind and four before, and all eight are asked for.
/// A k-mer and its reverse complement are one vertex; which of both stands in an answer tells the direction of
/// reading.
pub trait KmerGraph {
    /// How many bases a k-mer has.
    fn k(&self) -> u32;

    /// Whether a k-mer, or its reverse complement, is a vertex.
    fn contains(&self, kmer: Kmer) -> bool;

    /// How many k-mers there are, where that is known for certain.
    fn vertices(&self) -> Option<u64> {
        None
    }

    /// The neighbours that may come next when the sequence is read on.
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

    /// The neighbours that may have come before.
    fn before(&self, kmer: Kmer) -> impl Iterator<Item = Kmer> {
        kmer.shifted_right().into_iter().filter(|&previous| self.contains(previous))
    }

    /// All neighbours: at most eight.
    fn neighbours(&self, kmer: Kmer) -> impl Iterator<Item = Kmer> {
        self.after(kmer).chain(self.before(kmer))
    }

    /// The only k-mer that can come next, if it can come after no other: the next step of an unbranched path.
    ///
    /// A palindrome, and a k-mer next to its own reverse complement, end a path: it would turn back on itself.
    fn only_next(&self, kmer: Kmer) -> Option<Kmer> {
        let next = only(self.after(kmer))?;
        let turns_back = next.canonical() == kmer.canonical() || kmer.is_palindrome() || next.is_palindrome();
        (!turns_back && only(self.before(next)) == Some(kmer)).then_some(next)
    }

    /// The unbranched path from a k-mer on, itself first, up to a fork or an end, or back to where it began.
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

    /// The k-mers that can be reached from one, itself first, the nearest before the farther; in canonical form. At
    /// most `limit`: fewer are the whole component.
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

/// The element, if there is only one.
pub(super) fn only<T>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.next().is_none().then_some(first)
}
