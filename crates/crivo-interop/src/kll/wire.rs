//! The bytes.
//!
//! ```text
//! byte 0     number of 4-byte words before the data: 2 empty or one value, 5 otherwise
//! byte 1     serial version: 1, or 2 for one value          byte 2   family: 15
//! byte 3     flags                                          bytes 4–5 k    byte 6  least capacity of a level
//! one value: it follows
//! otherwise: u64 number of values, u16 least k, u8 levels, a byte; u32 start of each level, counted from the room of all; the least,
//!            the greatest, and all kept values, lowest level first
//! ```
//! Nothing names the type of the values.

use super::{K, Kll, KllItem, LEAST, MOST_LEVELS, room};
use crate::murmur::murmur3_128;
use crivo::Result;
use crivo::foreign::{Reader, malformed, unsupported};

/// The family of KLL sketches.
pub(crate) const FAMILY: u8 = 15;

const EMPTY: u8 = 1;
const LOWEST_SORTED: u8 = 1 << 1;
const SINGLE: u8 = 1 << 2;

impl<T: KllItem> Kll<T> {
    /// Reads a compact sketch of values of this type. Later coins follow from the bytes.
    ///
    /// # Errors
    /// Returns `Malformed` for corrupt bytes and for values of another type as far as that shows, and `Unsupported` for other families
    /// and versions.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        let [words, version, family, flags] = reader.array()?;
        if family != FAMILY || !matches!(version, 1 | 2) {
            return Err(unsupported(format!(
                "a compact KLL sketch has family {FAMILY} and serial version 1 or 2, found {family} and {version}"
            )));
        }
        let k = reader.u16()?;
        let [least_capacity, _] = reader.array()?;
        if !K.contains(&k) || least_capacity != LEAST {
            return Err(malformed(format!(
                "k must be 8 to 65535 and the least capacity {LEAST}, found {k} and {least_capacity}"
            )));
        }
        // The coins must differ from those of any sketch that this one is merged with.
        let mut sketch = Self::empty(k, murmur3_128(bytes, u64::from(FAMILY))[0]);
        sketch.is_lowest_sorted = flags & LOWEST_SORTED != 0;
        match (words, flags & EMPTY != 0, flags & SINGLE != 0) {
            (2, true, false) => {}
            (2, false, true) => {
                let value = T::read(&mut reader)?;
                sketch.ends = Some((value.clone(), value.clone()));
                sketch.levels[0].push(value);
                sketch.total = 1;
            }
            (5, false, false) => sketch.read_levels(&mut reader)?,
            _ => {
                return Err(malformed(format!(
                    "{words} words before the data contradict the flags {flags:#x}"
                )));
            }
        }
        reader.finish()?;
        sketch.check()?;
        Ok(sketch)
    }

    fn read_levels(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        self.total = reader.u64()?;
        self.least_k = reader.u16()?;
        let [count, _] = reader.array()?.map(usize::from);
        if !(1..=MOST_LEVELS).contains(&count) || self.total == 0 {
            return Err(malformed(format!(
                "a sketch has 1 to {MOST_LEVELS} levels and at least a value, found {count} and {}",
                self.total
            )));
        }
        let room = room(self.k, count) as u32;
        let mut starts = reader.entries(count as u64, Reader::u32)?;
        starts.push(room);
        if !starts.is_sorted() {
            return Err(malformed(format!("the levels do not start in order, up to {room}")));
        }
        self.ends = Some((T::read(reader)?, T::read(reader)?));
        let level = |pair: &[u32]| reader.entries((pair[1] - pair[0]).into(), T::read);
        self.levels = starts.windows(2).map(level).collect::<Result<_>>()?;
        Ok(())
    }

    /// Writes the compact form, which every `DataSketches` library reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (words, version, kind) = match self.total {
            0 => (2, 1, EMPTY),
            1 => (2, 2, SINGLE),
            _ => (5, 1, 0),
        };
        let sorted = if self.is_lowest_sorted { LOWEST_SORTED } else { 0 };
        let mut bytes = vec![words, version, FAMILY, kind | sorted];
        bytes.extend(self.k.to_le_bytes());
        bytes.extend([LEAST, 0]);
        if self.total > 1 {
            bytes.extend(self.total.to_le_bytes());
            bytes.extend(self.least_k.to_le_bytes());
            bytes.extend([self.levels.len() as u8, 0]);
            let mut start = (room(self.k, self.levels.len()) - self.kept()) as u32;
            for level in &self.levels {
                bytes.extend(start.to_le_bytes());
                start += level.len() as u32;
            }
            if let Some((min, max)) = &self.ends {
                min.write(&mut bytes);
                max.write(&mut bytes);
            }
        }
        self.levels.iter().flatten().for_each(|value| value.write(&mut bytes));
        bytes
    }
}
