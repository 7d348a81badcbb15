//! Labels of vertices: two of them tell whether there is an edge.
//!
//! A vertex stands for a set, made so that the sets of joined vertices are more alike than those of others. What is
//! kept is a signature of the set, of a size that does not depend on it.

mod params;

pub use params::{LabelParams, LabelScheme};

use super::Direction;
use super::edge::edge_hash;
use crate::codec::{self, DecodeOptions, Reader, put_u64_varint};
use crate::kind::Kind;
use crate::memory::BATCH;
use crate::similarity::Scheme;
use crate::similarity::low_bits;
use crate::similarity::{add_to_directions, lower_slots};
use crate::{Error, HashSpec, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// The most bits of all labels: 2⁴⁰, 128 GiB, or 1 GiB where an address has 32 bits.
const MAX_BITS: u64 = if usize::BITS < 64 { 1 << 33 } else { 1 << 40 };

/// The labels of all vertices, each in whole words.
#[derive(Clone, PartialEq)]
pub(super) struct Labels {
    words: Vec<u64>,
    vertices: u32,
    params: LabelParams,
    spec: HashSpec,
}

impl Labels {
    /// Labels that are yet to be written.
    pub(super) fn new(vertices: u32, params: LabelParams, spec: HashSpec) -> Result<Self> {
        let words = words_of(vertices, params)?;
        Ok(Self { words: vec![0; words as usize], vertices, params, spec })
    }

    pub(super) fn vertices(&self) -> u32 {
        self.vertices
    }

    pub(super) fn params(&self) -> &LabelParams {
        &self.params
    }

    pub(super) fn spec(&self) -> &HashSpec {
        &self.spec
    }

    /// The label of a vertex that exists.
    #[inline]
    pub(super) fn get(&self, vertex: u32) -> &[u64] {
        let words = self.params.words();
        &self.words[vertex as usize * words..][..words]
    }

    /// Writes the label of a vertex that has none yet.
    pub(super) fn set(&mut self, vertex: u32, signature: &Signature) {
        let words = self.params.words();
        signature.write(&self.params, &mut self.words[vertex as usize * words..][..words]);
    }

    /// Whether the labels of two vertices that exist mean an edge.
    #[inline]
    pub(super) fn agree(&self, one: u32, other: u32) -> bool {
        self.params.equal_slots(self.get(one), self.get(other)) >= self.params.threshold()
    }

    /// The memory it holds beside itself.
    pub(super) fn memory_bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }

    /// The file: `params` and `payload` are what comes after the labels' own.
    pub(super) fn seal(&self, kind: Kind, more_params: &[u8], more_payload: &[u8]) -> Vec<u8> {
        let mut params = Vec::new();
        put_u64_varint(&mut params, self.vertices.into());
        self.params.put(&mut params);
        params.extend_from_slice(more_params);
        let mut payload: Vec<u8> = self.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        payload.extend_from_slice(more_payload);
        codec::seal(kind, Some(&self.spec), &params, &payload)
    }

    /// Reads [`seal`](Self::seal) back: the labels of a structure that takes `own` bytes beside them, and `bits` a
    /// vertex, and readers of what comes after.
    pub(super) fn open<'a>(
        kind: Kind,
        bytes: &'a [u8],
        (own, bits): (usize, u64),
        options: &DecodeOptions,
    ) -> Result<(Self, Reader<'a>, Reader<'a>)> {
        let codec::Envelope { spec, params: mut reader, mut payload, .. } =
            codec::open(kind, bytes, options)?;
        let vertices = reader.u32_varint()?;
        let params = LabelParams::read(&mut reader)?;
        let count = words_of(vertices, params).map_err(|error| Error::malformed(format!("{error}")))?;
        let beside = (u64::from(vertices) * bits).div_ceil(64);
        codec::check_memory(own as u64 + (count + beside) * 8, options)?;
        let bytes = payload.bytes(usize::try_from(count * 8).unwrap_or(usize::MAX))?;
        let words: Vec<u64> = bytes.as_chunks().0.iter().map(|&word| u64::from_le_bytes(word)).collect();
        let used = params.bits_per_vertex() % 64;
        let are_clean =
            used == 0 || words.chunks(params.words()).all(|label| label[label.len() - 1] >> used == 0);
        if !are_clean {
            return Err(Error::malformed("a label has bits beyond its end; copy the file again"));
        }
        Ok((Self { words, vertices, params, spec }, reader, payload))
    }
}

fn words_of(vertices: u32, params: LabelParams) -> Result<u64> {
    let words = u64::from(vertices) * params.words() as u64;
    if words <= MAX_BITS / 64 {
        return Ok(words);
    }
    Err(Error::invalid(format!(
        "labels take {MAX_BITS} bits at most, but {vertices} vertices need {words} words; allow more errors or take fewer \
         vertices"
    )))
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
                super::numbered::check_edge((one, other), self.vertices())?;
                Ok(self.is_joined(one, other))
            }

            /// The vertices that this one seems joined to, sorted: all are asked.
            ///
            /// # Errors
            /// `InvalidArgument` when there is no such vertex.
            pub fn neighbours(&self, vertex: u32) -> crate::Result<impl Iterator<Item = u32> + '_> {
                super::numbered::check_vertex(vertex, self.vertices())?;
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
                super::numbered::check_vertex(vertex, self.vertices())?;
                Ok(self.labels.get(vertex))
            }

            /// How many vertices there are.
            pub fn vertices(&self) -> u32 {
                self.labels.vertices()
            }

            /// The size of labels, and how many slots have to agree.
            pub fn params(&self) -> &super::LabelParams {
                self.labels.params()
            }

            /// How it hashes the elements of sets.
            pub fn hash_spec(&self) -> &crate::HashSpec {
                self.labels.spec()
            }

            /// The facts of all labels.
            fn label_facts(&self) -> alloc::vec::Vec<crate::sketch::Fact> {
                use crate::sketch::Fact;
                let params = self.params();
                alloc::vec![
                    Fact::count("vertices", self.vertices().into()),
                    Fact::text("scheme", params.scheme().name()),
                    Fact::count("slots", params.slots().into()),
                    Fact::count("bits", params.bits().into()),
                    Fact::count("threshold", params.threshold().into()),
                    Fact::count("bits_per_vertex", self.bits_per_vertex().into()),
                    Fact::number("fpr", self.fpr()),
                    Fact::number("fnr", self.fnr()),
                ]
            }
        }

        impl crate::sketch::Sketch for $type {
            fn kind(&self) -> crate::Kind {
                crate::Kind::$type
            }

            fn hash_spec(&self) -> Option<&crate::HashSpec> {
                Some(self.hash_spec())
            }

            fn memory_bytes(&self) -> usize {
                self.memory_bytes()
            }

            fn facts(&self) -> alloc::vec::Vec<crate::sketch::Fact> {
                self.facts()
            }
        }

        impl core::fmt::Debug for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let (vertices, spec) = (self.vertices(), self.hash_spec());
                write!(f, "{}({vertices} vertices, {}, {spec})", stringify!($type), self.params())
            }
        }
    };
}
pub(super) use label_methods;
