//! `crivo plan`: from a target to a size, a cost and the command to run.

mod cardinality;
mod membership;

use crate::args::{DEFAULT_MAX_MEMORY, parse_share};
use crate::output::{Answer, Output, PlanRow, count, percent, size};
use anyhow::Result;
use clap::{Args, Subcommand};
use crivo::{CountMinParams, MergeLaw};
use serde_json::json;
use std::process::ExitCode;

/// How large a sketch must be for a target, and the command that makes it
///
/// For filters and counters all kinds are compared. Else the rows around the target show what more or less would cost.
#[derive(Debug, Subcommand)]
#[command(after_help = "Examples:
  crivo plan membership --items 1e9 --fpr 0.001
  crivo plan membership --items 1e9 --fpr 0.001 --kind cuckoo
  crivo plan cardinality --error 0.01
  crivo plan frequency --error 0.0001 --delta 0.01")]
pub(crate) enum Plan {
    Membership(membership::Membership),
    Cardinality(cardinality::Cardinality),
    /// How often? From the over-count and the probability that it is exceeded
    Frequency(Frequency),
}

#[derive(Args, Debug)]
pub(crate) struct Frequency {
    /// An answer exceeds the truth by at most this share of all items …
    #[arg(long, value_name = "SHARE", default_value_t = 0.0001, value_parser = parse_share)]
    error: f64,

    /// … but for this probability
    #[arg(long, value_name = "PROBABILITY", default_value_t = 0.01, value_parser = parse_share)]
    delta: f64,

    #[command(flatten)]
    format: Format,
}

#[derive(Args, Debug)]
struct Format {
    /// JSON objects instead of text, one for each row
    #[arg(long)]
    json: bool,
}

impl Plan {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        match self {
            Self::Membership(plan) => plan.run()?,
            Self::Cardinality(plan) => plan.run()?,
            Self::Frequency(plan) => {
                print(around(plan.error, 10.0, |error| plan.row(error))?, plan.format.json)?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The row of the target, which must exist, with those of its neighbours that do, `step` times apart.
fn around(
    target: f64,
    step: f64,
    row: impl Fn(f64) -> crivo::Result<PlanRow>,
) -> crivo::Result<Vec<PlanRow>> {
    let asked = PlanRow { asked: true, ..row(target)? };
    let at = |factor: f64| {
        Some(round_to_digits(target * factor)).filter(|&near| near < 1.0).and_then(|near| row(near).ok())
    };
    Ok(at(step).into_iter().chain([asked]).chain(at(1.0 / step)).chain(at(1.0 / (step * step))).collect())
}

/// Removes the noise of floating-point multiplication: 0.1 of 0.01 is 0.001.
fn round_to_digits(value: f64) -> f64 {
    format!("{value:.12e}").parse().unwrap_or(value)
}

impl Frequency {
    fn row(&self, error: f64) -> crivo::Result<PlanRow> {
        let params = CountMinParams::for_error(error, self.delta)?;
        Ok(PlanRow {
            kind: "count-min",
            asked: false,
            target: error,
            achieved: params.error_at(1.0 - self.delta),
            memory_bytes: params.memory_bytes(),
            parameters: json!({ "width": params.width(), "depth": params.depth() }),
            filter: None,
            counter: None,
            command: format!(
                "crivo count FILE --key KEY --error {error} --delta {}{}",
                self.delta,
                permission(params.memory_bytes())
            ),
        })
    }
}

/// The flag without which a sketch of so many bytes would be refused.
fn permission(bytes: u64) -> String {
    if bytes <= DEFAULT_MAX_MEMORY {
        String::new()
    } else {
        format!(" --max-memory {}GiB", bytes.div_ceil(1 << 30))
    }
}

/// How a kind merges, in a word.
fn law(law: Option<MergeLaw>) -> Option<&'static str> {
    Some(match law? {
        MergeLaw::Exact => "exact",
        _ => "bounded",
    })
}

fn print(rows: Vec<PlanRow>, json: bool) -> Result<()> {
    let mut output = Output::new();
    if json {
        for row in rows {
            output.json(&Answer::Plan(row))?;
        }
        return output.flush();
    }
    output.line(&format!("  {:>12} {:>12} {:>12}  parameters", "target", "achieved", "memory"))?;
    for row in &rows {
        output.line(&format!(
            "{} {:>12} {:>12} {:>12}  {}",
            if row.asked { '*' } else { ' ' },
            percent(row.target),
            percent(row.achieved),
            size(row.memory_bytes),
            parameters(row)
        ))?;
    }
    if let Some(asked) = rows.iter().find(|row| row.asked) {
        output.line(&format!("\n{}", asked.command))?;
    }
    output.flush()
}

/// `9,600,064 bits, 6 hashes`
fn parameters(row: &PlanRow) -> String {
    let pair = |(name, value): (&String, &serde_json::Value)| match (name.as_str(), value.as_u64()) {
        ("precision" | "width" | "depth", Some(number)) => format!("{name} {}", count(number)),
        (_, Some(number)) => format!("{} {name}", count(number)),
        (_, None) => format!("{name} {value}"),
    };
    row.parameters.as_object().into_iter().flatten().map(pair).collect::<Vec<_>>().join(", ")
}
