//! The HyperLogLog of airlift, which Trino, Presto and Athena use: see [`AirliftHll`].
//!
//! ```text
//! byte 0   2 sparse, 3 dense; 1 an earlier dense form, which is read
//! byte 1   log₂ of the number of registers, p
//! sparse:  the number of entries (2 bytes); entries of 4 bytes in ascending order: the first 26 bits of a hash, and in 6 bits the
//!          number of zeros that follow
//! dense:   the least rank; the ranks above it, 4 bits each, high half first, 15 for 15 or more; the number of registers that are
//!          further above it (2 bytes); the numbers of these (2 bytes each); by how much each exceeds 15 (1 byte each)
//! form 1:  as dense, but with one such register at most: 2 bytes for it and 1 for its excess, a negative number for none
//! ```

use crate::foreign::{Answers, Format, count, estimate, text};
use crate::murmur::murmur3_128;
use crate::ranks::Ranks;
use crivo::foreign::{Reader, check_confidence, estimate_of_hashes, incompatible, invalid, malformed};
use crivo::sketch::Fact;
use crivo::{DEFAULT_CONFIDENCE, Estimate, Result};

const OLD_DENSE: u8 = 1;
const SPARSE: u8 = 2;
const DENSE: u8 = 3;
/// 16 to 65,536 registers, the numbers whose bias airlift corrects.
const PRECISION: core::ops::RangeInclusive<u8> = 4..=16;
/// The bits of a hash that an entry keeps, and those of the number of zeros after them.
const PREFIX_BITS: u32 = 26;
const ZEROS_BITS: u32 = 6;
/// All bits behind the prefix may be zeros.
const MOST_ZEROS: u32 = 64 - PREFIX_BITS;
const MOST_DELTA: u8 = 15;
/// By how many entries machines of other object sizes may have more.
const SLACK: usize = 12;

/// Returns whether bytes begin as a sketch does.
pub(crate) fn begins(bytes: &[u8]) -> bool {
    match *bytes {
        [SPARSE, precision, low, high, ..] if PRECISION.contains(&precision) => {
            usize::from(u16::from_le_bytes([low, high])) <= most_entries(precision) + SLACK
        }
        [OLD_DENSE | DENSE, precision, baseline, _, ..] => {
            PRECISION.contains(&precision) && baseline <= most_rank(precision)
        }
        _ => false,
    }
}

/// The rank of a hash without a bit that is set behind those of its register.
fn most_rank(precision: u8) -> u8 {
    65 - precision
}

/// The most entries that take no more memory than the registers do, with 24 bytes for the object and 40 for that of the registers.
fn most_entries(precision: u8) -> usize {
    (1 << precision) / 8 + 4
}

/// A HyperLogLog of airlift: the type `HyperLogLog` of Trino, Presto and Athena, and `P4HyperLogLog`, cast to `varbinary`.
///
/// # Guarantee
/// Few items are counted by the first 26 bits of their hashes. Beyond, the value is Crivo's own estimator on the registers.
/// [`Guarantee::Approximate`](crivo::Guarantee).
///
/// # Merge
/// Exact, as `merge`, if the numbers of registers are equal.
///
/// # Example
/// ```
/// use crivo_interop::AirliftHll;
/// let mut visitors = AirliftHll::for_precision(12)?; // the default of approx_set
/// (0..5000u64).for_each(|visitor| visitors.insert(visitor.to_le_bytes())); // a bigint
/// let bytes = visitors.to_bytes(); // for cast(... as HyperLogLog)
/// assert!(AirliftHll::from_bytes(&bytes)?.estimate().contains(5000.0));
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct AirliftHll {
    precision: u8,
    content: Content,
}

#[derive(Clone, Debug, PartialEq)]
enum Content {
    /// In ascending order.
    Entries(Vec<u32>),
    Registers(Ranks),
}

impl AirliftHll {
    /// Creates an empty sketch of 2^`precision` registers.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless the precision is 4 to 16.
    pub fn for_precision(precision: u8) -> Result<Self> {
        if !PRECISION.contains(&precision) {
            return Err(invalid(format!("the precision must be 4 to 16, got {precision}; 12 is usual")));
        }
        Ok(Self { precision, content: Content::Entries(Vec::new()) })
    }

