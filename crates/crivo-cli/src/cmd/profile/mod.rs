//! `crivo profile`: what is in a table?

mod puffin;
#[cfg(test)]
mod tests;

use super::sketch_file::{is_sketch, load_as};
use crate::args::{
    ByArgs, FormArgs, FormatArgs, FromArgs, HashArgs, LimitArgs, Saved, Step, parse_share, parse_step,
};
use crate::input::profile::{Part, Parts, Profiled, Profiler};
use crate::input::{Columns, Input, Room};
use crate::output::{Target, speaks_utf8};
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Result, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args};
use crivo::profile::ProfileParams;
use crivo::{Kind, TableProfile};
use crivo_program::interrupt::is_end_of_input;
use crivo_report::Report;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Profile a table: all columns at once, in one pass and little memory
///
/// Shows for each column the type, missing values, distinct values, range, mean, standard deviation, most frequent
/// values and a sample of distinct values; then warnings about the data, such as outliers, values of another type and
/// values that stand for missing ones; then which columns look like keys and which columns match each other.
/// Columns with up to 8192 distinct values are exact. Other columns have error bars, and one of them "may be a key" if
/// no value is known to repeat.
///
/// Empty fields and lines are missing values, and so are NA, N/A, n/a, NULL, null, None, NaN, nan and \N in columns, unless
/// --missing names others. A float may also be inf or -inf; the mean and the deviation then cover the finite values only,
/// and a warning says so. Blanks around numbers are ignored; a number with leading zeros is text. Long values are cut
/// after 128 bytes and end in ….
///
/// Files with the same columns, in any order, are parts of one table. Other files are separate tables, whose columns
/// are compared as well. A saved profile may take the place of a file.
///
/// --by profiles each group of rows, in a line for each group of each column: the largest groups first, 20 of them as
/// text and all in --json, --csv and --markdown. The first 1,000 groups of the input, or as many as --groups says,
/// are profiled separately, and all others together. The files must then be one table, and columns are not compared.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("written").args(["save", "html", "puffin"]).multiple(true), after_help = "Examples:
  crivo profile flights.csv
  crivo profile flights.parquet --html flights.html
  crivo profile flights.csv.gz planes.csv.gz --only distinct,key,pairs
  crivo profile flights.csv --by origin --column dep_delay
  crivo profile flights.csv --warn-only --fail-on-warnings
  crivo profile monday.jsonl --save monday.crv
  crivo profile part-*.parquet --puffin stats.puffin
  crivo merge monday.crv tuesday.crv -o week.crv && crivo profile --from week.crv")]
pub(crate) struct Profile {
    /// Files to read, plain, gzip or zstd; standard input by default or for -
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Profile only this column: a name, a number from 1, or a JSON path such as user.id; several with commas, or repeated
    #[arg(long, short, value_name = "COLUMN", help_heading = "Input")]
    column: Vec<String>,

    #[command(flatten)]
    format: FormatArgs,

    #[command(flatten)]
    from: FromArgs,

    #[command(flatten)]
    by: ByArgs,

    /// Show only these parts, separated by commas
    #[arg(long, value_name = "PARTS", value_parser = part(), value_delimiter = ',', help_heading = "Output")]
    only: Vec<Part>,

    #[command(flatten)]
    warnings: WarnArgs,

