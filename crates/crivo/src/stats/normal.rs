//! The standard normal distribution.

use core::f64::consts::{FRAC_1_SQRT_2, TAU};

/// Returns the probability that a standard normal variable is at most `x`: `½ erfc(-x / √2)` (DLMF 7.17).
///
/// NaN for NaN.
///
/// ```
/// use crivo::stats::normal_cdf;
/// assert_eq!(normal_cdf(0.0), 0.5);
/// assert!((normal_cdf(1.0) - 0.841_344_746_068_542_9).abs() < 1e-15);
/// ```
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x * FRAC_1_SQRT_2)
}

/// Returns the probability that a standard normal variable exceeds `x`, with full relative accuracy in the tail.
///
/// NaN for NaN.
///
/// ```
/// use crivo::stats::normal_sf;
/// assert!((normal_sf(6.0) / 9.865_876_450_376_946e-10 - 1.0).abs() < 1e-14);
/// ```
pub fn normal_sf(x: f64) -> f64 {
    0.5 * libm::erfc(x * FRAC_1_SQRT_2)
}

/// Returns the `x` that a standard normal variable stays below with probability `p`.
///
/// The result is infinite at 0 and 1, and NaN outside [0, 1]. Abramowitz and Stegun 26.2.23 gives a start that is off
/// by less than 4.5e-4; two steps of Halley's method, each tripling the number of digits, complete it.
///
/// ```
/// use crivo::stats::normal_quantile;
/// assert!((normal_quantile(0.975) - 1.959_963_984_540_054).abs() < 1e-15);
/// assert_eq!(normal_quantile(0.0), f64::NEG_INFINITY);
/// assert!(normal_quantile(1.1).is_nan());
/// ```
pub fn normal_quantile(p: f64) -> f64 {
    if !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    if p > 0.5 { upper_tail_point(1.0 - p) } else { -upper_tail_point(p) }
}

/// Returns the `x >= 0` that is exceeded with probability `q`, for `q <= 1/2`.
fn upper_tail_point(q: f64) -> f64 {
    if q == 0.0 {
        return f64::INFINITY;
    }
    if q >= 0.5 {
        return 0.0;
    }
    let t = libm::sqrt(-2.0 * libm::log(q));
    let numerator = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let denominator = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    let mut x = t - numerator / denominator;
    for _ in 0..2 {
        // Near the centre the distance from ½ has the digits, in the tail the tail has them.
        let excess = if q > 0.25 { (0.5 - q) - 0.5 * libm::erf(x * FRAC_1_SQRT_2) } else { normal_sf(x) - q };
        let density = libm::exp(-0.5 * x * x) / libm::sqrt(TAU);
        let newton = excess / density;
        x += newton / (1.0 - 0.5 * x * newton);
    }
    x
}

#[cfg(test)]
mod tests {
    use super::super::assert_close;
    use super::*;

    /// `(x, P[X > x])`, from 40-digit arithmetic.
    const UPPER_TAIL: [(f64, f64); 9] = [
        (-3.0, 0.998_650_101_968_369_9),
        (-0.5, 0.691_462_461_274_013_1),
        (0.1, 0.460_172_162_722_971),
        (1.0, 0.158_655_253_931_457_05),
        (2.5, 0.006_209_665_325_776_135),
        (6.0, 9.865_876_450_376_98e-10),
        (12.0, 1.776_482_112_077_679e-33),
        (25.0, 3.056_696_706_382_561e-138),
        (37.5, 4.605_353_009_581_955e-308),
    ];

    #[test]
    fn tails_match_high_precision_values() {
        for (x, expected) in UPPER_TAIL {
            assert_close(normal_sf(x), expected, 1e-13, &x);
            assert_close(normal_cdf(-x), expected, 1e-13, &x);
        }
    }

    #[test]
    fn quantile_matches_high_precision_values() {
        for (p, expected) in [
            (1e-300, -37.047_096_299_361_2),
            (1e-100, -21.273_453_560_965_326),
            (1e-20, -9.262_340_089_798_407),
            (1e-9, -5.997_807_015_007_686_5),
            (0.001, -3.090_232_306_167_813_6),
            (0.025, -1.959_963_984_540_054_3),
            (0.3, -0.524_400_512_708_040_8),
            (0.45, -0.125_661_346_855_074_02),
            (0.6, 0.253_347_103_135_799_7),
            (0.84, 0.994_457_883_209_753),
            (0.975, 1.959_963_984_540_053_8),
            (0.999_999, 4.753_424_308_817_087),
        ] {
            assert_close(normal_quantile(p), expected, 4.0 * f64::EPSILON, &p);
        }
    }

    #[test]
    fn quantile_inverts_the_lower_tail() {
        for exponent in 1..300 {
            let p = libm::pow(10.0, -f64::from(exponent));
            assert_close(normal_cdf(normal_quantile(p)), p, 1e-12, &p);
        }
        for step in 1..1000 {
            let p = f64::from(step) / 1000.0;
            let x = normal_quantile(p);
            // The rounding of x moves the tail by a relative x² ε at most.
            assert_close(normal_cdf(x), p, (1.0 + x * x) * f64::EPSILON, &p);
        }
    }

    #[test]
    fn quantile_is_odd_and_keeps_its_digits_at_the_centre() {
        let density = 1.0 / libm::sqrt(TAU);
        for exponent in 10..50 {
            let offset = libm::scalbn(1.0, -exponent);
            let above = normal_quantile(0.5 + offset);
            assert_close(-normal_quantile(0.5 - offset), above, 1e-15, &exponent);
            // x = (p - ½) √2π (1 + (p - ½)² 2π / 6 + ...)
            let linear = offset / density;
            assert_close(above, linear * (1.0 + linear * linear / 6.0), 1e-11, &exponent);
        }
        assert!(normal_quantile(0.5).abs() < f64::MIN_POSITIVE);
    }

    #[test]
    fn edges_and_invalid_arguments() {
        assert!(normal_quantile(1.0) == f64::INFINITY);
        assert!(normal_quantile(f64::from_bits(1)) < -38.0);
        for p in [-f64::MIN_POSITIVE, 1.0 + f64::EPSILON, f64::NAN, f64::INFINITY] {
            assert!(normal_quantile(p).is_nan(), "{p}");
        }
        assert!(normal_sf(f64::INFINITY).abs() < f64::MIN_POSITIVE && normal_cdf(f64::NAN).is_nan());
    }
}
