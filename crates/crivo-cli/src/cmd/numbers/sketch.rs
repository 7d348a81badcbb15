//! The sketch of many numbers: within an error of their ranks, of their ranks relative to the tail, or of their values.

use crate::cmd::sketch_file::{load, numbers_of, tail_of};
use crate::session::Session;
use anyhow::Result;
use crivo::quantile::Tail;
use crivo::{DecodeOptions, Estimate, Kll, LogQuantiles, Number, QuantileEstimate, ReqSketch};
use std::path::Path;

#[derive(Clone)]
pub(crate) enum NumberSketch {
    Ranks(Kll<Number>),
    Tail(ReqSketch<Number>),
    Values(LogQuantiles),
}

impl NumberSketch {
    /// With this error of a rank, as a share of all numbers.
    pub(super) fn of_ranks(error: f64) -> Result<Self> {
        Ok(Self::Ranks(Kll::for_error(error)?))
    }

    /// With this error of a rank, as a share of the numbers in the tail. The parts of a merge have independent errors if their
    /// seeds differ.
    pub(super) fn of_tail(error: f64, tail: Tail, seed: u64) -> Result<Self> {
        let size = ReqSketch::<Number>::for_error(error, tail)?.k();
        Ok(Self::Tail(ReqSketch::with_seed(size, tail, seed)?))
    }

    /// With this relative error of a value.
    pub(super) fn of_values(error: f64) -> Result<Self> {
        Ok(Self::Values(LogQuantiles::for_error(error)?))
    }

    /// The sketch in a file.
    pub(super) fn load(path: &Path, options: &DecodeOptions, session: &Session) -> Result<Self> {
        let sketch = load(path, options, session)?;
        match sketch.downcast_ref::<LogQuantiles>() {
            Some(values) => Ok(Self::Values(values.clone())),
            None => match tail_of(&*sketch) {
                Some(tail) => Ok(Self::Tail(tail)),
                None => numbers_of(path, &*sketch).map(Self::Ranks),
            },
        }
    }

    /// Whether answers are numbers that were read. Others are the ends of buckets, with all digits of a double. Times have no
    /// relative error either, since they count from 1970.
    pub(super) fn is_of_ranks(&self) -> bool {
        !matches!(self, Self::Values(_))
    }

    pub(super) fn insert_all(&mut self, numbers: &[Number]) -> Result<()> {
        match self {
            Self::Ranks(sketch) => Ok(sketch.insert_all(numbers)?),
            Self::Tail(sketch) => Ok(sketch.insert_all(numbers)?),
            Self::Values(sketch) => {
                let doubles: Vec<f64> = numbers.iter().map(|number| number.to_f64()).collect();
                Ok(sketch.insert_all(&doubles)?)
            }
        }
    }

    pub(super) fn insert(&mut self, number: Number, copies: u64) -> Result<()> {
        match self {
            Self::Ranks(sketch) => Ok(sketch.insert_weighted(number, copies)?),
            Self::Tail(sketch) => Ok(sketch.insert_weighted(number, copies)?),
            Self::Values(sketch) => Ok(sketch.insert_weighted(number.to_f64(), copies)?),
        }
    }

    pub(super) fn total(&self) -> u64 {
        match self {
            Self::Ranks(sketch) => sketch.total(),
            Self::Tail(sketch) => sketch.total(),
            Self::Values(sketch) => sketch.total(),
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        match self {
            Self::Ranks(sketch) => sketch.memory_bytes(),
            Self::Tail(sketch) => sketch.memory_bytes(),
            Self::Values(sketch) => sketch.memory_bytes(),
        }
    }

    /// What it takes in the end, whatever it is given.
    pub(super) fn most_bytes(&self) -> u64 {
        /// What a sketch keeps at most, for each value of its highest level; those below are smaller and smaller.
        const KEPT: u64 = 3;
        match self {
            Self::Ranks(sketch) => KEPT * sketch.k() * size_of::<Number>() as u64,
            Self::Values(sketch) => sketch.memory_bound().unwrap_or_default() as u64,
            Self::Tail(sketch) => sketch.memory_bound().unwrap_or_default() as u64,
        }
    }

    /// The smallest and the largest number, or bounds of them.
    pub(super) fn ends(&self) -> Option<(Number, Number)> {
        match self {
            Self::Ranks(sketch) => sketch.min().copied().zip(sketch.max().copied()),
            Self::Tail(sketch) => sketch.min().copied().zip(sketch.max().copied()),
            Self::Values(sketch) => {
                let [least, greatest] = [0.0, 1.0].map(|q| sketch.quantile(q).ok());
                Some(((*least?.lower()).into(), (*greatest?.upper()).into()))
            }
        }
    }

    /// As [`ends`](Self::ends), of the finite numbers that are kept.
    pub(super) fn finite_ends(&self) -> Option<(Number, Number)> {
        match self {
            Self::Ranks(sketch) => sketch.finite_ends(),
            Self::Tail(sketch) => sketch.finite_ends(),
            Self::Values(_) => self.ends(),
        }
    }

    pub(super) fn quantiles(&self, shares: &[f64]) -> Result<Vec<QuantileEstimate<Number>>> {
        match self {
            Self::Ranks(sketch) => Ok(sketch.quantiles(shares)?),
            Self::Tail(sketch) => Ok(sketch.quantiles(shares)?),
            Self::Values(sketch) => {
                let quantiles = sketch.quantiles(shares)?.into_iter();
                Ok(quantiles.map(|quantile| quantile.map(Number::from)).collect())
            }
        }
    }

    pub(super) fn histogram(&self, edges: &[Number]) -> Result<Vec<Estimate>> {
        match self {
            Self::Ranks(sketch) => Ok(sketch.histogram(edges)?),
            Self::Tail(sketch) => Ok(sketch.histogram(edges)?),
            Self::Values(sketch) => {
                let edges: Vec<f64> = edges.iter().map(|edge| edge.to_f64()).collect();
                Ok(sketch.histogram(&edges)?)
            }
        }
    }

    /// Ranks of `f64` where all that is kept are such, so that parts go together whatever their numbers are.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Ranks(sketch) => {
                sketch.to_f64().map_or_else(|| sketch.to_bytes(), |sketch| sketch.to_bytes())
            }
            Self::Tail(sketch) => {
                sketch.to_f64().map_or_else(|| sketch.to_bytes(), |sketch| sketch.to_bytes())
            }
            Self::Values(sketch) => sketch.to_bytes(),
        }
    }
}
