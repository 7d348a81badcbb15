//! The error with which a rule could be judged.

use crivo::profile::ProfileParams;

/// How many hashes a sketch must keep to judge a rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finer {
    /// How many it keeps now.
    now: f64,
    /// How many it must keep.
    needed: f64,
}

/// To count this many distinct values one by one. The number of counters is the largest power of two up to the number of
/// hashes.
pub(super) fn counting_exactly(kept: u32, distinct: f64) -> Finer {
    Finer { now: f64::from(kept), needed: distinct.log2().ceil().exp2() }
}

impl Finer {
    /// Or to make an interval narrower that reaches this far, so that it does not reach a bound beyond the gap: its length
    /// falls with the square root of the number of hashes. The estimate will be another one, by up to the length of the
    /// new interval, so that half the gap is aimed at.
    pub(super) fn or_narrower(self, reach: f64, gap: f64) -> Self {
        let needed = self.now * (2.0 * reach / gap).powi(2);
        // A bound that is hit can be judged only by counting.
        let needed = if needed.is_finite() { self.needed.min(needed) } else { self.needed };
        Self { needed, ..self }
    }

    /// The larger of two needs.
    pub(super) fn and(self, other: Self) -> Self {
        Self { needed: self.needed.max(other.needed), ..self }
    }

    /// The error of a profile that keeps as many, in three digits, if there is one.
    pub(super) fn error(self) -> Option<f64> {
        let usual = ProfileParams::default();
        let needed = self.needed.max(self.now);
        let rounded_down = |error: f64| {
            let digits = 10f64.powf(2.0 - error.log10().floor());
            (error * digits).floor() / digits
        };
        // The error falls with the square root of the number of hashes, up to a few percent.
        let first = 0.02 * (f64::from(usual.kept()) / needed).sqrt();
        let mut errors = (0..5).map(|part| rounded_down(first * (1.0 - 0.01 * f64::from(part))));
        let is_enough = |params: ProfileParams| f64::from(params.kept()) >= needed;
        errors.find(|&error| ProfileParams::for_error(error).is_ok_and(is_enough))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_keeps_enough_hashes() {
        let kept = ProfileParams::default().kept();
        for distinct in [8193.0, 10_000.0, 100_000.0, 500_000.0] {
            let error = counting_exactly(kept, distinct).error().unwrap();
            assert!(f64::from(ProfileParams::for_error(error).unwrap().counters()) >= distinct, "{error}");
        }
        assert_eq!(counting_exactly(kept, 2e6).error(), None, "no profile has as many counters");
        let narrower = counting_exactly(kept, 2e6).or_narrower(3.0, 1.5).error().unwrap();
        assert!((0.0049..=0.005).contains(&narrower), "{narrower}");
        assert_eq!(counting_exactly(kept, 2e6).or_narrower(3.0, 0.0).error(), None);
    }
}
