//! Compares Crivo with the crates that a user might choose instead, in one run.
//!
//! The output is Markdown and can be kept as it is.

mod cardinality;
mod counting;
mod frequency;
mod graph;
mod harness;
mod hash;
mod keys;
mod membership;
mod memory;
mod profile;
mod quantile;
mod sampling;
mod shared;
mod similarity;
mod valued;

use bench_report::{Targets, print_head};
use std::process::ExitCode;

const USAGE: &str = "\
usage: crivo-bench [FAMILY]... [--quick] [--huge] [--rounds N]

Measures the named families, or all of them, against their peers and prints Markdown tables:
membership, frequency, cardinality, wire, quantile, sampling, counting, similarity, valued, graph, shared, profile, hash.

  --quick     small sizes, 3 rounds: to see that everything works
  --huge      only membership, at 10^8 keys and a target of 1 %: 3 rounds at most, about 3 GB of memory
  --rounds N  rounds to take the minimum and the median of (default 9, or 3 with --quick or --huge)";

const FAMILIES: [(&str, Family); 13] = [
    ("membership", membership::run),
    ("frequency", frequency::run),
    ("cardinality", cardinality::run),
    ("wire", cardinality::wire::run),
    ("quantile", quantile::run),
    ("sampling", sampling::run),
    ("counting", counting::run),
    ("similarity", similarity::run),
    ("valued", valued::run),
    ("graph", graph::run),
    ("shared", shared::run),
    ("profile", profile::run),
    ("hash", hash::run),
];

type Family = fn(&Options, &mut Targets);

/// What the command line asks for.
#[derive(Default)]
struct Options {
    /// In the order given; each is one of [`FAMILIES`].
    families: Vec<(&'static str, Family)>,
    quick: bool,
    huge: bool,
    rounds: usize,
}

impl Options {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self::default();
        let mut rounds = None;
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--quick" => options.quick = true,
                "--huge" => options.huge = true,
                "--rounds" => {
                    let given = arguments.next().unwrap_or_default();
                    match given.parse() {
                        Ok(number) if number > 0 => rounds = Some(number),
                        _ => return Err(format!("--rounds expects a positive number, not {given:?}")),
                    }
                }
                name => match FAMILIES.iter().find(|family| family.0 == name) {
                    Some(&family) => options.families.push(family),
                    None => return Err(format!("unknown argument {name:?}")),
                },
            }
        }
        if options.families.is_empty() {
            options.families = if options.huge { FAMILIES[..1].to_vec() } else { FAMILIES.to_vec() };
        }
        options.rounds = rounds.unwrap_or(if options.quick || options.huge { 3 } else { 9 });
        if options.huge {
            if let Some((other, _)) = options.families.iter().find(|family| family.0 != FAMILIES[0].0) {
                return Err(format!("--huge measures membership alone: run {other} without it"));
            }
            if options.rounds > 3 {
                return Err(format!("--huge expects at most 3 rounds, not {}", options.rounds));
            }
        }
        Ok(options)
    }

    /// How many keys or items to measure with.
    fn sizes(&self) -> &'static [usize] {
        match (self.huge, self.quick) {
            (true, _) => &[100_000_000],
            (false, true) => &[10_000, 1_000_000],
            (false, false) => &[10_000, 1_000_000, 10_000_000],
        }
    }
}

fn main() -> ExitCode {
    if std::env::args().any(|argument| argument == "--help" || argument == "-h") {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    let options = match Options::parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("crivo-bench: {message}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    print_head(&format!(
        "nanoseconds of thread CPU time per operation, `median (min)` of {} rounds after a warm-up; in each round every \
         contender runs once, in rotating order",
        options.rounds
    ));
    let mut targets = Targets::default();
    for (_, family) in &options.families {
        family(&options, &mut targets);
    }
    targets.print();
    ExitCode::SUCCESS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options, String> {
        Options::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn all_families_unless_some_are_named() {
        assert_eq!(parse("").unwrap().families.len(), FAMILIES.len());
        let names: Vec<_> = parse("hash frequency").unwrap().families.iter().map(|family| family.0).collect();
        assert_eq!(names, ["hash", "frequency"]);
        assert!(parse("sorting").is_err());
    }

    #[test]
    fn rounds_are_as_given_or_fit_the_sizes() {
        for (line, rounds) in
            [("", 9), ("--quick", 3), ("--huge", 3), ("--rounds 5", 5), ("--huge --rounds 1", 1)]
        {
            assert_eq!(parse(line).unwrap().rounds, rounds, "{line}");
        }
        assert!(parse("--rounds 0").is_err());
        assert!(parse("--rounds").is_err());
    }

    #[test]
    fn huge_is_membership_alone_in_few_rounds() {
        let huge = parse("--huge").unwrap();
        assert_eq!((huge.families[0].0, huge.families.len()), ("membership", 1));
        assert_eq!(huge.sizes(), [100_000_000]);
        assert!(parse("membership --huge").is_ok());
        assert!(parse("membership hash --huge").is_err());
        assert!(parse("--huge --rounds 4").is_err());
    }
}
