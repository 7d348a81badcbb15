//! The few traits that unify the structures.
//!
//! Every structure has its methods inherently; nobody needs to import these to use one. They serve code
//! that does not know which structure it holds: the law tests, the command, the bindings. All are object-safe.

mod inner;
mod shell;

pub(crate) use inner::{
    Core, Empty, Hashing, OfSize, Params, Payload, check_same, debug, in_file, merge, narrow, other_kind,
};
pub(crate) use shell::shell;

use crate::codec::DecodeOptions;
use crate::kind::{Kind, MergeLaw};
use crate::{Estimate, HashSpec, Result};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;

/// Any structure: what it says about itself, its bytes, and merging.
///
/// Behind a pointer it is what [`decode`](crate::decode) returns, to be asked for the structure it is
/// ([`downcast_ref`](#method.downcast_ref)).
pub trait Sketch: Any + Send + Sync {
    /// Which structure this is.
    fn kind(&self) -> Kind;
    /// How it hashes; `None` for structures that do not.
    fn hashing(&self) -> Option<&HashSpec>;
    /// The memory it holds, in bytes, itself included.
    fn memory_bytes(&self) -> usize;
    /// The most memory that it comes to hold, in bytes, whatever is taken in; `None` where that grows with the input or
    /// with what elements hold.
    fn memory_bound(&self) -> Option<usize>;
    /// The seed of the random choices that it has made; `None` before the first, and where there are none. Sketches with
    /// one seed made the same choices, and do not merge.
    fn random_seed(&self) -> Option<u64>;
    /// What merging it promises; `None` where it cannot merge.
    fn merge_law(&self) -> Option<MergeLaw>;
    /// Its parameters and state in a few named values, for `crivo info` and its like.
    fn facts(&self) -> Vec<Fact>;

    /// The canonical bytes (`docs/FORMAT.md`): equal sketches have equal bytes.
    fn to_bytes(&self) -> Vec<u8>;

    /// Reads [`to_bytes`](Self::to_bytes) back.
    ///
    /// # Errors
    /// `Malformed` for damage, `Unsupported` for newer files, a missing key or a size beyond the limit,
    /// `Incompatible` for a wrong key.
    fn from_bytes_with(bytes: &[u8], options: &DecodeOptions) -> Result<Self>
    where
        Self: Sized;

    /// Takes in a sketch of another part of the stream, under the structure's [`MergeLaw`].
    ///
    /// # Errors
    /// `Incompatible`, naming the field, unless kind, parameters and hash agree; `Unsupported` where the structure cannot
    /// merge; `self` is unchanged then.
    fn merge_any(&mut self, other: &dyn Sketch) -> Result<()>;

    /// A copy of it.
    fn boxed(&self) -> Box<dyn Sketch>;
}

impl dyn Sketch {
    /// The structure, if it is an `S`.
    pub fn downcast_ref<S: Sketch>(&self) -> Option<&S> {
        (self as &dyn Any).downcast_ref()
    }

    /// The structure, if it is an `S`, to change it.
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
    /// Where the choices of a sketch that draws lots began.
    Seed(u64),
    /// A real number.
    Number(f64),
    /// A word.
    Text(String),
    /// A number with its error bar.
    Estimate(Estimate),
    /// A probability with its error bar.
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

/// Takes items in. Inserting an item again changes nothing, except in a structure that holds
/// [copies](crate::KindInfo::copies).
pub trait Insert: Sketch {
    /// Inserts the item with this hash; tells whether the sketch changed.
    ///
    /// # Errors
    /// `Full` where a structure has no room left; it is unchanged then.
    fn try_insert_hash(&mut self, hash: u64) -> Result<bool>;

    /// Inserts many; stops at the first error.
    ///
    /// # Errors
    /// As [`try_insert_hash`](Self::try_insert_hash).
    fn try_insert_hashes(&mut self, hashes: &[u64]) -> Result<()> {
        hashes.iter().try_for_each(|&hash| self.try_insert_hash(hash).map(|_| ()))
    }
}

/// Gives items back.
pub trait Remove: Insert {
    /// Removes the item with this hash, or one of its copies.
    ///
    /// Removing an item that was never inserted, but is reported, takes away one that was: later answers
    /// are wrong then. Only what was inserted may be removed.
    ///
    /// # Errors
    /// `InvalidArgument` when the item is certainly not inside, `Unsupported` where the parameters rule
    /// removal out; nothing changes then.
    fn remove_hash(&mut self, hash: u64) -> Result<()>;
}

/// Is it there?
pub trait Membership: Sketch {
    /// Whether the item may have been inserted.
    fn contains_hash(&self, hash: u64) -> bool;
    /// The probability of a wrong yes at the present fill.
    fn fpr(&self) -> Estimate;

    /// Answers for many.
    fn contains_hashes(&self, hashes: &[u64]) -> Vec<bool> {
        hashes.iter().map(|&hash| self.contains_hash(hash)).collect()
    }
}

/// How many different?
pub trait Cardinality: Insert {
    /// How many different items were inserted.
    fn estimate(&self) -> Estimate;
}
