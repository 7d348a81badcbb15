//! Counting a random share of the increments: see [`BinomialCounter`].

mod binomial_array;
mod params;
#[cfg(test)]
mod tests;

pub use binomial_array::BinomialArray;
pub use params::BinomialParams;

use super::counter_shell::{CounterSize, counter};
use super::{ALWAYS, happens};
use crate::rng::{Lots, Rng};
use crate::stats::{binomial_quantile, trial_bounds};
use crate::{Estimate, Guarantee};

/// A binomial counter: an approximate count that samples the increments with a fixed probability.
///
/// # Use when / not when
/// Use it where counts are a few times too large for the available bits and their size is known in advance: the
/// relative error falls as the count grows. Not where counts may have any size: a
/// [`MorrisCounter`](crate::MorrisCounter) has the same relative error at all counts. For a few counters a `u64` is
/// exact; for keys that are not numbered use [`CountMin`](crate::CountMin).
///
/// # Guarantee
/// With probability p the register after k increments is binomial: the value, register/p, is unbiased and has the
/// variance k(1 − p)/p. The interval is exact ([`Guarantee::Proven`]), from the binomial distribution, and certain for
/// p = 1. A full register stays full: then `upper()` is infinite.
///
/// # Space
/// | p | bits | largest count | 95 % interval at 10,000 |
/// |---|---|---|---|
/// | 1 | 16 | 65,535 | exact |
/// | 1/2 | 16 | 131,070 | −2.0 to +2.0 % |
/// | 1/64 | 16 | 4,194,240 | −15.0 to +16.9 % |
/// | 1/64 | 8 | 16,320 | −15.0 to +16.9 % |
///
/// # Time
/// One random number per increment, and one for any number of increments at once
/// ([`increment_by`](Self::increment_by)).
///
/// # Merge
/// Equal in distribution: the registers are added. Each part needs its own seed; parts with equal seeds are refused.
///
/// ```
/// use crivo::counting::{BinomialCounter, BinomialParams};
/// let params = BinomialParams::exact(1.0 / 64.0, 16)?;
/// let (mut left, mut right) = (BinomialCounter::with_params(params, 1), BinomialCounter::with_params(params, 2));
/// left.increment_by(300_000);
/// right.increment_by(700_000);
/// left.merge(&right)?;
/// assert!(left.estimate_at(0.99)?.contains(1_000_000.0));
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # Hostile input
/// An attacker who knows the seed can predict which increments count, and leave those out. Use a secret seed if that
/// matters.
///
/// # Example
/// ```
/// use crivo::counting::{BinomialCounter, BinomialParams};
/// let mut hits = BinomialCounter::with_params(BinomialParams::exact(0.5, 16)?, 42);
/// for _ in 0..10_000 {
///     hits.increment();
/// }
/// let count = hits.estimate();
/// assert!(count.contains(10_000.0), "{count}");
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// p = 1/2      increments  x x x x x x x x     of eight,
///              counted     x . . x x . x .     four: the count is about 4/p = 8
/// ```
///
/// # References
/// Morris 1978, doi:10.1145/359619.359627, which begins with this counter. The interval is Clopper and Pearson's,
/// solved for the number of trials.
///
/// # Measured
/// `crivo-lab run c-binomial-counter`, `e-m-counters`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct BinomialCounter {
    params: BinomialParams,
    lots: Lots,
    register: u32,
}

impl BinomialCounter {
    /// Creates a counter at 0. Equal seeds and equal increments give equal registers.
    pub fn with_params(params: BinomialParams, seed: u64) -> Self {
        Self { params, lots: Lots::new(seed), register: 0 }
    }

    /// Increments the counter by one.
    #[inline]
    pub fn increment(&mut self) {
        let counted = happens(self.lots.rng(), self.params.chance());
        self.register = plus(&self.params, self.register, u64::from(counted));
    }

    /// Increments the counter by `count`, with the same distribution as `count` single increments but other random
    /// numbers.
    pub fn increment_by(&mut self, count: u64) {
        let counted = counted(&self.params, self.lots.rng(), count);
        self.register = plus(&self.params, self.register, counted);
    }

    /// Creates a counter with this register; returns `None` if the register is impossible.
    fn at(params: BinomialParams, lots: Lots, register: u32) -> Option<Self> {
        let fits = register <= params.max() && (register == 0 || !lots.is_fresh());
        fits.then_some(Self { params, lots, register })
    }

    fn add(&mut self, other: &Self) {
        self.register = plus(&self.params, self.register, u64::from(other.register));
    }
}

/// Draws how many of `count` increments count: one binomial number, found by inversion of its distribution.
fn counted(params: &BinomialParams, rng: &mut Rng, count: u64) -> u64 {
    if count == 0 {
        return 0;
    }
    let unit = rng.open_unit();
    if params.chance() == ALWAYS {
        return count;
    }
    binomial_quantile(count, params.probability(), unit) as u64
}

/// Adds to a register, which saturates.
#[inline]
fn plus(params: &BinomialParams, register: u32, counted: u64) -> u32 {
    u64::from(register).saturating_add(counted).min(u64::from(params.max())) as u32
}

fn estimate(params: &BinomialParams, register: u32, confidence: f64) -> Estimate {
    let value = f64::from(register) / params.probability();
    let is_saturated = register == params.max();
    if params.chance() == ALWAYS {
        let upper = if is_saturated { f64::INFINITY } else { value };
        return Estimate::new(value, value, upper, Guarantee::Certain);
    }
    let p = (params.probability(), (ALWAYS - params.chance()) as f64 / ALWAYS as f64);
    let (lower, upper) = trial_bounds(u64::from(register), u64::from(register), p, confidence);
    let upper = if is_saturated { f64::INFINITY } else { upper };
    Estimate::new(value, lower, upper, Guarantee::Proven { confidence })
}

counter!(one BinomialCounter, BinomialParams);
crate::sketch::shell!(@for_target [] BinomialCounter, BinomialParams::for_count(largest: u64, bits: u32), seed: u64);
