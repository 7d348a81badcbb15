//! Signatures of sets and vectors.

use super::{BBitMinHash, MinHash, OnePermutation, SimHash, WeightedMinHash, wrap};
use crate::error::{OrRaise, Refused};
use crate::estimate::{Estimate, Of};
use crate::sketch::{Sketch, base, spec_of};
use crate::weights::Weights;
use crivo::hash::HashSpec;
use crivo::similarity::{Scheme, Signature};
use crivo::sketch::Sketch as AnySketch;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

macro_rules! signatures {
    ($($kind:ident),+) => {$(
        #[pymethods]
        impl $kind {
            /// An empty signature of this many slots.
            ///
            /// Parameters
            /// ----------
            /// slots : int
            ///     The number of slots: the error of a similarity is about one over its root.
            /// seed : int, optional
            ///     A seed of the hash. Sketches with different seeds do not merge.
            /// key : bytes, optional
            ///     16 secret bytes, if the items come from an adversary.
            #[staticmethod]
            #[pyo3(signature = (slots, *, seed=None, key=None))]
            fn for_slots<'py>(
                py: Python<'py>,
                slots: u32,
                seed: Option<u64>,
                key: Option<&[u8]>,
            ) -> PyResult<Bound<'py, PyAny>> {
                let spec = spec_of(seed, key)?;
                wrap(py, Box::new(crivo::$kind::for_slots(slots).or_raise()?.with_hash(spec)))
            }

            /// An empty signature whose similarities are off by at most this much, 95 times in 100.
            ///
            /// Parameters
            /// ----------
            /// error : float
            ///     The error of a similarity.
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
                wrap(py, Box::new(crivo::$kind::for_error(error).or_raise()?.with_hash(spec)))
            }

            /// The signature of a set: ``for_slots`` and ``update`` in one call.
            ///
            /// Parameters
            /// ----------
            /// x : iterable or array
            ///     The items of the set. Missing values are not items.
            /// slots : int, optional
            ///     The number of slots: the error of a similarity is about one over its root.
            /// seed : int, optional
            ///     A seed of the hash. Sketches with different seeds do not merge.
            /// key : bytes, optional
            ///     16 secret bytes, if the items come from an adversary.
            /// text : bool, optional
            ///     Hash the items' texts, as the command does; by default, as the sketch began.
            #[staticmethod]
            #[pyo3(signature = (x, *, slots=256, seed=None, key=None, text=None))]
            fn of<'py>(
                x: &Bound<'py, PyAny>,
                slots: u32,
                seed: Option<u64>,
                key: Option<&[u8]>,
                text: Option<bool>,
            ) -> PyResult<Bound<'py, PyAny>> {
                let made = Self::for_slots(x.py(), slots, seed, key)?;
                Self::update(made.cast()?, x, text)?;
                Ok(made)
            }
        }
    )+};
}
signatures!(MinHash, OnePermutation);

#[pymethods]
impl BBitMinHash {
    /// A few bits of each slot of a ``MinHash`` or ``OnePermutation``, for many sets that no longer change.
    ///
    /// Parameters
    /// ----------
    /// signature : Sketch
    ///     A signature.
    /// bits : int
    ///     The number of bits.
    #[staticmethod]
    fn freeze<'py>(signature: &Bound<'py, Sketch>, bits: u32) -> PyResult<Bound<'py, PyAny>> {
        let (py, like) = (signature.py(), Slots::of(signature)?);
        wrap(py, Box::new(crivo::similarity::BBitMinHash::freeze(&like, bits).or_raise()?))
    }
}

/// The slots of a signature of any class.
#[derive(Debug)]
pub(super) struct Slots {
    scheme: Scheme,
    slots: Vec<u32>,
    spec: HashSpec,
}

impl Signature for Slots {
    fn scheme(&self) -> Scheme {
        self.scheme
    }

    fn slots(&self) -> &[u32] {
        &self.slots
    }

    fn hash_spec(&self) -> &HashSpec {
        &self.spec
    }
}

impl Slots {
    pub(super) fn of(signature: &Bound<'_, Sketch>) -> PyResult<Self> {
        fn of(signature: &impl Signature) -> Slots {
            Slots {
                scheme: signature.scheme(),
                slots: signature.slots().to_vec(),
                spec: *signature.hash_spec(),
            }
        }
        let found = signature.get().shared.with(signature.py(), |sketch: &mut Box<dyn AnySketch>| {
            let min_hash = sketch.downcast_ref::<crivo::MinHash>().map(of);
            let bins = || sketch.downcast_ref::<crivo::OnePermutation>().map(of);
            let weights = || sketch.downcast_ref::<crivo::WeightedMinHash>().map(of);
            min_hash.or_else(bins).or_else(weights)
        })?;
        found.ok_or_else(|| {
            PyTypeError::new_err(
                "expected a MinHash, a OnePermutation or a WeightedMinHash; make one of the set",
            )
        })
    }
}

