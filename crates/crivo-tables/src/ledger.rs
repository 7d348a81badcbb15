//! The totals and faults of the input, up to the current piece.

use super::reader::Piece;
use super::{Input, Syntax, Watch};
use anyhow::{Result, bail};
use crivo_report::{plural, shown};

/// The totals of the input.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// The number of items.
    pub items: u64,
    /// The number of empty values, which are not items.
    pub missing: u64,
    /// Whether any item has a group.
    pub(super) groups: bool,
    /// Values that are not numbers, if the caller wants numbers. They are not items.
    pub not_numbers: NotNumbers,
    /// Lines that were left out. Their values count as empty.
    pub(super) invalid: Invalid,
}

impl Totals {
    /// Returns the number of records, whatever their values.
    pub(super) fn rows(&self) -> u64 {
        self.items + self.missing + self.not_numbers.count
    }
}

/// Lines that are not JSON, if they are not an error.
#[derive(Clone, Debug, Default)]
pub(super) struct Invalid {
    pub(super) lines: u64,
    /// The place of the first such line, and its error.
    first: String,
}

impl Invalid {
    /// Adds `lines` lines, the first of which is at `place`.
    fn add(&mut self, lines: u64, place: impl FnOnce() -> String) {
        if self.lines == 0 && lines > 0 {
            self.first = place();
        }
        self.lines += lines;
    }

    /// Prints a warning about the invalid lines, if there are any. It is an error if there are no other lines.
    pub(super) fn tell(&self, is_all: bool, watch: &dyn Watch) -> Result<()> {
        if self.lines == 0 {
            return Ok(());
        }
        if is_all {
            bail!("no line is JSON, the first being {}; check --format", self.first);
        }
        let lines = plural(self.lines, "line that is not JSON was", "lines that are not JSON were");
        watch.remark(&format!("{lines} left out, the first being {}", self.first));
        Ok(())
    }
}

/// Values that are not numbers.
#[derive(Clone, Debug, Default)]
pub struct NotNumbers {
    /// The number of such values.
    pub count: u64,
    /// The first such value and its place.
    first: String,
}

impl NotNumbers {
    /// Creates a count without a first value.
    pub fn new(count: u64) -> Self {
        Self { count, first: String::new() }
    }

    /// Returns the first such value and its place: `'NA' in line 7 of flights.csv`.
    pub fn first(&self) -> &str {
        &self.first
    }
}

/// Counts lines, faults and totals in the order of the input.
#[derive(Debug)]
pub(super) struct Ledger<'a> {
    input: &'a Input,
    /// The names of the value columns in the first table, and whether another table has other names for them.
    first_names: Option<(Vec<Vec<u8>>, bool)>,
    source: usize,
    /// The number of lines of the current source before the current piece.
    lines: u64,
    pub(super) totals: Totals,
}

impl<'a> Ledger<'a> {
    pub(super) fn new(input: &'a Input) -> Self {
        Self { input, first_names: None, source: 0, lines: 0, totals: Totals::default() }
    }

    /// Adds the results of the next piece, or returns its fault as an error.
    pub(super) fn take(&mut self, piece: &Piece) -> Result<()> {
        let Input { sources, hides_data, watch, .. } = self.input;
        if self.source != piece.source {
            (self.source, self.lines) = (piece.source, 0);
        }
        self.lines += piece.header_lines;
        let findings = &piece.findings;
        let source = &sources[piece.source];
        let unit = if source.format.syntax == Syntax::Parquet { "row" } else { "line" };
        if let Some(fault) = &findings.fault {
            let (name, what) = (source.name(), fault.explain(*hides_data));
            match fault.line {
                Some(line) => bail!("{name}: {unit} {}: {what}", self.lines + line + 1),
                None => bail!("{name}: {what}"),
            }
        }
        if let Some(names) = &findings.column_names {
            let (first, is_told) = self.first_names.get_or_insert_with(|| (names.clone(), false));
            let other = first.iter().zip(names).find(|(first, own)| first != own);
            if let Some((first, own)) = other.filter(|_| !*is_told && !hides_data) {
                *is_told = true;
                watch.remark(&format!(
                    "{}: the column is called '{}' here and '{}' in the first table; their values are taken together",
                    source.name(),
                    shown(own),
                    shown(first)
                ));
            }
        }
        if let (Some((line, text)), 0) = (&findings.first_not_number, self.totals.not_numbers.count) {
            let (line, name) = (self.lines + line + 1, source.name());
            self.totals.not_numbers.first = format!("'{text}' in {unit} {line} of {name}");
        }
        if let Some((line, what)) = &findings.first_invalid {
            let (line, name) = (self.lines + line + 1, source.name());
            let why = if *hides_data { String::new() } else { format!(" ({what})") };
            self.totals.invalid.add(findings.invalid, || format!("{unit} {line} of {name}{why}"));
        }
        self.lines += findings.lines;
        self.totals.items += findings.items as u64;
        self.totals.missing += findings.missing.len() as u64;
        self.totals.groups |= findings.groups.has_text();
        self.totals.not_numbers.count += findings.not_numbers.len() as u64;
        Ok(())
    }
}
