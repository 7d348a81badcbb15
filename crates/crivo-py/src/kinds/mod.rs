//! A class for every kind, from the library's table of kinds: a new row there is a new class here.

mod answers;
mod counts;
mod elements;
mod graphs;
mod heavy;
pub(crate) mod profiles;
mod quantiles;
mod samples;
mod similar;
mod values;

pub(crate) use answers::bools;

use crate::error::OrRaise;
use crate::estimate::Estimate;
use crate::input::texts::Hashed;
use crate::sketch::{Sketch, as_insert, base, frozen_hashes, spec_of};
use crivo::sketch::Sketch as AnySketch;
use crivo::{HashSpec, Kind, MakeFilter};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

macro_rules! classes {
    ($($module:ident: $family:ident {
        $($(#[$cfg:meta])* $kind:ident $(as $type:ty)? = $id:literal $name:literal $law:ident
            [$($can:ident $(($($how:tt)*))?),*] $summary:literal;)+
    })+) => {
        $($(
            $(#[$cfg])*
            #[doc = $summary]
            #[pyclass(extends = Sketch, frozen, module = "crivo")]
            #[derive(Debug)]
            pub(crate) struct $kind;

            $(ability!($can, $kind);)*
        )+)+

        /// The object of a sketch, in the class of its kind.
        pub(crate) fn wrap(py: Python<'_>, sketch: Box<dyn AnySketch>) -> PyResult<Bound<'_, PyAny>> {
            match sketch.kind() {
                $($($(#[$cfg])* Kind::$kind => {
                    let made = PyClassInitializer::from(Sketch::new(sketch)).add_subclass($kind);
                    Ok(Bound::new(py, made)?.into_any())
                })+)+
                other => Err(PyTypeError::new_err(format!("there is no class for a {}", other.name()))),
            }
        }

        /// Adds all classes to the module.
        pub(crate) fn add_classes(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $($($(#[$cfg])* module.add_class::<$kind>()?;)+)+
            Ok(())
        }
    };
}

/// The methods that a word in the table of kinds stands for.
macro_rules! ability {
    (insert, SpectralBloom) => {};
    (insert, $kind:ident) => {
        #[pymethods]
        impl $kind {
            /// Add one item: a str, bytes, int, float, bool, time or UUID.
            ///
            /// Parameters
            /// ----------
            /// item : object
            ///     The item. ``None`` is not an item.
            /// text : bool, optional
            ///     Hash the item's text, as the command does.
            #[pyo3(signature = (item, *, text=None))]
            fn add(slf: &Bound<'_, Self>, item: &Bound<'_, PyAny>, text: Option<bool>) -> PyResult<()> {
                base(slf).add_hash(item, text, |sketch, hash| {
                    as_insert(&mut **sketch).try_insert_hash(hash).map(drop)
                })
            }

            /// Add a batch of items: an iterable, a numpy array, or anything that speaks Arrow.
            ///
            /// Parameters
            /// ----------
            /// x : iterable or array
            ///     The items. Missing values are not items.
            /// text : bool, optional
            ///     Hash the items' texts, as the command does.
            #[pyo3(signature = (x, *, text=None))]
            fn update(slf: &Bound<'_, Self>, x: &Bound<'_, PyAny>, text: Option<bool>) -> PyResult<()> {
                base(slf).for_each_hashes(x, text, |sketch, hashes| {
                    as_insert(&mut **sketch).try_insert_hashes(hashes)
                })
            }
        }
    };
    (remove, $kind:ident) => {
        #[pymethods]
        impl $kind {
            /// Remove an item, or one of its copies. Remove only items that were added.
            #[pyo3(signature = (item, *, text=None))]
            fn remove(slf: &Bound<'_, Self>, item: &Bound<'_, PyAny>, text: Option<bool>) -> PyResult<()> {
                let this = base(slf);
                let hash = this.hash_of(item, text)?.ok_or_else(not_an_item)?;
                let view = Kind::$kind.info().remove.ok_or_else(|| PyTypeError::new_err("cannot remove"))?;
                let removed = this
                    .shared
                    .with(slf.py(), |sketch| view(&mut **sketch).map(|sketch| sketch.remove_hash(hash)))?;
                removed.unwrap_or(Ok(())).or_raise()
            }
        }
    };
    (contains, $kind:ident) => {
        #[pymethods]
        impl $kind {
            fn __contains__(slf: &Bound<'_, Self>, item: &Bound<'_, PyAny>) -> PyResult<bool> {
                let this = base(slf);
                let Some(hash) = this.hash_of(item, None)? else { return Ok(false) };
                let view = Kind::$kind.info().membership.ok_or_else(not_an_item)?;
                this.shared
                    .with(slf.py(), |sketch| view(&**sketch).is_some_and(|filter| filter.contains_hash(hash)))
            }

            /// Whether each item of a batch may have been added: ``False`` is certain.
            ///
            /// Returns
            /// -------
            /// numpy.ndarray or list of bool
            ///     A numpy array if numpy is installed. Missing values are ``False``.
            #[pyo3(signature = (x, *, text=None))]
            fn contains<'py>(
                slf: &Bound<'py, Self>,
                x: &Bound<'py, PyAny>,
                text: Option<bool>,
            ) -> PyResult<Bound<'py, PyAny>> {
                let this = base(slf);
                let view = Kind::$kind.info().membership.ok_or_else(not_an_item)?;
                let mut found = Vec::new();
                for piece in this.hashed(x, text)? {
                    found.extend(this.shared.detached(slf.py(), |sketch| {
                        let filter = view(&**sketch);
                        let answers = filter.map_or_else(Vec::new, |it| it.contains_hashes(&piece.hashes));
                        let kept = answers.into_iter().enumerate();
                        kept.map(|(row, is_in)| is_in && piece.is_valid(row)).collect::<Vec<bool>>()
                    })?);
                }
                bools(slf.py(), &found)
            }

            /// The false-positive rate at the present fill.
            fn fpr(slf: &Bound<'_, Self>) -> PyResult<Estimate> {
                let view = Kind::$kind.info().membership.ok_or_else(not_an_item)?;
                let rate = base(slf).shared.with(slf.py(), |sketch| view(&**sketch).map(|it| it.fpr()))?;
                rate.map(Estimate::rate).ok_or_else(not_an_item)
            }
        }
    };
    (estimate, $kind:ident) => {
        #[pymethods]
        impl $kind {
            /// The number of distinct items, with its 95 % interval.
            fn estimate(slf: &Bound<'_, Self>) -> PyResult<Estimate> {
                let view = Kind::$kind.info().cardinality.ok_or_else(not_an_item)?;
                let found =
                    base(slf).shared.with(slf.py(), |sketch| view(&**sketch).map(|it| it.estimate()))?;
                found.map(Estimate::count).ok_or_else(not_an_item)
            }

            /// Compare with another counter of the same kind and size.
            ///
            /// Returns
            /// -------
            /// dict of str to Estimate
            ///     ``union``, ``intersection``, ``only_first`` and ``jaccard``.
            fn compare<'py>(
                slf: &Bound<'py, Self>,
                other: &Bound<'py, Sketch>,
            ) -> PyResult<Bound<'py, pyo3::types::PyDict>> {
                answers::compared(base(slf), other)
            }

            /// The number of distinct items in both, with its interval.
            fn intersect(slf: &Bound<'_, Self>, other: &Bound<'_, Sketch>) -> PyResult<Estimate> {
                answers::sets(base(slf), other).map(|sets| Estimate::count(sets.intersection))
            }

            /// The number of distinct items in this one but not in the other, with its interval.
            fn difference(slf: &Bound<'_, Self>, other: &Bound<'_, Sketch>) -> PyResult<Estimate> {
                answers::sets(base(slf), other).map(|sets| Estimate::count(sets.only_first))
            }

            /// The Jaccard similarity of the two sets of items, from 0 to 1.
            fn jaccard(slf: &Bound<'_, Self>, other: &Bound<'_, Sketch>) -> PyResult<Estimate> {
                answers::sets(base(slf), other).map(|sets| Estimate::similarity(sets.similarity))
            }
        }
    };
    // The counters have `jaccard` from `estimate`.
    (similarity, KMinValues) => {};
    (similarity, Joint) => {};
    (similarity, $kind:ident) => {
        #[pymethods]
        impl $kind {
            /// The similarity of the two sets, from 0 to 1, with its 95 % interval.
            fn jaccard(slf: &Bound<'_, Self>, other: &Bound<'_, Sketch>) -> PyResult<Estimate> {
                answers::similarity(base(slf), other)
            }
        }
    };
    (filter, $kind:ident) => {
        #[pymethods]
        impl $kind {
            /// An empty filter for a number of items at a false-positive rate.
            ///
            /// Parameters
            /// ----------
            /// items : int
            ///     How many items it is planned for.
            /// fpr : float
            ///     The false-positive rate at that number.
            /// seed, key : int, bytes, optional
            ///     A seed of the hash; or 16 secret bytes, if the items come from an adversary.
            #[staticmethod]
            #[pyo3(signature = (items, fpr, *, seed=None, key=None))]
            fn with_fpr<'py>(
                py: Python<'py>,
                items: u64,
                fpr: f64,
                seed: Option<u64>,
                key: Option<&[u8]>,
            ) -> PyResult<Bound<'py, PyAny>> {
                wrap(py, new_filter(Kind::$kind, items, fpr, spec_of(seed, key)?)?)
            }
        }
    };
    (freeze, $kind:ident) => {
        #[pymethods]
        impl $kind {
            /// A static filter of all items of a batch, at a false-positive rate.
            #[staticmethod]
            #[pyo3(signature = (x, fpr, *, seed=None, key=None, text=false))]
            fn freeze<'py>(
                x: &Bound<'py, PyAny>,
                fpr: f64,
                seed: Option<u64>,
                key: Option<&[u8]>,
                text: bool,
            ) -> PyResult<Bound<'py, PyAny>> {
                let spec = spec_of(seed, key)?;
                let (pieces, spec) = frozen_hashes(x, spec, text)?;
                let hashes: Vec<u64> = pieces.into_iter().flat_map(Hashed::into_valid).collect();
                let Some(MakeFilter::Frozen(freeze)) = Kind::$kind.info().filter.map(|it| it.make) else {
                    return Err(not_an_item());
                };
                wrap(x.py(), x.py().detach(|| freeze(&hashes, fpr, spec)).or_raise()?)
            }
        }
    };
    (counter, $kind:ident) => {
        #[pymethods]
        impl $kind {
            /// An empty counter whose 95 % interval reaches this share of the answer to each side.
            #[staticmethod]
            #[pyo3(signature = (error, *, seed=None, key=None))]
            fn for_error<'py>(
                py: Python<'py>,
                error: f64,
                seed: Option<u64>,
                key: Option<&[u8]>,
            ) -> PyResult<Bound<'py, PyAny>> {
                wrap(py, new_counter(Kind::$kind, error, None, spec_of(seed, key)?)?)
            }

            /// A counter of a batch: ``for_error`` and ``update`` in one call.
            #[staticmethod]
            #[pyo3(signature = (x, *, error=0.02, seed=None, key=None, text=None))]
            fn of<'py>(
                x: &Bound<'py, PyAny>,
                error: f64,
                seed: Option<u64>,
                key: Option<&[u8]>,
                text: Option<bool>,
            ) -> PyResult<Bound<'py, PyAny>> {
                let made = Self::for_error(x.py(), error, seed, key)?;
                Self::update(made.cast()?, x, text)?;
                Ok(made)
            }
        }
    };
    (counter_of_items, $kind:ident) => {
        #[pymethods]
        impl $kind {
            /// An empty counter for a number of items, whose 95 % interval reaches this share to each side.
            #[staticmethod]
            #[pyo3(signature = (items, error, *, seed=None, key=None))]
            fn for_error<'py>(
                py: Python<'py>,
                items: u64,
                error: f64,
                seed: Option<u64>,
                key: Option<&[u8]>,
            ) -> PyResult<Bound<'py, PyAny>> {
                wrap(py, new_counter(Kind::$kind, error, Some(items), spec_of(seed, key)?)?)
            }
        }
    };
    (exact_counter, $kind:ident) => {
        #[pymethods]
        impl $kind {
            /// An empty table.
            #[staticmethod]
            #[pyo3(signature = (*, seed=None, key=None))]
            fn empty<'py>(
                py: Python<'py>,
                seed: Option<u64>,
                key: Option<&[u8]>,
            ) -> PyResult<Bound<'py, PyAny>> {
                wrap(py, new_counter(Kind::$kind, 0.0, None, spec_of(seed, key)?)?)
            }
        }
    };
    ($other:ident, $kind:ident) => {};
}
crivo::for_each_kind!(classes);

