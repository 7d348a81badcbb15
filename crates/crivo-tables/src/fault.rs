//! What is wrong with the data.

/// A problem inside the data, found by a thread that does not know how many lines came before.
#[derive(Debug)]
pub(crate) struct Fault {
    /// The line within the piece, from 0; none when the whole source is meant.
    pub(crate) line: Option<u64>,
    what: String,
    /// Whether `what` may quote the data.
    quotes: bool,
}

impl Fault {
    /// In this line.
    pub(crate) fn at(line: u64, what: impl Into<String>) -> Self {
        Self { line: Some(line), what: what.into(), quotes: false }
    }

    /// Of the whole source.
    pub(crate) fn whole(what: impl Into<String>) -> Self {
        Self { line: None, what: what.into(), quotes: false }
    }

    /// The same, in words that may quote the data.
    pub(crate) fn quoting(self) -> Self {
        Self { quotes: true, ..self }
    }

    /// What is wrong, for people who may see the data or not.
    pub(crate) fn explain(&self, hides_data: bool) -> &str {
        if self.quotes && hides_data {
            return "cannot be read as asked, and why would show what is secret; check --format, --column and --weight, and \
                    --no-header where the first record is data";
        }
        &self.what
    }
}
