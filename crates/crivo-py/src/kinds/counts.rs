//! Frequencies by hash: Count-Min and its relatives, and the moments.

use super::{CountMin, CountSketch, Moments, SignedCountMin, SpectralBloom, answers, not_an_item, wrap};
use crate::error::{OrRaise, Refused};
use crate::estimate::{Estimate, Of};
use crate::sketch::{Sketch, base, spec_of};
use crate::table::Table;
use crate::weights::{Weights, whole, whole_signed};
use pyo3::prelude::*;

/// The methods of a structure that counts by hash; `$count` turns a weight into its counts.
macro_rules! counts {
    ($kind:ident, $type:ty, $number:ty, $count:expr, $add:expr, $many:expr) => {
        #[pymethods]
        impl $kind {
            /// Add occurrences of one item.
            ///
            /// Parameters
            /// ----------
            /// item : object
            ///     The item. ``None`` is not an item.
            /// count : int, optional
            ///     How often it occurs.
            /// text : bool, optional
            ///     Hash the items' texts, as the command does; by default, as the sketch began.
            #[pyo3(signature = (item, count=1, *, text=None))]
            fn add(
                slf: &Bound<'_, Self>,
                item: &Bound<'_, PyAny>,
                count: $number,
                text: Option<bool>,
            ) -> PyResult<()> {
                base(slf).add_hash(item, text, |sketch, hash| {
                    sketch.downcast_mut::<$type>().map_or(Ok(()), |sketch| ($add)(sketch, hash, count))
                })
            }

            /// Add a batch of items, each once or as often as its weight says.
            ///
            /// Parameters
            /// ----------
            /// x : iterable or array
            ///     The items. Missing values are not items.
            /// weights : iterable or array of whole numbers, optional
            ///     How often each item occurs.
            /// text : bool, optional
            ///     Hash the items' texts, as the command does.
            #[pyo3(signature = (x, weights=None, *, text=None))]
            fn update(
                slf: &Bound<'_, Self>,
                x: &Bound<'_, PyAny>,
                weights: Option<&Bound<'_, PyAny>>,
                text: Option<bool>,
            ) -> PyResult<()> {
                match weights {
                    None => base(slf).for_each_hashes(x, text, |sketch, hashes| {
                        sketch.downcast_mut::<$type>().map_or(Ok(()), |sketch| ($many)(sketch, hashes))
                    }),
                    Some(weights) => {
                        let weights = Weights::of(weights, x)?;
                        base(slf).for_each_weighted(x, &weights, text, |sketch, hash, weight| {
                            let count = ($count)(weight)?;
                            let done =
                                sketch.downcast_mut::<$type>().map_or(Ok(()), |it| ($add)(it, hash, count));
                            done.map_err(Refused::from)
                        })
                    }
                }
            }
        }
    };
}

counts!(
    CountMin,
    crivo::CountMin,
    u64,
    whole,
    |it: &mut crivo::CountMin, hash: u64, count: u64| {
        it.add_hash(hash, count);
        Ok::<(), crivo::Error>(())
    },
    |it: &mut crivo::CountMin, hashes: &[u64]| {
        it.add_hashes(hashes);
        Ok(())
    }
);
counts!(
    SpectralBloom,
    crivo::membership::SpectralBloom,
    u64,
    whole,
    |it: &mut crivo::membership::SpectralBloom, hash: u64, count: u64| {
        it.add_hash(hash, count);
        Ok::<(), crivo::Error>(())
    },
    |it: &mut crivo::membership::SpectralBloom, hashes: &[u64]| {
        it.add_hashes(hashes);
        Ok(())
    }
);
counts!(Moments, crivo::Moments, u64, whole, crivo::Moments::add_hash, crivo::Moments::add_hashes);
counts!(
    CountSketch,
    crivo::CountSketch,
    i64,
    whole_signed,
    crivo::CountSketch::add_hash,
    crivo::CountSketch::add_hashes
);
counts!(
    SignedCountMin,
    crivo::frequency::SignedCountMin,
    i64,
    whole_signed,
    crivo::frequency::SignedCountMin::add_hash,
    crivo::frequency::SignedCountMin::add_hashes
);

