//! Student's t.

use super::beta_i_inverse;
use libm::sqrt;

/// Returns the quantile of Student's t in absolute value: t² / (t² + ν) has a beta distribution with the shapes 1/2 and
/// ν/2. Whichever of x and 1 − x is small is computed directly, because the difference from one would lose its digits.
pub(crate) fn student_reach(freedom: f64, confidence: f64) -> f64 {
    let share = beta_i_inverse(0.5, freedom / 2.0, confidence);
    let rest = beta_i_inverse(freedom / 2.0, 0.5, 1.0 - confidence);
    sqrt(freedom * share / rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::normal_quantile;

    /// Closed forms: with one degree of freedom the tangent, with two 2(p − 1/2)/√(2p(1 − p)); with very many, the
    /// normal distribution.
    #[test]
    fn reach_of_student() {
        let close = |freedom: f64, confidence: f64, expected: f64| {
            let reach = student_reach(freedom, confidence);
            assert!(libm::fabs(reach / expected - 1.0) < 1e-8, "{freedom} {confidence}: {reach} {expected}");
        };
        for confidence in [0.5, 0.95, 0.9999] {
            close(1.0, confidence, libm::tan(core::f64::consts::FRAC_PI_2 * confidence));
            let below = 0.5 + confidence / 2.0;
            close(2.0, confidence, 2.0 * (below - 0.5) / sqrt(2.0 * below * (1.0 - below)));
            for freedom in [1e10, 1e15, 1.8e19] {
                close(freedom, confidence, normal_quantile(below));
            }
        }
    }
}
