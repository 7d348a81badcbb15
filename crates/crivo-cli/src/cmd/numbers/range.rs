//! `crivo range`: how many between?

use super::{Answered, NumberArgs, Numbers, Plan, Question, counts};
use crate::cmd::by::AllOrGroups;
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Result, bail};
use clap::Args;
use crivo::{Estimate, Number};
use crivo_report::{Page, Records, Report, as_bar, as_number, estimate, percent, plural};
use serde::Serialize;

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

impl Verb for RangeCount {
    type Plan = Plan<Bounds>;
    type Report = AllOrGroups<Answered<Inside>>;

    fn manner(&self) -> Manner {
        self.numbers.manner()
    }

    fn plan(self, session: &Session) -> Result<Self::Plan> {
        let Self { low, high, numbers } = self;
        if low > high {
            bail!("the range from {low} to {high} is empty; the smaller bound comes first");
        }
        numbers.plan(Bounds { low, high }, session)
    }

    fn run(plan: Self::Plan, session: &Session) -> Result<Self::Report> {
        plan.run(session)
    }
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Bounds {
    #[serde(serialize_with = "as_number")]
    low: Number,
    #[serde(serialize_with = "as_number")]
    high: Number,
}

/// How many numbers lie between the bounds, both included.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "range")]
pub(crate) struct Inside {
    #[serde(flatten)]
    bounds: Bounds,
    #[serde(serialize_with = "as_bar")]
    count: Estimate,
    share: f64,
    items: u64,
    missing: u64,
    not_numbers: u64,
    saved: Option<String>,
}

impl Report for Inside {
    fn text(&self, page: &mut Page) {
        let Bounds { low, high } = self.bounds;
        page.line(&estimate(&self.count, &format!("from {low} to {high}")));
        page.line(&format!("{} of {}", percent(self.share), plural(self.items, "number", "numbers")));
    }

    fn records(&self, records: &mut Records) {
        records.row(self);
    }
}

impl Question for Bounds {
    type Answer = Inside;

    fn answer(&self, numbers: &Numbers, saved: Option<String>) -> Result<Inside> {
        let Some(&count) = counts(&numbers.ranks, &[self.low, self.high])?.bins.first() else {
            bail!("a range has one bin");
        };
        let items = numbers.ranks.total();
        let share = if items == 0 { 0.0 } else { count.value() / items as f64 };
        let (missing, not_numbers) = (numbers.missing, numbers.others.count);
        Ok(Inside { bounds: *self, count, share, items, missing, not_numbers, saved })
    }
}
