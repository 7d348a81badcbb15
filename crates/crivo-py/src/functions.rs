//! The functions of the module.

use crate::error::{OrRaise, Refused};
use crate::hashes::{hashed, mark};
use crate::input::Pieces;
use crate::input::texts::{Hashing, missing, texts};
use crate::kinds as classes;
use crate::kinds::profiles;
use crate::profile;
use crate::sketch::{Sketch, as_insert, decoded, spec_of, write_file};
use crate::table::Table;
use arrow_array::builder::{Int64Builder, LargeBinaryBuilder, ListBuilder};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, Float64Array, Int64Array, LargeStringArray, UInt64Array};
use arrow_cast::cast;
use arrow_schema::DataType;
use crivo::similarity::{ExactSet, NearDuplicates, NearParams, Shingles, Verify};
use crivo::sketch::Sketch as AnySketch;
use crivo::{HashSpec, ItemForm, Kind};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use std::collections::HashMap;
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
        for sketch in sketches.try_iter()? {
            let sketch = sketch?;
            take(match sketch.cast::<Sketch>() {
                Ok(sketch) => sketch.get().shared.copied(py)?,
                Err(_) => decoded(py, sketch.extract::<&[u8]>()?, None)?,
            })?;
        }
    }
    let whole =
        whole.ok_or_else(|| PyValueError::new_err("there is nothing to merge; give at least one sketch"))?;
    classes::wrap(py, whole)
}

fn shingles_of(words: Option<u32>, chars: Option<u32>) -> PyResult<Shingles> {
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

/// Texts that are signed between two looks at signals.
const TEXTS: usize = 2048;

/// All pairs of similar texts: the code behind ``crivo.near_duplicates``. `tell` hears of the texts that were read.
#[pyfunction]
#[pyo3(signature = (texts, threshold, recall, words=None, chars=None, tell=None))]
pub(crate) fn _near_duplicates(
    texts: &Bound<'_, PyAny>,
    threshold: f64,
    recall: f64,
    words: Option<u32>,
    chars: Option<u32>,
    tell: Option<&Bound<'_, PyAny>>,
) -> PyResult<Table> {
    let py = texts.py();
    let shingles = shingles_of(words, chars)?;
    let params = NearParams::for_recall(threshold, recall).or_raise()?;
    let mut search = NearDuplicates::keeping_sets(params);
    let spec = HashSpec::default();
    let mut places = Vec::new();
    let mut pieces = Pieces::of(texts)?;
    let mut row = 0u64;
    while let Some(piece) = pieces.next(py)? {
        let piece = text_piece(&piece)?;
        for start in (0..piece.len()).step_by(TEXTS) {
            py.check_signals()?;
            let part = piece.slice(start, TEXTS.min(piece.len() - start));
            let values = part.as_string::<i64>();
            let signed = py.detach(|| signed(&search, shingles, values, &spec));
            for (place, document) in signed.into_iter().enumerate() {
                if let Some(document) = document {
                    search.insert(&document).or_raise()?;
                    places.push(row + place as u64);
                }
            }
            row += part.len() as u64;
            if let Some(tell) = tell {
                tell.call1((row,))?;
            }
        }
    }
    let found = py.detach(|| {
        let mut found = Vec::new();
        search.pairs(Verify::Kept, |pair| found.push(pair)).map(|_| found)
    });
    let mut found = found.or_raise()?;
    found.sort_by_key(|pair| (pair.first, pair.second));
    let place = |of: &dyn Fn(&crivo::similarity::Pair) -> u32| -> ArrayRef {
        Arc::new(found.iter().map(|pair| Some(places[of(pair) as usize])).collect::<UInt64Array>())
    };
    Table::new(vec![
        ("first", place(&|pair| pair.first)),
        ("second", place(&|pair| pair.second)),
        ("similarity", Arc::new(found.iter().map(|pair| Some(pair.similarity)).collect::<Float64Array>())),
    ])
}

/// The keys by which Spark brings similar texts together: the code behind ``crivo.spark.near_duplicates``.
///
/// A table with the ``fingerprint`` and the ``size`` of the set of each text, and the keys of its ``bands``; null for a
/// text that is missing.
#[pyfunction]
pub(crate) fn _band_keys(
    texts: &Bound<'_, PyAny>,
    threshold: f64,
    recall: f64,
    words: Option<u32>,
    chars: Option<u32>,
) -> PyResult<Table> {
    let (shingles, spec) = (shingles_of(words, chars)?, HashSpec::default());
    let params = NearParams::for_recall(threshold, recall).or_raise()?;
    let mut fingerprints = LargeBinaryBuilder::new();
    let mut sizes = Vec::new();
    let mut bands = ListBuilder::new(Int64Builder::new());
    for text in all_texts(texts)? {
        let text = text.as_string::<i64>();
        for text in text {
            let document = text.map(|text| params.sign(&shingles.hashes(text, &spec)));
            fingerprints.append_option(document.as_ref().map(|it| it.fingerprint().to_be_bytes()));
            sizes.push(document.as_ref().map(|it| it.set().len() as i64));
            if let Some(document) = &document {
                params.band_keys(document).for_each(|key| bands.values().append_value(key as i64));
            }
            bands.append(document.is_some());
        }
    }
    Table::new(vec![
        ("fingerprint", Arc::new(fingerprints.finish())),
        ("size", Arc::new(Int64Array::from(sizes))),
        ("bands", Arc::new(bands.finish())),
    ])
}

/// The similarity of the sets of shingles of two texts, row by row: the code behind ``crivo.spark.near_duplicates``.
#[pyfunction]
pub(crate) fn _similarities(
    first: &Bound<'_, PyAny>,
    second: &Bound<'_, PyAny>,
    words: Option<u32>,
    chars: Option<u32>,
) -> PyResult<Table> {
    let (shingles, spec) = (shingles_of(words, chars)?, HashSpec::default());
    let sets = |texts: &Bound<'_, PyAny>| -> PyResult<Vec<ExactSet>> {
        let texts = all_texts(texts)?;
        let texts = texts.iter().flat_map(|texts| texts.as_string::<i64>());
        Ok(texts.map(|text| ExactSet::new(&shingles.hashes(text.unwrap_or_default(), &spec))).collect())
    };
    let (first, second) = (sets(first)?, sets(second)?);
    let similarities = first.iter().zip(&second).map(|(one, other)| Some(one.similarity(other)));
    Table::new(vec![("similarity", Arc::new(similarities.collect::<Float64Array>()))])
}

