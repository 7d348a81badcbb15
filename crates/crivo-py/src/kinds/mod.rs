//! A class for every kind, from the library's table of kinds: a new row there is a new class here.

#[macro_use]
mod abilities;
pub(crate) mod answers;
mod bloom_filter;
mod counters;
mod counts;
mod dyadic;
pub(crate) mod elements;
mod graphs;
mod heavy;
mod indexes;
mod kmers;
mod log_quantiles;
mod near_filters;
mod numbered;
mod numbers;
pub(crate) mod profiles;
mod quantiles;
mod samples;
mod similar;
mod values;
mod windows;

pub(crate) use answers::bools;

use crate::error::OrRaise;
use crate::estimate::Estimate;
use crate::hashes::frozen_hashes;
use crate::input::texts::Hashed;
use crate::sketch::{Sketch, as_insert, base, spec_of};
use crivo::sketch::Sketch as AnySketch;
use crivo::{HashSpec, Kind, MakeFilter};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

/// What a merge keeps, for the page of a class.
macro_rules! law {
    (Exact) => {
        "A merge is exact: it is the sketch of both streams."
    };
    (Bounded) => {
        "A merge keeps the bounds of the error."
    };
    (Distribution) => {
        "A merge has the distribution of one pass over both streams."
    };
    (Never) => {
        "It cannot be merged."
    };
}

/// Tells how an object of a class is made: a call of the class itself cannot say which error or rate it is for.
macro_rules! constructor {
    (LogQuantiles) => {};
    (Reservoir) => {};
    (WeightedReservoir) => {};
    (VarOpt) => {};
    ($kind:ident) => {
        #[pymethods]
        impl $kind {
            #[new]
            #[classmethod]
            #[pyo3(signature = (*_arguments, **_named))]
            fn new(
                class: &Bound<'_, PyType>,
                _arguments: &Bound<'_, PyTuple>,
                _named: Option<&Bound<'_, PyDict>>,
            ) -> PyResult<PyClassInitializer<Self>> {
                Err(no_constructor(class))
            }
        }
    };
}

/// Says which static methods make an object of a class.
fn no_constructor(class: &Bound<'_, PyType>) -> PyErr {
    let said = || -> PyResult<String> {
        let name = class.name()?.to_string();
        let mut makers = Vec::new();
        for item in class.getattr("__dict__")?.call_method0("items")?.try_iter()? {
            let (method, value): (String, Bound<'_, PyAny>) = item?.extract()?;
            if value.get_type().name()? == "staticmethod" && !method.starts_with('_') {
                makers.push(format!("{name}.{method}"));
            }
        }
        makers.sort();
        Ok(match makers.as_slice() {
            [] => format!("no {name} can be made here; read one with crivo.load or crivo.from_bytes"),
            makers => format!("make a {name} with {}; help({name}) says more", makers.join(" or ")),
        })
    };
    PyTypeError::new_err(said().unwrap_or_default())
}

macro_rules! classes {
    ($($module:ident: $family:ident {
        $($(#[$cfg:meta])* $kind:ident $(as $type:ty)? = $id:literal $name:literal $law:ident
            [$($can:ident $(($($how:tt)*))?),*] $summary:literal;)+
    })+) => {
        $($(
            $(#[$cfg])*
            #[doc = $summary]
            ///
            /// Notes
            /// -----
            #[doc = law!($law)]
            /// Threads may share it: each call waits for the one before, and batches run without the interpreter lock.
            /// Its bytes are the same on every platform; ``pickle`` and ``copy`` use them.
            #[pyclass(extends = Sketch, frozen, module = "crivo")]
            #[derive(Debug)]
            pub(crate) struct $kind;

            $(ability!($can, $kind);)*
            constructor!($kind);
        )+)+

        /// The object of a sketch, in the class of its kind.
        ///
        /// Parameters
        /// ----------
        /// sketch : Sketch
        ///     The sketch.
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
    HammingIndex: crivo::HammingIndex, LshBloom: crivo::similarity::LshBloom,
    DistanceBloom: crivo::similarity::DistanceBloom, EdgeBloom: crivo::EdgeBloom,
    VertexBlooms: crivo::graph::VertexBlooms, AdjacencyMatrix: crivo::baseline::AdjacencyMatrix,
    DeBruijn: crivo::DeBruijn,
);

pub(crate) const NOT_AN_ITEM: &str = "a missing value such as None is not an item; leave it out";

pub(crate) fn not_an_item() -> PyErr {
    PyTypeError::new_err(NOT_AN_ITEM)
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
