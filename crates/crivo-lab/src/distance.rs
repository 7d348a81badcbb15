//! How far a sample is from a distribution, without estimating a density.

use crate::sample::Sample;

/// Kolmogorov's and Cramér and von Mises' distance of a sample from a distribution function: sup |Fₙ − F| and
/// ∫ (Fₙ − F)² dF.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Distances {
    pub(crate) kolmogorov: f64,
    pub(crate) cramer_von_mises: f64,
}

impl Distances {
    /// Of values that were rounded to multiples of `rounding`; 0 when they were not. The empirical function is known
    /// only where one multiple ends and the next begins, so Kolmogorov's distance looks there, and the difference is
    /// taken as linear between.
    pub(crate) fn of(sample: &Sample, rounding: f64, cdf: impl Fn(f64) -> f64) -> Self {
        let total = sample.total() as f64;
        let cube = |x: f64| x * x * x / 3.0;
        let (mut seen, mut reached) = (0u64, 0.0);
        let (mut kolmogorov, mut square) = (0.0f64, 0.0);
        for &(value, count) in sample.values() {
            let [before, after] = [seen, seen + count].map(|seen| seen as f64 / total);
            let [from, to] = [value - 0.5 * rounding, value + 0.5 * rounding].map(&cdf);
            let (lower, upper) = (before - from, after - to);
            kolmogorov = kolmogorov.max(lower.abs()).max(upper.abs());
            // From the last value to this one the empirical function stands still, and F grows.
            square += cube(before - reached) - cube(lower);
            square += (to - from) * (lower * lower + lower * upper + upper * upper) / 3.0;
            (seen, reached) = (seen + count, to);
        }
        Self { kolmogorov, cramer_von_mises: square + cube(1.0 - reached) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uniform(x: f64) -> f64 {
        x.clamp(0.0, 1.0)
    }

    /// The classical formula: 1/(12n²) + Σ (F(xᵢ) − (2i − 1)/(2n))²/n.
    #[test]
    fn as_in_the_books() {
        let values = [0.1, 0.15, 0.4, 0.7, 0.95];
        let distances = Distances::of(&Sample::of(values.to_vec()), 0.0, uniform);
        let n = values.len() as f64;
        let term = |(i, x): (usize, &f64)| (x - (2 * i + 1) as f64 / (2.0 * n)).powi(2) / n;
        let expected = 1.0 / (12.0 * n * n) + values.iter().enumerate().map(term).sum::<f64>();
        assert!((distances.cramer_von_mises - expected).abs() < 1e-15, "{distances:?}");
        assert!((distances.kolmogorov - 0.25).abs() < 1e-15, "{distances:?}");
    }

    /// Every hundredth once is uniform but for the rounding, which is no distance.
    #[test]
    fn rounding_is_no_distance() {
        let hundredths = || (0..100).map(|i| (f64::from(i) + 0.5) / 100.0).collect();
        let rounded = Distances::of(&Sample::of(hundredths()), 0.01, uniform);
        assert!(rounded.kolmogorov < 1e-14 && rounded.cramer_von_mises < 1e-20, "{rounded:?}");
        let exact = Distances::of(&Sample::of(hundredths()), 0.0, uniform);
        assert!((exact.kolmogorov - 0.005).abs() < 1e-14);
        assert!((exact.cramer_von_mises - 1.0 / 120_000.0).abs() < 1e-15);
    }
}
