//! Answers to standard output, messages to standard error.

use crate::{screen, stdout_is_closed};
use anyhow::{Context, Result, bail};
use crivo_report::{Page, json_text, one_line};
use serde::Serialize;
use std::io::{BufWriter, StdoutLock, Write};
use std::sync::OnceLock;

/// How the program calls itself in messages.
static NAME: OnceLock<&'static str> = OnceLock::new();

/// From now on; the first name stays.
pub(crate) fn set_name(name: &'static str) {
    let _had_one = NAME.set(name);
}

/// Standard output, buffered. A closed pipe is an `io::Error` that `main` takes as a quiet end.
#[derive(Debug)]
pub struct Output {
    writer: BufWriter<StdoutLock<'static>>,
    /// What the next answer replaces, and the height of the screen that it goes to.
    step: Option<(Vec<u8>, usize)>,
}

impl Output {
    /// For what stays.
    #[expect(clippy::new_without_default, reason = "it wipes the screen, which no default does")]
    pub fn new() -> Self {
        let mut output = Self::with_step(None);
        // The buffer is empty, so nothing is written yet.
        let _buffered = output.writer.write_all(screen::wipe().as_bytes());
        output
    }

    /// For an answer that the next one replaces, where a person reads it on a terminal.
    pub fn step(json: bool) -> Self {
        Self::with_step(screen::height().filter(|_| !json).map(|height| (Vec::new(), height)))
    }

    fn with_step(step: Option<(Vec<u8>, usize)>) -> Self {
        Self { writer: BufWriter::with_capacity(1 << 16, std::io::stdout().lock()), step }
    }

    /// A line of text for people; what a terminal would obey in it is escaped.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn line(&mut self, text: &str) -> Result<()> {
        self.record(one_line(text).as_bytes(), b'\n')
    }

    /// Bytes as they are, and what ends them.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn record(&mut self, bytes: &[u8], end: u8) -> Result<()> {
        self.bytes(bytes)?;
        self.bytes(&[end])
    }

    /// Bytes as they are.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        if stdout_is_closed() {
            bail!(CLOSED_STDOUT);
        }
        match &mut self.step {
            Some((answer, _)) => answer.write_all(bytes),
            None => self.writer.write_all(bytes),
        }
        .context(STDOUT)
    }

    /// One JSON object on a line.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn json(&mut self, answer: &impl Serialize) -> Result<()> {
        self.record(json_text(answer).as_bytes(), b'\n')
    }

    /// Lines of text, in a page of so many columns.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn page(&mut self, width: usize, write: impl FnOnce(&mut Page)) -> Result<()> {
        let mut page = Page::new(width);
        write(&mut page);
        self.bytes(&page.into_bytes())
    }

    /// To be called at the end, and where somebody may be waiting.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn flush(&mut self) -> Result<()> {
        if let Some((answer, height)) = self.step.take() {
            self.writer.write_all(&screen::draw(&answer, height)).context(STDOUT)?;
        }
        self.writer.flush().context(STDOUT)
    }
}

/// A word to the person at the terminal, on standard error: one line, whatever names and values are in it. If that
/// cannot be written, nobody is listening.
pub fn remark(text: &str) {
    let name = NAME.get().unwrap_or(&"crivo");
    let _nobody_listens = writeln!(std::io::stderr(), "{name}: {}", one_line(text));
}

const STDOUT: &str = "standard output";

pub(crate) const CLOSED_STDOUT: &str = "standard output: is closed, and the answer is lost; send it to a file, or to /dev/null if it is not wanted";
