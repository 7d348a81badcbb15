//! The coverage of intervals: how often they contain the true value.

use crivo::stats::binomial_band;
use crivo::{Estimate, Guarantee};

use crate::Check;
use crate::summary::{Summary, student};

/// An approximate interval may miss this much more often than its confidence says: a 95 % interval contains the true value in at
/// least 93 % of all trials (`docs/STATISTICS.md`).
const APPROXIMATE_SLACK: f64 = 0.02;

/// A band that reaches farther than this below the promised coverage judges nothing: a 95 % interval that contains the true value
/// in less than 92 % of all trials must be noticed.
pub(crate) const WIDEST_BAND: f64 = 0.03;

/// Intervals of one kind at one place, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Coverage {
    /// The number of intervals.
    pub(crate) asked: u64,
    /// The number that contain the true value.
    pub(crate) held: u64,
    /// The least coverage that any of them promises, as a share: 1 if all are deterministic.
    promised: Option<f64>,
}

impl Coverage {
    /// Adds an interval and the true value.
    pub(crate) fn add(&mut self, estimate: &Estimate, truth: f64) {
        self.add_interval(estimate.guarantee(), estimate.contains(truth));
    }

    /// The coverage that an interval with this guarantee must have, as a share.
    pub(crate) fn promise(guarantee: Guarantee) -> f64 {
        match guarantee {
            Guarantee::Certain => 1.0,
            Guarantee::Proven { confidence } => confidence,
            Guarantee::Approximate { confidence } => confidence - APPROXIMATE_SLACK,
        }
    }

    /// Adds an interval of any kind: its guarantee, and whether it contains the true value.
    pub(crate) fn add_interval(&mut self, guarantee: Guarantee, held: bool) {
        let promised = Self::promise(guarantee);
        self.asked += 1;
        self.held += u64::from(held);
        self.promised = Some(self.promised.map_or(promised, |least| least.min(promised)));
    }

    /// Adds the intervals of another place. They must be independent of these.
    pub(crate) fn merge(&mut self, other: Self) {
        self.asked += other.asked;
        self.held += other.held;
        self.promised = match (self.promised, other.promised) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
    }

    /// The measured coverage.
    pub(crate) fn share(&self) -> f64 {
        self.held as f64 / self.asked as f64
    }

    /// Whether their coverage is at least the promised one, in percent. Independent intervals with exactly the promised coverage
    /// fail with probability `false_alarm`. If they are too few for a band of at most 3 points, they can fail and not hold.
    pub(crate) fn check(&self, place: impl Into<String>, false_alarm: f64) -> Check {
        let promised = self.promised.unwrap_or(f64::NAN);
        // Both tails of the band get half of it; only the lower is asked here.
        let (fewest, _) = binomial_band(self.asked, promised, 2.0 * false_alarm);
        at_least(place, self.share(), promised, promised - fewest / self.asked as f64)
    }
}

/// Whether a coverage is at least the promised one, in percent, if it may stray by `band`. Too wide a band can refute the promise but not
/// confirm it: a coverage inside is not judged.
fn at_least(place: impl Into<String>, share: f64, promised: f64, band: f64) -> Check {
    let lower = promised - band;
    let is_open = band > WIDEST_BAND && share >= lower;
    Check {
        place: place.into(),
        value: 100.0 * share,
        expected: 100.0 * promised,
        lower: if is_open { f64::NEG_INFINITY } else { 100.0 * lower },
        upper: f64::INFINITY,
    }
}

/// Intervals of independent trials, each with several that depend on each other: the coverage of each trial, less the promised one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pooled {
    beyond: Vec<f64>,
    promised: f64,
}

impl Pooled {
    /// Adds a trial: the guarantee of each interval, and whether it contains the true value.
    pub(crate) fn add(&mut self, intervals: impl IntoIterator<Item = (Guarantee, bool)>) {
        let (mut count, mut promised, mut held) = (0.0, 0.0, 0.0);
        for (guarantee, holds) in intervals {
            count += 1.0;
            promised += Coverage::promise(guarantee);
            held += f64::from(u8::from(holds));
        }
        if count > 0.0 {
            self.beyond.push((held - promised) / count);
            self.promised += promised / count;
        }
    }

    /// The measured coverage; no number if there are no intervals.
    pub(crate) fn share(&self) -> f64 {
        self.promised / self.beyond.len() as f64 + Summary::of(&self.beyond).mean
    }

    /// Whether the coverage is at least the promised one, in percent, by Student's t over the trials; nothing without intervals.
    pub(crate) fn check(&self, false_alarm: f64) -> Option<Check> {
        let trials = self.beyond.len() as f64;
        let promised = self.promised / trials;
        let band = student(trials - 1.0, 2.0 * false_alarm) * Summary::of(&self.beyond).standard_error;
        (trials > 1.0).then(|| at_least("all points together", self.share(), promised, band))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Standing, Verdict};

    fn judged(held: u64, asked: u64, guarantee: Guarantee) -> bool {
        standing(held, asked, guarantee) == Standing::Holds
    }

    fn standing(held: u64, asked: u64, guarantee: Guarantee) -> Standing {
        let mut coverage = Coverage::default();
        for i in 0..asked {
            coverage.add_interval(guarantee, i < held);
        }
        assert_eq!((coverage.asked, coverage.held), (asked, held));
        Verdict::within("they hold", " %", [coverage.check("here", 1e-6)]).standing
    }

    /// Of 3,000 intervals, 15 fewer than promised are chance; 180 fewer are not. One miss is too many for a deterministic one.
    #[test]
    fn intervals_are_held_to_what_they_promise() {
        let (proven, approximate) =
            (Guarantee::Proven { confidence: 0.95 }, Guarantee::Approximate { confidence: 0.95 });
        assert!(judged(2835, 3000, proven) && judged(2775, 3000, approximate));
        assert!(!judged(2670, 3000, proven) && !judged(2610, 3000, approximate));
        assert!(judged(1000, 1000, Guarantee::Certain) && !judged(999, 1000, Guarantee::Certain));
        assert!(!judged(0, 0, proven), "nothing was measured");
    }

    /// A hundred 95 % intervals could cover 80 % by chance: they confirm nothing, however many of them hold, but 62 % refutes.
    #[test]
    fn too_few_intervals_confirm_nothing() {
        let proven = Guarantee::Proven { confidence: 0.95 };
        assert_eq!(standing(62, 100, proven), Standing::Fails);
        assert_eq!(standing(90, 100, proven), Standing::NotJudged);
        assert_eq!(standing(100, 100, proven), Standing::NotJudged);
        assert_eq!(standing(1900, 2000, proven), Standing::Holds);
        assert_eq!(standing(1240, 2000, proven), Standing::Fails, "62 %");
    }
}
