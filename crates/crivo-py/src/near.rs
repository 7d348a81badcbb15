//! `crivo.near_duplicates`: signatures on all cores, and pairs that an interrupt ends.

use crate::error::OrRaise;
use crate::functions::shingles_of;
use crate::input::Pieces;
use crate::table::Table;
use arrow_array::builder::{Int64Builder, LargeBinaryBuilder, ListBuilder};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, Float64Array, Int64Array, LargeStringArray, UInt64Array};
use arrow_cast::cast;
use arrow_schema::DataType;
use crivo::HashSpec;
use crivo::similarity::{ExactSet, NearDuplicates, NearParams, Pair, Shingles, Verify};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{panic, thread};

/// Texts that are signed between two looks at signals: few enough that their sets stay in the cache until they are inserted.
const TEXTS: usize = 512;

/// All pairs of similar texts, at most `most`: the code behind ``crivo.near_duplicates``. `tell` hears of the texts that
/// were read.
#[pyfunction]
#[pyo3(signature = (texts, threshold, recall, words, chars, most, tell=None))]
pub(crate) fn _near_duplicates(
    texts: &Bound<'_, PyAny>,
    threshold: f64,
    recall: f64,
    words: Option<u32>,
    chars: Option<u32>,
    most: usize,
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
    let mut found = pairs(py, search, most)?;
    found.sort_unstable_by_key(|pair| (pair.first, pair.second));
    let place = |of: &dyn Fn(&Pair) -> u32| -> ArrayRef {
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
            sizes.push(document.as_ref().map(|it| it.hashes().len() as i64));
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

/// All pairs of a search. Another thread finds them, so that this one sees signals.
fn pairs(py: Python<'_>, search: NearDuplicates, most: usize) -> PyResult<Vec<Pair>> {
    let is_over = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&is_over);
    let worker = thread::spawn(move || {
        let mut found = Vec::new();
        let done = search.pairs(Verify::Kept, |pair| {
            if found.len() == most || seen.load(Ordering::Relaxed) {
                // The visitor cannot end the search otherwise. The thread that started it learns of it from `join`.
                panic::resume_unwind(Box::new(TooMany));
            }
            found.push(pair);
        });
        done.map(|_| found)
    });
    while !worker.is_finished() {
        py.detach(|| thread::sleep(Duration::from_millis(2)));
        py.check_signals().inspect_err(|_| is_over.store(true, Ordering::Relaxed))?;
    }
    py.detach(|| worker.join()).map_err(|_| too_many(most))?.or_raise()
}

/// Why a search ended before its end.
struct TooMany;

fn too_many(most: usize) -> PyErr {
    PyOverflowError::new_err(format!(
        "more than {most} pairs of texts are similar; drop equal texts first, or raise the threshold"
    ))
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