/// The texts of a column.
fn all_texts(texts: &Bound<'_, PyAny>) -> PyResult<Vec<ArrayRef>> {
    let pieces = Pieces::of(texts)?.all(texts.py())?;
    pieces.iter().map(text_piece).collect()
}

fn text_piece(piece: &ArrayRef) -> PyResult<ArrayRef> {
    cast(piece, &DataType::LargeUtf8)
        .map_err(|error| PyTypeError::new_err(format!("expected texts: {error}")))
}

/// The signatures of texts, on all cores.
fn signed(
    search: &NearDuplicates,
    shingles: Shingles,
    values: &LargeStringArray,
    spec: &HashSpec,
) -> Vec<Option<crivo::similarity::Document>> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let share = values.len().div_ceil(workers).max(1);
    std::thread::scope(|scope| {
        let started: Vec<_> = (0..values.len())
            .step_by(share)
            .map(|start| {
                scope.spawn(move || {
                    let rows = start..(start + share).min(values.len());
                    rows.map(|row| {
                        values.is_valid(row).then(|| search.sign(&shingles.hashes(values.value(row), spec)))
                    })
                    .collect::<Vec<_>>()
                })
            })
            .collect();
        started.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
    })
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

/// A sketch for each group: the code behind ``crivo.group``.
#[pyfunction]
#[pyo3(signature = (by, items, make, text))]
pub(crate) fn _group<'py>(
    by: &Bound<'py, PyAny>,
    items: &Bound<'py, PyAny>,
    make: &Bound<'py, PyAny>,
    text: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let py = by.py();
    let hashing = Hashing::new(make.call0()?.cast::<Sketch>()?.get().spec(py)?, Some(text));
    let mut codes: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut names: Vec<String> = Vec::new();
    let mut hashes: Vec<Vec<u64>> = Vec::new();
    let mut made: Vec<Bound<'py, Sketch>> = Vec::new();
    let groups = Pieces::of(by)?.all(py)?;
    let items = hashed(&hashing, items)?;
    let form = items.iter().try_fold(hashing.form(true), |form, piece| form.join(piece.form)).or_raise()?;
    let rows: usize = items.iter().map(|piece| piece.hashes.len()).sum();
    if rows != groups.iter().map(Array::len).sum::<usize>() {
        return Err(PyValueError::new_err("both columns must have the same number of rows"));
    }
    let mut all = items.iter().flat_map(|piece| (0..piece.hashes.len()).map(move |row| (piece, row)));
    for piece in groups {
        let texts = texts(&piece, missing());
        let texts = texts.map_err(PyTypeError::new_err)?;
        for group in &texts {
            let Some((piece, row)) = all.next() else { break };
            let (Some(group), true) = (group, piece.is_valid(row)) else { continue };
            let code = if let Some(&code) = codes.get(group) {
                code
            } else {
                made.push(make.call0()?.cast_into::<Sketch>()?);
                names.push(String::from_utf8_lossy(group).into_owned());
                hashes.push(Vec::new());
                codes.insert(group.to_vec(), names.len() - 1);
                names.len() - 1
            };
            hashes[code].push(piece.hashes[row]);
            // A bounded buffer for each group.
            if hashes[code].len() >= 1024 {
                flush(py, &made[code], &mut hashes[code], form)?;
            }
        }
        py.check_signals()?;
    }
    let sketches = PyDict::new(py);
    for ((name, sketch), mut hashes) in names.into_iter().zip(made).zip(hashes) {
        flush(py, &sketch, &mut hashes, form)?;
        sketches.set_item(name, sketch)?;
    }
    Ok(sketches)
}

