//! Tables as answers, which every Arrow library can read.

use crate::input::Pieces;
use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{
    Array, ArrayRef, Float64Array, Int64Array, LargeBinaryArray, LargeStringArray, RecordBatch, UInt64Array,
    new_empty_array,
};
use arrow_cast::cast;
use arrow_cast::display::array_value_to_string;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use arrow_select::concat::concat;
use crivo::Number;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PyTuple};
use pyo3_arrow::PyTable;
use std::fmt::Write;
use std::sync::Arc;

/// The digits of a number with a fraction, where people read it.
const DIGITS: usize = 6;

/// A table of answers.
///
/// It speaks Arrow: ``pyarrow.table(t)``, ``polars.DataFrame(t)`` and ``duckdb.sql('from t')`` read it, and
/// ``to_arrow``, ``to_pandas`` and ``to_polars`` call them. It never changes, so threads may share it.
#[pyclass(frozen, module = "crivo")]
#[derive(Debug)]
pub(crate) struct Table {
    batch: RecordBatch,
}

impl Table {
    pub(crate) fn new(columns: Vec<(&str, ArrayRef)>) -> PyResult<Self> {
        let fields: Vec<Field> = columns
            .iter()
            .map(|(name, column)| Field::new(*name, column.data_type().clone(), true))
            .collect();
        let columns = columns.into_iter().map(|(_, column)| column).collect();
        let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), columns);
        Ok(Self { batch: batch.map_err(|error| PyValueError::new_err(error.to_string()))? })
    }

    /// The cells as texts, column by column, as people read them.
    fn cells(&self) -> PyResult<Vec<Vec<String>>> {
        self.batch
            .columns()
            .iter()
            .map(|column| (0..column.len()).map(|row| cell(column, row)).collect())
            .collect()
    }

    fn names(&self) -> Vec<String> {
        self.batch.schema().fields().iter().map(|field| field.name().clone()).collect()
    }
}

#[pymethods]
impl Table {
    #[pyo3(name = "__arrow_c_stream__", signature = (requested_schema=None))]
    pub(crate) fn stream<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let table = PyTable::try_new(vec![self.batch.clone()], self.batch.schema())?.into_pyobject(py)?;
        Ok(table.call_method1("__arrow_c_stream__", (requested_schema,))?.cast_into::<PyCapsule>()?)
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.names()
    }

    /// A ``pyarrow.Table``; pyarrow must be installed.
    pub(crate) fn to_arrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyarrow")?.call_method1("table", (slf,))
    }

    /// A ``pandas.DataFrame``; pandas must be installed.
    pub(crate) fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pandas")?.getattr("DataFrame")?.call1((Self::to_dict(slf)?,))
    }

    /// A ``polars.DataFrame``; polars must be installed.
    pub(crate) fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("polars")?.call_method1("DataFrame", (slf,))
    }

    /// A dict of lists, one for each column.
    fn to_dict<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let (py, this) = (slf.py(), slf.get());
        let columns = PyDict::new(py);
        for (name, column) in this.names().iter().zip(this.batch.columns()) {
            columns.set_item(name, list(py, column)?)?;
        }
        Ok(columns)
    }

    /// A list of dicts, one for each row.
    fn to_rows<'py>(slf: &Bound<'py, Self>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let py = slf.py();
        let columns = Self::to_dict(slf)?;
        let mut rows = Vec::new();
        for row in 0..slf.get().batch.num_rows() {
            let named = PyDict::new(py);
            for (name, values) in columns.iter() {
                named.set_item(name, values.get_item(row)?)?;
            }
            rows.push(named);
        }
        Ok(rows)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, this) = (slf.py(), slf.get());
        let mut columns = Vec::new();
        for (name, column) in this.names().into_iter().zip(this.batch.columns()) {
            columns.push((name, column.data_type().to_string(), list(py, column)?));
        }
        let make = py.import("crivo._crivo")?.getattr("_table")?;
        Ok((make, (columns,).into_pyobject(py)?))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().batch == self.batch)
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    fn __getitem__<'py>(slf: &Bound<'py, Self>, column: &str) -> PyResult<Bound<'py, PyList>> {
        let this = slf.get();
        let found = this.batch.column_by_name(column).ok_or_else(|| {
            pyo3::exceptions::PyKeyError::new_err(format!(
                "there is no column '{column}'; the columns are {}",
                this.names().join(", ")
            ))
        })?;
        list(slf.py(), found)
    }

    fn __repr__(&self) -> PyResult<String> {
        let (names, cells) = (self.names(), self.cells()?);
        let widths: Vec<usize> = names
            .iter()
            .zip(&cells)
            .map(|(name, cells)| cells.iter().chain([name]).map(|it| it.chars().count()).max().unwrap_or(0))
            .collect();
        let line = |row: Vec<&String>| {
            let padded = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}"));
            padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        let mut text = line(names.iter().collect());
        for row in 0..self.batch.num_rows() {
            text.push('\n');
            text.push_str(&line(cells.iter().map(|column| &column[row]).collect()));
        }
        Ok(text)
    }

    fn _repr_html_(&self) -> PyResult<String> {
        self.html()
    }
}

impl Table {
    /// The table as HTML. Numbers with a fraction have six digits.
    pub(crate) fn html(&self) -> PyResult<String> {
        let mut html = String::from("<table><thead><tr>");
        // Numbers end in one line; notebooks would align texts as numbers.
        let aligned = |column: &ArrayRef| if column.data_type().is_numeric() { "right" } else { "left" };
        let alignments: Vec<&str> = self.batch.columns().iter().map(aligned).collect();
        for (name, side) in self.names().iter().zip(&alignments) {
            let name = crivo_report::escape(name);
            write!(html, "<th style=\"text-align: {side}\">{name}</th>").map_err(unwritten)?;
        }
        html.push_str("</tr></thead><tbody>");
        let cells = self.cells()?;
        for row in 0..self.batch.num_rows() {
            html.push_str("<tr>");
            for (column, side) in cells.iter().zip(&alignments) {
                let cell = crivo_report::escape(&column[row]);
                write!(html, "<td style=\"text-align: {side}\">{cell}</td>").map_err(unwritten)?;
            }
            html.push_str("</tr>");
        }
        html.push_str("</tbody></table>");
        Ok(html)
    }
}

