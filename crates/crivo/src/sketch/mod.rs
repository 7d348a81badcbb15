//! The few traits that unify the structures.
//!
//! Every structure has its methods inherently; nobody needs to import these to use one. They serve code
//! that does not know which structure it holds: the law tests, the command, the bindings. All but
//! [`Merge`], [`Similarity`] and [`Wire`] are object-safe.

mod inner;
mod shell;

pub(crate) use inner::{
    Absorb, Core, Empty, Hashing, OfSize, Params, Payload, check_same, debug, in_file, narrow,
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

/// What every structure can say about itself.
pub trait Sketch {
    /// Which structure this is.
    fn kind(&self) -> Kind;
    /// How it hashes; `None` for structures that do not.
    fn hash_spec(&self) -> Option<&HashSpec>;
    /// The memory it holds, in bytes, itself included.
    fn memory_bytes(&self) -> usize;
    /// What merging it promises; `None` where it cannot merge.
    fn merge_law(&self) -> Option<MergeLaw> {
        self.kind().merge_law()
    }
    /// Its parameters and state in a few named values, for `crivo info` and its like.
    fn facts(&self) -> Vec<Fact>;
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

/// Sketches of two parts of a stream become the sketch of the whole, under the structure's
/// [`MergeLaw`].
pub trait Merge {
    /// Takes in `other`, which stays as it is.
    ///
    /// # Errors
    /// `Incompatible`, naming the field, unless kind, parameters and hash agree; then `self` is unchanged.
    fn merge(&mut self, other: &Self) -> Result<()>;
}

/// Bytes that any version, platform and language reads alike (`docs/FORMAT.md`).
pub trait Wire: Sized {
    /// The canonical bytes: equal sketches have equal bytes.
    fn to_bytes(&self) -> Vec<u8>;

    /// Reads [`to_bytes`](Self::to_bytes) back.
    ///
    /// # Errors
    /// `Malformed` for damage, `Unsupported` for newer files, a missing key or a size beyond the limit,
    /// `Incompatible` for a wrong key.
    fn from_bytes_with(bytes: &[u8], options: &DecodeOptions) -> Result<Self>;
}

/// Takes items in. Inserting an item again changes nothing, except in a structure that holds
/// [copies](crate::KindInfo::copies).
pub trait Insert: Sketch {
    /// Inserts the item with this hash; tells whether the sketch changed.
    ///
    /// # Errors
    /// `Full` where a structure has no room left; it is unchanged then.
    fn insert_hash(&mut self, hash: u64) -> Result<bool>;

    /// Inserts many; stops at the first error.
    ///
    /// # Errors
    /// As [`insert_hash`](Self::insert_hash).
    fn insert_hashes(&mut self, hashes: &[u64]) -> Result<()> {
        hashes.iter().try_for_each(|&hash| self.insert_hash(hash).map(|_| ()))
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

/// How alike?
pub trait Similarity: Sketch {
    /// How alike the sets (or vectors) of two sketches are, from 0 to 1.
    ///
    /// # Errors
    /// `Incompatible`, naming the field, unless parameters and hash agree.
    fn similarity(&self, other: &Self) -> Result<Estimate>;
}

/// Any structure, behind a pointer: what [`decode`](crate::decode) returns.
pub trait AnySketch: Sketch + Any + Send + Sync {
    /// The canonical bytes.
    fn encode(&self) -> Vec<u8>;
    /// A copy of it.
    fn boxed(&self) -> Box<dyn AnySketch>;
    /// For downcasting to the structure itself.
    fn as_any(&self) -> &dyn Any;
    /// For downcasting to the structure itself.
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

impl<S: Sketch + Wire + Clone + Any + Send + Sync> AnySketch for S {
    fn encode(&self) -> Vec<u8> {
        self.to_bytes()
    }

    fn boxed(&self) -> Box<dyn AnySketch> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

impl core::fmt::Debug for dyn AnySketch {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} of {} bytes", self.kind().name(), self.memory_bytes())
    }
}

/// Collecting items into a filter of a size of its own.
macro_rules! collects_at_one_percent {
    ($type:ty) => {
        impl<T: crate::Item> FromIterator<T> for $type {
            /// A filter at 1 % for as many items as came; only their hashes are kept meanwhile.
            ///
            /// # Panics
            /// When a filter for so many items is larger than one can be, from some 10⁹ items on: `for_fpr` refuses
            /// that with an error.
            fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
                let spec = crate::HashSpec::default();
                let hashes: alloc::vec::Vec<u64> = items.into_iter().map(|item| spec.hash(&item)).collect();
                let filter = <$type>::for_fpr((hashes.len() as u64).max(1), 0.01);
                #[allow(unused_mut, reason = "one kind of filter takes items in while it is shared")]
                let mut filter = filter.expect("hashes that fit in memory make a filter that does");
                filter.insert_hashes(&hashes);
                filter
            }
        }
    };
}
pub(crate) use collects_at_one_percent;
