//! `crivo profile`: what is in a table?

mod column;
mod drift;
mod html;
mod json;
mod pairs;
mod report;
mod table;
mod words;

use super::sketch_file::{is_sketch, load_as};
use crate::args::{FormatArgs, FromArgs, HashArgs, LimitArgs, Saved, Step, parse_share, parse_step};
use crate::input::{Columns, Header, Missing, Table};
use crate::output::{Output, Target, plural, save_and_print, terminal_width};
use crate::session::Session;
use anyhow::{Context, Result, anyhow, bail};
use clap::{ArgGroup, Args};
use crivo::profile::{ColumnProfile, ProfileParams};
use crivo::{HashSpec, Kind, TableProfile};
use report::{Part, Parts, Report};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What is in a table: all columns at once, in one pass and a small memory
///
/// For each column: how many values are missing, its type, how many values are different, the range, the mean, the
/// spread, the most frequent values and a sample of the different ones; and which columns look like keys, and which
/// like each other. A column of up to 8192 different values is told exactly; the others have error bars, and one of them
/// "may be a key" if no value of it is known to repeat.
///
/// Empty fields are missing values, and so are NA, N/A, n/a, NULL, null, None, NaN, nan and \N unless --missing names
/// others. A float may also be inf or -inf; mean and deviation are of the finite values then, which is said. Blanks around
/// numbers do not count; leading zeros make a text. Of long values the first 128 bytes are kept, and … stands behind them.
///
/// Files with the same columns, in any order, are parts of one table. Other files are tables of their own, whose columns
/// are compared too. A saved profile can be given instead of a file.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("written").args(["save", "html"]).multiple(true), after_help = "Examples:
  crivo profile flights.csv
  crivo profile flights.parquet --html flights.html
  crivo profile flights.csv.gz planes.csv.gz --only distinct,key,pairs
  crivo profile monday.jsonl --save monday.crv
  crivo profile --compare monday.crv tuesday.jsonl    # exit code 1 if it has changed
  crivo merge monday.crv tuesday.crv -o week.crv && crivo profile --from week.crv")]
pub(crate) struct Profile {
    /// Files to read, gzip and zstd too; standard input if none is named, or for -
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Only this column: a name, a number from 1, or in JSON a path such as user.id; may be repeated
    #[arg(long, short, value_name = "COLUMN", help_heading = "Input")]
    column: Vec<String>,

    #[command(flatten)]
    format: FormatArgs,

    #[command(flatten)]
    from: FromArgs,

    /// Tell what has changed since this profile was saved; the exit code is 1 if anything has
    #[arg(long, value_name = "OLD.crv", conflicts_with_all = ["html", "only", "every", "error", "seed", "save"])]
    compare: Option<PathBuf>,

    /// Tell only this, a comma between several
    #[arg(long, value_name = "PARTS", value_enum, value_delimiter = ',', help_heading = "Output")]
    only: Vec<Part>,

    /// How wide the error bars of many different values may be
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = parse_share, conflicts_with = "from")]
    error: f64,

    /// Answer while reading, too: after every so many rows (1e6), or so much time (10s, 5m)
    ///
    /// A file is read in pieces, and the answer comes at the end of one.
    #[arg(long, value_name = "N|TIME", value_parser = parse_step, help_heading = "Time")]
    every: Option<Step>,

    #[command(flatten)]
    limit: LimitArgs,

    /// Write a page with pictures too, which any browser shows
    #[arg(long, value_name = "FILE.html", help_heading = "Output")]
    html: Option<PathBuf>,

    /// Save the profile too, to merge it, to go on from it or to compare with it later
    #[arg(long, short = 'o', visible_alias = "output", value_name = "FILE.crv", help_heading = "Output")]
    save: Option<PathBuf>,

    /// Replace files that exist
    #[arg(long, requires = "written", help_heading = "Output")]
    force: bool,

    /// JSON objects instead of text, one a line: columns, pairs of columns, tables
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// No progress and no remarks
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,

    #[command(flatten)]
    hash: HashArgs,
}

/// Tables with their names.
#[derive(Default)]
struct Profiled {
    tables: Vec<(String, TableProfile)>,
    /// What there is to say of each table.
    remarks: Vec<Vec<String>>,
}

