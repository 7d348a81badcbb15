//! Adjacency labels: two labels determine whether there is an edge between their vertices.
//!
//! Each vertex is represented by a set such that the sets of adjacent vertices are more similar than others. The label
//! is a signature of the set, whose size does not depend on it.

mod params;

pub(super) use params::LabelsSize;
pub use params::{LabelParams, LabelScheme};

use super::Direction;
use super::edge::edge_hash;
use crate::memory::BATCH;
use crate::similarity::Scheme;
use crate::similarity::low_bits;
use crate::similarity::{add_to_directions, lower_slots};
use crate::sketch::Payload;
use crate::{Error, HashSpec, Result};
use alloc::vec;
use alloc::vec::Vec;

/// The labels of all vertices, each in whole words.
#[derive(Clone, PartialEq)]
pub(super) struct Labels {
    words: Vec<u64>,
    size: LabelsSize,
    spec: HashSpec,
}

impl Labels {
    /// Creates empty labels.
    pub(super) fn new(vertices: u32, params: LabelParams, spec: HashSpec) -> Result<Self> {
        let size = LabelsSize::new(vertices, params)?;
        Ok(Self { words: vec![0; size.words() as usize], size, spec })
    }

    pub(super) fn size(&self) -> LabelsSize {
        self.size
    }

    pub(super) fn vertices(&self) -> u32 {
        self.size.vertices
    }

    pub(super) fn params(&self) -> &LabelParams {
        &self.size.label
    }

    pub(super) fn hash_spec(&self) -> &HashSpec {
        &self.spec
    }

    /// Returns the label of an existing vertex.
    #[inline]
    pub(super) fn get(&self, vertex: u32) -> &[u64] {
        let words = self.params().words();
        &self.words[vertex as usize * words..][..words]
    }

    /// Writes the label of a vertex that has none yet.
    pub(super) fn set(&mut self, vertex: u32, signature: &Signature) {
        let words = self.params().words();
        signature.write(&self.size.label, &mut self.words[vertex as usize * words..][..words]);
    }

    /// Returns whether the labels of two existing vertices mean an edge.
    #[inline]
    pub(super) fn agree(&self, one: u32, other: u32) -> bool {
        self.params().equal_slots(self.get(one), self.get(other)) >= self.params().threshold()
    }

    /// Returns the heap memory.
    pub(super) fn heap_bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }

    pub(super) fn write(&self, payload: &mut Vec<u8>) {
        payload.extend(self.words.iter().flat_map(|word| word.to_le_bytes()));
    }

    /// Reads the bytes of [`write`](Self::write).
    pub(super) fn read(size: LabelsSize, file: &mut Payload<'_>) -> Result<Self> {
        let bytes = file.bytes.bytes(usize::try_from(size.words() * 8).unwrap_or(usize::MAX))?;
        let words: Vec<u64> = bytes.as_chunks().0.iter().map(|&word| u64::from_le_bytes(word)).collect();
        let used = size.label.bits_per_vertex() % 64;
        let are_clean =
            used == 0 || words.chunks(size.label.words()).all(|label| label[label.len() - 1] >> used == 0);
        if !are_clean {
            return Err(Error::malformed("the file is corrupt: a label has bits beyond its end"));
        }
        Ok(Self { words, size, spec: file.spec })
    }
}

/// The state of a label while the elements of its set arrive.
#[derive(Clone)]
pub(super) enum Signature {
    /// The smallest value of each slot.
    Smallest(Vec<u32>),
    /// The sum along each direction, a whole number of blocks.
    Sums(Vec<f64>),
}

impl Signature {
    /// Creates the signature of the empty set.
    pub(super) fn new(params: &LabelParams) -> Self {
        let slots = params.slots() as usize;
        match params.scheme() {
            LabelScheme::MinHash => Self::Smallest(vec![Scheme::EMPTY; slots]),
            LabelScheme::SimHash => Self::Sums(vec![0.0; slots.next_multiple_of(64)]),
        }
    }

