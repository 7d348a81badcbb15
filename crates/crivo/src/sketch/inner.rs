//! The traits that a structure implements itself, and the public traits derived from them.

use super::{Fact, Sketch};
use crate::bits::PackedArray;
use crate::codec::{self, DecodeOptions, Reader, check_memory, put_u64_varint};
use crate::kind::{Kind, MergeLaw};
use crate::{Error, HashSpec, ItemForm, Result};
use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;

/// What a structure implements itself; [`shell!`] derives the common methods from it.
pub(crate) trait Core: OfSize + Hashing + Clone + Send + Sync + 'static {
    /// The kind of the structure.
    const KIND: Kind;

    /// Returns the heap memory in bytes.
    fn heap_bytes(&self) -> usize;

    /// Returns the most heap memory that it can take, whatever is inserted; `None` if it grows with the
    /// input.
    fn heap_bound(&self) -> Option<usize> {
        Some(self.heap_bytes())
    }

    /// Returns the seed of the random choices that it has made; `None` before the first one.
    fn drawn_from(&self) -> Option<u64> {
        None
    }

    /// Appends its payload (`docs/FORMAT.md`).
    fn write(&self, payload: &mut Vec<u8>);

    /// Appends its payload in the form that takes the fewest bytes, if it has more than one form.
    fn write_compact(&self, payload: &mut Vec<u8>) {
        self.write(payload);
    }

    /// Reads its payload, in either form. Remaining bytes are refused.
    fn read(params: Self::Params, file: &mut Payload<'_>) -> Result<Self>;

    /// Returns facts about its state, which follow the params in the output of `crivo info`.
    fn state(&self) -> Vec<Fact>;

    /// Returns the merge law under its params.
    fn law(&self) -> Option<MergeLaw> {
        Self::KIND.merge_law()
    }

    /// Merges a sketch with the same params and hash; `self` is unchanged after an error.
    ///
    /// # Errors
    /// `Full` if there is no room, `Incompatible` if the states cannot be merged, `Unsupported` if the
    /// structure never merges.
    fn absorb(&mut self, _other: &Self) -> Result<()> {
        Err(Error::unsupported(alloc::format!("a {} cannot merge", Self::KIND.name())))
    }
}

/// A structure with params that determine its size.
pub(crate) trait OfSize {
    type Params: Params;

    fn params(&self) -> Self::Params;
}

/// A structure that hashes items or, if it has no [`spec`](Self::spec), does not hash.
pub(crate) trait Hashing {
    /// True if the structure hashes items.
    const HASHES: bool;

    fn spec(&self) -> Option<&HashSpec>;
}

/// The maximum number of params of any structure.
const MOST_NUMBERS: usize = 16;

/// The params of a structure: a list of numbers, which a file stores and a merge compares.
pub(crate) trait Params: Clone {
    /// The advice in the error message if the params of two sketches differ.
    const REMEDY: &str = "build both with the same params";

    /// The names of the numbers, as they appear in facts.
    const NAMES: &[&str];

    /// The names of those numbers that are the bits of an `f64`.
    const REALS: &[&str] = &[];

    /// Returns the numbers in the order of the file.
    fn numbers(&self) -> Vec<u64>;

    /// Creates params from these numbers, one for each name.
    ///
    /// # Errors
    /// `InvalidArgument` or `Malformed` if no structure has these params.
    fn of(numbers: &[u64]) -> Result<Self>;

    /// Returns the memory of a structure with these params, as far as they determine it; the rest is checked
    /// when the payload is read.
    fn memory_bytes(&self) -> u64 {
        0
    }

    /// Returns facts about the params, for people.
    fn facts(&self) -> Vec<Fact> {
        self.named()
    }

    /// Returns the numbers with their names.
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

    /// Appends the params as a file stores them.
    fn write(&self, params: &mut Vec<u8>) {
        for (name, number) in Self::NAMES.iter().zip(self.numbers()) {
            if Self::REALS.contains(name) {
                params.extend_from_slice(&number.to_le_bytes());
            } else {
                put_u64_varint(params, number);
            }
        }
    }

    /// Reads what [`write`](Self::write) wrote, and refuses remaining bytes.
    fn read(mut params: Reader<'_>) -> Result<Self> {
        // On the stack: a filter in a file is queried without allocating.
        let mut numbers = [0; MOST_NUMBERS];
        for (number, name) in numbers.iter_mut().zip(Self::NAMES) {
            *number = if Self::REALS.contains(name) { params.u64()? } else { params.u64_varint()? };
        }
        params.finish()?;
        Self::of(&numbers[..Self::NAMES.len()])
    }

    /// Returns whether all numbers are equal. A type overrides this if its merge is so short that two vectors
    /// would matter.
    fn is_same(&self, other: &Self) -> bool {
        self.numbers() == other.numbers()
    }

    /// Refuses to merge structures with different params. The message names the differing fact if there is
    /// one.
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

/// The params of a structure that has none.
impl Params for () {
    const NAMES: &[&str] = &[];

    fn numbers(&self) -> Vec<u64> {
        Vec::new()
    }

    fn of(_: &[u64]) -> Result<Self> {
        Ok(())
    }
}

/// The payload of a file, with the context that reading it needs.
pub(crate) struct Payload<'a> {
    /// The hash; the default if the structure does not hash.
    pub(crate) spec: HashSpec,
    pub(crate) bytes: Reader<'a>,
    pub(crate) options: DecodeOptions,
}

