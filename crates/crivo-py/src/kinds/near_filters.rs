//! Filters that find what is near to an item.

use super::similar::Slots;
use super::{DistanceBloom, LshBloom, not_an_item, wrap};
use crate::error::OrRaise;
use crate::estimate::Estimate;
use crate::sketch::{Sketch, base, spec_of};
use crivo::similarity::{
    DistanceBloom as Near, DistanceParams, LshBloom as Bands, LshBloomParams, LshParams, Metric, Signature,
};
use pyo3::prelude::*;

#[pymethods]
impl LshBloom {
    /// An empty filter that finds sets similar to one inside, in fixed memory.
    ///
    /// Parameters
    /// ----------
    /// threshold, recall : float
    ///     The similarity, and the probability that a set of that similarity is found.
    /// items : int
    ///     How many sets it is planned for.
    /// fpr : float
    ///     The rate at which a set is reported that shares nothing with the others.
    /// like : MinHash, OnePermutation or WeightedMinHash
    ///     A signature of the kind, size and seed that the filter will take.
    #[staticmethod]
    fn for_recall<'py>(
        threshold: f64,
        recall: f64,
        items: u64,
        fpr: f64,
        like: &Bound<'py, Sketch>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, like) = (like.py(), Slots::of(like)?);
        let bands = LshParams::for_recall(threshold, recall, like.slots().len() as u32).or_raise()?;
        let params = LshBloomParams::for_fpr(bands, items, fpr).or_raise()?;
        wrap(py, Box::new(Bands::with_params(params, &like).or_raise()?))
    }

    /// Add a set by its signature.
    ///
    /// Parameters
    /// ----------
    /// signature : Sketch
    ///     A signature.
    fn add(slf: &Bound<'_, Self>, signature: &Bound<'_, Sketch>) -> PyResult<()> {
        let signature = Slots::of(signature)?;
        let done = base(slf).shared.with(slf.py(), |sketch| {
            sketch.downcast_mut::<Bands>().map_or(Ok(()), |it| it.insert(&signature).map(drop))
        })?;
        done.or_raise()
    }

    fn __contains__(slf: &Bound<'_, Self>, signature: &Bound<'_, Sketch>) -> PyResult<bool> {
        let signature = Slots::of(signature)?;
        let found = base(slf)
            .shared
            .with(slf.py(), |sketch| sketch.downcast_ref::<Bands>().map(|it| it.contains(&signature)))?;
        found.ok_or_else(not_an_item)?.or_raise()
    }

    /// The rate at which a set is reported that shares nothing with the others, at the present fill.
    fn fpr(slf: &Bound<'_, Self>) -> PyResult<Estimate> {
        let found =
            base(slf).shared.with(slf.py(), |sketch| sketch.downcast_ref::<Bands>().map(Bands::fpr))?;
        found.map(Estimate::rate).ok_or_else(not_an_item)
    }
}

/// The words of a bit string, the lowest bit of the first word first.
fn words(bits: &Bound<'_, PyAny>, metric: Metric) -> PyResult<Vec<u64>> {
    let Metric::Hamming { bits: length } = metric else {
        return Err(pyo3::exceptions::PyTypeError::new_err(
            "this filter is one of sets; give a signature of its kind",
        ));
    };
    let bytes = 8 * length.div_ceil(64) as usize;
    let number = bits.py().import("operator")?.call_method1("index", (bits,))?;
    let bits: Vec<u8> = number.call_method1("to_bytes", (bytes, "little"))?.extract()?;
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    Ok(bits.chunks(8).map(word).collect())
}

impl DistanceBloom {
    fn metric(slf: &Bound<'_, Self>) -> PyResult<Metric> {
        let found = base(slf)
            .shared
            .with(slf.py(), |sketch| sketch.downcast_ref::<Near>().map(|it| it.params().metric()))?;
        found.ok_or_else(not_an_item)
    }
}

