//! The regularised incomplete gamma functions and their inverse.
//!
//! `P(a, x) = γ(a, x) / Γ(a)` is the distribution function of a gamma variable of shape `a`, and `Q = 1 - P`
//! its upper tail. Small shapes use the power series below the mean and Legendre's continued fraction above
//! it (DLMF 8.7.1 and 8.9.2); large ones integrate the density over the smaller tail, at a cost that does not
//! grow with `a`.

use super::log_terms::{log_gamma_kernel, log_minus_linear};
use super::normal::normal_quantile;
use super::tail::{Local, SHAPES, Tail, continued_fraction, integrate_tail, invert};

/// From this shape on the density is smooth enough, down to `x = 0`, for a fixed quadrature rule.
const LARGE_SHAPE: f64 = 50.0;

/// Returns the lower tail `P(a, x)`: the probability that a gamma variable of shape `a` is at most `x`.
///
/// Accurate to a relative 1e-11 for `a` from 1e-3 to 1e12, and to 1e-12 from 0.1 on.
/// NaN unless `1e-6 <= a <= 1e20` and `x >= 0`.
///
/// ```
/// use crivo::stats::gamma_p;
/// // Shape 1 is the exponential distribution.
/// assert!((gamma_p(1.0, 2.0) - (1.0 - (-2.0f64).exp())).abs() < 1e-15);
/// assert!(gamma_p(-1.0, 2.0).is_nan());
/// ```
pub fn gamma_p(a: f64, x: f64) -> f64 {
    match domain(a, x) {
        Some(edge) => edge,
        None => tail(a, x).lower(),
    }
}

/// Returns the upper tail `Q(a, x) = 1 - P(a, x)`, with full relative accuracy where it is small.
///
/// For an integer `a` it is the probability of fewer than `a` events where `x` are expected (Poisson).
/// NaN unless `1e-6 <= a <= 1e20` and `x >= 0`.
///
/// ```
/// use crivo::stats::gamma_q;
/// // At most one event where 50 are expected.
/// assert!((gamma_q(2.0, 50.0) / (51.0 * (-50.0f64).exp()) - 1.0).abs() < 1e-13);
/// ```
pub fn gamma_q(a: f64, x: f64) -> f64 {
    match domain(a, x) {
        Some(edge) => 1.0 - edge,
        None => tail(a, x).upper(),
    }
}

/// Returns the `x` at which `P(a, x) = p`: the quantile function of the gamma distribution of shape `a`.
///
/// The result is infinite at `p = 1`, and zero where the quantile is below the smallest `f64`, which happens for small
/// `a`.
/// NaN unless `1e-6 <= a <= 1e20` and `0 <= p <= 1`.
///
/// Newton's method on the logarithm of the smaller tail as a function of `ln x`, from the approximation of
/// Wilson and Hilferty (1931) or the first term of the power series, whichever is larger.
///
/// ```
/// use crivo::stats::{gamma_p, gamma_p_inverse};
/// let x = gamma_p_inverse(3.5, 0.01);
/// assert!((gamma_p(3.5, x) - 0.01).abs() < 1e-15);
/// ```
pub fn gamma_p_inverse(a: f64, p: f64) -> f64 {
    if !(SHAPES.contains(&a) && (0.0..=1.0).contains(&p)) {
        return f64::NAN;
    }
    if p == 0.0 {
        return 0.0;
    }
    if p >= 1.0 {
        return f64::INFINITY;
    }
    let first_term = libm::exp((libm::log(p) + libm::lgamma(a + 1.0)) / a);
    let wilson_hilferty = 1.0 - 1.0 / (9.0 * a) + normal_quantile(p) / (3.0 * libm::sqrt(a));
    let start = first_term.max(a * wilson_hilferty * wilson_hilferty * wilson_hilferty);
    // The logarithm of the density of ln x is a ln x - x.
    let density = |x: f64| [a - x, -x, -x, -x];
    if p <= 0.5 {
        let lower = |x| Local { tail: tail(a, x).log_and_slope(true), density: density(x) };
        invert(start, p, 1.0 + 1.0 / a, lower)
    } else {
        let upper = |x| {
            let (log, slope) = tail(a, x).log_and_slope(false);
            Local { tail: (log, -slope), density: density(x) }
        };
        invert(start, 1.0 - p, 1.0, upper)
    }
}

/// Returns `Some(P)` where `P` is 0, 1 or NaN whatever the method, and `None` inside the domain.
fn domain(a: f64, x: f64) -> Option<f64> {
    if !(SHAPES.contains(&a) && x >= 0.0) {
        Some(f64::NAN)
    } else if x == 0.0 {
        Some(0.0)
    } else if x == f64::INFINITY {
        Some(1.0)
    } else {
        None
    }
}