impl Profile {
    pub(crate) fn run(&self, session: &Session) -> Result<ExitCode> {
        session.set_quiet(self.quiet);
        if self.save.is_some() && self.save == self.html {
            bail!("--save and --html name the same file; give each its own");
        }
        let saved = self.saved(session)?;
        let target = |path: &Option<PathBuf>| {
            path.as_deref().map(|path| Target::check(path, self.force, session)).transpose()
        };
        let (target, page) = (target(&self.save)?, target(&self.html)?);
        let old = self.compare.as_deref().map(|path| self.load(path, session)).transpose()?;
        let start = saved
            .map(|saved| Ok::<_, anyhow::Error>((saved.path, self.load(saved.path, session)?)))
            .transpose()?;
        let begins = start.as_ref().map(|(_, table)| table).or(old.as_ref());
        let (params, spec) = match begins {
            Some(saved) => (saved.params(), *saved.hash_spec()),
            None => (ProfileParams::for_error(self.error)?, self.hash.spec(session)?),
        };
        let start = start.as_ref();
        let profiled = match (saved, start) {
            (Some(saved), Some((_, table))) if !saved.goes_on => self.chosen(saved.path, table)?,
            _ => self.read(params, spec, start, session)?,
        };
        if let Some(old) = old {
            return self.compare(old, &profiled);
        }
        let table = match (&target, &profiled.tables[..]) {
            (Some(_), tables) if tables.len() > 1 => {
                bail!("--save keeps one table, but the files have {}; profile them one by one", tables.len())
            }
            (_, tables) => tables.first().map(|(_, table)| table),
        };
        let report = self.report(&profiled)?;
        let page = page
            .map(|page| page.write(html::page(&report).as_bytes(), session).map(|()| page.name()))
            .transpose();
        save_and_print(
            target.as_ref(),
            || table.map(TableProfile::to_bytes).unwrap_or_default(),
            |output, saved| self.print(output, &report, saved.as_deref()),
            session,
        )?;
        page?;
        Ok(ExitCode::SUCCESS)
    }

