//! Counters of events in a few bits.

use super::numbers::{pairs, whole_numbers};
use super::samples::seed_or_new;
use super::{BinomialArray, BinomialCounter, MorrisArray, MorrisCounter, answers, not_an_item, wrap};
use crate::error::OrRaise;
use crate::estimate::Estimate;
use crate::sketch::base;
use crate::table::Table;
use crivo::counting::{BinomialParams, MorrisParams};
use pyo3::prelude::*;

/// Counting and its answer, for one counter and for an array of them.
macro_rules! counters {
    ($($kind:ident: $type:ty, $array:ident: $array_type:ty;)+) => {$(
        #[pymethods]
        impl $kind {
            /// Count events.
            ///
            /// Parameters
            /// ----------
            /// count : int, optional
            ///     How many.
            #[pyo3(signature = (count=1))]
            fn increment(slf: &Bound<'_, Self>, count: u64) -> PyResult<()> {
                base(slf).shared.with(slf.py(), |sketch| {
                    if let Some(counter) = sketch.downcast_mut::<$type>() {
                        counter.increment_by(count);
                    }
                })
            }

            /// The number of events, with its 95 % interval.
            fn estimate(slf: &Bound<'_, Self>) -> PyResult<Estimate> {
                let found = base(slf)
                    .shared
                    .with(slf.py(), |sketch| sketch.downcast_ref::<$type>().map(|it| it.estimate()))?;
                found.map(Estimate::count).ok_or_else(not_an_item)
            }
        }

        #[pymethods]
        impl $array {
            /// Count events in one counter.
            ///
            /// Parameters
            /// ----------
            /// index : int
            ///     The counter, from 0 on.
            /// count : int, optional
            ///     How many.
            #[pyo3(signature = (index, count=1))]
            fn increment(slf: &Bound<'_, Self>, index: usize, count: u64) -> PyResult<()> {
                let done = base(slf).shared.with(slf.py(), |sketch| {
                    sketch.downcast_mut::<$array_type>().map_or(Ok(()), |it| it.increment_by(index, count))
                })?;
                done.or_raise()
            }

            /// Count a batch of events, each once or as often as its weight says.
            ///
            /// Parameters
            /// ----------
            /// x : iterable or array of int
            ///     The counter of each event. If one of them is unknown, nothing is counted.
            /// weights : iterable or array of int, optional
            ///     How often each event occurs.
            #[pyo3(signature = (x, weights=None))]
            fn update(
                slf: &Bound<'_, Self>,
                x: &Bound<'_, PyAny>,
                weights: Option<&Bound<'_, PyAny>>,
            ) -> PyResult<()> {
                let indexes = whole_numbers(x)?;
                let counts = weights.map_or_else(|| Ok(vec![1; indexes.len()]), whole_numbers)?;
                let events = pairs(indexes, counts)?;
                let done = base(slf).shared.detached(slf.py(), |sketch| {
                    let Some(counters) = sketch.downcast_mut::<$array_type>() else { return Ok(()) };
                    if let Some(&(largest, _)) = events.iter().max() {
                        counters.register(largest as usize)?;
                    }
                    let mut events = events.into_iter();
                    events.try_for_each(|(index, count)| match count {
                        1 => counters.increment(index as usize),
                        count => counters.increment_by(index as usize, count),
                    })
                })?;
                done.or_raise()
            }

            /// The number of events in one counter, with its 95 % interval.
            ///
            /// Parameters
            /// ----------
            /// index : int
            ///     The counter, from 0 on.
            fn estimate(slf: &Bound<'_, Self>, index: usize) -> PyResult<Estimate> {
                let found = base(slf)
                    .shared
                    .with(slf.py(), |sketch| sketch.downcast_ref::<$array_type>().map(|it| it.estimate(index)))?;
                found.ok_or_else(not_an_item)?.or_raise().map(Estimate::count)
            }

            /// The number of events in each counter of a batch.
            ///
            /// Parameters
            /// ----------
            /// x : iterable or array of int
            ///     The counters.
            ///
            /// Returns
            /// -------
            /// Table
            ///     The columns ``estimate``, ``lower`` and ``upper``, in the order of the batch.
            fn estimates(slf: &Bound<'_, Self>, x: &Bound<'_, PyAny>) -> PyResult<Table> {
                let indexes = whole_numbers(x)?;
                let found = base(slf).shared.detached(slf.py(), |sketch| {
                    let counters = sketch.downcast_ref::<$array_type>()?;
                    let all = indexes.iter().map(|&index| counters.estimate(index as usize).map(Some));
                    Some(all.collect::<crivo::Result<Vec<_>>>())
                })?;
                answers::estimates(&found.ok_or_else(not_an_item)?.or_raise()?)
            }
        }
    )+};
}
counters!(
    MorrisCounter: crivo::MorrisCounter, MorrisArray: crivo::MorrisArray;
    BinomialCounter: crivo::counting::BinomialCounter, BinomialArray: crivo::counting::BinomialArray;
);

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
}

