//! Streams of bits, lowest bit first.

use crate::{Error, Result};
use alloc::vec::Vec;

/// Appends bits to bytes.
pub(crate) struct BitWriter<'a> {
    bytes: &'a mut Vec<u8>,
    pending: u64,
    count: u32,
}

impl<'a> BitWriter<'a> {
    pub(crate) fn new(bytes: &'a mut Vec<u8>) -> Self {
        Self { bytes, pending: 0, count: 0 }
    }

    /// Appends the low `width` (up to 56) bits of `value`.
    pub(crate) fn put(&mut self, value: u64, width: u32) {
        self.pending |= value << self.count;
        self.count += width;
        while self.count >= 8 {
            self.bytes.push(self.pending as u8);
            self.pending >>= 8;
            self.count -= 8;
        }
    }

    /// Appends `value` zeros and a one.
    pub(crate) fn put_unary(&mut self, mut value: u32) {
        while value >= 32 {
            self.put(0, 32);
            value -= 32;
        }
        self.put(1 << value, value + 1);
    }

    /// Appends `value` in Rice's code: the part above 2^`width` in unary, the rest in `width` bits.
    pub(crate) fn put_rice(&mut self, value: u64, width: u32) {
        self.put_unary((value >> width) as u32);
        let low = width.min(32);
        self.put(value & ((1 << low) - 1), low);
        self.put(value >> low & ((1 << (width - low)) - 1), width - low);
    }

    /// Fills the last byte with zeros.
    pub(crate) fn finish(self) {
        if self.count > 0 {
            self.bytes.push(self.pending as u8);
        }
    }
}

/// Reads bits from bytes.
pub(crate) struct BitReader<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> BitReader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, position: 0 }
    }

    fn bit(&mut self) -> Result<u64> {
        let byte = self
            .bytes
            .get(self.position / 8)
            .ok_or_else(|| Error::malformed("a bit stream ends too early"))?;
        let bit = byte >> (self.position % 8) & 1;
        self.position += 1;
        Ok(bit.into())
    }

    pub(crate) fn get(&mut self, width: u32) -> Result<u64> {
        (0..width).try_fold(0, |value, i| Ok(value | self.bit()? << i))
    }

    /// Reads zeros up to the next one and returns their number, which may not exceed `most`.
    pub(crate) fn unary(&mut self, most: u32) -> Result<u32> {
        for zeros in 0..=most {
            if self.bit()? == 1 {
                return Ok(zeros);
            }
        }
        Err(Error::malformed("a number in a bit stream is too large"))
    }

    /// Reads a number in Rice's code, which may not exceed `most`.
    pub(crate) fn rice(&mut self, width: u32, most: u64) -> Result<u64> {
        let high = u64::from(self.unary((most >> width) as u32)?);
        let value = high << width | self.get(width)?;
        if value > most {
            return Err(Error::malformed("a number in a bit stream is too large"));
        }
        Ok(value)
    }

    /// Checks that only zeros follow up to the end of the byte, and no bytes after it.
    pub(crate) fn finish(mut self) -> Result<()> {
        while !self.position.is_multiple_of(8) {
            if self.bit()? != 0 {
                return Err(Error::malformed("the padding bits of a bit stream are not zero"));
            }
        }
        if self.position / 8 == self.bytes.len() {
            Ok(())
        } else {
            Err(Error::malformed("bytes follow the end of a bit stream"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_got() {
        let mut bytes = Vec::new();
        let mut writer = BitWriter::new(&mut bytes);
        for i in 0..40u32 {
            writer.put_unary(i * 3);
            writer.put((u64::from(i) * 12_345) & 0xfffff, 20);
        }
        writer.finish();
        let mut reader = BitReader::new(&bytes);
        for i in 0..40u32 {
            assert_eq!(reader.unary(1000), Ok(i * 3));
            assert_eq!(reader.get(20), Ok((u64::from(i) * 12_345) & 0xfffff));
        }
        reader.finish().unwrap();
        assert!(BitReader::new(&[0]).unary(1000).is_err());
        assert!(BitReader::new(&[0, 1]).unary(7).is_err());
        assert!(BitReader::new(&[0, 0]).finish().is_err());
    }
    #[test]
    fn rice_codes_of_every_width() {
        for width in 0..60 {
            let values = [0, 1, 5 << width, (7 << width) - 1, (1 << width) - 1];
            let mut bytes = Vec::new();
            let mut writer = BitWriter::new(&mut bytes);
            for value in values {
                writer.put_rice(value, width);
            }
            writer.finish();
            let mut reader = BitReader::new(&bytes);
            for value in values {
                assert_eq!(reader.rice(width, value), Ok(value), "width {width}");
            }
            reader.finish().unwrap();
            let mut reader = BitReader::new(&bytes);
            assert!(
                (0..3).any(|i| reader.rice(width, values[i].saturating_sub(1)).is_err()),
                "width {width}"
            );
        }
    }
}