/// `clear` for the structures that can be as good as new.
macro_rules! clears {
    ($($kind:ident: $type:ty),+ $(,)?) => {$(
        #[pymethods]
        impl $kind {
            /// Remove everything: the sketch is as good as new.
            fn clear(slf: &Bound<'_, Self>) -> PyResult<()> {
                base(slf).shared.with(slf.py(), |sketch| {
                    if let Some(sketch) = sketch.downcast_mut::<$type>() {
                        sketch.clear();
                    }
                })
            }
        }
    )+};
}
clears!(
    BloomFilter: crivo::BloomFilter, BlockedBloom: crivo::BlockedBloom, AtomicBloom: crivo::AtomicBloom,
    CountingBloom: crivo::CountingBloom, SpectralBloom: crivo::membership::SpectralBloom,
    DynamicBloom: crivo::membership::DynamicBloom, ScalableBloom: crivo::ScalableBloom,
    PartitionedBloom: crivo::membership::PartitionedBloom, CompressedBloom: crivo::membership::CompressedBloom,
    CuckooFilter: crivo::CuckooFilter, QuotientFilter: crivo::QuotientFilter,
    HashCompaction: crivo::membership::HashCompaction, CuckooTable: crivo::baseline::CuckooTable,
    DirectTable: crivo::baseline::DirectTable, WindowedBloom: crivo::WindowedBloom,
    HyperLogLog: crivo::HyperLogLog, ExaLogLog: crivo::ExaLogLog, KMinValues: crivo::KMinValues,
    LinearCounting: crivo::cardinality::LinearCounting, MinimumHash: crivo::baseline::MinimumHash,
    ProbabilisticCounting: crivo::baseline::ProbabilisticCounting, LogLog: crivo::baseline::LogLog,
    SlidingHyperLogLog: crivo::SlidingHyperLogLog, Joint: crivo::Joint, CountMin: crivo::CountMin,
    SignedCountMin: crivo::frequency::SignedCountMin, CountSketch: crivo::CountSketch, Moments: crivo::Moments,
    LogQuantiles: crivo::LogQuantiles, MinHash: crivo::MinHash, OnePermutation: crivo::OnePermutation,
    WeightedMinHash: crivo::WeightedMinHash, SimHash: crivo::SimHash, LshIndex: crivo::LshIndex,
    HammingIndex: crivo::HammingIndex,
);

pub(crate) fn not_an_item() -> PyErr {
    PyTypeError::new_err("a missing value such as None is not an item; leave it out")
}

fn new_filter(kind: Kind, items: u64, fpr: f64, spec: HashSpec) -> PyResult<Box<dyn AnySketch>> {
    match kind.info().filter.map(|it| it.make) {
        Some(MakeFilter::Empty(make)) => make(items, fpr, spec).or_raise(),
        _ => Err(PyTypeError::new_err(format!("a {} is made with freeze", kind.name()))),
    }
}

/// An empty counter of distinct items.
pub(crate) fn new_counter(
    kind: Kind,
    error: f64,
    items: Option<u64>,
    spec: HashSpec,
) -> PyResult<Box<dyn AnySketch>> {
    let make = kind.info().counter.ok_or_else(|| {
        PyValueError::new_err(format!("a {} does not count distinct items; take an ExaLogLog", kind.name()))
    })?;
    make(error, items, spec).or_raise()
}

/// Merges; an empty sketch takes over the type of the elements.
pub(crate) fn merge(sketch: &mut Box<dyn AnySketch>, other: &dyn AnySketch) -> crivo::Result<()> {
    elements::adopt_type(sketch, other);
    sketch.merge_any(other)
}