/// `frequency` and `total`.
macro_rules! frequencies {
    ($($kind:ident: $type:ty, $number:ty);+ $(;)?) => {$(
        #[pymethods]
        impl $kind {
            /// How often an item was added, with its 95 % interval.
            ///
            /// Parameters
            /// ----------
            /// item : object
            ///     The item. ``None`` is not an item.
            /// text : bool, optional
            ///     Hash the items' texts, as the command does; by default, as the sketch began.
            #[pyo3(signature = (item, *, text=None))]
            fn frequency(slf: &Bound<'_, Self>, item: &Bound<'_, PyAny>, text: Option<bool>) -> PyResult<Estimate> {
                let this = base(slf);
                let hash = this.hash_of(item, text)?.ok_or_else(not_an_item)?;
                let found = this.shared.with(slf.py(), |sketch| {
                    sketch.downcast_ref::<$type>().map(|it| it.frequency_hash(hash))
                })?;
                found.map(Estimate::count).ok_or_else(not_an_item)
            }

            /// How often each item of a batch was added.
            ///
            /// Parameters
            /// ----------
            /// x : iterable or array
            ///     The items. Missing values are not items.
            /// text : bool, optional
            ///     Hash the items' texts, as the command does; by default, as the sketch began.
            ///
            /// Returns
            /// -------
            /// Table
            ///     The columns ``estimate``, ``lower`` and ``upper``, in the order of the batch; a missing value has none.
            #[pyo3(signature = (x, *, text=None))]
            fn frequencies(
                slf: &Bound<'_, Self>,
                x: &Bound<'_, PyAny>,
                text: Option<bool>,
            ) -> PyResult<Table> {
                let this = base(slf);
                let mut all = Vec::new();
                for piece in this.hashed(x, text)? {
                    let found = this.shared.detached(slf.py(), |sketch| {
                        sketch.downcast_ref::<$type>().map(|it| it.frequency_hashes(&piece.hashes))
                    })?;
                    let found = found.unwrap_or_default().into_iter().enumerate();
                    all.extend(found.map(|(row, it)| piece.is_valid(row).then_some(it)));
                }
                answers::estimates(&all)
            }

            /// The number of all occurrences.
            fn total(slf: &Bound<'_, Self>) -> PyResult<$number> {
                base(slf).shared.with(slf.py(), |sketch| sketch.downcast_ref::<$type>().map_or(0, |it| it.total()))
            }
        }
    )+};
}
frequencies!(
    CountMin: crivo::CountMin, u64;
    SpectralBloom: crivo::membership::SpectralBloom, u64;
    CountSketch: crivo::CountSketch, i64;
    SignedCountMin: crivo::frequency::SignedCountMin, i64;
);

/// `for_error` and `of` with an error and a probability.
macro_rules! of_error {
    ($($kind:ident: $type:ty);+ $(;)?) => {$(
        #[pymethods]
        impl $kind {
            /// An empty sketch whose answers are off by more than a share of the total with a given probability.
            ///
            /// Parameters
            /// ----------
            /// epsilon : float
            ///     The error as a share: of the total, or of the Euclidean norm for a ``CountSketch``.
            /// delta : float
            ///     The probability that an answer is off by more.
            #[staticmethod]
            #[pyo3(signature = (epsilon, delta=0.01, *, seed=None, key=None))]
            fn for_error<'py>(
                py: Python<'py>,
                epsilon: f64,
                delta: f64,
                seed: Option<u64>,
                key: Option<&[u8]>,
            ) -> PyResult<Bound<'py, PyAny>> {
                let spec = spec_of(seed, key)?;
                wrap(py, Box::new(<$type>::for_error(epsilon, delta).or_raise()?.with_hash(spec)))
            }

            /// The inner product with another sketch of the same size: the size of a join.
            ///
            /// Parameters
            /// ----------
            /// other : Sketch
            ///     A sketch of the same kind and size.
            fn inner_product(slf: &Bound<'_, Self>, other: &Bound<'_, Sketch>) -> PyResult<Estimate> {
                let py = slf.py();
                let other = other.get().shared.copied(py)?;
                let found = base(slf).shared.with(py, |sketch| {
                    let (one, two) = (sketch.downcast_ref::<$type>()?, other.downcast_ref::<$type>()?);
                    Some(one.inner_product(two))
                })?;
                let found = found.ok_or_else(|| {
                    pyo3::exceptions::PyTypeError::new_err("an inner product needs two sketches of one class")
                })?;
                found.or_raise().map(|it| Estimate::of(it, Of::Real))
            }
        }
    )+};
}
of_error!(
    CountMin: crivo::CountMin;
    CountSketch: crivo::CountSketch;
    SignedCountMin: crivo::frequency::SignedCountMin;
);

#[pymethods]
impl Moments {
    /// An empty sketch whose distinct count and second moment reach this relative error.
    ///
    /// Parameters
    /// ----------
    /// error : float
    ///     The relative error.
    /// seed : int, optional
    ///     A seed of the hash. Sketches with different seeds do not merge.
    /// key : bytes, optional
    ///     16 secret bytes, if the items come from an adversary.
    #[staticmethod]
    #[pyo3(signature = (error, *, seed=None, key=None))]
    fn for_error<'py>(
        py: Python<'py>,
        error: f64,
        seed: Option<u64>,
        key: Option<&[u8]>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let spec = spec_of(seed, key)?;
        wrap(py, Box::new(crivo::Moments::for_error(error).or_raise()?.with_hash(spec)))
    }

    /// The number of distinct items.
    fn f0(slf: &Bound<'_, Self>) -> PyResult<Estimate> {
        moment(slf, crivo::Moments::f0)
    }

    /// The number of all items.
    fn f1(slf: &Bound<'_, Self>) -> PyResult<Estimate> {
        moment(slf, crivo::Moments::f1)
    }

    /// The sum of the squared frequencies, which measures the skew.
    fn f2(slf: &Bound<'_, Self>) -> PyResult<Estimate> {
        moment(slf, crivo::Moments::f2)
    }
}

fn moment(slf: &Bound<'_, Moments>, ask: fn(&crivo::Moments) -> crivo::Estimate) -> PyResult<Estimate> {
    let found = base(slf).shared.with(slf.py(), |sketch| sketch.downcast_ref().map(ask))?;
    found.map(Estimate::count).ok_or_else(not_an_item)
}
