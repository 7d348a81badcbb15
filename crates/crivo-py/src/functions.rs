//! The functions of the module.

use crate::error::OrRaise;
use crate::input::Pieces;
use crate::kinds as classes;
use crate::kinds::profiles;
use crate::profile;
use crate::sketch::{Sketch, decoded, spec_of, write_file};
use crate::table::Table;
use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, Float64Array, LargeStringArray, UInt64Array};
use arrow_cast::cast;
use arrow_schema::DataType;
use crivo::Kind;
use crivo::similarity::Shingles;
use crivo::sketch::Sketch as AnySketch;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use std::path::PathBuf;
use std::sync::Arc;

/// The kinds of sketches.
///
/// Returns
/// -------
/// Table
///     The columns ``name``, ``family``, ``merge`` and ``summary``.
#[pyfunction]
pub(crate) fn kinds() -> PyResult<Table> {
    let column = |text: fn(Kind) -> Option<&'static str>| -> ArrayRef {
        Arc::new(Kind::ALL.iter().map(|&kind| text(kind)).collect::<LargeStringArray>())
    };
    Table::new(vec![
        ("name", column(|kind| Some(kind.name()))),
        ("family", column(|kind| Some(kind.family().name()))),
        (
            "merge",
            column(|kind| match kind.merge_law() {
                Some(crivo::MergeLaw::Exact) => Some("exact"),
                Some(crivo::MergeLaw::Bounded) => Some("bounded"),
                Some(_) => Some("distribution"),
                None => None,
            }),
        ),
        ("summary", column(|kind| Some(kind.summary()))),
    ])
}

/// Read a sketch of any kind from its bytes.
///
/// Parameters
/// ----------
/// data : bytes
///     What ``to_bytes`` returned, or the contents of a file of the command.
/// key : bytes, optional
///     The 16 secret bytes of a keyed sketch.
#[pyfunction]
#[pyo3(signature = (data, key=None))]
pub(crate) fn from_bytes<'py>(
    py: Python<'py>,
    data: &[u8],
    key: Option<&[u8]>,
) -> PyResult<Bound<'py, PyAny>> {
    classes::wrap(py, decoded(py, data, key)?)
}

/// Read a sketch of any kind from a file, such as one of the command.
///
/// Parameters
/// ----------
/// path : path
///     The file.
/// key : bytes, optional
///     The 16 secret bytes of a keyed sketch.
#[pyfunction]
#[pyo3(signature = (path, key=None))]
pub(crate) fn load(py: Python<'_>, path: PathBuf, key: Option<Vec<u8>>) -> PyResult<Bound<'_, PyAny>> {
    let bytes = py.detach(|| std::fs::read(&path));
    let bytes = bytes.map_err(|error| {
        PyErr::from(std::io::Error::new(error.kind(), format!("{}: {error}", path.display())))
    })?;
    classes::wrap(py, decoded(py, &bytes, key.as_deref())?)
}

/// Write a sketch to a file that the command can read. The file appears complete or not at all.
///
/// Parameters
/// ----------
/// sketch : Sketch
///     The sketch.
/// path : path
///     The file.
#[pyfunction]
pub(crate) fn save(sketch: &Bound<'_, Sketch>, path: PathBuf) -> PyResult<()> {
    let py = sketch.py();
    let bytes = sketch.get().shared.with(py, |sketch| sketch.to_bytes())?;
    write_file(py, &path, &bytes)
}

/// Merge sketches of one kind: a new sketch of all streams.
///
/// Parameters
/// ----------
/// sketches : iterable of Sketch or bytes, or an Arrow column of bytes
///     At least one.
#[pyfunction]
pub(crate) fn merge<'py>(sketches: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = sketches.py();
    let mut whole: Option<Box<dyn AnySketch>> = None;
    let mut take = |sketch: Box<dyn AnySketch>| -> PyResult<()> {
        py.check_signals()?;
        match &mut whole {
            None => whole = Some(sketch),
            Some(whole) => py.detach(|| classes::merge(whole, &*sketch)).or_raise()?,
        }
        Ok(())
    };
    if sketches.hasattr("__arrow_c_stream__")? || sketches.hasattr("__arrow_c_array__")? {
        for piece in Pieces::of(sketches)?.all(py)? {
            let bytes = cast(&piece, &DataType::LargeBinary).map_err(|error| {
                PyTypeError::new_err(format!("expected a column of sketches as bytes: {error}"))
            })?;
            for bytes in bytes.as_binary::<i64>().iter().flatten() {
                take(decoded(py, bytes, None)?)?;
            }
        }
    } else {
        if sketches.is_instance_of::<PyBytes>() {
            return Err(not_sketches(sketches));
        }
        for sketch in sketches.try_iter().map_err(|_| not_sketches(sketches))? {
            let sketch = sketch?;
            take(match sketch.cast::<Sketch>() {
                Ok(sketch) => sketch.get().shared.copied(py)?,
                Err(_) => match sketch.extract::<&[u8]>() {
                    Ok(bytes) => decoded(py, bytes, None)?,
                    Err(_) => return Err(not_sketches(&sketch)),
                },
            })?;
        }
    }
    let whole =
        whole.ok_or_else(|| PyValueError::new_err("there is nothing to merge; give at least one sketch"))?;
    classes::wrap(py, whole)
}