fn tail(a: f64, x: f64) -> Tail {
    let log_kernel = log_gamma_kernel(a, x);
    if a >= LARGE_SHAPE {
        let is_lower = x < a;
        return Tail { is_lower, log_kernel, ratio: integrate(a, x, is_lower) / x };
    }
    if x < a + 1.0 {
        return Tail { is_lower: true, log_kernel, ratio: power_series(a, x) };
    }
    let fraction = continued_fraction(x + 1.0 - a, |n| (-n * (n - a), x + 2.0 * n + 1.0 - a));
    Tail { is_lower: false, log_kernel, ratio: 1.0 / fraction }
}

/// Returns `1/a + x/(a(a+1)) + x²/(a(a+1)(a+2)) + ...`, for `x < a + 1`.
fn power_series(a: f64, x: f64) -> f64 {
    let mut term = 1.0 / a;
    let (mut sum, mut denominator) = (term, a);
    while term > f64::EPSILON / 4.0 * sum {
        denominator += 1.0;
        term *= x / denominator;
        sum += term;
    }
    sum
}

/// Returns the integral of the density beyond `x`, divided by the density at `x`.
fn integrate(a: f64, x: f64, is_lower: bool) -> f64 {
    let power = a - 1.0;
    let slope = (power - x) / x;
    let (sign, length) = if is_lower { (-1.0, x) } else { (1.0, f64::INFINITY) };
    integrate_tail(slope, x / libm::sqrt(a), length, |distance| {
        let step = sign * distance;
        power * log_minus_linear(step / x, (x + step) / x) + step * slope
    })
}

#[cfg(test)]
mod tests {
    use super::super::{assert_close, normal_cdf};
    use super::*;

