//! Answers to standard output, sketches to files, progress to the terminal.

mod bar;
mod fitted;
mod human;
mod json;
mod profile;
mod progress;
mod save;
mod screen;
mod table;
mod text;
mod width;

pub(crate) use bar::{AnyBar, Bar, Number, Point, QuantileBar};
pub(crate) use crivo_lab::escape;
pub(crate) use fitted::{Field, print_fitted};
pub(crate) use human::{
    alike, alike_cells, but_for_collisions, count, estimate, estimate_cells, estimate_in_list, fact, number,
    percent, plural, quantile_cells, quantile_cells_by, rate, seed, size, time, value, whole,
};
pub(crate) use json::{
    Answer, CounterCost, FactJson, FilterCost, FilterJson, Name, OtherGroups, PlanRow, SetJson, Side, Text,
    Work,
};
pub(crate) use profile::{
    BinJson, ColumnJson, ColumnName, ColumnTypes, LengthsJson, NewEndJson, QuantileJson, TopJson,
};
pub(crate) use progress::Progress;
pub(crate) use save::{Target, check_new_folder, is_stdout, save_and_print};
pub(crate) use table::{Align, Table, terminal_width};
pub(crate) use text::{named, one_line, shown, shown_column, shown_within};
pub(crate) use width::{display_width, shorten, speaks_utf8};

use crate::descriptors::stdout_is_closed;
use anyhow::{Context, Result, bail};
use std::borrow::Cow;
use std::io::{BufWriter, StdoutLock, Write};
use text::escaped_json;

/// Standard output, buffered. A closed pipe is an `io::Error` that `main` takes as a quiet end.
pub(crate) struct Output {
    writer: BufWriter<StdoutLock<'static>>,
    /// What the next answer replaces, and the height of the screen that it goes to.
    step: Option<(Vec<u8>, usize)>,
}

impl Output {
    /// For what stays.
    pub(crate) fn new() -> Self {
        let mut output = Self::with_step(None);
        // The buffer is empty, so nothing is written yet.
        let _buffered = output.writer.write_all(screen::wipe().as_bytes());
        output
    }

    /// For an answer that the next one replaces, where a person reads it on a terminal.
    pub(crate) fn step(json: bool) -> Self {
        Self::with_step(screen::height().filter(|_| !json).map(|height| (Vec::new(), height)))
    }

    fn with_step(step: Option<(Vec<u8>, usize)>) -> Self {
        Self { writer: BufWriter::with_capacity(1 << 16, std::io::stdout().lock()), step }
    }

    /// A line of text for people; what a terminal would obey in it is escaped.
    pub(crate) fn line(&mut self, text: &str) -> Result<()> {
        self.record(one_line(text).as_bytes(), b'\n')
    }

    /// Bytes as they are, and what ends them.
    pub(crate) fn record(&mut self, bytes: &[u8], end: u8) -> Result<()> {
        self.bytes(bytes)?;
        self.bytes(&[end])
    }

    /// Bytes as they are.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
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
    pub(crate) fn json(&mut self, answer: &Answer<'_>) -> Result<()> {
        self.record(json_text(answer)?.as_bytes(), b'\n')
    }

    /// To be called at the end, and where somebody may be waiting.
    pub(crate) fn flush(&mut self) -> Result<()> {
        if let Some((answer, height)) = self.step.take() {
            self.writer.write_all(&screen::draw(&answer, height)).context(STDOUT)?;
        }
        self.writer.flush().context(STDOUT)
    }
}

/// An answer as JSON. What a terminal would obey is written as JSON's escapes.
pub(crate) fn json_text(answer: &Answer<'_>) -> Result<String> {
    let text = serde_json::to_string(answer).context("writing JSON")?;
    Ok(match escaped_json(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(safe) => safe,
    })
}

/// A word to the person at the terminal, on standard error: one line, whatever names and values are in it. If that
/// cannot be written, nobody is listening.
pub(crate) fn remark(text: &str) {
    let _nobody_listens = writeln!(std::io::stderr(), "crivo: {}", one_line(text));
}

const STDOUT: &str = "standard output";

pub(crate) const CLOSED_STDOUT: &str = "standard output: is closed, and the answer is lost; send it to a file, or to /dev/null if it is not wanted";
