//! Values of keys.

use super::{BloomierFilter, LinearBloom, not_an_item, wrap};
use crate::error::{OrRaise, Refused};
use crate::estimate::Estimate;
use crate::hashes::frozen_hashes;
use crate::sketch::{base, spec_of};
use crate::weights::{Weights, whole};
use crivo::valued::BloomierParams;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;

#[pymethods]
impl LinearBloom {
    /// An empty filter of floats, for a number of keys; answers are too large at most at this rate, never too small.
    ///
    /// Parameters
    /// ----------
    /// items : int
    ///     How many keys it is planned for.
    /// rate : float
    ///     The rate of answers that are too large.
    /// seed : int, optional
    ///     A seed of the hash. Sketches with different seeds do not merge.
    /// key : bytes, optional
    ///     16 secret bytes, if the items come from an adversary.
    #[staticmethod]
    #[pyo3(signature = (items, rate, *, seed=None, key=None))]
    fn for_distortion<'py>(
        py: Python<'py>,
        items: u64,
        rate: f64,
        seed: Option<u64>,
        key: Option<&[u8]>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let spec = spec_of(seed, key)?;
        wrap(py, Box::new(crivo::LinearBloom::<f64>::for_distortion(items, rate).or_raise()?.with_hash(spec)))
    }

    /// Insert a key with its value; the larger of two values of a key stays.
    ///
    /// Parameters
    /// ----------
    /// item : object
    ///     The item. ``None`` is not an item.
    /// value : float
    ///     Its value.
    /// text : bool, optional
    ///     Hash the items' texts, as the command does; by default, as the sketch began.
    #[pyo3(signature = (item, value, *, text=None))]
    fn insert(
        slf: &Bound<'_, Self>,
        item: &Bound<'_, PyAny>,
        value: f64,
        text: Option<bool>,
    ) -> PyResult<()> {
        base(slf).add_hash(item, text, |sketch, hash| {
            let it = sketch.downcast_mut::<crivo::LinearBloom<f64>>();
            it.ok_or_else(|| Refused::Value(OTHER_VALUES.into()))?.insert_hash(hash, value)?;
            Ok::<_, Refused>(())
        })
    }

    /// The value of a key, or ``None`` if it is certainly not inside.
    ///
    /// Parameters
    /// ----------
    /// item : object
    ///     The item. ``None`` is not an item.
    /// text : bool, optional
    ///     Hash the items' texts, as the command does; by default, as the sketch began.
    #[pyo3(signature = (item, *, text=None))]
    fn value(slf: &Bound<'_, Self>, item: &Bound<'_, PyAny>, text: Option<bool>) -> PyResult<Option<f64>> {
        let hash = base(slf).hash_of(item, text)?.ok_or_else(not_an_item)?;
        let found = base(slf).shared.with(slf.py(), |sketch| {
            sketch.downcast_ref::<crivo::LinearBloom<f64>>().map(|it| it.value_hash(hash))
        })?;
        found.ok_or_else(other_values)
    }
}

const OTHER_VALUES: &str = "this filter keeps values of another type than float; ask it with the command";

fn other_values() -> PyErr {
    PyValueError::new_err(OTHER_VALUES)
}

#[pymethods]
impl BloomierFilter {
    /// A static map from keys to whole numbers of a few bits.
    ///
    /// Parameters
    /// ----------
    /// keys, values : iterables or arrays
    ///     The keys, and their values below ``2**value_bits``.
    /// value_bits : int
    ///     The bits of a value.
    /// fpr : float
    ///     The probability that a key that is not inside has a value.
    #[staticmethod]
    #[pyo3(signature = (keys, values, value_bits, fpr, *, seed=None, key=None, text=false))]
    fn freeze<'py>(
        keys: &Bound<'py, PyAny>,
        values: &Bound<'py, PyAny>,
        value_bits: u32,
        fpr: f64,
        seed: Option<u64>,
        key: Option<&[u8]>,
        text: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = keys.py();
        let values = Weights::of(values, keys)?;
        let (pieces, spec) = frozen_hashes(keys, spec_of(seed, key)?, text)?;
        let (mut pairs, mut start) = (Vec::new(), 0);
        for piece in pieces {
            values.check(start + piece.hashes.len(), false)?;
            for (row, &hash) in piece.hashes.iter().enumerate().filter(|(row, _)| piece.is_valid(*row)) {
                pairs.push((hash, whole(values.at(start + row)).map_err(Refused::raised)?));
            }
            start += piece.hashes.len();
        }
        values.check(start, true)?;
        let params = BloomierParams::for_fpr(value_bits, pairs.len() as u64, fpr).or_raise()?;
        let made = py.detach(|| crivo::BloomierFilter::freeze_hashes(pairs, params, spec)).or_raise()?;
        wrap(py, Box::new(made))
    }

    /// The value of a key, or ``None`` if it is certainly not inside.
    ///
    /// Parameters
    /// ----------
    /// item : object
    ///     The item. ``None`` is not an item.
    /// text : bool, optional
    ///     Hash the items' texts, as the command does; by default, as the sketch began.
    #[pyo3(signature = (item, *, text=None))]
    fn value(slf: &Bound<'_, Self>, item: &Bound<'_, PyAny>, text: Option<bool>) -> PyResult<Option<u64>> {
        let hash = base(slf).hash_of(item, text)?.ok_or_else(not_an_item)?;
        base(slf).shared.with(slf.py(), |sketch| {
            sketch.downcast_ref::<crivo::BloomierFilter>().and_then(|it| it.value_hash(hash))
        })
    }

    /// The values of a batch of keys.
    ///
    /// Parameters
    /// ----------
    /// x : iterable or array
    ///     The items. Missing values are not items.
    /// text : bool, optional
    ///     Hash the items' texts, as the command does; by default, as the sketch began.
    #[pyo3(signature = (x, *, text=None))]
    fn values<'py>(
        slf: &Bound<'py, Self>,
        x: &Bound<'py, PyAny>,
        text: Option<bool>,
    ) -> PyResult<Bound<'py, PyList>> {
        let mut all: Vec<Option<u64>> = Vec::new();
        for piece in base(slf).hashed(x, text)? {
            let found = base(slf).shared.detached(slf.py(), |sketch| {
                sketch.downcast_ref::<crivo::BloomierFilter>().map(|it| it.value_hashes(&piece.hashes))
            })?;
            let found = found.unwrap_or_default().into_iter().enumerate();
            all.extend(found.map(|(row, value)| value.filter(|_| piece.is_valid(row))));
        }
        PyList::new(slf.py(), all)
    }

    /// The probability that a key that is not inside has a value.
    fn fpr(slf: &Bound<'_, Self>) -> PyResult<Estimate> {
        let found = base(slf).shared.with(slf.py(), |sketch| {
            sketch.downcast_ref::<crivo::BloomierFilter>().map(crivo::BloomierFilter::fpr)
        })?;
        found.map(Estimate::rate).ok_or_else(not_an_item)
    }
}
