//! The common part of the incomplete gamma and beta functions: the tail of a density relative to its kernel at the cut,
//! and the inverse of a tail.

use core::ops::RangeInclusive;

/// The shape parameters for which no intermediate result overflows and tails keep at least eight digits.
pub(super) const SHAPES: RangeInclusive<f64> = 1e-6..=1e20;

/// The smaller tail of a distribution at a point, as `exp(log_kernel) * ratio`.
///
/// The kernel is the density times `dx/dz`, where `z` is the coordinate (`ln x` or `ln(x / (1 - x))`) in
/// which the distribution is log-concave. The logarithm is kept so that a tail too small for an `f64` can
/// still be inverted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tail {
    pub(super) is_lower: bool,
    pub(super) log_kernel: f64,
    pub(super) ratio: f64,
}

impl Tail {
    fn direct(&self) -> f64 {
        // Where the kernel underflows, the ratio may be out of range too.
        let kernel = libm::exp(self.log_kernel);
        if kernel == 0.0 { 0.0 } else { kernel * self.ratio }
    }

    pub(super) fn lower(&self) -> f64 {
        if self.is_lower { self.direct() } else { 1.0 - self.direct() }
    }

    pub(super) fn upper(&self) -> f64 {
        if self.is_lower { 1.0 - self.direct() } else { self.direct() }
    }

    /// Returns the logarithm of the lower (or upper) tail and the absolute value of its derivative by `z`.
    pub(super) fn log_and_slope(&self, lower: bool) -> (f64, f64) {
        let log = if lower == self.is_lower {
            self.log_kernel + libm::log(self.ratio)
        } else {
            libm::log1p(-self.direct())
        };
        (log, libm::exp(self.log_kernel - log))
    }
}

/// Solves `tail(z) = probability` for `e^z` by Newton's method on the logarithm of the tail.
///
/// `log_and_slope(e^z)` returns the logarithm of the tail and its derivative by `z`. A log-concave density has
/// log-concave tails, and a tangent lies above a concave function: once the tail is too small, every Newton step
/// enlarges it without overshooting, so a tail that is then too large differs by rounding only. A single step is at
/// most `limit`, because the tangent is useless where the tail is almost flat.
pub(super) fn invert(
    start: f64,
    probability: f64,
    limit: f64,
    log_and_slope: impl Fn(f64) -> (f64, f64),
) -> f64 {
    const MAX_STEPS: u32 = 200;
    let target = libm::log(probability);
    let (mut position, mut was_too_small) = (start, false);
    for _ in 0..MAX_STEPS {
        let (log, slope) = log_and_slope(position);
        let step = ((target - log) / slope).clamp(-limit, limit);
        let next = (position * libm::exp(step)).min(f64::MAX);
        let moves = libm::fabs(next - position) > f64::EPSILON * position;
        let is_too_small = log < target;
        if !moves || step.is_nan() || (was_too_small && !is_too_small) {
            break;
        }
        (position, was_too_small) = (next, is_too_small);
    }
    position
}

/// Computes `b(0) + a(1) / (b(1) + a(2) / (b(2) + ...))` by the modified Lentz method (Thompson and Barnett, 1986),
/// where `terms(n)` returns `a(n)` and `b(n)`.
pub(super) fn continued_fraction(first: f64, terms: impl Fn(f64) -> (f64, f64)) -> f64 {
    const MAX_TERMS: u32 = 10_000;
    const TINY: f64 = 1e-300;
    let nonzero = |value: f64| if libm::fabs(value) < TINY { TINY } else { value };
    let mut value = nonzero(first);
    let (mut c, mut d) = (value, 0.0);
    for n in 1..=MAX_TERMS {
        let (a, b) = terms(f64::from(n));
        d = 1.0 / nonzero(b + a * d);
        c = nonzero(b + a / c);
        let factor = c * d;
        value *= factor;
        if libm::fabs(factor - 1.0) <= f64::EPSILON {
            break;
        }
    }
    value
}

/// Positive nodes and weights of the 16-point Gauss–Legendre rule on [-1, 1] (DLMF 3.5(v)).
const GAUSS_LEGENDRE: [(f64, f64); 8] = [
    (0.095_012_509_837_637_44, 0.189_450_610_455_068_5),
    (0.281_603_550_779_258_9, 0.182_603_415_044_923_58),
    (0.458_016_777_657_227_37, 0.169_156_519_395_002_54),
    (0.617_876_244_402_643_8, 0.149_595_988_816_576_74),
    (0.755_404_408_355_003, 0.124_628_971_255_533_88),
    (0.865_631_202_387_831_8, 0.095_158_511_682_492_79),
    (0.944_575_023_073_232_6, 0.062_253_523_938_647_894),
    (0.989_400_934_991_649_9, 0.027_152_459_411_754_096),
];

/// Integrates `exp(log_ratio(s))` for `s` from 0 to `length`, where `log_ratio` is concave, zero and falling
/// with slope `-decay` at `s = 0`, and bends on the scale `width`.
///
/// A panel spans at most three of the local scales, on which the 16-point rule is exact to rounding; the sum
/// stops when a panel no longer counts. The cost does not grow with the parameters of the density.
pub(super) fn integrate_tail(decay: f64, width: f64, length: f64, log_ratio: impl Fn(f64) -> f64) -> f64 {
    let panel = 3.0 / (libm::fabs(decay) + 1.0 / width);
    let (mut start, mut sum) = (0.0, 0.0);
    while start < length {
        let half = 0.5 * panel.min(length - start);
        let middle = start + half;
        let part: f64 = GAUSS_LEGENDRE
            .iter()
            .map(|&(node, weight)| {
                let offset = half * node;
                weight * (libm::exp(log_ratio(middle - offset)) + libm::exp(log_ratio(middle + offset)))
            })
            .sum();
        sum += half * part;
        start = middle + half;
        let counts = half * part > 1e-17 * sum;
        if !counts {
            break;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::super::assert_close;
    use super::*;

    #[test]
    fn continued_fraction_of_the_golden_ratio() {
        let golden_ratio = 0.5 + libm::sqrt(1.25);
        assert_close(continued_fraction(1.0, |_| (1.0, 1.0)), golden_ratio, 1e-15, &());
    }

    #[test]
    fn integrate_tail_of_an_exponential_and_of_a_half_normal() {
        assert_close(integrate_tail(1.0, 1e9, f64::INFINITY, |s| -s), 1.0, 1e-14, &"exponential");
        let half_normal = libm::sqrt(core::f64::consts::FRAC_PI_2);
        assert_close(
            integrate_tail(0.0, 1.0, f64::INFINITY, |s| -0.5 * s * s),
            half_normal,
            1e-14,
            &"normal",
        );
        assert_close(integrate_tail(1.0, 1e9, 2.0, |s| -s), -libm::expm1(-2.0), 1e-14, &"cut");
    }

    #[test]
    fn invert_reaches_the_root_from_either_side() {
        // The tail 1 - e^(-x), with d ln tail / d ln x = x / (e^x - 1).
        let tail = |x: f64| (libm::log(-libm::expm1(-x)), x / libm::expm1(x));
        for start in [1e-250, 0.3, 5.0, 30.0] {
            for p in [1e-200, 0.25, 0.5] {
                assert_close(invert(start, p, 100.0, tail), -libm::log1p(-p), 1e-13, &(start, p));
            }
        }
    }
}
