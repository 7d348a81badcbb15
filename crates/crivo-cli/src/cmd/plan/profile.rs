//! `crivo plan profile`: what is in a table?

use super::choices::{Candidate, Choice, Compare, Comparison, Touches};
use super::permission;
use crate::args::{FormArgs, parse_count, parse_share};
use anyhow::{Result, bail};
use clap::Args;
use crivo::Kind;
use crivo::profile::{ColumnProfile, ProfileParams};
use serde_json::json;

/// Profiles of tables, from the number of columns and the half-width of the 95 % interval of distinct values
///
/// The memory is for columns with far more distinct values than are counted exactly, of 20 bytes each.
#[derive(Args, Clone, Copy, Debug)]
#[command(after_help = "Examples:
  crivo plan profile --columns 20
  crivo plan profile --columns 20 --error 0.01")]
pub(crate) struct Profile {
    /// Number of columns
    #[arg(long, value_name = "N", value_parser = parse_count)]
    columns: u64,

    /// Half-width of the 95 % interval of distinct values, as a share of the answer
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = parse_share)]
    error: f64,

    #[command(flatten)]
    form: FormArgs,
}

impl Compare for Profile {
    fn form(&self) -> FormArgs {
        self.form
    }

    fn compare(self) -> Result<Comparison> {
        if self.columns == 0 {
            bail!("--columns must be at least 1");
        }
        let candidate =
            Candidate::new(Kind::TableProfile, "every column, all answers", move |error| self.choose(error));
        Ok(Comparison { target: self.error, step: 2.0, candidates: vec![candidate] })
    }
}

impl Profile {
    fn choose(&self, error: f64) -> Result<Choice> {
        let params = ProfileParams::for_error(error)?;
        let memory_bytes = full_bytes(params).saturating_mul(self.columns);
        Ok(Choice {
            achieved: error,
            memory_bytes,
            parameters: json!({
                "counters": params.counters(),
                "kept": params.kept(),
                "rank_error": params.rank_error(),
                "relative_error": params.relative_error(),
            }),
            work: Touches { insert: "1 hash, 1 counter".into(), query: "all counters".into() },
            command: format!("crivo profile FILE --error {error}{}", permission(memory_bytes)),
        })
    }
}

/// What a column takes that has had far more distinct values than it counts.
fn full_bytes(params: ProfileParams) -> u64 {
    let mut column = ColumnProfile::with_params(params);
    for value in 0..4 * u64::from(params.counters()) {
        column.add(format!("{value:020}").as_bytes());
    }
    column.memory_bytes() as u64
}
