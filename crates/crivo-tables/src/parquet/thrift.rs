//! Thrift's compact protocol, as far as Parquet needs it: integers, texts, lists and structs.
//!
//! A count that the remaining bytes cannot hold is an error, nesting is limited to [`DEPTH`], and a field of an
//! unexpected type is an error. So reading takes time and memory in proportion to the number of bytes.

/// The deepest nesting that is accepted. Parquet's structs nest 7 deep.
const DEPTH: u32 = 32;

/// The type of a field or of a list's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    True,
    False,
    Byte,
    /// An integer of 16, 32 or 64 bits: all have one encoding.
    Integer,
    Double,
    Binary,
    List,
    Map,
    Struct,
    Uuid,
}

/// Why bytes cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    /// The bytes end too early.
    Cut,
    /// The bytes are invalid.
    Wrong(&'static str),
}

impl Flaw {
    pub(super) fn explain(self) -> &'static str {
        match self {
            Self::Cut => "it ends too early",
            Self::Wrong(what) => what,
        }
    }
}

type Result<T> = std::result::Result<T, Flaw>;

/// The bytes that have not been read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thrift<'a> {
    pub(super) bytes: &'a [u8],
}

impl<'a> Thrift<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(count).ok_or(Flaw::Cut)?;
        self.bytes = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8> {
        Ok(self.take(1)?[0])
    }

    fn varint(&mut self) -> Result<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(Flaw::Wrong("an integer is longer than ten bytes"))
    }

    /// Calls `each` with the number and the kind of each field of a struct. `each` reads the field and returns
    /// true, or leaves it to be skipped.
    pub(super) fn fields(
        &mut self,
        mut each: impl FnMut(&mut Self, i64, Kind) -> Result<bool>,
    ) -> Result<()> {
        let mut number = 0;
        while let Some((next, kind)) = self.field(number)? {
            number = next;
            if !each(self, number, kind)? {
                self.skip(kind, DEPTH)?;
            }
        }
        Ok(())
    }

    /// Returns the next field of a struct behind field `last`, or `None` at its end.
    fn field(&mut self, last: i64) -> Result<Option<(i64, Kind)>> {
        let head = self.byte()?;
        if head.trailing_zeros() >= 4 {
            return Ok(None);
        }
        let number = match head >> 4 {
            0 => {
                let number = self.zigzag()?;
                i16::try_from(number).map_err(|_| Flaw::Wrong("a field has no number of 16 bits"))?.into()
            }
            step => last + i64::from(step),
        };
        Ok(Some((number, kind(head & 0xf)?)))
    }

    fn zigzag(&mut self) -> Result<i64> {
        let value = self.varint()?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// Reads a 64-bit integer.
    pub(super) fn integer(&mut self, kind: Kind) -> Result<i64> {
        match kind {
            Kind::Integer => self.zigzag(),
            Kind::Byte => Ok((self.byte()? as i8).into()),
            _ => Err(Flaw::Wrong("a field is not an integer")),
        }
    }

    /// Reads an integer that is not negative and has at most 31 bits.
    pub(super) fn count(&mut self, kind: Kind) -> Result<u32> {
        let count = i32::try_from(self.integer(kind)?).ok().and_then(|count| u32::try_from(count).ok());
        count.ok_or(Flaw::Wrong("a count is negative or too large"))
    }

    /// Reads a text, or any bytes.
    pub(super) fn binary(&mut self, kind: Kind) -> Result<&'a [u8]> {
        if kind != Kind::Binary {
            return Err(Flaw::Wrong("a field is not a text"));
        }
        let length = self.varint()?;
        self.take(usize::try_from(length).map_err(|_| Flaw::Cut)?)
    }

    /// Calls `each` for each struct of a list.
    pub(super) fn structs(
        &mut self,
        kind: Kind,
        mut each: impl FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let (count, element) = self.list(kind)?;
        if count > 0 && element != Kind::Struct {
            return Err(Flaw::Wrong("a list has no structs"));
        }
        (0..count).try_for_each(|_| each(self))
    }

    /// Checks that a field is a struct, whose fields come next.
    pub(super) fn expect_struct(kind: Kind) -> Result<()> {
        if kind == Kind::Struct { Ok(()) } else { Err(Flaw::Wrong("a field is not a struct")) }
    }

    /// Returns the number of elements of a list, and their kind. Each element takes at least one byte.
    fn list(&mut self, found: Kind) -> Result<(u64, Kind)> {
        if found != Kind::List {
            return Err(Flaw::Wrong("a field is not a list"));
        }
        let head = self.byte()?;
        let count = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
        if count > self.bytes.len() as u64 {
            return Err(Flaw::Cut);
        }
        // Some writers give an empty list no kind.
        let element = if count == 0 { Kind::Byte } else { kind(head & 0xf)? };
        Ok((count, element))
    }

    fn skip(&mut self, found: Kind, depth: u32) -> Result<()> {
        let depth = depth.checked_sub(1).ok_or(Flaw::Wrong("it nests too deeply"))?;
        match found {
            Kind::True | Kind::False => {}
            Kind::Byte => drop(self.byte()?),
            Kind::Integer => drop(self.varint()?),
            Kind::Double => drop(self.take(8)?),
            Kind::Uuid => drop(self.take(16)?),
            Kind::Binary => drop(self.binary(found)?),
            Kind::List => {
                let (count, element) = self.list(found)?;
                for _ in 0..count {
                    self.skip_element(element, depth)?;
                }
            }
            Kind::Map => {
                let count = self.varint()?;
                if count > self.bytes.len() as u64 {
                    return Err(Flaw::Cut);
                }
                if count > 0 {
                    let kinds = self.byte()?;
                    for _ in 0..count {
                        self.skip_element(kind(kinds >> 4)?, depth)?;
                        self.skip_element(kind(kinds & 0xf)?, depth)?;
                    }
                }
            }
            Kind::Struct => {
                while let Some((_, kind)) = self.field(0)? {
                    self.skip(kind, depth)?;
                }
            }
        }
        Ok(())
    }

    /// Skips an element. A boolean is part of a field's header, but takes a byte in a list.
    fn skip_element(&mut self, found: Kind, depth: u32) -> Result<()> {
        let is_truth = matches!(found, Kind::True | Kind::False);
        self.skip(if is_truth { Kind::Byte } else { found }, depth)
    }
}

