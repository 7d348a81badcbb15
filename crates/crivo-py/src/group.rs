//! `crivo.group`: a sketch for each group of a table.

use crate::error::{OrRaise, Refused};
use crate::estimate::Estimate;
use crate::hashes::{hashed, mark};
use crate::input::Pieces;
use crate::input::texts::{Hashing, missing, plain, texts};
use crate::sketch::{Sketch, as_insert};
use crate::table::{Column, Table, has_objects};
use arrow_array::{Array, ArrayRef, LargeBinaryArray, LargeStringArray};
use arrow_cast::cast;
use arrow_schema::DataType;
use arrow_select::interleave::interleave;
use crivo::ItemForm;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;

/// The groups in the order of their first rows.
#[derive(Default)]
struct Groups<'py> {
    codes: HashMap<Vec<u8>, usize>,
    sketches: Vec<Bound<'py, Sketch>>,
    /// The hashes that wait for their group, a bounded number for each.
    waiting: Vec<Vec<u64>>,
    /// The piece and the row in which each group was seen first.
    first: Vec<(usize, usize)>,
}

const WAITING: usize = 1024;

/// A row for each group: the code behind ``crivo.group``.
#[pyfunction]
#[pyo3(signature = (name, by, items, make, text))]
pub(crate) fn _group<'py>(
    name: &str,
    by: &Bound<'py, PyAny>,
    items: &Bound<'py, PyAny>,
    make: &Bound<'py, PyAny>,
    text: bool,
) -> PyResult<Table> {
    let py = by.py();
    let new = || Ok::<_, PyErr>(make.call0()?.cast_into::<Sketch>()?);
    let hashing = Hashing::new(new()?.get().spec(py)?, Some(text));
    let pieces = Pieces::of(by)?.all(py)?;
    let items = hashed(&hashing, items)?;
    let form = items.iter().try_fold(hashing.form(true), |form, piece| form.join(piece.form)).or_raise()?;
    let rows: usize = items.iter().map(|piece| piece.hashes.len()).sum();
    if rows != pieces.iter().map(Array::len).sum::<usize>() {
        return Err(PyValueError::new_err("both columns must have the same number of rows"));
    }
    let mut all = items.iter().flat_map(|piece| (0..piece.hashes.len()).map(move |row| (piece, row)));
    let mut groups = Groups::default();
    for (place, piece) in pieces.iter().enumerate() {
        // The command takes some texts for missing values; as typed values they are groups like any other.
        let names = texts(piece, text.then(missing)).map_err(PyTypeError::new_err)?;
        for (at, group) in names.iter().enumerate() {
            let Some((piece, row)) = all.next() else { break };
            let (Some(group), true) = (group, piece.is_valid(row)) else { continue };
            let code = match groups.codes.get(group) {
                Some(&code) => code,
                None => groups.start(group, new()?, (place, at)),
            };
            groups.waiting[code].push(piece.hashes[row]);
            if groups.waiting[code].len() >= WAITING {
                groups.flush(code, form)?;
            }
        }
        py.check_signals()?;
    }
    (0..groups.sketches.len()).try_for_each(|code| groups.flush(code, form))?;
    groups.table(py, name, &pieces)
}

impl<'py> Groups<'py> {
    fn start(&mut self, group: &[u8], sketch: Bound<'py, Sketch>, first: (usize, usize)) -> usize {
        let code = self.sketches.len();
        self.codes.insert(group.to_vec(), code);
        self.sketches.push(sketch);
        self.waiting.push(Vec::new());
        self.first.push(first);
        code
    }

    /// Puts the waiting hashes, of items of this form, into the sketch of a group.
    fn flush(&mut self, code: usize, form: ItemForm) -> PyResult<()> {
        let (sketch, hashes) = (&self.sketches[code], &mut self.waiting[code]);
        let done = sketch.get().shared.with(sketch.py(), |it| {
            mark(it, form)?;
            Ok(as_insert(&mut **it).try_insert_hashes(hashes)?)
        })?;
        hashes.clear();
        done.map_err(Refused::raised)
    }

    fn table(&self, py: Python<'py>, name: &str, pieces: &[ArrayRef]) -> PyResult<Table> {
        let mut bytes = Vec::new();
        let mut answers: Vec<PyRef<'py, Estimate>> = Vec::new();
        for sketch in &self.sketches {
            bytes.push(sketch.get().shared.with(py, |it| it.to_bytes())?);
            answers.push(sketch.call_method0("estimate")?.extract()?);
        }
        let numbers = |of: fn(&Estimate) -> f64| f64::column(answers.iter().map(|it| of(it)).collect());
        let sketches = LargeBinaryArray::from_iter_values(&bytes);
        Table::new(vec![
            (name, self.names(pieces)?),
            ("sketch", Arc::new(sketches)),
            ("estimate", numbers(|it| it.value)),
            ("lower", numbers(|it| it.lower)),
            ("upper", numbers(|it| it.upper)),
        ])
    }

    /// The groups as they were given, or as texts if a table has no such type.
    fn names(&self, pieces: &[ArrayRef]) -> PyResult<ArrayRef> {
        let mut plains = Vec::new();
        for piece in pieces {
            plains.push(plain(piece).map_err(PyTypeError::new_err)?);
        }
        let kind = plains.iter().map(|it| it.data_type()).find(|it| **it != DataType::Null).cloned();
        let is_one = kind.filter(|kind| {
            has_objects(kind) && plains.iter().all(|it| [kind, &DataType::Null].contains(&it.data_type()))
        });
        let columns: Vec<ArrayRef> = if let Some(kind) = is_one {
            plains.iter().map(|it| cast(it, &kind)).collect::<Result<_, _>>().map_err(unreadable)?
        } else {
            let texts = pieces.iter().map(|piece| {
                let texts = texts(piece, None).map_err(PyTypeError::new_err)?;
                let texts = texts.iter().map(|it| it.map(|it| String::from_utf8_lossy(it).into_owned()));
                Ok(Arc::new(texts.collect::<LargeStringArray>()) as ArrayRef)
            });
            texts.collect::<PyResult<_>>()?
        };
        if self.first.is_empty() {
            return Ok(String::column(Vec::new()));
        }
        let columns: Vec<&dyn Array> = columns.iter().map(|it| it.as_ref()).collect();
        interleave(&columns, &self.first).map_err(unreadable)
    }
}

fn unreadable(error: arrow_schema::ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
