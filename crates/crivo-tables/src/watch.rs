//! The observer of the reading.

use crivo_report::Interrupted;
use std::fmt::Debug;

/// An observer of the reading, which may end it.
pub trait Watch: Debug + Send + Sync {
    /// A word to the person who waits.
    fn remark(&self, text: &str);

    /// A reading begins, of this many bytes if that is known; `prints` says that answers are printed meanwhile. It ends when
    /// what is returned is dropped.
    fn begin(&self, total: Option<u64>, prints: bool) -> Box<dyn Progress>;

    /// From now on there is an answer from whatever has been read.
    fn will_answer(&self);

    /// Whether what has been read is all that will be.
    fn is_end_of_input(&self) -> bool;

    /// The reading was ended before the end of the input.
    fn interrupted(&self, part: Interrupted);
}

/// How far a reading has come.
pub trait Progress: Debug {
    /// This many bytes have been read.
    fn set(&self, done: u64);
}

/// Nobody waits, and nothing is ended.
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
