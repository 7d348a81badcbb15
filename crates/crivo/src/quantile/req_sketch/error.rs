//! The error of a number of values in the accurate tail: see `docs/STATISTICS.md`.

use super::levels::{Compactors, ReqLevel, SECTIONS};
use crate::Guarantee;
use crate::quantile::kept::Level;
use libm::{ceil, floor, ldexp, log, sqrt};

/// The variance of a tail of T values is at most about this share of T²/(s·k²), with s sections of k values; a test checks
/// it. The bounds hold for any number here, and are closest if it is right.
const VARIANCE: f64 = 0.4;
/// More than the rounding of a bound, relative to it.
const ROUNDING: f64 = 1e-12;

/// What the compactions that reached into a tail can have done to its estimate.
pub(super) struct Reach {
    /// The sum of the squares of the moves.
    pub(super) variance: f64,
    /// The sum of the moves.
    most: f64,
    /// The least number of values in the tail, whatever the coins were.
    least: f64,
}

impl Compactors {
    /// Bounds the error of a tail from the values that each level keeps of it, lowest level first.
    pub(super) fn reach(&self, levels: &[ReqLevel], kept: &[u64]) -> Reach {
        let (k, protected) = (self.k as f64, self.protected() as f64);
        let (mut entered, mut variance, mut most) = (0.0, 0.0, 0.0);
        let estimate: f64 =
            kept.iter().enumerate().map(|(height, &kept)| ldexp(kept as f64, height as i32)).sum();
        let mut least = estimate;
        for (height, (level, &kept)) in levels.iter().zip(kept).enumerate().rev() {
            // Of the values that entered, some stay, and the others were halved, up to half a value each time.
            let base = kept as f64 + 2.0 * entered;
            let extra = 2.0 * level.rounds as f64;
            let moves = floor(((base - protected + k) / k + extra) * k / (k - 1.0)).max(0.0);
            // No compaction reaches into the protected half, but for the value that a compaction of all sections may take along.
            let untouched = protected - f64::from(u8::from(level.has_compacted_all()));
            let moves = if base + moves <= untouched { 0.0 } else { moves.min(2.0 * level.coins() as f64) };
            entered = base + moves;
            if moves > 0.0 {
                // One coin decides two compactions, which move the estimate by 2^h together, or not at all.
                let coins = moves.min(level.coins() as f64);
                variance += ldexp(coins, 2 * height as i32);
                most += ldexp(coins, height as i32);
                let beyond = ldexp((extra + 1.0 - protected / k).max(0.0), height as i32);
                least = (least - beyond) * (k / (k + 1.0));
            }
        }
        Reach { variance, most, least: least.max(estimate - most).max(0.0) }
    }

    /// Returns the bounds of the number of values in a tail at this confidence. At most `sharing` parts have drawn equal
    /// coins.
    pub(super) fn bounds(
        &self,
        estimate: u64,
        reach: &Reach,
        sharing: u64,
        confidence: f64,
    ) -> (u64, u64, Guarantee) {
        if reach.most == 0.0 {
            return (estimate, estimate, Guarantee::Certain);
        }
        let (tail, sharing) = (estimate as f64, sharing as f64);
        let likely = VARIANCE / (f64::from(SECTIONS) * (self.k * self.k) as f64);
        let log = log(2.0 / (1.0 - confidence));
        // A tail of T values is off by at most slope·T + offset/T.
        let slope = sqrt(log * sharing * likely / 2.0);
        let offset = sqrt(log * sharing / (2.0 * likely)) * reach.variance;
        let (mut lower, mut upper) = (reach.least, tail + reach.most);
        let mut guarantee = Guarantee::Certain;
        if slope < 1.0 {
            let root = sqrt(tail * tail + 4.0 * (1.0 - slope) * offset);
            let proven = (tail + root) / (2.0 * (1.0 - slope));
            if proven < upper {
                (upper, guarantee) = (proven, Guarantee::Proven { confidence });
            }
        }
        let square = tail * tail - 4.0 * (1.0 + slope) * offset;
        if square >= 0.0 {
            let [few, many] = [-1.0, 1.0].map(|sign| (tail + sign * sqrt(square)) / (2.0 * (1.0 + slope)));
            // The tail has at most the fewer or at least the more values.
            if few < lower && many > lower {
                (lower, guarantee) = (many, Guarantee::Proven { confidence });
            }
        }
        let lower = ceil(lower * (1.0 - ROUNDING)) as u64;
        let upper = floor(upper * (1.0 + ROUNDING)) as u64;
        (lower.min(estimate), upper.max(estimate), guarantee)
    }
}
