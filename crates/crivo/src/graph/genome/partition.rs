//! Partitioning reads by the connected components of a graph.

use super::kmer::{Kmer, kmers};
use super::kmer_set::KmerSet;
use super::walk::KmerGraph;
use crate::{Error, Result};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// One k-mer in this many is a landmark, chosen by a number that does not depend on its bases.
const SPACING: u64 = 32;

/// A partition of reads by the connected components of a graph: two reads belong together if a path of k-mers connects
/// them.
///
/// Only landmarks are stored, about one k-mer in 32 and more where many paths run in parallel, and which of them are
/// connected; there is never a table of all k-mers. From each landmark the graph is searched up to the next ones, once.
///
/// In a graph with false positives, k-mers that were never inserted may connect unrelated reads. Up to a rate of about
/// 0.15 such bridges are short and rare (Pell et al.); from about 0.18 on they span everything, and the search would
/// never end: so it has a limit.
///
/// ```
/// use crivo::graph::{DeBruijn, DeBruijnParams, Partition};
/// let reads = [&b"GATTACACCA"[..], b"CGCGGCGCCG", b"ACACCATTGC", b"GATT"];
/// let mut graph = DeBruijn::with_params(DeBruijnParams::for_fpr(5, 100, 1e-6)?);
/// for read in reads {
///     graph.add_sequence(read);
/// }
/// let mut partition = Partition::new(&graph, 10_000);
/// let places = reads.iter().map(|read| partition.add(read)).collect::<Result<Vec<_>, _>>()?;
/// let parts = partition.finish();
/// assert_eq!(parts.len(), 2);
/// let components: Vec<_> = places.iter().map(|&place| parts.component(place?)).collect();
/// assert_eq!(components, [Some(0), Some(1), Some(0), None]); // GATT is too short
/// # Ok::<(), crivo::Error>(())
/// ```
pub struct Partition<'g, G> {
    graph: &'g G,
    landmarks: BTreeMap<Kmer, u32>,
    /// A union–find forest: landmarks of one component lead to the same root, which leads to itself.
    leads_to: Vec<u32>,
    limit: u64,
    /// The number of visited k-mers; those between two landmarks count from both sides.
    visited: u64,
}

impl<'g, G: KmerGraph> Partition<'g, G> {
    /// Creates a partition without reads that visits at most `limit` k-mers in all. Without false positives each k-mer
    /// is visited two or three times.
    pub fn new(graph: &'g G, limit: u64) -> Self {
        Self { graph, landmarks: BTreeMap::new(), leads_to: Vec::new(), limit, visited: 0 }
    }

    /// Adds a read whose k-mers are in the graph, and returns its place, for which [`Parts::component`] gives the
    /// component at the end. Returns `None` if the read is too short for a k-mer, or if none of its k-mers are in the
    /// graph.
    ///
    /// A read that unknown bases interrupt connects its pieces.
    ///
    /// # Errors
    /// Returns `Full` if the search has reached its limit: the reads so far may not be completely connected then.
    pub fn add(&mut self, read: &[u8]) -> Result<Option<u32>> {
        let graph = self.graph;
        let mut first = None;
        let mut runs = kmers(read, graph.k())?;
        // One k-mer of each run of neighbours is enough: a landmark if there is one, which is mostly known already.
        let mut run: Option<Kmer> = None;
        loop {
            let next = runs.next();
            let goes_on = next.is_some() && runs.goes_on();
            if !goes_on && let Some(kmer) = run.take() {
                let place = self.place_of(kmer)?;
                let first = *first.get_or_insert(place);
                self.join(first, place);
            }
            let Some(kmer) = next else { return Ok(first) };
            if run.is_none_or(|run| !is_landmark(run) && is_landmark(kmer)) && graph.contains(kmer) {
                run = Some(kmer);
            }
        }
    }

    /// Returns a landmark of the component of a canonical k-mer.
    fn place_of(&mut self, kmer: Kmer) -> Result<u32> {
        if let Some(&place) = self.landmarks.get(&kmer) {
            return Ok(place);
        }
        if !is_landmark(kmer) {
            let around = self.around(kmer)?;
            // A known landmark was explored as far as it reaches.
            if let Some(&place) = around.iter().find_map(|landmark| self.landmarks.get(landmark)) {
                return Ok(place);
            }
        }
        self.explore(kmer)
    }

