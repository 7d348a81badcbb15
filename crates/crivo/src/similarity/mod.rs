//! Similarity of sets and vectors: signatures, indexes of similar items, and near-duplicates.

/// Writes the methods that signatures of sets share, from their `slots`, `spec` and `insert_hashes`.
macro_rules! signature {
    ($type:ident, $scheme:expr) => {
        impl $type {
            /// Creates an empty signature of `k` slots.
            ///
            /// # Errors
            /// Returns `InvalidArgument` unless `k` is 1 to 65,536.
            pub fn for_slots(k: u32) -> crate::Result<Self> {
                Ok(crate::sketch::Empty::empty(super::signature::Slots::new(k)?, crate::HashSpec::default()))
            }

            /// Creates the smallest signature whose estimates are within `error` of the true value with 95 %
            /// confidence, for sets of any similarity: see [`slots_for_error`](super::slots_for_error).
            ///
            /// # Errors
            /// Returns `InvalidArgument` unless `error` lies between 0 and 1, and 65,536 slots or fewer reach it: from
            /// 0.0039 on.
            pub fn for_error(error: f64) -> crate::Result<Self> {
                Self::for_slots(super::slots_for_error(error, crate::DEFAULT_CONFIDENCE)?)
            }

            /// Creates the largest signature that takes at most `bytes` bytes of memory.
            ///
            /// # Errors
            /// Returns `InvalidArgument` if not even one slot fits.
            pub fn for_memory(bytes: u64) -> crate::Result<Self> {
                Self::for_slots(super::signature::slots_in_memory(bytes, size_of::<Self>())?)
            }

            /// Inserts an item, and returns whether the signature changed.
            #[inline]
            pub fn insert<T: crate::Item + ?Sized>(&mut self, item: &T) -> bool {
                self.insert_hash(self.spec.hash(item))
            }

            /// Estimates Jaccard's similarity of the two sets, with a 95 % interval: the number of common items divided
            /// by the number of items in the union. Two empty sets have similarity 1.
            ///
            /// # Errors
            /// Returns `Incompatible` if k or hash differ.
            pub fn similarity(&self, other: &Self) -> crate::Result<crate::Estimate> {
                self.similarity_at(other, crate::DEFAULT_CONFIDENCE)
            }

            /// Like [`similarity`](Self::similarity), at another confidence.
            ///
            /// # Errors
            /// Returns `Incompatible` if k or hash differ; `InvalidArgument` unless `confidence` lies strictly between
            /// 0 and 1.
            pub fn similarity_at(&self, other: &Self, confidence: f64) -> crate::Result<crate::Estimate> {
                crate::estimate::check_confidence(confidence)?;
                crate::sketch::check_same(self, other)?;
                Ok($scheme.similarity_within(&self.slots, &other.slots, confidence))
            }
        }

        signature!(slots of $type, $scheme);
        crate::sketch::shell!($type: hashes, starts, merges, set,
            collects(Self::for_slots(super::signature::DEFAULT_K), "A signature of 128 slots."));

        impl crate::sketch::Core for $type {
            const KIND: crate::Kind = crate::Kind::$type;

            fn heap_bytes(&self) -> usize {
                size_of_val(&*self.slots)
            }

            fn write(&self, payload: &mut alloc::vec::Vec<u8>) {
                payload.extend(self.slots.iter().flat_map(|slot| slot.to_le_bytes()));
            }

            fn read(size: Self::Params, file: &mut crate::sketch::Payload<'_>) -> crate::Result<Self> {
                Ok(Self { slots: size.slots_of(&mut file.bytes)?, spec: file.spec })
            }

            fn state(&self) -> alloc::vec::Vec<crate::sketch::Fact> {
                super::signature::in_use(&self.slots)
            }

            fn absorb(&mut self, other: &Self) -> crate::Result<()> {
                crate::similarity::slots::lower_to_slots(&mut self.slots, &other.slots);
                Ok(())
            }
        }

        impl crate::sketch::Empty for $type {
            fn empty(size: Self::Params, spec: crate::HashSpec) -> Self {
                Self { slots: size.empty_slots(), spec }
            }

            fn has_nothing(&self) -> bool {
                super::signature::is_empty(&self.slots)
            }
        }

    };
    // Writes the size of a signature with a field `slots`, and the methods that an index needs.
    (slots of $type:ident, $scheme:expr) => {
        impl $type {
            /// Returns the number of slots.
            pub fn k(&self) -> u32 {
                self.slots.len() as u32
            }

            /// Returns the slots; empty slots are [`Scheme::EMPTY`](super::Scheme::EMPTY).
            pub fn slots(&self) -> &[u32] {
                &self.slots
            }
        }

        impl crate::sketch::OfSize for $type {
            type Params = super::signature::Slots;

            fn params(&self) -> Self::Params {
                super::signature::Slots::of_count(self.slots.len())
            }
        }

        impl super::Signature for $type {
            fn scheme(&self) -> super::Scheme {
                $scheme
            }

            fn slots(&self) -> &[u32] {
                &self.slots
            }

            fn hash_spec(&self) -> &crate::HashSpec {
                &self.spec
            }
        }
    };
}

mod b_bit_min_hash;
mod bands;
mod buckets;
mod distance_bloom;
mod exact;
mod hamming_index;
mod lsh_bloom;
mod lsh_index;
mod min_hash;
#[cfg(feature = "text")]
mod near;
mod numbered;
mod one_permutation;
#[cfg(feature = "text")]
mod shingle;
mod signature;
mod signature_form;
mod signature_rows;
mod signature_size;
mod sim_hash;
mod slot_agreement;
mod slots;
mod weighted_min_hash;

pub use b_bit_min_hash::BBitMinHash;
pub(crate) use b_bit_min_hash::low_bits;
pub use bands::LshParams;
pub use distance_bloom::{DistanceBloom, DistanceParams, Metric};
pub use exact::{jaccard, jaccard_by_table, jaccard_sorted};
pub use hamming_index::{HammingIndex, HammingParams};
pub use lsh_bloom::{LshBloom, LshBloomParams};
pub use lsh_index::LshIndex;
pub use min_hash::MinHash;
#[cfg(feature = "text")]
pub use near::ExactSet;
#[cfg(feature = "text")]
pub use near::GroupedRows;
#[cfg(feature = "text")]
pub use near::{Document, NearDuplicates, NearParams, Pair, Report, Summary, Verify, near_duplicates};
#[cfg(feature = "text")]
pub use near::{Group, Keep};
pub use one_permutation::OnePermutation;
#[cfg(feature = "text")]
pub use shingle::{Normalise, Shingles};
pub use signature::{Scheme, Signature};
pub use signature_size::{error_by_bound, slots_by_bound, slots_for_error, standard_error};
pub use sim_hash::SimHash;
pub(crate) use sim_hash::directions::{self, add_to_directions};
pub(crate) use slots::lower_slots;
pub use weighted_min_hash::WeightedMinHash;
