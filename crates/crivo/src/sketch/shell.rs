//! The shell of every structure: from what it writes itself, its common face.

use super::{Fact, Merge, Sketch, Wire};
use crate::bits::PackedArray;
use crate::codec::{self, DecodeOptions, Reader, check_memory, put_u64_varint};
use crate::kind::{Kind, MergeLaw};
use crate::{Error, HashSpec, Result};
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;

/// What a structure writes itself, for [`shell!`] to make its face of.
pub(crate) trait Core: OfSize + Hashing + Clone + Send + Sync + 'static {
    /// Which structure it is.
    const KIND: Kind;

    /// The memory it holds outside itself, in bytes.
    fn heap_bytes(&self) -> usize;

    /// Appends its payload (`docs/FORMAT.md`).
    fn write(&self, payload: &mut Vec<u8>);

    /// Reads its payload. Bytes that it leaves are refused.
    fn read(params: Self::Params, file: &mut Payload<'_>) -> Result<Self>;

    /// What its state says, after its params, for `crivo info` and its like.
    fn state(&self) -> Vec<Fact>;

    /// What merging it promises under its params.
    fn law(&self) -> Option<MergeLaw> {
        Self::KIND.merge_law()
    }
}

/// A structure of a size.
pub(crate) trait OfSize {
    type Params: Params;

    fn params(&self) -> Self::Params;
}

/// A structure that hashes items or, if it has no [`spec`](Self::spec), does not.
pub(crate) trait Hashing {
    /// Whether it hashes.
    const HASHES: bool;

    fn spec(&self) -> Option<&HashSpec>;
}

/// The size of a structure: some numbers, which a file names and a merge compares.
pub(crate) trait Params: Clone {
    /// What makes two unlike ones alike.
    const REMEDY: &str = "build both with the same params";

    /// The names of the numbers, as facts have them.
    const NAMES: &[&str];

    /// The numbers, in the order of the file.
    fn numbers(&self) -> Vec<u64>;

    /// The size with these numbers, as many as there are names.
    ///
    /// # Errors
    /// `InvalidArgument` or `Malformed` for a size that cannot be.
    fn of(numbers: &[u64]) -> Result<Self>;

    /// The memory of a structure of this size, as far as the size decides it.
    fn memory_bytes(&self) -> u64;

    /// What the params say to people.
    fn facts(&self) -> Vec<Fact> {
        Self::NAMES.iter().zip(self.numbers()).map(|(name, number)| Fact::count(name, number)).collect()
    }

    /// Appends what a file says of it.
    fn write(&self, params: &mut Vec<u8>) {
        self.numbers().into_iter().for_each(|number| put_u64_varint(params, number));
    }

    /// Reads what [`write`](Self::write) wrote, and no more.
    fn read(mut params: Reader<'_>) -> Result<Self> {
        let mut numbers = Vec::new();
        for _ in Self::NAMES {
            numbers.push(params.u64_varint()?);
        }
        params.finish()?;
        Self::of(&numbers)
    }

    /// Refuses to merge what differs in a number, told as the fact of that name tells it.
    fn check_same(&self, other: &Self) -> Result<()> {
        for ((name, ours), theirs) in Self::NAMES.iter().zip(self.numbers()).zip(other.numbers()) {
            if ours != theirs {
                let [ours, theirs] = [(self, ours), (other, theirs)].map(|(size, number)| {
                    let fact = size.facts().into_iter().find(|fact| fact.name == *name);
                    fact.map_or_else(|| number.to_string(), |fact| fact.value.to_string())
                });
                return Err(Error::incompatible(&name.replace('_', " "), ours, theirs, Self::REMEDY));
            }
        }
        Ok(())
    }
}

/// The payload of a file, and what reading it must know.
pub(crate) struct Payload<'a> {
    /// The hash of a structure that hashes.
    pub(crate) spec: HashSpec,
    pub(crate) bytes: Reader<'a>,
    pub(crate) options: DecodeOptions,
}

