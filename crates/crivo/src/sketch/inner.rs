//! What a structure writes itself, and the traits of every sketch made of it.

use super::{Fact, Sketch};
use crate::bits::PackedArray;
use crate::codec::{self, DecodeOptions, Reader, check_memory, put_u64_varint};
use crate::kind::{Kind, MergeLaw};
use crate::{Error, HashSpec, Result};
use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;

/// What a structure writes itself, for [`shell!`] to make its face of.
pub(crate) trait Core: OfSize + Hashing + Clone + Send + Sync + 'static {
    /// Which structure it is.
    const KIND: Kind;

    /// The memory it holds outside itself, in bytes.
    fn heap_bytes(&self) -> usize;

    /// The most memory it comes to hold outside itself, whatever is taken in; none if that grows.
    fn heap_bound(&self) -> Option<usize> {
        Some(self.heap_bytes())
    }

    /// The seed of the random choices that it has made; none before the first.
    fn drawn_from(&self) -> Option<u64> {
        None
    }

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

    /// Takes in a sketch of the same params and hash; unchanged after an error.
    ///
    /// # Errors
    /// `Full` where there is no room, `Incompatible` where a state rules it out, `Unsupported` where no state allows it.
    fn absorb(&mut self, _other: &Self) -> Result<()> {
        Err(Error::unsupported(alloc::format!("a {} cannot merge", Self::KIND.name())))
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

    /// The memory of a structure of this size, as far as the size decides it: what the payload decides is checked there.
    fn memory_bytes(&self) -> u64 {
        0
    }

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

    /// Whether all numbers are the same. A type compares them itself where a merge is so short that two vectors count.
    fn is_same(&self, other: &Self) -> bool {
        self.numbers() == other.numbers()
    }

    /// Refuses to merge what differs in a number, in the words of a fact if one tells of it.
    fn check_same(&self, other: &Self) -> Result<()> {
        if self.is_same(other) {
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
        // An array has a spare word.
        self.check_memory(bytes.div_ceil(8).saturating_add(1).saturating_mul(8))?;
        let wrong = || Error::malformed(alloc::format!("the payload has not {len} numbers of {width} bits"));
        let bytes = self.bytes.bytes(usize::try_from(bytes).map_err(|_| wrong())?).map_err(|_| wrong())?;
        PackedArray::from_bytes(width, len as usize, bytes).ok_or_else(wrong)
    }
}

impl<S: Core> Sketch for S {
    fn kind(&self) -> Kind {
        S::KIND
    }

    fn hashing(&self) -> Option<&HashSpec> {
        self.spec()
    }

    fn memory_bytes(&self) -> usize {
        size_of::<S>() + self.heap_bytes()
    }

    fn memory_bound(&self) -> Option<usize> {
        Some(size_of::<S>() + self.heap_bound()?)
    }

    fn random_seed(&self) -> Option<u64> {
        self.drawn_from()
    }

    fn merge_law(&self) -> Option<MergeLaw> {
        self.law()
    }

    fn facts(&self) -> Vec<Fact> {
        let mut facts = self.params().facts();
        facts.extend(self.state());
        facts
    }

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
        // A size that decides nothing still has the structure itself.
        check_memory(size.memory_bytes().max(size_of::<S>() as u64), options)?;
        let mut file = Payload::new(spec, bytes, options);
        let sketch = S::read(size, &mut file).map_err(in_file)?;
        file.bytes.finish()?;
        Ok(sketch)
    }

    fn merge_any(&mut self, other: &dyn Sketch) -> Result<()> {
        match other.downcast_ref() {
            Some(other) => merge(self, other),
            None if other.kind() == S::KIND => Err(Error::incompatible(
                "elements",
                "one type",
                "another",
                "only sketches that keep elements of the same type merge",
            )),
            None => Err(other_kind(S::KIND, other.kind())),
        }
    }

    fn boxed(&self) -> Box<dyn Sketch> {
        Box::new(self.clone())
    }
}

/// Merges what agrees in params and hash.
pub(crate) fn merge<S: Core>(into: &mut S, from: &S) -> Result<()> {
    check_same(into, from)?;
    into.absorb(from)
}

pub(crate) fn other_kind(ours: Kind, theirs: Kind) -> Error {
    Error::incompatible("kind", ours.name(), theirs.name(), "only sketches of the same kind go together")
}

/// A structure that starts empty and takes items in.
pub(crate) trait Empty: Core {
    /// An empty sketch.
    fn empty(params: Self::Params, spec: HashSpec) -> Self;

    /// Whether nothing was taken in.
    fn has_nothing(&self) -> bool;
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

/// A number of a file as one of fewer bits.
pub(crate) fn narrow<T: TryFrom<u64>>(number: u64) -> Result<T> {
    number.try_into().map_err(|_| Error::malformed(alloc::format!("a size of {number} is too large")))
}
