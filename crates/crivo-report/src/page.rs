//! Text for people.

use crate::paint::{bold, painted};
use crate::text::one_line;
use crate::wrapped;

/// Lines of text for people, and the number of terminal columns that a line may take.
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

    /// Turns colour on or off.
    #[must_use]
    pub fn colored(self, is_colored: bool) -> Self {
        Self { is_colored, ..self }
    }

    /// Returns the number of columns that a line may take.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns whether notes and warnings are suppressed.
    pub fn is_quiet(&self) -> bool {
        self.is_quiet
    }

    /// Adds a line of text, with everything escaped that a terminal would obey.
    pub fn line(&mut self, text: &str) {
        let text = one_line(text);
        let text = if self.is_colored { painted(&text).into() } else { text };
        self.record(text.as_bytes(), b'\n');
    }

    /// Adds a heading for the lines below it.
    pub fn heading(&mut self, text: &str) {
        let text = one_line(text);
        let text = if self.is_colored { bold(&text).into() } else { text };
        self.record(text.as_bytes(), b'\n');
    }

    /// Adds a sentence, wrapped to the width of the page.
    pub fn sentence(&mut self, text: &str) {
        for line in wrapped(text, self.width) {
            self.line(&line);
        }
    }

    /// Adds a note that helps to understand the answer. A quiet page omits it.
    pub fn note(&mut self, text: &str) {
        if !self.is_quiet {
            self.line(text);
        }
    }

    /// Adds bytes unchanged, and the byte that ends the record.
    pub fn record(&mut self, bytes: &[u8], end: u8) {
        self.bytes(bytes);
        self.bytes.push(end);
    }

    /// Adds bytes unchanged.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Adds a warning, which is printed on standard error. A quiet page omits it.
    pub fn remark(&mut self, text: &str) {
        if !self.is_quiet {
            self.remarks.push(text.to_owned());
        }
    }

    /// Returns all bytes of the page.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Removes the content of the page and keeps its memory.
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
