//! Answers that several kinds give.

use crate::error::OrRaise;
use crate::estimate::Estimate;
use crate::sketch::Sketch;
use crate::table::{Column, Table};
use arrow_array::{ArrayRef, Float64Array, LargeStringArray};
use crivo::QuantileEstimate;
use crivo::cardinality::Sets;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use std::sync::Arc;

/// A numpy array of booleans if numpy is installed, or a list.
pub(crate) fn bools<'py>(py: Python<'py>, values: &[bool]) -> PyResult<Bound<'py, PyAny>> {
    let Ok(numpy) = py.import("numpy") else { return Ok(PyList::new(py, values)?.into_any()) };
    let bytes: Vec<u8> = values.iter().map(|&value| u8::from(value)).collect();
    // A copy, because the array of bytes cannot be written to.
    numpy.call_method1("frombuffer", (PyBytes::new(py, &bytes), "?"))?.call_method0("copy")
}

/// The answers of a batch as a table; `None` for a missing value.
pub(crate) fn estimates(found: &[Option<crivo::Estimate>]) -> PyResult<Table> {
    let column = |of: fn(&crivo::Estimate) -> f64| -> ArrayRef {
        Arc::new(found.iter().map(|it| it.as_ref().map(of)).collect::<Float64Array>())
    };
    Table::new(vec![
        ("estimate", column(crivo::Estimate::value)),
        ("lower", column(crivo::Estimate::lower)),
        ("upper", column(crivo::Estimate::upper)),
    ])
}

/// Quantiles as a table.
pub(crate) fn quantiles<T: Column + Clone>(qs: &[f64], found: &[QuantileEstimate<T>]) -> PyResult<Table> {
    let column =
        |of: fn(&QuantileEstimate<T>) -> &T| T::column(found.iter().map(|it| of(it).clone()).collect());
    let guarantees: LargeStringArray = found.iter().map(|it| Some(it.guarantee().name())).collect();
    Table::new(vec![
        ("q", f64::column(qs.to_vec())),
        ("value", column(QuantileEstimate::value)),
        ("lower", column(QuantileEstimate::lower)),
        ("upper", column(QuantileEstimate::upper)),
        ("guarantee", Arc::new(guarantees)),
    ])
}

/// Compares two counters.
pub(crate) fn sets(one: &Sketch, other: &Bound<'_, Sketch>) -> PyResult<Sets> {
    let py = other.py();
    let other = other.get().shared.copied(py)?;
    one.shared.with(py, |sketch| crivo::compare_sets(&**sketch, &*other))?.or_raise()
}

pub(crate) fn compared<'py>(one: &Sketch, other: &Bound<'py, Sketch>) -> PyResult<Bound<'py, PyDict>> {
    let py = other.py();
    let sets = sets(one, other)?;
    let named = PyDict::new(py);
    named.set_item("union", Bound::new(py, Estimate::count(sets.union))?)?;
    named.set_item("intersection", Bound::new(py, Estimate::count(sets.intersection))?)?;
    named.set_item("only_first", Bound::new(py, Estimate::count(sets.only_first))?)?;
    named.set_item("jaccard", Bound::new(py, Estimate::similarity(sets.similarity))?)?;
    Ok(named)
}

pub(crate) fn similarity(one: &Sketch, other: &Bound<'_, Sketch>) -> PyResult<Estimate> {
    let py = other.py();
    let other = other.get().shared.copied(py)?;
    let found = one.shared.with(py, |sketch| {
        let compare = sketch.kind().info().similarity?;
        Some(compare(&**sketch, &*other))
    })?;
    let found = found
        .ok_or_else(|| PyTypeError::new_err("this kind does not compare sets; take a OnePermutation"))?;
    found.or_raise().map(Estimate::similarity)
}
