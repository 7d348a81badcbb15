//! One Python object as one item.

use crivo::HashSpec;
use crivo_tables::Missing;
use crivo_tables::canonical_text::{self, Meaning};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyByteArray, PyBytes, PyFloat, PyInt, PyString};

/// Microseconds in a second.
pub(crate) const MICROS: i64 = 1_000_000;
const DAY: i64 = 86_400;
/// What `date(1970, 1, 1).toordinal()` is.
const ORDINAL_1970: i64 = 719_163;

/// An item.
#[derive(Clone, Debug)]
pub(crate) enum Scalar<'a> {
    /// `None`, `pandas.NA` and `NaT`: not an item.
    Missing,
    Bool(bool),
    Int(i64),
    /// An integer above the largest `i64`.
    Large(u64),
    Float(f64),
    Text(&'a str),
    Bytes(&'a [u8]),
    /// A text or bytes that were made for this.
    Owned(Vec<u8>),
    /// Days since 1970.
    Date(i64),
    /// Microseconds since 1970; in UTC, or of no time zone.
    Time {
        micros: i64,
        utc: bool,
    },
    /// Microseconds.
    Span(i64),
}

impl<'a> Scalar<'a> {
    /// Recognises an object. With `text`, numbers that have only a text are recognised too.
    pub(crate) fn of(item: &'a Bound<'_, PyAny>, text: bool) -> PyResult<Self> {
        match Self::plain(item)? {
            Some(value) => Ok(value),
            None => other(item, text),
        }
    }

    /// Recognises an object of a built-in type, which runs no code of Python.
    pub(crate) fn plain(item: &'a Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        Ok(Some(if let Ok(value) = item.cast::<PyString>() {
            Self::Text(value.to_str()?)
        } else if item.is_none() {
            Self::Missing
        } else if let Ok(value) = item.cast::<PyBool>() {
            Self::Bool(value.is_true())
        } else if item.is_instance_of::<PyInt>() {
            integer(item)?
        } else if let Ok(value) = item.cast::<PyFloat>() {
            Self::Float(value.value())
        } else if let Ok(value) = item.cast::<PyBytes>() {
            Self::Bytes(value.as_bytes())
        } else if let Ok(value) = item.cast::<PyByteArray>() {
            Self::Owned(value.to_vec())
        } else {
            return Ok(None);
        }))
    }

    /// Whether the item is its bytes, whatever the form.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self, Self::Missing | Self::Text(_) | Self::Bytes(_) | Self::Owned(_))
    }

    /// The bytes that the value takes outside of itself.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Text(value) => value.len(),
            Self::Bytes(value) => value.len(),
            Self::Owned(value) => value.len(),
            _ => 0,
        }
    }

    /// Returns the hash of the value itself; `None` for a missing one.
    pub(crate) fn hash(&self, spec: &HashSpec) -> Option<u64> {
        Some(match self {
            Self::Missing => return None,
            Self::Bool(value) => spec.hash(value),
            Self::Int(value) => spec.hash(value),
            Self::Large(value) => spec.hash(value),
            Self::Float(value) => spec.hash(value),
            Self::Text(value) => spec.hash_bytes(value.as_bytes()),
            Self::Bytes(value) => spec.hash_bytes(value),
            Self::Owned(value) => spec.hash_bytes(value),
            Self::Date(days) => time_hash(*days * DAY, 0, spec),
            Self::Time { micros, .. } | Self::Span(micros) => {
                time_hash(micros.div_euclid(MICROS), micros.rem_euclid(MICROS) * 1000, spec)
            }
        })
    }

    /// Appends the text that the command has for the value.
    pub(crate) fn write(&self, text: &mut Vec<u8>) {
        match self {
            Self::Missing => {}
            Self::Bool(value) => text.extend_from_slice(if *value { b"true" } else { b"false" }),
            Self::Int(value) => canonical_text::integer(*value, Meaning::Plain, text),
            Self::Large(value) => canonical_text::integer(*value as i64, Meaning::Unsigned, text),
            Self::Float(value) => canonical_text::float(*value, text),
            Self::Text(value) => text.extend_from_slice(value.as_bytes()),
            Self::Bytes(value) => text.extend_from_slice(value),
            Self::Owned(value) => text.extend_from_slice(value),
            Self::Date(days) => canonical_text::integer(*days, Meaning::Date, text),
            Self::Time { micros, utc } => {
                canonical_text::integer(*micros, Meaning::Timestamp { unit: MICROS, utc: *utc }, text);
            }
            Self::Span(micros) => canonical_text::integer(*micros, Meaning::Plain, text),
        }
    }

    /// Returns the hash of the text; `None` for a missing value and for a text that stands for one.
    pub(crate) fn text_hash(&self, spec: &HashSpec, missing: &Missing) -> Option<u64> {
        let mut text = Vec::new();
        self.write(&mut text);
        (!missing.contains(&text)).then(|| spec.hash_bytes(&text))
    }
}

