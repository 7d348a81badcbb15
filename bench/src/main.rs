//! Crivo beside the crates a user would pick instead, measured in one run.
//!
//! The output is Markdown and can be kept as it is.

mod cardinality;
mod frequency;
mod harness;
mod hash;
mod keys;
mod machine;
mod membership;
mod memory;
mod targets;

use std::process::ExitCode;
use targets::Targets;

const USAGE: &str = "\
usage: crivo-bench [membership|frequency|cardinality|hash]... [--quick] [--huge] [--rounds N]

Measures the named families, or all of them, against their peers and prints Markdown tables.

  --quick     small sizes, 3 rounds: to see that everything works
  --huge      membership also at 10^8 keys (needs about 3 GB of memory)
  --rounds N  rounds to take the minimum and the median of (default 9)";

const FAMILIES: [(&str, Family); 4] = [
    ("membership", membership::run),
    ("frequency", frequency::run),
    ("cardinality", cardinality::run),
    ("hash", hash::run),
];

type Family = fn(&Options, &mut Targets);

/// What the command line asks for.
#[derive(Default)]
struct Options {
    families: Vec<Family>,
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
                    Some(&(_, family)) => options.families.push(family),
                    None => return Err(format!("unknown argument {name:?}")),
                },
            }
        }
        if options.families.is_empty() {
            options.families = FAMILIES.map(|family| family.1).to_vec();
        }
        options.rounds = rounds.unwrap_or(if options.quick { 3 } else { 9 });
        Ok(options)
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
    machine::print_head(options.rounds);
    let mut targets = Targets::default();
    for family in &options.families {
        family(&options, &mut targets);
    }
    targets.print();
    ExitCode::SUCCESS
}
