//! The Python package of Crivo: the module `crivo._crivo`, which the package `crivo` presents.

mod error;
mod estimate;
mod functions;
mod hashes;
mod input;
mod kinds;
mod profile;
mod shared;
mod sketch;
mod table;
mod weights;

use estimate::Estimate;
use pyo3::prelude::*;

/// Sketches with error bars.
#[pymodule(gil_used = true)]
mod _crivo {
    use super::{Bound, PyModule, PyResult};

    #[pymodule_export]
    use super::estimate::{Estimate, QuantileEstimate};
    #[pymodule_export]
    use super::functions::{
        _band_keys, _command, _group, _near_duplicates, _plan_counters, _plan_filters, _profile,
        _similarities, _table, from_bytes, kinds, load, merge, save, shingles,
    };
    #[pymodule_export]
    use super::kinds::profiles::Drift;
    #[pymodule_export]
    use super::sketch::Sketch;
    #[pymodule_export]
    use super::table::Table;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::kinds::add_classes(module)
    }
}
