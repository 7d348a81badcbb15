//! A reader that checks every length before using it.

use crate::{Error, Result};
use alloc::vec::Vec;

/// A cursor over bytes; a read beyond the end returns `Malformed`.
#[derive(Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Creates a reader at the first of these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Returns the bytes that were not read yet.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Reads this many bytes.
    ///
    /// # Errors
    /// Returns `Malformed` beyond the end.
    pub fn bytes(&mut self, count: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or_else(too_short)?;
        self.rest = rest;
        Ok(taken)
    }

    /// Reads an array.
    ///
    /// # Errors
    /// Returns `Malformed` beyond the end.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or_else(too_short)?;
        self.rest = rest;
        Ok(*taken)
    }

    /// Reads a byte.
    ///
    /// # Errors
    /// Returns `Malformed` beyond the end.
    pub fn u8(&mut self) -> Result<u8> {
        Ok(self.array::<1>()?[0])
    }

    /// Reads a number of two bytes, lowest first.
    ///
    /// # Errors
    /// Returns `Malformed` beyond the end.
    pub fn u16(&mut self) -> Result<u16> {
        self.array().map(u16::from_le_bytes)
    }

    /// Reads a number of four bytes, lowest first.
    ///
    /// # Errors
    /// Returns `Malformed` beyond the end.
    pub fn u32(&mut self) -> Result<u32> {
        self.array().map(u32::from_le_bytes)
    }

    /// Reads a number of eight bytes, lowest first.
    ///
    /// # Errors
    /// Returns `Malformed` beyond the end.
    pub fn u64(&mut self) -> Result<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// Reads a number in groups of seven bits, lowest first. It must be in its shortest form, since equal
    /// sketches must have equal bytes.
    pub(crate) fn u64_varint(&mut self) -> Result<u64> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.u8()?;
            let group = u64::from(byte & 0x7f);
            if shift == 63 && group > 1 {
                break;
            }
            value |= group << shift;
            if byte & 0x80 == 0 {
                if group == 0 && shift > 0 {
                    break;
                }
                return Ok(value);
            }
        }
        Err(Error::malformed("a number is too large or not in its shortest form"))
    }

    /// Reads a number of at most 32 bits.
    pub(crate) fn u32_varint(&mut self) -> Result<u32> {
        let number = self.u64_varint()?;
        number.try_into().map_err(|_| Error::malformed(alloc::format!("a size of {number} is too large")))
    }

    /// Reads a signed number.
    pub(crate) fn i64_varint(&mut self) -> Result<i64> {
        let folded = self.u64_varint()?;
        Ok((folded >> 1) as i64 ^ -((folded & 1) as i64))
    }

    /// Reads a length and that many bytes.
    pub(crate) fn framed(&mut self) -> Result<&'a [u8]> {
        let length = self.u64_varint()?;
        self.bytes(usize::try_from(length).map_err(|_| too_short())?)
    }

    /// Reads a tag, which must equal `wanted`; `name` maps a tag to its name for the message.
    pub(crate) fn tag(
        &mut self,
        wanted: u8,
        wanted_name: &str,
        name: impl Fn(u8) -> &'static str,
    ) -> Result<()> {
        let tag = self.u8()?;
        if tag == wanted {
            return Ok(());
        }
        Err(Error::incompatible(
            "elements",
            alloc::format!("the requested tag is {wanted} ({wanted_name})"),
            alloc::format!("the sketch has {tag} ({})", name(tag)),
            "read it as its own type, or with crivo::decode",
        ))
    }

    /// Takes a value off the front with the function `take`.
    pub(crate) fn take<T>(&mut self, take: impl FnOnce(&mut &'a [u8]) -> Result<T>) -> Result<T> {
        take(&mut self.rest)
    }

    /// Reads `count` entries. It reserves memory for at most eight times the bytes that are left, so that a
    /// false count cannot allocate much.
    ///
    /// # Errors
    /// Returns `Malformed` beyond the end, and the errors of `read`.
    pub fn entries<T>(&mut self, count: u64, read: impl Fn(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let most = self.rest.len().saturating_mul(8) / size_of::<T>().max(1);
        let mut entries = Vec::with_capacity(most.min(usize::try_from(count).unwrap_or(usize::MAX)));
        for _ in 0..count {
            entries.push(read(self)?);
        }
        entries.shrink_to_fit();
        Ok(entries)
    }

    /// Returns all remaining bytes.
    pub(crate) fn take_rest(&mut self) -> &'a [u8] {
        core::mem::take(&mut self.rest)
    }

    /// Refuses remaining bytes.
    ///
    /// # Errors
    /// Returns `Malformed` if there are any.
    pub fn finish(&self) -> Result<()> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(Error::malformed(alloc::format!(
                "the file is corrupt: {} bytes follow its end",
                self.rest.len()
            )))
        }
    }
}

fn too_short() -> Error {
    Error::malformed("the file is corrupt: it ends too early")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::{put_i64_varint, put_u64_varint};

    #[test]
    fn varints_round_trip_in_one_form_only() {
        for value in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX - 1, u64::MAX] {
            let mut bytes = Vec::new();
            put_u64_varint(&mut bytes, value);
            let mut reader = Reader::new(&bytes);
            assert_eq!(reader.u64_varint(), Ok(value));
            reader.finish().unwrap();
        }
        for bad in [&[0x80, 0x00][..], &[0xff; 10], &[0x80], &[], &[0x80; 12]] {
            assert!(Reader::new(bad).u64_varint().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn numbers_of_either_sign_round_trip() {
        for (value, first) in
            [(0, 0), (-1, 1), (1, 2), (-64, 127), (64, 0x80), (i64::MAX, 0xfe), (i64::MIN, 0xff)]
        {
            let mut bytes = Vec::new();
            put_i64_varint(&mut bytes, value);
            assert_eq!((Reader::new(&bytes).i64_varint(), bytes[0]), (Ok(value), first));
        }
    }

    #[test]
    fn a_length_is_checked_before_it_is_believed() {
        let mut bytes = Vec::new();
        put_u64_varint(&mut bytes, u64::MAX);
        assert!(Reader::new(&bytes).framed().is_err());
        assert!(Reader::new(&bytes).entries(u64::MAX, Reader::u8).is_err());
    }
}
