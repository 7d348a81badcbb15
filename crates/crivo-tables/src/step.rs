//! How often something is wanted.

use std::time::{Duration, Instant};

/// How often an answer is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// After this many items.
    Items(u64),
    /// After so much time.
    Time(Duration),
}

/// When the next one is due.
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

    /// Returns whether it is time, after this many items, and sets the next time.
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
