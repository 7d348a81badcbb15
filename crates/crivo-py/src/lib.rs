//! The Python package of Crivo: the module `crivo._crivo`, which the package `crivo` presents.

mod error;
mod estimate;
mod foreign;
mod functions;
mod group;
mod hashes;
mod input;
mod kinds;
mod near;
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
    use super::foreign::ForeignSketch;
    #[pymodule_export]
    use super::functions::{
        _command, _plan_counters, _plan_filters, _profile, from_bytes, kinds, load, merge, save, shingles,
    };
    #[pymodule_export]
    use super::group::_group;
    #[pymodule_export]
    use super::kinds::profiles::Drift;
    #[pymodule_export]
    use super::near::{_band_keys, _near_duplicates, _similarities};
    #[pymodule_export]
    use super::sketch::Sketch;
    #[pymodule_export]
    use super::table::{_table, Table};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::kinds::add_classes(module)
    }
}
