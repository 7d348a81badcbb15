//! The `HyperLogLog++` of `ZetaSketch`, which `BigQuery` uses: see [`ZetaHll`].
//!
//! A protocol buffer. Numbers are varints.
//!
//! ```text
//! 1 kind, 112   2 number of values   3 version, 2   4 type of the values
//! 112 a message:
//!     2 number of entries   3 precision p   4 precision of entries q   5 registers, of a byte each
//!     6 entries in ascending order, as differences: the first q bits of a hash; or, if those behind the first p are zeros, a flag, the first
//!       p bits, and in 6 bits one more than the zeros behind the first q
//! ```

use crate::foreign::{Answers, Format, count, estimate, text};
use crate::protobuf::{Value, fields, put_bytes, put_number, put_varint, varint};
use crate::ranks::Ranks;
use crivo::foreign::{Reader, check_confidence, estimate_of_hashes, incompatible, malformed, unsupported};
use crivo::sketch::Fact;
use crivo::{DEFAULT_CONFIDENCE, Estimate, Result};

/// The first field of every file.
pub(crate) const HEAD: &[u8] = &[1 << 3, KIND as u8];
const KIND: u64 = 112;
const VERSION: u64 = 2;
const PRECISION: core::ops::RangeInclusive<u8> = 10..=24;
/// The greatest precision of entries.
const MOST_PRECISION: u8 = 25;
const ZEROS_BITS: u32 = 6;

/// A HyperLogLog++ of `ZetaSketch`: the bytes of `HLL_COUNT.INIT` and `HLL_COUNT.MERGE_PARTIAL` of `BigQuery`.
///
/// # Guarantee
/// Few items are counted by the first bits of their hashes, 20 by default. Beyond, the value is Crivo's own estimator on the registers.
/// [`Guarantee::Approximate`](crivo::Guarantee).
///
/// # Merge
/// Exact, as `HLL_COUNT.MERGE_PARTIAL`, of sketches of one precision and type of values.
#[derive(Clone, Debug, PartialEq)]
pub struct ZetaHll {
    size: Size,
    /// How many values were inserted.
    values: u64,
    content: Content,
}

/// What two sketches must have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Size {
    precision: u8,
    /// The precision of entries; none if the writer was asked for registers alone.
    fine: Option<u8>,
    /// The type of the values, on which their hashes depend.
    kind: Option<u64>,
}

#[derive(Clone, Debug, PartialEq)]
enum Content {
    /// In ascending order.
    Entries(Vec<u32>),
    /// Nothing before the first item.
    Registers(Option<Ranks>),
}

impl Size {
    /// The flag of entries that have a number of zeros, above all of their other bits.
    fn flag(self) -> u32 {
        1 << u32::from(self.fine.unwrap_or(0)).max(u32::from(self.precision) + ZEROS_BITS)
    }

    /// The bits that are behind the register's in an entry.
    fn rest(self) -> u32 {
        u32::from(self.fine.unwrap_or(self.precision) - self.precision)
    }

    /// An entry without its number of zeros, if it has one.
    fn prefix(self, entry: u32) -> u32 {
        if entry & self.flag() == 0 { entry } else { entry >> ZEROS_BITS << ZEROS_BITS }
    }

    /// Returns whether there can be such an entry.
    fn allows(self, entry: u32) -> bool {
        let fine = u32::from(self.fine.unwrap_or(0));
        if entry & self.flag() == 0 {
            return entry >> fine == 0 && entry & ((1 << self.rest()) - 1) != 0;
        }
        let register = (entry ^ self.flag()) >> ZEROS_BITS;
        register >> self.precision == 0 && (1..=65 - fine).contains(&(entry % (1 << ZEROS_BITS)))
    }

    /// The register of an entry and its rank.
    fn place(self, entry: u32) -> (usize, u8) {
        let rest = self.rest();
        if entry & self.flag() == 0 {
            let behind = entry & ((1 << rest) - 1);
            return ((entry >> rest) as usize, (rest - behind.ilog2()) as u8);
        }
        let register = (entry ^ self.flag()) >> ZEROS_BITS;
        (register as usize, (entry % (1 << ZEROS_BITS) + rest) as u8)
    }

    fn no_registers(self) -> Ranks {
        Ranks::new(self.precision, 65 - self.precision)
    }
}