impl<'a> Payload<'a> {
    /// Creates the payload of a file or of a structure inside another.
    pub(crate) fn new(spec: HashSpec, bytes: Reader<'a>, options: &DecodeOptions) -> Self {
        Self { spec, bytes, options: *options }
    }

    /// Reads a structure inside this one; everything else in it takes `beside` bytes.
    pub(crate) fn inner<S: Core>(&self, params: S::Params, bytes: &'a [u8], beside: usize) -> Result<S> {
        let mut file = Self::new(self.spec, Reader::new(bytes), &self.options_beside(beside));
        file.check_memory(params.memory_bytes())?;
        let sketch = S::read(params, &mut file)?;
        file.bytes.finish()?;
        Ok(sketch)
    }

    /// Returns the options with the memory limit reduced by `bytes`.
    pub(crate) fn options_beside(&self, bytes: usize) -> DecodeOptions {
        let max_memory = self.options.max_memory.map(|limit| limit.saturating_sub(bytes as u64));
        DecodeOptions { max_memory, ..self.options }
    }

    /// Refuses a size above the caller's memory limit, before anything is allocated.
    pub(crate) fn check_memory(&self, bytes: u64) -> Result<()> {
        check_memory(bytes, &self.options)
    }

    /// Reads an array of `len` numbers of `width` bits.
    pub(crate) fn packed(&mut self, width: u32, len: u64) -> Result<PackedArray> {
        let bytes = len.saturating_mul(width.into()).div_ceil(8);
        // A packed array has a spare word.
        self.check_memory(bytes.div_ceil(8).saturating_add(1).saturating_mul(8))?;
        let wrong = || Error::malformed(alloc::format!("the payload is not {len} numbers of {width} bits"));
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
        sealed(self, S::write)
    }

    fn to_compact_bytes(&self) -> Vec<u8> {
        sealed(self, S::write_compact)
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
        // Even if the params determine nothing, the structure itself takes memory.
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
                "only sketches of elements of the same type can be merged",
            )),
            None => Err(other_kind(S::KIND, other.kind())),
        }
    }

    fn mark(&mut self, form: ItemForm) -> Result<()> {
        let Some(&spec) = self.spec() else { return Ok(()) };
        let form = spec.form().join(form)?;
        if form == spec.form() {
            return Ok(());
        }
        // Rare, so no structure has code for it: the state is written and read again under the marked spec.
        let mut payload = Vec::new();
        self.write(&mut payload);
        let mut file = Payload::new(spec.with_form(form), Reader::new(&payload), &DecodeOptions::default());
        *self = S::read(self.params(), &mut file)?;
        Ok(())
    }

    fn boxed(&self) -> Box<dyn Sketch> {
        Box::new(self.clone())
    }
}

/// Returns the whole file of a sketch, of which `write` appends the payload.
fn sealed<S: Core>(sketch: &S, write: fn(&S, &mut Vec<u8>)) -> Vec<u8> {
    let (mut params, mut payload) = (Vec::new(), Vec::new());
    sketch.params().write(&mut params);
    write(sketch, &mut payload);
    codec::seal(S::KIND, sketch.spec(), &params, &payload)
}

/// Merges sketches with equal params and hash.
pub(crate) fn merge<S: Core>(into: &mut S, from: &S) -> Result<()> {
    check_same(into, from)?;
    into.absorb(from)?;
    from.spec().map_or(Ok(()), |spec| into.mark(spec.form()))
}

pub(crate) fn other_kind(ours: Kind, theirs: Kind) -> Error {
    Error::incompatible("kind", ours.name(), theirs.name(), "only sketches of the same kind can be merged")
}

/// A structure that starts empty and then takes items.
pub(crate) trait Empty: Core {
    /// Creates an empty sketch.
    fn empty(params: Self::Params, spec: HashSpec) -> Self;

    /// Returns whether nothing has been inserted.
    fn has_nothing(&self) -> bool;
}

/// A structure that can be made smaller afterwards, as if it had been smaller from the start.
pub(crate) trait Fold: Core {
    /// Returns the sketch with the size of `other`; `None` unless `other` is smaller and the sketch folds to its
    /// size.
    fn fold_to(&self, other: &Self) -> Option<Self>;
}

/// Refuses sketches that differ in params or hash.
pub(crate) fn check_same<S: Core>(ours: &S, theirs: &S) -> Result<()> {
    ours.params().check_same(&theirs.params())?;
    match (ours.spec(), theirs.spec()) {
        (Some(ours), Some(theirs)) => ours.check_same(theirs),
        _ => Ok(()),
    }
}

/// Formats the name of the structure and its [facts](Sketch::facts).
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

/// How every message about a corrupt file begins.
const CORRUPT: &str = "the file is corrupt: ";

/// Converts the error of a constructor or reader into one about a corrupt file, without advice on how to
/// choose params.
pub(crate) fn in_file(error: Error) -> Error {
    let message = error.to_string();
    let what = match error.kind() {
        crate::ErrorKind::InvalidArgument => message.split(';').next().unwrap_or_default(),
        crate::ErrorKind::Malformed if !message.starts_with(CORRUPT) => &message,
        _ => return error,
    };
    Error::malformed(alloc::format!("{CORRUPT}{what}"))
}

/// Converts a number from a file to a narrower type.
pub(crate) fn narrow<T: TryFrom<u64>>(number: u64) -> Result<T> {
    number.try_into().map_err(|_| Error::malformed(alloc::format!("a size of {number} is too large")))
}
