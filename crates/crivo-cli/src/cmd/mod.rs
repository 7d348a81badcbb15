//! The verbs, one file each.

mod completions;
mod count;
mod counter;
mod distinct;
mod dups;
mod explain;
mod filter;
mod frequencies;
mod graph;
mod header;
mod hyphenate;
mod info;
mod item_set;
mod join;
mod kmers;
mod lab;
mod man;
mod memory;
mod merge;
mod number;
mod numbers;
mod passwords;
mod plan;
mod profile;
mod sample;
mod seen;
mod similar;
mod sketch_file;
mod spell;
mod steps;
mod top;
mod values;
mod verify;

use crate::session::{Manner, Session};
use crate::verb::Verb as _;
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
  tail -f access.log | crivo seen --state seen.crv
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
    Seen(seen::Seen),
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
    #[command(subcommand)]
    Passwords(passwords::Passwords),
    Spell(spell::Spell),
    Hyphenate(hyphenate::Hyphenate),
    Info(info::Info),
    Merge(merge::Merge),
    Verify(verify::Verify),
    Plan(plan::Plan),
    Explain(explain::Explain),
    Lab(lab::Lab),
    Completions(completions::Completions),
    Man(man::Man),
}

impl Cli {
    /// Whether it only plans: reads and writes no file.
    pub(crate) fn is_plan(&self) -> bool {
        matches!(self.verb, Verb::Plan(_))
    }

    /// Does what the command line asks.
    pub(crate) fn run(self) -> Result<ExitCode> {
        let session = &Session::of_process(Manner::default());
        match self.verb {
            Verb::Profile(verb) => verb.run(session),
            Verb::Distinct(verb) => verb.run(session),
            Verb::Count(verb) => verb.answer(),
            Verb::Top(verb) => verb.run(session),
            Verb::Quantiles(verb) => verb.run(session),
            Verb::Histogram(verb) => verb.run(session),
            Verb::Range(verb) => verb.run(session),
            Verb::Sample(verb) => verb.run(session),
            Verb::Seen(verb) => verb.run(session),
            Verb::Join(verb) => verb.run(session),
            Verb::Similar(verb) => verb.run(session),
            Verb::Dups(verb) => verb.run(session),
            Verb::Graph(verb) => verb.answer(),
            Verb::Kmers(verb) => verb.answer(),
            Verb::Filter(verb) => verb.run(session),
            Verb::Values(verb) => verb.run(session),
            Verb::Passwords(verb) => verb.run(session),
            Verb::Spell(verb) => verb.run(session),
            Verb::Hyphenate(verb) => verb.run(session),
            Verb::Info(verb) => verb.answer(),
            Verb::Merge(verb) => verb.answer(),
            Verb::Verify(verb) => verb.answer(),
            Verb::Plan(verb) => verb.answer(),
            Verb::Explain(verb) => verb.answer(),
            Verb::Lab(verb) => verb.run(session),
            Verb::Completions(verb) => verb.run(session),
            Verb::Man(verb) => verb.run(session),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Cli;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_verb_has_an_example_and_every_example_parses() {
        let seen = crivo_testing::every_example_parses::<Cli>();
        assert!(seen > 100, "{seen}");
    }
}
