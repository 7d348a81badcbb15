//! A graph without the marks of single wrong bases.

use super::kmer::Kmer;
use super::kmer_counts::KmerCounts;
use super::kmer_set::KmerSet;
use super::unitig::unitigs;
use super::walk::{KmerGraph, only};
use alloc::vec::Vec;
use core::fmt;

/// The graph of counted k-mers without tips and simple bubbles: its unitigs are contigs.
///
/// One wrong base of a read changes at most k of its k-mers. Near an end of the read they make a *tip*, elsewhere a
/// *bubble*. Both are unitigs of at most k k-mers, fewer than 2k bases:
///
/// * A tip has no neighbour at one end. It is removed if every neighbour at its other end has another neighbour there
///   that occurs more often than the last k-mer of the tip.
/// * An arm of a bubble has one neighbour at each end, between which another path of at most k k-mers without a fork
///   runs. It is removed if the k-mers of another such path occur more often on average.
///
/// This is repeated until there is nothing to remove. On a tie nothing is removed. No k-mer that stays loses its last
/// successor or its last predecessor.
///
/// # What it does not do
/// A word of k − 1 bases or more that occurs twice in the genome, in different surroundings, makes forks, where contigs
/// end; no pair of reads connects them. Two wrong bases of one read with fewer than k bases between them make longer
/// bubbles, which stay, and so does a wrong connection of two places. Of two true variants the more frequent one stays.
///
/// Zerbino and Birney, doi:10.1101/gr.074492.107, describe tips and bubbles.
///
/// ```
/// use crivo::graph::{KmerCounts, KmerSet, Simplified, unitigs};
/// let mut set = KmerSet::new(5)?;
/// let reads: [&[u8]; 3] = [b"GATTACATTC", b"GATTACATTC", b"GATTACATCC"]; // the last but one base is wrong
/// for read in reads {
///     set.add_sequence(read);
/// }
/// let mut counts = KmerCounts::of(set);
/// for read in reads {
///     counts.add_sequence(read);
/// }
/// let graph = Simplified::new(&counts);
/// assert_eq!((graph.tips(), graph.bubbles()), (1, 0));
/// assert_eq!(unitigs(&graph, graph.iter()).collect::<Vec<_>>(), [b"GAATGTAATC"]); // on the other strand
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone)]
pub struct Simplified<'c> {
    counts: &'c KmerCounts,
    removed: KmerSet,
    tips: u64,
    bubbles: u64,
    rounds: u32,
}

/// Why a path is removed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Weak {
    Tip,
    Arm,
}

impl<'c> Simplified<'c> {
    /// Removes tips and bubbles until there are none. `counts` has counted the k-mers of all sequences.
    pub fn new(counts: &'c KmerCounts) -> Self {
        let removed = KmerSet::of(counts.set().k());
        let mut graph = Self { counts, removed, tips: 0, bubbles: 0, rounds: 0 };
        loop {
            let weak = graph.weak_paths();
            if weak.is_empty() {
                return graph;
            }
            graph.rounds += 1;
            for (why, path) in weak {
                graph.tips += u64::from(why == Weak::Tip);
                graph.bubbles += u64::from(why == Weak::Arm);
                for kmer in path {
                    graph.removed.put(kmer.canonical());
                }
            }
        }
    }

    /// Returns the number of tips that were removed.
    pub fn tips(&self) -> u64 {
        self.tips
    }

    /// Returns the number of arms of bubbles that were removed.
    pub fn bubbles(&self) -> u64 {
        self.bubbles
    }

    /// Returns how many times the graph was searched with success.
    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// Returns the number of k-mers that were removed.
    pub fn removed(&self) -> u64 {
        self.removed.len()
    }

    /// Returns the k-mers that stay, in canonical form and in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = Kmer> + Clone + '_ {
        self.counts.set().iter().filter(|&kmer| !self.removed.contains(kmer))
    }

    /// The tips and weaker arms of the graph as it is; nothing is removed yet, so that the order does not matter.
    fn weak_paths(&self) -> Vec<(Weak, Vec<Kmer>)> {
        let k = self.k() as usize;
        let short = unitigs(self, self.iter()).filter(|bases| bases.len() < 2 * k);
        let path = |bases: Vec<u8>| bases.windows(k).filter_map(|word| Kmer::from_bases(word).ok()).collect();
        let weak = short.map(path).filter_map(|path: Vec<Kmer>| Some((self.weakness(&path)?, path)));
        weak.collect()
    }

    fn weakness(&self, path: &[Kmer]) -> Option<Weak> {
        let (first, last) = (*path.first()?, *path.last()?);
        let is_tip =
            self.is_tip(first, last) || self.is_tip(last.reverse_complement(), first.reverse_complement());
        if is_tip {
            return Some(Weak::Tip);
        }
        self.is_weaker_arm(path, first, last).then_some(Weak::Arm)
    }

    /// Whether a path from `first`, before which there is nothing, to `last` is weaker than all that it joins.
    fn is_tip(&self, first: Kmer, last: Kmer) -> bool {
        let count = self.counts.count(last);
        let has_stronger = |next: Kmer| self.before(next).any(|rival| self.counts.count(rival) > count);
        self.before(first).next().is_none()
            && self.after(last).next().is_some()
            && self.after(last).all(has_stronger)
    }

    /// Whether a stronger path runs between the only neighbours of a path.
    fn is_weaker_arm(&self, path: &[Kmer], first: Kmer, last: Kmer) -> bool {
        let (Some(before), Some(after)) = (only(self.before(first)), only(self.after(last))) else {
            return false;
        };
        let mut others = self.after(before).filter(|&other| other != first);
        others.any(|other| {
            let k = self.k() as usize;
            let arm: Vec<Kmer> = self.walk(other).take(k + 1).collect();
            let is_arm = arm.len() <= k
                && only(self.before(other)) == Some(before)
                && arm.last().and_then(|&last| only(self.after(last))) == Some(after);
            is_arm && self.total(path) * (arm.len() as u64) < self.total(&arm) * path.len() as u64
        })
    }

    /// How often the k-mers of a path occur together. A path has at most 63, so products of two do not overflow.
    fn total(&self, path: &[Kmer]) -> u64 {
        path.iter().map(|&kmer| u64::from(self.counts.count(kmer))).sum()
    }
}

impl KmerGraph for Simplified<'_> {
    fn k(&self) -> u32 {
        self.removed.k()
    }

    fn vertices(&self) -> Option<u64> {
        Some(self.counts.set().len() - self.removed.len())
    }

    fn contains(&self, kmer: Kmer) -> bool {
        self.counts.set().contains(kmer) && !self.removed.contains(kmer)
    }
}

impl fmt::Debug for Simplified<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Simplified, without {} tips and {} arms of bubbles", self.tips, self.bubbles)
    }
}

#[cfg(test)]
mod tests;