/// Puts hashes of items of this form into the sketch of their group.
fn flush(py: Python<'_>, made: &Bound<'_, Sketch>, hashes: &mut Vec<u64>, form: ItemForm) -> PyResult<()> {
    let done = made.get().shared.with(py, |it| {
        if it.kind().info().insert.is_none() {
            return Err(Refused::Type("a group needs a kind that takes items, such as ExaLogLog".into()));
        }
        mark(it, form)?;
        Ok(as_insert(&mut **it).try_insert_hashes(hashes)?)
    })?;
    hashes.clear();
    done.map_err(Refused::raised)
}

/// A table from columns of Python values: the code behind tables that Python makes.
#[pyfunction]
pub(crate) fn _table(columns: Vec<(String, Bound<'_, PyAny>)>) -> PyResult<Table> {
    let mut made: Vec<(String, ArrayRef)> = Vec::new();
    for (name, values) in columns {
        let values: Vec<Bound<'_, PyAny>> = values.try_iter()?.collect::<PyResult<_>>()?;
        let array: ArrayRef = if values.iter().all(|value| value.is_instance_of::<pyo3::types::PyBytes>()) {
            let mut built = LargeBinaryBuilder::new();
            for value in &values {
                built.append_value(value.extract::<&[u8]>()?);
            }
            Arc::new(built.finish())
        } else if values.iter().all(|value| value.is_none() || value.is_instance_of::<PyString>()) {
            let texts = values.iter().map(|value| value.extract::<Option<String>>());
            Arc::new(LargeStringArray::from(texts.collect::<PyResult<Vec<_>>>()?))
        } else {
            let numbers = values.iter().map(|value| value.extract::<Option<f64>>());
            Arc::new(Float64Array::from(numbers.collect::<PyResult<Vec<_>>>()?))
        };
        made.push((name, array));
    }
    Table::new(made.iter().map(|(name, array)| (name.as_str(), Arc::clone(array))).collect())
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