fn not_sketches(found: &Bound<'_, PyAny>) -> PyErr {
    let found = found.get_type().name().map_or_else(|_| "another object".into(), |name| name.to_string());
    PyTypeError::new_err(format!(
        "expected several sketches, or their bytes, but found {found}; give them as a list or a column"
    ))
}

pub(crate) fn shingles_of(words: Option<u32>, chars: Option<u32>) -> PyResult<Shingles> {
    match (words, chars) {
        (Some(_), Some(_)) => {
            Err(PyValueError::new_err("shingles are of words or of chars, not both; leave one of them out"))
        }
        (_, Some(chars)) => Shingles::chars(chars).or_raise(),
        (words, None) => Shingles::words(words.unwrap_or(3)).or_raise(),
    }
}

/// The set of shingles of a text, as a list of texts: runs of words or of characters.
///
/// Parameters
/// ----------
/// text : str
///     The text.
/// words : int, optional
///     The number of words in a shingle: 3 by default.
/// chars : int, optional
///     The number of characters in a shingle, instead of words.
#[pyfunction]
#[pyo3(signature = (text, *, words=None, chars=None))]
pub(crate) fn shingles(text: &str, words: Option<u32>, chars: Option<u32>) -> PyResult<Vec<String>> {
    let mut all = Vec::new();
    shingles_of(words, chars)?
        .for_each_text(text, |shingle| all.push(String::from_utf8_lossy(shingle).into_owned()));
    Ok(all)
}

/// The profile of a table: the code behind ``crivo.profile``.
#[pyfunction]
#[pyo3(signature = (table, error, tell=None))]
pub(crate) fn _profile<'py>(
    table: &Bound<'py, PyAny>,
    error: f64,
    tell: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = table.py();
    let made = match table.cast::<PyList>() {
        Ok(paths) => profile::of_files(py, &paths.extract::<Vec<PathBuf>>()?, error, tell)?,
        Err(_) => profile::of_frame(table, error, tell)?,
    };
    profiles::wrap_profile(py, made)
}

/// The cost of filters for a number of items at a false-positive rate: the code behind ``crivo.plan``.
#[pyfunction]
pub(crate) fn _plan_filters(items: u64, fpr: f64) -> PyResult<Table> {
    let plans: Vec<_> = crivo::KINDS
        .iter()
        .filter_map(|info| Some((info.kind, (info.filter?.plan)(items, fpr).ok()?)))
        .collect();
    if plans.is_empty() {
        // The first kind says what is wrong with the target.
        if let Some(filter) = Kind::BloomFilter.info().filter {
            (filter.plan)(items, fpr).or_raise()?;
        }
    }
    let names: LargeStringArray = plans.iter().map(|(kind, _)| Some(kind.name())).collect();
    let memory: UInt64Array = plans.iter().map(|(_, plan)| Some(plan.memory_bytes)).collect();
    let bits = plans.iter().map(|(_, plan)| Some(plan.memory_bytes as f64 * 8.0 / items as f64));
    let rates: Float64Array = plans.iter().map(|(_, plan)| Some(plan.fpr)).collect();
    let lines: Float64Array = plans.iter().map(|(_, plan)| Some(plan.cache_lines)).collect();
    Table::new(vec![
        ("kind", Arc::new(names)),
        ("memory_bytes", Arc::new(memory)),
        ("bits_per_item", Arc::new(bits.collect::<Float64Array>())),
        ("fpr", Arc::new(rates)),
        ("cache_lines", Arc::new(lines)),
    ])
}

/// The memory of counters of distinct items at an error: the code behind ``crivo.plan``.
#[pyfunction]
#[pyo3(signature = (error, items=None))]
pub(crate) fn _plan_counters(error: f64, items: Option<u64>) -> PyResult<Table> {
    let spec = spec_of(None, None)?;
    // An exact table ignores the error, so another kind checks it.
    classes::new_counter(Kind::ExaLogLog, error, items, spec)?;
    let made: Vec<_> = crivo::KINDS
        .iter()
        .filter_map(|info| Some((info.kind, (info.counter?)(error, items, spec).ok()?)))
        .collect();
    let names: LargeStringArray = made.iter().map(|(kind, _)| Some(kind.name())).collect();
    let memory: UInt64Array =
        made.iter().map(|(_, sketch)| sketch.memory_bound().map(|bytes| bytes as u64)).collect();
    let merges: LargeStringArray = made
        .iter()
        .map(|(_, sketch)| Some(if sketch.merge_law().is_some() { "yes" } else { "no" }))
        .collect();
    Table::new(vec![
        ("kind", Arc::new(names)),
        ("most_memory_bytes", Arc::new(memory)),
        ("merges", Arc::new(merges)),
    ])
}

/// Runs the command with these arguments, of which the first is the command, and returns its exit code.
#[pyfunction]
pub(crate) fn _command(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
    py.detach(|| crivo_cli::run(&arguments))
}
