//! The regularised incomplete beta function and its inverse.
//!
//! `I_x(a, b)` is the distribution function of a beta variable: of the `a`-th smallest of `a + b - 1` uniform
//! numbers. When `a` or `b` is small it comes from the even part of the continued fraction DLMF 8.17.22, as
//! in ACM Algorithm 708 (1992), where nothing cancels. When both are large the density is integrated over the
//! smaller tail, at a cost that does not grow with them.

use super::log_terms::{distance_to_mean, log_beta_kernel, log_minus_linear};
use super::normal::normal_quantile;
use super::tail::{Local, SHAPES, Tail, continued_fraction, integrate_tail, invert};

/// From this shape on the density is smooth enough, up to both ends, for a fixed quadrature rule.
const LARGE_SHAPE: f64 = 50.0;
/// From this squared number of standard deviations on, the continued fraction takes few terms whatever the shapes.
const FAR: f64 = 2.0;

/// Returns the probability `I_x(a, b)` that a beta variable with shapes `a` and `b` is at most `x`.
///
/// Accurate to a relative 1e-10 for shapes from 1e-3 to 1e9, and to 1e-12 from 0.1 on. NaN unless
/// `a` and `b` lie in 1e-6..=1e20 and `x` in 0..=1. The upper tail is `I_{1-x}(b, a)`.
///
/// ```
/// use crivo::stats::beta_i;
/// // The median of three uniform numbers.
/// assert!((beta_i(2.0, 2.0, 0.25) - 0.15625).abs() < 1e-15);
/// assert!(beta_i(2.0, 2.0, 1.5).is_nan());
/// ```
pub fn beta_i(a: f64, b: f64, x: f64) -> f64 {
    if !(shapes_are_valid(a, b) && (0.0..=1.0).contains(&x)) {
        return f64::NAN;
    }
    if x <= 0.0 || x >= 1.0 {
        return x;
    }
    tail(a, b, x, 1.0 - x).lower()
}

/// Returns the `x` at which `I_x(a, b) = p`: the quantile function of the beta distribution.
///
/// The result is 0 or 1 where the quantile rounds to it. NaN unless `a` and `b` lie in 1e-6..=1e20 and `p` in 0..=1.
///
/// Newton's method on the logarithm of the smaller tail as a function of `ln(x / (1 - x))`, from Abramowitz
/// and Stegun 26.5.22 or the first term of the power series.
///
/// ```
/// use crivo::stats::beta_i_inverse;
/// // The least of five uniform numbers: x = 1 - (1 - p)^(1/5).
/// assert!((beta_i_inverse(1.0, 5.0, 1.0 - 0.5f64.powi(5)) - 0.5).abs() < 1e-15);
/// ```
pub fn beta_i_inverse(a: f64, b: f64, p: f64) -> f64 {
    if p <= 0.5 { invert_lower(a, b, p).0 } else { invert_lower(b, a, 1.0 - p).1 }
}

/// Returns the pair `(x, 1 - x)`, each to full relative accuracy, at which `I_x(a, b) = p`; meant for `p <= 1/2`.
pub(super) fn invert_lower(a: f64, b: f64, p: f64) -> (f64, f64) {
    if !(shapes_are_valid(a, b) && (0.0..=1.0).contains(&p)) {
        return (f64::NAN, f64::NAN);
    }
    if p <= 0.0 || p >= 1.0 {
        return (p, 1.0 - p);
    }
    let odds = invert(starting_odds(a, b, p), p, 1.0 + 1.0 / a.min(b), |odds| {
        let (x, y) = split(odds);
        // The logarithm of the density of ln(x / y) is a ln x + b ln y, and x changes by x y.
        let (spread, product) = ((a + b) * x * y, x * y);
        let density =
            [distance_to_mean(a, b, x, y), -spread, -spread * (y - x), -spread * (1.0 - 6.0 * product)];
        Local { tail: tail(a, b, x, y).log_and_slope(true), density }
    });
    split(odds)
}

/// Converts the ratio `x / (1 - x)` to the pair `(x, 1 - x)`.
fn split(odds: f64) -> (f64, f64) {
    (1.0 / (1.0 + 1.0 / odds), 1.0 / (1.0 + odds))
}

