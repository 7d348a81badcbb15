//! `crivo plan quantiles`: which rank?

use super::choices::{Candidate, Choice, Compare, Comparison, Touches};
use super::permission;
use crate::args::{FormArgs, parse_share};
use anyhow::Result;
use clap::Args;
use crivo::quantile::Tail;
use crivo::{Kind, Kll, LogQuantiles, Number, ReqSketch};
use crivo_report::count;
use serde_json::json;

/// Quantiles, histograms and ranges, from the half-width of the 95 % interval of a rank
#[derive(Args, Clone, Copy, Debug)]
#[command(after_help = "Examples:
  crivo plan quantiles --error 0.001")]
pub(crate) struct Quantiles {
    /// Half-width of the 95 % interval of a rank, as a share of all numbers
    #[arg(long, value_name = "SHARE", default_value_t = 0.001, value_parser = parse_share)]
    error: f64,

    #[command(flatten)]
    form: FormArgs,
}

impl Compare for Quantiles {
    fn form(&self) -> FormArgs {
        self.form
    }

    fn compare(self) -> Result<Comparison> {
        let ranks = Candidate::new(Kind::Kll, "quantiles; histogram and range take the same", choose);
        let values = Candidate::new(
            Kind::LogQuantiles,
            "values within this share of the true ones, for certain, instead of ranks",
            choose_relative,
        );
        let tails = Candidate::new(
            Kind::ReqSketch,
            "far percentiles: ranks within this share of the numbers beyond them",
            choose_tail,
        );
        Ok(Comparison { target: self.error, step: 10.0, candidates: vec![ranks, values, tails] })
    }
}

fn choose(error: f64) -> Result<Choice> {
    let sketch = Kll::<Number>::for_error(error)?;
    let memory_bytes = most_bytes(sketch.k(), |bytes| Some(Kll::<Number>::for_memory(bytes).ok()?.k()));
    Ok(Choice {
        achieved: error,
        memory_bytes,
        parameters: json!({ "k": sketch.k() }),
        work: Touches { insert: "1 number".into(), query: format!("{} numbers", count(3 * sketch.k())) },
        command: format!("crivo quantiles FILE --error {error}{}", permission(memory_bytes)),
    })
}

fn choose_relative(error: f64) -> Result<Choice> {
    let sketch = LogQuantiles::for_error(error)?;
    let params = sketch.params();
    let memory_bytes = sketch.memory_bound().unwrap_or_default() as u64;
    Ok(Choice {
        achieved: params.relative_error(),
        memory_bytes,
        parameters: json!({ "buckets_per_octave": params.buckets_per_octave(), "buckets": params.buckets() }),
        work: Touches {
            insert: "1 number".into(),
            query: format!("{} numbers", count(2 * u64::from(params.buckets()))),
        },
        command: format!("crivo quantiles FILE --relative {error}{}", permission(memory_bytes)),
    })
}

fn choose_tail(error: f64) -> Result<Choice> {
    let sketch = ReqSketch::<Number>::for_error(error, Tail::High)?;
    let for_memory = |bytes| Some(ReqSketch::<Number>::for_memory(bytes, Tail::High).ok()?.k());
    let memory_bytes = most_bytes(sketch.k(), for_memory);
    Ok(Choice {
        achieved: error,
        memory_bytes,
        parameters: json!({ "k": sketch.k() }),
        work: Touches {
            insert: "1 number".into(),
            query: format!("{} numbers", count(memory_bytes / size_of::<Number>() as u64)),
        },
        command: format!("crivo quantiles FILE --tail {error}{}", permission(memory_bytes)),
    })
}

/// The least memory that has room for a sketch of this size, whatever it is given. `for_memory` has the size for a memory.
fn most_bytes(k: u64, for_memory: impl Fn(u64) -> Option<u64>) -> u64 {
    let holds = |bytes| for_memory(bytes).is_some_and(|size| size >= k);
    let (mut few, mut enough) = (0, 1 << 10);
    while !holds(enough) {
        (few, enough) = (enough, 2 * enough);
    }
    while enough - few > 1 {
        let middle = u64::midpoint(few, enough);
        if holds(middle) { enough = middle } else { few = middle }
    }
    enough
}
