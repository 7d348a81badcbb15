//! The sketch of many numbers: within an error of their ranks, or of their values.

use crate::cmd::foreign;
use crate::cmd::sketch_file::{load, numbers_of};
use crate::session::Session;
use anyhow::{Context, Error, Result, anyhow};
use crivo::{DecodeOptions, Estimate, Kll, LogQuantiles, Number, QuantileEstimate};
use crivo_interop::Foreign;
use std::path::Path;

#[derive(Clone)]
pub(crate) enum NumberSketch {
    Ranks(Kll<Number>),
    Values(LogQuantiles),
    /// Ranks in a KLL sketch of another library.
    Foreign(Foreign),
}

impl NumberSketch {
    /// With this error of a rank, as a share of all numbers.
    pub(super) fn of_ranks(error: f64) -> Result<Self> {
        Ok(Self::Ranks(Kll::for_error(error)?))
    }

    /// With this relative error of a value.
    pub(super) fn of_values(error: f64) -> Result<Self> {
        Ok(Self::Values(LogQuantiles::for_error(error)?))
    }

    /// The sketch in a file.
    pub(super) fn load(path: &Path, options: &DecodeOptions, session: &Session) -> Result<Self> {
        if let Some(sketch) = foreign::load(path, options, session)? {
            sketch.total().with_context(|| path.display().to_string())?;
            return Ok(Self::Foreign(sketch));
        }
        let sketch = load(path, options, session)?;
        match sketch.downcast_ref::<LogQuantiles>() {
            Some(values) => Ok(Self::Values(values.clone())),
            None => numbers_of(path, &*sketch).map(Self::Ranks),
        }
    }

    /// Whether answers are numbers that were read. Others are the ends of buckets, with all digits of a double. Times have no
    /// relative error either, since they count from 1970.
    pub(super) fn is_of_ranks(&self) -> bool {
        matches!(self, Self::Ranks(_) | Self::Foreign(_))
    }

    pub(super) fn insert_all(&mut self, numbers: &[Number]) -> Result<()> {
        match self {
            Self::Ranks(sketch) => Ok(sketch.insert_all(numbers)?),
            Self::Values(sketch) => {
                let doubles: Vec<f64> = numbers.iter().map(|number| number.to_f64()).collect();
                Ok(sketch.insert_all(&doubles)?)
            }
            Self::Foreign(_) => Err(cannot("take in numbers")),
        }
    }

    pub(super) fn insert(&mut self, number: Number, copies: u64) -> Result<()> {
        match self {
            Self::Ranks(sketch) => Ok(sketch.insert_weighted(number, copies)?),
            Self::Values(sketch) => Ok(sketch.insert_weighted(number.to_f64(), copies)?),
            Self::Foreign(_) => Err(cannot("take in numbers")),
        }
    }

    pub(super) fn total(&self) -> u64 {
        match self {
            Self::Ranks(sketch) => sketch.total(),
            Self::Values(sketch) => sketch.total(),
            Self::Foreign(sketch) => sketch.total().unwrap_or_default(),
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        match self {
            Self::Ranks(sketch) => sketch.memory_bytes(),
            Self::Values(sketch) => sketch.memory_bytes(),
            Self::Foreign(sketch) => sketch.to_bytes().len(),
        }
    }

    /// What it takes in the end, whatever it is given.
    pub(super) fn most_bytes(&self) -> u64 {
        /// What a sketch keeps at most, for each value of its highest level; those below are smaller and smaller.
        const KEPT: u64 = 3;
        match self {
            Self::Ranks(sketch) => KEPT * sketch.k() * size_of::<Number>() as u64,
            Self::Values(sketch) => sketch.memory_bound().unwrap_or_default() as u64,
            Self::Foreign(_) => self.memory_bytes() as u64,
        }
    }

    /// The smallest and the largest number, or bounds of them.
    pub(super) fn ends(&self) -> Option<(Number, Number)> {
        match self {
            Self::Ranks(sketch) => sketch.min().copied().zip(sketch.max().copied()),
            Self::Values(sketch) => {
                let [least, greatest] = [0.0, 1.0].map(|q| sketch.quantile(q).ok());
                Some(((*least?.lower()).into(), (*greatest?.upper()).into()))
            }
            Self::Foreign(sketch) => {
                let ends = sketch.quantiles(&[0.0, 1.0]).ok()?;
                Some((*ends[0].value(), *ends[1].value()))
            }
        }
    }

    /// As [`ends`](Self::ends), of the finite numbers that are kept.
    pub(super) fn finite_ends(&self) -> Option<(Number, Number)> {
        match self {
            Self::Ranks(sketch) => sketch.finite_ends(),
            Self::Values(_) | Self::Foreign(_) => self.ends(),
        }
    }

    pub(super) fn quantiles(&self, shares: &[f64]) -> Result<Vec<QuantileEstimate<Number>>> {
        match self {
            Self::Ranks(sketch) => Ok(sketch.quantiles(shares)?),
            Self::Values(sketch) => {
                let quantiles = sketch.quantiles(shares)?.into_iter();
                Ok(quantiles.map(|quantile| quantile.map(Number::from)).collect())
            }
            Self::Foreign(sketch) => Ok(sketch.quantiles(shares)?),
        }
    }

    pub(super) fn histogram(&self, edges: &[Number]) -> Result<Vec<Estimate>> {
        match self {
            Self::Ranks(sketch) => Ok(sketch.histogram(edges)?),
            Self::Values(sketch) => {
                let edges: Vec<f64> = edges.iter().map(|edge| edge.to_f64()).collect();
                Ok(sketch.histogram(&edges)?)
            }
            Self::Foreign(_) => Err(cannot("count the numbers between two others")),
        }
    }

    /// Ranks of `f64` where all that is kept are such, so that parts go together whatever their numbers are.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Ranks(sketch) => {
                sketch.to_f64().map_or_else(|| sketch.to_bytes(), |sketch| sketch.to_bytes())
            }
            Self::Values(sketch) => sketch.to_bytes(),
            Self::Foreign(sketch) => sketch.to_bytes(),
        }
    }
}

fn cannot(what: &str) -> Error {
    anyhow!("a sketch of another library answers 'crivo quantiles --from' alone; it cannot {what} here")
}