    /// `(a, x, P, Q)`, from 50-digit arithmetic.
    const REFERENCE: &[(f64, f64, f64, f64)] = &[
        (0.001, 0.0011, 0.993_782_260_543_698_3, 0.006_217_739_456_301_663),
        (0.001, 0.002, 0.994_375_664_625_567_5, 0.005_624_335_374_432_554),
        (0.001, 0.475_341_649_025_256_9, 0.999_408_878_348_599_4, 0.000_591_121_651_400_587),
        (0.01, 0.009_000_000_000_000_001, 0.959_345_583_482_975_4, 0.040_654_416_517_024_665),
        (0.01, 1.51, 0.999_001_354_110_786_7, 0.000_998_645_889_213_307_2),
        (0.01, 3.01, 0.999_868_704_951_038_7, 0.000_131_295_048_961_232_04),
        (0.5, 2.621_320_343_559_643, 0.977_960_204_718_781_8, 0.022_039_795_281_218_248),
        (1.0, 0.9, 0.593_430_340_259_400_9, 0.406_569_659_740_599_1),
        (1.0, 2.0, 0.864_664_716_763_387_3, 0.135_335_283_236_612_7),
        (2.5, 22.5, 0.999_999_985_491_228_3, 1.450_877_169_658_265_8e-8),
        (7.0, 4.354_248_688_935_409, 0.150_741_285_869_138_82, 0.849_258_714_130_861_2),
        (7.0, 6.735_424_868_893_541, 0.510_171_007_886_663_6, 0.489_828_992_113_336_4),
        (7.0, 9.645_751_311_064_59, 0.845_892_914_932_2, 0.154_107_085_067_800_08),
        (9.9, 0.460_720_366_468_635_23, 1.068_545_184_742_857_6e-10, 0.999_999_999_893_145_5),
        (9.9, 10.89, 0.659_120_926_532_501_2, 0.340_879_073_467_498_85),
        (10.1, 50.5, 0.999_999_999_999_012_8, 9.872_154_278_001_945e-13),
        (49.9, 24.95, 7.095_536_408_064_623_5e-6, 0.999_992_904_463_591_9),
        (49.9, 42.836_006_795_020_25, 0.157_756_143_131_951_88, 0.842_243_856_868_048_1),
        (49.9, 49.193_600_679_502_026, 0.478_782_369_092_163_15, 0.521_217_630_907_836_8),
        (49.9, 71.091_979_614_939_23, 0.996_560_870_319_361, 0.003_439_129_680_638_96),
        (49.9, 106.411_945_639_837_95, 0.999_999_999_643_348_7, 3.566_512_961_663_723e-10),
        (50.0, 42.928_932_188_134_524, 0.157_758_042_814_633_43, 0.842_241_957_185_366_5),
        (50.5, 51.210_633_520_177_595, 0.558_200_642_069_196_5, 0.441_799_357_930_803_5),
        (50.5, 71.819_005_605_327_85, 0.996_575_340_821_791_3, 0.003_424_659_178_208_639_3),
        (50.5, 107.350_681_614_207_59, 0.999_999_999_658_801, 3.411_990_115_790_462_3e-10),
        (60.0, 13.524_199_845_510_992, 1.518_222_325_957_738_2e-20, 1.0),
        (100.0, 10.0, 5.398_589_728_139_581e-63, 1.0),
        (100.0, 20.0, 3.488_878_669_689_653e-37, 1.0),
        (100.0, 90.0, 0.158_220_989_186_430_16, 0.841_779_010_813_569_9),
        (100.0, 110.0, 0.841_721_329_939_912_9, 0.158_278_670_060_087_08),
        (100.0, 130.0, 0.997_249_591_632_693_4, 0.002_750_408_367_306_526),
        (300.0, 282.679_491_924_311_2, 0.158_515_059_369_201_27, 0.841_484_940_630_798_7),
        (300.0, 438.564_064_605_510_2, 0.999_999_999_999_035_8, 9.641_811_289_030_338e-13),
        (300.0, 559.807_621_135_331_6, 1.0, 7.301_373_319_955_093e-34),
        (300.0, 819.615_242_270_663_2, 1.0, 2.529_043_251_610_619_3e-97),
        (1000.0, 1001.0, 0.516_811_452_929_786_3, 0.483_188_547_070_213_8),
        (1000.0, 1_252.982_212_813_470_4, 0.999_999_999_999_941_7, 5.831_229_554_663_752e-14),
        (1000.0, 2000.0, 1.0, 6.847_349_459_614_753e-136),
        (10_000.0, 10_000.0, 0.501_329_808_339_955_2, 0.498_670_191_660_044_8),
        (12_345.5, 12_365.5, 0.572_563_256_233_27, 0.427_436_743_766_73),
        (12_345.5, 13_580.050_000_000_001, 1.0, 2.549_792_768_703_678_6e-27),
        (100_000.0, 100_001.0, 0.501_682_078_909_707_3, 0.498_317_921_090_292_77),
        (1_000_000.0, 999_900.0, 0.460_303_160_251_400_1, 0.539_696_839_748_599_9),
        (1_000_000.0, 1_001_000.0, 0.841_344_786_368_340_3, 0.158_655_213_631_659_71),
        (1_000_000.0, 1_003_000.0, 0.998_638_259_353_782_4, 0.001_361_740_646_217_591_5),
        (1_000_000_000.0, 999_810_263.340_389_8, 9.843_482_805_854_135e-10, 0.999_999_999_015_651_7),
        (1_000_000_000.0, 999_936_754.446_796_7, 0.022_748_424_576_951_497, 0.977_251_575_423_048_5),
        (1_000_000_000.0, 999_990_513.167_019_5, 0.382_092_236_181_697_13, 0.617_907_763_818_302_9),
        (1_000_000_000.0, 1_000_000_000.0, 0.500_004_205_220_870_1, 0.499_995_794_779_129_9),
        (1_000_000_000.0, 1_000_009_486.832_980_5, 0.617_915_080_546_926_3, 0.382_084_919_453_073_6),
        (1_000_000_000.0, 1_000_063_245.553_203_3, 0.977_248_160_734_504_7, 0.022_751_839_265_495_313),
        (1_000_000_000.0, 1_000_189_736.659_610_2, 0.999_999_999_011_168_5, 9.888_314_630_939_455e-10),
        (1_000_000_000.0, 1_000_474_341.649_025_2, 1.0, 3.803_857_933_340_953e-51),
        (1_000_000_000.5, 999_936_754.946_780_8, 0.022_748_424_576_877_747, 0.977_251_575_423_122_2),
        (1_000_000_000.5, 999_990_513.667_017_1, 0.382_092_236_181_545_7, 0.617_907_763_818_454_2),
        (1_000_000_000.5, 1_000_009_487.332_982_9, 0.617_915_080_547_075_9, 0.382_084_919_452_924_05),
        (1_000_000_000.5, 1_000_189_737.159_657_5, 0.999_999_999_011_168_5, 9.888_314_631_141_928e-10),
        (1_000_000_000_000.0, 999_999_700_000.0, 0.382_088_693_498_691_2, 0.617_911_306_501_308_9),
        (1_000_000_000_000.0, 1_000_002_000_000.0, 0.977_249_814_060_881_3, 0.022_750_185_939_118_726),
        (1_000_000_000_000.0, 1_000_015_000_000.0, 1.0, 3.675_098_072_897_911_6e-51),
    ];

