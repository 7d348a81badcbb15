//! A sample, with weights or without, or one for sums of weights.

use crate::args::Where;
use crate::cmd::sketch_file::load;
use crate::session::Session;
use anyhow::{Result, bail};
use crivo::{DecodeOptions, Estimate, Reservoir, VarOpt, WeightedReservoir};
use crivo_report::shown_within;
use std::ops::Range;
use std::path::Path;

/// The overhead of an item in addition to its bytes, with room to grow.
const BESIDE: usize = 64;

#[derive(Clone, Debug)]
pub(crate) enum Drawn {
    Even(Reservoir<Vec<u8>>),
    Weighted(WeightedReservoir<Vec<u8>>),
    Sums(VarOpt<Vec<u8>>),
}

impl Drawn {
    /// An empty sample, with weights or without; `sums` if sums of the weights are estimated.
    pub(super) fn new(number: u32, seed: u64, weighted: bool, sums: bool) -> Result<Self> {
        Ok(match (weighted, sums) {
            (true, true) => Self::Sums(VarOpt::for_k(number, seed)?),
            (true, false) => Self::Weighted(WeightedReservoir::for_k(number, seed)?),
            (false, _) => Self::Even(Reservoir::for_k(number, seed)?),
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
        if let Some(sample) = sketch.downcast_ref::<VarOpt<Vec<u8>>>() {
            return Ok(Self::Sums(sample.clone()));
        }
        let (info, path) = (sketch.kind().info(), path.display());
        bail!(
            "{path}: its kind is {} ({}), not a sample of records; see: crivo info {path}",
            info.kind.name(),
            info.kind.family().name()
        )
    }

    /// Shows it these items of a batch, the first being the next of `values`; tells how many bytes it has kept. `label`
    /// precedes each item that is kept.
    pub(super) fn see<'a>(
        &mut self,
        label: &[u8],
        weights: &[f64],
        items: Range<usize>,
        mut values: impl Iterator<Item = &'a [u8]>,
    ) -> Result<usize> {
        let mut kept = 0;
        let mut keep = |value: &[u8]| {
            kept += label.len() + value.len() + BESIDE;
            [label, value].concat()
        };
        match self {
            Self::Even(sample) => {
                let mut left = items.len() as u64;
                loop {
                    let skip = sample.skip().min(left);
                    sample.advance(skip)?;
                    left -= skip;
                    if left == 0 {
                        break;
                    }
                    let Some(value) = values.nth(usize::try_from(skip)?) else { break };
                    sample.insert(keep(value));
                    left -= 1;
                }
            }
            Self::Weighted(sample) => {
                for (value, &weight) in values.zip(&weights[items]) {
                    sample.insert_with(weight, || keep(value))?;
                }
            }
            Self::Sums(sample) => {
                for (value, &weight) in values.zip(&weights[items]) {
                    sample.insert_with(weight, || keep(value))?;
                }
            }
        }
        Ok(kept)
    }

    /// The weight of all items for which the condition holds, or their number without weights, and its share of all;
    /// `None` if the sample has no sums.
    pub(super) fn subset(&self, condition: &Where) -> Option<[Estimate; 2]> {
        let label = condition.label();
        let has = |item: &Vec<u8>| {
            item.strip_prefix(&label[..]).and_then(|value| condition.holds(value)) == Some(true)
        };
        match self {
            Self::Even(sample) => Some([sample.estimate_if(has), sample.share(has)]),
            Self::Sums(sample) => Some([sample.subset_sum(has), sample.share(has)]),
            Self::Weighted(_) => None,
        }
    }

    /// An error unless all items are values of the column of this condition: other ones would count as values for which it
    /// does not hold.
    pub(super) fn check_column(&self, condition: &Where, path: &Path) -> Result<()> {
        let label = condition.label();
        match self.items().find(|(item, _)| !item.starts_with(&label)) {
            None => Ok(()),
            Some((other, _)) => bail!(
                "{}: it has '{}', which is no value of '{}'; ask about the column that the sample was drawn for with --where",
                path.display(),
                shown_within(other, 40),
                condition.column
            ),
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
            Self::Sums(sample) => {
                let sample = sample.sample().into_iter();
                Box::new(sample.map(|(item, weight)| (&item[..], Some(weight))))
            }
        }
    }

    pub(super) fn is_weighted(&self) -> bool {
        !matches!(self, Self::Even(_))
    }

    /// How many items it was shown.
    pub(super) fn total(&self) -> u64 {
        match self {
            Self::Even(sample) => sample.total(),
            Self::Weighted(sample) => sample.total(),
            Self::Sums(sample) => sample.total(),
        }
    }

    /// The weight of all items, if sums of weights are estimated.
    pub(super) fn total_weight(&self) -> Option<f64> {
        match self {
            Self::Sums(sample) => Some(sample.total_weight()),
            Self::Even(_) | Self::Weighted(_) => None,
        }
    }

    pub(super) fn seed(&self) -> u64 {
        match self {
            Self::Even(sample) => sample.seed(),
            Self::Weighted(sample) => sample.seed(),
            Self::Sums(sample) => sample.seed(),
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        match self {
            Self::Even(sample) => sample.memory_bytes(),
            Self::Weighted(sample) => sample.memory_bytes(),
            Self::Sums(sample) => sample.memory_bytes(),
        }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Even(sample) => sample.to_bytes(),
            Self::Weighted(sample) => sample.to_bytes(),
            Self::Sums(sample) => sample.to_bytes(),
        }
    }
}
