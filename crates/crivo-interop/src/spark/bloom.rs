//! Spark's Bloom filter: see [`SparkBloom`].
//!
//! ```text
//! i32 version: 1 or 2, i32 hashes, i32 seed (version 2), i32 words; the words of 64 bits. Highest byte first.
//! ```

use super::two_hashes;
use crate::ForeignItem;
use crate::foreign::{Answers, Format, count, number};
use crivo::Result;
use crivo::foreign::{Reader, incompatible, malformed, unsupported};
use crivo::sketch::Fact;

/// A Bloom filter of Spark, as `DataFrame.stat.bloomFilter` and the filters of joins make them.
///
/// # Guarantee
/// There are no false negatives. An item that was never inserted is found with the probability [`fpr`](Self::fpr), for hashes that are
/// independent; version 1 takes all positions from 31 bits and is worse above a hundred million bits.
///
/// # Merge
/// Exact, if bits, hashes, seed and version are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SparkBloom {
    /// The seed of version 2; version 1 has none.
    seed: Option<i32>,
    hashes: u32,
    words: Vec<u64>,
}

impl SparkBloom {
    /// Reads a filter of version 1 or 2.
    ///
    /// # Errors
    /// Returns `Malformed` for corrupt bytes, and `Unsupported` for another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        let version = u32::from_be_bytes(reader.array()?);
        if !matches!(version, 1 | 2) {
            return Err(unsupported(format!("Bloom filters of Spark have version 1 or 2, found {version}")));
        }
        let hashes = u32::from_be_bytes(reader.array()?);
        let seed = if version == 2 { Some(i32::from_be_bytes(reader.array()?)) } else { None };
        let count = u32::from_be_bytes(reader.array()?);
        // More hashes than bits in a word never make sense, and would take long.
        if !(1..=1024).contains(&hashes) || count == 0 || reader.rest().len() as u64 != u64::from(count) * 8 {
            return Err(malformed(format!(
                "a Bloom filter of {hashes} hashes and {count} words has another length"
            )));
        }
        let words = reader.entries(count.into(), |reader| reader.array().map(u64::from_be_bytes))?;
        Ok(Self { seed, hashes, words })
    }

    /// Writes the bytes that Spark reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let version: u32 = if self.seed.is_some() { 2 } else { 1 };
        let mut bytes = version.to_be_bytes().to_vec();
        bytes.extend(self.hashes.to_be_bytes());
        bytes.extend(self.seed.iter().flat_map(|seed| seed.to_be_bytes()));
        bytes.extend((self.words.len() as u32).to_be_bytes());
        bytes.extend(self.words.iter().flat_map(|word| word.to_be_bytes()));
        bytes
    }

    /// Returns whether an item may have been inserted; if not, it was not.
    pub fn contains<'a>(&self, item: impl Into<ForeignItem<'a>>) -> bool {
        let [first, second] = match item.into() {
            ForeignItem::Number(number) => two_hashes(&number.to_le_bytes(), self.seed.unwrap_or(0)),
            ForeignItem::Bytes(bytes) => two_hashes(bytes, self.seed.unwrap_or(0)),
        };
        let is_set = |bit: u64| self.words[(bit / 64) as usize] >> (bit % 64) & 1 == 1;
        // A negative number is replaced by its complement, which is not.
        if self.seed.is_none() {
            let mut hash = first;
            return (0..self.hashes).all(|_| {
                hash = hash.wrapping_add(second);
                is_set((hash ^ (hash >> 31)) as u64 % self.bits())
            });
        }
        let mut hash = i64::from(first).wrapping_mul(i32::MAX.into());
        (0..self.hashes).all(|_| {
            hash = hash.wrapping_add(second.into());
            is_set((hash ^ (hash >> 63)) as u64 % self.bits())
        })
    }

    /// Takes in all items of another filter.
    ///
    /// # Errors
    /// Returns `Incompatible` if the filters differ in more than their items.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        let shape = |filter: &Self| {
            format!("{} bits, {} hashes, seed {:?}", filter.bits(), filter.hashes, filter.seed)
        };
        if shape(self) != shape(other) {
            return Err(incompatible(
                "shape",
                shape(self),
                shape(other),
                "make both with the same parameters",
            ));
        }
        for (ours, theirs) in self.words.iter_mut().zip(&other.words) {
            *ours |= theirs;
        }
        Ok(())
    }

    /// Returns the number of bits.
    pub fn bits(&self) -> u64 {
        self.words.len() as u64 * 64
    }

    /// Returns the number of hashes of an item.
    pub fn hashes(&self) -> u32 {
        self.hashes
    }

    /// Returns the share of bits that are set.
    pub fn fill(&self) -> f64 {
        let set: u64 = self.words.iter().map(|word| u64::from(word.count_ones())).sum();
        set as f64 / self.bits() as f64
    }

    /// Returns the false-positive rate, from the fill.
    pub fn fpr(&self) -> f64 {
        libm::pow(self.fill(), self.hashes.into())
    }
}

impl Answers for SparkBloom {
    fn format(&self) -> Format {
        Format::SparkBloom
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
        Ok(self.contains(item))
    }

    fn rate(&self) -> Result<f64> {
        Ok(self.fpr())
    }
}