fn starting_odds(a: f64, b: f64, p: f64) -> f64 {
    // The first term, x^a / (a B(a, b)), is above I if b >= 1 and below it otherwise, so its root is on the other side.
    let log_beta = libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b);
    let log_first = (libm::log(p * a) + log_beta) / a;
    let first_term = if log_first < 0.0 { 1.0 / libm::expm1(-log_first) } else { a / b };
    if a <= 1.0 || b <= 1.0 {
        return first_term;
    }
    let z = -normal_quantile(p);
    let (u, v) = (1.0 / (2.0 * a - 1.0), 1.0 / (2.0 * b - 1.0));
    let h = 2.0 / (u + v);
    let lambda = (z * z - 3.0) / 6.0;
    let w = z * libm::sqrt(h + lambda) / h - (v - u) * (lambda + 5.0 / 6.0 - 2.0 / (3.0 * h));
    (a / b * libm::exp(-2.0 * w)).max(first_term)
}

fn shapes_are_valid(a: f64, b: f64) -> bool {
    SHAPES.contains(&a) && SHAPES.contains(&b)
}

/// Returns the smaller tail at `x`, where `y = 1 - x` and both have full relative accuracy.
pub(super) fn tail(a: f64, b: f64, x: f64, y: f64) -> Tail {
    let log_kernel = log_beta_kernel(a, b, x, y);
    let distance = distance_to_mean(a, b, x, y);
    let is_central = distance * distance < FAR * (a + b) * x * y;
    if a.min(b) >= LARGE_SHAPE && is_central {
        let is_lower = distance > 0.0;
        let ratio = if is_lower { integrate(b, a, y, x) } else { integrate(a, b, x, y) } / (x * y);
        return Tail { is_lower, log_kernel, ratio };
    }
    let is_lower = distance + 1.0 - 2.0 * x > 0.0;
    let ratio = if is_lower { fraction(a, b, x, y) } else { fraction(b, a, y, x) };
    Tail { is_lower, log_kernel, ratio }
}

/// Returns the lower tail divided by its kernel, for `x` below about the mean.
fn fraction(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let distance = distance_to_mean(a, b, x, y);
    let first = a / (a + 1.0) * (distance + 1.0);
    let value = continued_fraction(first, |n| {
        let middle = a + 2.0 * n - 1.0;
        let numerator = (a + n - 1.0) / middle * ((a + b + n - 1.0) / middle) * (n * (b - n) * x * x);
        let denominator =
            n + n * (b - n) * x / middle + (a + n) / (middle + 2.0) * (distance + 1.0 + n * (1.0 + y));
        (numerator, denominator)
    });
    1.0 / value
}

/// Returns the integral of the density above `x`, divided by the density at `x`.
fn integrate(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let slope = distance_to_mean(a - 1.0, b - 1.0, x, y) / (x * y);
    let width = 1.0 / libm::hypot(libm::sqrt(a) / x, libm::sqrt(b) / y);
    integrate_tail(slope, width, y, |step| {
        (a - 1.0) * log_minus_linear(step / x, (x + step) / x)
            + (b - 1.0) * log_minus_linear(-step / y, (y - step) / y)
            + step * slope
    })
}

#[cfg(test)]
mod tests {
    use super::super::{assert_close, gamma_p, normal_cdf};
    use super::*;

