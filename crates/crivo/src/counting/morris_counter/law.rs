//! The distribution of the time at which a Morris counter reaches a register.
//!
//! Register n is reached after T = 1 + G₁ + … + Gₙ₋₁ increments, where Gᵢ is the waiting time for an event of
//! probability b⁻ⁱ. With d = b − 1 and e = bⁿ − 1 its first cumulants are
//!
//! ```text
//! mean e/d     variance (e/d)(e − d)/(2 + d)     third = variance · (3 + 4e + d + 2ed − d²)/(3 + 3d + d²)
//! ```
//!
//! The distribution is approximated by the waiting time for r successes of probability p, shifted by a constant, with
//! these three cumulants: exact for n = 2, close to a Poisson distribution while bⁿ is near 1, and to a gamma
//! distribution where it is large. In large bases the lower tail is thinner than that of a gamma distribution; there
//! the last waiting times are taken as exponential, and their sum has a distribution in closed form.

use super::params::MorrisParams;
use crate::stats::{early_wait, gamma_p_inverse, late_wait};
use alloc::vec::Vec;
use libm::{expm1, log, log1p};

/// Beyond this value the distribution only scales.
const LARGE: f64 = 1e12;

/// From this base on, waiting times are added one by one, backwards from the last, until they hardly matter.
const LARGE_BASE: f64 = 1.5;
const LAST_WAITS: u32 = 30;

/// The waiting-time distribution of a register: r, p and 1 − p, the constant, and the scale.
struct Wait {
    successes: f64,
    p: (f64, f64),
    shift: f64,
    scale: f64,
}

impl Wait {
    /// Returns the distribution for a register of at least 2.
    fn of(params: &MorrisParams, register: u32) -> Self {
        let (d, growth) = (params.base() - 1.0, params.growth(register));
        let limit = LARGE.max(d * LARGE);
        let e = growth.min(limit);
        let mean = e / d;
        let variance = mean * (e - d) / (2.0 + d);
        // (κ₃/κ₂ − 1)/2 = q/p.
        let odds = (2.0 * e - d + d * (e - d)) / (3.0 + 3.0 * d + d * d);
        let p = (1.0 / (1.0 + odds), odds / (1.0 + odds));
        let successes = variance * p.0 / odds;
        Self { successes, p, shift: mean - successes / p.0, scale: growth / e }
    }
}

/// Returns the number of increments within which `register` is reached with probability `miss` only.
pub(super) fn reached_early(params: &MorrisParams, register: u32, miss: f64) -> f64 {
    if register <= 1 {
        return f64::from(register);
    }
    let wait = Wait::of(params, register);
    // Even the shortest way, a step with every increment, is more likely than `miss`.
    if wait.successes * log(wait.p.0) >= log(miss) {
        return f64::from(register);
    }
    if params.base() > LARGE_BASE {
        return early_sum(params, register, miss);
    }
    (early_wait(wait.successes, wait.p, miss) + wait.shift) * wait.scale
}

/// Computes [`reached_early`] from the last waiting times alone, each taken as an exponential one that is never longer.
fn early_sum(params: &MorrisParams, register: u32, miss: f64) -> f64 {
    let rates: Vec<f64> =
        (1..register.min(LAST_WAITS)).map(|i| -log1p(-params.probability(register - i))).collect();
    let weight = |rate: f64| {
        let others = rates.iter().filter(|&&other| other != rate);
        others.map(|other| other / (other - rate)).product::<f64>()
    };
    let weights: Vec<f64> = rates.iter().map(|&rate| weight(rate)).collect();
    let chance = |time: f64| {
        let terms = rates.iter().zip(&weights);
        terms.map(|(rate, weight)| -weight * expm1(-rate * time)).sum::<f64>()
    };
    let (mut low, mut high) = (0.0, rates.iter().map(|rate| 1.0 / rate).sum::<f64>());
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if chance(middle) < miss {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// Returns the number of increments within which `register` is not reached with probability `miss` only.
pub(super) fn reached_late(params: &MorrisParams, register: u32, miss: f64) -> f64 {
    if register <= 1 {
        return f64::from(register);
    }
    let wait = Wait::of(params, register);
    (late_wait(wait.successes, wait.p, miss) + wait.shift) * wait.scale
}

/// Returns how far the 95 % interval of a large count reaches at most, relative to the count, in the base 1 + `d`: the
/// distribution above for e → ∞ is a shifted gamma distribution.
pub(super) fn limit_reach(d: f64) -> f64 {
    let (mean, variance) = (1.0 / d, 1.0 / (d * (2.0 + d)));
    let scale = (2.0 + d) / (3.0 + 3.0 * d + d * d);
    let shape = variance / (scale * scale);
    let quantile = |p: f64| mean + (gamma_p_inverse(shape, p) - shape) * scale;
    let below = 1.0 - quantile(0.025) / mean;
    let above = (1.0 + d) * quantile(0.975) / mean - 1.0;
    below.max(above)
}
