//! Text for people.

use crate::paint::{bold, painted};
use crate::text::one_line;
use crate::wrapped;

/// Lines of text, and how many columns of a terminal each may take.
#[derive(Debug)]
pub struct Page {
    bytes: Vec<u8>,
    remarks: Vec<String>,
    width: usize,
    is_quiet: bool,
    is_colored: bool,
}

impl Page {
    /// Creates an empty page of this many columns; a quiet one takes no notes and no warnings.
    pub fn new(width: usize, is_quiet: bool) -> Self {
        Self { bytes: Vec::new(), remarks: Vec::new(), width, is_quiet, is_colored: false }
    }

    /// In colour, if so.
    #[must_use]
    pub fn colored(self, is_colored: bool) -> Self {
        Self { is_colored, ..self }
    }

    /// How many columns a line may take.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns whether notes and warnings are suppressed.
    pub fn is_quiet(&self) -> bool {
        self.is_quiet
    }

    /// A line of text for people; what a terminal would obey in it is escaped.
    pub fn line(&mut self, text: &str) {
        let text = one_line(text);
        let text = if self.is_colored { painted(&text).into() } else { text };
        self.record(text.as_bytes(), b'\n');
    }

    /// A line that says what stands below it.
    pub fn heading(&mut self, text: &str) {
        let text = one_line(text);
        let text = if self.is_colored { bold(&text).into() } else { text };
        self.record(text.as_bytes(), b'\n');
    }

    /// A sentence, on as many lines as it needs.
    pub fn sentence(&mut self, text: &str) {
        for line in wrapped(text, self.width) {
            self.line(&line);
        }
    }

    /// A line that is no answer, but helps to understand one.
    pub fn note(&mut self, text: &str) {
        if !self.is_quiet {
            self.line(text);
        }
    }

    /// Bytes as they are, and what ends them.
    pub fn record(&mut self, bytes: &[u8], end: u8) {
        self.bytes(bytes);
        self.bytes.push(end);
    }

    /// Bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Adds a message in addition to the answer, where warnings go.
    pub fn remark(&mut self, text: &str) {
        if !self.is_quiet {
            self.remarks.push(text.to_owned());
        }
    }

    /// All that was written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Nothing written yet, in the memory that it has.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
    }

    pub(crate) fn take_remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }

    pub(crate) fn written(&self) -> &[u8] {
        &self.bytes
    }
}
