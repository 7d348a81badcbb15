//! Summary statistics of a sample, and the tolerance of its mean.

use crivo::stats::{beta_i, beta_i_inverse};

use crate::significant;

/// Mean, root mean square and the standard error of the mean of independent measurements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Summary {
    pub(crate) mean: f64,
    pub(crate) rms: f64,
    pub(crate) standard_error: f64,
    count: f64,
}

impl Summary {
    pub(crate) fn of(sample: &[f64]) -> Self {
        let count = sample.len() as f64;
        let mean = sample.iter().sum::<f64>() / count;
        let squares = sample.iter().map(|value| value * value).sum::<f64>() / count;
        let variance =
            sample.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (count - 1.0);
        Self { mean, rms: libm::sqrt(squares), standard_error: libm::sqrt(variance / count), count }
    }

    /// The number of measurements.
    pub(crate) fn count(&self) -> f64 {
        self.count
    }

    /// The probability of a mean as far above zero if the true mean were zero (Student's t, one-sided).
    pub(crate) fn chance_if_zero(&self) -> f64 {
        let (t, freedom) = (self.mean / self.standard_error, self.count - 1.0);
        let tail = 0.5 * beta_i(freedom / 2.0, 0.5, freedom / (freedom + t * t));
        if t > 0.0 { tail } else { 1.0 - tail }
    }

    /// Mean, standard error and that probability, in words.
    pub(crate) fn describe(&self, unit: &str) -> String {
        let [mean, error] = [self.mean, self.standard_error].map(|value| significant(value, 3));
        let chance = significant(self.chance_if_zero(), 2);
        format!("mean {mean}{unit}, standard error {error}{unit} (p = {chance} for a true mean of 0)")
    }
}

/// The number of estimated standard errors that a mean deviates from its expectation, to either side, with probability `chance`: Student's t.
pub(crate) fn student(freedom: f64, chance: f64) -> f64 {
    let x = beta_i_inverse(freedom / 2.0, 0.5, chance);
    libm::sqrt(freedom * (1.0 - x) / x)
}

/// The probability that the ratio of two estimates of one variance is at least this large (Fisher's F).
pub(crate) fn ratio_chance(ratio: f64, above: f64, below: f64) -> f64 {
    beta_i(below / 2.0, above / 2.0, below / (below + above * ratio))
}

/// The distance that the mean of `count` independent values of this variance exceeds with probability at most `chance`: Bernstein's
/// inequality, for values that are sums of jumps of at most `jump`.
pub(crate) fn bernstein(variance: f64, jump: f64, count: f64, chance: f64) -> f64 {
    let surprise = libm::log(2.0 / chance);
    let linear = surprise * jump / (3.0 * count);
    linear + libm::sqrt(linear * linear + 2.0 * surprise * variance / count)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The 97.5 % quantile of Student's t with 4 degrees of freedom is 2.776 (Student 1908 and every table since).
    #[test]
    fn student_and_tables() {
        let summary = Summary::of(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!((summary.mean, summary.rms), (3.0, libm::sqrt(11.0)));
        assert!((summary.standard_error - libm::sqrt(0.5)).abs() < 1e-15);
        let at = |mean| Summary { mean, standard_error: 1.0, ..summary }.chance_if_zero();
        assert!((at(2.776_445) - 0.025).abs() < 1e-6);
        assert!((at(-2.776_445) - 0.975).abs() < 1e-6);
        assert!((student(4.0, 0.05) - 2.776_445).abs() < 1e-6);
    }

    /// The 95 % point of F with 5 and 10 degrees of freedom is 3.3258 in every table.
    #[test]
    fn fisher() {
        assert!((ratio_chance(3.325_835, 5.0, 10.0) - 0.05).abs() < 1e-6);
    }

    /// It solves exp(−c·t²/(2(v + j·t/3))) = chance/2 for t, and so is never below the normal bound.
    #[test]
    fn bernstein_solves_its_inequality() {
        let (variance, jump, count, chance) = (0.3, 0.7, 64.0, 1e-6);
        let t = bernstein(variance, jump, count, chance);
        let tail = 2.0 * libm::exp(-count * t * t / (2.0 * (variance + jump * t / 3.0)));
        assert!((tail / chance - 1.0).abs() < 1e-12, "{tail}");
        assert!(t > 4.89 * libm::sqrt(variance / count));
    }
}
