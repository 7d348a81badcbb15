//! The bytes.
//!
//! ```text
//! byte 0     number of 4-byte words before the data: 2 with at most one level, 4 otherwise
//! byte 1     serial version: 1              byte 2  family: 17
//! byte 3     flags                          bytes 4–5  k
//! byte 6     number of levels, 0 if empty   byte 7  number of values if these follow alone, up to 4
//! two levels or more: u64 number of values, the least and the greatest
//! each level: u64 state, f32 values of a section, u8 level, u8 sections, u16 0, u32 number of values; the values
//! ```
//! Nothing names the type of the values.

use super::{FIRST_SECTIONS, K, LEAST_SECTION, Level, MOST_LEVELS, MOST_SECTIONS, Req, even};
use crate::KllItem;
use crate::murmur::murmur3_128;
use crivo::Result;
use crivo::foreign::{Reader, malformed, unsupported};
use std::cmp::Ordering;

/// The family of REQ sketches.
pub(crate) const FAMILY: u8 = 17;

const EMPTY: u8 = 1 << 2;
const HIGH: u8 = 1 << 3;
const RAW: u8 = 1 << 4;
const LOWEST_SORTED: u8 = 1 << 5;
/// Up to this many values follow the header alone.
const MOST_RAW: u64 = 4;
/// C++ 5.2.0 writes as many zeros behind them as the header of a level has bytes, which no library reads.
const UNUSED: usize = 20;

impl<T: KllItem> Req<T> {
    /// Reads a sketch of values of this type. Later coins follow from the bytes.
    ///
    /// # Errors
    /// Returns `Malformed` for corrupt bytes and for values of another type as far as that shows, and `Unsupported` for other families
    /// and versions.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        let [words, version, family, flags] = reader.array()?;
        if family != FAMILY || version != 1 {
            return Err(unsupported(format!(
                "a REQ sketch has family {FAMILY} and serial version 1, found {family} and {version}"
            )));
        }
        let k = reader.u16()?;
        if !K.contains(&k) || k % 2 == 1 {
            return Err(malformed(format!("k must be an even number of 4 to 1024, found {k}")));
        }
        // The coins must differ from those of any sketch that this one is merged with.
        let mut sketch = Self::empty(k, flags & HIGH != 0, murmur3_128(bytes, u64::from(FAMILY))[0]);
        sketch.is_lowest_sorted = flags & LOWEST_SORTED != 0;
        let [count, raw] = reader.array()?.map(usize::from);
        let is_empty = flags & EMPTY != 0;
        if (words == 4) != (count > 1)
            || !matches!(words, 2 | 4)
            || is_empty != (count == 0)
            || count > MOST_LEVELS
        {
            return Err(malformed(format!(
                "{count} levels contradict {words} words before the data and the flags {flags:#x}"
            )));
        }
        if count > 1 {
            sketch.total = reader.u64()?;
            sketch.ends = Some((T::read(&mut reader)?, T::read(&mut reader)?));
        }
        if flags & RAW == 0 {
            let level = |height| Level::read(&mut reader, k, height);
            if count > 0 {
                sketch.levels = (0..count).map(level).collect::<Result<_>>()?;
            }
        } else if count < 2 {
            sketch.levels[0].values = reader.entries(raw as u64, T::read)?;
            if raw > 1 && reader.rest() == [0; UNUSED] {
                reader.bytes(UNUSED)?;
            }
        }
        reader.finish()?;
        if count < 2 {
            sketch.total = sketch.kept() as u64;
            for value in sketch.levels[0].values.clone() {
                sketch.stretch(&value, &value);
            }
        }
        if (flags & RAW != 0) != (sketch.total <= MOST_RAW) || is_empty != (sketch.total == 0) {
            return Err(malformed(format!("the flags {flags:#x} contradict {} values", sketch.total)));
        }
        sketch.check()?;
        Ok(sketch)
    }

    /// Checks what a file says.
    fn check(&self) -> Result<()> {
        let weight = (0..).zip(&self.levels).try_fold(0u64, |sum, (height, level)| {
            (level.values.len() as u64).checked_mul(1 << height).and_then(|weight| sum.checked_add(weight))
        });
        if weight != Some(self.total) {
            return Err(malformed(format!(
                "the kept values do not stand for the {} of the stream",
                self.total
            )));
        }
        let is_sorted = |(height, level): (usize, &Level<T>)| {
            (height == 0 && !self.is_lowest_sorted)
                || level.values.is_sorted_by(|a, b| a.order(b) != Ordering::Greater)
        };
        let is_within = |(least, greatest): &(T, T)| {
            let mut ends_and_values = self.values().chain([least, greatest]);
            ends_and_values.all(|v| {
                v.has_rank() && v.order(least) != Ordering::Less && v.order(greatest) != Ordering::Greater
            })
        };
        if self.levels.iter().enumerate().all(is_sorted) && self.ends.as_ref().is_none_or(is_within) {
            return Ok(());
        }
        Err(malformed("the values are not in order, beyond the least or the greatest one, or NaN"))
    }

    /// Writes the bytes that every `DataSketches` library reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
        let (is_empty, is_raw) = (self.total == 0, self.total <= MOST_RAW);
        let flags = flag(is_empty, EMPTY)
            | flag(self.is_high, HIGH)
            | flag(is_raw, RAW)
            | flag(self.is_lowest_sorted, LOWEST_SORTED);
        let count = if is_empty { 0 } else { self.levels.len() };
        let mut bytes = vec![if count > 1 { 4 } else { 2 }, 1, FAMILY, flags];
        bytes.extend(self.k.to_le_bytes());
        bytes.extend([count as u8, if is_raw { self.total as u8 } else { 0 }]);
        if let (true, Some((min, max))) = (count > 1, &self.ends) {
            bytes.extend(self.total.to_le_bytes());
            min.write(&mut bytes);
            max.write(&mut bytes);
        }
        for (height, level) in self.levels.iter().enumerate() {
            if !is_raw {
                bytes.extend(level.state.to_le_bytes());
                bytes.extend(level.section.to_le_bytes());
                bytes.extend([height as u8, level.sections, 0, 0]);
                bytes.extend((level.values.len() as u32).to_le_bytes());
            }
            level.values.iter().for_each(|value| value.write(&mut bytes));
        }
        bytes
    }
}

impl<T: KllItem> Level<T> {
    fn read(reader: &mut Reader<'_>, k: u16, height: usize) -> Result<Self> {
        let mut level = Self::new(k);
        level.state = reader.u64()?;
        let section = f32::from_le_bytes(reader.array()?);
        let [own_height, sections, ..]: [u8; 4] = reader.array()?;
        // The sections double while they shrink by the square root of 2, as far as they can.
        while level.sections < sections.min(MOST_SECTIONS) {
            level.section /= core::f32::consts::SQRT_2;
            level.sections *= 2;
        }
        let is_near = (section - level.section).abs() <= 1e-4 * level.section;
        if level.sections != sections
            || !is_near
            || even(level.section) < LEAST_SECTION
            || usize::from(own_height) != height
        {
            return Err(malformed(format!(
                "level {height} cannot be level {own_height}, with {sections} sections of {section} values, where the first level begins with \
                 {FIRST_SECTIONS} of {k}"
            )));
        }
        level.section = section;
        let number = reader.u32()?;
        level.values = reader.entries(number.into(), T::read)?;
        Ok(level)
    }
}
