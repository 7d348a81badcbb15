//! The bytes: a list or a table of coupons, or registers of four, six or eight bits.
//!
//! ```text
//! byte 0    number of 4-byte words before the data: 2 list, 3 table, 10 registers
//! byte 1    serial version: 1          byte 2   family: 7          byte 3   lg k
//! byte 4    lg of the table's size     byte 5   flags
//! byte 6    length of the list, or the smallest register (four bits)
//! byte 7    low 2 bits: list, table, registers; next 2 bits: four, six, eight bits
//! list:      the coupons                        table:  u32 count, the coupons
//! registers: f64 counted along, f64 and f64 sums of 2⁻ʳ, u32 registers at the smallest, u32 exceptions, registers, exceptions
//! ```

use super::coupons::{Coupons, FEWEST_IN_TABLE, MOST, split};
use super::registers::Registers;
use super::{Hll, LG_K, State, Width};
use crivo::Result;
use crivo::foreign::{Reader, malformed, unsupported};

/// The family of `DataSketches`' HyperLogLog.
pub(crate) const FAMILY: u8 = 7;

const EMPTY: u8 = 1 << 2;
const COMPACT: u8 = 1 << 3;
const MERGED: u8 = 1 << 4;
/// A nibble that stands for a value in the list of exceptions.
const EXCEPTION: u8 = 15;

impl Hll {
    /// Reads a sketch in any of its forms, compact or updatable.
    ///
    /// # Errors
    /// Returns `Malformed` for corrupt bytes, also if the registers and the estimate counted along contradict each other, and
    /// `Unsupported` for other families and versions.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        let [words, version, family, lg_k, lg_table, flags, sixth, mode] = reader.array()?;
        if (version, family) != (1, FAMILY) {
            return Err(unsupported(format!(
                "a HyperLogLog has family {FAMILY} and serial version 1, found {family} and {version}"
            )));
        }
        if !LG_K.contains(&lg_k) {
            return Err(malformed(format!("lg k must be 4 to 21, found {lg_k}")));
        }
        let width = match mode >> 2 {
            0 => Width::Four,
            1 => Width::Six,
            2 => Width::Eight,
            other => return Err(malformed(format!("registers have a type from 0 to 2, found {other}"))),
        };
        let is_compact = flags & COMPACT != 0;
        let state = match (words, mode & 3) {
            (2, 0) => {
                let count = if flags & EMPTY == 0 { sixth.into() } else { 0 };
                let slots = if is_compact { count } else { FEWEST_IN_TABLE };
                // An empty sketch may end with its first words.
                let slots = if count == 0 && reader.rest().is_empty() { 0 } else { slots };
                State::Few(read_coupons(&mut reader, slots, count, lg_k)?)
            }
            (3, 1) => {
                let count = reader.u32()? as usize;
                let slots = if is_compact { count } else { 1usize.checked_shl(lg_table.into()).unwrap_or(0) };
                State::Few(read_coupons(&mut reader, slots, count, lg_k)?)
            }
            (10, 2) => State::Many(read_registers(
                &mut reader,
                (lg_k, width),
                (flags & MERGED != 0, is_compact, lg_table),
                sixth,
            )?),
            _ => {
                return Err(malformed(format!("{words} words before the data contradict mode {}", mode & 3)));
            }
        };
        reader.finish()?;
        Ok(Self { lg_k, width, state })
    }

    /// Writes the compact form, which every `DataSketches` library reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let width = match self.width {
            Width::Four => 0,
            Width::Six => 1 << 2,
            Width::Eight => 2 << 2,
        };
        match &self.state {
            State::Few(coupons) => {
                let is_list = coupons.len() < FEWEST_IN_TABLE;
                let (words, mode) = if is_list { (2, 0) } else { (3, 1) };
                let empty = if coupons.len() == 0 { EMPTY } else { 0 };
                let length = if is_list { coupons.len() as u8 } else { 0 };
                let mut bytes = vec![
                    words,
                    1,
                    FAMILY,
                    self.lg_k,
                    coupons.lg_table(),
                    COMPACT | empty,
                    length,
                    width | mode,
                ];
                if !is_list {
                    bytes.extend((coupons.len() as u32).to_le_bytes());
                }
                bytes.extend(coupons.iter().flat_map(u32::to_le_bytes));
                bytes
            }
            State::Many(registers) => self.write_registers(registers, width | 2),
        }
    }

    fn write_registers(&self, registers: &Registers, mode: u8) -> Vec<u8> {
        let ranks = registers.ranks();
        let merged = if registers.counted.is_none() { MERGED } else { 0 };
        // Only four bits are counted from the smallest register.
        let smallest = if self.width == Width::Four { ranks.iter().copied().min().unwrap_or(0) } else { 0 };
        let at_smallest: u32 = ranks.iter().map(|&rank| u32::from(rank == smallest)).sum();
        let is_exception = |rank: u8| self.width == Width::Four && rank - smallest >= EXCEPTION;
        let exceptions: Vec<u32> = (0..)
            .zip(ranks)
            .filter(|&(_, &rank)| is_exception(rank))
            .map(|(register, &rank)| u32::from(rank) << 26 | register)
            .collect();
        let lg_table = if exceptions.is_empty() { 0 } else { lg_exceptions(exceptions.len(), self.lg_k) };
        let mut bytes = vec![10, 1, FAMILY, self.lg_k, lg_table, COMPACT | merged, smallest, mode];
        let [low, high] = registers.sums;
        for number in [registers.counted.unwrap_or(0.0), low, high] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(at_smallest.to_le_bytes());
        bytes.extend((exceptions.len() as u32).to_le_bytes());
        match self.width {
            Width::Four => {
                let nibble = |rank: u8| (rank - smallest).min(EXCEPTION);
                bytes.extend(
                    ranks.as_chunks::<2>().0.iter().map(|&[low, high]| nibble(high) << 4 | nibble(low)),
                );
            }
            Width::Six => {
                for four in ranks.as_chunks::<4>().0 {
                    let packed = four.iter().rev().fold(0u32, |packed, &rank| packed << 6 | u32::from(rank));
                    bytes.extend(&packed.to_le_bytes()[..3]);
                }
                // Readers take two bytes at a time.
                bytes.push(0);
            }
            Width::Eight => bytes.extend(ranks),
        }
        bytes.extend(exceptions.into_iter().flat_map(u32::to_le_bytes));
        bytes
    }
}