    /// `(a, b, x, I)`, from 60-digit arithmetic.
    const REFERENCE: &[(f64, f64, f64, f64)] = &[
        (0.001, 0.1, 9.900_990_099_009_901e-6, 0.978_905_818_564_811_8),
        (0.001, 0.5, 0.020_210_913_990_543_53, 0.994_737_882_085_877_5),
        (0.001, 1.0, 0.012_165_380_469_777_623, 0.995_600_545_052_557),
        (0.001, 1.0, 0.447_654_179_830_065_95, 0.999_196_588_643_194_6),
        (0.001, 1.5, 0.5, 0.999_651_394_845_462_8),
        (0.001, 3.0, 9.996_667_777_407_53e-5, 0.992_318_159_313_970_9),
        (0.001, 3.0, 0.000_333_222_259_246_917_7, 0.993_513_139_915_307_3),
        (0.001, 3.0, 0.5, 0.999_931_784_836_958_2),
        (0.001, 10.0, 0.700_029_997_000_3, 0.999_999_999_185_972_4),
        (0.001, 30.0, 3.333_222_225_925_802e-5, 0.993_671_010_205_010_5),
        (0.001, 30.0, 0.020_771_340_357_475_77, 0.999_562_506_504_295_9),
        (0.001, 50.0, 1.999_960_000_799_984e-8, 0.986_838_222_619_615_2),
        (0.001, 60.0, 0.5, 1.0),
        (0.001, 250.0, 1.199_995_200_019_199_8e-6, 0.992_490_700_445_920_8),
        (0.001, 1000.5, 2.998_497_752_625_934_5e-7, 0.992_492_191_263_849_6),
        (0.001, 1000.5, 0.000_190_546_351_310_882_42, 0.998_737_739_380_240_1),
        (0.1, 0.001, 0.297_029_702_970_297, 0.009_053_491_764_988_76),
        (0.1, 0.001, 0.990_099_009_900_990_1, 0.014_299_923_072_814_372),
        (0.1, 1.5, 0.137_560_072_096_134_58, 0.863_554_809_925_857_9),
        (0.1, 3.0, 0.709_677_419_354_838_7, 0.998_819_915_439_087_7),
        (0.1, 10.0, 0.069_336_655_959_174_67, 0.958_976_301_409_161_7),
        (0.1, 10.0, 0.702_970_297_029_702_9, 0.999_999_906_436_471_6),
        (0.1, 49.5, 0.002_016_129_032_258_064_5, 0.826_786_972_665_079_3),
        (1.0, 10.0, 0.027_272_727_272_727_27, 0.241_577_994_904_812_88),
        (1.0, 10.0, 0.256_885_623_486_413_97, 0.948_648_086_186_253),
        (1.0, 60.0, 0.048_647_172_251_669_826, 0.949_823_911_416_970_6),
        (1.0, 60.0, 0.145_408_361_137_826_82, 0.999_919_551_422_811_9),
        (1.0, 250.0, 0.011_920_508_694_119_48, 0.950_114_850_256_825_8),
        (3.0, 0.001, 0.999_666_777_740_753_1, 0.006_486_860_084_692_662),
        (3.0, 0.5, 0.957_142_857_142_857_1, 0.622_785_872_139_185_9),
        (3.0, 49.5, 0.120_611_180_845_909_02, 0.956_595_630_015_022_8),
        (30.0, 0.001, 0.994_782_165_743_931_9, 0.001_439_608_192_553_851),
        (30.0, 0.5, 0.995_081_967_213_114_7, 0.588_077_749_297_413_6),
        (30.0, 1.5, 0.985_714_285_714_285_7, 0.832_549_888_828_593_7),
        (30.0, 10.0, 0.682_374_777_399_942_6, 0.160_303_289_037_997_4),
        (30.0, 49.5, 0.377_358_490_566_037_76, 0.507_561_162_244_819_8),
        (49.0, 0.5, 0.975_827_756_906_121_4, 0.122_442_038_634_115_82),
        (49.0, 10.0, 0.949_152_542_372_881_4, 0.999_362_826_483_654_7),
        (49.0, 250.0, 0.057_021_797_588_178_3, 3.075_882_338_156_924e-11),
        (49.0, 250.0, 0.206_622_719_091_818_98, 0.971_942_766_724_317_1),
        (50.0, 0.001, 0.996_848_972_261_948_2, 0.001_429_219_739_212_266_3),
        (50.0, 1.5, 0.854_832_173_851_029_8, 0.001_268_714_785_447_979_7),
        (60.0, 1_000_000_000.0, 2.127_016_644_297_571_7e-8, 4.930_071_222_850_795e-12),
        (60.0, 1_000_000_000.0, 5.225_403_040_859_531_5e-8, 0.157_914_858_626_506_25),
        (60.0, 1_000_000_000.0, 5.999_999_640_000_021e-8, 0.517_169_271_086_434_7),
        (60.0, 1_000_000_000.0, 1.219_677_243_312_394e-7, 0.999_999_999_819_042_1),
        (200.0, 49.5, 0.240_480_961_923_847_69, 3.429_625_864_826_28e-78),
        (200.0, 49.5, 0.423_653_126_682_953_7, 9.079_941_349_188_16e-35),
        (1000.5, 30.0, 0.944_714_734_028_091_5, 2.261_396_810_027_523_3e-5),
        (100_000.0, 1_000_000_000.0, 9.967_382_066_227_757e-5, 0.158_654_849_980_361_03),
        (100_000.0, 1_000_000_000.0, 9.999_000_099_990_002e-5, 0.500_420_459_035_790_8),
        (100_000.0, 1_000_000_000.0, 0.000_100_622_361_675_144_9, 0.977_079_429_775_834_2),
        (100_000.0, 1_000_000_000.0, 0.000_102_519_443_700_879_53, 0.999_999_999_999_998_9),
        (1_000_000_000.0, 0.5, 0.999_999_998_792_893_1, 0.120_238_328_654_636_38),
        (1_000_000_000.0, 3.0, 0.999_999_971_019_237_9, 1.166_683_318_663_763_8e-10),
        (1_000_000_000.0, 3.0, 0.999_999_995_267_949_1, 0.149_110_178_525_403_98),
        (1_000_000_000.0, 49.0, 0.999_999_916_000_004_9, 1.394_958_334_182_337_3e-5),
        (1_000_000_000.0, 49.0, 0.999_999_944_000_002_9, 0.157_907_843_747_840_98),
        (1_000_000_000.0, 49.0, 0.999_999_951_000_002_4, 0.481_000_693_577_295_3),
        (1_000_000_000.0, 1000.0, 0.999_998_525_660_062_6, 1.037_848_918_297_733_8e-39),
        (1_000_000_000.0, 1000.0, 0.999_999_000_001, 0.495_794_761_497_901_7),
        (1_000_000_000.0, 1000.0, 0.999_999_252_982_833_2, 1.0),
        (2_000_000_000.0, 250_000_000.0, 0.888_789_508_089_911, 3.892_720_473_842_159e-51),
        (2_000_000_000.0, 250_000_000.0, 0.888_855_761_955_896_2, 2.872_726_594_245_689e-7),
        (2_000_000_000.0, 250_000_000.0, 0.888_882_263_502_290_3, 0.158_655_253_872_121_95),
    ];

