//! Counters of events in a few bits.

use super::samples::seed_or_new;
use super::{MorrisCounter, not_an_item, wrap};
use crate::error::OrRaise;
use crate::estimate::Estimate;
use crate::sketch::base;
use crivo::counting::MorrisParams;
use pyo3::prelude::*;

#[pymethods]
impl MorrisCounter {
    /// A counter at 0 whose 95 % interval reaches this share of the count to each side.
    ///
    /// Parameters
    /// ----------
    /// error : float
    ///     Half the width of the 95 % interval, as a share of the answer.
    /// largest : int
    ///     The largest count that it is planned for.
    /// seed : int, optional
    ///     The seed of the random choices; a new one by default. Counters with equal seeds do not merge.
    #[staticmethod]
    #[pyo3(signature = (error, largest, seed=None))]
    fn for_error(py: Python<'_>, error: f64, largest: u64, seed: Option<u64>) -> PyResult<Bound<'_, PyAny>> {
        let params = MorrisParams::for_error(error, largest).or_raise()?;
        wrap(py, Box::new(crivo::MorrisCounter::with_params(params, seed_or_new(py, seed)?)))
    }

    /// Count events.
    ///
    /// Parameters
    /// ----------
    /// count : int, optional
    ///     How many.
    #[pyo3(signature = (count=1))]
    fn increment(slf: &Bound<'_, Self>, count: u64) -> PyResult<()> {
        base(slf).shared.with(slf.py(), |sketch| {
            if let Some(counter) = sketch.downcast_mut::<crivo::MorrisCounter>() {
                counter.increment_by(count);
            }
        })
    }

    /// The number of events, with its 95 % interval.
    fn estimate(slf: &Bound<'_, Self>) -> PyResult<Estimate> {
        let found = base(slf)
            .shared
            .with(slf.py(), |sketch| sketch.downcast_ref::<crivo::MorrisCounter>().map(|it| it.estimate()))?;
        found.map(Estimate::count).ok_or_else(not_an_item)
    }
}
