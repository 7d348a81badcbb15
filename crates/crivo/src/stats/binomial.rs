//! The binomial distribution: the number of successes in `n` independent trials, each with probability `p`.
//!
//! Tails come from the incomplete beta function (DLMF 8.17.5), so they cost the same for any `n`. Numbers
//! above 2^53 are rounded to the nearest `f64`.

use super::beta::{invert_lower, tail};
use super::log_terms::log_beta_kernel;
use super::normal::normal_quantile;
use super::tail::Tail;

/// Returns the probability of exactly `k` successes in `n` trials.
///
/// 0 for `k > n`; NaN unless `0 <= p <= 1`.
///
/// ```
/// use crivo::stats::binomial_pmf;
/// assert!((binomial_pmf(2, 4, 0.5) - 0.375).abs() < 1e-15);
/// ```
pub fn binomial_pmf(k: u64, n: u64, p: f64) -> f64 {
    if !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    if k > n {
        return 0.0;
    }
    let (a, b) = (k as f64, (n - k) as f64);
    if k == 0 || p == 0.0 {
        return if k == 0 { power_of_complement(p, b) } else { 0.0 };
    }
    if k == n || p >= 1.0 {
        return if k == n { libm::pow(p, a) } else { 0.0 };
    }
    libm::exp(log_beta_kernel(a, b, p, 1.0 - p)) * (n as f64 / a / b)
}

/// Returns the probability of at most `k` successes in `n` trials.
///
/// 1 for `k >= n`; NaN unless `0 <= p <= 1`.
///
/// ```
/// use crivo::stats::binomial_cdf;
/// assert!((binomial_cdf(1, 4, 0.5) - 0.3125).abs() < 1e-15);
/// ```
pub fn binomial_cdf(k: u64, n: u64, p: f64) -> f64 {
    match count_tail(k, n, p) {
        Ok(tail) => tail.upper(),
        Err(sf) => 1.0 - sf,
    }
}

/// Returns the probability of more than `k` successes in `n` trials, with full relative accuracy where it is small.
///
/// 0 for `k >= n`; NaN unless `0 <= p <= 1`.
///
/// ```
/// use crivo::stats::binomial_sf;
/// // All of 100 coins show heads.
/// assert!((binomial_sf(99, 100, 0.5) / 0.5f64.powi(100) - 1.0).abs() < 1e-13);
/// ```
pub fn binomial_sf(k: u64, n: u64, p: f64) -> f64 {
    match count_tail(k, n, p) {
        Ok(tail) => tail.lower(),
        Err(sf) => sf,
    }
}

/// Returns the smallest `k` with `P[X <= k] >= q`, as an `f64` so that it can be NaN.
///
/// NaN unless `0 <= p <= 1` and `0 <= q <= 1`.
///
/// ```
/// use crivo::stats::binomial_quantile;
/// assert_eq!(binomial_quantile(4, 0.5, 0.5), 2.0);
/// assert_eq!(binomial_quantile(1_000_000_000, 0.5, 0.975), 500_030_990.0);
/// ```
pub fn binomial_quantile(n: u64, p: f64, q: f64) -> f64 {
    if !((0.0..=1.0).contains(&p) && (0.0..=1.0).contains(&q)) {
        return f64::NAN;
    }
    if q >= 1.0 {
        return if p == 0.0 { 0.0 } else { n as f64 };
    }
    let guess = normal_guess(n, p, normal_quantile(q));
    let reached = |k| {
        if q <= 0.5 { binomial_cdf(k, n, p) >= q } else { binomial_sf(k, n, p) <= 1.0 - q }
    };
    first_count(n, guess, reached) as f64
}

