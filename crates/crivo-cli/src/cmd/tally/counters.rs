//! Many counters of a few bits: a key has the counter that its hash chooses.

use crate::cmd::sketch_file::load;
use crate::session::Session;
use anyhow::{Result, bail};
use clap::ValueEnum;
use crivo::counting::{BinomialArray, BinomialParams, MorrisParams};
use crivo::sketch::Sketch;
use crivo::{DecodeOptions, Estimate, HashSpec, MorrisArray};
use std::path::Path;

/// How a counter counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum CounterLaw {
    /// The larger the count, the rarer it counts: the same relative error at every count
    Morris,
    /// Counts a fixed share of all events: the larger the count, the smaller its relative error
    Binomial,
}

/// The size of the counters.
#[derive(Clone, Copy, Debug)]
pub(super) struct CounterSize {
    pub(super) law: CounterLaw,
    pub(super) counters: u64,
    pub(super) bits: u32,
    pub(super) largest: u64,
    pub(super) seed: u64,
}

/// Counters in one array.
#[derive(Clone)]
pub(super) enum Counters {
    Morris(MorrisArray),
    Binomial(BinomialArray),
}

impl Counters {
    /// Creates counters at 0, if `check` allows their memory.
    pub(super) fn new(size: CounterSize, check: impl Fn(u64) -> Result<()>) -> Result<Self> {
        let CounterSize { law, counters, bits, largest, seed } = size;
        // Arrays of Morris counters have a table of all registers.
        let possible = match law {
            CounterLaw::Morris => 2..=16,
            CounterLaw::Binomial => 1..=32,
        };
        if !possible.contains(&bits) {
            let (least, most) = possible.into_inner();
            bail!("--bits must be {least} to {most} with this --kind, got {bits}; leave it out for 12");
        }
        // Any array takes at least its registers.
        check(counters.div_ceil(8).saturating_mul(bits.into()))?;
        match law {
            CounterLaw::Morris => {
                let params = MorrisParams::for_count(largest, bits)?;
                Ok(Self::Morris(MorrisArray::with_params(counters, params, seed)?))
            }
            CounterLaw::Binomial => {
                let params = BinomialParams::for_count(largest, bits)?;
                Ok(Self::Binomial(BinomialArray::with_params(counters, params, seed)?))
            }
        }
    }

    /// Returns the counters in a file.
    pub(super) fn load(path: &Path, options: &DecodeOptions, session: &Session) -> Result<Self> {
        let sketch = load(path, options, session)?;
        if let Some(array) = sketch.downcast_ref::<MorrisArray>() {
            return Ok(Self::Morris(array.clone()));
        }
        if let Some(array) = sketch.downcast_ref::<BinomialArray>() {
            return Ok(Self::Binomial(array.clone()));
        }
        let (kind, path) = (sketch.kind(), path.display());
        bail!(
            "{path}: its kind is {} ({}), but counters of 'crivo tally --save' are needed; see: crivo info {path}",
            kind.name(),
            kind.family().name()
        )
    }

    pub(super) fn sketch(&self) -> &dyn Sketch {
        match self {
            Self::Morris(array) => array,
            Self::Binomial(array) => array,
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Morris(array) => array.len(),
            Self::Binomial(array) => array.len(),
        }
    }

    /// The bits of a counter.
    pub(super) fn bits(&self) -> u32 {
        match self {
            Self::Morris(array) => array.params().bits(),
            Self::Binomial(array) => array.params().bits(),
        }
    }

    /// The hash that chooses the counter of a key. A file of counters does not say which, so it is always the same.
    pub(super) fn spec() -> HashSpec {
        HashSpec::default()
    }

    /// Counts one event of the key with this hash.
    #[inline]
    pub(super) fn increment(&mut self, hash: u64) -> Result<()> {
        match self {
            Self::Morris(array) => Ok(array.increment(array.place(hash))?),
            Self::Binomial(array) => Ok(array.increment(array.place(hash))?),
        }
    }

    /// How many events were counted, at 95 % confidence; `None` if there is more than one counter.
    pub(super) fn total(&self) -> Option<Estimate> {
        match self {
            Self::Morris(array) if array.len() == 1 => array.estimate(0).ok(),
            Self::Binomial(array) if array.len() == 1 => array.estimate(0).ok(),
            Self::Morris(_) | Self::Binomial(_) => None,
        }
    }

    /// How often each key was counted, at 95 % confidence.
    pub(super) fn frequencies(&self, hashes: &[u64]) -> Vec<Estimate> {
        match self {
            Self::Morris(array) => array.frequency_hashes(hashes),
            Self::Binomial(array) => array.frequency_hashes(hashes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_that_are_not_possible_are_refused() {
        let new = |size: CounterSize| Counters::new(size, |_| Ok(())).map(drop);
        for law in [CounterLaw::Morris, CounterLaw::Binomial] {
            let size = CounterSize { law, counters: 10, bits: 8, largest: 1000, seed: 1 };
            assert!(new(size).is_ok());
            assert!(new(CounterSize { counters: 0, ..size }).is_err());
            assert!(new(CounterSize { bits: 40, ..size }).is_err());
            assert!(new(CounterSize { largest: 0, ..size }).is_err());
            let large = CounterSize { counters: u64::MAX, ..size };
            assert!(Counters::new(large, |bytes| bail!("{bytes} bytes")).is_err());
        }
        for (law, bits, says) in [
            (CounterLaw::Morris, 17, "2 to 16"),
            (CounterLaw::Morris, 1, "2 to 16"),
            (CounterLaw::Binomial, 33, "1 to 32"),
            (CounterLaw::Binomial, 0, "1 to 32"),
        ] {
            let error = new(CounterSize { law, counters: 10, bits, largest: 1000, seed: 1 }).unwrap_err();
            assert!(error.to_string().starts_with(&format!("--bits must be {says} ")), "{error}");
        }
    }
}