    /// The profile to start from: that of --from, or a file that is one itself.
    fn saved(&self, session: &Session) -> Result<Option<Saved<'_>>> {
        if let [file] = &self.files[..]
            && !self.from.is_given()
            && is_sketch(file, session)?
        {
            return Ok(Some(Saved { path: file, goes_on: false }));
        }
        let of_input = self.format.is_given() || self.every.is_some();
        let saved = self.from.saved(!self.files.is_empty(), of_input)?;
        if saved.is_some() {
            self.hash.check_beside_saved()?;
        }
        Ok(saved)
    }

    /// The columns of a saved table that are asked for.
    fn chosen(&self, path: &Path, table: &TableProfile) -> Result<Profiled> {
        let name = path.display().to_string();
        let names: Vec<&str> = table.columns().map(|(name, _)| name).collect();
        let header = Header::new(&names, true);
        let found = |wanted: &String| match header.find(wanted) {
            Ok(place) => Ok(names[place]),
            Err(what) => Err(anyhow!("{name}: {what}")),
        };
        let wanted = self.column.iter().map(found).collect::<Result<HashSet<&str>>>()?;
        let mut chosen = table.clone();
        if !wanted.is_empty() {
            chosen = only(chosen, |name| wanted.contains(name))?;
        }
        Ok(Profiled { tables: vec![(name, chosen)], remarks: Vec::new() })
    }

    fn load(&self, path: &Path, session: &Session) -> Result<TableProfile> {
        load_as(path, &self.hash.decode_options(&self.limit, session)?, Kind::TableProfile, session)
    }

    /// Reads the files, and goes on from `start` if there is one.
    fn read(
        &self,
        params: ProfileParams,
        spec: HashSpec,
        start: Option<&(&Path, TableProfile)>,
        session: &Session,
    ) -> Result<Profiled> {
        let values = self.column.iter().map(String::as_str).collect();
        let columns = Columns { values, ..Columns::default() };
        let mut input = self.format.open(&self.files, columns, "--column", &self.limit, session)?;
        input.prints = self.every.is_some();
        if !self.format.names_missing() {
            input.missing = Missing::new(&Missing::USUAL);
        }
        let new = move || ColumnProfile::with_params(params).with_hash(spec);
        let empty = || TableProfile::with_params(params).with_hash(spec);
        let tables = input.read_tables(spec, self.limit.max_memory, new, self.every, |tables| {
            let report = self.report(&self.profiled(tables, empty(), start)?)?;
            let mut output = Output::step(self.json);
            self.print(&mut output, &report, None)?;
            output.flush()
        })?;
        self.profiled(tables, empty(), start)
    }

    /// The tables that were read, or `empty` if there was nothing; together with `start`, if they go on from it.
    fn profiled(
        &self,
        tables: Vec<Table<ColumnProfile>>,
        empty: TableProfile,
        start: Option<&(&Path, TableProfile)>,
    ) -> Result<Profiled> {
        let mut profiled = Profiled::default();
        for table in tables {
            profiled.remarks.push(if self.quiet { Vec::new() } else { self.said_of(&table) });
            let more = table.parts - 1;
            let name = match more {
                0 => table.name,
                _ => format!("{} and {}", table.name, plural(more, "more file", "more files")),
            };
            let columns = table.columns.into_iter().map(|column| (column.name, column.state)).collect();
            let (params, spec) = (empty.params(), *empty.hash_spec());
            profiled.tables.push((name, TableProfile::from_columns(params, spec, table.rows, columns)?));
        }
        if let Some((path, start)) = start {
            let mut whole = start.clone();
            for (name, table) in &profiled.tables {
                whole
                    .merge(table)
                    .with_context(|| format!("{name}: does not go on from {}", path.display()))?;
            }
            profiled.tables = vec![(path.display().to_string(), whole)];
            profiled.remarks = vec![profiled.remarks.concat()];
        } else if profiled.tables.is_empty() {
            let name = self.files.first().map_or("standard input".into(), |file| file.display().to_string());
            profiled.tables.push((name, empty));
        }
        Ok(profiled)
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

    /// Tells what has changed.
    fn compare(&self, mut old: TableProfile, new: &Profiled) -> Result<ExitCode> {
        let [(_, new)] = &new.tables[..] else {
            bail!(
                "--compare takes one table, but the files have {}; compare them one by one",
                new.tables.len()
            )
        };
        if !self.column.is_empty() {
            old = only(old, |name| new.column(name).is_some())?;
        }
        let drift = old.drift(new, drift::CONFIDENCE)?;
        let mut output = Output::new();
        if self.json {
            drift::print_json(&mut output, &drift)?;
        } else {
            drift::print(&mut output, &drift, terminal_width())?;
        }
        output.flush()?;
        Ok(if drift::has_changed(&drift) { ExitCode::from(1) } else { ExitCode::SUCCESS })
    }

    /// What a reader should know of how a table was read.
    fn said_of(&self, table: &Table<ColumnProfile>) -> Vec<String> {
        let mut remarks = Vec::new();
        let replaced: Vec<_> = table.columns.iter().filter(|column| column.replaced > 0).collect();
        let texts: u64 = replaced.iter().map(|column| column.replaced).sum();
        if texts > 0 && !self.format.names_missing() {
            let columns = plural(replaced.len() as u64, "column", "columns");
            let texts = plural(texts, "text such as NA was", "texts such as NA were");
            remarks
                .push(format!("{texts} taken for missing in {columns}; --missing '' takes them as values"));
        }
        remarks.extend(other_format(table));
        let rows = |rows: u64| plural(rows, "row has", "rows have");
        if table.short_rows > 0 {
            remarks.push(format!(
                "{} fewer fields than there are columns; the rest is missing",
                rows(table.short_rows)
            ));
        }
        if table.long_rows > 0 {
            remarks.push(format!(
                "{} more fields than there are columns; what is beyond was left out",
                rows(table.long_rows)
            ));
        }
        remarks
    }
}

/// The columns of a table whose names are wanted.
fn only(table: TableProfile, wanted: impl Fn(&str) -> bool) -> Result<TableProfile> {
    let (params, spec, rows) = (table.params(), *table.hash_spec(), table.rows());
    let mut columns = table.into_columns();
    columns.retain(|(name, _)| wanted(name));
    Ok(TableProfile::from_columns(params, spec, rows, columns)?)
}

/// What seems to be a table of another format, or with another delimiter.
fn other_format(table: &Table<ColumnProfile>) -> Option<String> {
    let [column] = &table.columns[..] else { return None };
    if table.is_lines {
        let summary = column.state.summary();
        let sample = summary.sample();
        let all = |is: &dyn Fn(&[u8]) -> bool| !sample.is_empty() && sample.iter().all(|line| is(line));
        let format = if all(&|line| line.starts_with(b"{")) {
            "jsonl"
        } else if all(&|line| line.contains(&b'\t')) {
            "tsv"
        } else if all(&|line| line.contains(&b',')) {
            "csv"
        } else {
            return None;
        };
        return Some(format!("each line was taken as one value; --format {format} reads a table"));
    }
    let delimiter = [';', '\t', '|'].into_iter().find(|&delimiter| column.name.contains(delimiter))?;
    Some(format!("there is one column only; --delimiter '{}' may find more", delimiter.escape_default()))
}
