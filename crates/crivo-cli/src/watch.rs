//! The person at the terminal, and the signals, while data is read.

use crate::output::{Progress, remark};
use crivo_program::interrupt;
use crivo_tables::Watch;
use std::io::IsTerminal;
use std::sync::Arc;

/// Whoever started the command.
#[derive(Debug)]
struct Person {
    /// No progress and no remarks.
    quiet: bool,
}

/// Remarks and progress for whoever started the command, unless that one wants none; an interrupt ends the input.
pub(crate) fn watch(quiet: bool) -> Arc<dyn Watch> {
    Arc::new(Person { quiet })
}

impl Watch for Person {
    fn remark(&self, text: &str) {
        if !self.quiet {
            remark(text);
        }
    }

    fn begin(&self, total: Option<u64>, prints: bool) -> Box<dyn crivo_tables::Progress> {
        // A bar would be drawn into what goes to the same terminal.
        let beside_output = prints && std::io::stdout().is_terminal();
        Box::new(Shown(Progress::new(total, self.quiet || beside_output)))
    }

    fn will_answer(&self) {
        interrupt::will_answer();
    }

    fn is_end_of_input(&self) -> bool {
        interrupt::is_end_of_input()
    }
}

/// A bar.
#[derive(Debug)]
struct Shown(Progress);

impl crivo_tables::Progress for Shown {
    fn set(&self, done: u64) {
        self.0.set(done);
    }
}
