//! Traits that all structures of a family share.
//!
//! Every structure has the same methods inherently, so most code needs none of these traits. They serve code
//! that does not know the type of its sketch: the law tests, the command, bindings. All are object-safe.

mod inner;
#[cfg(feature = "rayon")]
pub mod parallel;
mod shell;

pub(crate) use inner::{
    Core, Empty, Fold, Hashing, OfSize, Params, Payload, check_same, debug, in_file, merge, narrow,
    other_kind,
};
pub(crate) use shell::shell;

use crate::codec::DecodeOptions;
use crate::kind::{Kind, MergeLaw};
use crate::{Estimate, HashSpec, ItemForm, Result};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;

/// Any structure: its description, its bytes, and merging.
///
/// [`decode`](crate::decode) returns it behind a pointer; [`downcast_ref`](#method.downcast_ref) gives access
/// to the concrete type.
pub trait Sketch: Any + Send + Sync {
    /// Returns the kind of the structure.
    fn kind(&self) -> Kind;
    /// Returns the hash spec; `None` for structures that do not hash.
    fn hashing(&self) -> Option<&HashSpec>;
    /// Returns its memory in bytes, including the struct itself.
    fn memory_bytes(&self) -> usize;
    /// Returns the most memory in bytes that it can take, whatever is inserted; `None` if that grows with the
    /// input or with the size of elements.
    fn memory_bound(&self) -> Option<usize>;
    /// Returns the seed of the random choices that it has made; `None` before the first choice, and for
    /// structures without randomness. Sketches with the same seed made the same choices and cannot be merged.
    fn random_seed(&self) -> Option<u64>;
    /// Returns the merge law; `None` if it cannot merge.
    fn merge_law(&self) -> Option<MergeLaw>;
    /// Returns its parameters and state as a few named values, which `crivo info` prints.
    fn facts(&self) -> Vec<Fact>;

    /// Returns the canonical bytes (`docs/FORMAT.md`): equal sketches have equal bytes.
    fn to_bytes(&self) -> Vec<u8>;

    /// Returns the bytes in the shortest form, if the structure has one that is shorter than
    /// [`to_bytes`](Self::to_bytes): equal sketches have equal compact bytes too.
    fn to_compact_bytes(&self) -> Vec<u8>;

    /// Decodes [`to_bytes`](Self::to_bytes) or [`to_compact_bytes`](Self::to_compact_bytes).
    ///
    /// # Errors
    /// `Malformed` for corrupt bytes, `Unsupported` for a newer format, a missing key or a size beyond the
    /// memory limit, `Incompatible` for a wrong key.
    fn from_bytes_with(bytes: &[u8], options: &DecodeOptions) -> Result<Self>
    where
        Self: Sized;

    /// Merges a sketch of another part of the stream, under the structure's [`MergeLaw`].
    ///
    /// # Errors
    /// `Incompatible`, naming the field, unless kind, parameters and hash agree; `Unsupported` if the
    /// structure cannot merge. `self` is unchanged after an error.
    fn merge_any(&mut self, other: &dyn Sketch) -> Result<()>;

    /// Marks the sketch with the form of the items that it takes from now on; does nothing if it does not hash.
    ///
    /// # Errors
    /// `Incompatible` if it already has items of the other form. `Malformed` if the structure holds another
    /// sketch as a whole file (`martingale-hyperloglog`, `martingale-exaloglog`, `exact-de-bruijn`): mark the
    /// hash spec that it is made with. The sketch is unchanged after an error.
    fn mark(&mut self, form: ItemForm) -> Result<()>;

    /// Returns a copy in a box.
    fn boxed(&self) -> Box<dyn Sketch>;
}

impl dyn Sketch {
    /// Returns a reference to the structure, if it is an `S`.
    pub fn downcast_ref<S: Sketch>(&self) -> Option<&S> {
        (self as &dyn Any).downcast_ref()
    }

