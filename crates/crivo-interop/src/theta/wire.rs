//! The bytes: serial version 3, and version 4 with differences of hashes in a fixed number of bits.
//!
//! ```text
//! byte 0    number of 8-byte words before the hashes (low 6 bits)
//! byte 1    serial version: 3 or 4
//! byte 2    family: 3
//! byte 3    version 4: bits of a difference      byte 4    version 4: bytes of the number of hashes
//! byte 5    flags                                bytes 6–7 hash of the seed
//! version 3:  u32 count and 4 reserved bytes, from 2 words on; u64 θ, with 3 words; the hashes
//! version 4:  u64 θ, with 2 words; the count; the differences, highest bit first
//! ```
//! An empty sketch is the first word alone; a single hash without θ follows it directly.

use super::{ALL, Theta};
use crate::DEFAULT_SEED;
use crate::bits::{BitWriter, read_numbers};
use crate::murmur::seed_hash;
use crivo::Result;
use crivo::foreign::{Reader, incompatible, malformed, unsupported};

/// The family of compact theta sketches.
pub(crate) const FAMILY: u8 = 3;

const BIG_ENDIAN: u8 = 1;
const READ_ONLY: u8 = 1 << 1;
const EMPTY: u8 = 1 << 2;
const COMPACT: u8 = 1 << 3;
const ORDERED: u8 = 1 << 4;
/// Java marks a single hash; no reader needs the mark.
const SINGLE: u8 = 1 << 5;

/// What writers put into bytes that no reader needs; kept so that a file can be written as it was.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Marks {
    is_single_marked: bool,
    /// Java writes a sampling probability of 1, C++ writes 0.
    reserved: [u8; 4],
}

