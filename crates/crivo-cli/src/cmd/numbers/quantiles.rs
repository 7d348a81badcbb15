//! `crivo quantiles`: which value at which rank?

use super::ranks::Ranks;
use super::scale::Scale;
use super::sketch::NumberSketch;
use super::{Answered, NumberArgs, Numbers, Question};
use crate::args::{What, When, parse_percentile, parse_quantile, parse_share, parse_when};
use crate::cmd::by::AllOrGroups;
use crate::cmd::steps::Alert;
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::Result;
use clap::Args;
use crivo::quantile::Tail;
use crivo::{Number, QuantileEstimate};
use crivo_report::{
    Align, AnyBar, Page, QuantileBar, Records, Report, Table, plural, quantile_cells, quantile_cells_by,
};
use serde::Serialize;

/// Percentiles of numbers or times (p50, p90, p99)
///
/// The minimum and the maximum are exact. The other percentiles have an error in rank, shown as the interval of values
/// that it allows. Small inputs are kept in full, and all answers are exact.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo quantiles times.txt
  crivo quantiles flights.csv --column arr_delay -p 50,90,99
  crivo quantiles visits.csv --column seconds --relative 1% -p 99,99.9
  crivo quantiles visits.csv --column seconds --tail 5% -p 99.9,99.99
  crivo quantiles visits.csv --column seconds --save seconds.crv
  crivo quantiles --from seconds.crv -p 99.9
  tail -f times.txt | crivo quantiles --when 'p99>250'
'crivo histogram' and 'crivo range' answer from the same sketch.")]
pub(crate) struct Quantiles {
    /// Percentiles to print, from 0 (minimum) to 100 (maximum) [default: 0,1,10,25,50,75,90,99,100]
    #[arg(long, short, value_name = "P,P,…", value_delimiter = ',', value_parser = parse_percentile)]
    percentiles: Vec<f64>,

    /// Quantiles to print instead, as shares from 0 to 1: 0.5,0.9,0.99
    #[arg(long, value_name = "Q,Q,…", value_delimiter = ',', value_parser = parse_quantile)]
    quantiles: Vec<f64>,

    /// Bound the relative error of the values instead of the error of their ranks, for certain: 1%
    ///
    /// A percentile is then within this share of its true value, for high percentiles too. Times and infinite values are
    /// refused. 'crivo merge' merges the saved sketches exactly. Negative numbers in the column of --weight remove values.
    #[arg(long, value_name = "SHARE", value_parser = parse_share, conflicts_with_all = ["error", "kind", "from"])]
    relative: Option<f64>,

    /// Bound the error of a rank relative to the numbers above it, for high percentiles: 5%
    ///
    /// The 99.99th percentile has the relative error of the 99th: the error bar is a share of the numbers in the tail, and the
    /// greatest numbers are exact.
    #[arg(long, value_name = "SHARE", value_parser = parse_share, conflicts_with_all = ["error", "kind", "from", "relative"])]
    tail: Option<f64>,

    /// With --tail: relative to the numbers up to it instead, for low percentiles
    #[arg(long, requires = "tail")]
    low: bool,

    #[command(flatten)]
    numbers: NumberArgs,

    /// Report when a percentile passes a limit: 'p99>250', 'p50<3'
    ///
    /// The end of the error bar decides, so the limit is passed with the confidence shown. The condition is reported
    /// each time it becomes true. It is checked after each of the first 1,024 numbers, then after every 1,024 numbers,
    /// and at the end.
    #[arg(long, value_name = "CONDITION", value_parser = parse_when, conflicts_with_all = ["from", "by"],
          help_heading = "Time")]
    when: Option<When>,
}

/// Where none is asked for.
const USUAL: [f64; 9] = [0.0, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0];

impl Verb for Quantiles {
    type Report = AllOrGroups<Answered<Ranked>>;

    fn manner(&self) -> Manner {
        self.numbers.manner()
    }

    fn run(self, session: &Session) -> Result<Self::Report> {
        if let Some(when) = &self.when {
            when.check_is(What::Quantile(0.99), "'p99>250'")?;
        }
        let mut shares = [self.percentiles, self.quantiles].concat();
        if shares.is_empty() {
            shares.extend(USUAL);
        }
        let end = if self.low { Tail::Low } else { Tail::High };
        let tail = self.tail.map(|error| (error, end));
        let asked = Asked { shares, relative: self.relative, tail, when: self.when, holds: false };
        self.numbers.answer(asked, session)
    }
}