impl Payload<'_> {
    /// Refuses a size above the caller's limit, before anything is allocated.
    pub(crate) fn check_memory(&self, bytes: u64) -> Result<()> {
        check_memory(bytes, &self.options)
    }

    /// An array of `len` numbers of `width` bits.
    pub(crate) fn packed(&mut self, width: u32, len: u64) -> Result<PackedArray> {
        let bytes = len.saturating_mul(width.into()).div_ceil(8);
        self.check_memory(bytes)?;
        let wrong = || Error::malformed(alloc::format!("the payload has not {len} numbers of {width} bits"));
        let bytes = self.bytes.bytes(usize::try_from(bytes).map_err(|_| wrong())?).map_err(|_| wrong())?;
        PackedArray::from_bytes(width, len as usize, bytes).ok_or_else(wrong)
    }
}

impl<S: Core> Sketch for S {
    fn kind(&self) -> Kind {
        S::KIND
    }

    fn hash_spec(&self) -> Option<&HashSpec> {
        self.spec()
    }

    fn memory_bytes(&self) -> usize {
        size_of::<S>() + self.heap_bytes()
    }

    fn merge_law(&self) -> Option<MergeLaw> {
        self.law()
    }

    fn facts(&self) -> Vec<Fact> {
        let mut facts = self.params().facts();
        facts.extend(self.state());
        facts
    }
}

impl<S: Core> Wire for S {
    fn to_bytes(&self) -> Vec<u8> {
        let (mut params, mut payload) = (Vec::new(), Vec::new());
        self.params().write(&mut params);
        self.write(&mut payload);
        codec::seal(S::KIND, self.spec(), &params, &payload)
    }

    fn from_bytes_with(bytes: &[u8], options: &DecodeOptions) -> Result<Self> {
        let (spec, params, bytes) = if S::HASHES {
            let envelope = codec::open(S::KIND, bytes, options)?;
            (envelope.spec, envelope.params, envelope.payload)
        } else {
            let [params, payload] = codec::open_without_hash(S::KIND, bytes)?;
            (HashSpec::default(), params, payload)
        };
        let size = S::Params::read(params).map_err(in_file)?;
        check_memory(size.memory_bytes(), options)?;
        let mut file = Payload { spec, bytes, options: *options };
        let sketch = S::read(size, &mut file)?;
        file.bytes.finish()?;
        Ok(sketch)
    }
}

/// A structure that starts empty and takes items in.
pub(crate) trait Empty: Core {
    /// An empty sketch.
    fn empty(params: Self::Params, spec: HashSpec) -> Self;

    /// Whether nothing was taken in.
    fn has_nothing(&self) -> bool;
}

/// A structure that merges.
pub(crate) trait Absorb: Core {
    /// Takes in a sketch of the same params and hash; unchanged after an error.
    ///
    /// # Errors
    /// `Full` where there is no room, `Incompatible` where a state rules it out.
    fn absorb(&mut self, other: &Self) -> Result<()>;
}

impl<S: Absorb> Merge for S {
    fn merge(&mut self, other: &Self) -> Result<()> {
        check_same(self, other)?;
        self.absorb(other)
    }
}

/// Refuses sketches that differ in size or hash.
pub(crate) fn check_same<S: Core>(ours: &S, theirs: &S) -> Result<()> {
    ours.params().check_same(&theirs.params())?;
    match (ours.spec(), theirs.spec()) {
        (Some(ours), Some(theirs)) => ours.check_same(theirs),
        _ => Ok(()),
    }
}

/// Shows the name of the structure and what [`Sketch::facts`] says.
pub(crate) fn debug<S: Core>(sketch: &S, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut shown = f.debug_struct(name);
    for fact in sketch.facts() {
        shown.field(fact.name, &format_args!("{}", fact.value));
    }
    if let Some(spec) = sketch.spec() {
        shown.field("hash", &format_args!("{spec}"));
    }
    shown.finish()
}

/// What is wrong with a file whose numbers a constructor refuses: without advice on how to choose them.
pub(crate) fn in_file(error: Error) -> Error {
    if error.kind() != crate::ErrorKind::InvalidArgument {
        return error;
    }
    let message = error.to_string();
    let what = message.split(';').next().unwrap_or_default();
    Error::malformed(alloc::format!("the file is corrupt: {what}"))
}

