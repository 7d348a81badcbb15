//! Batches of whole numbers that stand for themselves: vertices, counters, members of a direct table.

use super::elements::kept;
use super::{DirectTable, answers, wrap};
use crate::error::{OrRaise, Refused};
use crate::input::Pieces;
use crate::sketch::base;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// The numbers of a piece, with `None` for a missing one.
fn piece(array: &ArrayRef, all: &mut Vec<Option<u64>>) -> Result<(), Refused> {
    let array = kept(array, false)?;
    match array.data_type() {
        DataType::Null => all.extend(std::iter::repeat_n(None, array.len())),
        DataType::UInt64 => all.extend(array.as_primitive::<UInt64Type>().iter()),
        DataType::Int64 => {
            for number in array.as_primitive::<Int64Type>() {
                all.push(number.map(u64::try_from).transpose().map_err(|_| {
                    Refused::Value(format!(
                        "a number is {}, expected one from 0 on; leave it out",
                        number.unwrap_or_default()
                    ))
                })?);
            }
        }
        other => {
            return Err(Refused::Type(format!(
                "expected whole numbers, but found {other}; convert them first"
            )));
        }
    }
    Ok(())
}

/// The whole numbers of a batch, with `None` for a missing one.
pub(super) fn optional(batch: &Bound<'_, PyAny>) -> PyResult<Vec<Option<u64>>> {
    let (py, mut pieces, mut all) = (batch.py(), Pieces::of(batch)?, Vec::new());
    while let Some(array) = pieces.next(py)? {
        py.detach(|| piece(&array, &mut all)).map_err(Refused::raised)?;
    }
    Ok(all)
}

/// The whole numbers of a batch, none of which may be missing.
pub(super) fn whole_numbers(batch: &Bound<'_, PyAny>) -> PyResult<Vec<u64>> {
    let all: Option<Vec<u64>> = optional(batch)?.into_iter().collect();
    all.ok_or_else(|| PyValueError::new_err("a number is missing; leave its row out"))
}

#[pymethods]
impl DirectTable {
    /// An empty set of whole numbers below a bound, in one bit for each.
    ///
    /// Parameters
    /// ----------
    /// universe : int
    ///     The bound: every number is below it.
    #[staticmethod]
    fn for_universe(py: Python<'_>, universe: u64) -> PyResult<Bound<'_, PyAny>> {
        wrap(py, Box::new(crivo::baseline::DirectTable::for_universe(universe).or_raise()?))
    }

    /// Add a number.
    ///
    /// Parameters
    /// ----------
    /// number : int
    ///     A number below the bound.
    fn add(slf: &Bound<'_, Self>, number: u64) -> PyResult<()> {
        Self::change(slf, |table| table.insert(number).map(drop))
    }

    /// Add a batch of numbers.
    ///
    /// Parameters
    /// ----------
    /// x : iterable or array
    ///     Numbers below the bound. If one of them is not, nothing is added.
    fn update(slf: &Bound<'_, Self>, x: &Bound<'_, PyAny>) -> PyResult<()> {
        let numbers = whole_numbers(x)?;
        Self::change(slf, |table| {
            // The largest is refused before the others are added.
            if let Some(&largest) = numbers.iter().max() {
                table.insert(largest)?;
            }
            numbers.iter().try_for_each(|&number| table.insert(number).map(drop))
        })
    }

    /// Remove a number, if it is inside.
    ///
    /// Parameters
    /// ----------
    /// number : int
    ///     A number below the bound.
    fn remove(slf: &Bound<'_, Self>, number: u64) -> PyResult<()> {
        Self::change(slf, |table| table.remove(number).map(drop))
    }

    fn __contains__(slf: &Bound<'_, Self>, number: &Bound<'_, PyAny>) -> PyResult<bool> {
        // A number that no table can have is in none.
        let Ok(number) = number.extract::<u64>() else { return Ok(false) };
        base(slf).shared.with(slf.py(), |sketch| {
            sketch.downcast_ref::<crivo::baseline::DirectTable>().is_some_and(|table| table.contains(number))
        })
    }

    /// Whether each number of a batch is inside, for certain.
    ///
    /// Parameters
    /// ----------
    /// x : iterable or array
    ///     The numbers.
    ///
    /// Returns
    /// -------
    /// numpy.ndarray or list of bool
    ///     A numpy array if numpy is installed. Missing values are ``False``.
    fn contains<'py>(slf: &Bound<'py, Self>, x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let numbers = optional(x)?;
        let found: Vec<bool> = base(slf).shared.with(slf.py(), |sketch| {
            let table = sketch.downcast_ref::<crivo::baseline::DirectTable>();
            let is_in = |number: u64| table.is_some_and(|table| table.contains(number));
            numbers.into_iter().map(|number| number.is_some_and(is_in)).collect()
        })?;
        answers::bools(slf.py(), &found)
    }

    /// How many numbers are inside, which is exact.
    fn total(slf: &Bound<'_, Self>) -> PyResult<u64> {
        base(slf).shared.with(slf.py(), |sketch| {
            sketch.downcast_ref::<crivo::baseline::DirectTable>().map_or(0, crivo::baseline::DirectTable::len)
        })
    }
}

impl DirectTable {
    fn change(
        slf: &Bound<'_, Self>,
        change: impl FnOnce(&mut crivo::baseline::DirectTable) -> crivo::Result<()> + Send,
    ) -> PyResult<()> {
        let done =
            base(slf).shared.detached(slf.py(), |sketch| sketch.downcast_mut().map_or(Ok(()), change))?;
        done.or_raise()
    }
}

/// Pairs of two columns of the same length.
pub(super) fn pairs<T>(one: Vec<T>, other: Vec<T>) -> PyResult<Vec<(T, T)>> {
    if one.len() == other.len() {
        return Ok(one.into_iter().zip(other).collect());
    }
    Err(PyValueError::new_err(format!(
        "the columns have {} and {} rows; give both ends of every pair",
        one.len(),
        other.len()
    )))
}

/// The numbers of vertices in a batch.
pub(super) fn vertices(batch: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
    let numbers = whole_numbers(batch)?.into_iter();
    numbers.map(vertex).collect()
}

/// The number of a vertex.
pub(super) fn vertex(number: u64) -> PyResult<u32> {
    u32::try_from(number)
        .map_err(|_| PyValueError::new_err(format!("a vertex is {number}, expected a number below 2**32")))
}

/// Sides of vertices.
pub(super) fn bools(batch: &Bound<'_, PyAny>) -> PyResult<Vec<bool>> {
    let (py, mut pieces, mut all) = (batch.py(), Pieces::of(batch)?, Vec::new());
    while let Some(array) = pieces.next(py)? {
        let Some(values) = array.as_boolean_opt().filter(|values| values.null_count() == 0) else {
            return Err(PyTypeError::new_err(format!(
                "expected True or False for every vertex, but found {}",
                array.data_type()
            )));
        };
        all.extend(values.values());
    }
    Ok(all)
}
