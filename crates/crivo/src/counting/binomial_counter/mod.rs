//! Counting a share of the increments: see [`BinomialCounter`].

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

/// A count that counts only a share of the increments, and multiplies.
///
/// # Use when / not when
/// Use it where counts are a few times too large for the bits there are, and their size is known beforehand: its relative
/// error falls as the count grows. Not where counts may be of any size: a [`MorrisCounter`](crate::MorrisCounter) has the same
/// relative error at all of them. For one counter or a few a `u64` is exact; for keys that are not numbered there is
/// [`CountMin`](crate::CountMin).
///
/// # Guarantee
/// With probability p the register of k increments is binomial: the value, register/p, has no bias and the variance
/// k(1 − p)/p. The interval is exact ([`Guarantee::Proven`]), from the binomial law, and certain for p = 1. A full register stays
/// full: then `upper()` is infinite.
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
/// One random number an increment, and one for any number of them at once
/// ([`increment_by`](Self::increment_by)).
///
/// # Merge
/// By distribution: registers add up. Each part needs a seed of its own; parts with one seed are refused.
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
/// Whoever knows the seed can tell which increments count, and leave these out. Seed it with a secret number then.
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
/// Morris 1978, doi:10.1145/359619.359627, where it is the first idea. The interval is Clopper and Pearson's, solved for the
/// number of trials.
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
    /// A counter at 0. The same seed and the same increments give the same register.
    pub fn with_params(params: BinomialParams, seed: u64) -> Self {
        Self { params, lots: Lots::new(seed), register: 0 }
    }

    /// Counts one.
    #[inline]
    pub fn increment(&mut self) {
        let counted = happens(self.lots.rng(), self.params.chance());
        self.register = plus(&self.params, self.register, u64::from(counted));
    }

    /// Counts `count` at once: with the probabilities of as many increments, but not with their random numbers.
    pub fn increment_by(&mut self, count: u64) {
        let counted = counted(&self.params, self.lots.rng(), count);
        self.register = plus(&self.params, self.register, counted);
    }

    /// With this register, if it can have it.
    fn at(params: BinomialParams, lots: Lots, register: u32) -> Option<Self> {
        let fits = register <= params.max() && (register == 0 || !lots.is_fresh());
        fits.then_some(Self { params, lots, register })
    }

    fn add(&mut self, other: &Self) {
        self.register = plus(&self.params, self.register, u64::from(other.register));
    }
}

/// How many of `count` increments count: one number of the binomial law, where its tails meet a random one.
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

/// A register stops at its end.
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
