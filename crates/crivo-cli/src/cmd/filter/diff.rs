//! `crivo filter diff`: how two filters differ.

use super::membership;
use crate::args::{InputArgs, KeyArgs, LimitArgs};
use crate::cmd::sketch_file::{load, other_family};
use crate::input::{Batch, Wants};
use crate::output::{Answer, FactJson, FilterJson, Output, Side, Text, estimate, fact, named, size};
use crate::session::Session;
use anyhow::{Result, bail};
use clap::Args;
use crivo::sketch::{Fact, Sketch};
use crivo::{BloomFilter, Estimate, Family, HashSpec};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

/// Compare two filters
///
/// Without input files, shows both side by side, with a star where they differ, and for Bloom filters of one
/// size how many items they have in common. With input files, prints the records that only one of the two
/// reports: '< ' before those of the first, '> ' before those of the second. The other filter certainly
/// does not hold them.
///
/// As with diff, the exit code is 0 if there is no difference, 1 if there is one, and 2 after an error.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo filter diff monday.crv tuesday.crv
  crivo filter diff monday.crv tuesday.crv users.txt
  crivo filter query monday.crv users.txt | crivo filter query --invert tuesday.crv    # on monday only")]
pub(crate) struct Diff {
    /// The first filter
    #[arg(value_name = "A.crv")]
    a: PathBuf,

    /// The second filter
    #[arg(value_name = "B.crv")]
    b: PathBuf,

    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    key: KeyArgs,

    /// JSON objects instead of text, one a line
    #[arg(long, help_heading = "Output")]
    json: bool,
}

impl Diff {
    pub(crate) fn run(&self, session: &Session) -> Result<ExitCode> {
        let options = self.key.decode_options(&self.limit, session)?;
        let (a, b) = (load(&self.a, &options, session)?, load(&self.b, &options, session)?);
        for (path, filter) in [(&self.a, &a), (&self.b, &b)] {
            if filter.kind().family() != Family::Membership {
                return Err(other_family(path, filter.kind(), Family::Membership));
            }
        }
        let same =
            if self.input.is_named() { self.records(&*a, &*b, session)? } else { self.summary(&*a, &*b)? };
        Ok(ExitCode::from(u8::from(!same)))
    }

    /// Both filters side by side; tells whether they are the same.
    fn summary(&self, a: &dyn Sketch, b: &dyn Sketch) -> Result<bool> {
        let same = a.to_bytes() == b.to_bytes();
        let bloom = |filter: &dyn Sketch| filter.downcast_ref::<BloomFilter>().cloned();
        let sets = bloom(a).zip(bloom(b)).and_then(|(a, b)| common(a, &b).ok());
        let mut output = Output::new();
        let facts = [a.facts(), b.facts()];
        if self.json {
            let [a, b] = [(&self.a, a, &facts[0]), (&self.b, b, &facts[1])].map(|(path, filter, facts)| {
                let (file, kind) = (path.display().to_string(), filter.kind().name());
                FilterJson { file, kind, facts: FactJson(facts) }
            });
            let (both, either) = sets.map(|(both, either)| (both.into(), either.into())).unzip();
            output.json(&Answer::Diff { a, b, same, both, either })?;
        } else {
            let names = [&self.a, &self.b].map(|path| named(path));
            let rows = side_by_side(a, b, &facts);
            let width = |column: &dyn Fn(&Row) -> usize| rows.iter().map(column).max().unwrap_or_default();
            let first = width(&|row| row.name.len());
            let second = width(&|row| row.values[0].chars().count()).max(names[0].chars().count());
            let mut line = |mark, name: &str, [a, b]: &[String; 2]| {
                output.line(&format!("{mark} {name:<first$}  {a:<second$}  {b}"))
            };
            line(' ', "", &names)?;
            for Row { name, values } in &rows {
                line(if values[0] == values[1] { ' ' } else { '*' }, name, values)?;
            }
            if let Some((both, either)) = sets {
                output.line("")?;
                output.line(&format!("in both    {}", estimate(&both, "")))?;
                output.line(&format!("in either  {}", estimate(&either, "")))?;
            }
        }
        output.flush()?;
        Ok(same)
    }

