//! What Python offers, as Arrow arrays: every batch takes this one path.

mod numpy;
pub(crate) mod objects;
pub(crate) mod scalar;
pub(crate) mod texts;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, StructArray};
use arrow_schema::DataType;
use pyo3::exceptions::{PyImportError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyIterator, PyString};
use pyo3_arrow::ffi::ArrayReader;
use pyo3_arrow::input::AnyArray;

/// Rows that are worked through between two looks at signals.
pub(crate) const PIECE: usize = 1 << 18;

/// The values of a column, in pieces.
pub(crate) enum Pieces<'py> {
    /// Of Arrow: arrays, streams, frames with one column.
    Arrow { reader: Box<dyn ArrayReader + Send>, rest: Option<(ArrayRef, usize)> },
    /// Of numpy.
    Numpy(numpy::Numpy<'py>),
    /// Any iterable.
    Objects(objects::Objects<'py>),
}

impl<'py> Pieces<'py> {
    /// Recognises what is offered.
    pub(crate) fn of(offered: &Bound<'py, PyAny>) -> PyResult<Self> {
        let py = offered.py();
        if offered.is_instance_of::<PyString>()
            || offered.is_instance_of::<PyBytes>()
            || offered.is_instance_of::<PyByteArray>()
        {
            return Err(PyTypeError::new_err(
                "a text is one item, not a batch of them; call add(text), or pass a list: [text]",
            ));
        }
        if offered.is_instance_of::<PyDict>() {
            return Err(PyTypeError::new_err(
                "a dict is not a batch of items; pass its keys() or its values()",
            ));
        }
        if let Some(reader) = arrow_reader(offered)? {
            if let DataType::Struct(columns) = reader.field().data_type()
                && columns.len() != 1
            {
                return Err(several(columns.len()));
            }
            return Ok(Self::Arrow { reader, rest: None });
        }
        if let Some(array) = numpy::recognise(offered)? {
            return array;
        }
        if offered.hasattr(intern!(py, "collect"))? && offered.hasattr(intern!(py, "lazy"))? {
            return Err(PyTypeError::new_err(
                "a lazy frame has no values yet; collect it first, and pass one of its columns",
            ));
        }
        match PyIterator::from_object(offered) {
            Ok(items) => Ok(Self::Objects(objects::Objects::new(items))),
            Err(_) => Err(PyTypeError::new_err(format!(
                "expected an iterable of items, an array or a column, but found {}; call add() for one item",
                offered.get_type().name()?
            ))),
        }
    }

    /// Like `self`, but for a sketch of texts: objects that have only a text are items then.
    pub(crate) fn reading(self, text: bool) -> Self {
        match self {
            Self::Objects(objects) => Self::Objects(objects.with_text(text)),
            other => other,
        }
    }

    /// Objects that are known to be scalars, such as the rows of a pandas column: a missing value is NaN there.
    fn of_objects(items: &Bound<'py, PyAny>) -> PyResult<Self> {
        Ok(Self::Objects(objects::Objects::new(PyIterator::from_object(items)?).with_nan_missing()))
    }

    /// Returns the next rows, at most [`PIECE`] of them; `None` at the end.
    pub(crate) fn next(&mut self, py: Python<'py>) -> PyResult<Option<ArrayRef>> {
        py.check_signals()?;
        match self {
            Self::Numpy(array) => array.next(py),
            Self::Objects(objects) => objects.next(),
            Self::Arrow { reader, rest } => loop {
                if let Some((array, start)) = rest.take() {
                    let rows = (array.len() - start).min(PIECE);
                    if rows > 0 {
                        let piece = array.slice(start, rows);
                        *rest = Some((array, start + rows));
                        return Ok(Some(piece));
                    }
                }
                match py.detach(|| reader.next()) {
                    None => return Ok(None),
                    Some(Ok(array)) => *rest = Some((only_column(array)?, 0)),
                    Some(Err(error)) => return Err(PyValueError::new_err(error.to_string())),
                }
            },
        }
    }

    /// Returns all rows as one array for each piece.
    pub(crate) fn all(mut self, py: Python<'py>) -> PyResult<Vec<ArrayRef>> {
        let mut all = Vec::new();
        while let Some(piece) = self.next(py)? {
            all.push(piece);
        }
        Ok(all)
    }
}

/// A reader of what speaks Arrow; `None` if it does not, as pandas where pyarrow is not installed.
fn arrow_reader(offered: &Bound<'_, PyAny>) -> PyResult<Option<Box<dyn ArrayReader + Send>>> {
    let py = offered.py();
    if !offered.hasattr(intern!(py, "__arrow_c_stream__"))?
        && !offered.hasattr(intern!(py, "__arrow_c_array__"))?
    {
        return Ok(None);
    }
    match offered.extract::<AnyArray>() {
        Ok(array) => array.into_reader().map(Some),
        Err(error) if error.is_instance_of::<PyImportError>(py) => Ok(None),
        Err(error) => Err(error),
    }
}

/// A table of one column is that column.
fn only_column(array: ArrayRef) -> PyResult<ArrayRef> {
    let Some(table) = array.as_struct_opt() else { return Ok(array) };
    match table.columns() {
        [column] if table.null_count() == 0 => Ok(column.clone()),
        columns => Err(several(columns.len())),
    }
}

fn several(columns: usize) -> PyErr {
    PyTypeError::new_err(format!(
        "expected one column, but found a table of {columns}; choose one of them, as in table['name']"
    ))
}

/// A table.
pub(crate) enum Frame<'py> {
    /// The names of the columns, and batches of all of them.
    Batches(Vec<String>, Box<dyn ArrayReader + Send>),
    /// The columns one by one, of a frame of pandas that does not speak Arrow.
    Columns(Vec<(String, Bound<'py, PyAny>)>),
}

impl<'py> Frame<'py> {
    /// Recognises what is offered.
    pub(crate) fn of(offered: &Bound<'py, PyAny>) -> PyResult<Self> {
        let py = offered.py();
        if let Some(reader) = arrow_reader(offered)? {
            let DataType::Struct(fields) = reader.field().data_type().clone() else {
                return Err(PyTypeError::new_err(
                    "expected a table, but found one column; pass a frame, as in column.to_frame()",
                ));
            };
            return Ok(Self::Batches(fields.iter().map(|field| field.name().clone()).collect(), reader));
        }
        // A lazy frame warns if its columns are asked for.
        if !offered.hasattr(intern!(py, "iloc"))? || !offered.hasattr(intern!(py, "columns"))? {
            return Err(PyTypeError::new_err(format!(
                "expected a table (pandas, polars, pyarrow, DuckDB, or anything with __arrow_c_stream__), but found {}; \
                 convert it, or pass the path of a file",
                offered.get_type().name()?
            )));
        }
        let mut columns = Vec::new();
        for name in offered.getattr(intern!(py, "columns"))?.try_iter()? {
            let name = name?;
            columns.push((name.str()?.extract()?, offered.get_item(name)?));
        }
        Ok(Self::Columns(columns))
    }
}

/// The columns of one batch of a table.
pub(crate) fn columns_of(batch: &ArrayRef) -> PyResult<&StructArray> {
    batch.as_struct_opt().ok_or_else(|| PyTypeError::new_err("a batch of a table is not a table"))
}
