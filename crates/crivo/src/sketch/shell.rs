//! The shell of every structure: from what it writes itself, its common face.

use super::{Fact, Merge, Sketch, Wire};
use crate::bits::PackedArray;
use crate::codec::{self, DecodeOptions, Reader, check_memory, put_u64_varint};
use crate::element::name_of;
use crate::kind::{Kind, MergeLaw};
use crate::{Element, Error, HashSpec, Result};
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

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

/// No params have more numbers.
const MOST_NUMBERS: usize = 16;

/// The size of a structure: some numbers, which a file names and a merge compares.
pub(crate) trait Params: Clone {
    /// What makes two unlike ones alike.
    const REMEDY: &str = "build both with the same params";

    /// The names of the numbers, as facts have them.
    const NAMES: &[&str];

    /// Those of the names whose numbers are the bits of an `f64`.
    const REALS: &[&str] = &[];

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
        self.named()
    }

    /// The numbers with their names.
    fn named(&self) -> Vec<Fact> {
        let named = |(&name, number): (&&'static str, u64)| {
            if Self::REALS.contains(&name) {
                Fact::number(name, f64::from_bits(number))
            } else {
                Fact::count(name, number)
            }
        };
        Self::NAMES.iter().zip(self.numbers()).map(named).collect()
    }

    /// Appends what a file says of it.
    fn write(&self, params: &mut Vec<u8>) {
        for (name, number) in Self::NAMES.iter().zip(self.numbers()) {
            if Self::REALS.contains(name) {
                params.extend_from_slice(&number.to_le_bytes());
            } else {
                put_u64_varint(params, number);
            }
        }
    }

    /// Reads what [`write`](Self::write) wrote, and no more.
    fn read(mut params: Reader<'_>) -> Result<Self> {
        // On the stack: a filter is asked in its file without memory.
        let mut numbers = [0; MOST_NUMBERS];
        for (number, name) in numbers.iter_mut().zip(Self::NAMES) {
            *number = if Self::REALS.contains(name) { params.u64()? } else { params.u64_varint()? };
        }
        params.finish()?;
        Self::of(&numbers[..Self::NAMES.len()])
    }

    /// Refuses to merge what differs in a number, in the words of a fact if one tells of it.
    fn check_same(&self, other: &Self) -> Result<()> {
        if self.numbers() == other.numbers() {
            return Ok(());
        }
        let facts = self.facts().into_iter().zip(other.facts());
        let numbers = self.named().into_iter().zip(other.named());
        match facts.chain(numbers).find(|(ours, theirs)| ours != theirs) {
            Some((ours, theirs)) => {
                let field = ours.name.replace('_', " ");
                Err(Error::incompatible(&field, ours.value, theirs.value, Self::REMEDY))
            }
            None => Ok(()),
        }
    }
}

/// The size of what has none of its own.
impl Params for () {
    const NAMES: &[&str] = &[];

    fn numbers(&self) -> Vec<u64> {
        Vec::new()
    }

    fn of(_: &[u64]) -> Result<Self> {
        Ok(())
    }

    fn memory_bytes(&self) -> u64 {
        0
    }
}

/// The size of a structure of elements: what they are, and its own size.
#[derive(Clone)]
pub(crate) struct OfElements<T, P>(pub(crate) P, PhantomData<T>);

impl<T, P> From<P> for OfElements<T, P> {
    fn from(size: P) -> Self {
        Self(size, PhantomData)
    }
}

impl<T: Element, P: Params> Params for OfElements<T, P> {
    const REMEDY: &str = P::REMEDY;
    const NAMES: &[&str] = P::NAMES;

    fn numbers(&self) -> Vec<u64> {
        self.0.numbers()
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        P::of(numbers).map(Self::from)
    }

    fn memory_bytes(&self) -> u64 {
        self.0.memory_bytes()
    }

    fn facts(&self) -> Vec<Fact> {
        let mut facts = vec![Fact::text("elements", name_of(T::TAG))];
        facts.extend(self.0.facts());
        facts
    }

    fn write(&self, params: &mut Vec<u8>) {
        params.push(T::TAG);
        self.0.write(params);
    }

    fn read(mut params: Reader<'_>) -> Result<Self> {
        params.tag_of::<T>()?;
        P::read(params).map(Self::from)
    }
}

/// The payload of a file, and what reading it must know.
pub(crate) struct Payload<'a> {
    /// The hash of a structure that hashes.
    pub(crate) spec: HashSpec,
    pub(crate) bytes: Reader<'a>,
    pub(crate) options: DecodeOptions,
}

impl<'a> Payload<'a> {
    /// That of a structure inside another.
    pub(crate) fn new(spec: HashSpec, bytes: Reader<'a>, options: &DecodeOptions) -> Self {
        Self { spec, bytes, options: *options }
    }