/// The face of a structure, inherent so that nobody needs to import a trait, of its [`Core`] and of the parts that are
/// named: see each.
macro_rules! shell {
    ($name:ident: $($part:ident $(($($how:tt)*))?),*) => {
        crate::sketch::shell!(impl[] $name, $name: $($part $(($($how)*))?),*);
    };
    // With type parameters: `impl[T: Element] Sketch<T>, Sketch: …`.
    (impl $generics:tt $type:ty, $name:ident: $($part:ident $(($($how:tt)*))?),*) => {
        crate::sketch::shell!(@face $generics $type);
        crate::sketch::shell!(@shown $generics $type, $name);
        $(crate::sketch::shell!(@$part $generics $type $(, $($how)*)?);)*
    };
    (@face [$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> $type {
            /// The memory it holds, in bytes, itself included.
            pub fn memory_bytes(&self) -> usize {
                crate::sketch::Sketch::memory_bytes(self)
            }

            /// The canonical bytes (`docs/FORMAT.md`): equal sketches have equal bytes.
            pub fn to_bytes(&self) -> alloc::vec::Vec<u8> {
                crate::sketch::Wire::to_bytes(self)
            }

            /// Reads [`to_bytes`](Self::to_bytes) back.
            ///
            /// # Errors
            /// `Malformed` for damaged bytes, `Unsupported` for those of a newer Crivo or a keyed sketch.
            pub fn from_bytes(bytes: &[u8]) -> crate::Result<Self> {
                Self::from_bytes_with(bytes, &crate::DecodeOptions::default())
            }

            /// Reads with a key, or within a limit of memory.
            ///
            /// # Errors
            /// As [`from_bytes`](Self::from_bytes), and `Incompatible` when the key is not the sketch's.
            pub fn from_bytes_with(bytes: &[u8], options: &crate::DecodeOptions) -> crate::Result<Self> {
                crate::sketch::Wire::from_bytes_with(bytes, options)
            }
        }
    };
    // It hashes items, by its field `spec`.
    (@hashes [$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> crate::sketch::Hashing for $type {
            const HASHES: bool = true;

            fn spec(&self) -> Option<&crate::HashSpec> {
                Some(&self.spec)
            }
        }

        impl<$($generics)*> $type {
            /// How it hashes.
            pub fn hash_spec(&self) -> &crate::HashSpec {
                &self.spec
            }
        }

        crate::sketch::shell!(@reads_with_key [$($generics)*] $type);
    };
    // It does not hash.
    (@hashes_nothing [$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> crate::sketch::Hashing for $type {
            const HASHES: bool = false;

            fn spec(&self) -> Option<&crate::HashSpec> {
                None
            }
        }
    };
    // It has a size, its field `params`.
    (@sized [$($generics:tt)*] $type:ty, $params:ty) => {
        impl<$($generics)*> crate::sketch::OfSize for $type {
            type Params = $params;

            fn params(&self) -> $params {
                self.params.clone()
            }
        }

        impl<$($generics)*> $type {
            /// The size.
            pub fn params(&self) -> $params {
                self.params.clone()
            }
        }
    };
    // It has params of which every one makes a sketch, and starts empty: of `Empty`.
    (@empty [$($generics:tt)*] $type:ty, $params:ty) => {
        crate::sketch::shell!(@sized [$($generics)*] $type, $params);
        crate::sketch::shell!(@starts [$($generics)*] $type);

        impl<$($generics)*> $type {
            /// An empty sketch of this size.
            pub fn with_params(params: $params) -> Self {
                <Self as crate::sketch::Empty>::empty(params, crate::HashSpec::default())
            }

            /// An empty sketch of this size.
            pub fn new(params: $params) -> Self {
                Self::with_params(params)
            }

            /// An empty sketch with a hash of one's own.
            pub fn with_spec(params: $params, spec: crate::HashSpec) -> Self {
                <Self as crate::sketch::Empty>::empty(params, spec)
            }
        }
    };
    // It starts empty: of `Empty`.
    (@starts [$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> $type {
            /// An empty sketch of the same size that hashes by `spec`.
            #[must_use]
            pub fn with_hash(self, spec: crate::HashSpec) -> Self {
                crate::sketch::Empty::empty(crate::sketch::OfSize::params(&self), spec)
            }
        }

        crate::sketch::shell!(@clears [$($generics)*] $type);
    };
    // It merges: of `Absorb`.
    (@merges [$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> $type {
            /// Becomes the sketch of both streams.
            ///
            /// # Errors
            /// `Incompatible` when size or hash differ, `Full` where there is no room for both; `self` is unchanged
            /// then.
            pub fn merge(&mut self, other: &Self) -> crate::Result<()> {
                crate::sketch::Merge::merge(self, other)
            }
        }
    };
    // It takes a set of items in, by its `insert_hash` and `insert_hashes`.
    (@set [$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> crate::sketch::Insert for $type {
            fn insert_hash(&mut self, hash: u64) -> crate::Result<bool> {
                Ok(<$type>::insert_hash(self, hash))
            }

            fn insert_hashes(&mut self, hashes: &[u64]) -> crate::Result<()> {
                <$type>::insert_hashes(self, hashes);
                Ok(())
            }
        }

        impl<Each: crate::Item, $($generics)*> Extend<Each> for $type {
            fn extend<I: IntoIterator<Item = Each>>(&mut self, items: I) {
                crate::hash::for_each_block(*self.hash_spec(), items, |hashes| self.insert_hashes(hashes));
            }
        }
    };
    // It holds copies of items and may be full, by its `insert_hash`, `insert_hashes` and `remove_hash`.
    (@copies [$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> crate::sketch::Insert for $type {
            fn insert_hash(&mut self, hash: u64) -> crate::Result<bool> {
                self.insert_hash(hash).map(|()| true)
            }

            fn insert_hashes(&mut self, hashes: &[u64]) -> crate::Result<()> {
                self.insert_hashes(hashes)
            }
        }

        impl<$($generics)*> crate::sketch::Remove for $type {
            fn remove_hash(&mut self, hash: u64) -> crate::Result<()> {
                self.remove_hash(hash)
            }
        }
    };
    // It compares with others, by its `similarity`.
    (@compares [$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> crate::sketch::Similarity for $type {
            fn similarity(&self, other: &Self) -> crate::Result<crate::Estimate> {
                <$type>::similarity(self, other)
            }
        }
    };
    // It is a filter, by its `contains_hash`, `contains_hashes` and `fpr`.
    (@filter [$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> crate::sketch::Membership for $type {
            fn contains_hash(&self, hash: u64) -> bool {
                self.contains_hash(hash)
            }

            fn fpr(&self) -> crate::Estimate {
                self.fpr()
            }

            fn contains_hashes(&self, hashes: &[u64]) -> alloc::vec::Vec<bool> {
                self.contains_hashes(hashes)
            }
        }
    };
    // It hashes as a field of it does.
    (@hashes_by [$($generics:tt)*] $type:ty, $field:ident) => {
        impl<$($generics)*> crate::sketch::Hashing for $type {
            const HASHES: bool = true;

            fn spec(&self) -> Option<&crate::HashSpec> {
                Some(self.hash_spec())
            }
        }

        impl<$($generics)*> $type {
            /// How it hashes.
            pub fn hash_spec(&self) -> &crate::HashSpec {
                self.$field.hash_spec()
            }
        }

        crate::sketch::shell!(@reads_with_key [$($generics)*] $type);
    };
    // A part of those that hash.
    (@reads_with_key [$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> $type {
            /// Reads a sketch that was made with [`HashSpec::keyed`](crate::HashSpec::keyed).
            ///
            /// # Errors
            /// `Incompatible` when the key is not the sketch's; else as [`from_bytes`](Self::from_bytes).
            pub fn from_bytes_with_key(bytes: &[u8], key: [u8; 16]) -> crate::Result<Self> {
                let options = crate::DecodeOptions { key: Some(key), ..Default::default() };
                Self::from_bytes_with(bytes, &options)
            }
        }
    };
    // It is cleared, but its hash, if any, stays: of `Empty`.
    (@clears [$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> $type {
            /// Forgets everything: it is as new.
            pub fn clear(&mut self) {
                let spec = crate::sketch::Hashing::spec(self).copied().unwrap_or_default();
                *self = crate::sketch::Empty::empty(crate::sketch::OfSize::params(self), spec);
            }

            /// Whether it has seen nothing.
            pub fn is_empty(&self) -> bool {
                crate::sketch::Empty::has_nothing(self)
            }
        }
    };
    // Apart from the face: a sample of what has no bytes is shown too, in a way of its own.
    (@shown [$($generics:tt)*] $type:ty, $name:ident) => {
        impl<$($generics)*> core::fmt::Debug for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                crate::sketch::debug(self, stringify!($name), f)
            }
        }
    };
}
pub(crate) use shell;
