//! Answers to standard output, messages to standard error.

use crate::color::named;
use crate::{screen, stdout_is_closed};
use anyhow::{Context, Result, bail};
use crivo_report::{json_text, one_line, wrapped};
use serde::Serialize;
use std::fmt;
use std::io::{BufWriter, Write};
use std::sync::OnceLock;

/// How the program calls itself in messages.
static NAME: OnceLock<&'static str> = OnceLock::new();

/// From now on; the first name stays.
pub(crate) fn set_name(name: &'static str) {
    let _had_one = NAME.set(name);
}

/// Where answers go, buffered. A closed pipe is an `io::Error` that [`run`](crate::run) takes as a quiet end.
pub struct Output {
    writer: BufWriter<Box<dyn Write>>,
    /// Lines of the screen, where a person reads on one.
    height: Option<usize>,
    /// Lines on the screen that the next answer replaces.
    drawn: usize,
    is_closed: bool,
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output").finish_non_exhaustive()
    }
}

impl Output {
    /// Standard output.
    pub fn stdout() -> Self {
        Self { height: screen::height(), is_closed: stdout_is_closed(), ..Self::to(std::io::stdout().lock()) }
    }

    /// Any place but a screen.
    pub fn to(writer: impl Write + 'static) -> Self {
        let writer = BufWriter::with_capacity(1 << 16, Box::new(writer) as Box<dyn Write>);
        Self { writer, height: None, drawn: 0, is_closed: false }
    }

    /// A line of text for people; what a terminal would obey in it is escaped.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn line(&mut self, text: &str) -> Result<()> {
        self.bytes(one_line(text).as_bytes())?;
        self.bytes(b"\n")
    }

    /// Bytes as they are.
    ///
    /// # Errors
    /// When it cannot be written.
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

    /// An answer that the next one replaces, where a person reads it on a screen.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn draw(&mut self, answer: &[u8]) -> Result<()> {
        let Some(height) = self.height else { return self.bytes(answer) };
        let (drawing, lines) = screen::draw(answer, height);
        self.bytes(&drawing)?;
        self.drawn = lines;
        Ok(())
    }

    /// One JSON object on a line.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn json(&mut self, answer: &impl Serialize) -> Result<()> {
        self.bytes(json_text(answer).as_bytes())?;
        self.bytes(b"\n")
    }

    /// Call this at the end, and wherever a reader may be waiting.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn flush(&mut self) -> Result<()> {
        self.writer.flush().context(STDOUT)
    }
}

/// A word to the person at the terminal, on standard error: one line, whatever names and values are in it, or as many as
/// the terminal needs for it. If that cannot be written, nobody is listening.
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
