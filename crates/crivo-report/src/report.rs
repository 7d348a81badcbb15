//! What was found, and how it is printed.

use crate::{Page, Records};

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
    records: Option<Records>,
}

impl Renderer {
    /// For reports in this form.
    pub fn new(form: Form) -> Self {
        Self { records: Records::new(form) }
    }

    /// Whether people read it: lines of text.
    pub fn is_text(&self) -> bool {
        self.records.is_none()
    }

    /// A report in this form, in so many columns where it is text.
    pub fn render(&mut self, report: &(impl Report + ?Sized), width: usize) -> Vec<u8> {
        match &mut self.records {
            None => {
                let mut page = Page::new(width);
                report.text(&mut page);
                page.into_bytes()
            }
            Some(records) => {
                report.records(records);
                records.take()
            }
        }
    }
}
