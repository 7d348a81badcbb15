//! The params of a [`WindowedBloom`](super::WindowedBloom).

use crate::membership::ScalableParams;
use crate::membership::layered::layering::Layering;
use crate::membership::target::check_target;
use crate::sketch::{Params, narrow};
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// With more, a query would check too many filters, and each would need too low a rate.
const MOST_GENERATIONS: u32 = 64;

/// The size of a [`WindowedBloom`](crate::WindowedBloom): the planned items and rate, the length of its
/// window, and the number of steps in which items expire.
///
/// ```
/// use crivo::membership::WindowedParams;
/// let params = WindowedParams::for_fpr(100_000, 0.01, 3600, 4)?; // an hour of seconds
/// assert_eq!((params.window(), params.span()), (3600, 900));
/// assert_eq!(params.forgets_after(), 4500); // an hour and a quarter
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WindowedParams {
    items: u64,
    fpr: f64,
    window: u64,
    generations: u32,
    /// The params of the filter of one generation.
    generation: ScalableParams,
}

impl WindowedParams {
    /// Creates params for about `items` distinct items in `window` time units, which `generations` filters
    /// cover, in addition to the one that is being filled. The rate stays at or below `fpr` whatever the
    /// number of items.
    ///
    /// Four generations are usual. With more, items expire more promptly, at the cost of bits and time: a
    /// query checks all generations.
    ///
    /// # Errors
    /// `InvalidArgument` if `items` or `window` is 0, `fpr` is not strictly between 0 and 1, `generations` is
    /// not 1 to 64 or exceeds `window`, or the first layer of a generation would exceed 2⁴⁰ bits or what
    /// 64-bit hashes can distinguish.
    pub fn for_fpr(items: u64, fpr: f64, window: u64, generations: u32) -> Result<Self> {
        if window == 0 {
            return Err(Error::invalid("a window must be at least 1 time unit, got 0; give its length"));
        }
        if !(1..=MOST_GENERATIONS).contains(&generations) || u64::from(generations) > window {
            return Err(Error::invalid(format!(
                "a window of {window} has 1 to {} generations, got {generations}; 4 are usual",
                window.min(MOST_GENERATIONS.into())
            )));
        }
        check_target(items, fpr)?;
        let of_all = f64::from(generations) + 1.0;
        let generation = ScalableParams::for_fpr(items.div_ceil(generations.into()), fpr / of_all)?;
        Ok(Self { items, fpr, window, generations, generation })
    }

    /// Returns the planned number of distinct items in a window.
    pub fn items(&self) -> u64 {
        self.items
    }

    /// Returns the rate that it keeps.
    pub fn fpr(&self) -> f64 {
        self.fpr
    }

    /// Returns the length of the window in time units: up to this age an item is certainly found.
    pub fn window(&self) -> u64 {
        self.window
    }

    /// Returns the number of generations that cover the window, without the one that is being filled.
    pub fn generations(&self) -> u32 {
        self.generations
    }

    /// Returns the length of a generation in time units: the window divided by the generations, rounded up.
    pub fn span(&self) -> u64 {
        self.window.div_ceil(self.generations.into())
    }

    /// Returns the age from which on an item has expired: the length of all generations, including the one
    /// that is being filled.
    pub fn forgets_after(&self) -> u64 {
        self.span().saturating_mul(u64::from(self.generations) + 1)
    }

    /// Returns the memory of the bits in bytes if all generations, including the one that is being filled,
    /// have as many items as planned.
    pub fn memory_bytes(&self) -> u64 {
        self.generation.memory_bytes().saturating_mul(u64::from(self.generations) + 1)
    }

    pub(super) fn layering(&self) -> Layering {
        self.generation.layering()
    }
}

impl Params for WindowedParams {
    const NAMES: &[&str] = &["items", "target_fpr", "window", "generations"];
    const REALS: &[&str] = &["target_fpr"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.items, self.fpr.to_bits(), self.window, self.generations.into()]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        Self::for_fpr(numbers[0], f64::from_bits(numbers[1]), numbers[2], narrow(numbers[3])?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_space() {
        for (fpr, printed) in
            [(0.01, [28.9, 22.9, 20.4, 19.8, 20.1]), (0.001, [38.5, 30.1, 26.4, 25.2, 25.3])]
        {
            for (generations, printed) in [1u32, 2, 4, 8, 16].into_iter().zip(printed) {
                let params = WindowedParams::for_fpr(1_000_000, fpr, 100, generations).unwrap();
                let bits = params.memory_bytes() as f64 * 8.0 / 1e6;
                assert!((bits - printed).abs() <= 0.05, "{fpr} {generations}: {bits}, printed {printed}");
            }
        }
    }

    #[test]
    fn generations_cover_the_window() {
        for (window, generations, span) in
            [(1, 1, 1), (10, 4, 3), (12, 4, 3), (u64::MAX, 1, u64::MAX), (u64::MAX, 64, 1 << 58)]
        {
            let params = WindowedParams::for_fpr(10, 0.01, window, generations).unwrap();
            assert_eq!(params.span(), span);
            assert!(params.forgets_after() > window || window == u64::MAX);
        }
    }
}
