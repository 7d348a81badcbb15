//! The HyperLogLog of postgresql-hll, of the storage specification 1.0.0: see [`PostgresHll`].
//!
//! ```text
//! byte 0   version 1 (high half); 1 empty, 2 hashes, 3 sparse, 4 full
//! byte 1   bits of a register, less one (high 3 bits); log₂ of the number of registers
//! byte 2   64: sparse is allowed; c: up to 2^(c − 1) hashes are kept, none for 0, as many as take the room of the registers for 63
//! hashes:  of 64 bits each, highest byte first, as signed numbers in ascending order
//! sparse:  the number and the value of each register in use, in ascending order; bits, highest first
//! full:    the registers; bits, highest first
//! ```

use crate::bits::{BitWriter, read_numbers};
use crate::foreign::{Answers, Format, count, estimate, text};
use crate::murmur::murmur3_128;
use crate::ranks::Ranks;
use crivo::foreign::{
    Reader, check_confidence, estimate_of_hashes, incompatible, invalid, malformed, unsupported,
};
use crivo::sketch::Fact;
use crivo::{DEFAULT_CONFIDENCE, Estimate, Result};
use std::collections::BTreeSet;

const VERSION: u8 = 1;
const EMPTY: u8 = 1;
const HASHES: u8 = 2;
const SPARSE: u8 = 3;
const FULL: u8 = 4;
const MAY_BE_SPARSE: u8 = 64;
/// The cutoff by which the room decides.
const AUTOMATIC: u8 = 63;
/// Few bytes of the sparse form may stand for all registers, so that their number is limited.
const PRECISION: core::ops::RangeInclusive<u8> = 4..=20;
/// The number of hashes.
const PLACES: f64 = 18_446_744_073_709_551_616.0;

/// Returns whether the second and third byte can be those of a sketch.
pub(crate) fn may_be(size: u8, cutoffs: u8) -> bool {
    size & 31 >= *PRECISION.start() && cutoffs & 128 == 0 && matches!(cutoffs & 63, 0..=31 | AUTOMATIC)
}

/// A HyperLogLog of postgresql-hll and of the other implementations of its storage specification, version 1.
///
/// # Guarantee
/// Few items are counted by their hashes of 64 bits, exactly except for collisions. Beyond, the value is Crivo's own estimator on the
/// registers; [`Guarantee::Approximate`](crivo::Guarantee).
///
/// # Merge
/// Exact, as `hll_union`, if the registers are of one number and width.
///
/// # Example
/// ```
/// use crivo_interop::PostgresHll;
/// let mut visitors = PostgresHll::with_size(11, 5)?; // the default of postgresql-hll
/// (0..5000u64).for_each(|visitor| visitors.insert(visitor.to_le_bytes())); // hll_hash_bigint
/// let bytes = visitors.to_bytes(); // for a cast from bytea to hll
/// assert!(PostgresHll::from_bytes(&bytes)?.estimate().contains(5000.0));
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PostgresHll {
    precision: u8,
    width: u8,
    cutoffs: u8,
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    Hashes(BTreeSet<i64>),
    Registers {
        ranks: Ranks,
        /// A sketch that was full is not sparse again.
        is_full: bool,
    },
}

impl PostgresHll {
    /// Creates an empty sketch of 2^`precision` registers of `width` bits, which keeps few hashes and then few registers, as by default.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless the precision is 4 to 20 and the width 1 to 8.
    pub fn with_size(precision: u8, width: u8) -> Result<Self> {
        if !PRECISION.contains(&precision) || !(1..=8).contains(&width) {
            return Err(invalid(format!(
                "the precision must be 4 to 20 and the width 1 to 8, got {precision} and {width}; 11 and 5 are usual"
            )));
        }
        Ok(Self {
            precision,
            width,
            cutoffs: MAY_BE_SPARSE | AUTOMATIC,
            content: Content::Hashes(BTreeSet::new()),
        })
    }

    fn registers(&self) -> Ranks {
        // A hash whose other bits are all 0 has no rank, so that this is the greatest.
        Ranks::new(self.precision, (u8::MAX >> (8 - self.width)).min(65 - self.precision))
    }

    /// Inserts an item as `hll_hash_text` and `hll_hash_bytea` hash it; the eight bytes of a number, lowest first, as `hll_hash_bigint`
    /// does, and four bytes as `hll_hash_integer`.
    pub fn insert(&mut self, item: impl AsRef<[u8]>) {
        self.insert_hash(murmur3_128(item.as_ref(), 0)[0] as i64);
    }

