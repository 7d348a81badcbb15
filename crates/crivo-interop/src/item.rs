//! An item that is looked up in a sketch whose library hashes it.

use crate::Datum;

/// An item of a sketch of another library: whole numbers of any width are one, and texts are their UTF-8 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForeignItem<'a> {
    /// A whole number.
    Number(i64),
    /// A text or a binary.
    Bytes(&'a [u8]),
}

impl From<i64> for ForeignItem<'_> {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl<'a> From<&'a str> for ForeignItem<'a> {
    fn from(text: &'a str) -> Self {
        Self::Bytes(text.as_bytes())
    }
}

impl<'a> From<&'a [u8]> for ForeignItem<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::Bytes(bytes)
    }
}

impl Datum for ForeignItem<'_> {
    fn with_bytes<R>(&self, run: impl FnOnce(&[u8]) -> R) -> R {
        match self {
            Self::Number(number) => number.with_bytes(run),
            Self::Bytes(bytes) => run(bytes),
        }
    }
}
