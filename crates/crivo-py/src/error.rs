//! Errors of the library as Python exceptions.

use crivo::ErrorKind;
use pyo3::PyErr;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};

/// `ValueError` with the library's sentence; `OverflowError` if a structure is full, and `TypeError` for an operation
/// that the structure does not have.
pub(crate) fn raised(error: &crivo::Error) -> PyErr {
    match error.kind() {
        ErrorKind::Full => PyOverflowError::new_err(error.to_string()),
        ErrorKind::Unsupported => PyTypeError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// As [`raised`], for bytes: what cannot be read is a wrong value, not a wrong type.
pub(crate) fn unreadable(error: &crivo::Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The chain of causes of an error of a reader, as one sentence.
pub(crate) fn explained(error: &anyhow::Error) -> PyErr {
    PyValueError::new_err(format!("{error:#}"))
}

/// `.map_err(raised)` in one word.
pub(crate) trait OrRaise<T> {
    fn or_raise(self) -> Result<T, PyErr>;
}

impl<T> OrRaise<T> for crivo::Result<T> {
    fn or_raise(self) -> Result<T, PyErr> {
        self.map_err(|error| raised(&error))
    }
}

/// Why a batch was refused.
#[derive(Debug)]
pub(crate) enum Refused {
    Type(String),
    Value(String),
    Library(crivo::Error),
}

impl From<crivo::Error> for Refused {
    fn from(error: crivo::Error) -> Self {
        Self::Library(error)
    }
}

impl Refused {
    pub(crate) fn raised(self) -> PyErr {
        match self {
            Self::Type(text) => PyTypeError::new_err(text),
            Self::Value(text) => PyValueError::new_err(text),
            Self::Library(error) => raised(&error),
        }
    }
}