    /// Connects a new landmark with everything that can be reached from it.
    fn explore(&mut self, start: Kmer) -> Result<u32> {
        let place = self.keep(start);
        let mut waiting = vec![start];
        while let Some(kmer) = waiting.pop() {
            for landmark in self.around(kmer)? {
                let known = self.landmarks.get(&landmark).copied();
                let found = known.unwrap_or_else(|| {
                    waiting.push(landmark);
                    self.keep(landmark)
                });
                self.join(place, found);
            }
        }
        Ok(place)
    }

    /// Returns the landmarks that can be reached from a k-mer without passing another. Where many paths run in
    /// parallel, few landmarks lie on all of them, and the search would go round them: whatever is not visited within a
    /// number of steps becomes a landmark.
    fn around(&mut self, start: Kmer) -> Result<Vec<Kmer>> {
        /// Two landmarks on a path are seldom farther apart.
        const MOST: usize = 8 * SPACING as usize;
        let (mut seen, mut landmarks) = (KmerSet::of(self.graph.k()), Vec::new());
        seen.put(start);
        let (mut waiting, mut next) = (vec![start], 0);
        while let Some(&kmer) = waiting.get(next).filter(|_| next < MOST) {
            next += 1;
            if self.visited >= self.limit {
                return Err(Error::full(format!(
                    "{} k-mers were visited, and there are more; raise the limit, or give the graph more bits per k-mer",
                    self.limit
                )));
            }
            self.visited += 1;
            for neighbour in self.graph.neighbours(kmer).map(Kmer::canonical) {
                if !seen.put(neighbour) {
                    continue;
                }
                if is_landmark(neighbour) || self.landmarks.contains_key(&neighbour) {
                    landmarks.push(neighbour);
                } else {
                    waiting.push(neighbour);
                }
            }
        }
        landmarks.extend(&waiting[next..]);
        Ok(landmarks)
    }

    fn keep(&mut self, kmer: Kmer) -> u32 {
        let place = self.leads_to.len() as u32;
        self.landmarks.insert(kmer, place);
        self.leads_to.push(place);
        place
    }

    fn end_of(&mut self, mut place: u32) -> u32 {
        while self.leads_to[place as usize] != place {
            // Path halving.
            let next = self.leads_to[self.leads_to[place as usize] as usize];
            self.leads_to[place as usize] = next;
            place = next;
        }
        place
    }

    fn join(&mut self, first: u32, second: u32) {
        let (first, second) = (self.end_of(first), self.end_of(second));
        // The older one, which has the smaller number, becomes the root.
        self.leads_to[first.max(second) as usize] = first.min(second);
    }

    /// Returns the number of visited k-mers; those between two landmarks count from both sides.
    pub fn visited(&self) -> u64 {
        self.visited
    }

    /// Returns the number of stored landmarks.
    pub fn landmarks(&self) -> usize {
        self.leads_to.len()
    }

    /// Returns the components, numbered from 0 in the order of their first reads.
    pub fn finish(mut self) -> Parts {
        let mut numbers = BTreeMap::new();
        let components = (0..self.leads_to.len() as u32).map(|place| {
            let next = numbers.len() as u32;
            *numbers.entry(self.end_of(place)).or_insert(next)
        });
        let components = components.collect();
        Parts { components, count: numbers.len() }
    }
}

fn is_landmark(kmer: Kmer) -> bool {
    kmer.scattered() < u64::MAX / SPACING
}

impl<G> fmt::Debug for Partition<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Partition with {} landmarks", self.leads_to.len())
    }
}

/// The component of each place: the result of [`Partition::finish`].
#[derive(Clone, Debug)]
pub struct Parts {
    components: Vec<u32>,
    count: usize,
}

impl Parts {
    /// Returns the component of a place that [`Partition::add`] returned; `None` for any other number.
    pub fn component(&self, place: u32) -> Option<u32> {
        self.components.get(place as usize).copied()
    }

    /// Returns the number of components with reads.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns whether no read had a k-mer.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}