    const SHAPES: [f64; 12] = [1e-3, 0.05, 0.5, 1.0, 2.0, 17.5, 49.5, 50.5, 200.0, 1e4, 1e6, 1e9];

    #[test]
    fn matches_high_precision_values() {
        for &(a, b, x, expected) in REFERENCE {
            assert_close(beta_i(a, b, x), expected, 1e-11, &(a, b, x));
        }
    }

    #[test]
    fn closed_forms() {
        for a in SHAPES {
            for x in [1e-9, 0.1, 0.5, 0.9, 0.999] {
                let power = libm::exp(a * libm::log(x));
                if power > 0.0 {
                    assert_close(beta_i(a, 1.0, x), power, 1e-12, &(a, x));
                    assert_close(beta_i(1.0, a, x), -libm::expm1(a * libm::log1p(-x)), 1e-12, &(a, x));
                }
            }
            assert_close(beta_i(a, a, 0.5), 0.5, 1e-13, &a);
        }
        for x in [1e-6, 0.01, 0.3, 0.7] {
            let arcsine = 2.0 / core::f64::consts::PI * libm::asin(libm::sqrt(x));
            assert_close(beta_i(0.5, 0.5, x), arcsine, 1e-13, &x);
        }
    }

    #[test]
    fn both_tails_add_up_to_one() {
        for a in SHAPES {
            for b in SHAPES {
                for x in [0.125, 0.25, 0.5, 0.75] {
                    let sum = beta_i(a, b, x) + beta_i(b, a, 1.0 - x);
                    assert_close(sum, 1.0, 1e-14, &(a, b, x));
                }
            }
        }
    }

    #[test]
    fn neighbouring_shapes_differ_by_one_term() {
        // I_x(a, b) = I_x(a + 1, b) + x^a y^b / (a B(a, b)), DLMF 8.17.20.
        for a in SHAPES {
            for b in SHAPES {
                let mean = a / (a + b);
                let deviation = libm::sqrt(mean * (1.0 - mean) / (a + b + 1.0));
                for x in [-5.0, -1.0, 0.0, 1.0, 5.0].map(|z| mean + z * deviation) {
                    if x > 0.0 && x < 1.0 {
                        let term = libm::exp(log_beta_kernel(a, b, x, 1.0 - x)) / a;
                        assert_close(beta_i(a, b, x), beta_i(a + 1.0, b, x) + term, 1e-11, &(a, b, x));
                    }
                }
            }
        }
    }

    #[test]
    fn inverse_undoes_both_tails() {
        for a in SHAPES {
            for b in SHAPES {
                for exponent in [0.31, 0.5, 1.0, 2.0, 3.0, 6.0, 10.0, 16.0, 40.0, 100.0, 299.0] {
                    let p = libm::pow(10.0, -exponent);
                    let (x, y) = invert_lower(a, b, p);
                    assert!(libm::fabs(x + y - 1.0) <= f64::EPSILON, "{a} {b} {p}: {x} {y}");
                    if x > f64::MIN_POSITIVE && y > f64::MIN_POSITIVE {
                        // Rounding of x / y, of x and of y moves z by ε to 3ε; the slope by z is below
                        // 38 √min(a, b), and below 27 √a where 3ε are possible, at a = b.
                        let tolerance = 1e-11 + 80.0 * libm::sqrt(a.min(b)) * f64::EPSILON;
                        assert_close(tail(a, b, x, y).lower(), p, tolerance, &(a, b, p));
                    }
                    if p > 1e-10 {
                        assert_close(
                            beta_i_inverse(b, a, 1.0 - p),
                            invert_lower(a, b, 1.0 - (1.0 - p)).1,
                            1e-15,
                            &(a, b, p),
                        );
                    }
                }
            }
        }
    }

