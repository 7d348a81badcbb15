//! `crivo plan frequency`: how often, and which most?

use super::choices::{Candidate, Choice, Compare, Comparison, Touches};
use super::permission;
use crate::args::{FormArgs, parse_count, parse_share};
use anyhow::Result;
use clap::Args;
use crivo::frequency::{CountMinParams, CountSketchParams};
use crivo::{Kind, MisraGries};
use serde_json::json;

/// What an item takes on its own, as `crivo top --memory` has it.
const ITEM_BYTES: u64 = 20;

/// Frequencies and heavy hitters, from the overestimate and the probability of exceeding it
///
/// The error of a count-sketch is a share of the root of the sum of the squares of all counts, which is much smaller
/// than the number of items if many items are rare. The error of a list of the most frequent items is deterministic.
/// The memory of a list assumes items of 20 bytes.
#[derive(Args, Clone, Copy, Debug)]
#[command(after_help = "Examples:
  crivo plan frequency --error 0.0001 --delta 0.01
  crivo plan frequency --error 0.001 -n 100")]
pub(crate) struct Frequency {
    /// Maximum overestimate, as a share of all items
    #[arg(long, value_name = "SHARE", default_value_t = 0.0001, value_parser = parse_share)]
    error: f64,

    /// Probability of exceeding --error
    #[arg(long, value_name = "PROBABILITY", default_value_t = 0.01, value_parser = parse_share)]
    delta: f64,

    /// Number of the most frequent items to list
    #[arg(long, short, visible_short_alias = 'k', value_name = "N", default_value = "10", value_parser = parse_count)]
    number: u64,

    #[command(flatten)]
    form: FormArgs,
}

impl Compare for Frequency {
    fn form(&self) -> FormArgs {
        self.form
    }

    fn compare(self) -> Result<Comparison> {
        let candidates = [
            Candidate::new(Kind::CountMin, "frequencies, never too low", move |error| self.count_min(error)),
            Candidate::new(Kind::MisraGries, "heavy hitters, with deterministic bounds", move |error| {
                self.misra_gries(error)
            }),
            Candidate::new(Kind::CountSketch, "frequencies, unbiased", move |error| self.count_sketch(error)),
        ];
        Ok(Comparison { target: self.error, step: 10.0, candidates: candidates.into() })
    }
}

impl Frequency {
    fn count_min(&self, error: f64) -> Result<Choice> {
        let params = CountMinParams::for_error(error, self.delta)?;
        let achieved = params.error_at(1.0 - self.delta);
        Ok(self.table("", error, achieved, params.memory_bytes(), (params.width(), params.depth())))
    }

    fn count_sketch(&self, error: f64) -> Result<Choice> {
        let params = CountSketchParams::for_error(error, self.delta)?;
        let achieved = params.error_at(1.0 - self.delta);
        let shape = (params.width(), params.depth());
        Ok(self.table(" --kind count-sketch", error, achieved, params.memory_bytes(), shape))
    }

    /// Describes a table of this many counters and rows, which `crivo count` makes with this flag.
    fn table(
        &self,
        kind: &str,
        error: f64,
        achieved: f64,
        memory_bytes: u64,
        (width, depth): (u64, u32),
    ) -> Choice {
        Choice {
            achieved,
            memory_bytes,
            parameters: json!({ "width": width, "depth": depth }),
            work: Touches::places(depth, "counters"),
            command: format!(
                "crivo count FILE --save FILE.crv{kind} --error {error} --delta {}{}",
                self.delta,
                permission(memory_bytes)
            ),
        }
    }

    fn misra_gries(&self, error: f64) -> Result<Choice> {
        let counters = MisraGries::<Vec<u8>>::for_error(error)?.counters();
        let memory_bytes = MisraGries::<Vec<u8>>::memory_for(counters) + u64::from(counters) * ITEM_BYTES;
        Ok(Choice {
            // Half of the counters are kept when all are in use.
            achieved: 1.0 / (f64::from(counters) / 2.0 + 1.0),
            memory_bytes,
            parameters: json!({ "counters": counters }),
            work: Touches { insert: "1 hash, 1 counter".into(), query: "all counters".into() },
            command: format!("crivo top FILE -n {} --error {error}{}", self.number, permission(memory_bytes)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::flags;

    /// One item more than there are counters makes it give up half of them, and keeps the room.
    #[test]
    fn the_bytes_of_a_full_list() {
        let plan: Frequency = flags(&[]);
        for error in [0.5, 0.01, 0.000_7] {
            let choice = plan.misra_gries(error).unwrap();
            let mut sketch = MisraGries::<Vec<u8>>::for_error(error).unwrap();
            (0..sketch.counters()).for_each(|item| sketch.add(&format!("{item:020}").into_bytes(), 1));
            assert_eq!(choice.memory_bytes, sketch.memory_bytes() as u64, "{error}");
            assert!(choice.achieved <= error && choice.achieved >= 0.5 * error, "{error}");
        }
    }
}
