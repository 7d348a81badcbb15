//! The observer of a run.

use crivo_report::Interrupted;
use std::fmt::Debug;

/// An observer of a run, which may end it.
pub trait Watch: Debug + Send + Sync {
    /// Prints a warning for the user.
    fn remark(&self, text: &str);

    /// Begins a run of this many bytes, if the number is known. `prints` says that answers are printed during the
    /// run. The run ends when the returned value is dropped.
    fn begin(&self, total: Option<u64>, prints: bool) -> Box<dyn Progress>;

    /// Says that the caller can now answer from the part of the input that has been read.
    fn will_answer(&self);

    /// Returns whether no more input is to be read.
    fn is_end_of_input(&self) -> bool;

    /// Says that the run ended before the end of the input.
    fn interrupted(&self, part: Interrupted);
}

/// The progress of a run.
pub trait Progress: Debug {
    /// Sets the number of bytes that have been read.
    fn set(&self, done: u64);
}

/// An observer that shows nothing and never ends the run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn remark(&self, _text: &str) {}

    fn begin(&self, _total: Option<u64>, _prints: bool) -> Box<dyn Progress> {
        Box::new(Self)
    }

    fn will_answer(&self) {}

    fn is_end_of_input(&self) -> bool {
        false
    }

    fn interrupted(&self, _part: Interrupted) {}
}

impl Progress for Unwatched {
    fn set(&self, _done: u64) {}
}