/// Which quantiles, and when to speak up.
#[derive(Clone)]
pub(crate) struct Asked {
    shares: Vec<f64>,
    relative: Option<f64>,
    tail: Option<(f64, Tail)>,
    when: Option<When>,
    /// Whether the condition held when it was last looked at.
    holds: bool,
}

/// The values at some shares of all numbers.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "quantiles")]
pub(crate) struct Ranked {
    #[serde(skip)]
    quantiles: Vec<(f64, QuantileEstimate<Number>)>,
    #[serde(skip)]
    scale: Scale,
    /// Whether text shows fewer digits than the answers have.
    #[serde(skip)]
    is_rounded: bool,
    items: u64,
    missing: u64,
    not_numbers: u64,
    saved: Option<String>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename = "quantile")]
struct QuantileRecord {
    q: f64,
    quantile: QuantileBar,
}

impl Report for Ranked {
    fn text(&self, page: &mut Page) {
        let mut table = Table::new([Align::Left, Align::Right, Align::Left]);
        for (q, quantile) in &self.quantiles {
            let middle = *quantile.value();
            let show =
                |number| self.scale.show(if self.is_rounded { rounded(number, middle) } else { number });
            let [value, bar] = quantile_cells_by(quantile, show);
            table.push([q.to_string(), value, bar]);
        }
        table.print(page);
        let [one, many] = self.scale.noun();
        page.line(&format!("of {}", plural(self.items, one, many)));
    }

    fn records(&self, records: &mut Records) {
        for (q, quantile) in &self.quantiles {
            let quantile = QuantileBar::new(quantile, |number| self.scale.point(number));
            records.row(&QuantileRecord { q: *q, quantile });
        }
        records.total(self);
    }
}

/// Six digits of a number: the nearest ones, or away from the middle of its interval, so that the interval never shrinks.
fn rounded(number: Number, middle: Number) -> Number {
    let exact = number.to_f64();
    let near = |value: f64| format!("{value:.5e}").parse().unwrap_or(value);
    let nearest = near(exact);
    let step = 10f64.powi((exact.abs().log10().floor() as i32).saturating_sub(5));
    let outwards = if number < middle && nearest > exact {
        near(nearest - step)
    } else if number > middle && nearest < exact {
        near(nearest + step)
    } else {
        nearest
    };
    if outwards.is_finite() { outwards.into() } else { number }
}

impl Question for Asked {
    type Answer = Ranked;

    fn answer(&self, numbers: &Numbers, saved: Option<String>) -> Result<Ranked> {
        let quantiles = numbers.ranks.quantiles(&self.shares)?;
        Ok(Ranked {
            quantiles: self.shares.iter().copied().zip(quantiles).collect(),
            scale: numbers.scale,
            is_rounded: !numbers.ranks.answers_read_numbers(),
            items: numbers.ranks.total(),
            missing: numbers.missing,
            not_numbers: numbers.others.count,
            saved,
        })
    }

    fn watch(&mut self, ranks: &Ranks, items: u64, session: &Session) -> Result<()> {
        let Some(when) = &self.when else { return Ok(()) };
        let What::Quantile(q) = when.what else { return Ok(()) };
        let Some(quantile) = ranks.quantiles(&[q])?.pop() else { return Ok(()) };
        let held = std::mem::replace(&mut self.holds, when.holds(*quantile.lower(), *quantile.upper()));
        if held || !self.holds {
            return Ok(());
        }
        let [value, bar] = quantile_cells(&quantile);
        session.show(&Alert {
            when: &when.text,
            items,
            item: None,
            estimate: AnyBar::Value((&quantile).into()),
            words: format!("{}: {value}  {bar}", plural(items, "number", "numbers")),
        })?;
        session.flush()
    }

    fn watches(&self) -> bool {
        self.when.is_some()
    }

    fn sketch(&self, seed: u64) -> Result<Option<NumberSketch>> {
        let of_tail = |(error, tail)| NumberSketch::of_tail(error, tail, seed);
        self.relative.map(NumberSketch::of_values).or_else(|| self.tail.map(of_tail)).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_never_shrink_by_rounding() {
        let cases = [
            (52.501_462_787, 53.0, 52.5014),
            (53.551_576_5, 53.0, 53.5516),
            (53.021_320, 53.021_320, 53.0213),
        ];
        let more =
            [(-9.999_999_9, -9.5, -10.0), (0.0, 1.0, 0.0), (f64::MAX, 1.0, f64::MAX), (1e-7, 1.0, 1e-7)];
        for (number, middle, expected) in cases.into_iter().chain(more) {
            assert_eq!(rounded(number.into(), middle.into()), Number::from(expected), "{number}");
        }
    }
}
