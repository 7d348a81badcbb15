//! A sample, with weights or without.

use crate::cmd::sketch_file::load;
use crate::session::Session;
use anyhow::{Result, bail};
use crivo::{DecodeOptions, Reservoir, WeightedReservoir};
use std::ops::Range;
use std::path::Path;

/// The overhead of an item in addition to its bytes, with room to grow.
const BESIDE: usize = 64;

#[derive(Clone, Debug)]
pub(crate) enum Drawn {
    Even(Reservoir<Vec<u8>>),
    Weighted(WeightedReservoir<Vec<u8>>),
}

impl Drawn {
    pub(super) fn new(number: u32, seed: u64, weighted: bool) -> Result<Self> {
        Ok(if weighted {
            Self::Weighted(WeightedReservoir::for_k(number, seed)?)
        } else {
            Self::Even(Reservoir::for_k(number, seed)?)
        })
    }

    /// The sample in a file.
    pub(super) fn load(path: &Path, options: &DecodeOptions, session: &Session) -> Result<Self> {
        let sketch = load(path, options, session)?;
        if let Some(sample) = sketch.downcast_ref::<Reservoir<Vec<u8>>>() {
            return Ok(Self::Even(sample.clone()));
        }
        if let Some(sample) = sketch.downcast_ref::<WeightedReservoir<Vec<u8>>>() {
            return Ok(Self::Weighted(sample.clone()));
        }
        let (info, path) = (sketch.kind().info(), path.display());
        bail!(
            "{path}: its kind is {} ({}), not a sample of records; see: crivo info {path}",
            info.kind.name(),
            info.kind.family().name()
        )
    }

    /// Shows it these items of a batch, the first being the next of `values`; tells how many bytes it has kept.
    pub(super) fn see<'a>(
        &mut self,
        weights: &[f64],
        items: Range<usize>,
        mut values: impl Iterator<Item = &'a [u8]>,
    ) -> Result<usize> {
        let mut kept = 0;
        match self {
            Self::Even(sample) => {
                let mut left = items.len() as u64;
                loop {
                    let skip = sample.skip().min(left);
                    sample.advance(skip)?;
                    left -= skip;
                    if left == 0 {
                        return Ok(kept);
                    }
                    let Some(value) = values.nth(usize::try_from(skip)?) else { return Ok(kept) };
                    kept += value.len() + BESIDE;
                    sample.insert(value.to_vec());
                    left -= 1;
                }
            }
            Self::Weighted(sample) => {
                for (value, &weight) in values.zip(&weights[items]) {
                    sample.insert_with(weight, || {
                        kept += value.len() + BESIDE;
                        value.to_vec()
                    })?;
                }
                Ok(kept)
            }
        }
    }

    /// Each, with its weight where that counted.
    pub(super) fn items(&self) -> Box<dyn Iterator<Item = (&[u8], Option<f64>)> + '_> {
        match self {
            Self::Even(sample) => Box::new(sample.sample().iter().map(|item| (&item[..], None))),
            Self::Weighted(sample) => {
                let sample = sample.sample().into_iter();
                Box::new(sample.map(|(item, weight)| (&item[..], Some(weight))))
            }
        }
    }

    pub(super) fn is_weighted(&self) -> bool {
        matches!(self, Self::Weighted(_))
    }

    /// How many items it was shown.
    pub(super) fn total(&self) -> u64 {
        match self {
            Self::Even(sample) => sample.total(),
            Self::Weighted(sample) => sample.total(),
        }
    }

    pub(super) fn seed(&self) -> u64 {
        match self {
            Self::Even(sample) => sample.seed(),
            Self::Weighted(sample) => sample.seed(),
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        match self {
            Self::Even(sample) => sample.memory_bytes(),
            Self::Weighted(sample) => sample.memory_bytes(),
        }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Even(sample) => sample.to_bytes(),
            Self::Weighted(sample) => sample.to_bytes(),
        }
    }
}