    /// Inserts an item by its hash, an `hll_hashval`.
    pub fn insert_hash(&mut self, hash: i64) {
        let (precision, most_hashes) = (self.precision, self.most_hashes());
        match &mut self.content {
            Content::Registers { ranks, .. } => raise(ranks, precision, hash),
            Content::Hashes(hashes) => {
                hashes.insert(hash);
                if hashes.len() > most_hashes {
                    self.fill_registers();
                }
            }
        }
    }

    /// Moves from hashes to registers.
    fn fill_registers(&mut self) {
        if let Content::Hashes(hashes) = &self.content {
            let mut ranks = self.registers();
            for &hash in hashes {
                raise(&mut ranks, self.precision, hash);
            }
            self.content = Content::Registers { ranks, is_full: false };
        }
    }

    /// Returns the most hashes that are kept.
    fn most_hashes(&self) -> usize {
        match self.cutoffs & 63 {
            0 => 0,
            AUTOMATIC => (usize::from(self.width) << self.precision) / 64,
            cutoff => 1 << (cutoff - 1),
        }
    }

    /// Takes in all items of another sketch.
    ///
    /// # Errors
    /// Returns `Incompatible` if the registers differ in number or width.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        let size = |sketch: &Self| format!("2^{} registers of {} bits", sketch.precision, sketch.width);
        if size(self) != size(other) {
            return Err(incompatible(
                "size",
                size(self),
                size(other),
                "make both with the same log2m and regwidth",
            ));
        }
        match &other.content {
            Content::Hashes(hashes) => hashes.iter().for_each(|&hash| self.insert_hash(hash)),
            Content::Registers { ranks: theirs, is_full: were_full } => {
                self.fill_registers();
                if let Content::Registers { ranks, is_full } = &mut self.content {
                    ranks.merge(theirs);
                    *is_full |= were_full;
                }
            }
        }
        Ok(())
    }

    /// Returns the estimated number of distinct items, at 95 % confidence.
    pub fn estimate(&self) -> Estimate {
        self.estimate_within(DEFAULT_CONFIDENCE)
    }

    /// Returns the estimate at another confidence.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn estimate_at(&self, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        Ok(self.estimate_within(confidence))
    }

    fn estimate_within(&self, confidence: f64) -> Estimate {
        match &self.content {
            Content::Hashes(hashes) => estimate_of_hashes(hashes.len() as u64, PLACES, confidence),
            Content::Registers { ranks, .. } => ranks.estimate(confidence),
        }
    }

    /// Returns log₂ of the number of registers, `log2m`.
    pub fn precision(&self) -> u8 {
        self.precision
    }

    /// Returns the number of bits of a register, `regwidth`.
    pub fn width(&self) -> u8 {
        self.width
    }

    /// Returns whether it still keeps the hashes of its items.
    pub fn keeps_hashes(&self) -> bool {
        matches!(self.content, Content::Hashes(_))
    }

    /// Reads a sketch.
    ///
    /// # Errors
    /// Returns `Malformed` for corrupt bytes, and `Unsupported` for another version, more than 2²⁰ registers, and the undefined sketch, which
    /// stands for NULL.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        let [form, size, cutoffs] = reader.array()?;
        let (version, form) = (form >> 4, form & 15);
        if version != VERSION || form == 0 {
            return Err(unsupported(format!(
                "a sketch of postgresql-hll has version 1 and is not undefined, found version {version} and form {form}"
            )));
        }
        let (precision, width) = (size & 31, (size >> 5) + 1);
        if !may_be(size, cutoffs) || form > FULL {
            return Err(malformed(format!(
                "the form {form}, the size {size:#04x} and the cutoffs {cutoffs:#04x} cannot be"
            )));
        }
        if precision > *PRECISION.end() {
            return Err(unsupported(format!("up to 2^20 registers are read, found 2^{precision}")));
        }
        let mut sketch = Self { cutoffs, ..Self::with_size(precision, width)? };
        match form {
            EMPTY => {}
            HASHES => sketch.read_hashes(&mut reader)?,
            form => sketch.read_registers(&mut reader, form == FULL)?,
        }
        reader.finish()?;
        Ok(sketch)
    }

    fn read_hashes(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        let number = reader.rest().len() as u64 / 8;
        let hashes = reader.entries(number, |reader| reader.array().map(i64::from_be_bytes))?;
        if hashes.is_empty() || !hashes.is_sorted_by(|a, b| a < b) {
            return Err(malformed("the hashes are not in ascending order, or there is none"));
        }
        self.content = Content::Hashes(hashes.into_iter().collect());
        Ok(())
    }

    fn read_registers(&mut self, reader: &mut Reader<'_>, is_full: bool) -> Result<()> {
        let mut ranks = self.registers();
        let (precision, width) = (u32::from(self.precision), u32::from(self.width));
        let bits = reader.rest().len() as u64 * 8;
        let packed = reader.rest();
        let places: Vec<(u64, u64)> = if is_full {
            (0..).zip(read_numbers(reader, 1 << precision, width)?).collect()
        } else {
            let mut words = read_numbers(reader, bits / u64::from(precision + width), precision + width)?;
            // The zeros that fill the last byte may be enough for a narrow word.
            words.pop_if(|word| *word == 0);
            let halves = words.into_iter().map(|word| (word >> width, word & (u64::MAX >> (64 - width))));
            halves.collect()
        };
        let is_used = |&(_, rank): &(u64, u64)| is_full || rank > 0;
        let is_sound = places.is_sorted_by(|(a, _), (b, _)| a < b) && places.iter().all(is_used);
        if !is_sound || places.is_empty() || places.iter().any(|&(_, rank)| rank > ranks.most().into()) {
            return Err(malformed(
                "the registers are not in ascending order, or one has a value that it cannot have",
            ));
        }
        for (place, rank) in places {
            ranks.raise(place as usize, rank as u8);
        }
        self.content = Content::Registers { ranks, is_full };
        // The bits that are left of the last byte are 0.
        if self.data() != packed {
            return Err(malformed("there are bits behind the last register"));
        }
        Ok(())
    }

    /// Writes the bytes that every implementation of the specification reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let form = match &self.content {
            Content::Hashes(hashes) if hashes.is_empty() => EMPTY,
            Content::Hashes(_) => HASHES,
            Content::Registers { .. } if self.is_sparse() => SPARSE,
            Content::Registers { .. } => FULL,
        };
        let mut bytes = vec![VERSION << 4 | form, (self.width - 1) << 5 | self.precision, self.cutoffs];
        bytes.extend(self.data());
        bytes
    }

    /// Returns whether the registers in use alone take less room than all.
    fn is_sparse(&self) -> bool {
        let Content::Registers { ranks, is_full: false } = &self.content else { return false };
        let used = ranks.as_slice().iter().filter(|&&rank| rank > 0).count();
        let (precision, width) = (usize::from(self.precision), usize::from(self.width));
        self.cutoffs & MAY_BE_SPARSE != 0 && used * (precision + width) < width << precision
    }

    fn data(&self) -> Vec<u8> {
        let ranks = match &self.content {
            Content::Hashes(hashes) => return hashes.iter().flat_map(|hash| hash.to_be_bytes()).collect(),
            Content::Registers { ranks, .. } => ranks.as_slice(),
        };
        let (precision, width) = (u32::from(self.precision), u32::from(self.width));
        let mut bits = BitWriter::default();
        let is_sparse = self.is_sparse();
        for (place, &rank) in (0u64..).zip(ranks) {
            if !is_sparse {
                bits.push(rank.into(), width);
            } else if rank > 0 {
                bits.push(place << width | u64::from(rank), precision + width);
            }
        }
        bits.finish()
    }
}

