//! The sketch of many numbers: within an error of their ranks, of their ranks relative to the tail, or of their values; or
//! their counts, which also go down.

use crate::cmd::foreign;
use crate::cmd::sketch_file::{load, numbers_of, tail_of};
use crate::session::Session;
use anyhow::{Context, Error, Result, anyhow, bail};
use clap::ValueEnum;
use crivo::quantile::{DyadicParams, Tail};
use crivo::{
    DecodeOptions, DyadicCountMin, Estimate, Kll, LogQuantiles, Number, QuantileEstimate, ReqSketch,
};
use crivo_interop::Foreign;
use std::path::Path;

/// Which sketch of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum NumberKind {
    /// The smallest; values are only added
    Kll,
    /// Negative weights remove values, and bounds are deterministic; 51 MB by default
    #[value(alias = "dyadic")]
    DyadicCountMin,
}

#[derive(Clone)]
pub(crate) enum NumberSketch {
    Ranks(Kll<Number>),
    Tail(ReqSketch<Number>),
    Values(LogQuantiles),
    Counts(DyadicCountMin<f64>),
    /// Ranks in a KLL sketch of another library.
    Foreign(Foreign),
}

impl NumberSketch {
    /// With this error of a rank, as a share of all numbers, or with the usual error of the kind.
    pub(super) fn of_ranks(kind: NumberKind, error: Option<f64>) -> Result<Self> {
        match kind {
            NumberKind::Kll => Ok(Self::Ranks(Kll::for_error(error.unwrap_or(0.001))?)),
            NumberKind::DyadicCountMin => {
                /// Of a double.
                const BITS: u32 = 64;
                /// The probability that a range is over-counted by more than the error.
                const DELTA: f64 = 0.01;
                let params = DyadicParams::for_error(BITS, error.unwrap_or(0.01), DELTA)?;
                Ok(Self::Counts(DyadicCountMin::with_params(params)?))
            }
        }
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
        if let Some(sketch) = foreign::load(path, options, session)? {
            // Refuses a sketch without quantiles of numbers.
            sketch.quantiles(&[]).with_context(|| path.display().to_string())?;
            return Ok(Self::Foreign(sketch));
        }
        let sketch = load(path, options, session)?;
        if let Some(values) = sketch.downcast_ref::<LogQuantiles>() {
            return Ok(Self::Values(values.clone()));
        }
        if let Some(counts) = sketch.downcast_ref::<DyadicCountMin<f64>>() {
            return Ok(Self::Counts(counts.clone()));
        }
        match tail_of(&*sketch) {
            Some(tail) => Ok(Self::Tail(tail)),
            None => numbers_of(path, &*sketch).map(Self::Ranks),
        }
    }

    /// Whether answers are numbers that were read. Others are the ends of buckets or of blocks, with all digits of a double.
    pub(super) fn answers_read_numbers(&self) -> bool {
        matches!(self, Self::Ranks(_) | Self::Tail(_) | Self::Foreign(_))
    }

    /// Whether errors are relative to the values. Times, which count from 1970, and infinite numbers have none.
    pub(super) fn is_relative(&self) -> bool {
        matches!(self, Self::Values(_))
    }

    pub(super) fn insert_all(&mut self, numbers: &[Number]) -> Result<()> {
        match self {
            Self::Ranks(sketch) => Ok(sketch.insert_all(numbers)?),
            Self::Tail(sketch) => Ok(sketch.insert_all(numbers)?),
            Self::Values(sketch) => {
                let doubles: Vec<f64> = numbers.iter().map(|number| number.to_f64()).collect();
                Ok(sketch.insert_all(&doubles)?)
            }
            Self::Counts(sketch) => {
                numbers.iter().try_for_each(|&number| Ok(sketch.add(counted(number)?, 1)?))
            }
            Self::Foreign(_) => Err(cannot("take in numbers")),
        }
    }

    /// Adds a number as often as `change` says; a negative change removes it.
    pub(super) fn change(&mut self, number: Number, change: i128) -> Result<()> {
        let copies = u64::try_from(change.unsigned_abs())?;
        match self {
            Self::Ranks(_) | Self::Tail(_) if change < 0 => bail!(
                "the weight {change} removes values, and a sketch of ranks only grows; use --kind dyadic-count-min, or --relative \
                 in 'crivo quantiles'"
            ),
            Self::Ranks(sketch) => Ok(sketch.insert_weighted(number, copies)?),
            Self::Tail(sketch) => Ok(sketch.insert_weighted(number, copies)?),
            Self::Values(sketch) if change < 0 => Ok(sketch.remove(number.to_f64(), copies)?),
            Self::Values(sketch) => Ok(sketch.insert_weighted(number.to_f64(), copies)?),
            Self::Counts(sketch) if change < 0 => Ok(sketch.remove(counted(number)?, copies)?),
            Self::Counts(sketch) => Ok(sketch.add(counted(number)?, copies)?),
            Self::Foreign(_) => Err(cannot("take in numbers")),
        }
    }

    pub(super) fn total(&self) -> u64 {
        match self {
            Self::Ranks(sketch) => sketch.total(),
            Self::Tail(sketch) => sketch.total(),
            Self::Values(sketch) => sketch.total(),
            Self::Counts(sketch) => sketch.total(),
            Self::Foreign(sketch) => sketch.total().unwrap_or_default(),
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        match self {
            Self::Ranks(sketch) => sketch.memory_bytes(),
            Self::Tail(sketch) => sketch.memory_bytes(),
            Self::Values(sketch) => sketch.memory_bytes(),
            Self::Counts(sketch) => sketch.memory_bytes(),
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
            Self::Counts(sketch) => sketch.params().memory_bytes(),
            Self::Tail(sketch) => sketch.memory_bound().unwrap_or_default() as u64,
            Self::Foreign(_) => self.memory_bytes() as u64,
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
            Self::Counts(sketch) => {
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
            Self::Tail(sketch) => sketch.finite_ends(),
            Self::Values(_) | Self::Counts(_) | Self::Foreign(_) => self.ends(),
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
            Self::Counts(sketch) => {
                let quantiles = sketch.quantiles(shares)?.into_iter();
                Ok(quantiles.map(|quantile| quantile.map(Number::from)).collect())
            }
            Self::Foreign(sketch) => Ok(sketch.quantiles(shares)?),
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
            Self::Counts(sketch) => {
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
            Self::Tail(sketch) => {
                sketch.to_f64().map_or_else(|| sketch.to_bytes(), |sketch| sketch.to_bytes())
            }
            Self::Values(sketch) => sketch.to_bytes(),
            Self::Counts(sketch) => sketch.to_bytes(),
            Self::Foreign(sketch) => sketch.to_bytes(),
        }
    }
}

/// A number whose copies are counted: a finite double.
fn counted(number: Number) -> Result<f64> {
    let double = number.to_f64();
    Some(double).filter(|double| double.is_finite() && Number::from(*double) == number).with_context(|| {
        format!(
            "{number} is no finite double, and a dyadic-count-min counts these alone; leave such values out"
        )
    })
}

fn cannot(what: &str) -> Error {
    anyhow!("a sketch of another library answers 'crivo quantiles --from' alone; it cannot {what} here")
}
