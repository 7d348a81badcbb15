//! numpy arrays, by the buffer protocol: any stride, read-only or not, without the numpy crate.

use super::{PIECE, Pieces};
use arrow_array::builder::{LargeBinaryBuilder, LargeStringBuilder};
use arrow_array::{
    ArrayRef, BooleanArray, DurationMicrosecondArray, DurationMillisecondArray, DurationNanosecondArray,
    DurationSecondArray, Float32Array, Float64Array, Int64Array, TimestampMicrosecondArray,
    TimestampMillisecondArray, TimestampNanosecondArray, TimestampSecondArray, UInt64Array,
};
use pyo3::buffer::{Element, PyBuffer};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PySlice};
use std::sync::Arc;

/// How the values of an array are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    Bool,
    Signed,
    Unsigned,
    Float32,
    Float64,
    /// Bytes of a fixed width, with zeros at the end.
    Bytes(usize),
    /// Characters of four bytes, with zeros at the end.
    Text(usize),
    Time(TimeUnit),
    Duration(TimeUnit),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TimeUnit {
    Second,
    Milli,
    Micro,
    Nano,
}

/// An array of numpy, or a buffer that numpy can read.
#[derive(Debug)]
pub(crate) struct Numpy<'py> {
    array: Bound<'py, PyAny>,
    reading: Reading,
    /// The rows that have been read.
    done: usize,
    rows: usize,
    /// Whether NaN stands for a missing value, as in pandas.
    nan_is_missing: bool,
}

/// Returns the pieces of a numpy array, of a pandas column or index, or of another buffer; `None` for other objects.
pub(super) fn recognise<'py>(offered: &Bound<'py, PyAny>) -> PyResult<Option<PyResult<Pieces<'py>>>> {
    let py = offered.py();
    if let Ok(dtype) = offered.getattr(intern!(py, "dtype")) {
        // pandas before 3.0: a Series or an Index whose type numpy knows, or an array of pandas.
        let is_pandas = offered.hasattr(intern!(py, "to_numpy"))?;
        let Ok(kind) = dtype.getattr(intern!(py, "kind")).and_then(|kind| kind.extract::<String>()) else {
            return Ok(None);
        };
        if is_pandas && !dtype.hasattr(intern!(py, "byteorder"))? {
            return Ok(Some(Pieces::of_objects(&offered.call_method0(intern!(py, "tolist"))?)));
        }
        let array = if is_pandas { offered.call_method0(intern!(py, "to_numpy"))? } else { offered.clone() };
        return Ok(Some(of_array(array, &kind, is_pandas)));
    }
    // Other buffers: array.array, memoryview.
    let Ok(buffer) = pyo3::buffer::PyUntypedBuffer::get(offered) else { return Ok(None) };
    let of_one = |reading| {
        let (rows, dimensions) = (buffer.item_count(), buffer.dimensions());
        check_dimensions(dimensions)?;
        Ok(Pieces::Numpy(Numpy { array: offered.clone(), reading, done: 0, rows, nan_is_missing: false }))
    };
    let format = buffer.format().to_bytes();
    let reading = match format.last() {
        Some(b'q' | b'l') if buffer.item_size() == 8 => Reading::Signed,
        Some(b'Q' | b'L') if buffer.item_size() == 8 => Reading::Unsigned,
        Some(b'd') => Reading::Float64,
        Some(b'f') => Reading::Float32,
        _ => return Ok(None),
    };
    Ok(Some(of_one(reading)))
}

fn check_dimensions(dimensions: usize) -> PyResult<()> {
    if dimensions == 1 {
        return Ok(());
    }
    Err(PyTypeError::new_err(format!(
        "expected an array of one dimension, but found {dimensions}; choose a column, or flatten it with ravel()"
    )))
}

