//! The random draw of an item for a slot; the smallest draw wins it.
//!
//! For a given slot, each item has random numbers r and c of the gamma distribution with shape 2, and β uniform in (0,
//! 1). An item of weight w draws (Ioffe 2010)
//! ```text
//! t = ⌊ln w / r + β⌋,   the step of its own ladder of weights that w reaches: from e^(r(t − β)) to below e^(r(t − β + 1))
//! a = c / e^(r(t − β + 1)),   exponentially distributed with mean 1/w
//! ```
//! So an item wins with a probability proportional to its weight, a larger weight never draws more, and an item draws
//! the same step and number under any two weights on the same step of its ladder.
//!
//! Most items do not win. From e^(r(t − β + 1)) ≤ w·e^r and −ln x ≥ 1 − x follows
//! ```text
//! a ≥ c / (w·e^r) = −ln(u₂u₃) · u₀u₁ / w ≥ (1 − u₂u₃) · u₀u₁ / w
//! ```
//! which takes no logarithm except that of a power of two. Only items that pass this test draw their number.

use crate::memory::{BATCH, with_avx2};
use crate::similarity::directions::random;
use core::f64::consts::LOG2_E;
use libm::{floor, log};

/// The random numbers of an item for a slot: two each for r and c, and β.
const DRAWS: u32 = 5;

/// Scales 24 bits to numbers below 1.
const SCALE: f32 = 1.0 / 16_777_216.0;

/// The draw of an item.
#[derive(Clone, Copy)]
pub(super) struct Lot {
    /// ln a
    pub(super) rank: f64,
    /// t
    pub(super) step: i64,
}

impl Lot {
    pub(super) fn draw(hash: u64, slot: u32, log_weight: f64) -> Self {
        // Strictly between 0 and 1.
        let unit = |draw: u32| (f64::from(random(hash, slot * DRAWS + draw)) + 0.5) * (1.0 / 4_294_967_296.0);
        let gamma = |draw: u32| -log(unit(draw) * unit(draw + 1));
        let (r, c, beta) = (gamma(0), gamma(2), unit(4));
        let step = floor(log_weight / r + beta);
        Self { rank: log(c) - r * (step - beta + 1.0), step: step as i64 }
    }
}

/// Returns log₂(a·w) from ln a + ln w, with a small margin for all rounding below.
#[inline]
pub(crate) fn log2_limit(log_product: f64) -> f32 {
    (log_product * LOG2_E) as f32 + 1e-3
}

/// Returns whether an item may draw a number below a, from which `limit` was computed. Rounding errors lead to `true`.
#[expect(clippy::inline_always, reason = "takes the instruction set of its caller")]
#[inline(always)]
pub(crate) fn may_be_below(hash: u64, slot: u32, limit: f32) -> bool {
    // The upper 24 bits are integers in single precision.
    let draw = |draw: u32| (random(hash, slot.wrapping_mul(DRAWS).wrapping_add(draw)) >> 8) as i32 as f32;
    // Lower and upper bounds that hold whatever the lower bits are and however it is rounded.
    let first = (draw(0) * SCALE) * (draw(1) * SCALE);
    let second = ((draw(2) + 1.0) * SCALE) * ((draw(3) + 1.0) * SCALE);
    let least = ((1.0 - 1e-6) - second).max(0.0) * first;
    // Read as a number, the bits of a float (exponent first, then fraction) give at most its logarithm.
    let log2_least = least.to_bits() as i32 as f32 * (1.0 / 8_388_608.0) - 127.0;
    log2_least < limit
}

with_avx2! {
    /// Marks the slots, from `first` on, that an item may win against these ranks, at most one batch.
    fn possible_winners(ranks: &[f64], first: u32, hash: u64, log_weight: f64) -> [u8; BATCH] {
        // Two loops, because numbers of different sizes in one loop would take twice the time.
        let mut limits = [f32::NEG_INFINITY; BATCH];
        for (limit, rank) in limits.iter_mut().zip(ranks) {
            *limit = log2_limit(rank + log_weight);
        }
        let mut marks = [0; BATCH];
        for (slot, (mark, limit)) in (0..).zip(marks.iter_mut().zip(limits)) {
            *mark = u8::from(may_be_below(hash, first.wrapping_add(slot), limit));
        }
        marks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use alloc::vec::Vec;

    #[test]
    fn no_winner_is_passed_over() {
        let mut rng = Rng::new(3);
        let mut passed = 0;
        for _ in 0..200_000 {
            let (hash, slot) = (rng.next_u64(), rng.below(65_536) as u32);
            let log_weight = (rng.unit() - 0.5) * 1380.0;
            let lot = Lot::draw(hash, slot, log_weight);
            // Just above its own number an item has to pass; where a thousandth would win, few should.
            assert!(may_be_below(hash, slot, log2_limit(lot.rank + 1e-9 + log_weight)));
            passed += u32::from(may_be_below(hash, slot, log2_limit(log(0.001))));
        }
        // P(c·e^−r < 0.001) is 0.0079 + ...
        assert!(passed < 2400, "{passed} of 200,000");
    }

    /// Numbers are exponential with the weight as their rate, and a larger weight never draws a larger one.
    #[test]
    fn draws_follow_the_weights() {
        let mut rng = Rng::new(4);
        for weight in [1e-300, 0.3, 1.0, 77.0, 1e300] {
            let log_weight = log(weight);
            let lots: Vec<f64> = (0..20_000)
                .map(|_| {
                    let (hash, slot) = (rng.next_u64(), rng.below(65_536) as u32);
                    let (lot, more) =
                        (Lot::draw(hash, slot, log_weight), Lot::draw(hash, slot, log_weight + 0.7));
                    assert!(more.rank <= lot.rank && more.step >= lot.step);
                    assert!(more.step > lot.step || more.rank == lot.rank);
                    libm::exp(lot.rank + log_weight)
                })
                .collect();
            let mean = lots.iter().sum::<f64>() / 20_000.0;
            let square = lots.iter().map(|lot| lot * lot).sum::<f64>() / 20_000.0;
            // Standard deviations 1 and √20, over 20,000 draws: five of them each.
            assert!((mean - 1.0).abs() < 5.0 / libm::sqrt(20_000.0), "{weight}: {mean}");
            assert!((square - 2.0).abs() < 5.0 * libm::sqrt(20.0 / 20_000.0), "{weight}: {square}");
        }
    }

    /// The portable version, which is compiled for every processor.
    #[test]
    fn winners_are_the_same_with_and_without_avx2() {
        let mut rng = Rng::new(7);
        let ranks: Vec<f64> = (0..BATCH).map(|_| rng.unit() * 20.0 - 15.0).collect();
        for _ in 0..100 {
            let hash = rng.next_u64();
            let twins = (7..)
                .zip(&ranks)
                .map(|(slot, rank)| u8::from(may_be_below(hash, slot, log2_limit(rank + 1.0))));
            assert!(twins.eq(possible_winners(&ranks, 7, hash, 1.0)));
        }
    }
}
