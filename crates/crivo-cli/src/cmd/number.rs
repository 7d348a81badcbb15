//! Numbers that were counted, or estimated.

use crivo::Estimate;
use crivo_report::Bar;
use serde::{Serialize, Serializer};

/// How many there are. In records it is a [`Bar`].
#[derive(Clone, Copy, Debug)]
pub(super) enum Number {
    Exact(u64),
    Estimated(Estimate),
}

impl Number {
    fn bar(self) -> Bar {
        match self {
            Self::Exact(number) => Bar::exact(number as f64),
            Self::Estimated(estimate) => estimate.into(),
        }
    }

    #[cfg(test)]
    pub(super) fn value(self) -> f64 {
        match self {
            Self::Exact(number) => number as f64,
            Self::Estimated(estimate) => estimate.value(),
        }
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.bar().serialize(serializer)
    }
}