    /// Inserts elements that are not yet in the set.
    pub(super) fn insert(&mut self, hashes: &[u64]) {
        match self {
            Self::Smallest(slots) => {
                lower_slots(slots, hashes);
            }
            Self::Sums(sums) => hashes.chunks(BATCH).for_each(|batch| add_to_directions(sums, batch)),
        }
    }

    /// Writes the label into words that are 0.
    fn write(&self, params: &LabelParams, label: &mut [u64]) {
        let bits = params.bits();
        let mut put = |slot: usize, value: u32| {
            let place = slot * bits as usize;
            label[place / 64] |= u64::from(value) << (place % 64);
        };
        match self {
            Self::Smallest(slots) => {
                slots.iter().enumerate().for_each(|(slot, &value)| put(slot, low_bits(slot, value, bits)));
            }
            Self::Sums(sums) => {
                let sums = sums.iter().take(params.slots() as usize);
                sums.enumerate().for_each(|(slot, &sum)| put(slot, u32::from(sum > 0.0)));
            }
        }
    }
}

/// Returns the hashes of the elements with these numbers that belong to one owner.
pub(super) fn elements(owner: u64, numbers: core::ops::Range<u64>) -> impl Iterator<Item = u64> {
    numbers.map(move |number| edge_hash(owner, number, Direction::Directed))
}

/// Writes the methods that all structures of labels share, from their `labels` and `is_joined`.
macro_rules! label_methods {
    ($type:ident) => {
        impl $type {
            /// Returns whether two vertices are adjacent, from their labels alone.
            ///
            /// # Errors
            /// Returns `InvalidArgument` if there is no such vertex.
            #[inline]
            pub fn has_edge(&self, one: u32, other: u32) -> crate::Result<bool> {
                super::numbered_vertices::check_edge((one, other), self.vertices())?;
                Ok(self.is_joined(one, other))
            }

            /// Returns the reported neighbours of this vertex, sorted, by comparing its label with all others.
            ///
            /// # Errors
            /// Returns `InvalidArgument` if there is no such vertex.
            pub fn neighbours(&self, vertex: u32) -> crate::Result<impl Iterator<Item = u32> + '_> {
                super::numbered_vertices::check_vertex(vertex, self.vertices())?;
                Ok((0..self.vertices()).filter(move |&other| self.is_joined(vertex, other)))
            }

            /// Returns the number of reported [`neighbours`](Self::neighbours) of a vertex.
            ///
            /// # Errors
            /// Returns `InvalidArgument` if there is no such vertex.
            pub fn degree(&self, vertex: u32) -> crate::Result<u32> {
                Ok(self.neighbours(vertex)?.count() as u32)
            }

            /// Returns the signature in the label of a vertex, for
            /// [`LabelParams::is_edge`](super::LabelParams::is_edge).
            ///
            /// # Errors
            /// Returns `InvalidArgument` if there is no such vertex.
            pub fn label(&self, vertex: u32) -> crate::Result<&[u64]> {
                super::numbered_vertices::check_vertex(vertex, self.vertices())?;
                Ok(self.labels.get(vertex))
            }

            /// Returns the number of vertices.
            pub fn vertices(&self) -> u32 {
                self.labels.vertices()
            }

            /// Returns the size of labels, and how many slots must agree.
            pub fn params(&self) -> super::LabelParams {
                *self.labels.params()
            }

            /// Returns the facts that do not follow from the size of the labels alone.
            fn rates(&self) -> alloc::vec::Vec<crate::sketch::Fact> {
                use crate::sketch::Fact;
                alloc::vec![
                    Fact::count("bits_per_vertex", self.bits_per_vertex().into()),
                    Fact::number("fpr", self.fpr()),
                    Fact::number("fnr", self.fnr()),
                ]
            }
        }

        crate::sketch::shell!($type: hashes_by(self => self.labels.hash_spec()));
    };
}
pub(super) use label_methods;
