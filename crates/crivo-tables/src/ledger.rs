//! What is known of the input as far as it has been read.

use super::reader::Piece;
use super::{Input, Syntax, Watch};
use anyhow::{Result, bail};
use crivo_report::{plural, shown};

/// How much was read.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// Values that count.
    pub items: u64,
    /// Empty values, which are not items.
    pub missing: u64,
    /// Whether some item has a group.
    pub(super) groups: bool,
    /// Values that are no items where numbers were asked for.
    pub not_numbers: NotNumbers,
    /// Lines that were left out; their values count as empty.
    pub(super) invalid: Invalid,
}

impl Totals {
    /// Records that were read, whatever their values.
    pub(super) fn rows(&self) -> u64 {
        self.items + self.missing + self.not_numbers.count
    }
}

/// Lines that are not JSON, where that is no error.
#[derive(Clone, Debug, Default)]
pub(super) struct Invalid {
    pub(super) lines: u64,
    /// Where the first one stands, and what is wrong with it.
    first: String,
}

impl Invalid {
    /// Some lines more, the first of which is at `place`.
    fn add(&mut self, lines: u64, place: impl FnOnce() -> String) {
        if self.lines == 0 && lines > 0 {
            self.first = place();
        }
        self.lines += lines;
    }

    /// Tells of them, where there are any; it is an error that there is nothing else.
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
    /// How many.
    pub count: u64,
    /// The first one and where it stands.
    first: String,
}

impl NotNumbers {
    /// Counts this many of them, wherever they are.
    pub fn new(count: u64) -> Self {
        Self { count, first: String::new() }
    }

    /// `'NA' in line 7 of flights.csv`
    pub fn first(&self) -> &str {
        &self.first
    }
}

/// Lines, faults and numbers, in the order of the input.
#[derive(Debug)]
pub(super) struct Ledger<'a> {
    input: &'a Input,
    /// What the columns of the values are called in the first table, and whether another has other names for them.
    first_names: Option<(Vec<Vec<u8>>, bool)>,
    source: usize,
    /// Lines of the present source before the present piece.
    lines: u64,
    pub(super) totals: Totals,
}

impl<'a> Ledger<'a> {
    pub(super) fn new(input: &'a Input) -> Self {
        Self { input, first_names: None, source: 0, lines: 0, totals: Totals::default() }
    }

    /// Notes what was found in the next piece; its fault is an error.
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
