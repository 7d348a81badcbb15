//! The interval between two answers.

use std::time::{Duration, Instant};

/// The interval between two answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// After this many items.
    Items(u64),
    /// After this time.
    Time(Duration),
}

/// The number of items or the time at which the next answer is due.
#[derive(Debug)]
pub(crate) enum Next {
    Items { step: u64, at: u64 },
    Time { step: Duration, last: Instant },
}

impl Next {
    pub(crate) fn new(step: Step) -> Self {
        match step {
            Step::Items(step) => Self::Items { step, at: step },
            Step::Time(step) => Self::Time { step, last: Instant::now() },
        }
    }

    /// Returns whether an answer is due after this many items, and sets the next one.
    pub(crate) fn has_come(&mut self, items: u64) -> bool {
        match self {
            Self::Items { step, at } => {
                let has_come = items >= *at;
                if has_come {
                    *at = (items / *step + 1).saturating_mul(*step);
                }
                has_come
            }
            Self::Time { step, last } => {
                let has_come = last.elapsed() >= *step;
                if has_come {
                    *last = Instant::now();
                }
                has_come
            }
        }
    }
}