fn kind(code: u8) -> Result<Kind> {
    Ok(match code {
        1 => Kind::True,
        2 => Kind::False,
        3 => Kind::Byte,
        4..=6 => Kind::Integer,
        7 => Kind::Double,
        8 => Kind::Binary,
        // A set has the encoding of a list.
        9 | 10 => Kind::List,
        11 => Kind::Map,
        12 => Kind::Struct,
        13 => Kind::Uuid,
        _ => return Err(Flaw::Wrong("there is no such type")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<Vec<(i64, Option<i64>)>> {
        let mut found = Vec::new();
        Thrift::new(bytes).fields(|thrift, number, kind| {
            let value = (kind == Kind::Integer).then(|| thrift.integer(kind)).transpose()?;
            found.push((number, value));
            Ok(value.is_some())
        })?;
        Ok(found)
    }

    #[test]
    fn fields_are_read_or_skipped() {
        // 1: i32 -1; 3: a list of two booleans; 4: {1: "ab", 2: true}; 1000: i64 2^63 - 1; 1001: a map of i32 to
        // double.
        let mut bytes = vec![0x15, 1, 0x29, 0x21, 1, 2, 0x1c, 0x18, 2, b'a', b'b', 0x11, 0];
        bytes.extend([0x06, 0xd0, 0x0f, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]);
        bytes.extend([0x1b, 1, 0x57, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        let found = read(&bytes).unwrap();
        assert_eq!(found, [(1, Some(-1)), (3, None), (4, None), (1000, Some(i64::MAX)), (1001, None)]);
        for length in 0..bytes.len() {
            assert_eq!(read(&bytes[..length]), Err(Flaw::Cut), "the first {length} bytes");
        }
    }

    #[test]
    fn nothing_is_believed_that_the_bytes_cannot_hold() {
        for (bytes, flaw) in [
            // Lists of 2^31 - 1 booleans, structs and empty lists; a map of as many entries; a text; an integer
            // without an end.
            (vec![0x19, 0xf1, 0xff, 0xff, 0xff, 0xff, 0x07, 0], Flaw::Cut),
            (vec![0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x07, 0], Flaw::Cut),
            (vec![0x19, 0xf9, 0xff, 0xff, 0xff, 0xff, 0x07, 0], Flaw::Cut),
            (vec![0x1b, 0xff, 0xff, 0xff, 0xff, 0x07, 0x11, 0], Flaw::Cut),
            (vec![0x18, 0xff, 0xff, 0xff, 0xff, 0x07, 0x11, 0], Flaw::Cut),
            ([&[0x15][..], &[0xff; 1000]].concat(), Flaw::Wrong("an integer is longer than ten bytes")),
            (vec![0x1e], Flaw::Wrong("there is no such type")),
            (vec![0x1c; 1_000_000], Flaw::Wrong("it nests too deeply")),
            (vec![0x19; 1_000_000], Flaw::Wrong("it nests too deeply")),
        ] {
            assert_eq!(read(&bytes), Err(flaw), "{:x?}", &bytes[..6.min(bytes.len())]);
        }
    }

    #[test]
    fn a_field_of_another_type_is_an_error() {
        let mut thrift = Thrift::new(&[2, b'a', b'b']);
        assert!(thrift.integer(Kind::Binary).is_err() && thrift.binary(Kind::Integer).is_err());
        assert!(thrift.structs(Kind::Integer, |_| Ok(())).is_err());
        assert!(Thrift::new(&[0x15, 2]).structs(Kind::List, |_| Ok(())).is_err());
        assert!(Thrift::new(&[1]).count(Kind::Integer).is_err(), "-1");
        assert_eq!(Thrift::new(&[0xff]).integer(Kind::Byte), Ok(-1));
    }
}
