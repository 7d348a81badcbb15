//! `crivo range`: how many between?

use super::{NumberArgs, Numbers, Question, counts};
use crate::output::{Answer, Output, estimate, percent, plural};
use crate::session::Session;
use anyhow::{Result, bail};
use clap::Args;
use crivo::Number;
use std::process::ExitCode;

/// How many numbers lie between two values, both included
///
/// Answers from a KLL sketch, the one of 'crivo quantiles' and 'crivo histogram': at the same memory its error is a small
/// part of that of a dyadic Count-Min sketch, which is for streams whose numbers are also taken back.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo range 100 200 times.txt
  crivo range -5 5 flights.csv --column arr_delay
  crivo range 0 0.25 --from seconds.crv")]
pub(crate) struct RangeCount {
    /// The smallest value that counts
    #[arg(value_name = "LO", value_parser = parse_bound, allow_negative_numbers = true)]
    low: Number,

    /// The largest value that counts
    #[arg(value_name = "HI", value_parser = parse_bound, allow_negative_numbers = true)]
    high: Number,

    #[command(flatten)]
    numbers: NumberArgs,
}

fn parse_bound(text: &str) -> Result<Number, String> {
    match Number::parse(text.as_bytes()) {
        Some(bound) if bound.to_f64().is_finite() => Ok(bound),
        _ => Err("expected a number, for example 100 or -0.5; files come after the two bounds".into()),
    }
}

impl RangeCount {
    pub(crate) fn run(&self, session: &Session) -> Result<ExitCode> {
        if self.low > self.high {
            bail!("the range from {} to {} is empty; the smaller bound comes first", self.low, self.high);
        }
        self.numbers.run(&mut &*self, session)?;
        Ok(ExitCode::SUCCESS)
    }
}

impl Question for &RangeCount {
    fn print(&self, output: &mut Output, numbers: &Numbers, saved: Option<String>) -> Result<()> {
        let (low, high) = (self.low, self.high);
        let Some(&inside) = counts(&numbers.ranks, &[low, high])?.bins.first() else {
            bail!("a range has one bin");
        };
        let total = numbers.ranks.total();
        let share = if total == 0 { 0.0 } else { inside.value() / total as f64 };
        if self.numbers.stream.form.json() {
            return output.json(&Answer::Range {
                low: low.into(),
                high: high.into(),
                count: inside.into(),
                share,
                numbers: total,
                nulls: numbers.nulls,
                not_numbers: numbers.others.count,
                saved,
            });
        }
        let noun = format!("from {low} to {high}");
        output.line(&estimate(&inside, &noun))?;
        output.line(&format!("{} of {}", percent(share), plural(total, "number", "numbers")))
    }
}
