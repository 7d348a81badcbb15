//! Logarithms of gamma and binomial terms, without the cancellation of `lgamma` differences.
//!
//! `a ln x - x - lgamma(a)` loses all its digits for large `a`. Following C. Loader, "Fast and Accurate
//! Computation of Binomial Probabilities" (2000), each term is written as a Stirling approximation, a small
//! correction and a deviance that vanishes at the mode.

use core::f64::consts::TAU;

/// Returns `ln(1 + u) - u`, given `1 + u` as well because it may hold digits that `u` has lost near -1.
pub(super) fn log_minus_linear(u: f64, one_plus_u: f64) -> f64 {
    if u == f64::INFINITY {
        return -u;
    }
    if libm::fabs(u) > 0.5 {
        return libm::log(one_plus_u) - u;
    }
    // ln(1 + u) = 2 atanh(r), and u - 2r = r u.
    let r = u / (2.0 + u);
    let square = r * r;
    let (mut power, mut sum, mut odd) = (square, 0.0, 3.0);
    while power > 1e-18 * libm::fabs(u) {
        sum += power / odd;
        power *= square;
        odd += 2.0;
    }
    r * (2.0 * sum - u)
}

/// `B(2k) / (2k (2k - 1))` for k = 1, 2, ..., the coefficients of Stirling's series.
const STIRLING: [f64; 7] =
    [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0, -691.0 / 360_360.0, 1.0 / 156.0];

/// Returns the error of Stirling's formula, `ln Γ(a + 1) - (a + ½) ln a + a - ½ ln 2π` (DLMF 5.11.1).
fn stirling_error(a: f64) -> f64 {
    if a < 10.0 {
        return libm::lgamma(a + 1.0) - (a + 0.5) * libm::log(a) + a - 0.5 * libm::log(TAU);
    }
    let inverse_square = 1.0 / (a * a);
    STIRLING.iter().rev().fold(0.0, |sum, c| sum * inverse_square + c) / a
}

/// Returns `ln(x^a e^-x / Γ(a))`, the gamma density times `x`.
pub(super) fn log_gamma_kernel(a: f64, x: f64) -> f64 {
    let deviance = -a * log_minus_linear((x - a) / a, x / a);
    0.5 * libm::log(a / TAU) - stirling_error(a) - deviance
}

/// Returns `a (1 - x) - b x`, rounded once, where `y = 1 - x`: how far `x` lies below the mean, times `a + b`.
pub(super) fn distance_to_mean(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let total = a + b;
    let rounding = if a > b { b - (total - a) } else { a - (total - b) };
    if x <= y { libm::fma(-total, x, a) - rounding * x } else { libm::fma(total, y, -b) + rounding * y }
}

/// Returns `ln(x^a y^b / B(a, b))` with `y = 1 - x`, the beta density times `x y`.
pub(super) fn log_beta_kernel(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let total = a + b;
    let distance = distance_to_mean(a, b, x, y);
    let deviance = -a * log_minus_linear(-distance / a, total * x / a)
        - b * log_minus_linear(distance / b, total * y / b);
    0.5 * libm::log(a / total * (b / TAU)) + stirling_error(total)
        - stirling_error(a)
        - stirling_error(b)
        - deviance
}

#[cfg(test)]
mod tests {
    use super::super::assert_close;
    use super::*;

    #[test]
    fn log_minus_linear_keeps_its_digits_near_zero() {
        // ln(1 + u) - u = -u²/2 + u³/3 - ...
        for exponent in 4..150 {
            let u = libm::pow(10.0, -f64::from(exponent));
            for u in [u, -u] {
                let expected = u * u * (-0.5 + u * (1.0 / 3.0 - u * (0.25 - u / 5.0)));
                assert_close(log_minus_linear(u, 1.0 + u), expected, 1e-15, &u);
            }
        }
    }

    #[test]
    fn log_minus_linear_is_continuous_where_the_method_changes() {
        for u in [0.5, -0.5] {
            let direct = libm::log1p(u) - u;
            assert_close(log_minus_linear(u, 1.0 + u), direct, 1e-15, &u);
        }
    }

    #[test]
    fn stirling_error_matches_factorials() {
        let mut log_factorial = 0.0;
        for n in 1..=60 {
            let a = f64::from(n);
            log_factorial += libm::log(a);
            let expected = log_factorial - ((a + 0.5) * libm::log(a) - a + 0.5 * libm::log(TAU));
            let error = libm::fabs(stirling_error(a) - expected);
            assert!(error <= 4.0 * f64::EPSILON * (log_factorial + a), "{n}: {error:e}");
        }
    }

    #[test]
    fn distance_to_mean_survives_cancellation() {
        // 1/3 rounds down by 2^-54 / 3, so (2^30) - (3 * 2^30) * (1/3) is 3 * 2^30 * 2^-54 / 3 exactly.
        let a = f64::from(1u32 << 30);
        let third = 1.0 / 3.0;
        assert_close(distance_to_mean(a, 2.0 * a, third, 1.0 - third), a * libm::scalbn(1.0, -54), 1e-15, &a);
    }
}
