//! Approximate counters of a few bits.

mod binomial_counter;
mod cells;
mod counter_shell;
mod keyed;
mod morris_counter;

pub use binomial_counter::{BinomialArray, BinomialCounter, BinomialParams};
pub use morris_counter::{MorrisArray, MorrisCounter, MorrisParams};

use crate::rng::Rng;

/// Counts the items of a stream for which `has` is true, exactly. This is the baseline for the approximate counters;
/// [`MorrisCounter::count_if`] counts in fewer bits.
///
/// ```
/// use crivo::counting::count_if;
/// assert_eq!(count_if(1..=100, |number| number % 7 == 0), 14);
/// ```
pub fn count_if<T>(items: impl IntoIterator<Item = T>, mut has: impl FnMut(&T) -> bool) -> u64 {
    items.into_iter().filter(|item| has(item)).count() as u64
}

/// A probability of 1, in the units of [`happens`].
const ALWAYS: u64 = 1 << 63;

/// Draws whether an event of probability `chance`/2⁶³ happens.
#[inline]
fn happens(rng: &mut Rng, chance: u64) -> bool {
    rng.next_u64() >> 1 < chance
}