#[pymethods]
impl DistanceBloom {
    /// An empty filter of bit strings, which finds those that differ in few bits from one inside.
    ///
    /// Parameters
    /// ----------
    /// bits : int
    ///     The length of the bit strings.
    /// items : int
    ///     How many bit strings it is planned for.
    /// near, far : float
    ///     The numbers of different bits up to which a string is near, and from which on it is far.
    /// fnr, fpr : float, optional
    ///     The rates at which a near string is missed, and at which a far one is reported.
    /// seed : int, optional
    ///     A seed of the hash. Sketches with different seeds do not merge.
    /// key : bytes, optional
    ///     16 secret bytes, if the items come from an adversary.
    #[staticmethod]
    #[pyo3(signature = (bits, items, near, far, *, fnr=0.01, fpr=0.01, seed=None, key=None))]
    fn for_bits<'py>(
        py: Python<'py>,
        bits: u32,
        items: u64,
        near: f64,
        far: f64,
        fnr: f64,
        fpr: f64,
        seed: Option<u64>,
        key: Option<&[u8]>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (metric, spec) = (Metric::Hamming { bits }, spec_of(seed, key)?);
        let params = py.detach(|| DistanceParams::for_targets(metric, items, (near, fnr), (far, fpr)));
        wrap(py, Box::new(Near::with_params(params.or_raise()?).with_hash(spec)))
    }

    /// An empty filter of sets, which finds those at a small Jaccard distance from one inside.
    ///
    /// Parameters
    /// ----------
    /// like : MinHash, OnePermutation or WeightedMinHash
    ///     A signature of the kind, size and seed that the filter will take.
    /// items : int
    ///     How many sets it is planned for.
    /// near, far : float
    ///     The distances, 1 less the similarity, up to which a set is near, and from which on it is far.
    /// fnr, fpr : float, optional
    ///     The rates at which a near set is missed, and at which a far one is reported.
    #[staticmethod]
    #[pyo3(signature = (like, items, near, far, *, fnr=0.01, fpr=0.01))]
    fn for_sets<'py>(
        like: &Bound<'py, Sketch>,
        items: u64,
        near: f64,
        far: f64,
        fnr: f64,
        fpr: f64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, like) = (like.py(), Slots::of(like)?);
        let metric = Metric::Jaccard { scheme: like.scheme(), slots: like.slots().len() as u32 };
        let params = py.detach(|| DistanceParams::for_targets(metric, items, (near, fnr), (far, fpr)));
        wrap(py, Box::new(Near::with_params(params.or_raise()?).with_hash(*like.hash_spec())))
    }

    /// Add a bit string, or a set by its signature.
    ///
    /// Parameters
    /// ----------
    /// item : int or Sketch
    ///     The bits as a number, such as a fingerprint; or a signature, for a filter of sets.
    fn add(slf: &Bound<'_, Self>, item: &Bound<'_, PyAny>) -> PyResult<()> {
        let done = if let Ok(signature) = item.cast::<Sketch>() {
            let signature = Slots::of(signature)?;
            base(slf).shared.with(slf.py(), |sketch| {
                sketch.downcast_mut::<Near>().map_or(Ok(false), |it| it.insert(&signature))
            })?
        } else {
            let words = words(item, Self::metric(slf)?)?;
            base(slf).shared.with(slf.py(), |sketch| {
                sketch.downcast_mut::<Near>().map_or(Ok(false), |it| it.insert_bits(&words))
            })?
        };
        done.or_raise().map(drop)
    }

    fn __contains__(slf: &Bound<'_, Self>, item: &Bound<'_, PyAny>) -> PyResult<bool> {
        let found = if let Ok(signature) = item.cast::<Sketch>() {
            let signature = Slots::of(signature)?;
            base(slf)
                .shared
                .with(slf.py(), |sketch| sketch.downcast_ref::<Near>().map(|it| it.contains(&signature)))?
        } else {
            let words = words(item, Self::metric(slf)?)?;
            base(slf)
                .shared
                .with(slf.py(), |sketch| sketch.downcast_ref::<Near>().map(|it| it.contains_bits(&words)))?
        };
        found.ok_or_else(not_an_item)?.or_raise()
    }
}
