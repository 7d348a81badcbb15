//! Densities estimated from samples, and how far apart two are.

use libm::{exp, pow, sqrt};

use crate::sample::Sample;

/// Silverman's rule of thumb for the width of a Gaussian kernel, as the default of R's `density`
/// (`bw.nrd0`): 0.9·min(standard deviation, interquartile range/1.34)·n^(−1/5).
pub(crate) fn bandwidth(sample: &Sample) -> f64 {
    let between_quartiles = sample.quantile(0.75) - sample.quantile(0.25);
    0.9 * sample.standard_deviation().min(between_quartiles / 1.34) * pow(sample.total() as f64, -0.2)
}

/// The density at each of `points` of values in order with their counts, `total` with those left out, by Gaussian
/// kernels of this width.
pub(crate) fn kernel_density(values: &[(f64, u64)], total: u64, width: f64, points: &[f64]) -> Vec<f64> {
    let reach = REACH * width;
    let scale = 1.0 / (sqrt(2.0 * std::f64::consts::PI) * width * total as f64);
    let at = |&x: &f64| {
        let from = values.partition_point(|&(value, _)| value < x - reach);
        let near = values[from..].iter().take_while(|&&(value, _)| value <= x + reach);
        let kernel = |&(value, count): &(f64, u64)| {
            let away = (x - value) / width;
            count as f64 * exp(-0.5 * away * away)
        };
        scale * near.map(kernel).sum::<f64>()
    };
    points.iter().map(at).collect()
}

/// Beyond this number of widths a kernel adds less than 10⁻¹³ of its height.
const REACH: f64 = 8.0;

/// The density that a kernel makes of a distribution known to multiples of `unit`: what [`kernel_density`] gives on
/// average for values that follow it.
pub(crate) fn smoothed(cdf: impl Fn(f64) -> f64, unit: f64, width: f64, points: &[f64]) -> Vec<f64> {
    const TOTAL: u64 = 1 << 50;
    let place = |x: f64| libm::round(x / unit) as i64;
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return Vec::new() };
    let multiple = |i: i64| {
        let [from, to] = [i as f64 - 0.5, i as f64 + 0.5].map(|edge| cdf(edge * unit));
        (i as f64 * unit, libm::round((to - from) * TOTAL as f64) as u64)
    };
    let near = place(first - REACH * width)..=place(last + REACH * width);
    let values: Vec<(f64, u64)> = near.map(multiple).collect();
    kernel_density(&values, TOTAL, width, points)
}

/// The mean squared and the mean absolute difference of two functions at the same points: EQM and MEA.
pub(crate) fn differences(one: &[f64], other: &[f64]) -> (f64, f64) {
    let mean = |of: fn(f64) -> f64| {
        one.iter().zip(other).map(|(a, b)| of(a - b)).sum::<f64>() / one.len().min(other.len()) as f64
    };
    (mean(|difference| difference * difference), mean(f64::abs))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `bw.nrd0(c(3,1,4,1,5,9,2,6))` by hand: the quartiles are 3.5 apart, 3.5/1.34 = 2.6119 < 2.7484.
    #[test]
    fn bandwidth_as_in_r() {
        let sample = Sample::of(vec![3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0]);
        let expected = 0.9 * 3.5 / 1.34 * pow(8.0, -0.2);
        assert!((bandwidth(&sample) - expected).abs() < 1e-15);
    }

    #[test]
    fn a_kernel_density_is_one() {
        let sample = Sample::of(vec![0.0, 0.0, 1.0]);
        let points: Vec<f64> = (0..2_000).map(|i| -4.0 + f64::from(i) / 200.0).collect();
        let density = kernel_density(sample.values(), sample.total(), 0.5, &points);
        assert!((density.iter().sum::<f64>() / 200.0 - 1.0).abs() < 1e-12);
        // Two kernels of three at 0, one at two widths: (2 + e^(−2))/(3·0.5·√(2π)).
        let expected = (2.0 + exp(-2.0)) / (1.5 * sqrt(2.0 * std::f64::consts::PI));
        assert!((density[800] - expected).abs() < 1e-14);
    }

    /// A normal distribution seen through a normal kernel is a normal one with both variances.
    #[test]
    fn smoothed_by_theory() {
        let points = [-1.0, 0.0, 0.5, 2.0];
        let density = smoothed(crivo::stats::normal_cdf, 0.001, 0.75, &points);
        for (x, density) in points.into_iter().zip(density) {
            let expected = exp(-0.5 * x * x / 1.5625) / (1.25 * sqrt(2.0 * std::f64::consts::PI));
            assert!((density - expected).abs() < 1e-7, "{x}: {density} {expected}");
        }
    }

    #[test]
    fn differences_by_hand() {
        assert_eq!(differences(&[1.0, 2.0, 3.0, 4.0], &[1.0, 4.0, 2.0, 4.0]), (1.25, 0.75));
    }
}
