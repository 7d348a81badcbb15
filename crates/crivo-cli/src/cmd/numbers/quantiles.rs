//! `crivo quantiles`: which value at which rank?

use super::{NumberArgs, Numbers, Question};
use crate::args::{What, When, parse_when};
use crate::output::{Align, Answer, AnyBar, Output, Table, plural, quantile_cells};
use crate::session::Session;
use anyhow::Result;
use clap::Args;
use crivo::{Kll, Number};
use std::process::ExitCode;

/// Which values have which share of all numbers below them
///
/// The smallest and the largest are exact, the others have an error in their rank, shown as the values between which
/// they lie. Few numbers are kept one by one, and all answers are exact.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo quantiles times.txt
  crivo quantiles flights.csv --column arr_delay -q 0.5,0.9,0.99
  crivo quantiles visits.csv --column seconds --save seconds.crv
  crivo quantiles --from seconds.crv -q 0.999
  tail -f times.txt | crivo quantiles --when 'p99>250'
'crivo histogram' and 'crivo range' answer from the same sketch.")]
pub(crate) struct Quantiles {
    /// Which, from 0 for the smallest value to 1 for the largest
    #[arg(long = "quantiles", short = 'q', value_name = "Q,Q,…", value_delimiter = ',', value_parser = parse_rank,
          default_value = "0,0.01,0.1,0.25,0.5,0.75,0.9,0.99,1")]
    shares: Vec<f64>,

    #[command(flatten)]
    numbers: NumberArgs,

    /// Say so when a percentile passes a limit: 'p99>250', 'p50<3'
    ///
    /// The end of the error bar decides, so the limit is passed with the confidence shown. It is told again when it is
    /// passed again. It is looked at after each of the first 1,024 numbers, then after every 1,024, and at the end; what
    /// happens between two looks is not seen.
    #[arg(long, value_name = "CONDITION", value_parser = parse_when, conflicts_with = "from", help_heading = "Time")]
    when: Option<When>,
}

fn parse_rank(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(rank) if (0.0..=1.0).contains(&rank) => Ok(rank),
        _ => Err("expected numbers from 0 to 1, for example 0.5,0.9,0.99".into()),
    }
}

impl Quantiles {
    pub(crate) fn run(&self, session: &Session) -> Result<ExitCode> {
        if let Some(when) = &self.when {
            when.check_is(What::Quantile(0.99), "'p99>250'")?;
        }
        self.numbers.run(&mut Asked { verb: self, holds: false }, session)?;
        Ok(ExitCode::SUCCESS)
    }
}

struct Asked<'a> {
    verb: &'a Quantiles,
    /// Whether the condition held when it was last looked at.
    holds: bool,
}

impl Question for Asked<'_> {
    fn print(&self, output: &mut Output, numbers: &Numbers, saved: Option<String>) -> Result<()> {
        let json = self.verb.numbers.stream.form.json();
        let mut table = Table::new([Align::Left, Align::Right, Align::Left]);
        for (&q, quantile) in self.verb.shares.iter().zip(numbers.ranks.quantiles(&self.verb.shares)?) {
            if json {
                output.json(&Answer::Quantile { q, quantile: (&quantile).into() })?;
            } else {
                let [value, bar] = quantile_cells(&quantile);
                table.push([format!("{q}"), value, bar]);
            }
        }
        let total = numbers.ranks.total();
        if json {
            let (nulls, not_numbers) = (numbers.nulls, numbers.others.count);
            return output.json(&Answer::Quantiles { numbers: total, nulls, not_numbers, saved });
        }
        output.page(0, |page| table.print(page))?;
        output.line(&format!("of {}", plural(total, "number", "numbers")))
    }

    fn watch(&mut self, ranks: &Kll<Number>, items: u64) -> Result<()> {
        let Some(when) = &self.verb.when else { return Ok(()) };
        let What::Quantile(q) = when.what else { return Ok(()) };
        let Some(quantile) = ranks.quantile(q)? else { return Ok(()) };
        let held = std::mem::replace(&mut self.holds, when.holds(*quantile.lower(), *quantile.upper()));
        if held || !self.holds {
            return Ok(());
        }
        let mut output = Output::new();
        if self.verb.numbers.stream.form.json() {
            let estimate = AnyBar::Value((&quantile).into());
            output.json(&Answer::Alert { when: &when.text, items, item: None, estimate })?;
        } else {
            let [value, bar] = quantile_cells(&quantile);
            output.line(&format!("{}: {}: {value}  {bar}", when.text, plural(items, "number", "numbers")))?;
        }
        output.flush()
    }

    fn watches(&self) -> bool {
        self.verb.when.is_some()
    }
}