impl ZetaHll {
    /// Takes in all items of another sketch.
    ///
    /// # Errors
    /// Returns `Incompatible` if the sketches differ in a precision or in the type of their values.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        if self.size != other.size {
            let shown = |Size { precision, fine, kind }| {
                format!("{precision}, {} for few items, of type {}", fine.unwrap_or(0), kind.unwrap_or(0))
            };
            return Err(incompatible(
                "precision",
                shown(self.size),
                shown(other.size),
                "give HLL_COUNT.INIT the same precision and type of values",
            ));
        }
        self.values = self.values.saturating_add(other.values);
        match (&mut self.content, &other.content) {
            (Content::Entries(ours), Content::Entries(theirs)) => {
                ours.extend(theirs);
                // Of equal prefixes the last one has the most zeros.
                ours.sort_unstable_by_key(|&entry| core::cmp::Reverse(entry));
                let size = self.size;
                ours.dedup_by_key(|entry| size.prefix(*entry));
                ours.reverse();
                if differences(ours).len() >= (3 << self.size.precision) / 4 {
                    self.fill_registers();
                }
            }
            (_, Content::Entries(theirs)) => {
                for &entry in theirs {
                    self.raise(entry);
                }
            }
            (_, Content::Registers(theirs)) => {
                self.fill_registers();
                if let (Content::Registers(ours), Some(theirs)) = (&mut self.content, theirs) {
                    ours.get_or_insert_with(|| self.size.no_registers()).merge(theirs);
                }
            }
        }
        Ok(())
    }

    /// Moves from entries to registers.
    fn fill_registers(&mut self) {
        if let Content::Entries(entries) = &mut self.content {
            let entries = core::mem::take(entries);
            self.content = Content::Registers(None);
            for entry in entries {
                self.raise(entry);
            }
        }
    }

    /// Raises the register of an entry, if it has registers.
    fn raise(&mut self, entry: u32) {
        if let Content::Registers(ranks) = &mut self.content {
            let (register, rank) = self.size.place(entry);
            ranks.get_or_insert_with(|| self.size.no_registers()).raise(register, rank);
        }
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
            Content::Entries(entries) => {
                let places = f64::from(1 << self.size.fine.unwrap_or(self.size.precision));
                estimate_of_hashes(entries.len() as u64, places, confidence)
            }
            Content::Registers(None) => Estimate::exact(0.0),
            Content::Registers(Some(ranks)) => ranks.estimate(confidence),
        }
    }

    /// Returns log₂ of the number of registers.
    pub fn precision(&self) -> u8 {
        self.size.precision
    }

    /// Returns whether it still keeps parts of the hashes of its items rather than registers.
    pub fn is_sparse(&self) -> bool {
        matches!(self.content, Content::Entries(_))
    }

    /// Returns the number of inserted values.
    pub fn values(&self) -> u64 {
        self.values
    }

    /// Reads a sketch.
    ///
    /// # Errors
    /// Returns `Malformed` for corrupt bytes, and `Unsupported` for another version and for fields that version 2 has not.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let (mut numbers, mut state) = ([None; 5], None);
        fields(bytes, |field, value| {
            match (field, value) {
                (1..=4, Value::Number(number)) => numbers[field as usize] = Some(number),
                (KIND, Value::Bytes(bytes)) => state = Some(bytes),
                _ => {
                    return Err(unsupported(format!(
                        "a sketch of ZetaSketch has no field {field} of this kind"
                    )));
                }
            }
            Ok(())
        })?;
        let (mut inner, mut registers, mut packed) = ([None; 5], None, None);
        fields(state.unwrap_or_default(), |field, value| {
            match (field, value) {
                (2..=4, Value::Number(number)) => inner[field as usize] = Some(number),
                (5, Value::Bytes(bytes)) => registers = Some(bytes),
                (6, Value::Bytes(bytes)) => packed = Some(bytes),
                _ => return Err(unsupported(format!("a HyperLogLog++ has no field {field} of this kind"))),
            }
            Ok(())
        })?;
        let [_, kind_of_sketch, values, version, kind] = numbers;
        if kind_of_sketch != Some(KIND) || version != Some(VERSION) {
            return Err(unsupported(format!(
                "a HyperLogLog++ of kind 112 and version 2 is read, found {} and {}",
                kind_of_sketch.unwrap_or(0),
                version.unwrap_or(0)
            )));
        }
        let [_, _, number, precision, fine] = inner;
        let small = |number: u64| u8::try_from(number).unwrap_or(u8::MAX);
        let (precision, fine) = (small(precision.unwrap_or(0)), fine.map(small));
        if !PRECISION.contains(&precision)
            || fine.is_some_and(|fine| !(precision..=MOST_PRECISION).contains(&fine))
        {
            return Err(malformed(format!(
                "the precision must be 10 to 24, and that of entries from there to 25, found {precision} and {}",
                fine.unwrap_or(0)
            )));
        }
        let size = Size { precision, fine, kind };
        let content = match (registers, packed) {
            (Some(registers), None) => Content::Registers(Some(read_registers(size, registers)?)),
            (None, Some(packed)) if fine.is_some() => Content::Entries(read_entries(size, packed)?),
            (None, None) => Content::Registers(None),
            _ => {
                return Err(malformed(
                    "a HyperLogLog++ has entries or registers, and a precision of its entries",
                ));
            }
        };
        let entries = if let Content::Entries(entries) = &content { entries.len() as u64 } else { 0 };
        if entries != number.unwrap_or(0) {
            return Err(malformed(format!("there are {entries} entries, expected {}", number.unwrap_or(0))));
        }
        Ok(Self { size, values: values.unwrap_or(0), content })
    }

    /// Writes the bytes that `BigQuery` reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (mut bytes, mut state) = (Vec::new(), Vec::new());
        let entries = if let Content::Entries(entries) = &self.content { entries.len() as u64 } else { 0 };
        put_number(&mut state, 2, Some(entries).filter(|&entries| entries > 0));
        put_number(&mut state, 3, Some(self.size.precision.into()));
        put_number(&mut state, 4, self.size.fine.map(u64::from));
        match &self.content {
            Content::Entries(entries) => put_bytes(&mut state, 6, &differences(entries)),
            Content::Registers(Some(ranks)) => put_bytes(&mut state, 5, ranks.as_slice()),
            Content::Registers(None) => {}
        }
        put_number(&mut bytes, 1, Some(KIND));
        put_number(&mut bytes, 2, Some(self.values));
        put_number(&mut bytes, 3, Some(VERSION));
        put_number(&mut bytes, 4, self.size.kind);
        put_bytes(&mut bytes, KIND, &state);
        bytes
    }
}