    /// Reads a structure inside this one, beside which all else takes `beside` bytes.
    pub(crate) fn inner<S: Core>(&self, params: S::Params, bytes: &'a [u8], beside: usize) -> Result<S> {
        let mut file = Self::new(self.spec, Reader::new(bytes), &self.options_beside(beside));
        file.check_memory(params.memory_bytes())?;
        let sketch = S::read(params, &mut file)?;
        file.bytes.finish()?;
        Ok(sketch)
    }

    /// What is left of the caller's limit beside so many bytes.
    pub(crate) fn options_beside(&self, bytes: usize) -> DecodeOptions {
        let max_memory = self.options.max_memory.map(|limit| limit.saturating_sub(bytes as u64));
        DecodeOptions { max_memory, ..self.options }
    }

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
        let mut file = Payload::new(spec, bytes, options);
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

/// A number of a file as an `u32`: one that is none becomes the largest, which no structure takes.
pub(crate) fn narrow(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
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
        crate::sketch::shell!(@hashes_by [$($generics)*] $type, self => &self.spec);
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
        crate::sketch::shell!(@kept [$($generics)*] $type, $params);

        impl<$($generics)*> $type {
            /// The size.
            pub fn params(&self) -> $params {
                self.params.clone()
            }
        }
    };
    // It has params of which every one makes a sketch, and starts empty: of `Empty`.
    (@empty [$($generics:tt)*] $type:ty, $params:ty) => {
        crate::sketch::shell!(@kept [$($generics)*] $type, $params);
        crate::sketch::shell!(@made [$($generics)*] $type, $params);
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
    // As `empty`, with an `OfSize` of its own.
    (@made [$($generics:tt)*] $type:ty, $params:ty) => {
        crate::sketch::shell!(@starts [$($generics)*] $type);

        impl<$($generics)*> $type {
            /// The size.
            pub fn params(&self) -> $params {
                crate::sketch::OfSize::params(self)
            }

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
    // Its size is its field `params`.
    (@kept [$($generics:tt)*] $type:ty, $params:ty) => {
        impl<$($generics)*> crate::sketch::OfSize for $type {
            type Params = $params;

            fn params(&self) -> $params {
                self.params.clone()
            }
        }
    };
    // It hashes items, by what an expression finds in it: `hashes_by(self => self.parts[0].hash_spec())`.
    (@hashes_by [$($generics:tt)*] $type:ty, $this:ident => $spec:expr) => {
        impl<$($generics)*> crate::sketch::Hashing for $type {
            const HASHES: bool = true;

            fn spec(&$this) -> Option<&crate::HashSpec> {
                Some($spec)
            }
        }

        impl<$($generics)*> $type {
            /// How it hashes.
            #[inline]
            pub fn hash_spec(&$this) -> &crate::HashSpec {
                $spec
            }

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
    // It counts different items, by its `insert_hash` and `estimate_within`.
    (@counts [$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> $type {
            /// Inserts an item; true when the sketch changed.
            #[inline]
            pub fn insert<Each: crate::Item + ?Sized>(&mut self, item: &Each) -> bool {
                self.insert_hash(self.hash_spec().hash(item))
            }

            /// How many different items were inserted, at 95 %.
            pub fn estimate(&self) -> crate::Estimate {
                self.estimate_within(crate::DEFAULT_CONFIDENCE)
            }

            /// [`estimate`](Self::estimate) at another confidence.
            ///
            /// # Errors
            /// `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
            pub fn estimate_at(&self, confidence: f64) -> crate::Result<crate::Estimate> {
                crate::estimate::check_confidence(confidence)?;
                Ok(self.estimate_within(confidence))
            }
        }

        impl<$($generics)*> crate::sketch::Cardinality for $type {
            fn estimate(&self) -> crate::Estimate {
                self.estimate()
            }
        }
    };
    // It is made of some numbers, if its size can be: of `Empty`.
    (@new [$($generics:tt)*] $type:ty, $size:ident($($number:ident: $of:ty),+), $what:literal, $range:literal) => {
        impl<$($generics)*> $type {
            #[doc = $what]
            ///
            /// # Errors
            #[doc = concat!("`InvalidArgument` unless ", $range, ".")]
            pub fn new($($number: $of),+) -> crate::Result<Self> {
                Self::with_spec($($number,)+ crate::HashSpec::default())
            }

            /// An empty sketch with a hash of one's own.
            ///
            /// # Errors
            /// As [`new`](Self::new).
            pub fn with_spec($($number: $of,)+ spec: crate::HashSpec) -> crate::Result<Self> {
                $size::new($($number),+).map(|size| crate::sketch::Empty::empty(size.into(), spec))
            }
        }
    };
    // Items are collected into one of a size of its own, which `$size` describes.
    (@collects [$($generics:tt)*] $type:ty, $make:expr, $size:literal) => {
        impl<Each: crate::Item, $($generics)*> FromIterator<Each> for $type {
            #[doc = $size]
            fn from_iter<I: IntoIterator<Item = Each>>(items: I) -> Self {
                let mut sketch = $make.expect("the default size is in range");
                sketch.extend(items);
                sketch
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