    /// Half-width of the 95 % interval of distinct values, as a share of the answer
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = parse_share, conflicts_with = "from")]
    error: f64,

    /// Also print intermediate answers, after every N rows (1e6) or at an interval (10s, 5m)
    ///
    /// Files are read in pieces, and an answer comes at the end of a piece.
    #[arg(long, value_name = "N|TIME", value_parser = parse_step, conflicts_with = "by", help_heading = "Time")]
    every: Option<Step>,

    #[command(flatten)]
    limit: LimitArgs,

    /// Also write an HTML page with charts
    #[arg(long, value_name = "FILE.html", help_heading = "Output")]
    html: Option<PathBuf>,

    /// Also save the profile, to merge it, to continue it, or to compare or check with it later
    #[arg(long, value_name = "FILE.crv", help_heading = "Output")]
    save: Option<PathBuf>,

    /// Also write theta sketches of all columns of Parquet files, the statistics of an Iceberg table; reads the files twice
    ///
    /// The estimates of the sketches are the property ndv of each column, whose field id is the one in the Parquet file, or its place
    /// from 1 on if the file has none. The snapshot is not known and -1.
    #[arg(long, value_name = "FILE.puffin", conflicts_with_all = ["by", "from", "column"], help_heading = "Output")]
    puffin: Option<PathBuf>,

    /// Replace existing files
    #[arg(long, requires = "written", help_heading = "Output")]
    force: bool,

    #[command(flatten)]
    output: FormArgs,

    /// Suppress progress and warnings
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,

    #[command(flatten)]
    hash: HashArgs,
}

/// The flags for warnings about the data.
#[derive(Args, Debug)]
struct WarnArgs {
    /// Show only the warnings about the data, like --only warnings
    #[arg(long, conflicts_with_all = ["only", "by"], help_heading = "Output")]
    warn_only: bool,

    /// Exit with code 1 if there are warnings about the data
    ///
    /// Warnings are part of the answer, so --quiet does not suppress them.
    #[arg(long, conflicts_with = "by", help_heading = "Output")]
    fail_on_warnings: bool,
}

/// The parts by their names.
fn part() -> impl TypedValueParser<Value = Part> {
    let names = PossibleValuesParser::new(Part::ALL.map(Part::name));
    names.try_map(|name| Part::from_name(&name).ok_or("there is no such part"))
}

struct Plan {
    tables: Tables,
    parts: Parts,
    fails_on_warnings: bool,
    target: Option<Target>,
    page: Option<Target>,
    /// Where the sketches of the columns of these files go, and the memory for them.
    puffin: Option<(Target, Vec<PathBuf>, u64)>,
}

/// What is profiled.
enum Tables {
    Saved(Profiled),
    /// By this column.
    Groups(Box<(Profiler, Input)>, String),
    Read(Box<(Profiler, Input)>),
}

impl Verb for Profile {
    type Report = Box<dyn Report>;

    fn manner(&self) -> Manner {
        self.output.manner(self.quiet)
    }

    fn run(self, session: &Session) -> Result<Box<dyn Report>> {
        self.plan(session)?.run(session)
    }
}

impl Profile {
    fn plan(self, session: &Session) -> Result<Plan> {
        let written: Vec<&PathBuf> = [&self.save, &self.html, &self.puffin].into_iter().flatten().collect();
        if written.iter().enumerate().any(|(place, path)| written[..place].contains(path)) {
            bail!("--save, --html and --puffin name the same file; give each its own");
        }
        if self.html.as_deref() == Some(Path::new("-")) {
            bail!(
                "a page cannot go to standard output, where the answer goes; name a file: --html page.html"
            );
        }
        let saved = self.saved(session)?;
        self.check_groups(saved.is_some())?;
        let target = |path: &Option<PathBuf>| {
            path.as_deref().map(|path| Target::check(path, self.force, session)).transpose()
        };
        let (target, page, puffin) = (target(&self.save)?, target(&self.html)?, target(&self.puffin)?);
        if puffin.is_some() {
            puffin::check(&self.files)?;
        }
        let start = saved
            .map(|saved| Ok::<_, anyhow::Error>((shown_path(saved.path), self.load(saved.path, session)?)))
            .transpose()?;
        let (params, spec) = match &start {
            Some((_, saved)) => (saved.params(), *saved.hash_spec()),
            None => (ProfileParams::for_error(self.error)?, self.hash.spec(session)?),
        };
        let profiler = |start| Profiler {
            params,
            spec,
            room: Room { memory: self.limit.max_memory, groups: self.by.groups as usize },
            every: self.every,
            start,
            name: self.files.first().map_or("standard input".into(), |file| shown_path(file)),
            names_missing: self.format.names_missing(),
            is_quiet: self.quiet,
        };
        let tables = match start {
            Some((name, table)) if !saved.is_some_and(|saved| saved.goes_on) => {
                Tables::Saved(Profiled::saved(name, &table, &self.column)?)
            }
            start => {
                let values = self.column.iter().map(String::as_str).collect();
                let by = self.by.by.as_deref();
                let columns = Columns { values, by, ..Columns::default() };
                let input = self.format.open_table(&self.files, columns, "--column", self.limit, session)?;
                let read = Box::new((profiler(start), input));
                match by {
                    None => Tables::Read(read),
                    Some(by) => Tables::Groups(read, by.into()),
                }
            }
        };
        let parts = Parts(if self.warnings.warn_only { vec![Part::Warnings] } else { self.only });
        let puffin = puffin.map(|puffin| (puffin, self.files, self.limit.max_memory));
        Ok(Plan { tables, parts, fails_on_warnings: self.warnings.fail_on_warnings, target, page, puffin })
    }
}

