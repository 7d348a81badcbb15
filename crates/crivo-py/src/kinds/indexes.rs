//! Indexes of signatures and fingerprints.

use super::similar::Slots;
use super::{HammingIndex, LshIndex, not_an_item, wrap};
use crate::error::OrRaise;
use crate::estimate::Estimate;
use crate::sketch::{Sketch, base};
use pyo3::prelude::*;

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
    ///
    /// Parameters
    /// ----------
    /// id : int
    ///     The number of the signature.
    /// signature : Sketch
    ///     A signature.
    fn insert(slf: &Bound<'_, Self>, id: u64, signature: &Bound<'_, Sketch>) -> PyResult<()> {
        let signature = Slots::of(signature)?;
        let done = base(slf).shared.with(slf.py(), |sketch| {
            sketch.downcast_mut::<crivo::LshIndex>().map_or(Ok(()), |it| it.insert(id, &signature))
        })?;
        done.or_raise()
    }

    /// Remove the signature with this number.
    ///
    /// Parameters
    /// ----------
    /// id : int
    ///     The number of the signature.
    fn remove(slf: &Bound<'_, Self>, id: u64) -> PyResult<()> {
        let done = base(slf).shared.with(slf.py(), |sketch| {
            sketch.downcast_mut::<crivo::LshIndex>().map_or(Ok(()), |it| it.remove(id))
        })?;
        done.or_raise()
    }

    /// The numbers of signatures that are at least this similar, the most similar first, with their similarities.
    ///
    /// Parameters
    /// ----------
    /// signature : Sketch
    ///     A signature.
    /// threshold : float
    ///     The smallest similarity.
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
    ///
    /// Parameters
    /// ----------
    /// distance : int
    ///     The largest Hamming distance that is found.
    /// fingerprints : int
    ///     How many fingerprints it is planned for.
    #[staticmethod]
    fn for_distance(py: Python<'_>, distance: u32, fingerprints: u64) -> PyResult<Bound<'_, PyAny>> {
        wrap(py, Box::new(crivo::HammingIndex::for_distance(distance, fingerprints).or_raise()?))
    }

    /// Insert a fingerprint under a number.
    ///
    /// Parameters
    /// ----------
    /// id : int
    ///     The number of the signature.
    /// fingerprint : int
    ///     A fingerprint of 64 bits.
    fn insert(slf: &Bound<'_, Self>, id: u64, fingerprint: u64) -> PyResult<()> {
        let done = base(slf).shared.with(slf.py(), |sketch| {
            sketch.downcast_mut::<crivo::HammingIndex>().map_or(Ok(()), |it| it.insert(id, fingerprint))
        })?;
        done.or_raise()
    }

    /// The numbers and distances of all fingerprints within the distance of the index.
    ///
    /// Parameters
    /// ----------
    /// fingerprint : int
    ///     A fingerprint of 64 bits.
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
