//! `crivo profile`: what is in a table?

mod column;
mod json;
mod pairs;
mod report;
mod table;
mod words;

use crate::args::{FormatArgs, HashArgs, LimitArgs, Step, parse_share, parse_step};
use crate::input::{Column, Columns, Missing, Selection, Table};
use crate::output::{Output, count, plural, terminal_width};
use anyhow::Result;
use clap::Args;
use crivo::{ColumnProfile, HashSpec, ProfileParams, TableProfile};
use report::{Part, Parts, Report};
use std::path::PathBuf;
use std::process::ExitCode;

/// What is in a table: all columns at once, in one pass and a small memory
///
/// For each column: how many values are missing, its type, how many values are different, the range, the mean, the
/// spread, the most frequent values and a sample of the different ones; and which columns look like keys, and which
/// like each other. A column of up to 8192 different values is told exactly; the others have error bars.
///
/// Files with the same columns are parts of one table. Other files are tables of their own, whose columns are compared
/// too.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo profile flights.csv
  crivo profile flights.csv.gz planes.csv.gz --only distinct,key,pairs
  crivo profile events.jsonl --column user.id --json")]
pub(crate) struct Profile {
    /// Files to read, gzip and zstd too; standard input if none is named, or for -
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Only this column: a name, a number from 1, or in JSON a path such as user.id; may be repeated
    #[arg(long, short, value_name = "COLUMN", help_heading = "Input")]
    column: Vec<String>,

    /// Texts that stand for a missing value, beside the empty one; a comma between them
    ///
    /// --missing '' takes all texts as values.
    #[arg(
        long,
        value_name = "TEXTS",
        value_delimiter = ',',
        help_heading = "Input",
        default_value = r"NA,N/A,n/a,NULL,null,None,NaN,nan,\N"
    )]
    missing: Vec<String>,

    #[command(flatten)]
    format: FormatArgs,

    /// Tell only this, a comma between several
    #[arg(long, value_name = "PARTS", value_enum, value_delimiter = ',', help_heading = "Output")]
    only: Vec<Part>,

    /// How wide the error bars of many different values may be
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = parse_share)]
    error: f64,

    /// Answer while reading, too: after every so many rows (1e6), or so much time (10s, 5m)
    #[arg(long, value_name = "N|TIME", value_parser = parse_step, help_heading = "Time")]
    every: Option<Step>,

    #[command(flatten)]
    limit: LimitArgs,

    /// JSON objects instead of text, one a line: columns, pairs of columns, tables
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// No progress and no remarks
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,

    #[command(flatten)]
    hash: HashArgs,
}

impl Column for ColumnProfile {
    #[inline]
    fn add(&mut self, text: &[u8], hash: u64) {
        self.add_hashed(text, hash, 1);
    }

    fn add_missing(&mut self, rows: u64) {
        Self::add_missing(self, rows);
    }

    fn memory_bytes(&self) -> usize {
        Self::memory_bytes(self)
    }
}

/// Tables with their names.
struct Profiled {
    tables: Vec<(String, TableProfile)>,
    /// What there is to say of each table.
    remarks: Vec<Vec<String>>,
}

impl Profile {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let profiled = self.read(ProfileParams::for_error(self.error)?, self.hash.spec()?)?;
        let report = self.report(&profiled)?;
        let mut output = Output::new();
        self.print(&mut output, &report, None)?;
        output.flush()?;
        Ok(ExitCode::SUCCESS)
    }

    /// Reads the files.
    fn read(&self, params: ProfileParams, spec: HashSpec) -> Result<Profiled> {
        let value = self.column.first().map(String::as_str);
        let columns = Columns { value, ..Columns::default() };
        let mut input = self.format.open(&self.files, columns, "--column", self.quiet)?;
        input.columns = Columns::default();
        input.prints = self.every.is_some();
        let selection = Selection {
            columns: self.column.clone(),
            missing: Missing::new(self.missing.iter().map(String::as_str)),
            spec: spec.clone(),
            max_memory: self.limit.max_memory,
        };
        let new = move || ColumnProfile::with_spec(params, spec.clone());
        let tables = input.read_tables(&selection, new, self.every, |tables| {
            let report = self.report(&self.profiled(tables)?)?;
            let mut output = Output::step(self.json);
            self.print(&mut output, &report, None)?;
            output.flush()
        })?;
        self.profiled(tables)
    }

    fn profiled(&self, tables: Vec<Table<ColumnProfile>>) -> Result<Profiled> {
        let (mut profiled, mut remarks) = (Vec::new(), Vec::new());
        for table in tables {
            remarks.push(if self.quiet { Vec::new() } else { said_of(&table) });
            let more = table.parts - 1;
            let name = match more {
                0 => table.name,
                _ => format!("{} and {}", table.name, plural(more, "more file", "more files")),
            };
            let columns = table.columns.into_iter().map(|column| (column.name, column.state)).collect();
            profiled.push((name, TableProfile::from_columns(table.rows, columns)?));
        }
        Ok(Profiled { tables: profiled, remarks })
    }

    fn report(&self, profiled: &Profiled) -> Result<Report> {
        let mut report = Report::new(&profiled.tables, &Parts(self.only.clone()))?;
        for (table, remarks) in report.tables.iter_mut().zip(&profiled.remarks) {
            table.remarks.extend_from_slice(remarks);
        }
        Ok(report)
    }

    fn print(&self, output: &mut Output, report: &Report, saved: Option<&str>) -> Result<()> {
        if self.json {
            json::print(output, report, saved)
        } else {
            table::print(output, report, terminal_width())
        }
    }
}

/// What a reader should know of how a table was read.
fn said_of(table: &Table<ColumnProfile>) -> Vec<String> {
    let mut remarks = Vec::new();
    let replaced: Vec<_> = table.columns.iter().filter(|column| column.replaced > 0).collect();
    let texts: u64 = replaced.iter().map(|column| column.replaced).sum();
    if texts > 0 {
        let columns = plural(replaced.len() as u64, "column", "columns");
        let texts = plural(texts, "text such as NA was", "texts such as NA were");
        remarks.push(format!("{texts} taken for missing in {columns}; --missing '' takes them as values"));
    }
    let rows = |rows: u64| plural(rows, "row has", "rows have");
    if table.short_rows > 0 {
        remarks.push(format!(
            "{} fewer fields than there are columns; the rest is missing",
            rows(table.short_rows)
        ));
    }
    if table.long_rows > 0 {
        remarks.push(format!(
            "{} more fields than the {} columns; they were left out",
            rows(table.long_rows),
            count(table.columns.len() as u64)
        ));
    }
    remarks
}