/// The array in a form that the buffer protocol can pass on.
fn of_array<'py>(array: Bound<'py, PyAny>, kind: &str, is_pandas: bool) -> PyResult<Pieces<'py>> {
    let py = array.py();
    check_dimensions(array.getattr(intern!(py, "ndim"))?.extract()?)?;
    let mut array = array;
    if array.hasattr(intern!(py, "compressed"))? {
        array = array.call_method0(intern!(py, "compressed"))?;
    }
    let dtype = array.getattr(intern!(py, "dtype"))?;
    let width: usize = dtype.getattr(intern!(py, "itemsize"))?.extract()?;
    let reading = match kind {
        "b" => Reading::Bool,
        "i" => Reading::Signed,
        "u" => Reading::Unsigned,
        "f" if width <= 4 => Reading::Float32,
        "f" if width == 8 => Reading::Float64,
        "S" => Reading::Bytes(width),
        "U" => Reading::Text(width / 4),
        "M" => Reading::Time(unit_of(&dtype)?),
        "m" => Reading::Duration(unit_of(&dtype)?),
        // Strings of any width.
        "T" => return Pieces::of_objects(&array),
        "O" if is_pandas => return Pieces::of_objects(&array),
        "O" => return Ok(Pieces::Objects(super::objects::Objects::new(array.try_iter()?))),
        _ => {
            return Err(PyTypeError::new_err(format!(
                "an array of {} has no items that can be hashed or ordered; convert it to numbers, texts or bytes",
                dtype.str()?
            )));
        }
    };
    let rows = array.len()?;
    Ok(Pieces::Numpy(Numpy { array, reading, done: 0, rows, nan_is_missing: is_pandas }))
}

/// The unit of a type such as `datetime64[ms]`; longer units are counted in seconds.
fn unit_of(dtype: &Bound<'_, PyAny>) -> PyResult<TimeUnit> {
    let text: String = dtype.getattr(intern!(dtype.py(), "str"))?.extract()?;
    Ok(match text.split_once('[').map_or("", |(_, unit)| unit.trim_end_matches(']')) {
        "ns" => TimeUnit::Nano,
        "us" => TimeUnit::Micro,
        "ms" => TimeUnit::Milli,
        "s" | "m" | "h" | "D" | "W" | "M" | "Y" => TimeUnit::Second,
        other => {
            return Err(PyTypeError::new_err(format!(
                "times in units of '{other}' are not supported; convert them, as in array.astype('datetime64[ns]')"
            )));
        }
    })
}

fn read<T: Element>(array: &Bound<'_, PyAny>, form: &str) -> PyResult<Vec<T>> {
    let py = array.py();
    let array = if array.hasattr(intern!(py, "astype"))? {
        let in_place = [("copy", false)].into_py_dict(py)?;
        array.call_method(intern!(py, "astype"), (form,), Some(&in_place))?
    } else {
        array.clone()
    };
    PyBuffer::<T>::get(&array)?.to_vec(py)
}

/// The numbers behind values that the buffer protocol does not know.
fn view<T: Element>(array: &Bound<'_, PyAny>, form: &str) -> PyResult<Vec<T>> {
    let py = array.py();
    let packed = array.call_method1(intern!(py, "copy"), ("C",))?;
    PyBuffer::<T>::get(&packed.call_method1(intern!(py, "view"), (form,))?)?.to_vec(py)
}

impl<'py> Numpy<'py> {
    pub(super) fn next(&mut self, py: Python<'py>) -> PyResult<Option<ArrayRef>> {
        if self.done >= self.rows {
            return Ok(None);
        }
        // A piece is copied, so that no other thread can change it meanwhile; a small copy stays in the cache.
        let end = (self.done + PIECE / 8).min(self.rows);
        let rows = PySlice::new(py, self.done as isize, end as isize, 1);
        let piece = self.array.get_item(rows)?;
        self.done = end;
        self.read(&piece).map(Some)
    }