    /// Inserts an item by its bytes: a `varchar` by its UTF-8, a `bigint` by its eight bytes, lowest first, and a `double` by those of its
    /// bits.
    pub fn insert(&mut self, item: impl AsRef<[u8]>) {
        let hash = murmur3_128(item.as_ref(), 0)[0];
        match &mut self.content {
            Content::Registers(ranks) => {
                let (register, rest) = (hash >> (64 - self.precision), hash << self.precision);
                let rank = rest.leading_zeros() as u8 + 1;
                ranks.raise(register as usize, rank.min(most_rank(self.precision)));
            }
            Content::Entries(_) => {
                let zeros = (hash << PREFIX_BITS).leading_zeros().min(MOST_ZEROS);
                self.insert_entry(((hash >> (64 - PREFIX_BITS)) as u32) << ZEROS_BITS | zeros);
            }
        }
    }

    fn insert_entry(&mut self, entry: u32) {
        match &mut self.content {
            Content::Registers(ranks) => raise(ranks, self.precision, entry),
            Content::Entries(entries) => {
                let prefix = |entry: u32| entry >> ZEROS_BITS;
                match entries.binary_search_by_key(&prefix(entry), |&kept| prefix(kept)) {
                    Ok(place) => entries[place] = entries[place].max(entry),
                    Err(place) => entries.insert(place, entry),
                }
                if entries.len() > most_entries(self.precision) {
                    self.fill_registers();
                }
            }
        }
    }

    /// Moves from entries to registers.
    fn fill_registers(&mut self) {
        if let Content::Entries(entries) = &self.content {
            let mut ranks = Ranks::new(self.precision, most_rank(self.precision));
            for &entry in entries {
                raise(&mut ranks, self.precision, entry);
            }
            self.content = Content::Registers(ranks);
        }
    }

    /// Takes in all items of another sketch.
    ///
    /// # Errors
    /// Returns `Incompatible` if the numbers of registers differ.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        if self.precision != other.precision {
            return Err(incompatible(
                "precision",
                self.precision,
                other.precision,
                "make both with the same error, the second argument of approx_set",
            ));
        }
        match &other.content {
            Content::Entries(entries) => entries.iter().for_each(|&entry| self.insert_entry(entry)),
            Content::Registers(theirs) => {
                self.fill_registers();
                if let Content::Registers(ranks) = &mut self.content {
                    ranks.merge(theirs);
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
        let places = f64::from(1 << PREFIX_BITS);
        match &self.content {
            Content::Entries(entries) => estimate_of_hashes(entries.len() as u64, places, confidence),
            Content::Registers(ranks) => ranks.estimate(confidence),
        }
    }

    /// Returns log₂ of the number of registers.
    pub fn precision(&self) -> u8 {
        self.precision
    }

    /// Returns whether it still keeps parts of the hashes of its items rather than registers.
    pub fn is_sparse(&self) -> bool {
        matches!(self.content, Content::Entries(_))
    }

    /// Reads a sketch.
    ///
    /// # Errors
    /// Returns `Malformed` for corrupt bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        if !begins(bytes) {
            return Err(malformed(
                "a HyperLogLog of airlift begins with its form, 1 to 3, and a precision of 4 to 16, with what these allow; this does not",
            ));
        }
        let mut reader = Reader::new(bytes);
        let [form, precision] = reader.array()?;
        let content = match form {
            SPARSE => Content::Entries(read_entries(&mut reader)?),
            form => Content::Registers(read_registers(&mut reader, precision, form == DENSE)?),
        };
        reader.finish()?;
        Ok(Self { precision, content })
    }

    /// Writes the bytes that airlift reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        match &self.content {
            Content::Entries(entries) => {
                let mut bytes = vec![SPARSE, self.precision];
                bytes.extend((entries.len() as u16).to_le_bytes());
                bytes.extend(entries.iter().flat_map(|entry| entry.to_le_bytes()));
                bytes
            }
            Content::Registers(ranks) => {
                let ranks = ranks.as_slice();
                let baseline = ranks.iter().copied().min().unwrap_or(0);
                let delta = |rank: u8| (rank - baseline).min(MOST_DELTA);
                let mut bytes = vec![DENSE, self.precision, baseline];
                bytes.extend(ranks.as_chunks::<2>().0.iter().map(|&[a, b]| delta(a) << 4 | delta(b)));
                let further = (0u16..).zip(ranks).filter(|&(_, rank)| rank - baseline > MOST_DELTA);
                bytes.extend((further.clone().count() as u16).to_le_bytes());
                bytes.extend(further.clone().flat_map(|(register, _)| register.to_le_bytes()));
                bytes.extend(further.map(|(_, rank)| rank - baseline - MOST_DELTA));
                bytes
            }
        }
    }
}

