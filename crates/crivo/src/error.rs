//! The error type of the library.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

/// The category of an [`Error`], for programs to match on; the message is for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A parameter is out of range, is not a number, or describes a structure that cannot exist.
    InvalidArgument,
    /// Two sketches differ in kind, parameters or hash and cannot be combined.
    Incompatible,
    /// The sketch is empty, so it has no answer.
    Empty,
    /// The structure has no room for another item. Nothing was changed.
    Full,
    /// The bytes are corrupt or truncated, or were never a sketch.
    Malformed,
    /// This structure or this version of the library does not support the operation or the file.
    Unsupported,
}

/// An error with a [kind](Error::kind) for programs, and a message for people that says what was expected,
/// what was found, and what to do.
///
/// ```
/// use crivo::{BloomParams, ErrorKind};
/// let error = BloomParams::for_fpr(1000, 1.5).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::InvalidArgument);
/// assert!(error.to_string().contains("1.5"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: Cow<'static, str>,
}

/// The result type of the library.
pub type Result<T, E = Error> = core::result::Result<T, E>;

impl Error {
    /// Returns the kind of failure.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    fn new(kind: ErrorKind, message: impl Into<Cow<'static, str>>) -> Self {
        Self { kind, message: message.into() }
    }

    pub(crate) fn invalid(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::InvalidArgument, message)
    }

    /// `question` has no answer where nothing was inserted.
    pub(crate) fn empty(question: &str) -> Self {
        Self::new(ErrorKind::Empty, alloc::format!("an empty sketch has no {question}; insert values first"))
    }

    pub(crate) fn full(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Full, message)
    }

    pub(crate) fn malformed(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Malformed, message)
    }

    pub(crate) fn unsupported(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Unsupported, message)
    }

    /// Creates the error for two randomised sketches that are not independent.
    pub(crate) fn same_choices(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Incompatible, message)
    }

    /// Creates the error for two sketches that differ in `field`; `what_to_do` completes the sentence.
    pub(crate) fn incompatible(
        field: &str,
        ours: impl fmt::Display,
        theirs: impl fmt::Display,
        what_to_do: &str,
    ) -> Self {
        let message: String = alloc::format!("sketches differ in {field}: {ours} and {theirs}; {what_to_do}");
        Self::new(ErrorKind::Incompatible, message)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn incompatible_names_field_values_and_remedy() {
        let error = Error::incompatible("precision", 12, 14, "fold the larger one first");
        assert_eq!(error.kind(), ErrorKind::Incompatible);
        assert_eq!(
            alloc::format!("{error}"),
            "sketches differ in precision: 12 and 14; fold the larger one first"
        );
    }
}
