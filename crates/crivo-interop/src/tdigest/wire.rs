//! The bytes.
//!
//! ```text
//! byte 0     number of 8-byte words before the data: 1 empty or one value, 2 otherwise
//! byte 1     serial version: 1          byte 2     family: 20       bytes 3–4  k
//! byte 5     flags: 1 empty, 2 one value, 4 the next merge goes backwards  bytes 6–7  reserved
//! one value: it follows
//! otherwise: u32 number of centroids, u32 number of single values; the least, the greatest, the centroids (mean and weight), the values
//! ```
//! Values are doubles, and weights have 64 bits; or floats, and weights have 32 bits. Only the length says which.

use super::{Centroid, LEAST_K, TDigest};
use crivo::Result;
use crivo::foreign::{Reader, malformed, unsupported};

/// The family of t-digests.
pub(crate) const FAMILY: u8 = 20;
const EMPTY: u8 = 1;
const SINGLE: u8 = 1 << 1;
const BACKWARDS: u8 = 1 << 2;

impl TDigest {
    /// Reads a digest. Without a value, it is one of doubles.
    ///
    /// # Errors
    /// Returns `Malformed` for corrupt bytes, and `Unsupported` for another family or version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        let [words, version, family] = reader.array()?;
        if family != FAMILY || version != 1 {
            return Err(unsupported(format!(
                "a t-digest has family {FAMILY} and serial version 1, found {family} and {version}"
            )));
        }
        let (k, flags, reserved) = (reader.u16()?, reader.u8()?, reader.u16()?);
        let form = (words, flags & !BACKWARDS);
        if !matches!(form, (1, EMPTY | SINGLE) | (2, 0)) || k < LEAST_K || reserved != 0 {
            return Err(malformed(format!(
                "{words} words before the data, the flags {flags:#x} and k = {k} contradict each other"
            )));
        }
        let mut digest = Self { backwards: flags & BACKWARDS != 0, ..Self::for_k(k)? };
        match form {
            (2, _) => digest.read_centroids(&mut reader)?,
            (_, SINGLE) => {
                digest.is_of_floats = reader.rest().len() < 8;
                let value = digest.read_value(&mut reader)?;
                digest.ends = Some((value, value));
                digest.centroids.push(Centroid { mean: value, weight: 1 });
            }
            _ => {}
        }
        reader.finish()?;
        digest.check()?;
        Ok(digest)
    }

    fn read_centroids(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        let [means, singles] = [reader.u32()?, reader.u32()?].map(u64::from);
        let words = 2 + 2 * means + singles;
        self.is_of_floats = match reader.rest().len() as u64 {
            length if length == words * 8 => false,
            length if length == words * 4 => true,
            _ => {
                return Err(malformed(format!("{means} centroids and {singles} values have another length")));
            }
        };
        self.ends = Some((self.read_value(reader)?, self.read_value(reader)?));
        self.centroids = reader.entries(means, |reader| {
            let mean = self.read_value(reader)?;
            let weight = if self.is_of_floats { reader.u32()?.into() } else { reader.u64()? };
            Ok(Centroid { mean, weight })
        })?;
        self.values = reader.entries(singles, |reader| self.read_value(reader))?;
        Ok(())
    }

    fn read_value(&self, reader: &mut Reader<'_>) -> Result<f64> {
        if self.is_of_floats {
            return Ok(f32::from_le_bytes(reader.array()?).into());
        }
        Ok(f64::from_le_bytes(reader.array()?))
    }

    /// Checks what a file says.
    fn check(&self) -> Result<()> {
        let Some((least, greatest)) = self.ends else { return Ok(()) };
        let singles = self.values.len() as u64;
        let total = self.centroids.iter().try_fold(singles, |sum, it| sum.checked_add(it.weight));
        let means = || self.centroids.iter().map(|it| it.mean);
        let is_within = |value: f64| value >= least && value <= greatest;
        let is_sound = total.is_some_and(|total| total > 0)
            && least.is_finite()
            && greatest.is_finite()
            && means().chain(self.values.iter().copied()).all(is_within)
            && means().is_sorted()
            && self.centroids.iter().all(|it| it.weight > 0);
        if is_sound {
            return Ok(());
        }
        Err(malformed(
            "the means are not in order between the least and the greatest value, or one has no weight",
        ))
    }

    /// Writes the bytes that every `DataSketches` library reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let total = self.total();
        let (words, form) = match total {
            0 => (1, EMPTY),
            1 => (1, SINGLE),
            _ => (2, 0),
        };
        let mut bytes = vec![words, 1, FAMILY];
        bytes.extend(self.k.to_le_bytes());
        bytes.extend([form | if self.backwards { BACKWARDS } else { 0 }, 0, 0]);
        let Some((least, greatest)) = self.ends else { return bytes };
        if total == 1 {
            self.write_value(least, &mut bytes);
            return bytes;
        }
        bytes.extend((self.centroids.len() as u32).to_le_bytes());
        bytes.extend((self.values.len() as u32).to_le_bytes());
        self.write_value(least, &mut bytes);
        self.write_value(greatest, &mut bytes);
        for it in &self.centroids {
            self.write_value(it.mean, &mut bytes);
            bytes.extend(&it.weight.to_le_bytes()[..if self.is_of_floats { 4 } else { 8 }]);
        }
        self.values.iter().for_each(|&value| self.write_value(value, &mut bytes));
        bytes
    }

    fn write_value(&self, value: f64, bytes: &mut Vec<u8>) {
        if self.is_of_floats {
            bytes.extend((value as f32).to_le_bytes());
        } else {
            bytes.extend(value.to_le_bytes());
        }
    }
}
