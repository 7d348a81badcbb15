//! The user at the terminal, and the signals, while data is read.

use crivo_program::{Progress, interrupt, remark};
use crivo_report::Interrupted;
use crivo_tables::Watch;
use std::io::IsTerminal;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Where warnings go instead of standard error.
pub(crate) type Remarks = Arc<Mutex<Vec<String>>>;

/// The user who started the command.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    /// Whether to suppress progress and warnings.
    pub(crate) quiet: bool,
    pub(crate) remarks: Option<Remarks>,
    /// How much had been read when a signal ended the input.
    interrupted: Arc<OnceLock<Interrupted>>,
}

impl Person {
    pub(crate) fn new(quiet: bool, remarks: Option<Remarks>) -> Self {
        Self { quiet, remarks, interrupted: Arc::default() }
    }

    /// How much had been read when a signal ended the input, if one has.
    pub(crate) fn interrupted(&self) -> Option<Interrupted> {
        self.interrupted.get().copied()
    }

    /// Prints a message that must not be suppressed.
    pub(crate) fn warn(&self, text: &str) {
        match &self.remarks {
            None => remark(text),
            Some(remarks) => remarks.lock().unwrap_or_else(PoisonError::into_inner).push(text.to_owned()),
        }
    }
}

impl Watch for Person {
    fn remark(&self, text: &str) {
        if !self.quiet {
            self.warn(text);
        }
    }

    fn begin(&self, total: Option<u64>, prints: bool) -> Box<dyn crivo_tables::Progress> {
        // A progress bar would be drawn into output to the same terminal.
        let beside_output = prints && std::io::stdout().is_terminal();
        Box::new(Shown(Progress::new(total, self.quiet || beside_output)))
    }

    fn will_answer(&self) {
        interrupt::will_answer();
    }

    fn is_end_of_input(&self) -> bool {
        interrupt::is_end_of_input()
    }

    fn interrupted(&self, part: Interrupted) {
        let _the_first_counts = self.interrupted.set(part);
    }
}

/// A progress bar.
#[derive(Debug)]
struct Shown(Progress);

impl crivo_tables::Progress for Shown {
    fn set(&self, done: u64) {
        self.0.set(done);
    }
}
