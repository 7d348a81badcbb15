//! Answers on standard output, messages on standard error.

use crate::color::named;
use crate::{screen, stdout_is_closed};
use anyhow::{Context, Result, bail};
use crivo_report::{json_text, one_line, wrapped};
use serde::Serialize;
use std::fmt;
use std::io::{BufWriter, Write};
use std::sync::OnceLock;

/// The name of the program in messages.
static NAME: OnceLock<&'static str> = OnceLock::new();

/// Sets the name of the program in messages. Only the first call has an effect.
pub(crate) fn set_name(name: &'static str) {
    let _had_one = NAME.set(name);
}

/// The buffered destination of answers. A closed pipe is an `io::Error`, for which [`run`](crate::run) ends the
/// program quietly.
pub struct Output {
    writer: BufWriter<Box<dyn Write>>,
    /// The number of lines of the screen, if the output is a terminal.
    height: Option<usize>,
    /// The number of lines on the screen that the next answer replaces.
    drawn: usize,
    is_closed: bool,
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output").finish_non_exhaustive()
    }
}

impl Output {
    /// Creates an output to standard output.
    pub fn stdout() -> Self {
        Self { height: screen::height(), is_closed: stdout_is_closed(), ..Self::to(std::io::stdout().lock()) }
    }

    /// Creates an output to a writer that is not a terminal.
    pub fn to(writer: impl Write + 'static) -> Self {
        let writer = BufWriter::with_capacity(1 << 16, Box::new(writer) as Box<dyn Write>);
        Self { writer, height: None, drawn: 0, is_closed: false }
    }

    /// Writes a line of text for people, with everything escaped that a terminal would obey.
    ///
    /// # Errors
    /// If the line cannot be written.
    pub fn line(&mut self, text: &str) -> Result<()> {
        self.bytes(one_line(text).as_bytes())?;
        self.bytes(b"\n")
    }

    /// Writes bytes unchanged.
    ///
    /// # Errors
    /// If the bytes cannot be written.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        if self.is_closed {
            bail!(CLOSED_STDOUT);
        }
        if self.drawn > 0 {
            self.writer.write_all(screen::wipe(self.drawn).as_bytes()).context(STDOUT)?;
            self.drawn = 0;
        }
        self.writer.write_all(bytes).context(STDOUT)
    }

    /// Writes an answer. On a terminal, the next answer replaces it.
    ///
    /// # Errors
    /// If the answer cannot be written.
    pub fn draw(&mut self, answer: &[u8]) -> Result<()> {
        let Some(height) = self.height else { return self.bytes(answer) };
        let (drawing, lines) = screen::draw(answer, height);
        self.bytes(&drawing)?;
        self.drawn = lines;
        Ok(())
    }

    /// Writes a JSON object on one line.
    ///
    /// # Errors
    /// If the object cannot be written.
    pub fn json(&mut self, answer: &impl Serialize) -> Result<()> {
        self.bytes(json_text(answer).as_bytes())?;
        self.bytes(b"\n")
    }

    /// Writes the buffered output. Call this at the end, and whenever a reader may be waiting.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn flush(&mut self) -> Result<()> {
        self.writer.flush().context(STDOUT)
    }
}

/// Prints a message on standard error, on one line or wrapped to the terminal's width, whatever names and values it
/// contains. An error is ignored: if standard error is closed, nobody reads the message.
pub fn remark(text: &str) {
    say(text, "", false);
}

/// Prints the message that ends the program.
pub(crate) fn fail(text: &str, below: &str) {
    say(text, below, true);
}

fn say(text: &str, below: &str, is_error: bool) {
    let name = NAME.get().unwrap_or(&"crivo");
    let mut said = format!("{name}: {}", one_line(text));
    if let Some((width, _)) = terminal_size::terminal_size_of(std::io::stderr()) {
        said = wrapped(&said, width.0.into()).join("\n");
    }
    let said = said.replacen(&format!("{name}:"), &named(name, is_error), 1);
    let _nobody_listens = writeln!(std::io::stderr(), "{said}{below}");
}

const STDOUT: &str = "standard output";

pub(crate) const CLOSED_STDOUT: &str = "standard output: is closed, and the answer is lost; send it to a file, or to /dev/null if it is not wanted";
