//! The verbs, one file each.

mod by;
mod check;
mod compare;
mod completions;
mod count;
mod counter;
mod distinct;
mod dups;
mod explain;
mod few;
mod filter;
mod foreign;
mod frequencies;
mod graph;
mod header;
mod hitters;
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
#[cfg(test)]
mod one_answer;
mod passwords;
mod plan;
mod profile;
mod sample;
mod seen;
mod similar;
mod sketch_file;
mod spell;
mod steps;
mod tables;
mod tally;
#[cfg(test)]
mod tiny_shares;
mod top;
mod values;
mod verify;

use crate::session::{Manner, Session};
use crate::verb::{Verb as _, answers};
use anyhow::Result;
use clap::{Parser, Subcommand};
use crivo_program::Color;

/// Approximate answers about large files and streams, with error bars, in one pass and little memory
#[derive(Debug, Parser)]
#[command(name = "crivo", version, after_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    verb: Verb,

    /// When to use colour; auto means on terminals
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, hide_possible_values = true,
          value_name = "auto|always|never", help_heading = "Output")]
    color: Color,
}

const EXAMPLES: &str = "Examples:
  crivo profile visits.csv
  crivo compare monday.csv tuesday.csv
  crivo distinct visits.csv --column user
  crivo count visits.csv --column page --key /home
  crivo top visits.csv --column page -n 20
  crivo quantiles visits.csv --column seconds -p 50,90,99
  crivo sample visits.csv -n 100
  tail -f access.log | crivo seen --state seen.crv
  crivo dups articles.jsonl --column text -o clean.jsonl
  crivo filter build words.txt.gz -o words.crv
  crivo filter query words.crv --keys draft.txt --invert

Exit codes: 0 yes or success, 1 no, 2 error or bad usage, 130 interrupted (143 by SIGTERM).";

#[derive(Debug, Subcommand)]
enum Verb {
    #[command(aliases = ["stats", "describe", "summarize", "summarise", "summary"])]
    Profile(profile::Profile),
    Check(check::Check),
    Compare(compare::Compare),
    #[command(aliases = ["uniq", "unique", "cardinality", "hll"])]
    Distinct(distinct::Distinct),
    Count(count::Count),
    Tally(tally::Tally),
    #[command(aliases = ["heavy-hitters", "freq", "frequency"])]
    Top(top::Top),
    #[command(aliases = ["percentiles", "percentile", "quantile"])]
    Quantiles(numbers::Quantiles),
    #[command(alias = "hist")]
    Histogram(numbers::Histogram),
    Range(numbers::RangeCount),
    #[command(aliases = ["random", "shuf"])]
    Sample(sample::Sample),
    #[command(aliases = ["dedup", "deduplicate"])]
    Seen(seen::Seen),
    Join(join::Join),
    #[command(aliases = ["jaccard", "minhash"])]
    Similar(similar::Similar),
    Dups(dups::Dups),
    #[command(subcommand)]
    Graph(graph::Graph),
    #[command(subcommand)]
    Kmers(kmers::Kmers),
    #[command(subcommand, alias = "bloom")]
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

    /// When to write in colour.
    pub(crate) fn color(&self) -> Color {
        self.color
    }

    /// Runs the command line in the session that `begin` opens and returns the exit code.
    pub(crate) fn answer(self, begin: &dyn Fn(Manner) -> Session) -> Result<u8> {
        self.verb.answer(begin)
    }
}

answers!(
    Verb: Profile, Check, Compare, Distinct, Count, Tally, Top, Quantiles, Histogram, Range, Sample, Seen, Join, Similar, Dups, Graph, Kmers, Filter, Values, Passwords, Spell, Hyphenate, Info, Merge, Verify, Plan, Explain, Lab, Completions, Man
);

#[cfg(test)]
mod tests {
    use super::Cli;
    use clap::CommandFactory;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    /// A short flag has the same meaning in all verbs.
    #[test]
    fn a_short_flag_has_one_meaning() {
        fn collect(command: &clap::Command, meanings: &mut BTreeMap<char, BTreeSet<String>>) {
            for argument in command.get_arguments() {
                let name = argument.get_long().unwrap_or(argument.get_id().as_str());
                for short in argument.get_short_and_visible_aliases().unwrap_or_default() {
                    meanings.entry(short).or_default().insert(name.to_owned());
                }
            }
            command.get_subcommands().for_each(|verb| collect(verb, meanings));
        }
        let mut meanings = BTreeMap::new();
        collect(&Cli::command(), &mut meanings);
        // The letter of k-mers; the number of items in a list as others call it; and, where items are counted, a key.
        let k = meanings.remove(&'k').unwrap();
        assert_eq!(k.into_iter().collect::<Vec<_>>(), ["k", "key", "number", "told_k"]);
        for (short, names) in meanings {
            assert_eq!(names.len(), 1, "-{short}: {names:?}");
        }
    }

    #[test]
    fn every_verb_has_an_example_and_every_example_parses() {
        let seen = crivo_testing::every_example_parses::<Cli>();
        assert!(seen > 100, "{seen}");
    }
}