/// Returns the exact (never too narrow) interval for a probability after `k` successes in `n` trials.
///
/// It contains the true probability in at least the fraction `confidence` of all repetitions (Clopper and Pearson,
/// 1934): the lower bound is the `p` at which `k` or more successes have probability `(1 - confidence) / 2`, the upper
/// one the `p` at which `k` or fewer do. `(0, 1)` for `n = 0`. Both are NaN unless `k <= n` and `0 <= confidence <= 1`.
///
/// ```
/// use crivo::stats::clopper_pearson;
/// let (lower, upper) = clopper_pearson(0, 10, 0.95);
/// assert_eq!(lower, 0.0);
/// assert!((upper - (1.0 - 0.025f64.powf(0.1))).abs() < 1e-15);
/// ```
pub fn clopper_pearson(k: u64, n: u64, confidence: f64) -> (f64, f64) {
    if k > n || !(0.0..=1.0).contains(&confidence) {
        return (f64::NAN, f64::NAN);
    }
    let miss = 0.5 * (1.0 - confidence);
    let (successes, failures) = (k as f64, (n - k) as f64);
    let lower = if k == 0 { 0.0 } else { invert_lower(successes, failures + 1.0, miss).0 };
    let upper = if k == n { 1.0 } else { invert_lower(failures, successes + 1.0, miss).1 };
    (lower, upper)
}

/// Returns the narrowest `(low, high)` with `P[X < low] <= false_alarm / 2` and `P[X > high] <= false_alarm / 2`.
///
/// A count of successes outside `low..=high` refutes `p`, with a probability of at most `false_alarm` of being wrong.
/// The bounds are integers, as `f64` so that they can be NaN: both are NaN unless `0 <= p <= 1` and `0 < false_alarm <
/// 1`.
///
/// ```
/// use crivo::stats::{binomial_band, binomial_sf};
/// let (low, high) = binomial_band(100, 0.5, 1e-6);
/// assert_eq!((low, high), (26.0, 74.0));
/// assert!(binomial_sf(74, 100, 0.5) <= 0.5e-6 && binomial_sf(73, 100, 0.5) > 0.5e-6);
/// ```
pub fn binomial_band(n: u64, p: f64, false_alarm: f64) -> (f64, f64) {
    if !((0.0..=1.0).contains(&p) && false_alarm > 0.0 && false_alarm < 1.0) {
        return (f64::NAN, f64::NAN);
    }
    let side = 0.5 * false_alarm;
    let z = normal_quantile(side);
    let low = first_count(n, normal_guess(n, p, z), |k| binomial_cdf(k, n, p) > side);
    let high = first_count(n, normal_guess(n, p, -z), |k| binomial_sf(k, n, p) <= side);
    (low as f64, high as f64)
}

/// Returns `(1 - p)^power`.
fn power_of_complement(p: f64, power: f64) -> f64 {
    if power == 0.0 { 1.0 } else { libm::exp(power * libm::log1p(-p)) }
}

/// Returns the beta tail whose lower side is `P[X > k]`, or that probability itself where it is 0, 1 or NaN.
fn count_tail(k: u64, n: u64, p: f64) -> Result<Tail, f64> {
    if !(0.0..=1.0).contains(&p) {
        Err(f64::NAN)
    } else if k >= n || p == 0.0 {
        Err(0.0)
    } else if p >= 1.0 {
        Err(1.0)
    } else {
        Ok(tail(k as f64 + 1.0, (n - k) as f64, p, 1.0 - p))
    }
}

/// Returns the count `z` standard deviations above the mean.
fn normal_guess(n: u64, p: f64, z: f64) -> u64 {
    let mean = n as f64 * p;
    let guess = mean + z * libm::sqrt(mean * (1.0 - p));
    // An infinite `z` times a zero deviation is NaN, which `max` turns into zero, as good a guess as any.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "brought into range first")]
    let count = guess.max(0.0) as u64;
    count.min(n)
}

/// Returns the smallest `k <= n` at which `reached` is true, or `n` if it never is; `reached` changes from false to
/// true once.
///
/// This is a bisection, except that the probes first move away from the guess by doubling steps: a good guess costs few
/// probes.
pub(super) fn first_count(n: u64, guess: u64, reached: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (0, n);
    let mut probe = guess.min(n.saturating_sub(1));
    let (origin, mut step) = (probe, 1u64);
    while low < high {
        if reached(probe) {
            high = probe;
        } else {
            low = probe + 1;
        }
        let middle = low + (high - low) / 2;
        probe = if low > origin {
            middle.min(origin.saturating_add(step))
        } else {
            middle.max(origin.saturating_sub(step))
        };
        step = step.saturating_mul(2);
    }
    low
}

