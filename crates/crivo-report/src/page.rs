//! Text for people.

use crate::text::one_line;

/// Lines of text, and how many columns of a terminal each may take.
#[derive(Debug)]
pub struct Page {
    bytes: Vec<u8>,
    width: usize,
}

impl Page {
    /// An empty page of so many columns.
    pub fn new(width: usize) -> Self {
        Self { bytes: Vec::new(), width }
    }

    /// How many columns a line may take.
    pub fn width(&self) -> usize {
        self.width
    }

    /// A line of text for people; what a terminal would obey in it is escaped.
    pub fn line(&mut self, text: &str) {
        self.record(one_line(text).as_bytes(), b'\n');
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

    /// All that was written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}
