//! `DataSketches`' Bloom filter: see [`Bloom`].
//!
//! ```text
//! byte 0      number of 8-byte words before the bits: 3 empty, 4 otherwise
//! byte 1      serial version: 1        byte 2      family: 21        byte 3    flags: 4 empty
//! bytes 4–5   number of hashes         bytes 6–7   reserved          u64 seed
//! u32 number of words of 64 bits, 4 reserved bytes
//! otherwise:  u64 number of bits that are set, or all ones if it was not counted; the words
//! ```

use crate::foreign::{Answers, Format, count, number};
use crate::{Datum, ForeignItem};
use crivo::Result;
use crivo::foreign::{Reader, incompatible, invalid, malformed, unsupported};
use crivo::sketch::Fact;
use xxhash_rust::xxh64::xxh64;

/// The family of Bloom filters.
pub(crate) const FAMILY: u8 = 21;
const EMPTY: u8 = 4;
/// The number of set bits of a filter that did not count them.
const NOT_COUNTED: u64 = u64::MAX;
/// The most words, for a length that Java can have.
const MOST_WORDS: u32 = i32::MAX as u32;

/// A Bloom filter of Apache `DataSketches`.
///
/// # Guarantee
/// There are no false negatives. An item that was never inserted is found with the probability [`fpr`](Self::fpr).
///
/// # Merge
/// Exact, if bits, hashes and seed are equal.
///
/// # Example
/// ```
/// use crivo_interop::Bloom;
/// let mut users = Bloom::with_seed(1 << 16, 7, 42)?;
/// users.insert("ada");
/// let read = Bloom::from_bytes(&users.to_bytes())?;
/// assert!(read.contains("ada") && !read.contains("grace"));
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bloom {
    seed: u64,
    hashes: u16,
    /// The number of words; an empty filter has not allocated them.
    size: u32,
    words: Vec<u64>,
    /// What the file says of the number of set bits; nothing of an empty one.
    counted: Option<u64>,
}

impl Bloom {
    /// Creates an empty filter of at least this many bits. Filters that will be merged need equal seeds.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless there is at least one bit and one hash, and fewer than 2³⁷ bits.
    pub fn with_seed(bits: u64, hashes: u16, seed: u64) -> Result<Self> {
        match u32::try_from(bits.div_ceil(64)) {
            Ok(size @ 1..=MOST_WORDS) if hashes > 0 => {
                Ok(Self { seed, hashes, size, words: Vec::new(), counted: None })
            }
            _ => Err(invalid(format!(
                "a Bloom filter of DataSketches has 1 to 2^37 - 1 bits and a hash at least, got {bits} and {hashes}"
            ))),
        }
    }