impl Theta {
    /// Reads a compact sketch of serial version 3 or 4, made with the usual seed.
    ///
    /// # Errors
    /// Returns `Malformed` for corrupt bytes, `Unsupported` for other families and versions, and `Incompatible` for another seed.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        Self::from_bytes_with_seed(bytes, DEFAULT_SEED)
    }

    /// Reads a sketch made with another seed.
    ///
    /// # Errors
    /// Fails as [`from_bytes`](Self::from_bytes) does.
    pub fn from_bytes_with_seed(bytes: &[u8], seed: u64) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        let [words, version, family, width, count_bytes, flags] = reader.array()?;
        let (words, theirs) = (words & 0x3f, reader.u16()?);
        if family != FAMILY {
            return Err(unsupported(format!(
                "a compact theta sketch has family {FAMILY}, found {family}; compact an update sketch before it is saved"
            )));
        }
        if !matches!(version, 3 | 4) {
            return Err(unsupported(format!(
                "serial versions 3 and 4 are read, found {version}; write the sketch again with a current DataSketches"
            )));
        }
        if flags & BIG_ENDIAN != 0 || flags & COMPACT == 0 {
            return Err(unsupported(
                "a compact sketch with the lowest byte first was expected; its flags say otherwise",
            ));
        }
        let ours = seed_hash(seed);
        let is_empty = flags & EMPTY != 0;
        if !is_empty && theirs != ours {
            let [ours, theirs] = [ours, theirs].map(|hash| format!("{hash:#06x}"));
            return Err(incompatible(
                "hash of the seed",
                ours,
                theirs,
                "read it with the seed it was made with",
            ));
        }
        let mut marks = Marks { is_single_marked: flags & SINGLE != 0, reserved: [0; 4] };
        let (theta, hashes) = match (version, is_empty, words) {
            (3, true, _) => (ALL, Vec::new()),
            (3, false, 1) => (ALL, vec![reader.u64()?]),
            (3, false, 2 | 3) => {
                let count = reader.u32()?;
                marks.reserved = reader.array()?;
                let theta = if words == 3 { reader.u64()? } else { ALL };
                (theta, reader.entries(count.into(), Reader::u64)?)
            }
            (4, false, 1 | 2) => {
                let theta = if words == 2 { reader.u64()? } else { ALL };
                (theta, read_differences(&mut reader, width, count_bytes)?)
            }
            _ => return Err(malformed(format!("a theta sketch cannot begin with {words} words"))),
        };
        reader.finish()?;
        let is_ordered = version == 4 || flags & ORDERED != 0;
        let sketch = Self { seed_hash: theirs, theta, is_empty, is_ordered, hashes, marks };
        sketch.check()?;
        Ok(sketch)
    }

    fn check(&self) -> Result<()> {
        let in_range = |&hash: &u64| hash > 0 && hash < self.theta;
        if self.theta == 0 || self.theta > ALL || !self.hashes.iter().all(in_range) {
            return Err(malformed(
                "a theta sketch keeps hashes above 0 and below its threshold; these are not",
            ));
        }
        let is_ascending = |hashes: &[u64]| hashes.is_sorted_by(|a, b| a < b);
        let is_sound = if self.is_ordered {
            is_ascending(&self.hashes)
        } else {
            let mut sorted = self.hashes.clone();
            sorted.sort_unstable();
            is_ascending(&sorted)
        };
        if is_sound {
            Ok(())
        } else {
            Err(malformed("the hashes repeat, or are not in the order that the flags claim"))
        }
    }

    /// Writes serial version 3, which every `DataSketches` library reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let count = self.hashes.len();
        let words = match (self.has_all(), count) {
            (false, _) => 3,
            (true, 1) => 1,
            (true, _) if self.is_empty => 1,
            _ => 2,
        };
        let mut bytes = vec![words, 3, FAMILY, 0, 0, self.flags()];
        bytes.extend(self.seed_hash.to_le_bytes());
        if words > 1 {
            bytes.extend((count as u32).to_le_bytes());
            bytes.extend(self.marks.reserved);
        }
        if words > 2 {
            bytes.extend(self.theta.to_le_bytes());
        }
        bytes.extend(self.hashes.iter().flat_map(|hash| hash.to_le_bytes()));
        bytes
    }

    /// Writes serial version 4, which takes a third less and is read by `DataSketches` from C++ 4.1 and Java 5 on. A sketch that is
    /// not ordered, is empty or has a single hash stays in version 3, as in `DataSketches`.
    pub fn to_compact_bytes(&self) -> Vec<u8> {
        let count = self.hashes.len();
        if !self.is_ordered || count == 0 || (count == 1 && self.has_all()) {
            return self.to_bytes();
        }
        let before = std::iter::once(0).chain(self.hashes.iter().copied());
        let differences: Vec<u64> =
            self.hashes.iter().zip(before).map(|(hash, before)| hash - before).collect();
        let width = 64 - differences.iter().fold(0, |all, one| all | one).leading_zeros();
        let count_bytes = (count as u32).ilog2() / 8 + 1;
        let words = if self.has_all() { 1 } else { 2 };
        let mut bytes = vec![words, 4, FAMILY, width as u8, count_bytes as u8, READ_ONLY | COMPACT | ORDERED];
        bytes.extend(self.seed_hash.to_le_bytes());
        if words > 1 {
            bytes.extend(self.theta.to_le_bytes());
        }
        bytes.extend(&(count as u32).to_le_bytes()[..count_bytes as usize]);
        let mut bits = BitWriter::default();
        for difference in differences {
            bits.push(difference, width);
        }
        bytes.extend(bits.finish());
        bytes
    }

    fn flags(&self) -> u8 {
        let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
        READ_ONLY
            | COMPACT
            | flag(self.is_empty, EMPTY)
            | flag(self.is_ordered, ORDERED)
            | flag(self.marks.is_single_marked, SINGLE)
    }
}

fn read_differences(reader: &mut Reader<'_>, width: u8, count_bytes: u8) -> Result<Vec<u64>> {
    if !(1..=63).contains(&width) || !(1..=4).contains(&count_bytes) {
        return Err(malformed(format!(
            "a difference takes 1 to 63 bits and the count 1 to 4 bytes, found {width} and {count_bytes}"
        )));
    }
    let mut count = [0; 4];
    count[..usize::from(count_bytes)].copy_from_slice(reader.bytes(count_bytes.into())?);
    let count = u64::from(u32::from_le_bytes(count));
    let mut hash = 0u64;
    let differences = read_numbers(reader, count, width.into())?.into_iter();
    let hashes = differences.map(|difference| {
        hash = hash.checked_add(difference)?;
        Some(hash)
    });
    let hashes: Option<Vec<u64>> = hashes.collect();
    hashes.ok_or_else(|| malformed("the differences add up to more than a hash"))
}
