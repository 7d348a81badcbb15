//! Quantiles and ranks within a relative error of values.

use super::elements::kept;
use super::quantiles::doubles;
use super::{LogQuantiles, answers, not_an_item, wrap};
use crate::error::{OrRaise, Refused};
use crate::estimate::{Estimate, QuantileEstimate};
use crate::input::Pieces;
use crate::sketch::{Sketch, base};
use crate::table::Table;
use crate::weights::{Weights, whole};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

#[pymethods]
impl LogQuantiles {
    /// An empty sketch whose quantiles are within this share of the true value, for certain.
    ///
    /// Parameters
    /// ----------
    /// error : float
    ///     Half the width of the 95 % interval, as a share of the answer.
    #[new]
    #[pyo3(signature = (error=0.01))]
    fn new(error: f64) -> PyResult<PyClassInitializer<Self>> {
        let made = Sketch::new(Box::new(crivo::LogQuantiles::for_error(error).or_raise()?));
        Ok(PyClassInitializer::from(made).add_subclass(Self))
    }

    /// A sketch of a batch.
    ///
    /// Parameters
    /// ----------
    /// x : iterable or array
    ///     The values. Missing values are left out.
    /// weights : iterable or array, optional
    ///     How often each value occurs.
    /// error : float, optional
    ///     The error to plan for.
    #[staticmethod]
    #[pyo3(signature = (x, weights=None, *, error=0.01))]
    fn of<'py>(
        x: &Bound<'py, PyAny>,
        weights: Option<&Bound<'py, PyAny>>,
        error: f64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let made = wrap(x.py(), Box::new(crivo::LogQuantiles::for_error(error).or_raise()?))?;
        Self::update(made.cast()?, x, weights)?;
        Ok(made)
    }

    /// Add one number, or several copies of it.
    ///
    /// Parameters
    /// ----------
    /// value : object
    ///     The value.
    /// count : int, optional
    ///     How often it occurs.
    #[pyo3(signature = (value, count=1))]
    fn add(slf: &Bound<'_, Self>, value: f64, count: u64) -> PyResult<()> {
        let done = base(slf).shared.with(slf.py(), |sketch| {
            sketch.downcast_mut::<crivo::LogQuantiles>().map_or(Ok(()), |it| it.insert_weighted(value, count))
        })?;
        done.or_raise()
    }

    /// Remove copies of a number that was added.
    ///
    /// Parameters
    /// ----------
    /// value : float
    ///     The number.
    /// count : int, optional
    ///     How often it occurs.
    #[pyo3(signature = (value, count=1))]
    fn remove(slf: &Bound<'_, Self>, value: f64, count: u64) -> PyResult<()> {
        let done = base(slf).shared.with(slf.py(), |sketch| {
            sketch.downcast_mut::<crivo::LogQuantiles>().map_or(Ok(()), |it| it.remove(value, count))
        })?;
        done.or_raise()
    }

    /// Add a batch of numbers. Missing values are left out.
    ///
    /// Parameters
    /// ----------
    /// x : iterable or array
    ///     The values. Missing values are left out.
    /// weights : iterable or array, optional
    ///     How often each value occurs.
    #[pyo3(signature = (x, weights=None))]
    fn update(
        slf: &Bound<'_, Self>,
        x: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (py, this) = (slf.py(), base(slf));
        let weights = weights.map(|it| Weights::of(it, x)).transpose()?;
        let mut pieces = Pieces::of(x)?;
        let mut start = 0;
        while let Some(piece) = pieces.next(py)? {
            if let Some(weights) = &weights {
                weights.check(start + piece.len(), false)?;
            }
            let done = this.shared.detached(py, |sketch| {
                let values = doubles(&kept(&piece, false)?)?;
                let Some(it) = sketch.downcast_mut::<crivo::LogQuantiles>() else { return Ok(()) };
                match &weights {
                    None => {
                        let values: Vec<f64> = values.into_iter().flatten().collect();
                        it.insert_all(&values).map_err(Refused::from)
                    }
                    Some(weights) => values.into_iter().enumerate().try_for_each(|(row, value)| {
                        let Some(value) = value else { return Ok(()) };
                        it.insert_weighted(value, whole(weights.at(start + row))?).map_err(Refused::from)
                    }),
                }
            })?;
            done.map_err(Refused::raised)?;
            start += piece.len();
        }
        weights.map_or(Ok(()), |weights| weights.check(start, true))
    }

    /// The value of rank `q`, from 0 to 1, with certain bounds.
    ///
    /// Parameters
    /// ----------
    /// q : float
    ///     The rank, from 0 to 1.
    fn quantile(slf: &Bound<'_, Self>, q: f64) -> PyResult<QuantileEstimate> {
        let found = base(slf)
            .shared
            .with(slf.py(), |sketch| sketch.downcast_ref::<crivo::LogQuantiles>().map(|it| it.quantile(q)))?;
        QuantileEstimate::of(slf.py(), &found.ok_or_else(not_an_item)?.or_raise()?)
    }

    /// The values of several ranks.
    ///
    /// Parameters
    /// ----------
    /// qs : sequence of float
    ///     The ranks, from 0 to 1.
    ///
    /// Returns
    /// -------
    /// Table
    ///     The columns ``q``, ``value``, ``lower``, ``upper`` and ``guarantee``.
    fn quantiles(slf: &Bound<'_, Self>, qs: Vec<f64>) -> PyResult<Table> {
        let found = base(slf).shared.with(slf.py(), |sketch| {
            sketch.downcast_ref::<crivo::LogQuantiles>().map(|it| it.quantiles(&qs))
        })?;
        answers::quantiles(&qs, &found.ok_or_else(not_an_item)?.or_raise()?)
    }

    /// The number of values that are at most this value, with certain bounds.
    ///
    /// Parameters
    /// ----------
    /// value : object
    ///     A value of the type that the sketch keeps.
    fn rank(slf: &Bound<'_, Self>, value: f64) -> PyResult<Estimate> {
        if value.is_nan() {
            return Err(PyValueError::new_err("NaN has no rank; leave it out"));
        }
        let found = base(slf)
            .shared
            .with(slf.py(), |sketch| sketch.downcast_ref::<crivo::LogQuantiles>().map(|it| it.rank(value)))?;
        found.map(Estimate::count).ok_or_else(not_an_item)
    }

    /// The number of values.
    fn total(slf: &Bound<'_, Self>) -> PyResult<u64> {
        base(slf).shared.with(slf.py(), |sketch| {
            sketch.downcast_ref::<crivo::LogQuantiles>().map_or(0, crivo::LogQuantiles::total)
        })
    }
}
