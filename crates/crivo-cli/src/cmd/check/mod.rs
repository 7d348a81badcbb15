//! `crivo check`: does a table follow its rules?

mod drift;
mod figures;
mod finer;
mod judge;
mod learn;
mod report;
mod rules;
#[cfg(test)]
mod tests;

use super::tables::{Found, TableArgs};
use crate::args::FormArgs;
use crate::output::Target;
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use crivo::profile::{ColumnSummary, ColumnType};
use crivo_report::Report;
use judge::Others;
use learn::Learn;
use report::Checked;
use rules::{Elsewhere, Rules};
use std::collections::HashMap;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// Check a table against rules, for pipelines: exit code 0 if no rule fails, 1 if one does, 2 for errors
///
/// The rules are a TOML file; 'crivo check learn' writes a first one from a table or from its saved profile. There are rules for
/// the presence and the type of columns, missing values, distinct values, ranges, allowed values, quantiles, the
/// number of rows, the age of the newest time, values that must occur in another file, and changes since another table.
///
/// A rule fails only if the data break it, not if a sketch may have erred. If the error of a sketch leaves open whether a rule
/// holds, the rule cannot be judged; the answer says which --error would tell. Such a rule does not change the exit
/// code, unless --strict is given.
///
/// Files with the same columns are parts of one table. A saved profile may take the place of a table. Files in the rules are
/// named as seen from the current directory.
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:
  crivo check learn monday.csv > rules.toml
  crivo check tuesday.csv --rules rules.toml
  crivo check tuesday.parquet --rules rules.toml --junit report.xml
  crivo check tuesday.crv --rules rules.toml --markdown"
)]
pub(crate) struct Check {
    #[command(subcommand)]
    verb: Option<CheckVerb>,

    /// Files to read, plain, gzip or zstd, or a saved profile; standard input by default or for -
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// File of the rules
    #[arg(long, value_name = "FILE.toml")]
    rules: Option<PathBuf>,

    /// Count rules that cannot be judged as broken
    #[arg(long)]
    strict: bool,

    /// Judge the age of the newest time at this time instead of now
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    now: Option<f64>,

    #[command(flatten)]
    tables: TableArgs,

    /// Also write the verdicts as JUnit XML
    #[arg(long, value_name = "FILE.xml", help_heading = "Output")]
    junit: Option<PathBuf>,

    /// Replace an existing file
    #[arg(long, requires = "junit", help_heading = "Output")]
    force: bool,

    #[command(flatten)]
    output: FormArgs,

    /// Suppress progress and warnings
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

#[derive(Debug, Subcommand)]
enum CheckVerb {
    Learn(Learn),
}

/// A day or a time as seconds since 1970.
fn parse_time(text: &str) -> Result<f64, String> {
    let time = ColumnType::time(text.as_bytes())
        .ok_or("expected a time such as 2026-01-31 or 2026-01-31T10:00:00Z")?;
    Ok(time.1.to_f64())
}

impl Verb for Check {
    type Report = Box<dyn Report>;

    fn manner(&self) -> Manner {
        match &self.verb {
            Some(CheckVerb::Learn(learn)) => learn.manner(),
            None => self.output.manner(self.quiet),
        }
    }

    fn run(self, session: &Session) -> Result<Box<dyn Report>> {
        match self.verb {
            Some(CheckVerb::Learn(learn)) => Ok(Box::new(learn.run(session)?)),
            None => Ok(Box::new(self.check(session)?)),
        }
    }
}

impl Check {
    fn check(self, session: &Session) -> Result<Checked> {
        let Some(path) = &self.rules else {
            bail!("--rules needs a file of rules; 'crivo check learn FILE > rules.toml' writes a first one");
        };
        let junit = self.junit.as_deref().map(|path| Target::check(path, self.force, session)).transpose()?;
        let rules = Rules::read(path, session)?;
        let saved = match &self.files[..] {
            [file] => self.tables.saved(file, session)?,
            _ => None,
        };
        if saved.is_some() {
            self.tables.check_reads(&self.files[0])?;
        }
        let old = match &rules.drift {
            Some(drift) => self.tables.saved(&drift.since, session)?,
            None => None,
        };
        let like = self.tables.like(saved.as_ref().or(old.as_ref()), session)?;
        let elsewhere = self.elsewhere(&rules, like, session)?;
        let is_saved = saved.is_some();
        let table = match saved {
            Some(table) => Found::saved(&self.files[0], &table, &[])?,
            None => self.tables.read(&self.files, &[], "--column", like, session)?,
        };
        let old = match (old, &rules.drift) {
            (Some(old), Some(drift)) => Some(Found::saved(&drift.since, &old, &[])?),
            (None, Some(drift)) => {
                Some(self.tables.read(std::slice::from_ref(&drift.since), &[], "--column", like, session)?)
            }
            _ => None,
        };
        // Every file was found; now they are read.
        let others = others(elsewhere)?;
        let old = old.map(|old| Ok::<_, anyhow::Error>(old.profiled()?.only_table()?.clone())).transpose()?;
        let profiled = table.profiled()?;
        let table = profiled.only_table()?;
        let now = self.now.unwrap_or_else(|| {
            SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
        });
        let mut judged = judge::judge(&rules, table, &others, now)?;
        if let (Some(drift), Some(old)) = (&rules.drift, old) {
            judged.extend(drift::judge(drift, old, table)?);
        }
        let mut checked = Checked {
            table: profiled.name(),
            rows: table.rows(),
            judged,
            is_saved,
            false_alarms: rules.drift.map(|drift| drift.false_alarms.0),
            is_strict: self.strict,
            saved: None,
        };
        checked.saved = session.save(junit.as_ref(), || checked.junit().into_bytes());
        Ok(checked)
    }

    /// The files in which values must occur, with the columns of each.
    fn elsewhere(
        &self,
        rules: &Rules,
        like: (crivo::profile::ProfileParams, crivo::HashSpec),
        session: &Session,
    ) -> Result<Vec<(PathBuf, Vec<String>, Found)>> {
        let mut files: Vec<(PathBuf, Vec<String>)> = Vec::new();
        for Elsewhere { file, column } in
            rules.columns.values().filter_map(|rules| rules.contained_in.as_ref())
        {
            match files.iter_mut().find(|(other, _)| other == file) {
                Some((_, columns)) if columns.contains(column) => {}
                Some((_, columns)) => columns.push(column.clone()),
                None => files.push((file.clone(), vec![column.clone()])),
            }
        }
        let found = |(file, columns): (PathBuf, Vec<String>)| {
            let found = match self.tables.saved(&file, session)? {
                Some(table) => Found::saved(&file, &table, &[])?,
                None => {
                    self.tables.read(std::slice::from_ref(&file), &columns, "contained_in", like, session)?
                }
            };
            Ok((file, columns, found))
        };
        files.into_iter().map(found).collect()
    }
}

/// Reads the columns of other files.
fn others(files: Vec<(PathBuf, Vec<String>, Found)>) -> Result<Others> {
    let mut others: HashMap<Elsewhere, ColumnSummary> = HashMap::new();
    for (file, columns, found) in files {
        let profiled = found.profiled()?;
        let table = profiled.only_table()?;
        for column in columns {
            let Some(found) = table.column(&column) else {
                bail!("{}: contained_in: there is no column {column}; check its name", file.display());
            };
            others.insert(Elsewhere { file: file.clone(), column }, found.summary());
        }
    }
    Ok(others)
}
