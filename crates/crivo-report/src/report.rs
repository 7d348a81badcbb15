//! Reports and how they are printed.

use crate::{Interrupted, Page, Records};

/// The result of a program.
pub trait Report {
    /// Writes the result as text for people.
    fn text(&self, page: &mut Page);

    /// Writes the result as records for programs.
    fn records(&self, records: &mut Records);

    /// Returns the exit code of a program with this result: 0 for success or yes, 1 for no.
    fn exit_code(&self) -> u8 {
        0
    }
}

/// The output format of reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Lines and tables of text for people.
    #[default]
    Text,
    /// One JSON object for each record, each on one line.
    Json,
    /// A header and one line for each record.
    Csv,
    /// Markdown tables.
    Markdown,
}

/// Prints reports in one output format.
#[derive(Debug)]
pub struct Renderer {
    page: Page,
    /// The records, or `None` if the format is text.
    records: Option<Records>,
}

impl Renderer {
    /// Creates a renderer for this output format. Text has this many columns; if `is_quiet`, it has no notes and no
    /// warnings.
    pub fn new(form: Form, width: usize, is_quiet: bool) -> Self {
        Self { page: Page::new(width, is_quiet), records: Records::new(form) }
    }

    /// Turns colour on or off. Only text has colour.
    #[must_use]
    pub fn colored(self, is_colored: bool) -> Self {
        Self { page: self.page.colored(is_colored), ..self }
    }

    /// Returns whether the output format is text.
    pub fn is_text(&self) -> bool {
        self.records.is_none()
    }

    /// Returns whether totals were left out, because CSV has no place for them.
    pub fn is_partial(&self) -> bool {
        self.records.as_ref().is_some_and(Records::is_partial)
    }

    /// Says that the next report is the last and covers only this part of the input. The last JSON record says so,
    /// too.
    pub fn interrupted(&mut self, part: Interrupted) {
        if let Some(records) = &mut self.records {
            records.interrupted(part);
        }
    }

    /// Returns the bytes of a report in the output format.
    pub fn render(&mut self, report: &(impl Report + ?Sized)) -> &[u8] {
        if let Some(records) = &mut self.records {
            return records.render(report);
        }
        self.page.clear();
        report.text(&mut self.page);
        self.page.written()
    }

    /// Returns the warnings of the report that was rendered last.
    pub fn take_remarks(&mut self) -> Vec<String> {
        self.page.take_remarks()
    }
}

impl<R: Report + ?Sized> Report for Box<R> {
    fn text(&self, page: &mut Page) {
        (**self).text(page);
    }

    fn records(&self, records: &mut Records) {
        (**self).records(records);
    }

    fn exit_code(&self) -> u8 {
        (**self).exit_code()
    }
}

/// The report of a program that has printed its whole answer while it ran.
impl Report for () {
    fn text(&self, _page: &mut Page) {}

    fn records(&self, _records: &mut Records) {}
}
