//! `crivo values query`: the values of keys.

use super::kept::Kept;
use crate::args::{KeyArgs, LimitArgs, ValueArgs};
use crate::input::{Columns, Wants};
use crate::output::{
    Align, Answer, Number, Output, Table, Text, number, percent, plural, remark, shown, value,
};
use crate::session::Session;
use anyhow::{Context, Result};
use clap::Args;
use crivo::valued::{ValueAnswer, Verdict};
use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

/// Print the values of keys
///
/// A value is never below the one that was kept with the key. How likely it is above is told beside it, and how likely a key
/// that was never kept has so large a value. A key without a value was certainly never kept.
///
/// As with grep, the exit code is 0 if a key had a value, 1 if none had, and 2 after an error.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo values query best.crv north south
  cut -f1 shops.tsv | crivo values query best.crv
  crivo values query best.crv --keys claims.csv --column shop --claimed price")]
pub(crate) struct Query {
    /// The filter of values
    filter: PathBuf,

    /// Keys to look up; read from --keys or standard input if none is named
    #[arg(value_name = "KEY", conflicts_with_all = ["files", "column", "claimed", "format", "delimiter", "no_header", "null", "missing", "jobs"])]
    keys: Vec<OsString>,

    /// A file of keys, gzip and zstd too; may be given many times
    #[arg(long = "keys", value_name = "FILE", help_heading = "Input")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    values: ValueArgs,

    /// The column of a value claimed for each key: was it kept with it?
    ///
    /// absent: the key never had a value; below: never one so large; equal: very likely this one; above: this one may be
    /// hidden below others. The first two are certain.
    #[arg(long, value_name = "COLUMN", requires = "column", help_heading = "Input")]
    claimed: Option<String>,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    key: KeyArgs,

    /// JSON objects instead of text, one a line
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// No progress and no remarks
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

/// What is said about one key.
struct Found<'a> {
    key: &'a [u8],
    answer: Option<ValueAnswer<f64>>,
    claim: Option<(f64, Verdict<f64>)>,
}

impl Query {
    pub(crate) fn run(&self, session: &Session) -> Result<ExitCode> {
        session.set_quiet(self.quiet);
        let filter = Kept::load(&self.filter, &self.key.decode_options(&self.limit, session)?, session)?;
        let answers = filter.answers();
        let mut output = Output::new();
        let mut present = 0u64;
        let mut nulls = 0;
        if self.keys.is_empty() {
            let columns = Columns { kept: self.claimed.as_deref(), ..Columns::default() };
            let mut input = self.values.open(&self.files, columns, &self.limit, session)?;
            (input.prints, input.answers_early) = (true, true);
            let totals = input.read(Wants::hashes(filter.spec()).and_values(), |batch| {
                let mut all = Vec::with_capacity(batch.items);
                for (place, &hash) in batch.hashes.iter().enumerate() {
                    let claimed = batch.kept.get(place).copied();
                    let claim = claimed.map(|claimed| Ok((claimed, filter.verdict(hash, claimed)?)));
                    let claim: Option<crivo::Result<_>> = claim;
                    let claim = claim.transpose().context(batch.source.name())?;
                    all.push(Found { key: batch.values.get(place), answer: answers(hash), claim });
                }
                present += self.print(&mut output, &filter, &all)?;
                Ok(ControlFlow::Continue(()))
            })?;
            nulls = totals.nulls;
        } else {
            let hash = |key: &[u8]| filter.spec().hash_bytes(key);
            let found = |key: &OsString| {
                let key = key.as_encoded_bytes();
                (key.to_vec(), answers(hash(key)))
            };
            let all: Vec<(Vec<u8>, _)> = self.keys.iter().map(found).collect();
            let all: Vec<Found<'_>> =
                all.iter().map(|(key, answer)| Found { key, answer: *answer, claim: None }).collect();
            present = self.print(&mut output, &filter, &all)?;
        }
        output.flush()?;
        if nulls > 0 && !self.json && !self.quiet {
            let records = plural(nulls, "record", "records");
            let or_claim = if self.claimed.is_some() { " or a claimed value" } else { "" };
            remark(&format!("{records} without a key{or_claim} left out"));
        }
        Ok(ExitCode::from(u8::from(present == 0)))
    }

    /// Returns how many have a value.
    fn print(&self, output: &mut Output, filter: &Kept, all: &[Found<'_>]) -> Result<u64> {
        let mut table = Table::new([Align::Left, Align::Right, Align::Left, Align::Left]);
        for Found { key, answer, claim } in all {
            if self.json {
                output.json(&Answer::Value {
                    key: Text::from(*key),
                    value: answer.map(|answer| Number::from(answer.value())),
                    overestimated: answer.map(|answer| answer.overestimated()),
                    rounding: answer.map(|answer| filter.rounding(answer.value())),
                    fpr: answer.map(|answer| answer.fpr()),
                    claimed: claim.map(|(claimed, _)| Number::from(claimed)),
                    verdict: claim.map(|(_, verdict)| verdict.name()),
                })?;
                continue;
            }
            let (number, doubt) = match answer {
                None => ("-".into(), "certainly never kept".into()),
                Some(answer) => {
                    (rounded_up(answer.value(), filter.rounding(answer.value())), doubt(filter, answer))
                }
            };
            let verdict = claim.map_or_else(String::new, |(claimed, verdict)| {
                format!("{} claimed: {}", value(claimed), in_words(verdict))
            });
            table.push([shown(key), number, doubt, verdict]);
        }
        output.page(0, |page| table.print(page))?;
        output.flush()?;
        Ok(all.iter().filter(|found| found.answer.is_some()).count() as u64)
    }
}

/// All digits of an answer that a step of its scale supports, and one more. What follows is rounded up, as the answer is.
fn rounded_up(answer: f64, step: f64) -> String {
    /// Beyond this many units not all digits of an `f64` are decimal ones.
    const MOST: f64 = 1e15;
    let unit = 10f64.powf((1.0 - step.log10().floor()).max(0.0));
    // What is a whole number of units but for its last bits is not rounded.
    let units = (answer * unit - 1e-6).ceil();
    if step > 0.0 && units.abs() < MOST { value(units / unit) } else { value(answer) }
}

/// How likely an answer is too large, or that of a key that was never kept.
fn doubt(filter: &Kept, answer: &ValueAnswer<f64>) -> String {
    let rounding = filter.rounding(answer.value());
    let rounded =
        if rounding > 0.0 { format!(", rounded up by at most {}", number(rounding)) } else { String::new() };
    format!(
        "too large with probability {}{rounded}; {} of keys never kept have so much",
        percent(answer.overestimated()),
        percent(answer.fpr())
    )
}

fn in_words(verdict: Verdict<f64>) -> &'static str {
    match verdict {
        Verdict::Absent | Verdict::Below(_) => "certainly not",
        Verdict::Equal => "very likely",
        Verdict::Above(_) => "possible",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_have_the_digits_of_their_scale() {
        let shown = |answer, step| rounded_up(answer, step);
        assert_eq!(shown(11.811_023_622_047_244, 200.0 / 254.0), "11.82");
        assert_eq!(shown(-0.123_456, 0.1), "-0.12");
        assert_eq!(shown(20.000_000_000_000_004, 0.5), "20");
        assert_eq!(shown(11_811.02, 393.7), "11812");
        assert_eq!(shown(0.000_123_456, 1e-6), "0.0001235");
        assert_eq!([shown(12.345_678, 0.0), shown(1e300, 1e290)], ["12.345678", "1e300"]);
    }
}
