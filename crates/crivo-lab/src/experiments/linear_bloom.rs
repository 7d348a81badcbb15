//! Ferreira's simulation of Linear Bloom filters.

use crivo::rng::Rng;
use crivo::valued::LinearBloomParams;
use crivo::valued::theory::Values;
use crivo::{HashSpec, LinearBloom};
use libm::round;

use super::prelude::*;

pub(super) const HASHES: u32 = 7;
/// The cells of the document's filter.
pub(super) const CELLS: u64 = 1 << 20;
/// The document's runs of every setting.
pub(super) const RUNS: u64 = 100;

pub(super) fn name(values: Values) -> &'static str {
    match values {
        Values::Uniform => "uniform",
        Values::Exponential => "exponential",
        Values::Normal => "normal",
    }
}

pub(super) fn draw(values: Values, rng: &mut Rng) -> f64 {
    let share = ((rng.next_u64() >> 12) as f64 + 0.5) / (1u64 << 52) as f64;
    values.quantile(share)
}

/// As many items as set half of the cells.
pub(super) fn items_of(cells: u64) -> u64 {
    round(cells as f64 / f64::from(HASHES) * std::f64::consts::LN_2) as u64
}

/// A filled filter, and the hash and value of each item.
pub(super) type Filled = (LinearBloom<f64>, Vec<(u64, f64)>);

/// A filter with this number of items.
pub(super) fn fill(
    params: LinearBloomParams,
    items: u64,
    rng: &mut Rng,
    mut value: impl FnMut(&mut Rng) -> f64,
) -> Result<Filled> {
    let mut filter = LinearBloom::with_params(params).with_hash(HashSpec::seeded(rng.next_u64()));
    let inserted: Vec<(u64, f64)> = (0..items).map(|_| (rng.next_u64(), value(rng))).collect();
    filter.insert_hashes(&inserted)?;
    Ok((filter, inserted))
}