#[pymethods]
impl MorrisArray {
    /// Counters at 0 whose 95 % intervals reach this share of the count to each side.
    ///
    /// Parameters
    /// ----------
    /// counters : int
    ///     How many counters there are.
    /// error : float
    ///     Half the width of the 95 % interval, as a share of the answer.
    /// largest : int
    ///     The largest count that they are planned for.
    /// seed : int, optional
    ///     The seed of the random choices; a new one by default. Counters with equal seeds do not merge.
    #[staticmethod]
    #[pyo3(signature = (counters, error, largest, seed=None))]
    fn for_error(
        py: Python<'_>,
        counters: u64,
        error: f64,
        largest: u64,
        seed: Option<u64>,
    ) -> PyResult<Bound<'_, PyAny>> {
        let params = MorrisParams::for_error(error, largest).or_raise()?;
        let made = crivo::MorrisArray::with_params(counters, params, seed_or_new(py, seed)?);
        wrap(py, Box::new(made.or_raise()?))
    }
}

#[pymethods]
impl BinomialCounter {
    /// A counter at 0, as accurate as this many bits allow up to a count.
    ///
    /// Parameters
    /// ----------
    /// largest : int
    ///     The largest count that it is planned for.
    /// bits : int, optional
    ///     The bits of the counter, at most 32.
    /// seed : int, optional
    ///     The seed of the random choices; a new one by default. Counters with equal seeds do not merge.
    #[staticmethod]
    #[pyo3(signature = (largest, bits=8, seed=None))]
    fn for_count(py: Python<'_>, largest: u64, bits: u32, seed: Option<u64>) -> PyResult<Bound<'_, PyAny>> {
        let params = BinomialParams::for_count(largest, bits).or_raise()?;
        let made = crivo::counting::BinomialCounter::with_params(params, seed_or_new(py, seed)?);
        wrap(py, Box::new(made))
    }
}

#[pymethods]
impl BinomialArray {
    /// Counters at 0, as accurate as this many bits allow up to a count.
    ///
    /// Parameters
    /// ----------
    /// counters : int
    ///     How many counters there are.
    /// largest : int
    ///     The largest count that they are planned for.
    /// bits : int, optional
    ///     The bits of each counter, at most 32.
    /// seed : int, optional
    ///     The seed of the random choices; a new one by default. Counters with equal seeds do not merge.
    #[staticmethod]
    #[pyo3(signature = (counters, largest, bits=8, seed=None))]
    fn for_count(
        py: Python<'_>,
        counters: u64,
        largest: u64,
        bits: u32,
        seed: Option<u64>,
    ) -> PyResult<Bound<'_, PyAny>> {
        let params = BinomialParams::for_count(largest, bits).or_raise()?;
        let made = crivo::counting::BinomialArray::with_params(counters, params, seed_or_new(py, seed)?);
        wrap(py, Box::new(made.or_raise()?))
    }
}