    /// Returns a mutable reference to the structure, if it is an `S`.
    pub fn downcast_mut<S: Sketch>(&mut self) -> Option<&mut S> {
        (self as &mut dyn Any).downcast_mut()
    }
}

impl fmt::Debug for dyn Sketch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} bytes", self.kind().name(), self.memory_bytes())
    }
}

/// A named value that describes a sketch.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// The name, in `snake_case`.
    pub name: &'static str,
    /// The value.
    pub value: FactValue,
}

/// The value of a [`Fact`].
#[derive(Clone, Debug, PartialEq)]
pub enum FactValue {
    /// A whole number.
    Count(u64),
    /// The random seed of a randomised sketch.
    Seed(u64),
    /// A real number.
    Number(f64),
    /// A word.
    Text(String),
    /// A number with its interval.
    Estimate(Estimate),
    /// A probability with its interval.
    Rate(Estimate),
}

impl fmt::Display for FactValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) | Self::Seed(count) => write!(f, "{count}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
            Self::Estimate(estimate) | Self::Rate(estimate) => write!(f, "{estimate}"),
        }
    }
}

impl Fact {
    pub(crate) fn count(name: &'static str, value: u64) -> Self {
        Self { name, value: FactValue::Count(value) }
    }

    pub(crate) fn seed(value: u64) -> Self {
        Self { name: "seed", value: FactValue::Seed(value) }
    }

    pub(crate) fn number(name: &'static str, value: f64) -> Self {
        Self { name, value: FactValue::Number(value) }
    }

    pub(crate) fn text(name: &'static str, value: &str) -> Self {
        Self { name, value: FactValue::Text(value.into()) }
    }

    pub(crate) fn estimate(name: &'static str, value: Estimate) -> Self {
        Self { name, value: FactValue::Estimate(value) }
    }

    pub(crate) fn rate(name: &'static str, value: Estimate) -> Self {
        Self { name, value: FactValue::Rate(value) }
    }
}

/// Sketches that items are inserted into. Inserting an item again changes nothing, except in a structure that
/// keeps [copies](crate::KindInfo::copies).
pub trait Insert: Sketch {
    /// Inserts the item with this hash; returns whether the sketch changed.
    ///
    /// # Errors
    /// `Full` if the structure has no room; it is unchanged then.
    fn try_insert_hash(&mut self, hash: u64) -> Result<bool>;

    /// Inserts many items; stops at the first error.
    ///
    /// # Errors
    /// As [`try_insert_hash`](Self::try_insert_hash).
    fn try_insert_hashes(&mut self, hashes: &[u64]) -> Result<()> {
        hashes.iter().try_for_each(|&hash| self.try_insert_hash(hash).map(|_| ()))
    }
}

/// Sketches that support deletion.
pub trait Remove: Insert {
    /// Removes the item with this hash, or one of its copies.
    ///
    /// Remove only items that were inserted. Removing an item that was never inserted but is a false positive
    /// removes another item, and later answers are wrong.
    ///
    /// # Errors
    /// `InvalidArgument` if the item is certainly not inside, `Unsupported` if the parameters do not allow
    /// deletion; nothing changes then.
    fn remove_hash(&mut self, hash: u64) -> Result<()>;
}

/// Sketches that answer membership queries.
pub trait Membership: Sketch {
    /// Returns whether the item may have been inserted.
    fn contains_hash(&self, hash: u64) -> bool;
    /// Returns the false-positive rate at the present fill.
    fn fpr(&self) -> Estimate;

    /// Returns the answers for many items.
    fn contains_hashes(&self, hashes: &[u64]) -> Vec<bool> {
        hashes.iter().map(|&hash| self.contains_hash(hash)).collect()
    }
}

/// Sketches that estimate the number of distinct items.
pub trait Cardinality: Insert {
    /// Returns the estimated number of distinct items.
    fn estimate(&self) -> Estimate;
}
