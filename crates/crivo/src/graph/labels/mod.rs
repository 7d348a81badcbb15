//! Labels of vertices: two of them tell whether there is an edge.
//!
//! A vertex stands for a set, made so that the sets of joined vertices are more alike than those of others. What is
//! kept is a signature of the set, of a size that does not depend on it.

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
    /// Labels that are yet to be written.
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

    /// The label of a vertex that exists.
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

    /// Whether the labels of two vertices that exist mean an edge.
    #[inline]
    pub(super) fn agree(&self, one: u32, other: u32) -> bool {
        self.params().equal_slots(self.get(one), self.get(other)) >= self.params().threshold()
    }

    /// The memory it holds beside itself.
    pub(super) fn heap_bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }

    pub(super) fn write(&self, payload: &mut Vec<u8>) {
        payload.extend(self.words.iter().flat_map(|word| word.to_le_bytes()));
    }

    /// Reads [`write`](Self::write) back.
    pub(super) fn read(size: LabelsSize, file: &mut Payload<'_>) -> Result<Self> {
        let bytes = file.bytes.bytes(usize::try_from(size.words() * 8).unwrap_or(usize::MAX))?;
        let words: Vec<u64> = bytes.as_chunks().0.iter().map(|&word| u64::from_le_bytes(word)).collect();
        let used = size.label.bits_per_vertex() % 64;
        let are_clean =
            used == 0 || words.chunks(size.label.words()).all(|label| label[label.len() - 1] >> used == 0);
        if !are_clean {
            return Err(Error::malformed("a label has bits beyond its end"));
        }
        Ok(Self { words, size, spec: file.spec })
    }
}

/// What a label keeps of a set, while its elements come.
#[derive(Clone)]
pub(super) enum Signature {
    /// The smallest value of each slot.
    Smallest(Vec<u32>),
    /// The sum along each direction, a whole number of blocks.
    Sums(Vec<f64>),
}

impl Signature {
    /// That of the empty set.
    pub(super) fn new(params: &LabelParams) -> Self {
        let slots = params.slots() as usize;
        match params.scheme() {
            LabelScheme::MinHash => Self::Smallest(vec![Scheme::EMPTY; slots]),
            LabelScheme::SimHash => Self::Sums(vec![0.0; slots.next_multiple_of(64)]),
        }
    }

    /// Takes elements in that were not there.
    pub(super) fn insert(&mut self, hashes: &[u64]) {
        match self {
            Self::Smallest(slots) => {
                lower_slots(slots, hashes);
            }
            Self::Sums(sums) => hashes.chunks(BATCH).for_each(|batch| add_to_directions(sums, batch)),
        }
    }

    /// Into words that are 0.
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

/// The elements of a set that belong to one owner, by their hashes: those with these numbers.
pub(super) fn elements(owner: u64, numbers: core::ops::Range<u64>) -> impl Iterator<Item = u64> {
    numbers.map(move |number| edge_hash(owner, number, Direction::Directed))
}

/// What the structures of labels have in common, from their `labels` and `is_joined`.
macro_rules! label_methods {
    ($type:ident) => {
        impl $type {
            /// Whether two vertices are joined, from their labels alone.
            ///
            /// # Errors
            /// `InvalidArgument` when there is no such vertex.
            #[inline]
            pub fn has_edge(&self, one: u32, other: u32) -> crate::Result<bool> {
                super::numbered_vertices::check_edge((one, other), self.vertices())?;
                Ok(self.is_joined(one, other))
            }

            /// The vertices that this one seems joined to, sorted: all are asked.
            ///
            /// # Errors
            /// `InvalidArgument` when there is no such vertex.
            pub fn neighbours(&self, vertex: u32) -> crate::Result<impl Iterator<Item = u32> + '_> {
                super::numbered_vertices::check_vertex(vertex, self.vertices())?;
                Ok((0..self.vertices()).filter(move |&other| self.is_joined(vertex, other)))
            }

            /// How many [`neighbours`](Self::neighbours) a vertex seems to have.
            ///
            /// # Errors
            /// `InvalidArgument` when there is no such vertex.
            pub fn degree(&self, vertex: u32) -> crate::Result<u32> {
                Ok(self.neighbours(vertex)?.count() as u32)
            }

            /// The signature in the label of a vertex, for [`LabelParams::is_edge`](super::LabelParams::is_edge).
            ///
            /// # Errors
            /// `InvalidArgument` when there is no such vertex.
            pub fn label(&self, vertex: u32) -> crate::Result<&[u64]> {
                super::numbered_vertices::check_vertex(vertex, self.vertices())?;
                Ok(self.labels.get(vertex))
            }

            /// How many vertices there are.
            pub fn vertices(&self) -> u32 {
                self.labels.vertices()
            }

            /// The size of labels, and how many slots have to agree.
            pub fn params(&self) -> super::LabelParams {
                *self.labels.params()
            }

            /// The facts of all labels that do not follow from their size alone.
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