    /// Reads a filter.
    ///
    /// # Errors
    /// Returns `Malformed` for corrupt bytes, and `Unsupported` for another family or version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        let [words, version, family, flags] = reader.array()?;
        if family != FAMILY || version != 1 {
            return Err(unsupported(format!(
                "a Bloom filter has family {FAMILY} and serial version 1, found {family} and {version}"
            )));
        }
        let (hashes, first, seed) = (reader.u16()?, reader.u16()?, reader.u64()?);
        let (size, second) = (reader.u32()?, reader.u32()?);
        if hashes == 0 || !(1..=MOST_WORDS).contains(&size) || first != 0 || second != 0 {
            return Err(malformed(format!("a Bloom filter of {hashes} hashes and {size} words cannot be")));
        }
        let mut filter = Self { seed, hashes, size, words: Vec::new(), counted: None };
        match (words, flags) {
            (3, EMPTY) => {}
            (4, 0) => {
                filter.counted = Some(reader.u64()?);
                filter.words = reader.entries(size.into(), Reader::u64)?;
            }
            _ => {
                return Err(malformed(format!(
                    "{words} words before the bits contradict the flags {flags:#x}"
                )));
            }
        }
        reader.finish()?;
        let set = filter.count_ones();
        if filter.counted.is_some_and(|counted| counted != set && counted != NOT_COUNTED) {
            return Err(malformed(format!("{set} bits are set, which is not the number in the file")));
        }
        Ok(filter)
    }

    /// Writes the bytes that every `DataSketches` library reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (words, flags) = if self.counted.is_some() { (4, 0) } else { (3, EMPTY) };
        let mut bytes = vec![words, 1, FAMILY, flags];
        bytes.extend(u32::from(self.hashes).to_le_bytes());
        bytes.extend(self.seed.to_le_bytes());
        bytes.extend(u64::from(self.size).to_le_bytes());
        bytes.extend(self.counted.iter().chain(&self.words).flat_map(|word| word.to_le_bytes()));
        bytes
    }

    /// Returns two hashes of an item, or nothing for an empty text, which is no item.
    fn hashes_of(&self, item: &(impl Datum + ?Sized)) -> Option<[u64; 2]> {
        item.with_bytes(|bytes| {
            let first = xxh64(bytes, self.seed);
            (!bytes.is_empty()).then(|| [first, xxh64(bytes, first)])
        })
    }

    /// Returns the positions of an item with these hashes.
    fn places(&self, [first, second]: [u64; 2]) -> impl Iterator<Item = u64> + use<> {
        let bits = self.bits();
        (1..=self.hashes).map(move |i| (first.wrapping_add(second.wrapping_mul(i.into())) >> 1) % bits)
    }

    /// Inserts an item; an empty text is none.
    pub fn insert(&mut self, item: &(impl Datum + ?Sized)) {
        if let Some(hashes) = self.hashes_of(item) {
            self.words.resize(self.size as usize, 0);
            self.counted = Some(NOT_COUNTED);
            self.places(hashes).for_each(|place| self.words[(place / 64) as usize] |= 1 << (place % 64));
        }
    }

    /// Returns whether an item may have been inserted; if not, it was not.
    pub fn contains(&self, item: &(impl Datum + ?Sized)) -> bool {
        let is_set = |place: u64| {
            self.words.get((place / 64) as usize).is_some_and(|word| word >> (place % 64) & 1 == 1)
        };
        self.hashes_of(item).is_some_and(|hashes| self.places(hashes).all(is_set))
    }

    /// Takes in all items of another filter.
    ///
    /// # Errors
    /// Returns `Incompatible` if the filters differ in more than their items.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        let shape =
            |filter: &Self| format!("{} bits, {} hashes, seed {}", filter.bits(), filter.hashes, filter.seed);
        if shape(self) != shape(other) {
            return Err(incompatible(
                "shape",
                shape(self),
                shape(other),
                "make both with the same parameters",
            ));
        }
        if self.words.is_empty() {
            self.clone_from(other);
        } else if !other.words.is_empty() {
            self.words.iter_mut().zip(&other.words).for_each(|(ours, theirs)| *ours |= theirs);
            self.counted = Some(self.count_ones());
        }
        Ok(())
    }

    /// Returns the number of bits.
    pub fn bits(&self) -> u64 {
        u64::from(self.size) * 64
    }

    /// Returns the number of hashes of an item.
    pub fn hashes(&self) -> u16 {
        self.hashes
    }

    /// Returns the seed of the hashes.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    fn count_ones(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Returns the share of bits that are set.
    pub fn fill(&self) -> f64 {
        self.count_ones() as f64 / self.bits() as f64
    }

    /// Returns the false-positive rate, from the fill.
    pub fn fpr(&self) -> f64 {
        libm::pow(self.fill(), self.hashes.into())
    }
}

impl Answers for Bloom {
    fn format(&self) -> Format {
        Format::Bloom
    }

    fn bytes(&self) -> Vec<u8> {
        self.to_bytes()
    }

    fn facts(&self) -> Vec<Fact> {
        vec![
            count("bits", self.bits()),
            count("hashes", self.hashes.into()),
            number("fill", self.fill()),
            number("fpr", self.fpr()),
        ]
    }

    fn has(&self, item: ForeignItem<'_>) -> Result<bool> {
        Ok(self.contains(&item))
    }

    fn rate(&self) -> Result<f64> {
        Ok(self.fpr())
    }
}