#[cfg(test)]
mod tests {
    use super::super::assert_close;
    use super::*;

    const PROBABILITIES: [f64; 7] = [1e-9, 0.01, 0.2, 0.5, 0.7, 0.99, 1.0 - 1e-9];

    /// `(k, n, p, P[X = k], P[X <= k], P[X > k])`, from 60-digit sums.
    const REFERENCE: &[(u64, u64, f64, f64, f64, f64)] = &[
        (3, 20, 0.1, 0.190_119_871_376_2, 0.867_046_676_565_7, 0.132_953_323_434_3),
        (15, 20, 0.1, 9.154_956_96e-12, 0.999_999_999_999_7, 3.263_467_6e-13),
        (0, 50, 0.03, 0.218_065_375_347_4, 0.218_065_375_347_4, 0.781_934_624_652_6),
        (49, 50, 0.03, 1.160_601_746_768e-73, 1.0, 7.178_979_876_919e-77),
        (500, 1000, 0.5, 0.025_225_018_178_36, 0.512_612_509_089_2, 0.487_387_490_910_8),
        (700, 1000, 0.5, 5.065_988_280_449e-38, 1.0, 3.766_850_723_526e-38),
        (20, 1000, 0.1, 4.880_642_984_69e-24, 5.962_487_876_597e-24, 1.0),
        (9990, 10_000, 0.999, 0.125_172_636_650_2, 0.542_132_876_021, 0.457_867_123_979),
        (9900, 10_000, 0.999, 3.255_647_997_451e-63, 3.609_416_551_614e-63, 1.0),
        (250_000, 1_000_000, 0.25, 0.000_921_317_399_225_6, 0.500_537_435_069_9, 0.499_462_564_930_1),
        (253_000, 1_000_000, 0.25, 3.691_674_397_539e-14, 0.999_999_999_997_7, 2.252_374_771_232e-12),
        (247_000, 1_000_000, 0.25, 3.274_203_143_7e-14, 2.014_668_665_579e-12, 0.999_999_999_998),
        (1000, 1_000_000_000, 1e-6, 0.012_614_617_656_03, 0.508_409_367_168_5, 0.491_590_632_831_5),
        (1200, 1_000_000_000, 1e-6, 7.992_487_792_909e-11, 0.999_999_999_611_5, 3.884_859_645_297e-10),
        (5, 1_000_000_000, 1e-9, 0.003_065_661_992_901, 0.999_405_815_188_5, 0.000_594_184_811_450_4),
        (30, 1_000_000_000, 1e-9, 1.386_900_379_724e-33, 1.0, 4.618_045_450_021e-35),
        (500_060_000, 1_000_000_000, 0.5, 1.883_734_914_135e-8, 0.999_926_108_264_2, 7.389_173_579_567e-5),
        (499_990_000, 1_000_000_000, 0.5, 2.065_766_189_738e-5, 0.263_554_957_377_3, 0.736_445_042_622_7),
        (100_100_000, 1_000_000_000, 0.1, 3.186_177_323_846e-29, 1.0, 2.842_078_072_39e-26),
    ];

    #[test]
    fn matches_high_precision_values() {
        for &(k, n, p, pmf, cdf, sf) in REFERENCE {
            assert_close(binomial_pmf(k, n, p), pmf, 1e-11, &("pmf", k, n, p));
            assert_close(binomial_cdf(k, n, p), cdf, 1e-11, &("cdf", k, n, p));
            assert_close(binomial_sf(k, n, p), sf, 1e-11, &("sf", k, n, p));
        }
    }

