//! Morris's approximate counter: see [`MorrisCounter`].

mod law;
mod morris_array;
mod params;
#[cfg(test)]
mod tests;

pub use morris_array::MorrisArray;
pub use params::MorrisParams;

use super::counter_shell::{CounterSize, counter};
use super::{ALWAYS, happens};
use crate::rng::{Lots, Rng};
use crate::{Estimate, Guarantee};
use law::{reached_early, reached_late};
use libm::{ceil, floor, log1p};

/// A Morris counter: an approximate count in log log n bits, whose register holds about the logarithm of the count.
///
/// # Use when / not when
/// Use it for very many counters each of which may grow large, as a [`MorrisArray`]: eight bits count to millions
/// within about a third. Not for a few counters: a `u64` is exact, and this counter with its generator takes more
/// memory. For keys that are not numbered, [`CountMin`](crate::CountMin) finds the counters by hashing. Where all
/// counts stay below a few times 2^bits, a [`BinomialCounter`](crate::counting::BinomialCounter) is more accurate.
///
/// # Guarantee
/// The value is unbiased. In base b its relative standard error is √((b − 1)/2) at any count; 0 and 1 are exact. The
/// interval comes from the distribution of the waiting times that lead to a register, [`Guarantee::Approximate`]. A
/// full register stays full: then `upper()` is infinite.
///
/// # Space
/// | base | bits | largest count | standard error | 95 % interval |
/// |---|---|---|---|---|
/// | 2 | 4 | 2¹⁵ − 1 | 71 % | −74 to +394 % |
/// | 2 | 8 | 2²⁵⁵ − 1 | 71 % | −74 to +394 % |
/// | 1.1 | 8 | 3.6·10¹¹ | 22 % | −36 to +63 % |
/// | 1.05 | 8 | 5.1·10⁶ | 16 % | −26 to +38 % |
/// | 1.005 | 12 | 1.5·10¹¹ | 5 % | −9.3 to +10.5 % |
///
/// # Time
/// One random number per increment. [`increment_by`](Self::increment_by) draws one for each step of the register,
/// however large the count: at most ln(n(b − 1) + 1)/ln b.
///
/// # Merge
/// Equal in distribution: the merged counter is distributed like one that counted both streams, with one random number
/// for each step of the smaller register. Each part needs its own seed; parts with equal seeds are refused.
///
/// ```
/// use crivo::MorrisCounter;
/// use crivo::counting::MorrisParams;
/// let params = MorrisParams::for_error(0.1, 1_000_000_000)?;
/// let (mut left, mut right) = (MorrisCounter::with_params(params, 1), MorrisCounter::with_params(params, 2));
/// left.increment_by(30_000);
/// right.increment_by(70_000);
/// left.merge(&right)?;
/// assert!(left.estimate_at(0.99)?.contains(100_000.0));
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # Hostile input
/// An attacker who knows the seed can predict which increments count, and leave those out. Use a secret seed if that
/// matters.
///
/// # Example
/// ```
/// use crivo::MorrisCounter;
/// use crivo::counting::MorrisParams;
/// let mut requests = MorrisCounter::with_params(MorrisParams::for_error(0.1, 1_000_000_000)?, 42);
/// for _ in 0..5000 {
///     requests.increment();
/// }
/// requests.increment_by(1_000_000);
/// let count = requests.estimate();
/// assert!(count.contains(1_005_000.0), "{count}");
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// base 2:   register  0    1    2    3    4         at n, go on with probability 2⁻ⁿ
///           chance    1   1/2  1/4  1/8  1/16
///           count     0    1    3    7    15        (bⁿ − 1)/(b − 1)
/// ```
///
/// # References
/// Morris 1978, doi:10.1145/359619.359627 · Flajolet 1985, doi:10.1007/BF01934993, for its distribution · Nelson and Yu
/// 2022, doi:10.1145/3517804.3526225, for merging. New here: intervals, by inverting the distribution of the waiting
/// times.
///
/// # Measured
/// `crivo-lab run c-morris-counter`, `e-m-counters`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct MorrisCounter {
    params: MorrisParams,
    lots: Lots,
    register: u32,
    /// The probability of the next step; zero when full.
    chance: u64,
}

impl MorrisCounter {
    /// Creates a counter at 0. Equal seeds and equal increments give equal registers.
    pub fn with_params(params: MorrisParams, seed: u64) -> Self {
        Self { params, lots: Lots::new(seed), register: 0, chance: ALWAYS }
    }

