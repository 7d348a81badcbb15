//! The Kolmogorov–Smirnov test of a sample against a continuous distribution.

use core::f64::consts::PI;

/// The p-value of the two-sided Kolmogorov–Smirnov statistic: the chance that the greatest distance between
/// the empirical distribution function of `n` numbers and the true one exceeds `d`.
///
/// Kolmogorov's limit law with the finite-sample argument `d (√n + 0.12 + 0.11 / √n)` of M. A. Stephens, "Use
/// of the Kolmogorov–Smirnov, Cramér–von Mises and Related Statistics without Extensive Tables" (1970): for
/// `n >= 5` within 0.023 of the exact value, and within 0.0032 of p-values below 0.2. Of the two series of
/// the limit law (Jacobi's theta function) the faster one is used. NaN unless `0 <= d <= 1` and `n >= 1`.
///
/// ```
/// use crivo::stats::kolmogorov_sf;
/// // The 5 % point for a large sample is 1.3581 / √n.
/// assert!((kolmogorov_sf(0.001_358_1, 1_000_000) - 0.05).abs() < 1e-4);
/// ```
pub fn kolmogorov_sf(d: f64, n: u64) -> f64 {
    if !(0.0..=1.0).contains(&d) || n == 0 {
        return f64::NAN;
    }
    let root = libm::sqrt(n as f64);
    limit_sf(d * (root + 0.12 + 0.11 / root))
}

/// `2 Σ (-1)^(j-1) e^(-2 j² t²)`, the upper tail of Kolmogorov's limit law.
fn limit_sf(t: f64) -> f64 {
    // Four terms of either series leave less than 1e-19 on its side of 1.
    const TERMS: u32 = 4;
    if t == 0.0 {
        return 1.0;
    }
    if t < 1.0 {
        let lower: f64 = (1..=TERMS)
            .map(|j| {
                let odd = f64::from(2 * j - 1) * PI / t;
                libm::exp(-odd * odd / 8.0)
            })
            .sum();
        return 1.0 - libm::sqrt(2.0 * PI) / t * lower;
    }
    (1..=TERMS)
        .map(|j| {
            let scaled = f64::from(j) * t;
            let term = 2.0 * libm::exp(-2.0 * scaled * scaled);
            if j % 2 == 1 { term } else { -term }
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::super::assert_close;
    use super::*;

    #[test]
    fn limit_law_matches_high_precision_values() {
        for (t, expected) in [
            (0.3, 0.999_990_694_198_665_5),
            (0.5, 0.963_945_243_664_875_1),
            (0.827_573_555_189_907_7, 0.499_999_999_999_999_94),
            (0.95, 0.327_485_484_479_559_2),
            (1.0, 0.269_999_671_677_354_5),
            (1.358_098_639_322_550_5, 0.050_000_000_000_000_03),
            (2.0, 0.000_670_925_255_779_695_3),
            (5.0, 3.857_499_695_927_835_6e-22),
            (12.0, 1.675_788_506_763_873_9e-125),
        ] {
            assert_close(limit_sf(t), expected, 1e-14, &t);
        }
    }

    #[test]
    fn both_series_meet() {
        assert_close(limit_sf(1.0 - f64::EPSILON), limit_sf(1.0), 1e-14, &());
    }

    #[test]
    fn near_the_exact_law_of_small_samples() {
        // The exact 5 % and 1 % points.
        for (n, five, one) in [(5, 0.563_28, 0.668_53), (10, 0.409_25, 0.488_93), (50, 0.188_41, 0.226_04)] {
            assert!(libm::fabs(kolmogorov_sf(five, n) - 0.05) < 0.0032, "{n}");
            assert!(libm::fabs(kolmogorov_sf(one, n) - 0.01) < 0.0032, "{n}");
        }
    }

    #[test]
    fn falls_from_one_to_zero() {
        let mut previous = 1.0;
        for step in 0..=1000 {
            let now = kolmogorov_sf(f64::from(step) / 1000.0, 500);
            assert!((0.0..=previous).contains(&now), "{step}: {now} after {previous}");
            previous = now;
        }
        assert!(kolmogorov_sf(0.0, 7) >= 1.0 && previous < 1e-300);
    }

    #[test]
    fn invalid_arguments_are_nan() {
        for (d, n) in [(-0.1, 5), (1.1, 5), (f64::NAN, 5), (0.5, 0)] {
            assert!(kolmogorov_sf(d, n).is_nan(), "{d} {n}");
        }
    }
}