fn read_registers(size: Size, registers: &[u8]) -> Result<Ranks> {
    let mut ranks = size.no_registers();
    if registers.len() != ranks.as_slice().len() || registers.iter().any(|&rank| rank > ranks.most()) {
        return Err(malformed(format!(
            "expected 2^{} registers of at most {}, found {}, the greatest of them {}",
            size.precision,
            ranks.most(),
            registers.len(),
            registers.iter().max().unwrap_or(&0)
        )));
    }
    registers.iter().enumerate().for_each(|(register, &rank)| ranks.raise(register, rank));
    Ok(ranks)
}

fn read_entries(size: Size, packed: &[u8]) -> Result<Vec<u32>> {
    let mut reader = Reader::new(packed);
    let (mut entries, mut entry) = (Vec::new(), 0u64);
    while !reader.rest().is_empty() {
        entry = entry.saturating_add(varint(&mut reader)?);
        let found = u32::try_from(entry).ok().filter(|&found| size.allows(found));
        let is_new = |found: &u32| entries.last().is_none_or(|&last| size.prefix(last) < size.prefix(*found));
        match found.filter(is_new) {
            Some(found) => entries.push(found),
            None => return Err(malformed("the entries are not in ascending order, or one is of no hash")),
        }
    }
    Ok(entries)
}

fn differences(entries: &[u32]) -> Vec<u8> {
    let (mut packed, mut before) = (Vec::new(), 0);
    for &entry in entries {
        put_varint(&mut packed, (entry - before).into());
        before = entry;
    }
    packed
}

impl Answers for ZetaHll {
    fn format(&self) -> Format {
        Format::ZetaHll
    }

    fn bytes(&self) -> Vec<u8> {
        self.to_bytes()
    }

    fn facts(&self) -> Vec<Fact> {
        vec![
            estimate("distinct", self.estimate()),
            count("values", self.values),
            count("precision", self.size.precision.into()),
            text("form", if self.is_sparse() { "hashes" } else { "registers" }),
        ]
    }

    fn cardinality_within(&self, confidence: f64) -> Result<Estimate> {
        Ok(self.estimate_within(confidence))
    }
}