    /// Counts the items for which `has` is true.
    ///
    /// ```
    /// use crivo::MorrisCounter;
    /// use crivo::counting::MorrisParams;
    /// let params = MorrisParams::for_error(0.2, 1_000_000)?;
    /// let even = MorrisCounter::count_if(params, 7, 0..100_000u32, |number| number % 2 == 0);
    /// assert!(even.estimate().contains(50_000.0));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn count_if<T>(
        params: MorrisParams,
        seed: u64,
        items: impl IntoIterator<Item = T>,
        mut has: impl FnMut(&T) -> bool,
    ) -> Self {
        let mut counter = Self::with_params(params, seed);
        items.into_iter().filter(|item| has(item)).for_each(|_| counter.increment());
        counter
    }

    /// Increments the counter by one.
    #[inline]
    pub fn increment(&mut self) {
        if happens(self.lots.rng(), self.chance) {
            self.set(self.register + 1);
        }
    }

    /// Increments the counter by `count`, with the same distribution as `count` single increments but other random
    /// numbers.
    pub fn increment_by(&mut self, count: u64) {
        let register = advance(&self.params, self.lots.rng(), self.register, count);
        self.set(register);
    }

    fn set(&mut self, register: u32) {
        self.register = register;
        self.chance = if register == self.params.max() { 0 } else { self.params.chance(register) };
    }

    /// Creates a counter with this register; returns `None` if the register is impossible (the first increment always
    /// counts).
    fn at(params: MorrisParams, lots: Lots, register: u32) -> Option<Self> {
        let fits = register <= params.max() && lots.is_fresh() == (register == 0);
        let mut counter = Self { params, lots, register: 0, chance: ALWAYS };
        if fits {
            counter.set(register);
        }
        fits.then_some(counter)
    }

    fn add(&mut self, other: &Self) {
        let params = self.params;
        let register = merged(self.lots.rng(), self.register, other.register, params.max(), |steps| {
            params.chance(steps)
        });
        self.set(register);
    }
}

/// Returns the register after `count` increments. The waiting time of each step is geometric; the unused rest of the
/// last one can be dropped, because a geometric waiting time has no memory.
fn advance(params: &MorrisParams, rng: &mut Rng, mut register: u32, mut count: u64) -> u32 {
    while count > 0 && register < params.max() {
        let misses = floor(-rng.exponential() / log1p(-params.probability(register))) as u64;
        if misses >= count {
            break;
        }
        count -= misses + 1;
        register += 1;
    }
    register
}

/// Merges two registers. A step of the smaller one from j was an event of probability b⁻ʲ; had the larger one, at x,
/// seen the increment, it would have taken a step with probability b⁻ˣ. So it takes a step with probability b^(j − x),
/// and ignores increments that were no step of the smaller one.
#[inline]
fn merged(rng: &mut Rng, one: u32, other: u32, max: u32, chance: impl Fn(u32) -> u64) -> u32 {
    let (mut register, smaller) = (one.max(other), one.min(other));
    for step in 0..smaller {
        if register < max && happens(rng, chance(register - step)) {
            register += 1;
        }
    }
    register
}

/// Estimates the count. Register n at count k means that n was reached by then, and n + 1 was not.
fn estimate(params: &MorrisParams, register: u32, confidence: f64) -> Estimate {
    let value = params.value(register);
    if register == 0 {
        return Estimate::exact(value);
    }
    let miss = 0.5 * (1.0 - confidence);
    let mut lower = reached_early(params, register, miss);
    let mut upper =
        if register == params.max() { f64::INFINITY } else { reached_late(params, register + 1, miss) };
    // Both bounds together over-cover by the probability of a whole step, b^n. Where a step is a small part of the
    // interval, each bound moves inwards by a third, so that the interval covers neither too much nor, where the steps
    // fall badly, too little.
    let excess = params.base() - 1.0;
    if excess < 0.1 && upper.is_finite() && upper - lower > 10.0 * (1.0 + excess * value) {
        // A register that can be reached without a missed increment gives no better bound.
        if lower > f64::from(register) {
            lower += (1.0 + excess * lower) / 3.0;
        }
        upper -= (1.0 + excess * upper) / (3.0 * params.base());
    }
    let lower = if lower > f64::from(register) { ceil(lower) } else { f64::from(register) };
    let upper = floor(upper);
    Estimate::new(value, lower, upper, Guarantee::Approximate { confidence })
}

counter!(one MorrisCounter, MorrisParams);
crate::sketch::shell!(@for_target [] MorrisCounter, MorrisParams::for_error(error: f64, largest: u64), seed: u64);
