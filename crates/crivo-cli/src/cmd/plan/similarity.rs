//! `crivo plan similarity`: how alike?

use super::choices::{Candidate, Choice, Compare, Comparison, Touches};
use super::permission;
use crate::args::{FormArgs, parse_share};
use anyhow::Result;
use clap::Args;
use crivo::{Kind, OnePermutation};
use serde_json::json;

/// Similarity: signatures, from the half-width of the 95 % interval
///
/// The memory is for the sketch of one file.
#[derive(Args, Clone, Copy, Debug)]
#[command(after_help = "Examples:
  crivo plan similarity --error 0.02")]
pub(crate) struct Similarity {
    /// Half-width of the 95 % interval of the Jaccard similarity
    #[arg(long, value_name = "ERROR", default_value_t = 0.02, value_parser = parse_share)]
    error: f64,

    #[command(flatten)]
    form: FormArgs,
}

impl Compare for Similarity {
    fn form(&self) -> FormArgs {
        self.form
    }

    fn compare(self) -> Result<Comparison> {
        let candidate = Candidate::new(Kind::OnePermutation, "two files", choose);
        Ok(Comparison { target: self.error, step: 2.0, candidates: vec![candidate] })
    }
}

fn choose(error: f64) -> Result<Choice> {
    let sketch = OnePermutation::for_error(error)?;
    let memory_bytes = sketch.memory_bytes() as u64;
    Ok(Choice {
        // The size is the smallest that reaches it.
        achieved: error,
        memory_bytes,
        parameters: json!({ "slots": sketch.k() }),
        work: Touches { insert: "1 hash, 1 slot".into(), query: format!("2 × {} slots", sketch.k()) },
        command: format!("crivo similar FILE FILE2 --error {error}{}", permission(memory_bytes)),
    })
}
