//! What theory says of errors.

use libm::sqrt;

/// What theory says of the errors at one x.
#[derive(Clone, Copy)]
pub(super) struct Law {
    /// Their mean, where theory knows it.
    pub(super) mean: Option<f64>,
    /// By how much theory may be wrong about the mean.
    pub(super) slack: f64,
    /// Their root mean square, or the most that it or any of them may be.
    pub(super) deviation: f64,
    pub(super) spread: Spread,
    /// By how much one event moves an answer.
    pub(super) jump: f64,
}

/// What [`Law::deviation`] is.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Spread {
    /// The root mean square.
    Is,
    /// The most that the root mean square may be.
    AtMost,
    /// The most that any error may be.
    Beyond,
    /// The root mean square of an event, of which only the mean says anything.
    OfEvent,
}

impl Law {
    /// No bias, and this deviation.
    pub(super) fn of(deviation: f64) -> Self {
        Self { mean: Some(0.0), slack: 0.0, deviation, spread: Spread::Is, jump: 0.0 }
    }

    /// No bias, and this deviation at most.
    pub(super) fn at_most(deviation: f64) -> Self {
        Self { spread: Spread::AtMost, ..Self::of(deviation) }
    }

    /// No error beyond this one, ever.
    pub(super) fn within(bound: f64) -> Self {
        Self { mean: None, spread: Spread::Beyond, ..Self::of(bound) }
    }

    /// Of an event with this probability ([`Answer::event`](super::subject::Answer::event)).
    pub(super) fn event(probability: f64) -> Self {
        let deviation = 100.0 * sqrt(probability * (1.0 - probability));
        Self { spread: Spread::OfEvent, jump: 100.0, ..Self::of(deviation) }
    }

    /// Whether only the mean counts.
    pub(super) fn is_of_event(&self) -> bool {
        self.spread == Spread::OfEvent
    }

    /// Errors with this mean, or one that theory does not know.
    #[must_use]
    pub(super) fn with_mean(self, mean: Option<f64>) -> Self {
        Self { mean, ..self }
    }

    /// Errors whose mean may be off by so much.
    #[must_use]
    pub(super) fn with_slack(self, slack: f64) -> Self {
        Self { slack, ..self }
    }

    /// Errors that are sums of rare events, each of which moves the answer by so much.
    #[must_use]
    pub(super) fn with_jump(self, jump: f64) -> Self {
        Self { jump, ..self }
    }

    /// Whether theory only bounds the errors.
    pub(super) fn is_bound(&self) -> bool {
        matches!(self.spread, Spread::AtMost | Spread::Beyond)
    }
}
