//! How often intervals hold what they are about.

use crivo::stats::binomial_band;
use crivo::{Estimate, Guarantee};

use crate::Check;

/// An approximate interval may miss this much more often than it says: a 95 % interval holds the truth in 93 % of all cases or
/// more (`docs/STATISTICS.md`).
const APPROXIMATE_SLACK: f64 = 0.02;

/// Intervals of one sort at one place, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Coverage {
    /// How many were asked for.
    pub(crate) asked: u64,
    /// How many held the truth.
    pub(crate) held: u64,
    /// The least that any of them promised, as a share: 1 where all are certain.
    promised: Option<f64>,
}

impl Coverage {
    /// Takes one interval, and the truth that it should hold.
    pub(crate) fn add(&mut self, estimate: &Estimate, truth: f64) {
        self.add_interval(estimate.guarantee(), estimate.contains(truth));
    }

    /// Takes one interval of any sort: what it promises, and whether it holds the truth.
    pub(crate) fn add_interval(&mut self, guarantee: Guarantee, held: bool) {
        let promised = match guarantee {
            Guarantee::Certain => 1.0,
            Guarantee::Proven { confidence } => confidence,
            Guarantee::Approximate { confidence } => confidence - APPROXIMATE_SLACK,
        };
        self.asked += 1;
        self.held += u64::from(held);
        self.promised = Some(self.promised.map_or(promised, |least| least.min(promised)));
    }

    /// The share that held.
    pub(crate) fn share(&self) -> f64 {
        self.held as f64 / self.asked as f64
    }

    /// Whether they hold as often as they promise, in percent, where independent ones that hold just so often seem to miss
    /// more but for this chance.
    pub(crate) fn check(&self, place: impl Into<String>, false_alarm: f64) -> Check {
        let promised = self.promised.unwrap_or(f64::NAN);
        // Both tails of the band get half of it; only the lower is asked here.
        let (fewest, _) = binomial_band(self.asked, promised, 2.0 * false_alarm);
        Check {
            place: place.into(),
            value: 100.0 * self.share(),
            expected: 100.0 * promised,
            lower: 100.0 * fewest / self.asked as f64,
            upper: f64::INFINITY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Verdict;

    fn judged(held: u64, asked: u64, guarantee: Guarantee) -> bool {
        let mut coverage = Coverage::default();
        for i in 0..asked {
            coverage.add_interval(guarantee, i < held);
        }
        assert_eq!((coverage.asked, coverage.held), (asked, held));
        Verdict::within("they hold", " %", [coverage.check("here", 1e-6)]).passed
    }

    /// Of 1,000 intervals, 5 fewer than promised are chance; 60 fewer are not. One miss is too many for a certain one.
    #[test]
    fn intervals_are_held_to_what_they_promise() {
        let (proven, approximate) =
            (Guarantee::Proven { confidence: 0.95 }, Guarantee::Approximate { confidence: 0.95 });
        assert!(judged(945, 1000, proven) && judged(925, 1000, approximate));
        assert!(!judged(890, 1000, proven) && !judged(870, 1000, approximate));
        assert!(judged(1000, 1000, Guarantee::Certain) && !judged(999, 1000, Guarantee::Certain));
        assert!(!judged(0, 0, proven), "nothing was measured");
    }
}