impl Plan {
    fn run(self, session: &Session) -> Result<Box<dyn Report>> {
        let report = |profiled: &Profiled| {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).ok().map(|since| since.as_secs_f64());
            let mut report = profiled.report(&self.parts, now)?;
            report.draws_bars = speaks_utf8();
            report.fails_on_warnings = self.fails_on_warnings;
            Ok::<_, anyhow::Error>(report)
        };
        let profiled = match self.tables {
            Tables::Saved(profiled) => profiled,
            Tables::Groups(read, by) => {
                let (profiler, input) = *read;
                let mut groups = profiler.read_groups(input, by, self.parts)?;
                groups.draws_bars = speaks_utf8();
                return Ok(Box::new(groups));
            }
            Tables::Read(read) => {
                let (profiler, input) = *read;
                profiler.read(input, |profiled| session.show_step(&report(profiled)?))?
            }
        };
        let table = self.target.map(|target| Ok::<_, anyhow::Error>((target, profiled.only_table()?)));
        let table = table.transpose()?;
        if let Some((target, files, max_memory)) = self.puffin {
            if is_end_of_input() {
                session.warn("--puffin needs all rows, so that no file is written after an interrupt");
            } else {
                let sketches = puffin::sketches(&files, max_memory, session)?;
                session.save(Some(&target), || sketches.to_bytes());
            }
        }
        let mut report = report(&profiled)?;
        session.save(self.page.as_ref(), || report.html().into_bytes());
        report.saved = table.and_then(|(target, table)| session.save(Some(&target), || table.to_bytes()));
        Ok(Box::new(report))
    }
}

impl Profile {
    /// Whether the other flags go with --by.
    fn check_groups(&self, is_saved: bool) -> Result<()> {
        if self.by.by.is_none() {
            return Ok(());
        }
        if is_saved {
            bail!("--by needs the rows, which a saved profile has not; name the file that was profiled");
        }
        if self.by.groups == 0 {
            bail!("--groups must be at least 1");
        }
        if self.html.is_some() {
            bail!("--html shows a table, not its groups; leave out --by, or take --markdown or --csv");
        }
        if self.only.iter().any(|part| matches!(part, Part::Pairs | Part::Warnings)) {
            bail!(
                "--by tells groups apart, compares no columns and gives no warnings; leave out pairs and warnings, or --by"
            );
        }
        Ok(())
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

    fn load(&self, path: &Path, session: &Session) -> Result<TableProfile> {
        load_as(path, &self.hash.decode_options(self.limit, session)?, Kind::TableProfile, session)
    }
}

fn shown_path(path: &Path) -> String {
    path.display().to_string()
}
