//! What was found, and how it is printed.

use crate::{Interrupted, Page, Records};

/// What a program found.
pub trait Report {
    /// In words, for people.
    fn text(&self, page: &mut Page);

    /// In records, for programs.
    fn records(&self, records: &mut Records);

    /// The exit code of a program that found this: 0 for yes and for success, 1 for no.
    fn exit_code(&self) -> u8 {
        0
    }
}

/// How reports are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Lines and tables for people.
    #[default]
    Text,
    /// One JSON object for each record, on a line.
    Json,
    /// A header and one line for each record.
    Csv,
    /// Tables of Markdown.
    Markdown,
}

/// Prints one report after another.
#[derive(Debug)]
pub struct Renderer {
    page: Page,
    /// None where people read.
    records: Option<Records>,
}

impl Renderer {
    /// Creates a renderer for reports in this output format; text has this many columns, and no notes and warnings if it is quiet.
    pub fn new(form: Form, width: usize, is_quiet: bool) -> Self {
        Self { page: Page::new(width, is_quiet), records: Records::new(form) }
    }

    /// In colour, if so; only text can be.
    #[must_use]
    pub fn colored(self, is_colored: bool) -> Self {
        Self { page: self.page.colored(is_colored), ..self }
    }

    /// Whether people read it: lines of text.
    pub fn is_text(&self) -> bool {
        self.records.is_none()
    }

    /// Whether a total was left out, as CSV has no place for it.
    pub fn is_partial(&self) -> bool {
        self.records.as_ref().is_some_and(Records::is_partial)
    }

    /// The next report is the last, and of this part of the input: the last record of JSON says so.
    pub fn interrupted(&mut self, part: Interrupted) {
        if let Some(records) = &mut self.records {
            records.interrupted(part);
        }
    }

    /// A report in this form.
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

/// A program that has said all there is to say while it ran.
impl Report for () {
    fn text(&self, _page: &mut Page) {}

    fn records(&self, _records: &mut Records) {}
}
