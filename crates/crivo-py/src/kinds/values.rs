//! Values of keys.

use super::{BloomierFilter, DecayingBloom, LinearBloom, QuantisedBloom, not_an_item, wrap};
use crate::error::{OrRaise, Refused};
use crate::estimate::Estimate;
use crate::hashes::frozen_hashes;
use crate::sketch::{base, spec_of};
use crate::weights::{Weights, whole};
use crivo::sketch::Sketch as AnySketch;
use crivo::valued::{BloomierParams, Fading, LinearBloomParams, QuantisedBloom as Quantised, Scale};
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
}

#[pymethods]
impl QuantisedBloom {
    /// An empty filter of numbers in one or two bytes, for a number of keys; answers are rounded up to a scale.
    ///
    /// Parameters
    /// ----------
    /// items : int
    ///     How many keys it is planned for.
    /// rate : float
    ///     The rate of answers that are larger than the rounded value.
    /// lower, upper : float
    ///     The ends of the scale, in which all values lie.
    /// logarithmic : bool, optional
    ///     Whether the rounding is a share of the value, instead of a fixed number.
    /// bits : int, optional
    ///     The bits of a value: 8 or 16.
    /// seed : int, optional
    ///     A seed of the hash. Sketches with different seeds do not merge.
    /// key : bytes, optional
    ///     16 secret bytes, if the items come from an adversary.
    #[staticmethod]
    #[pyo3(signature = (items, rate, lower, upper, *, logarithmic=false, bits=8, seed=None, key=None))]
    fn for_distortion<'py>(
        py: Python<'py>,
        items: u64,
        rate: f64,
        lower: f64,
        upper: f64,
        logarithmic: bool,
        bits: u32,
        seed: Option<u64>,
        key: Option<&[u8]>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let params = LinearBloomParams::for_distortion(items, rate).or_raise()?;
        let scale = if logarithmic { Scale::logarithmic } else { Scale::linear };
        let (scale, spec) = (scale(lower, upper).or_raise()?, spec_of(seed, key)?);
        match bits {
            8 => wrap(py, Box::new(Quantised::<u8>::with_params(params, scale).with_hash(spec))),
            16 => wrap(py, Box::new(Quantised::<u16>::with_params(params, scale).with_hash(spec))),
            _ => Err(PyValueError::new_err(format!("a value has 8 or 16 bits, got {bits}; 8 is usual"))),
        }
    }
}

#[pymethods]
impl DecayingBloom {
    /// An empty table of values that decay with time, for a number of keys; answers are never too small.
    ///
    /// Parameters
    /// ----------
    /// items : int
    ///     How many keys it is planned for.
    /// rate : float
    ///     The rate of answers that are too large.
    /// factor : float
    ///     What a value is multiplied by in each step, between 0 and 1.
    /// floor : float
    ///     The value below which a key is forgotten.
    /// seed : int, optional
    ///     A seed of the hash. Sketches with different seeds do not merge.
    /// key : bytes, optional
    ///     16 secret bytes, if the items come from an adversary.
    #[staticmethod]
    #[pyo3(signature = (items, rate, factor, floor, *, seed=None, key=None))]
    fn for_distortion<'py>(
        py: Python<'py>,
        items: u64,
        rate: f64,
        factor: f64,
        floor: f64,
        seed: Option<u64>,
        key: Option<&[u8]>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let params = LinearBloomParams::for_distortion(items, rate).or_raise()?;
        let (fading, spec) = (Fading::new(factor, floor).or_raise()?, spec_of(seed, key)?);
        wrap(py, Box::new(crivo::valued::DecayingBloom::with_params(params, fading).with_hash(spec)))
    }

    /// Let time pass.
    ///
    /// Parameters
    /// ----------
    /// steps : int, optional
    ///     How many steps.
    #[pyo3(signature = (steps=1))]
    fn advance(slf: &Bound<'_, Self>, steps: u64) -> PyResult<()> {
        base(slf).shared.with(slf.py(), |sketch| {
            if let Some(table) = sketch.downcast_mut::<crivo::valued::DecayingBloom>() {
                table.advance(steps);
            }
        })
    }

    /// Merge what a neighbour announces: its values, multiplied by a share.
    ///
    /// Parameters
    /// ----------
    /// other : DecayingBloom
    ///     A table of the same size and decay.
    /// share : float
    ///     The share, above 0 and at most 1.
    fn merge_attenuated(slf: &Bound<'_, Self>, other: &Bound<'_, Self>, share: f64) -> PyResult<()> {
        let other = base(other).shared.copied(slf.py())?;
        let done = base(slf).shared.detached(slf.py(), |sketch| {
            let ours = sketch.downcast_mut::<crivo::valued::DecayingBloom>()?;
            Some(ours.merge_attenuated(other.downcast_ref()?, share))
        })?;
        done.ok_or_else(not_an_item)?.or_raise()
    }
}