    #[test]
    fn tails_are_sums_of_terms() {
        for n in [1, 2, 9, 40, 130, 600] {
            for p in PROBABILITIES {
                let (mut below, mut above) = (0.0, 0.0);
                for k in 0..n {
                    below += binomial_pmf(k, n, p);
                    above += binomial_pmf(n - k, n, p);
                    assert_close(binomial_cdf(k, n, p), below, 1e-12, &("cdf", k, n, p));
                    assert_close(binomial_sf(n - k - 1, n, p), above, 1e-12, &("sf", k, n, p));
                }
            }
        }
    }

    #[test]
    fn pmf_matches_pascals_triangle() {
        let mut row = [0.0; 41];
        row[0] = 1.0;
        for n in 1..=40u64 {
            for k in (1..=40).rev() {
                row[k] += row[k - 1];
            }
            for (k, ways) in (0..=n).zip(row) {
                assert_close(binomial_pmf(k, n, 0.5), ways * libm::exp2(-(n as f64)), 1e-13, &(k, n));
            }
        }
    }

    #[test]
    fn quantile_is_the_first_count_that_reaches_the_probability() {
        for n in [1, 10, 300, 100_000, 1_000_000_000, 1 << 52] {
            for p in PROBABILITIES {
                for q in [1e-12, 0.001, 0.3, 0.5, 0.8, 0.999, 1.0 - 1e-12] {
                    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
                    let k = binomial_quantile(n, p, q) as u64;
                    assert!(k <= n);
                    assert!(k == n || binomial_sf(k, n, p) <= 1.0 - q + 1e-16, "{n} {p} {q}: {k}");
                    assert!(k == 0 || binomial_sf(k - 1, n, p) > 1.0 - q - 1e-16, "{n} {p} {q}: {k}");
                }
            }
        }
    }

    #[test]
    fn band_is_safe_and_no_wider_than_needed() {
        for n in [1, 10, 300, 100_000, 1_000_000_000, 1 << 52] {
            for p in PROBABILITIES {
                for false_alarm in [1e-9, 1e-6, 0.01, 0.5, 0.999] {
                    let side = false_alarm / 2.0;
                    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counts")]
                    let (low, high) = {
                        let (low, high) = binomial_band(n, p, false_alarm);
                        (low as u64, high as u64)
                    };
                    assert!(low <= high && high <= n, "{n} {p} {false_alarm}: {low} {high}");
                    let context = (n, p, false_alarm, low, high);
                    assert!(low == 0 || binomial_cdf(low - 1, n, p) <= side, "{context:?}");
                    assert!(binomial_cdf(low, n, p) > side, "{context:?}");
                    assert!(binomial_sf(high, n, p) <= side, "{context:?}");
                    assert!(high == 0 || binomial_sf(high - 1, n, p) > side, "{context:?}");
                }
            }
        }
    }

    #[test]
    fn clopper_pearson_bounds_have_the_stated_tails() {
        for n in [1, 7, 60, 1000, 1_000_000, 1_000_000_000] {
            for k in [0, 1, n / 3, n / 2, n - 1, n] {
                for confidence in [0.5, 0.95, 1.0 - 1e-9] {
                    let (lower, upper) = clopper_pearson(k, n, confidence);
                    let miss = (1.0 - confidence) / 2.0;
                    let context = (k, n, confidence);
                    assert!(0.0 <= lower && lower < upper && upper <= 1.0, "{context:?}: {lower} {upper}");
                    // d ln P[X >= k] / dp <= k / p and -d ln P[X <= k] / dp <= (n - k) / (1 - p), times the
                    // rounding of the bound.
                    if k > 0 {
                        let tolerance = 1e-11 + k as f64 * f64::EPSILON;
                        assert_close(binomial_sf(k - 1, n, lower), miss, tolerance, &context);
                    }
                    if k < n {
                        let tolerance = 1e-11 + (n - k) as f64 / (1.0 - upper) * f64::EPSILON;
                        assert_close(binomial_cdf(k, n, upper), miss, tolerance, &context);
                    }
                }
            }
        }
    }