/// Raises the register of a hash: its low bits choose the register, and the zeros that end the others are counted.
fn raise(ranks: &mut Ranks, precision: u8, hash: i64) {
    let (hash, registers) = (hash as u64, 1u64 << precision);
    let rest = hash >> precision;
    if rest > 0 {
        let rank = (rest.trailing_zeros() as u8 + 1).min(ranks.most());
        ranks.raise((hash & (registers - 1)) as usize, rank);
    }
}

/// Sketches of equal bytes are equal: whether a sketch of many registers was full before does not matter.
impl PartialEq for PostgresHll {
    fn eq(&self, other: &Self) -> bool {
        self.to_bytes() == other.to_bytes()
    }
}

impl Answers for PostgresHll {
    fn format(&self) -> Format {
        Format::PostgresHll
    }

    fn bytes(&self) -> Vec<u8> {
        self.to_bytes()
    }

    fn facts(&self) -> Vec<Fact> {
        vec![
            estimate("distinct", self.estimate()),
            count("precision", self.precision.into()),
            count("register_bits", self.width.into()),
            text("form", if self.keeps_hashes() { "hashes" } else { "registers" }),
        ]
    }

    fn cardinality_within(&self, confidence: f64) -> Result<Estimate> {
        Ok(self.estimate_within(confidence))
    }
}