    /// For b → 0 the tail is b B(a, 0; x), so that I(a, b; x) = b Σ xⁿ/n beyond n = a up to terms of order b².
    #[test]
    fn quantiles_far_below_the_mean_of_a_shape_near_zero() {
        let (a, b) = (1e4, 1e-6);
        for p in [1e-300, 1e-100, 1e-40] {
            let (x, _) = invert_lower(a, b, p);
            let (mut sum, mut n) = (0.0, a);
            while n < 1.2e4 {
                sum += libm::exp(n * libm::log(x) - libm::log(p)) / n;
                n += 1.0;
            }
            assert_close(b * sum, 1.0, 2e-5, &p);
        }
    }

    /// Where the continued fraction takes over from the integral.
    #[test]
    fn both_methods_agree_far_from_the_mean() {
        for a in [50.0, 200.0, 1e4, 1e6, 1e9] {
            for b in [50.0, 1e3, 1e6, 1e9] {
                let mean = a / (a + b);
                let deviation = libm::sqrt(mean * (b / (a + b)) / (a + b));
                for z in [-30.0, -7.0, -2.0, -libm::sqrt(FAR), libm::sqrt(FAR), 2.0, 7.0, 30.0] {
                    let x = mean + z * deviation;
                    if x > 0.0 && x < 1.0 {
                        let y = 1.0 - x;
                        let (one, other) = if z < 0.0 {
                            (fraction(a, b, x, y), integrate(b, a, y, x))
                        } else {
                            (fraction(b, a, y, x), integrate(a, b, x, y))
                        };
                        assert_close(one, other / (x * y), 1e-12, &(a, b, z));
                    }
                }
            }
        }
    }

    #[test]
    fn large_shapes_approach_the_gamma_and_the_normal_distribution() {
        // b X tends to a gamma variable of shape a; the relative error is of order (a + x)² / b.
        for (a, x) in [(0.5, 0.1), (3.0, 1.0), (3.0, 7.0), (80.0, 60.0)] {
            assert_close(beta_i(a, 1e12, x / 1e12), gamma_p(a, x), (a + x) * (a + x) * 1e-12, &(a, x));
        }
        for z in [-4.0, -1.0, 0.5, 3.0] {
            // Mean 1/2 and variance 1 / (8a + 4); by symmetry the error is of order 1/a.
            let a = 1e9;
            let x = 0.5 + z / libm::sqrt(8.0 * a + 4.0);
            assert_close(beta_i(a, a, x), normal_cdf(z), 1e-7, &z);
        }
    }

    #[test]
    fn rises_with_x() {
        for (a, b) in [(0.01, 0.3), (3.0, 49.9), (50.0, 50.0), (1e4, 60.0), (1e5, 2.0)] {
            let mut previous = 0.0;
            for step in 1..4000 {
                let now = beta_i(a, b, f64::from(step) / 4000.0);
                assert!(now >= previous * (1.0 - 1e-13), "{a} {b} {step}: {now} after {previous}");
                previous = now;
            }
        }
    }

    #[test]
    fn edges_and_invalid_arguments() {
        assert!(beta_i(2.0, 3.0, 0.0) <= 0.0 && beta_i(2.0, 3.0, 1.0) >= 1.0);
        assert!(beta_i_inverse(2.0, 3.0, 0.0) <= 0.0 && beta_i_inverse(2.0, 3.0, 1.0) >= 1.0);
        for (a, b, x) in [
            (0.0, 1.0, 0.5),
            (1.0, -1.0, 0.5),
            (f64::INFINITY, 1.0, 0.5),
            (1.0, f64::NAN, 0.5),
            (1.0, 1.0, -0.1),
            (1.0, 1.0, 1.1),
            (1.0, 1.0, f64::NAN),
        ] {
            assert!(beta_i(a, b, x).is_nan() && beta_i_inverse(a, b, x).is_nan(), "{a} {b} {x}");
        }
    }
}
