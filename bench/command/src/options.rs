//! What the command line asks for, and what the machine has.

use std::process::{Command, Stdio};

pub(crate) const USAGE: &str = "\
usage: crivo-bench-command [GROUP]... --data DIR [--crivo PATH] [--table FILE.csv] [--python PATH] [--words FILE]
           [--patterns FILE] [--exceptions FILE] [--node DIR] [--rounds N]

Runs commands side by side and prints Markdown tables: start, distinct, top, seen, profile, hyphenate, memory; all
unless some are named.

  --data DIR     where the data are made, once: some 2 GB
  --crivo PATH   the command to measure (default: crivo)
  --table FILE   a table to profile 20 times over, CSV with NA for nothing, perhaps compressed with gzip
  --python PATH  a Python that has duckdb (default: python3)
  --words FILE   words to hyphenate 10 times over, one a line, perhaps compressed with gzip
  --patterns FILE    patterns to hyphenate with, too
  --exceptions FILE  exceptions to put behind filters
  --node DIR     where node finds packages: a node_modules
  --rounds N     rounds to take the minimum and the median of (default 3)
  --lines N      only writes N lines to standard output";

const GROUPS: [&str; 7] = ["start", "distinct", "top", "seen", "profile", "hyphenate", "memory"];

/// What the command line asks for.
#[derive(Debug)]
pub(crate) struct Options {
    groups: Vec<String>,
    pub(crate) data: String,
    pub(crate) crivo: String,
    pub(crate) table: Option<String>,
    python: String,
    pub(crate) words: Option<String>,
    pub(crate) patterns: Option<String>,
    pub(crate) exceptions: Option<String>,
    node: Option<String>,
    pub(crate) rounds: usize,
    pub(crate) lines: Option<usize>,
    pub(crate) help: bool,
}

impl Options {
    pub(crate) fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            groups: Vec::new(),
            data: String::new(),
            crivo: "crivo".into(),
            table: None,
            python: "python3".into(),
            words: None,
            patterns: None,
            exceptions: None,
            node: None,
            rounds: 3,
            lines: None,
            help: false,
        };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument} expects a value"));
            match argument.as_str() {
                "--help" | "-h" => options.help = true,
                "--data" => options.data = value()?,
                "--crivo" => options.crivo = value()?,
                "--table" => options.table = Some(value()?),
                "--python" => options.python = value()?,
                "--words" => options.words = Some(value()?),
                "--patterns" => options.patterns = Some(value()?),
                "--exceptions" => options.exceptions = Some(value()?),
                "--node" => options.node = Some(value()?),
                "--rounds" => options.rounds = positive(&argument, &value()?)?,
                "--lines" => options.lines = Some(positive(&argument, &value()?)?),
                group if GROUPS.contains(&group) => options.groups.push(group.to_owned()),
                other => return Err(format!("unknown argument {other:?}")),
            }
        }
        if options.data.is_empty() && options.lines.is_none() && !options.help {
            return Err("--data DIR is missing".into());
        }
        Ok(options)
    }

    pub(crate) fn wants(&self, group: &str) -> bool {
        self.groups.is_empty() || self.groups.iter().any(|wanted| wanted == group)
    }

    pub(crate) fn has_duckdb(&self) -> bool {
        let is_there = succeeds(Command::new(&self.python).args(["-c", "import duckdb"]));
        if !is_there {
            println!("Not found, and so not measured: DuckDB in {}.\n", self.python);
        }
        is_there
    }

    pub(crate) fn has_verb(&self, verb: &str) -> bool {
        succeeds(Command::new(&self.crivo).args([verb.split(' ').next().unwrap_or(verb), "--help"]))
    }

    /// Whether all of these packages of Node are found.
    pub(crate) fn has_node_packages(&self, packages: &[&str]) -> bool {
        let requires = |package: &&str| {
            let line = self.node(&format!("require('{package}')"));
            let is_there = succeeds(Command::new("sh").args(["-c", &line]));
            if !is_there {
                println!("Not found, and so not measured: the package {package} of Node.\n");
            }
            is_there
        };
        packages.iter().all(requires)
    }

    /// The shell's line that runs JavaScript.
    pub(crate) fn node(&self, script: &str) -> String {
        format!("NODE_PATH={} node -e \"{script}\"", self.node.as_deref().unwrap_or_default())
    }

    /// The shell's line that carries out statements.
    pub(crate) fn duckdb(&self, statements: &str) -> String {
        format!("{} -c \"import duckdb; duckdb.sql(\\\"{statements}\\\").fetchall()\"", self.python)
    }
}

/// Returns a program by its name, or prints that it is missing.
pub(crate) fn found(program: &'static str) -> Option<&'static str> {
    let is_there = succeeds(Command::new("sh").args(["-c", &format!("command -v {program}")]));
    if !is_there {
        println!("Not found, and so not measured: {program}.\n");
    }
    is_there.then_some(program)
}

fn positive(flag: &str, text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| format!("{flag} expects a positive number, not {text:?}"))
}

fn succeeds(command: &mut Command) -> bool {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options, String> {
        Options::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn groups_and_places() {
        let options = parse("top --data /tmp/d --rounds 5").unwrap();
        assert!(options.wants("top") && !options.wants("start"));
        assert_eq!((options.data.as_str(), options.rounds), ("/tmp/d", 5));
        assert!(parse("--data /tmp/d").unwrap().wants("memory"));
        assert_eq!(parse("--lines 7").unwrap().lines, Some(7));
        for bad in ["", "--data", "--data d --rounds 0", "--data d sorting", "--lines x"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