/// Returns the size of the table of exceptions, as a power of two: at most three quarters full, and not below a size for each lg k.
fn lg_exceptions(count: usize, lg_k: u8) -> u8 {
    const LEAST: [u8; 18] = [2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 11, 12, 13];
    let least = LEAST[usize::from(lg_k - LG_K.start())];
    (least..32).find(|&lg| 4 * count <= 3 << lg).unwrap_or(32)
}

/// Reads `slots` coupons, of which `count` are not free.
fn read_coupons(reader: &mut Reader<'_>, slots: usize, count: usize, lg_k: u8) -> Result<Coupons> {
    let slots = reader.bytes(slots.checked_mul(4).ok_or_else(|| malformed("the table is too large"))?)?;
    let mut coupons = Coupons::default();
    let slots = slots.as_chunks::<4>().0.iter().map(|slot| u32::from_le_bytes(*slot));
    for coupon in slots.filter(|&coupon| coupon != 0) {
        if split(coupon, lg_k).1 == 0 || !coupons.insert(coupon) {
            return Err(malformed("a coupon repeats, or has no value"));
        }
    }
    if coupons.len() != count {
        return Err(malformed(format!("{count} coupons were announced, found {}", coupons.len())));
    }
    if coupons.are_many(lg_k) {
        return Err(malformed(format!("{count} coupons are too many for 2^{lg_k} registers")));
    }
    Ok(coupons)
}

fn read_registers(
    reader: &mut Reader<'_>,
    (lg_k, width): (u8, Width),
    (is_merged, is_compact, lg_table): (bool, bool, u8),
    smallest: u8,
) -> Result<Registers> {
    let counted = f64::from_bits(reader.u64()?);
    // The sums and the number of smallest registers follow from the registers.
    reader.bytes(20)?;
    let count = reader.u32()? as usize;
    let k = 1usize << lg_k;
    let mut ranks: Vec<u8> = match width {
        Width::Four => reader.bytes(k / 2)?.iter().flat_map(|byte| [byte & 15, byte >> 4]).collect(),
        Width::Six => {
            let packed = reader.bytes(k / 4 * 3)?;
            reader.u8()?;
            let four = |&[a, b, c]: &[u8; 3]| {
                let packed = u32::from_le_bytes([a, b, c, 0]);
                [0, 6, 12, 18].map(|shift| (packed >> shift) as u8 & 63)
            };
            packed.as_chunks::<3>().0.iter().flat_map(four).collect()
        }
        Width::Eight => reader.bytes(k)?.to_vec(),
    };
    if width == Width::Four {
        if smallest > MOST {
            return Err(malformed(format!("a register is at most {MOST}, found {smallest} as the smallest")));
        }
        let slots = match (is_compact, count) {
            (true, _) => count,
            // A table that holds nothing may be left out.
            (false, 0) => reader.rest().len() / 4,
            (false, _) => 1usize.checked_shl(lg_table.into()).unwrap_or(0),
        };
        read_exceptions(reader, (slots, count), smallest, &mut ranks)?;
    } else if count > 0 {
        return Err(malformed("only registers of four bits have exceptions"));
    }
    if ranks.iter().any(|&rank| rank > MOST) {
        return Err(malformed(format!("a register is at most {MOST}")));
    }
    let registers = Registers::of_ranks(lg_k, ranks.into(), (!is_merged).then_some(counted));
    if registers.agree() {
        return Ok(registers);
    }
    Err(malformed(format!("the estimate {counted} that was counted along contradicts the registers")))
}

/// Turns nibbles into registers.
fn read_exceptions(
    reader: &mut Reader<'_>,
    (slots, count): (usize, usize),
    smallest: u8,
    ranks: &mut [u8],
) -> Result<()> {
    let slots = reader.bytes(slots.checked_mul(4).ok_or_else(|| malformed("the table is too large"))?)?;
    let lg_k = ranks.len().ilog2() as u8;
    let mut is_open: Vec<bool> = ranks.iter().map(|&nibble| nibble == EXCEPTION).collect();
    let are_exceptions = is_open.iter().filter(|&&open| open).count();
    for rank in &mut *ranks {
        *rank += smallest;
    }
    let mut found = 0;
    let slots = slots.as_chunks::<4>().0.iter().map(|slot| u32::from_le_bytes(*slot));
    for coupon in slots.filter(|&coupon| coupon != 0) {
        let (register, rank) = split(coupon, lg_k);
        if !std::mem::take(&mut is_open[register]) || rank < EXCEPTION + smallest {
            return Err(malformed("an exception has no register, or a value that is none"));
        }
        ranks[register] = rank;
        found += 1;
    }
    if found == count && found == are_exceptions {
        return Ok(());
    }
    Err(malformed(format!(
        "{are_exceptions} registers are exceptions and {count} were announced, found {found}"
    )))
}
