//! Errors of many independent estimates, compared with what theory says of their squares.

use crivo::stats::chi_squared_quantile;
use libm::sqrt;

use super::prelude::*;

/// The squared errors of independent estimates without bias, and their first two moments by theory.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Squares {
    count: f64,
    sum: f64,
    seen: f64,
    expected: f64,
    variance: f64,
}

impl Squares {
    /// Takes an error whose law has this variance and this fourth moment.
    pub(super) fn add(&mut self, error: f64, variance: f64, fourth: f64) {
        self.count += 1.0;
        self.sum += error;
        self.seen += error * error;
        self.expected += variance;
        self.variance += (fourth - variance * variance).max(0.0);
    }

    /// Takes the error of a share of `trials` that hit with probability `chance`. `correction` is the ratio of the variance to
    /// that of independent trials: below 1 for draws without replacement, whose fourth moment is no larger than that of
    /// independent ones (Hoeffding 1963, theorem 4).
    pub(super) fn add_share(&mut self, error: f64, trials: f64, chance: f64, correction: f64) {
        let spread = chance * (1.0 - chance);
        let variance = spread / trials;
        let fourth = 3.0 * variance * variance + variance * (1.0 - 6.0 * spread) / (trials * trials);
        self.add(error, correction * variance, fourth);
    }

    /// Takes a normal error.
    pub(super) fn add_normal(&mut self, error: f64, standard_error: f64) {
        let variance = standard_error * standard_error;
        self.add(error, variance, 3.0 * variance * variance);
    }

    pub(super) fn mean(&self) -> f64 {
        self.sum / self.count
    }

    /// Root of the mean square.
    pub(super) fn rms(&self) -> f64 {
        sqrt(self.seen / self.count)
    }

    /// What theory says it is.
    pub(super) fn expected_rms(&self) -> f64 {
        sqrt(self.expected / self.count)
    }

    /// The standard error of the mean error, by theory.
    pub(super) fn mean_error(&self) -> f64 {
        sqrt(self.expected) / self.count
    }

    /// Between which bounds the root mean square lies but for so small a chance: that of a χ² law with the same two moments.
    pub(super) fn rms_band(&self, false_alarm: f64) -> (f64, f64) {
        let freedom = 2.0 * self.expected * self.expected / self.variance;
        let at = |share: f64| self.expected_rms() * sqrt(chi_squared_quantile(freedom, share) / freedom);
        (at(false_alarm / 2.0), at(1.0 - false_alarm / 2.0))
    }

    /// Whether the root mean square is what theory says, in percent.
    pub(super) fn check(&self, place: impl Into<String>, false_alarm: f64) -> Check {
        let (lower, upper) = self.rms_band(false_alarm);
        let [value, expected, lower, upper] =
            [self.rms(), self.expected_rms(), lower, upper].map(|share| 100.0 * share);
        Check { place: place.into(), value, expected, lower, upper }
    }

    /// Whether it is no more than that.
    pub(super) fn check_most(&self, place: impl Into<String>, false_alarm: f64) -> Check {
        Check { lower: f64::NEG_INFINITY, ..self.check(place, 2.0 * false_alarm) }
    }

    /// Whether the mean error is none, in percent.
    pub(super) fn check_bias(&self, place: impl Into<String>, false_alarm: f64) -> Check {
        let bound = 100.0 * crivo::stats::normal_quantile(1.0 - false_alarm / 2.0) * self.mean_error();
        Check { place: place.into(), value: 100.0 * self.mean(), expected: 0.0, lower: -bound, upper: bound }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crivo::rng::Rng;

    /// Shares of ten coins: the bounds hold them, and neither those of nine nor of a loaded coin.
    #[test]
    fn coins_are_told_from_fewer_coins() {
        let run = |coins: u32, chance: f64| {
            let (mut rng, mut squares) = (Rng::new(5), Squares::default());
            for _ in 0..20_000 {
                let hits = (0..coins).filter(|_| rng.unit() < chance).count() as f64;
                squares.add_share(hits / f64::from(coins) - 0.3, 10.0, 0.3, 1.0);
            }
            [squares.check("here", 1e-6), squares.check_bias("here", 1e-6)]
                .map(|check| Verdict::within("so", "", [check]).holds())
        };
        assert_eq!(run(10, 0.3), [true, true]);
        assert_eq!(run(9, 0.3), [false, true]);
        assert_eq!(run(10, 0.32), [true, false]);
    }
}
