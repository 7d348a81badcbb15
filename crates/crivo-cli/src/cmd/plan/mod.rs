//! `crivo plan`: from a target to a size, a cost and the command to run.

mod cardinality;
mod choices;
mod duplicates;
mod frequency;
mod graph;
mod membership;
mod profile;
mod quantiles;
mod sampling;
mod similarity;
mod values;

use crate::args::DEFAULT_MAX_MEMORY;
use crate::output::{Align, Answer, Output, PlanRow, Table, count, percent, size};
use crate::session::Session;
use anyhow::Result;
use clap::{Args, Subcommand};
use crivo::MergeLaw;
use std::process::ExitCode;

/// How large a sketch must be for a target, and the command that makes it
///
/// All structures that answer a question are compared: what they take at the target, and at higher and lower ones; what an
/// insert and a query touch; how they merge. Without a question, lists which plan answers which.
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:
  crivo plan
  crivo plan membership --items 1e9 --fpr 0.001
  crivo plan membership --items 1e9 --fpr 0.001 --kind cuckoo
  crivo plan cardinality --error 0.01
  crivo plan frequency --error 0.0001 --delta 0.01"
)]
pub(crate) struct Plan {
    #[command(subcommand)]
    question: Option<Question>,

    #[command(flatten)]
    format: Format,
}

#[derive(Debug, Subcommand)]
enum Question {
    Membership(membership::Membership),
    Cardinality(cardinality::Cardinality),
    Frequency(frequency::Frequency),
    Quantiles(quantiles::Quantiles),
    Sampling(sampling::Sampling),
    Similarity(similarity::Similarity),
    Duplicates(duplicates::Duplicates),
    Values(values::Values),
    Graph(graph::Graph),
    Kmers(graph::Sequences),
    Profile(profile::Profile),
}

/// Which plan answers which question.
const QUESTIONS: [(&str, &str); 11] = [
    ("is it there?", "crivo plan membership --items 1e6 --fpr 0.01"),
    ("how many different?", "crivo plan cardinality --error 0.01"),
    ("how often, which most?", "crivo plan frequency --error 0.0001"),
    ("which rank, how many in a range?", "crivo plan quantiles --error 0.001"),
    ("which are typical?", "crivo plan sampling --error 0.01"),
    ("how alike?", "crivo plan similarity --error 0.02"),
    ("which are nearly the same?", "crivo plan duplicates --items 1e6 --threshold 0.8"),
    ("which value has it?", "crivo plan values --items 1e6 --distortion 0.01"),
    ("are they joined?", "crivo plan graph --edges 1e6 --fpr 0.01"),
    ("what follows what in sequences?", "crivo plan kmers --kmers 1e6 --fpr 0.05"),
    ("what is in a table?", "crivo plan profile --columns 20 --error 0.02"),
];

#[derive(Args, Debug)]
struct Format {
    /// JSON objects instead of text, one for each row
    #[arg(long)]
    json: bool,
}

impl Plan {
    pub(crate) fn answer(self, begin: &dyn Fn(crate::session::Manner) -> Session) -> Result<u8> {
        self.run(&begin(crate::session::Manner::default()))?;
        Ok(0)
    }

    pub(crate) fn run(&self, session: &Session) -> Result<ExitCode> {
        match &self.question {
            None => print_questions(&self.format)?,
            Some(Question::Membership(plan)) => plan.run()?,
            Some(Question::Cardinality(plan)) => plan.run()?,
            Some(Question::Frequency(plan)) => plan.run()?,
            Some(Question::Quantiles(plan)) => plan.run()?,
            Some(Question::Sampling(plan)) => plan.run()?,
            Some(Question::Similarity(plan)) => plan.run()?,
            Some(Question::Duplicates(plan)) => plan.run()?,
            Some(Question::Values(plan)) => plan.run()?,
            Some(Question::Graph(plan)) => plan.run()?,
            Some(Question::Kmers(plan)) => plan.run()?,
            Some(Question::Profile(plan)) => plan.run()?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn print_questions(format: &Format) -> Result<()> {
    let mut output = Output::new();
    let mut table = Table::new([Align::Left, Align::Left]);
    for (question, command) in QUESTIONS {
        if format.json {
            output.json(&Answer::Question { question, command })?;
        }
        table.push([question, command].map(str::to_owned));
    }
    if !format.json {
        output.page(0, |page| table.print(page))?;
    }
    output.flush()
}

/// The row of the target, which must exist, with those of its neighbours that do, `step` times apart.
fn around<E>(target: f64, step: f64, row: impl Fn(f64) -> Result<PlanRow, E>) -> Result<Vec<PlanRow>, E> {
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
        MergeLaw::Distribution => "by distribution",
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
        output.line("")?;
        output.line(&asked.command)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_plan_answers_a_question() {
        let command = Plan::augment_args(clap::Command::new("plan"));
        let plans = command.get_subcommands().map(clap::Command::get_name).collect::<Vec<_>>();
        let listed = QUESTIONS.map(|(_, line)| line.split(' ').nth(2).unwrap());
        assert_eq!(plans, listed);
    }
}