fn read_entries(reader: &mut Reader<'_>) -> Result<Vec<u32>> {
    let number = reader.u16()?;
    let entries = reader.entries(number.into(), Reader::u32)?;
    let is_ascending = entries.is_sorted_by(|a, b| a >> ZEROS_BITS < b >> ZEROS_BITS);
    if is_ascending && entries.iter().all(|entry| entry % (1 << ZEROS_BITS) <= MOST_ZEROS) {
        return Ok(entries);
    }
    Err(malformed("the entries are not in ascending order, or one has more zeros than a hash has bits"))
}

fn read_registers(reader: &mut Reader<'_>, precision: u8, is_new: bool) -> Result<Ranks> {
    let baseline = reader.u8()?;
    let deltas = reader.bytes(1 << (precision - 1))?;
    let mut ranks: Vec<u8> =
        deltas.iter().flat_map(|&byte| [byte >> 4, byte & 15]).map(|delta| baseline + delta).collect();
    let (registers, excesses) = if is_new {
        let number = reader.u16()?.into();
        (reader.entries(number, Reader::u16)?, reader.bytes(number as usize)?.to_vec())
    } else {
        let (register, excess) = (reader.u16()?, reader.u8()?);
        let is_used = register >> 15 == 0 && (1..128).contains(&excess);
        if is_used { (vec![register], vec![excess]) } else { (Vec::new(), Vec::new()) }
    };
    for (register, excess) in registers.into_iter().zip(excesses) {
        match ranks.get_mut(usize::from(register)) {
            // A register that was raised is none of these any more.
            Some(rank) if *rank == baseline + MOST_DELTA && (1..128).contains(&excess) => *rank += excess,
            _ => {
                return Err(malformed(format!(
                    "the register {register} cannot exceed the others by {excess}"
                )));
            }
        }
    }
    let mut read = Ranks::new(precision, most_rank(precision));
    if ranks.iter().any(|&rank| rank > read.most()) {
        return Err(malformed(format!("a register holds at most {}", read.most())));
    }
    ranks.into_iter().enumerate().for_each(|(register, rank)| read.raise(register, rank));
    Ok(read)
}

/// Raises the register of an entry.
fn raise(ranks: &mut Ranks, precision: u8, entry: u32) {
    let rest = PREFIX_BITS - u32::from(precision);
    let register = entry >> (32 - u32::from(precision));
    let between = (entry >> ZEROS_BITS) & ((1 << rest) - 1);
    let zeros = match between {
        0 => rest + entry % (1 << ZEROS_BITS),
        _ => between.leading_zeros() - (32 - rest),
    };
    ranks.raise(register as usize, zeros as u8 + 1);
}

impl Answers for AirliftHll {
    fn format(&self) -> Format {
        Format::AirliftHll
    }

    fn bytes(&self) -> Vec<u8> {
        self.to_bytes()
    }

    fn facts(&self) -> Vec<Fact> {
        vec![
            estimate("distinct", self.estimate()),
            count("precision", self.precision.into()),
            text("form", if self.is_sparse() { "hashes" } else { "registers" }),
        ]
    }

    fn cardinality_within(&self, confidence: f64) -> Result<Estimate> {
        Ok(self.estimate_within(confidence))
    }
}
