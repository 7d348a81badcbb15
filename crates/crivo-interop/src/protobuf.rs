//! The fields of a protocol buffer: numbers, and bytes with their length.

use crivo::Result;
use crivo::foreign::{Reader, malformed};

/// The wire types of a number and of bytes.
const VARINT: u64 = 0;
const BYTES: u64 = 2;

/// The value of a field.
pub(crate) enum Value<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

/// Passes every field of a message to `each`, with its number.
pub(crate) fn fields<'a>(bytes: &'a [u8], mut each: impl FnMut(u64, Value<'a>) -> Result<()>) -> Result<()> {
    let mut reader = Reader::new(bytes);
    while !reader.rest().is_empty() {
        let tag = varint(&mut reader)?;
        let value = match tag & 7 {
            VARINT => Value::Number(varint(&mut reader)?),
            BYTES => {
                let length = varint(&mut reader)?;
                Value::Bytes(reader.bytes(usize::try_from(length).unwrap_or(usize::MAX))?)
            }
            kind => return Err(malformed(format!("a field has the wire type {kind}, expected 0 or 2"))),
        };
        each(tag >> 3, value)?;
    }
    Ok(())
}

/// Reads a number of seven bits to a byte, lowest first.
pub(crate) fn varint(reader: &mut Reader<'_>) -> Result<u64> {
    let mut number = 0u64;
    for shift in (0..64).step_by(7) {
        let byte = reader.u8()?;
        number |= u64::from(byte & 127) << shift;
        if byte < 128 {
            return Ok(number);
        }
    }
    Err(malformed("a number takes more than ten bytes"))
}

/// Writes a number.
pub(crate) fn put_varint(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 127 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Writes a field, if there is a number.
pub(crate) fn put_number(bytes: &mut Vec<u8>, field: u64, number: Option<u64>) {
    if let Some(number) = number {
        put_varint(bytes, field << 3 | VARINT);
        put_varint(bytes, number);
    }
}

/// Writes a field of bytes or of a message.
pub(crate) fn put_bytes(bytes: &mut Vec<u8>, field: u64, content: &[u8]) {
    put_varint(bytes, field << 3 | BYTES);
    put_varint(bytes, content.len() as u64);
    bytes.extend(content);
}
