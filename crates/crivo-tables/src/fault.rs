//! Errors in the data.

/// An error in the data, found by a thread that does not know how many lines came before its piece.
#[derive(Debug)]
pub(crate) struct Fault {
    /// The line within the piece, from 0, or `None` if the error concerns the whole source.
    pub(crate) line: Option<u64>,
    what: String,
    /// Whether `what` may quote the data.
    quotes: bool,
}

impl Fault {
    /// Creates a fault of this line.
    pub(crate) fn at(line: u64, what: impl Into<String>) -> Self {
        Self { line: Some(line), what: what.into(), quotes: false }
    }

    /// Creates a fault of the whole source.
    pub(crate) fn whole(what: impl Into<String>) -> Self {
        Self { line: None, what: what.into(), quotes: false }
    }

    /// Marks the message as one that may quote the data.
    pub(crate) fn quoting(self) -> Self {
        Self { quotes: true, ..self }
    }

    /// Returns the message, or a message without data if the data must be hidden.
    pub(crate) fn explain(&self, hides_data: bool) -> &str {
        if self.quotes && hides_data {
            return "cannot be read as asked, and why would show what is secret; check --format, --column and --weight, and \
                    --no-header where the first record is data";
        }
        &self.what
    }
}
