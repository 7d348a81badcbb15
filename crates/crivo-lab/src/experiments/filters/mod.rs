//! What the founding documents lack: one measurement of every filter.

mod blooms;
mod counters;
mod fingerprints;
mod layers;
pub(super) mod measure;
mod tables;

pub(super) use blooms::*;
pub(super) use counters::*;
pub(super) use fingerprints::*;
pub(super) use layers::*;
pub(super) use tables::*;

/// The answers of what the library calls a filter.
macro_rules! answers_as_a_filter {
    () => {
        fn ask(filter: &Self::Filter, items: std::ops::Range<u64>) -> Vec<bool> {
            filter.contains_hashes(&$crate::experiments::filters::measure::hashes(*filter.hash_spec(), items))
        }

        fn told(filter: &Self::Filter) -> $crate::experiments::errors::Told {
            filter.fpr().into()
        }
    };
}
use answers_as_a_filter;

/// The methods of a filter that its params make from a target.
macro_rules! from_target {
    ($params:ident $(, $argument:expr)*) => {
        type Filter = Self;
        type Params = $params;

        fn sized(capacity: u64, rate: f64) -> crate::Result<$params> {
            Ok($params::for_fpr(capacity, rate $(, $argument)*)?)
        }

        fn filled(params: $params, spec: crivo::HashSpec, items: u64) -> crate::Result<Self> {
            let mut filter = Self::with_params(params).with_hash(spec);
            let hashes = $crate::experiments::filters::measure::hashes(spec, 0..items);
            crivo::sketch::Insert::try_insert_hashes(&mut filter, &hashes)?;
            Ok(filter)
        }

        $crate::experiments::filters::answers_as_a_filter!();

        fn fpr_at(params: $params, items: u64) -> f64 {
            params.fpr_at(items)
        }
    };
}
use from_target;

#[cfg(test)]
mod tests;