    #[test]
    fn both_tails_match_high_precision_values() {
        for &(a, x, lower, upper) in REFERENCE {
            assert_close(gamma_p(a, x), lower, 1e-11, &("P", a, x));
            assert_close(gamma_q(a, x), upper, 1e-11, &("Q", a, x));
        }
    }

    #[test]
    fn whole_shapes_are_poisson_sums() {
        for mean in [0.5, 3.0, 12.0, 60.0, 150.0] {
            let (mut term, mut sum) = (libm::exp(-mean), 0.0);
            for a in 1..300 {
                sum += term;
                term *= mean / f64::from(a);
                assert_close(gamma_q(f64::from(a), mean), sum, 1e-12, &(a, mean));
            }
        }
    }

    #[test]
    fn neighbouring_shapes_differ_by_one_term() {
        // P(a, x) = P(a + 1, x) + x^a e^-x / Γ(a + 1), across the change of method as well.
        for a in [0.001, 0.7, 5.5, 48.5, 49.0, 49.5, 50.0, 400.0, 1e4, 1e6, 1e9, 1e12] {
            for z in [-5.0, -1.0, -0.1, 0.0, 0.1, 1.0, 5.0] {
                let x = a + z * libm::sqrt(a);
                if x > 0.0 {
                    let term = libm::exp(log_gamma_kernel(a, x)) / a;
                    assert_close(gamma_p(a, x), gamma_p(a + 1.0, x) + term, 1e-12, &(a, x));
                }
            }
        }
    }

    #[test]
    fn inverse_undoes_both_tails() {
        for a in [1e-3, 1.35e-3, 1.4e-3, 0.01, 0.3, 1.0, 1.7, 10.0, 49.0, 51.0, 333.0, 1e4, 1e6, 1e9, 1e12] {
            for exponent in 1..=300 {
                let p = libm::pow(10.0, -f64::from(exponent));
                let x = gamma_p_inverse(a, p);
                if x > f64::MIN_POSITIVE {
                    assert_close(gamma_p(a, x), p, tolerance(a), &(a, p));
                } else {
                    assert!(gamma_p(a, f64::MIN_POSITIVE) >= p, "{a} {p}");
                }
            }
            for power in 1..53 {
                let q = libm::scalbn(1.0, -power);
                let x = gamma_p_inverse(a, 1.0 - q);
                assert_close(gamma_q(a, x), q, tolerance(a), &(a, q));
            }
        }
    }

    /// A tail at `x` moves by up to 40 standard deviations times the rounding of `x`, and the exponent rounds
    /// too.
    fn tolerance(a: f64) -> f64 {
        1e-11 + 40.0 * libm::sqrt(a) * f64::EPSILON
    }

    #[test]
    fn large_shapes_approach_the_normal_distribution() {
        // Berry–Esseen: the distance is below 0.4748 times the third absolute moment, itself below 4.9, over
        // √a.
        for a in [1e6, 1e9, 1e12] {
            for z in [-4.0, -1.0, 0.0, 0.5, 3.0] {
                let distance = libm::fabs(gamma_p(a, a + z * libm::sqrt(a)) - normal_cdf(z));
                assert!(distance <= 0.4748 * 4.9 / libm::sqrt(a), "{a} {z}: {distance}");
            }
        }
    }

    #[test]
    fn rises_with_x() {
        for a in [0.001, 0.9, 49.9, 50.0, 5e4] {
            let mut previous = 0.0;
            for step in 1..=3000 {
                let now = gamma_p(a, a * f64::from(step) / 1000.0);
                assert!(now >= previous * (1.0 - 1e-14), "{a} {step}");
                previous = now;
            }
        }
    }

    #[test]
    fn edges_and_invalid_arguments() {
        assert!(gamma_p(2.0, 0.0) <= 0.0 && gamma_q(2.0, 0.0) >= 1.0);
        assert!(gamma_p(2.0, f64::INFINITY) >= 1.0 && gamma_q(2.0, f64::INFINITY) <= 0.0);
        assert!(gamma_p_inverse(2.0, 0.0) <= 0.0 && gamma_p_inverse(2.0, 1.0) == f64::INFINITY);
        for (a, x) in [(0.0, 1.0), (-1.0, 1.0), (f64::INFINITY, 1.0), (f64::NAN, 1.0), (1.0, -1.0)] {
            assert!(gamma_p(a, x).is_nan() && gamma_q(a, x).is_nan() && gamma_p_inverse(a, x - 2.0).is_nan());
        }
    }
}