/// Inserting values and asking for them, for every type of values of a class.
macro_rules! valued {
    ($($kind:ident: $($type:ty),+;)+) => {$(
        #[pymethods]
        impl $kind {
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
                base(slf).add_hash(item, text, |sketch, hash| Self::put(sketch, hash, value))
            }

            /// Insert a batch of keys with their values.
            ///
            /// Parameters
            /// ----------
            /// x : iterable or array
            ///     The keys. Missing values are not items.
            /// values : iterable or array of numbers
            ///     The value of each key.
            /// text : bool, optional
            ///     Hash the items' texts, as the command does; by default, as the sketch began.
            #[pyo3(signature = (x, values, *, text=None))]
            fn update(
                slf: &Bound<'_, Self>,
                x: &Bound<'_, PyAny>,
                values: &Bound<'_, PyAny>,
                text: Option<bool>,
            ) -> PyResult<()> {
                base(slf).for_each_weighted(x, &Weights::of(values, x)?, text, Self::put)
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
                base(slf).shared.with(slf.py(), |sketch| {
                    $(if let Some(it) = sketch.downcast_ref::<$type>() {
                        return Ok(it.value_hash(hash));
                    })+
                    Err(other_values())
                })?
            }

            /// The values of a batch of keys; ``None`` for one that is certainly not inside.
            ///
            /// Parameters
            /// ----------
            /// x : iterable or array
            ///     The keys. Missing values are not items.
            /// text : bool, optional
            ///     Hash the items' texts, as the command does; by default, as the sketch began.
            #[pyo3(signature = (x, *, text=None))]
            fn values(
                slf: &Bound<'_, Self>,
                x: &Bound<'_, PyAny>,
                text: Option<bool>,
            ) -> PyResult<Vec<Option<f64>>> {
                let mut all = Vec::new();
                for piece in base(slf).hashed(x, text)? {
                    let found = base(slf).shared.detached(slf.py(), |sketch| {
                        $(if let Some(it) = sketch.downcast_ref::<$type>() {
                            return Some(it.value_hashes(&piece.hashes));
                        })+
                        None
                    })?;
                    let found = found.ok_or_else(other_values)?.into_iter().enumerate();
                    all.extend(found.map(|(row, value)| value.filter(|_| piece.is_valid(row))));
                }
                Ok(all)
            }

            /// Remove everything: the sketch is as good as new.
            fn clear(slf: &Bound<'_, Self>) -> PyResult<()> {
                base(slf).shared.with(slf.py(), |sketch| {
                    $(if let Some(it) = sketch.downcast_mut::<$type>() {
                        it.clear();
                        return Ok(());
                    })+
                    Err(other_values())
                })?
            }
        }

        impl $kind {
            fn put(sketch: &mut Box<dyn AnySketch>, hash: u64, value: f64) -> Result<(), Refused> {
                $(if let Some(it) = sketch.downcast_mut::<$type>() {
                    return it.insert_hash(hash, value).map(drop).map_err(Refused::from);
                })+
                Err(Refused::Value(OTHER_VALUES.into()))
            }
        }
    )+};
}
valued!(
    LinearBloom: crivo::LinearBloom<f64>;
    QuantisedBloom: Quantised<u8>, Quantised<u16>;
    DecayingBloom: crivo::valued::DecayingBloom;
);

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
