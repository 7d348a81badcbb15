//! `&` of Bloom filters.

use super::{BloomFilter, not_an_item, wrap};
use crate::Estimate;
use crate::error::{OrRaise, Refused};
use crate::hashes::mark;
use crate::sketch::base;
use crivo::sketch::Sketch as AnySketch;
use crivo::{HashSpec, ItemForm};
use pyo3::prelude::*;

/// Intersects; the common items have the form that either filter knows.
fn intersect(sketch: &mut Box<dyn AnySketch>, other: &dyn AnySketch) -> Result<(), Refused> {
    if let (Some(ours), Some(theirs)) =
        (sketch.downcast_mut::<crivo::BloomFilter>(), other.downcast_ref::<crivo::BloomFilter>())
    {
        ours.intersect(theirs)?;
    }
    mark(sketch, other.hashing().map_or(ItemForm::Unmarked, HashSpec::form))
}

#[pymethods]
impl BloomFilter {
    /// The number of distinct items in both filters, with its 95 % interval.
    ///
    /// Parameters
    /// ----------
    /// other : BloomFilter
    ///     A filter of the same size.
    fn intersect(slf: &Bound<'_, Self>, other: &Bound<'_, Self>) -> PyResult<Estimate> {
        let other = base(other).shared.copied(slf.py())?;
        let found = base(slf).shared.with(slf.py(), |sketch| {
            let (ours, theirs) = (sketch.downcast_ref::<crivo::BloomFilter>()?, other.downcast_ref()?);
            Some(ours.intersection_estimate(theirs))
        })?;
        found.ok_or_else(not_an_item)?.or_raise().map(Estimate::count)
    }

    /// A filter of what both filters contain: it has every common item.
    ///
    /// An item of neither is found at the rate ``fpr()``, and an item of one alone if it is a false positive of the other.
    fn __and__<'py>(slf: &Bound<'py, Self>, other: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let (mut both, other) = (base(slf).shared.copied(py)?, base(other).shared.copied(py)?);
        py.detach(|| intersect(&mut both, &*other)).map_err(Refused::raised)?;
        wrap(py, both)
    }

    fn __iand__(slf: &Bound<'_, Self>, other: &Bound<'_, Self>) -> PyResult<()> {
        let other = base(other).shared.copied(slf.py())?;
        base(slf).shared.detached(slf.py(), |sketch| intersect(sketch, &*other))?.map_err(Refused::raised)
    }
}
