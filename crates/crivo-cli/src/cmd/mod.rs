//! The verbs, one file each.

mod completions;
mod count;
mod counter;
mod distinct;
mod dups;
mod filter;
mod frequencies;
mod graph;
mod header;
mod info;
mod join;
mod kmers;
mod lab;
mod man;
mod memory;
mod merge;
mod numbers;
mod plan;
mod profile;
mod sample;
mod similar;
mod sketch_file;
mod steps;
mod top;
mod values;
mod verify;

use anyhow::Result;
use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Questions about streams too large to keep, answered with error bars in one pass and a small memory
#[derive(Debug, Parser)]
#[command(name = "crivo", version, after_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

const EXAMPLES: &str = "Examples:
  crivo profile visits.csv
  crivo distinct visits.csv --column user
  crivo count visits.csv --column page --key /home
  crivo top visits.csv --column page -k 20
  crivo quantiles visits.csv --column seconds -q 0.5,0.9,0.99
  crivo sample visits.csv -k 100
  crivo dups articles.jsonl --column text -o clean.jsonl
  crivo filter build words.txt.gz -o words.crv
  crivo filter query words.crv --invert draft.txt

Exit codes: 0 yes or success, 1 no, 2 error or bad usage, 130 interrupted (143 by SIGTERM).";

#[derive(Debug, Subcommand)]
enum Verb {
    Profile(profile::Profile),
    Distinct(distinct::Distinct),
    Count(count::Count),
    Top(top::Top),
    Quantiles(numbers::Quantiles),
    Histogram(numbers::Histogram),
    Range(numbers::RangeCount),
    Sample(sample::Sample),
    Join(join::Join),
    Similar(similar::Similar),
    Dups(dups::Dups),
    #[command(subcommand)]
    Graph(graph::Graph),
    #[command(subcommand)]
    Kmers(kmers::Kmers),
    #[command(subcommand)]
    Filter(filter::Filter),
    #[command(subcommand)]
    Values(values::Values),
    Info(info::Info),
    Merge(merge::Merge),
    Verify(verify::Verify),
    #[command(subcommand)]
    Plan(plan::Plan),
    #[command(subcommand)]
    Lab(lab::Lab),
    Completions(completions::Completions),
    Man(man::Man),
}

impl Cli {
    /// Does what the command line asks.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        match &self.verb {
            Verb::Profile(verb) => verb.run(),
            Verb::Distinct(verb) => verb.run(),
            Verb::Count(verb) => verb.run(),
            Verb::Top(verb) => verb.run(),
            Verb::Quantiles(verb) => verb.run(),
            Verb::Histogram(verb) => verb.run(),
            Verb::Range(verb) => verb.run(),
            Verb::Sample(verb) => verb.run(),
            Verb::Join(verb) => verb.run(),
            Verb::Similar(verb) => verb.run(),
            Verb::Dups(verb) => verb.run(),
            Verb::Graph(verb) => verb.run(),
            Verb::Kmers(verb) => verb.run(),
            Verb::Filter(verb) => verb.run(),
            Verb::Values(verb) => verb.run(),
            Verb::Info(verb) => verb.run(),
            Verb::Merge(verb) => verb.run(),
            Verb::Verify(verb) => verb.run(),
            Verb::Plan(verb) => verb.run(),
            Verb::Lab(verb) => verb.run(),
            Verb::Completions(verb) => verb.run(),
            Verb::Man(verb) => verb.run(),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        super::Cli::command().debug_assert();
    }
}
