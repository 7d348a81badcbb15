//! `crivo range`: how many between?

use super::scale::{Scale, parse_value};
use super::{Answered, NumberArgs, Numbers, Question, counts};
use crate::cmd::by::AllOrGroups;
use crate::input::TimeSorts;
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Result, bail};
use clap::Args;
use crivo::{Estimate, Number};
use crivo_report::{Page, Point, Records, Report, as_bar, estimate, percent, plural};
use serde::Serialize;

/// Count the numbers or times in a range, both ends included
///
/// Answers from a KLL sketch, as 'crivo quantiles' and 'crivo histogram' do. At equal memory its error is much smaller
/// than the error of a dyadic Count-Min sketch (--kind dyadic-count-min), which is meant for streams with removals:
/// negative numbers in the column of --weight.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo range 100 200 times.txt
  crivo range -5 5 flights.csv --column arr_delay
  crivo range 2013-01-01 2013-01-31 flights.csv --column time_hour
  crivo range 100 200 stock.csv --column price --weight delta --kind dyadic-count-min
  crivo range 0 0.25 --from seconds.crv")]
pub(crate) struct RangeCount {
    /// Lower end of the range
    #[arg(value_name = "LO", value_parser = parse_bound, allow_negative_numbers = true)]
    low: (Number, bool),

    /// Upper end of the range
    #[arg(value_name = "HI", value_parser = parse_bound, allow_negative_numbers = true)]
    high: (Number, bool),

    #[command(flatten)]
    numbers: NumberArgs,
}

fn parse_bound(text: &str) -> Result<(Number, bool), String> {
    parse_value(text).ok_or_else(|| {
        "expected a number or a time, for example 100, -0.5 or 2026-11-16; files come after the two bounds".into()
    })
}

impl Verb for RangeCount {
    type Report = AllOrGroups<Answered<Inside>>;

    fn manner(&self) -> Manner {
        self.numbers.manner()
    }

    fn run(self, session: &Session) -> Result<Self::Report> {
        let Self { low: (low, is_time), high: (high, is_time_too), numbers } = self;
        if is_time != is_time_too {
            bail!("one bound is a time and the other a number; give two of one sort");
        }
        if low > high {
            bail!("the range from {low} to {high} is empty; the smaller bound comes first");
        }
        numbers.answer(Bounds { low, high, is_time }, session)
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    low: Number,
    high: Number,
    is_time: bool,
}

/// How many numbers lie between the bounds, both included.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "range")]
pub(crate) struct Inside {
    low: Point,
    high: Point,
    #[serde(skip)]
    scale: Scale,
    #[serde(skip)]
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
        let [low, high] = [self.bounds.low, self.bounds.high].map(|bound| self.scale.show(bound));
        let [one, many] = self.scale.noun();
        page.line(&estimate(&self.count, &format!("from {low} to {high}")));
        page.line(&format!("{} of {}", percent(self.share), plural(self.items, one, many)));
    }

    fn records(&self, records: &mut Records) {
        records.row(self);
    }
}

impl Question for Bounds {
    type Answer = Inside;

    fn answer(&self, numbers: &Numbers, saved: Option<String>) -> Result<Inside> {
        let scale = numbers.scale;
        if self.is_time && !scale.is_time() && numbers.ranks.total() > 0 {
            bail!("the bounds are times, and the values are numbers; give numbers");
        }
        let scale = if self.is_time && !scale.is_time() { Scale::Times(TimeSorts::default()) } else { scale };
        let Some(&count) = counts(&numbers.ranks, &[self.low, self.high])?.bins.first() else {
            bail!("a range has one bin");
        };
        let total = numbers.ranks.total();
        let share = if total == 0 { 0.0 } else { count.value() / total as f64 };
        let (missing, not_numbers) = (numbers.missing, numbers.others.count);
        let [low, high] = [self.low, self.high].map(|bound| scale.point(bound));
        Ok(Inside {
            low,
            high,
            scale,
            bounds: *self,
            count,
            share,
            items: total,
            missing,
            not_numbers,
            saved,
        })
    }
}
