//! The estimator: from registers to answers by maximum likelihood, and the law of its error.
//!
//! Let a Poisson number of items with mean λ = n/m fall on a register. Then the values that it sees are
//! independent: value k occurs with probability 1 − e^(−λP), where P = 2^(−3−g) in its group g of four values
//! with equally many leading zeros. Two groups share the last P. For each value down to twenty below its
//! largest, a register shows whether it occurred. With β(P) values that occurred, and a sum α of the P of
//! those that did not, over all registers,
//!
//! ```text
//! ln L(λ) = −λα + Σ β(P) ln(1 − e^(−λP))
//! ```

use super::registers::{Registers, WINDOW_BITS};
use crate::DEFAULT_CONFIDENCE;
use crate::stats::normal_quantile;
use libm::{exp, expm1, ldexp, sqrt};

/// The number of groups of four values at precision 4; higher precisions have fewer.
const MAX_GROUPS: usize = 59;
/// The number of groups that a window reaches back.
const WINDOW_GROUPS: usize = (WINDOW_BITS / 4) as usize;

/// Returns the number of groups of four values at a precision.
fn groups(precision: u32) -> usize {
    63 - precision as usize
}

/// Returns −log₂ P of the values of a group.
fn exponent(group: usize, precision: u32) -> u32 {
    (3 + group as u32).min(64 - precision)
}

/// The registers of a sketch, summed up: everything that the estimator needs.
pub(super) struct Evidence {
    /// The number of values that occurred, by group.
    pub(super) came: [u32; MAX_GROUPS],
    /// The sum of P over the values that did not occur, in units of 2^(precision − 64).
    pub(super) missing: u128,
    precision: u32,
}

/// An estimate and its bounds.
pub(super) struct Interval {
    pub(super) value: f64,
    pub(super) lower: f64,
    pub(super) upper: f64,
}

/// Sums over the registers whose largest value is in the same group: six counts of the values that occurred
/// in each group that the window reaches, newest last, in lanes of 21 bits; the number of registers; and the
/// number of values of the oldest group that they show.
#[derive(Clone, Copy, Default)]
struct Row {
    even: u64,
    odd: u64,
    registers: u32,
    oldest: u32,
}

impl Row {
    /// Adds a state whose largest value is number `place` (0 to 3) of its group.
    #[inline]
    fn take(&mut self, state: u32, place: u32) {
        // The window below its largest value, shifted so that every group is four bits from a multiple of
        // four.
        let bits = (state & ((1 << WINDOW_BITS) - 1) | 1 << WINDOW_BITS) << place;
        let twos = bits - (bits >> 1 & 0x55_5555);
        let fours = (twos & 0x33_3333) + (twos >> 2 & 0x33_3333);
        self.even += spread(fours);
        self.odd += spread(fours >> 4);
        self.registers += 1;
        self.oldest += 4 - place;
    }

    /// Returns the count of the group `i` after the oldest.
    fn count(&self, i: usize) -> u32 {
        let lanes = if i & 1 == 0 { self.even } else { self.odd };
        (lanes >> (21 * (i / 2))) as u32 & 0x1f_ffff
    }
}

/// Returns the first, third and fifth group of four bits, 21 bits apart.
#[inline]
fn spread(fours: u32) -> u64 {
    let apart = u64::from(fours & 0x0f_0f0f) * (1 | 1 << 13 | 1 << 26);
    apart & (7 | 7 << 21 | 7 << 42)
}

/// Returns how many of the 2^(64 − precision) hashes of a register would change its state.
pub(super) fn hashes_unseen(state: u32, precision: u32) -> u128 {
    let largest = state >> WINDOW_BITS;
    let chance = |value: u32| 1u128 << (64 - precision - exponent((value as usize - 1) / 4, precision));
    let first_in_view = largest.saturating_sub(WINDOW_BITS).max(1);
    let unseen = (first_in_view..largest).filter(|value| state >> (WINDOW_BITS + value - largest) & 1 == 0);
    let missed: u128 = unseen.map(chance).sum();
    // The groups after group g have probability 2^(−1−g) in total, and there is none after the last.
    let Some(place) = largest.checked_sub(1) else { return 1 << (64 - precision) };
    let later =
        if place as usize / 4 + 1 == groups(precision) { 0 } else { 1u128 << (63 - precision - place / 4) };
    missed + u128::from(3 - place % 4) * chance(largest) + later
}