    fn read(&self, piece: &Bound<'py, PyAny>) -> PyResult<ArrayRef> {
        let times = |unit: TimeUnit, letter: char| {
            let name = match unit {
                TimeUnit::Second => "s",
                TimeUnit::Milli => "ms",
                TimeUnit::Micro => "us",
                TimeUnit::Nano => "ns",
            };
            let counted =
                piece.call_method1(intern!(piece.py(), "astype"), (format!("={letter}8[{name}]"),))?;
            let values = view::<i64>(&counted, "=i8")?;
            // NaT, which is missing, is the smallest number.
            Ok::<_, PyErr>(values.into_iter().map(|value| (value != i64::MIN).then_some(value)))
        };
        Ok(match self.reading {
            Reading::Bool => {
                let values = view::<u8>(piece, "=u1")?;
                Arc::new(values.into_iter().map(|value| Some(value != 0)).collect::<BooleanArray>())
            }
            Reading::Signed => Arc::new(Int64Array::from(read::<i64>(piece, "=i8")?)),
            Reading::Unsigned => Arc::new(UInt64Array::from(read::<u64>(piece, "=u8")?)),
            Reading::Float32 => Arc::new(Float32Array::from(read::<f32>(piece, "=f4")?)),
            Reading::Float64 if self.nan_is_missing => {
                let values = read::<f64>(piece, "=f8")?;
                Arc::new(
                    values
                        .into_iter()
                        .map(|value| (!value.is_nan()).then_some(value))
                        .collect::<Float64Array>(),
                )
            }
            Reading::Float64 => Arc::new(Float64Array::from(read::<f64>(piece, "=f8")?)),
            Reading::Bytes(width) => bytes(piece, width)?,
            Reading::Text(width) => texts(piece, width)?,
            Reading::Time(unit) => {
                let values = times(unit, 'M')?;
                match unit {
                    TimeUnit::Second => Arc::new(values.collect::<TimestampSecondArray>()),
                    TimeUnit::Milli => Arc::new(values.collect::<TimestampMillisecondArray>()),
                    TimeUnit::Micro => Arc::new(values.collect::<TimestampMicrosecondArray>()),
                    TimeUnit::Nano => Arc::new(values.collect::<TimestampNanosecondArray>()),
                }
            }
            Reading::Duration(unit) => {
                let values = times(unit, 'm')?;
                match unit {
                    TimeUnit::Second => Arc::new(values.collect::<DurationSecondArray>()),
                    TimeUnit::Milli => Arc::new(values.collect::<DurationMillisecondArray>()),
                    TimeUnit::Micro => Arc::new(values.collect::<DurationMicrosecondArray>()),
                    TimeUnit::Nano => Arc::new(values.collect::<DurationNanosecondArray>()),
                }
            }
        })
    }
}

/// Strings of a fixed number of bytes, without the zeros at their ends, as numpy shows them.
fn bytes(piece: &Bound<'_, PyAny>, width: usize) -> PyResult<ArrayRef> {
    let rows = piece.len()?;
    let mut built = LargeBinaryBuilder::with_capacity(rows, rows * width);
    let values = if width == 0 { Vec::new() } else { view::<u8>(piece, "=u1")? };
    for row in 0..rows {
        let value = &values[row * width..(row + 1) * width];
        let length = value.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        built.append_value(&value[..length]);
    }
    Ok(Arc::new(built.finish()))
}

/// Like [`bytes`], but with characters of four bytes.
fn texts(piece: &Bound<'_, PyAny>, width: usize) -> PyResult<ArrayRef> {
    let rows = piece.len()?;
    let mut built = LargeStringBuilder::with_capacity(rows, rows * width);
    let native = piece.call_method1(intern!(piece.py(), "astype"), (format!("=U{}", width.max(1)),))?;
    let values = if width == 0 { Vec::new() } else { view::<u32>(&native, "=u4")? };
    let mut text = String::new();
    for row in 0..rows {
        let value = &values[row * width..(row + 1) * width];
        let length = value.iter().rposition(|&code| code != 0).map_or(0, |last| last + 1);
        text.clear();
        for &code in &value[..length] {
            text.push(char::from_u32(code).ok_or_else(|| {
                PyTypeError::new_err(format!(
                    "a text has the code {code:#x}, which is no character; decode it, or pass bytes"
                ))
            })?);
        }
        built.append_value(&text);
    }
    Ok(Arc::new(built.finish()))
}
