//! The header of a page.

use super::thrift::{Flaw, Kind, Thrift};

/// The header of a page.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub(super) kind: PageKind,
    /// The number of bytes of the page, uncompressed and compressed.
    pub(super) uncompressed: u32,
    pub(super) compressed: u32,
}

/// The type of a page.
#[derive(Clone, Copy, Debug)]
pub(super) enum PageKind {
    Data {
        values: u32,
        encoding: i64,
        level_encoding: i64,
    },
    DataV2 {
        values: u32,
        nulls: u32,
        encoding: i64,
        levels: Levels,
        is_compressed: bool,
    },
    Dictionary {
        values: u32,
        encoding: i64,
    },
    /// An index page, which no writer uses.
    Other,
}

/// The number of bytes of levels.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Levels {
    pub(super) definition: u32,
    pub(super) repetition: u32,
}

impl Levels {
    pub(super) fn total(self) -> usize {
        self.definition as usize + self.repetition as usize
    }
}

impl Head {
    pub(super) fn read(thrift: &mut Thrift<'_>) -> Result<Self, Flaw> {
        let (mut number, mut kind) = (None, None);
        let (mut uncompressed, mut compressed) = (None, None);
        thrift.fields(|thrift, field, found| {
            match field {
                1 => number = Some(thrift.integer(found)?),
                2 => uncompressed = Some(thrift.count(found)?),
                3 => compressed = Some(thrift.count(found)?),
                5 | 7 | 8 => {
                    Thrift::expect_struct(found)?;
                    kind = Some((field, PageKind::read(thrift, field)?));
                }
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        let kind = match (number, kind) {
            (Some(0), Some((5, kind))) | (Some(2), Some((7, kind))) | (Some(3), Some((8, kind))) => kind,
            (Some(1), _) => PageKind::Other,
            _ => return Err(Flaw::Wrong("its kind is missing or unknown")),
        };
        match (uncompressed, compressed) {
            (Some(uncompressed), Some(compressed)) => Ok(Self { kind, uncompressed, compressed }),
            _ => Err(Flaw::Wrong("its size is missing")),
        }
    }
}

impl PageKind {
    fn read(thrift: &mut Thrift<'_>, field: i64) -> Result<Self, Flaw> {
        let mut numbers = [None; 7];
        let mut is_compressed = true;
        thrift.fields(|thrift, number, found| {
            match (number, found) {
                (7, Kind::False) => is_compressed = false,
                (1..=6, Kind::Integer) => numbers[number as usize] = Some(thrift.integer(found)?),
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        let number = |place: usize| numbers[place].ok_or(Flaw::Wrong("a number is missing"));
        let count = |place: usize| match number(place).map(i32::try_from)? {
            Ok(count) if count >= 0 => Ok(count as u32),
            _ => Err(Flaw::Wrong("a count is negative or too large")),
        };
        Ok(match field {
            5 => Self::Data { values: count(1)?, encoding: number(2)?, level_encoding: number(3)? },
            7 => Self::Dictionary { values: count(1)?, encoding: number(2)? },
            _ => Self::DataV2 {
                values: count(1)?,
                nulls: count(2)?,
                encoding: number(4)?,
                levels: Levels { definition: count(5)?, repetition: count(6)? },
                is_compressed,
            },
        })
    }
}
