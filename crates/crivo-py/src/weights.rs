//! The weights of a batch.

use crate::error::Refused;
use crate::input::Pieces;
use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_schema::DataType;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// The weights of a batch.
#[derive(Debug)]
pub(crate) struct Weights(Vec<f64>);

impl Weights {
    /// The weights of a batch. A batch of another length is refused before anything has changed, if it has a length.
    pub(crate) fn of(weights: &Bound<'_, PyAny>, batch: &Bound<'_, PyAny>) -> PyResult<Self> {
        use arrow_array::types::Float64Type;
        let mut all = Vec::new();
        for piece in Pieces::of(weights)?.all(weights.py())? {
            if !piece.data_type().is_numeric() && !matches!(piece.data_type(), DataType::Null) {
                return Err(PyTypeError::new_err(format!(
                    "weights must be numbers, but found {}; convert them first",
                    piece.data_type()
                )));
            }
            let numbers = arrow_cast::cast(&piece, &DataType::Float64)
                .map_err(|error| PyTypeError::new_err(format!("weights must be numbers: {error}")))?;
            if numbers.null_count() > 0 {
                return Err(PyValueError::new_err(
                    "a weight is missing; fill it, or leave out its row on both sides",
                ));
            }
            all.extend_from_slice(numbers.as_primitive::<Float64Type>().values());
        }
        let weights = Self(all);
        match batch.len() {
            Ok(rows) => weights.check(rows, true).map(|()| weights),
            Err(_) => Ok(weights),
        }
    }

    pub(crate) fn at(&self, row: usize) -> f64 {
        self.0[row]
    }

    /// Refuses weights of another length.
    pub(crate) fn check(&self, rows: usize, is_end: bool) -> PyResult<()> {
        if self.0.len() < rows || is_end && self.0.len() > rows {
            return Err(PyValueError::new_err(format!(
                "{} weights for {} {rows} items; give one weight for each item",
                self.0.len(),
                if is_end { "" } else { "at least" },
            )));
        }
        Ok(())
    }
}

/// A weight as a number of occurrences.
pub(crate) fn whole(weight: f64) -> Result<u64, Refused> {
    // Beyond 2^53 a double no longer tells neighbouring counts apart.
    if (0.0..=9_007_199_254_740_992.0).contains(&weight) && weight.fract() == 0.0 {
        return Ok(weight as u64);
    }
    Err(Refused::Value(format!(
        "a weight is {weight}, expected a whole number from 0 to 2**53; round it first"
    )))
}

/// A weight as a number of occurrences that may be taken away.
pub(crate) fn whole_signed(weight: f64) -> Result<i64, Refused> {
    whole(weight.abs()).map(|count| if weight < 0.0 { -(count as i64) } else { count as i64 })
}
