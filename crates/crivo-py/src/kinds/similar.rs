//! Signatures of sets and vectors, and indexes of signatures.

use super::{
    BBitMinHash, HammingIndex, LshIndex, MinHash, OnePermutation, SimHash, WeightedMinHash, not_an_item, wrap,
};
use crate::error::OrRaise;
use crate::estimate::{Estimate, Of};
use crate::sketch::{Refused, Sketch, Weights, base, spec_of};
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
    #[staticmethod]
    fn freeze<'py>(signature: &Bound<'py, Sketch>, bits: u32) -> PyResult<Bound<'py, PyAny>> {
        let (py, like) = (signature.py(), Slots::of(signature)?);
        wrap(py, Box::new(crivo::similarity::BBitMinHash::freeze(&like, bits).or_raise()?))
    }
}

/// The slots of a signature of any class.
#[derive(Debug)]
struct Slots {
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
    fn of(signature: &Bound<'_, Sketch>) -> PyResult<Self> {
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
    #[pyo3(signature = (item, weight, *, text=None))]
    fn add(slf: &Bound<'_, Self>, item: &Bound<'_, PyAny>, weight: f64, text: Option<bool>) -> PyResult<()> {
        base(slf).add_hash(item, text, |sketch, hash| {
            let it = sketch.downcast_mut::<crivo::WeightedMinHash>();
            it.map_or(Ok(()), |it| it.add_hash(hash, weight).map(drop))
        })
    }

    /// Add a batch of items with their weights.
    #[pyo3(signature = (x, weights, *, text=None))]
    fn update(
        slf: &Bound<'_, Self>,
        x: &Bound<'_, PyAny>,
        weights: &Bound<'_, PyAny>,
        text: Option<bool>,
    ) -> PyResult<()> {
        base(slf).for_each_weighted(x, &Weights::of(weights)?, text, |sketch, hash, weight| {
            let Some(it) = sketch.downcast_mut::<crivo::WeightedMinHash>() else { return Ok(()) };
            it.add_hash(hash, weight).map(drop).map_err(Refused::from)
        })
    }
}

#[pymethods]
impl SimHash {
    /// An empty fingerprint of this many bits.
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
    #[pyo3(signature = (item, weight=1.0, *, text=None))]
    fn add(slf: &Bound<'_, Self>, item: &Bound<'_, PyAny>, weight: f64, text: Option<bool>) -> PyResult<()> {
        base(slf).add_hash(item, text, |sketch, hash| {
            sketch.downcast_mut::<crivo::SimHash>().map_or(Ok(()), |it| it.add_hash(hash, weight))
        })
    }

    /// Add a batch of items, of weight 1 or of these weights.
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
                base(slf).for_each_weighted(x, &Weights::of(weights)?, text, |sketch, hash, weight| {
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

#[pymethods]
impl LshIndex {
    /// An empty index that finds sets of this similarity with this probability.
    ///
    /// Parameters
    /// ----------
    /// threshold, recall : float
    ///     The similarity, and the probability that a pair of that similarity is found.
    /// like : MinHash, OnePermutation or WeightedMinHash
    ///     A signature of the kind, size and seed that the index will hold.
    #[staticmethod]
    fn for_recall<'py>(
        threshold: f64,
        recall: f64,
        like: &Bound<'py, Sketch>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, like) = (like.py(), Slots::of(like)?);
        wrap(py, Box::new(crivo::LshIndex::for_recall(threshold, recall, &like).or_raise()?))
    }

    /// Insert a signature under a number.
    fn insert(slf: &Bound<'_, Self>, id: u64, signature: &Bound<'_, Sketch>) -> PyResult<()> {
        let signature = Slots::of(signature)?;
        let done = base(slf).shared.with(slf.py(), |sketch| {
            sketch.downcast_mut::<crivo::LshIndex>().map_or(Ok(()), |it| it.insert(id, &signature))
        })?;
        done.or_raise()
    }

    /// Remove the signature with this number.
    fn remove(slf: &Bound<'_, Self>, id: u64) -> PyResult<()> {
        let done = base(slf).shared.with(slf.py(), |sketch| {
            sketch.downcast_mut::<crivo::LshIndex>().map_or(Ok(()), |it| it.remove(id))
        })?;
        done.or_raise()
    }

    /// The numbers of signatures that are at least this similar, the most similar first, with their similarities.
    fn similar(
        slf: &Bound<'_, Self>,
        signature: &Bound<'_, Sketch>,
        threshold: f64,
    ) -> PyResult<Vec<(u64, Estimate)>> {
        let signature = Slots::of(signature)?;
        let found = base(slf).shared.with(slf.py(), |sketch| {
            sketch.downcast_ref::<crivo::LshIndex>().map(|it| it.similar(&signature, threshold))
        })?;
        let found = found.ok_or_else(not_an_item)?.or_raise()?;
        Ok(found.into_iter().map(|(id, it)| (id, Estimate::similarity(it))).collect())
    }

    fn __contains__(slf: &Bound<'_, Self>, id: u64) -> PyResult<bool> {
        base(slf).shared.with(slf.py(), |sketch| {
            sketch.downcast_ref::<crivo::LshIndex>().is_some_and(|it| it.contains(id))
        })
    }

    /// The number of signatures, which is exact.
    fn __len__(slf: &Bound<'_, Self>) -> PyResult<usize> {
        base(slf)
            .shared
            .with(slf.py(), |sketch| sketch.downcast_ref::<crivo::LshIndex>().map_or(0, crivo::LshIndex::len))
    }
}

#[pymethods]
impl HammingIndex {
    /// An empty index that finds all fingerprints within this distance, exactly.
    #[staticmethod]
    fn for_distance(py: Python<'_>, distance: u32, fingerprints: u64) -> PyResult<Bound<'_, PyAny>> {
        wrap(py, Box::new(crivo::HammingIndex::for_distance(distance, fingerprints).or_raise()?))
    }

    /// Insert a fingerprint under a number.
    fn insert(slf: &Bound<'_, Self>, id: u64, fingerprint: u64) -> PyResult<()> {
        let done = base(slf).shared.with(slf.py(), |sketch| {
            sketch.downcast_mut::<crivo::HammingIndex>().map_or(Ok(()), |it| it.insert(id, fingerprint))
        })?;
        done.or_raise()
    }

    /// The numbers and distances of all fingerprints within the distance of the index.
    fn similar(slf: &Bound<'_, Self>, fingerprint: u64) -> PyResult<Vec<(u64, u32)>> {
        base(slf).shared.with(slf.py(), |sketch| {
            sketch.downcast_ref::<crivo::HammingIndex>().map_or_else(Vec::new, |it| it.similar(fingerprint))
        })
    }

    /// The number of fingerprints, which is exact.
    fn __len__(slf: &Bound<'_, Self>) -> PyResult<usize> {
        base(slf).shared.with(slf.py(), |sketch| {
            sketch.downcast_ref::<crivo::HammingIndex>().map_or(0, crivo::HammingIndex::len)
        })
    }
}