/// Seconds and nanoseconds since 1970, as the library hashes times and durations.
pub(crate) fn time_hash(seconds: i64, nanos: i64, spec: &HashSpec) -> u64 {
    spec.hash(&(seconds, nanos as u32))
}

fn integer<'a>(item: &Bound<'_, PyAny>) -> PyResult<Scalar<'a>> {
    if let Ok(value) = item.extract::<i64>() {
        return Ok(Scalar::Int(value));
    }
    item.extract::<u64>().map(Scalar::Large).map_err(|_| {
        PyOverflowError::new_err(
            "an integer is beyond 64 bits, expected -2**63 to 2**64 - 1; pass its text or its bytes",
        )
    })
}

/// Objects of other modules, recognised by what they can do: nothing is imported for this.
fn other<'a>(item: &Bound<'_, PyAny>, text: bool) -> PyResult<Scalar<'a>> {
    let py = item.py();
    let kind: String = item.get_type().name()?.extract()?;
    if kind == "NAType" || kind == "NaTType" {
        return Ok(Scalar::Missing);
    }
    let field = |name: &str| item.getattr(name).and_then(|value| value.extract::<i64>());
    if item.hasattr(intern!(py, "dtype"))? && item.hasattr(intern!(py, "item"))? {
        return numpy_scalar(item, text);
    }
    if item.hasattr(intern!(py, "toordinal"))? {
        let days = item.call_method0(intern!(py, "toordinal"))?.extract::<i64>()? - ORDINAL_1970;
        if !item.hasattr(intern!(py, "hour"))? {
            return Ok(Scalar::Date(days));
        }
        if field("nanosecond").is_ok_and(|nanos| nanos != 0) {
            return Err(PyTypeError::new_err(
                "a time with nanoseconds cannot be a single item; pass it in an array of datetime64[ns]",
            ));
        }
        let offset = item.call_method0(intern!(py, "utcoffset"))?;
        let mut seconds = days * DAY + field("hour")? * 3600 + field("minute")? * 60 + field("second")?;
        let mut micros = field("microsecond")?;
        if !offset.is_none() {
            let of = |name: &str| offset.getattr(name).and_then(|value| value.extract::<i64>());
            seconds -= of("days")? * DAY + of("seconds")?;
            micros -= of("microseconds")?;
        }
        return Ok(Scalar::Time { micros: seconds * MICROS + micros, utc: !offset.is_none() });
    }
    if kind == "UUID" {
        return Ok(Scalar::Owned(if text {
            item.str()?.to_str()?.as_bytes().to_vec()
        } else {
            item.getattr(intern!(py, "bytes"))?.extract()?
        }));
    }
    if text && kind == "Decimal" {
        let shown: String = item.call_method1(intern!(py, "__format__"), ("f",))?.extract()?;
        return Ok(Scalar::Owned(shown.into_bytes()));
    }
    if kind == "timedelta" && !text {
        let seconds = field("days")? * DAY + field("seconds")?;
        return Ok(Scalar::Span(seconds * MICROS + field("microseconds")?));
    }
    if let Ok(buffer) = pyo3::buffer::PyBuffer::<u8>::get(item) {
        return Ok(Scalar::Owned(buffer.to_vec(py)?));
    }
    Err(PyTypeError::new_err(format!(
        "an object of type {kind} is not an item, expected str, bytes, int, float, bool or a time; pass its text or \
         its bytes"
    )))
}

/// A number of numpy is the Python number; its times are read as an array.
fn numpy_scalar<'a>(item: &Bound<'_, PyAny>, text: bool) -> PyResult<Scalar<'a>> {
    let py = item.py();
    let kind: String = item.getattr(intern!(py, "dtype"))?.getattr(intern!(py, "kind"))?.extract()?;
    if kind == "M" || kind == "m" {
        let exact = item.call_method1(intern!(py, "astype"), (format!("{kind}8[us]"),))?;
        let value = exact.call_method0(intern!(py, "item"))?;
        return if value.is_none() { Ok(Scalar::Missing) } else { other(&value, text) };
    }
    let value = item.call_method0(intern!(py, "item"))?;
    match kind.as_str() {
        "b" => Ok(Scalar::Bool(value.extract()?)),
        "i" | "u" => integer(&value),
        // The shortest text of a narrow float is shorter than that of the double.
        "f" if text => Ok(Scalar::Owned(item.str()?.to_str()?.as_bytes().to_vec())),
        "f" => Ok(Scalar::Float(value.extract()?)),
        _ => Err(PyTypeError::new_err(format!(
            "a numpy value of kind '{kind}' is not an item; pass its text or its bytes"
        ))),
    }
}