impl Evidence {
    pub(super) fn of(registers: &Registers, precision: u32) -> Self {
        // Row 0 is for empty registers, whose largest value, 0, is the last of the group before the first.
        let mut rows = [Row::default(); 64];
        for state in registers.pairs().flatten() {
            let largest = (state >> WINDOW_BITS) + 3;
            rows[(largest / 4 % 64) as usize].take(state, largest % 4);
        }
        let mut came = [0; MAX_GROUPS];
        let mut missing = 0u128;
        let chance = |group: usize| 1u128 << (64 - precision - exponent(group, precision));
        for (row, sums) in rows.iter().enumerate() {
            for i in 0..=WINDOW_GROUPS {
                // Groups before the first do not exist: their bits carry no information.
                if let Some(group) = (row + i).checked_sub(WINDOW_GROUPS + 1)
                    && group < groups(precision)
                {
                    came[group] += sums.count(i);
                }
            }
            // All values that these registers show. The groups after group g have probability 2^(−1−g) in
            // total.
            missing += match row.checked_sub(WINDOW_GROUPS + 1) {
                Some(oldest) => {
                    u128::from(sums.registers) * 4 * chance(oldest) + u128::from(sums.oldest) * chance(oldest)
                }
                None => u128::from(sums.registers) << (64 - precision),
            };
        }
        for (group, &count) in came.iter().enumerate().take(groups(precision)) {
            missing -= u128::from(count) * chance(group);
        }
        Self { came, missing, precision }
    }

    /// Returns the estimate, and bounds at `z` standard deviations.
    ///
    /// The logarithm of the most likely n follows ln n + shift/m + s/√m·(Z + γ/(6√m)(Z² − 1)) with Z normal
    /// (Cornish and Fisher); the bounds are the n at which the observed one is the Z-quantile, by two steps
    /// of iteration.
    pub(super) fn interval(&self, z: f64) -> Interval {
        let m = f64::from(1u32 << self.precision);
        // Each value that a register saw comes from a distinct item.
        let least = f64::from(self.came.iter().sum::<u32>());
        if self.missing == 0 {
            // Every register is at its maximum: the state just before gives a lower bound, and there is no
            // upper one.
            let mut before = Self { missing: 1, ..*self };
            before.came[groups(self.precision) - 1] -= 1;
            let lower = before.interval(z).lower;
            return Interval { value: lower, lower, upper: f64::INFINITY };
        }
        let raw = m * self.likeliest_load();
        let law_here = Law::at(raw / m, self.precision);
        let at_quantile = |z: f64| {
            let bound = (raw * law_here.quantile(z, m)).max(least);
            if bound > MOST_ITEMS {
                return f64::INFINITY;
            }
            raw * Law::at(bound / m, self.precision).quantile(z, m)
        };
        Interval {
            value: (raw / (1.0 + law_here.bias / m)).max(least),
            lower: at_quantile(-z).max(least),
            upper: at_quantile(z),
        }
    }

    /// Returns the λ at which Σ β λP/(e^(λP) − 1) = λα.
    ///
    /// The difference of the sides is convex and decreasing, so Newton's method climbs to the root from any λ
    /// below it. Such a λ is where the tangents x/(e^x − 1) ≥ 1 − x/2 at 0 meet the right side.
    fn likeliest_load(&self) -> f64 {
        let last = groups(self.precision) - 1;
        let alpha = ldexp(self.missing as f64, self.precision as i32 - 64);
        let newest = self.came.iter().rposition(|&count| count > 0).unwrap_or(0);
        let finest = ldexp(1.0, -(exponent(newest, self.precision) as i32));
        let (mut sum, mut weighted, mut p) = (0.0, 0.0, finest);
        for group in (0..=newest).rev() {
            let count = f64::from(self.came[group]);
            sum += count;
            weighted += count * p;
            p *= if group == last { 1.0 } else { 2.0 };
        }
        let mut load = sum / (alpha + 0.5 * weighted);
        loop {
            let mut x = load * finest;
            let mut grown = expm1(x);
            let (mut value, mut slope) = (-load * alpha, -load * alpha);
            for group in (0..=newest).rev() {
                let count = f64::from(self.came[group]);
                let term = x / grown;
                value += count * term;
                slope += count * term * (1.0 - term * (1.0 + grown));
                if group != last {
                    x *= 2.0;
                    grown *= grown + 2.0;
                }
                if grown > NEGLIGIBLE {
                    break;
                }
            }
            let step = value / slope;
            load -= load * step;
            // The error of Newton's method is about the square of its last step.
            if step.is_nan() || step > -1e-7 {
                return load;
            }
        }
    }
}

/// Values that occur with a probability of 1 − 10⁻³⁰ carry no information.
const NEGLIGIBLE: f64 = 1e30;
/// No state corresponds to this many items (2⁷⁰): if the law leads there, it says nothing.
const MOST_ITEMS: f64 = 1_180_591_620_717_411_303_424.0;
/// Items per register far from empty and far from full, at every precision.
const LIMIT_LOAD: f64 = 1_048_576.0;