    /// The records that only one filter reports; tells whether there is none.
    fn records(&self, a: &dyn Sketch, b: &dyn Sketch, session: &Session) -> Result<bool> {
        let (Some(filter_a), Some(filter_b), Some(&spec)) = (membership(a), membership(b), a.hashing())
        else {
            bail!("only filters of hashed items can be asked for lines; see both with: crivo filter diff");
        };
        self.check_hashes(spec, b)?;
        let mut output = Output::new();
        let (mut only_a, mut only_b, mut both, mut neither, mut nulls) = (0, 0, 0, 0, 0);
        self.input.open(&self.limit, session)?.read(
            Wants::hashes(spec).and_records(),
            |batch: &Batch<'_>| {
                let answers = [filter_a, filter_b].map(|filter| filter.contains_hashes(batch.hashes));
                nulls += batch.nulls.len() as u64;
                for ((record, in_a), (_, in_b)) in batch.records(&answers[0]).zip(batch.records(&answers[1]))
                {
                    let (number, side) = match (in_a, in_b) {
                        (Some(true), Some(false)) => (&mut only_a, Some(Side::A)),
                        (Some(false), Some(true)) => (&mut only_b, Some(Side::B)),
                        (Some(true), _) => (&mut both, None),
                        (Some(false), _) => (&mut neither, None),
                        (None, _) => continue,
                    };
                    *number += 1;
                    if let Some(only) = side {
                        self.print(only, record, &mut output)?;
                    }
                }
                output.flush()?;
                Ok(ControlFlow::Continue(()))
            },
        )?;
        if self.json {
            output.json(&Answer::Differences { only_a, only_b, both, neither, nulls })?;
        }
        output.flush()?;
        Ok(only_a + only_b == 0)
    }

    fn print(&self, only: Side, record: &[u8], output: &mut Output) -> Result<()> {
        if self.json {
            return output.json(&Answer::Difference { only, record: Text::from(record) });
        }
        let mark: &[u8] = match only {
            Side::A => b"< ",
            Side::B => b"> ",
        };
        output.record(&[mark, record].concat(), self.input.record_end())
    }

    fn check_hashes(&self, spec: HashSpec, b: &dyn Sketch) -> Result<()> {
        match b.hashing() {
            Some(other) if *other == spec => Ok(()),
            other => bail!(
                "{} and {} hash differently: {spec} and {}; build both with the same seed or key",
                self.a.display(),
                self.b.display(),
                other.map_or("not at all".into(), ToString::to_string)
            ),
        }
    }
}

/// How many items are in both, and in one or the other.
fn common(mut a: BloomFilter, b: &BloomFilter) -> crivo::Result<(Estimate, Estimate)> {
    let both = a.intersection_estimate(b)?;
    a.merge(b)?;
    Ok((both, a.cardinality()))
}

struct Row {
    name: String,
    values: [String; 2],
}

fn side_by_side(a: &dyn Sketch, b: &dyn Sketch, facts: &[Vec<Fact>; 2]) -> Vec<Row> {
    let row = |name: &str, value: &dyn Fn(&dyn Sketch) -> String| Row {
        name: name.into(),
        values: [value(a), value(b)],
    };
    let mut rows = vec![
        row("kind", &|filter| filter.kind().name().into()),
        row("hash", &|filter| filter.hashing().map_or("none".into(), ToString::to_string)),
        row("memory", &|filter| size(filter.memory_bytes() as u64)),
    ];
    let find = |facts: &[Fact], name| facts.iter().find(|fact| fact.name == name).map_or(String::new(), fact);
    let mut names: Vec<&str> = Vec::new();
    for Fact { name, .. } in facts.iter().flatten() {
        if !names.contains(name) {
            names.push(name);
        }
    }
    rows.extend(names.into_iter().map(|name| Row {
        name: name.replace('_', " "),
        values: [find(&facts[0], name), find(&facts[1], name)],
    }));
    rows
}