#[pymethods]
impl WeightedMinHash {
    /// An empty signature of this many slots.
    ///
    /// Parameters
    /// ----------
    /// slots : int
    ///     The number of slots: the error of a similarity is about one over its root.
    /// seed : int, optional
    ///     A seed of the hash. Sketches with different seeds do not merge.
    /// key : bytes, optional
    ///     16 secret bytes, if the items come from an adversary.
    #[staticmethod]
    #[pyo3(signature = (slots, *, seed=None, key=None))]
    fn for_slots<'py>(
        py: Python<'py>,
        slots: u32,
        seed: Option<u64>,
        key: Option<&[u8]>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let spec = spec_of(seed, key)?;
        wrap(py, Box::new(crivo::WeightedMinHash::for_slots(slots).or_raise()?.with_hash(spec)))
    }

    /// Add an item with its weight, which must be its whole weight in the set.
    ///
    /// Parameters
    /// ----------
    /// item : object
    ///     The item. ``None`` is not an item.
    /// weight : float
    ///     Its weight.
    /// text : bool, optional
    ///     Hash the items' texts, as the command does; by default, as the sketch began.
    #[pyo3(signature = (item, weight, *, text=None))]
    fn add(slf: &Bound<'_, Self>, item: &Bound<'_, PyAny>, weight: f64, text: Option<bool>) -> PyResult<()> {
        base(slf).add_hash(item, text, |sketch, hash| {
            let it = sketch.downcast_mut::<crivo::WeightedMinHash>();
            it.map_or(Ok(()), |it| it.add_hash(hash, weight).map(drop))
        })
    }

    /// Add a batch of items with their weights.
    ///
    /// Parameters
    /// ----------
    /// x : iterable or array
    ///     The items. Missing values are not items.
    /// weights : iterable or array, optional
    ///     The weight of each item.
    /// text : bool, optional
    ///     Hash the items' texts, as the command does; by default, as the sketch began.
    #[pyo3(signature = (x, weights, *, text=None))]
    fn update(
        slf: &Bound<'_, Self>,
        x: &Bound<'_, PyAny>,
        weights: &Bound<'_, PyAny>,
        text: Option<bool>,
    ) -> PyResult<()> {
        base(slf).for_each_weighted(x, &Weights::of(weights, x)?, text, |sketch, hash, weight| {
            let Some(it) = sketch.downcast_mut::<crivo::WeightedMinHash>() else { return Ok(()) };
            it.add_hash(hash, weight).map(drop).map_err(Refused::from)
        })
    }
}

#[pymethods]
impl SimHash {
    /// An empty fingerprint of this many bits.
    ///
    /// Parameters
    /// ----------
    /// bits : int, optional
    ///     The number of bits.
    /// seed : int, optional
    ///     A seed of the hash. Sketches with different seeds do not merge.
    /// key : bytes, optional
    ///     16 secret bytes, if the items come from an adversary.
    #[staticmethod]
    #[pyo3(signature = (bits=64, *, seed=None, key=None))]
    fn for_bits<'py>(
        py: Python<'py>,
        bits: u32,
        seed: Option<u64>,
        key: Option<&[u8]>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let spec = spec_of(seed, key)?;
        wrap(py, Box::new(crivo::SimHash::for_bits(bits).or_raise()?.with_hash(spec)))
    }

    /// Add an item with its weight.
    ///
    /// Parameters
    /// ----------
    /// item : object
    ///     The item. ``None`` is not an item.
    /// weight : float
    ///     Its weight.
    /// text : bool, optional
    ///     Hash the items' texts, as the command does; by default, as the sketch began.
    #[pyo3(signature = (item, weight=1.0, *, text=None))]
    fn add(slf: &Bound<'_, Self>, item: &Bound<'_, PyAny>, weight: f64, text: Option<bool>) -> PyResult<()> {
        base(slf).add_hash(item, text, |sketch, hash| {
            sketch.downcast_mut::<crivo::SimHash>().map_or(Ok(()), |it| it.add_hash(hash, weight))
        })
    }

    /// Add a batch of items, of weight 1 or of these weights.
    ///
    /// Parameters
    /// ----------
    /// x : iterable or array
    ///     The items. Missing values are not items.
    /// weights : iterable or array, optional
    ///     The weight of each item.
    /// text : bool, optional
    ///     Hash the items' texts, as the command does; by default, as the sketch began.
    #[pyo3(signature = (x, weights=None, *, text=None))]
    fn update(
        slf: &Bound<'_, Self>,
        x: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
        text: Option<bool>,
    ) -> PyResult<()> {
        match weights {
            None => base(slf).for_each_hashes(x, text, |sketch, hashes| {
                if let Some(it) = sketch.downcast_mut::<crivo::SimHash>() {
                    it.add_hashes(hashes);
                }
                Ok(())
            }),
            Some(weights) => {
                base(slf).for_each_weighted(x, &Weights::of(weights, x)?, text, |sketch, hash, weight| {
                    let Some(it) = sketch.downcast_mut::<crivo::SimHash>() else { return Ok(()) };
                    it.add_hash(hash, weight).map_err(Refused::from)
                })
            }
        }
    }

    /// The first 64 bits of the fingerprint.
    fn fingerprint(slf: &Bound<'_, Self>) -> PyResult<u64> {
        base(slf).shared.with(slf.py(), |sketch| {
            sketch.downcast_ref::<crivo::SimHash>().map_or(0, crivo::SimHash::fingerprint)
        })
    }

    /// The cosine of the angle between the two vectors, with its 95 % interval.
    ///
    /// Parameters
    /// ----------
    /// other : Sketch
    ///     A sketch of the same kind and size.
    fn cosine(slf: &Bound<'_, Self>, other: &Bound<'_, Sketch>) -> PyResult<Estimate> {
        let other = other.get().shared.copied(slf.py())?;
        let found = base(slf).shared.with(slf.py(), |sketch| {
            Some(sketch.downcast_ref::<crivo::SimHash>()?.cosine(other.downcast_ref()?))
        })?;
        let found =
            found.ok_or_else(|| PyTypeError::new_err("expected two fingerprints of class SimHash"))?;
        found.or_raise().map(|it| Estimate::of(it, Of::Real))
    }
}