    #[test]
    fn clopper_pearson_mirrors_and_matches_high_precision_values() {
        for (k, n, confidence, lower, upper) in [
            (1, 10, 0.95, 0.002_528_578_544_461_787, 0.445_016_117_028_195_4),
            (3, 10, 0.95, 0.066_739_511_177_734_5, 0.652_452_850_059_997_2),
            (10, 200, 0.99, 0.018_835_488_304_809_21, 0.103_962_155_753_982_38),
            (150, 200, 0.99, 0.663_186_138_970_716_4, 0.824_560_753_111_701_3),
            (7, 250, 0.95, 0.011_330_013_795_658_535, 0.056_837_245_273_053_62),
            (120, 240, 0.999_999, 0.344_186_272_409_096_94, 0.655_813_727_590_903_1),
            (500, 1000, 0.95, 0.468_549_172_971_791_94, 0.531_450_827_028_208),
            (30, 100_000, 0.95, 0.000_202_417_605_783_051_77, 0.000_428_241_186_447_459_57),
            (12_345, 1_000_000, 0.99, 0.012_062_397_109_951_802, 0.012_632_253_380_844_84),
            (50, 1_000_000_000, 0.95, 3.711_096_395_806_867e-8, 6.591_876_613_966_408e-8),
        ] {
            let (actual_lower, actual_upper) = clopper_pearson(k, n, confidence);
            assert_close(actual_lower, lower, 1e-11, &("lower", k, n));
            assert_close(actual_upper, upper, 1e-11, &("upper", k, n));
            let (mirrored_lower, mirrored_upper) = clopper_pearson(n - k, n, confidence);
            assert!(libm::fabs(1.0 - mirrored_upper - lower) < 1e-15, "{k} {n}");
            assert!(libm::fabs(1.0 - mirrored_lower - upper) < 1e-15, "{k} {n}");
        }
    }

    #[test]
    fn certain_trials_and_no_trials() {
        for (p, count) in [(0.0, 0), (1.0, 5)] {
            for k in 0..=6 {
                let expected = |yes: bool| f64::from(u8::from(yes));
                assert_close(1.0 + binomial_pmf(k, 5, p), 1.0 + expected(k == count), 0.0, &(k, p));
                assert_close(1.0 + binomial_cdf(k, 5, p), 1.0 + expected(k >= count), 0.0, &(k, p));
                assert_close(1.0 + binomial_sf(k, 5, p), 1.0 + expected(k < count), 0.0, &(k, p));
            }
            let (low, high) = binomial_band(5, p, 0.01);
            assert_eq!((low.to_bits(), high.to_bits()), ((count as f64).to_bits(), (count as f64).to_bits()));
        }
        assert_eq!(clopper_pearson(0, 0, 0.95), (0.0, 1.0));
        assert_eq!(clopper_pearson(3, 9, 1.0), (0.0, 1.0));
        assert_eq!(binomial_band(0, 0.5, 0.01), (0.0, 0.0));
        assert!(binomial_band(9, 0.5, 0.0).0.is_nan() && binomial_band(9, 0.5, 1.0).0.is_nan());
        assert_eq!(binomial_band(9, 0.5, 1e-9), (0.0, 9.0));
        assert!(binomial_quantile(9, 0.5, 0.0) <= 0.0 && binomial_quantile(9, 0.5, 1.0) >= 9.0);
    }

    #[test]
    fn invalid_arguments_are_nan() {
        for bad in [-0.1, 1.1, f64::NAN] {
            assert!(binomial_pmf(1, 2, bad).is_nan() && binomial_cdf(1, 2, bad).is_nan());
            assert!(binomial_sf(1, 2, bad).is_nan() && binomial_sf(3, 2, bad).is_nan());
            assert!(binomial_quantile(2, bad, 0.5).is_nan() && binomial_quantile(2, 0.5, bad).is_nan());
            assert!(binomial_band(2, bad, 0.5).0.is_nan() && binomial_band(2, 0.5, bad).1.is_nan());
            assert!(clopper_pearson(1, 2, bad).0.is_nan());
        }
        assert!(clopper_pearson(3, 2, 0.95).1.is_nan());
    }
}
