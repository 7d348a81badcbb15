//! The distributions behind intervals and statistical tests.
//!
//! Everything is computed from `libm` and basic arithmetic alone, so a bound or a verdict is the same on every
//! platform. The smaller tail of a distribution is computed directly, never as one minus the larger, so that
//! probabilities as small as 1e-300 keep their digits. An argument outside a function's domain gives NaN;
//! nothing here panics.
//!
//! | module | use |
//! |---|---|
//! | [`normal`] | two-sided intervals of estimators with a normal limit |
//! | [`gamma`](mod@gamma) | waiting times, order statistics, Poisson tails |
//! | [`beta`](mod@beta) | order statistics of uniform hashes, binomial tails |
//! | [`binomial`] | successes in n trials: bands, tests and exact intervals |
//! | [`chi_squared`] | goodness of fit |

pub mod beta;
pub mod binomial;
pub mod chi_squared;
pub(crate) mod exact_sum;
pub mod gamma;
mod log_terms;
pub mod normal;
mod population;
mod student;
mod tail;
mod trials;

pub use beta::{beta_i, beta_i_inverse};
pub use binomial::{
    binomial_band, binomial_cdf, binomial_pmf, binomial_quantile, binomial_sf, clopper_pearson,
};
pub use chi_squared::{chi_squared_cdf, chi_squared_quantile, chi_squared_sf};
pub use gamma::{gamma_p, gamma_p_inverse, gamma_q};
pub use normal::{normal_cdf, normal_quantile, normal_sf};
pub(crate) use population::population_bounds;
pub(crate) use student::student_reach;
pub use trials::trial_bounds;
pub(crate) use trials::{early_wait, late_wait};

/// Asserts that two numbers agree to a relative tolerance, and reports the error if they do not.
#[cfg(test)]
fn assert_close(actual: f64, expected: f64, tolerance: f64, context: &dyn core::fmt::Debug) {
    let error = libm::fabs(actual - expected) / libm::fabs(expected).max(f64::MIN_POSITIVE);
    assert!(
        error <= tolerance,
        "{context:?}: got {actual:e}, expected {expected:e}, relative error {error:e} > {tolerance:e}"
    );
}