/// The limit law of the most likely n at λ items per register, relative to n, given n.
pub(super) struct Law {
    /// m times the variance.
    pub(super) variance: f64,
    /// m times the bias.
    pub(super) bias: f64,
    /// √m times the skewness.
    pub(super) skewness: f64,
}

impl Law {
    /// Computes the law. A register shows value k unless one of the values more than twenty above it
    /// occurred. So the score s = λ(ln L)′ of a register is a sum over k of independent scores with mean 0,
    /// each present if the register shows k. With x = λP, y = e^x − 1, w the probability that k is shown, and
    /// v = x²/y, the moments of s and of t = λ²(ln L)″ for one register are
    ///
    /// ```text
    /// J = E[s²] = Σ wv     B = E[s³] = Σ wv(x/y − x + 3 ln w)     C = −E[s³ + st] = Σ wv(x − 2 ln w)
    /// ```
    ///
    /// From these follow the moments of the most likely n if the number of items is Poisson. Subtracting the
    /// part of s that the register's own number of items explains gives those for a fixed number. With r =
    /// J/λ:
    ///
    /// ```text
    /// variance (1 − r)/J     bias C/(2J²)     third cumulant (B(1 − 3r) + 3C(1 − 2r) + 2r²J)/J³
    /// ```
    pub(super) fn at(load: f64, precision: u32) -> Self {
        let groups = groups(precision);
        // e^x − 1 of every group, from the last on, which equals the one before.
        let mut grown = [0.0; MAX_GROUPS + WINDOW_GROUPS];
        let finest = ldexp(load, precision as i32 - 64);
        grown[groups - 1] = expm1(finest);
        grown[groups - 2] = grown[groups - 1];
        for group in (0..groups - 2).rev() {
            grown[group] = grown[group + 1] * (grown[group + 1] + 2.0);
        }
        let (mut information, mut third, mut curvature) = (0.0, 0.0, 0.0);
        for group in (0..groups).rev().take_while(|&group| grown[group] < NEGLIGIBLE) {
            let y = grown[group];
            let x = ldexp(load, -(exponent(group, precision) as i32));
            // The values beyond the window of each value of the group, in units of the P there: the rest of
            // that group and, unless it is the last one, as much as four more.
            let beyond = group + WINDOW_GROUPS;
            let rest = if beyond + 1 < groups { 4.0 } else { 0.0 };
            let unit = ldexp(load, -(exponent(beyond, precision) as i32));
            let factor = 1.0 / (1.0 + grown[beyond]);
            let mut shown = if rest > 0.0 { (factor * factor) * (factor * factor) } else { 1.0 };
            let (mut weight, mut hidden) = (0.0, 0.0);
            for values in 0..4 {
                weight += shown;
                hidden += if beyond < groups { shown * unit * (rest + f64::from(values)) } else { 0.0 };
                shown *= factor;
            }
            let v = x * x / y;
            information += v * weight;
            third += v * (weight * (x / y - x) - 3.0 * hidden);
            curvature += v * (weight * x + 2.0 * hidden);
        }
        let share = information / load;
        let variance = (1.0 - share) / information;
        let cumulant = third * (1.0 - 3.0 * share)
            + 3.0 * curvature * (1.0 - 2.0 * share)
            + 2.0 * share * share * information;
        let cubed = information * information * information;
        Self {
            variance,
            bias: curvature / (2.0 * information * information),
            skewness: cumulant / (cubed * variance * sqrt(variance)),
        }
    }

    /// Returns the law far from empty and far from full.
    pub(super) fn limit(precision: u32) -> Self {
        Self::at(LIMIT_LOAD, precision)
    }

    /// Returns the factor by which n exceeds the most likely one if the latter is its −z-quantile.
    fn quantile(&self, z: f64, m: f64) -> f64 {
        let deviation = sqrt(self.variance / m);
        // The logarithm subtracts half the variance from the mean, and three deviations from the skewness.
        let shift = self.bias / m - 0.5 * deviation * deviation;
        let skewness = self.skewness / sqrt(m) - 3.0 * deviation;
        // The parabola of Cornish and Fisher turns here; beyond it the quantile would move back.
        let turn = 3.0 / skewness;
        let z = if skewness < 0.0 { z.max(turn) } else { z.min(turn) };
        exp(deviation * (z - skewness / 6.0 * (z * z - 1.0)) - shift)
    }

    /// Returns the length of the longer side of the 95 % interval, relative to the estimate.
    pub(super) fn reach(&self, precision: u32) -> f64 {
        let m = f64::from(1u32 << precision);
        let z = normal_quantile(0.5 + DEFAULT_CONFIDENCE / 2.0);
        let value = 1.0 / (1.0 + self.bias / m);
        (self.quantile(z, m) / value - 1.0).max(1.0 - self.quantile(-z, m) / value)
    }
}