fn unwritten(_: std::fmt::Error) -> PyErr {
    PyValueError::new_err("the table cannot be written")
}

/// The type of the values of a column of answers.
pub(crate) trait Column: Sized {
    fn column(values: Vec<Self>) -> ArrayRef;
}

impl Column for u64 {
    fn column(values: Vec<Self>) -> ArrayRef {
        Arc::new(UInt64Array::from(values))
    }
}

impl Column for i64 {
    fn column(values: Vec<Self>) -> ArrayRef {
        Arc::new(Int64Array::from(values))
    }
}

impl Column for f64 {
    fn column(values: Vec<Self>) -> ArrayRef {
        Arc::new(Float64Array::from(values))
    }
}

impl Column for Number {
    /// Whole numbers are integers, unless one of them is too large or has a fraction.
    fn column(values: Vec<Self>) -> ArrayRef {
        let whole: Option<Vec<i64>> =
            values.iter().map(|value| value.to_integer().and_then(|whole| whole.try_into().ok())).collect();
        match whole {
            Some(whole) => i64::column(whole),
            None => f64::column(values.into_iter().map(Self::to_f64).collect()),
        }
    }
}

impl Column for String {
    fn column(values: Vec<Self>) -> ArrayRef {
        Arc::new(LargeStringArray::from(values))
    }
}

impl Column for Vec<u8> {
    /// The command keeps texts as bytes: they are texts here, unless one of them is none.
    fn column(values: Vec<Self>) -> ArrayRef {
        if values.iter().all(|value| std::str::from_utf8(value).is_ok()) {
            let texts = values.iter().map(|value| String::from_utf8_lossy(value).into_owned());
            return Arc::new(LargeStringArray::from(texts.collect::<Vec<_>>()));
        }
        Arc::new(LargeBinaryArray::from(values.iter().map(Vec::as_slice).collect::<Vec<_>>()))
    }
}

/// A value as people read it.
fn cell(column: &ArrayRef, row: usize) -> PyResult<String> {
    if column.is_null(row) {
        return Ok(String::new());
    }
    if let Some(bytes) = column.as_binary_opt::<i64>() {
        return Ok(format!("{} bytes", bytes.value(row).len()));
    }
    if let Some(numbers) = column.as_primitive_opt::<Float64Type>() {
        let number = numbers.value(row);
        let is_whole = number.fract() == 0.0 && number.abs() < 1e15;
        return Ok(if is_whole { format!("{number:.0}") } else { crivo_report::significant(number, DIGITS) });
    }
    array_value_to_string(column, row).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Whether a column of this type has Python objects.
pub(crate) fn has_objects(kind: &DataType) -> bool {
    use DataType as Type;
    matches!(
        kind,
        Type::Int64
            | Type::UInt64
            | Type::Float64
            | Type::Boolean
            | Type::LargeUtf8
            | Type::Utf8
            | Type::LargeBinary
    )
}

/// A pickled table: the names, types and values of its columns.
#[pyfunction]
pub(crate) fn _table(columns: Vec<(String, String, Bound<'_, PyAny>)>) -> PyResult<Table> {
    let mut made = Vec::new();
    for (name, kind, values) in columns {
        let unreadable = |error: ArrowError| PyValueError::new_err(error.to_string());
        let kind: DataType = kind.parse().map_err(unreadable)?;
        let pieces = Pieces::of(&values)?.all(values.py())?;
        let pieces = pieces.iter().map(|it| cast(it, &kind)).collect::<Result<Vec<_>, _>>();
        let pieces = pieces.map_err(unreadable)?;
        let column = match pieces.iter().map(|it| it.as_ref()).collect::<Vec<&dyn Array>>().as_slice() {
            [] => new_empty_array(&kind),
            pieces => concat(pieces).map_err(unreadable)?,
        };
        made.push((name, column));
    }
    Table::new(made.iter().map(|(name, column)| (name.as_str(), Arc::clone(column))).collect())
}

/// The values of a column as Python objects.
fn list<'py>(py: Python<'py>, column: &ArrayRef) -> PyResult<Bound<'py, PyList>> {
    use arrow_array::types::{Int64Type, UInt64Type};
    let rows = 0..column.len();
    let valid = |row: &usize| column.is_valid(*row);
    macro_rules! objects {
        ($value:expr) => {
            PyList::new(py, rows.map(|row| valid(&row).then(|| $value(row))))
        };
    }
    match column.data_type() {
        DataType::Int64 => objects!(|row| column.as_primitive::<Int64Type>().value(row)),
        DataType::UInt64 => objects!(|row| column.as_primitive::<UInt64Type>().value(row)),
        DataType::Float64 => objects!(|row| column.as_primitive::<Float64Type>().value(row)),
        DataType::Boolean => objects!(|row| column.as_boolean().value(row)),
        DataType::LargeUtf8 => objects!(|row| column.as_string::<i64>().value(row)),
        DataType::Utf8 => objects!(|row| column.as_string::<i32>().value(row)),
        DataType::LargeBinary => {
            objects!(|row| pyo3::types::PyBytes::new(py, column.as_binary::<i64>().value(row)))
        }
        other => Err(PyValueError::new_err(format!("a column of {other} has no objects"))),
    }
}
