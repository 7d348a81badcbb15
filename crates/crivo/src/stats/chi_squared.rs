//! The chi-squared distribution with `df` degrees of freedom: twice a gamma variable of shape `df / 2`.

use super::gamma::{gamma_p, gamma_p_inverse, gamma_q};

/// Returns the probability that a chi-squared variable is at most `x`: `P(df/2, x/2)`.
///
/// NaN unless `2e-6 <= df <= 2e20` and `x >= 0`.
///
/// ```
/// use crivo::stats::chi_squared_cdf;
/// // Two degrees of freedom are an exponential distribution of mean 2.
/// assert!((chi_squared_cdf(2.0, 3.0) - (1.0 - (-1.5f64).exp())).abs() < 1e-15);
/// ```
pub fn chi_squared_cdf(df: f64, x: f64) -> f64 {
    gamma_p(0.5 * df, 0.5 * x)
}

/// Returns the p-value of a chi-squared statistic: the probability that a chi-squared variable exceeds `x`.
///
/// NaN unless `2e-6 <= df <= 2e20` and `x >= 0`.
///
/// ```
/// use crivo::stats::chi_squared_sf;
/// assert!((chi_squared_sf(10.0, 18.307_038_053_275_146) - 0.05).abs() < 1e-15);
/// ```
pub fn chi_squared_sf(df: f64, x: f64) -> f64 {
    gamma_q(0.5 * df, 0.5 * x)
}

/// Returns the value that a chi-squared variable stays below with probability `p`.
///
/// NaN unless `2e-6 <= df <= 2e20` and `0 <= p <= 1`.
///
/// ```
/// use crivo::stats::chi_squared_quantile;
/// assert!((chi_squared_quantile(10.0, 0.95) - 18.307_038_053_275_146).abs() < 1e-13);
/// ```
pub fn chi_squared_quantile(df: f64, p: f64) -> f64 {
    2.0 * gamma_p_inverse(0.5 * df, p)
}

#[cfg(test)]
mod tests {
    use super::super::{assert_close, normal_sf};
    use super::*;

    #[test]
    fn quantiles_match_high_precision_values() {
        for (df, p, expected) in [
            (1.0, 0.95, 3.841_458_820_694_124_5),
            (1.0, 0.001, 1.570_797_149_262_49e-6),
            (2.0, 0.5, 1.386_294_361_119_890_6),
            (4.0, 1e-9, 8.944_405_246_065_528e-5),
            (10.0, 0.95, 18.307_038_053_275_143),
            (10.0, 0.05, 3.940_299_136_119_06),
            (99.0, 0.999_999, 180.792_015_325_778_9),
            (255.0, 0.5, 254.333_644_073_510_8),
            (255.0, 0.01, 205.420_876_409_562_94),
            (1023.0, 0.999, 1_168.497_164_180_217_4),
        ] {
            assert_close(chi_squared_quantile(df, p), expected, 1e-12, &(df, p));
            assert_close(chi_squared_cdf(df, expected), p, 1e-10, &(df, p));
        }
    }

    #[test]
    fn one_degree_of_freedom_is_a_squared_normal() {
        for step in 1..350 {
            let z = f64::from(step) / 10.0;
            assert_close(chi_squared_sf(1.0, z * z), 2.0 * normal_sf(z), 1e-12, &z);
        }
    }

    #[test]
    fn invalid_arguments_are_nan() {
        for (df, x) in [(0.0, 1.0), (-1.0, 1.0), (f64::NAN, 1.0), (2.0, -1.0), (2.0, f64::NAN)] {
            assert!(chi_squared_cdf(df, x).is_nan() && chi_squared_sf(df, x).is_nan(), "{df} {x}");
        }
        assert!(chi_squared_quantile(3.0, 1.5).is_nan());
    }
}
