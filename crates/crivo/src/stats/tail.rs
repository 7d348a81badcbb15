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
        if lower == self.is_lower {
            return (self.log_kernel + libm::log(self.ratio), 1.0 / self.ratio);
        }
        let log = libm::log1p(-self.direct());
        (log, libm::exp(self.log_kernel - log))
    }
}

/// A distribution at a point `z`.
pub(super) struct Local {
    /// The logarithm of a tail, and its derivative.
    pub(super) tail: (f64, f64),
    /// The first four derivatives of the logarithm of the density.
    pub(super) density: [f64; 4],
}

impl Local {
    /// Returns the distance to the point at which the logarithm of the tail is larger by `gain`, if it is so small that
    /// the logarithm of the tail there is correct to rounding.
    fn small_distance(&self, gain: f64) -> Option<f64> {
        let slope = self.tail.1;
        let [d1, d2, ..] = self.density;
        let first = libm::expm1(gain) / slope;
        // No derivative of order k exceeds the k-th power of this rate, so terms shrink by `ratio` or faster.
        let rate = (libm::fabs(d1) + libm::sqrt(libm::fabs(d2))).max(1.0);
        let ratio = libm::fabs(first) * rate;
        let square = ratio * ratio;
        let error = libm::fabs(first * slope) * square * square * ratio;
        (error < f64::EPSILON).then(|| series(first, self.density))
    }
}

/// Returns five terms of the power series of the quantile function in the change of the probability, divided by the
/// density; its derivative is one over the density.
fn series(change: f64, [d1, d2, d3, d4]: [f64; 4]) -> f64 {
    let second = -d1 / 2.0;
    let third = (2.0 * d1 * d1 - d2) / 6.0;
    let fourth = (d1 * (7.0 * d2 - 6.0 * d1 * d1) - d3) / 24.0;
    let fifth = (d1 * (d1 * (24.0 * d1 * d1 - 46.0 * d2) + 11.0 * d3) + 7.0 * d2 * d2 - d4) / 120.0;
    change * (1.0 + change * (second + change * (third + change * (fourth + change * fifth))))
}

/// Solves `tail(z) = probability` for `e^z` by Newton's method on the logarithm of the tail, and by a power series once
/// the root is close.
///
/// `local(e^z)` describes the distribution at `z`. A log-concave density has log-concave tails, and a tangent lies above
/// a concave function: once the tail is too small, every Newton step enlarges it without overshooting. A single step is
/// at most `limit`, because the tangent is useless where the tail is almost flat.
pub(super) fn invert(start: f64, probability: f64, limit: f64, local: impl Fn(f64) -> Local) -> f64 {
    const MAX_STEPS: u32 = 200;
    let target = libm::log(probability);
    let mut position = start;
    for _ in 0..MAX_STEPS {
        if position == 0.0 {
            // The root is too small for an `f64`.
            break;
        }
        let here = local(position);
        let (log, slope) = here.tail;
        let gain = target - log;
        if let Some(distance) = here.small_distance(gain) {
            return (position + position * libm::expm1(distance)).min(f64::MAX);
        }
        let step = (gain / slope).clamp(-limit, limit);
        let next = (position * libm::exp(step)).min(f64::MAX);
        let moves = libm::fabs(next - position) > f64::EPSILON * position;
        if !moves || step.is_nan() {
            break;
        }
        position = next;
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

    /// The tail 1 - e^(-x), with d ln tail / d ln x = x / (e^x - 1).
    fn exponential(x: f64) -> Local {
        Local { tail: (libm::log(-libm::expm1(-x)), x / libm::expm1(x)), density: [1.0 - x, -x, -x, -x] }
    }

    /// Five terms leave an error of the sixth order, so half the distance leaves a 64th of it.
    #[test]
    fn the_series_of_the_quantile_function() {
        for x in [0.3, 3.0, 5.0] {
            let error = |distance: f64| {
                let change = -libm::expm1(-x * libm::expm1(distance)) / x;
                series(change, exponential(x).density) - distance
            };
            for distance in [0.005, -0.005] {
                let ratio = error(distance) / error(distance / 2.0);
                assert!((57.0..71.0).contains(&ratio), "{x} {distance}: {ratio}");
            }
        }
    }

    #[test]
    fn few_steps_lead_to_the_root() {
        for start in [0.02, 0.024, 0.027, 0.03] {
            let steps = core::cell::Cell::new(0);
            let root = invert(start, 0.025, 100.0, |x| {
                steps.set(steps.get() + 1);
                exponential(x)
            });
            assert_close(root, -libm::log1p(-0.025), 1e-15, &start);
            assert!(steps.get() <= 3, "{start}: {} steps", steps.get());
        }
    }

    #[test]
    fn invert_reaches_the_root_from_either_side() {
        for start in [1e-250, 0.3, 5.0, 30.0] {
            for p in [1e-200, 0.25, 0.5] {
                assert_close(invert(start, p, 100.0, exponential), -libm::log1p(-p), 1e-13, &(start, p));
            }
        }
    }
}
