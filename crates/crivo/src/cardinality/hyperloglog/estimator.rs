//! The estimators: from register counts to answers.

use super::MAX_REGISTER;
use crate::stats::normal_quantile;
use crate::{DEFAULT_CONFIDENCE, Estimate, Guarantee};
use libm::{exp, log, log1p, sqrt};

/// The formula that estimates the number of items from the registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Estimator {
    /// Ertl's corrected raw estimator with its remaining bias removed. It is the default and has no bump at
    /// any cardinality.
    Ertl,
    /// Flajolet et al. 2007: the harmonic mean, with linear counting up to 5m/2. Biased around the switch. Hashes of
    /// 64 bits need no correction for a large range.
    Original,
    /// [`Original`](Self::Original) with its third branch, −2³² ln(1 − E/2³²) above 2³²/30: the number of items if
    /// only 32 bits of each reach the sketch, as `insert(&hash)` with a `hash` of type `u32`. Several items then
    /// share a hash, E counts the hashes, and the correction counts the items; infinite if E reaches 2³².
    ///
    /// The correction is right because the sketch hashes these 32 bits again. If the ranks were taken from the 32
    /// bits themselves, as the paper does, E would count the items already, nearly without bias up to 2³²/10, and
    /// the correction would add 1.7 % at 2³²/30 and 5 % at 2³²/10.
    Original32,
    /// Like HyperLogLog++: the raw mean with its bias removed up to 5m, and linear counting below a threshold. The
    /// thresholds are those of Heule, Nunkesser and Hall, but the bias is not from their table of simulations: it is
    /// Crivo's own, from the expectation of the raw mean for many registers.
    BiasCorrected,
    /// −m ln(share of empty registers): good below m, useless above, infinite if no register is empty.
    LinearCounting,
}

/// The number of registers that hold each value.
pub(super) type Histogram = [u32; MAX_REGISTER + 1];

/// The registers of a sketch, summed up: everything that an estimator needs.
pub(crate) struct Counts {
    pub(super) histogram: Histogram,
    pub(super) precision: u32,
    /// The largest value that a register can hold.
    pub(super) most: usize,
}

/// An estimate with its interval at `z` standard deviations.
struct Interval {
    value: f64,
    lower: f64,
    upper: f64,
}

impl Counts {
    fn registers(&self) -> f64 {
        f64::from(1u32 << self.precision)
    }

    fn empty(&self) -> f64 {
        f64::from(self.histogram[0])
    }

    /// Counts registers that hold these ranks.
    pub(in crate::cardinality) fn of_ranks(ranks: impl Iterator<Item = u8>, precision: u8) -> Self {
        Self::of_capped_ranks(ranks, precision, 65 - usize::from(precision))
    }

    /// Counts registers that hold these ranks, and `most` for each greater rank.
    pub(crate) fn of_capped_ranks(ranks: impl Iterator<Item = u8>, precision: u8, most: usize) -> Self {
        let mut histogram = [0; MAX_REGISTER + 1];
        ranks.for_each(|rank| histogram[usize::from(rank).min(most)] += 1);
        Self { histogram, precision: precision.into(), most }
    }

    /// Returns the default estimate.
    pub(crate) fn estimate(&self, confidence: f64) -> Estimate {
        if self.histogram[0] == 1 << self.precision {
            return Estimate::exact(0.0);
        }
        let Interval { value, lower, upper } = self.interval(normal_quantile(0.5 + confidence / 2.0));
        Estimate::new(value, lower, upper, Guarantee::Approximate { confidence })
    }

    /// Returns the value of `estimator`, without an interval.
    pub(super) fn value(&self, estimator: Estimator) -> f64 {
        match estimator {
            Estimator::Ertl => self.interval(0.0).value,
            Estimator::Original => self.original(),
            Estimator::Original32 => large_range(self.original()),
            Estimator::BiasCorrected => self.bias_corrected(),
            Estimator::LinearCounting => self.linear_counting(),
        }
    }

    /// Returns the default estimate with its interval.
    ///
    /// The mean D of the weighted registers follows α∞m/n·(1 + shift/m + s/√m·(Z + γ/(6√m)(Z² − 1))) with Z
    /// normal (Cornish and Fisher); the bounds are the n at which the observed D is the Z-quantile, and up to
    /// half an item more, since n is a whole number.
    fn interval(&self, z: f64) -> Interval {
        let m = self.registers();
        if self.histogram[0] == 1 << self.precision {
            return Interval { value: 0.0, lower: 0.0, upper: 0.0 };
        }
        let raw = m * self.ertl_ratio();
        if raw.is_infinite() {
            // Every register is at its maximum: the state just before gives a lower bound, and there is no
            // upper one.
            let mut before = Self { ..*self };
            before.histogram[self.most] -= 1;
            before.histogram[self.most - 1] += 1;
            let lower = before.interval(z).lower;
            return Interval { value: lower, lower, upper: f64::INFINITY };
        }
        let at_quantile = |z: f64| {
            let mut bound = raw;
            for _ in 0..2 {
                let law = Law::at(bound / m);
                // The parabola of Cornish and Fisher turns here; beyond it the quantile would move back.
                let z = z.max(-3.0 * sqrt(m) / law.skewness);
                let deviation = z + law.skewness / (6.0 * sqrt(m)) * (z * z - 1.0);
                bound = raw * (1.0 + law.shift / m + sqrt(law.variance / m) * deviation).max(1.0 / m);
            }
            bound
        };
        let law = Law::at(raw / m);
        let value = raw / (1.0 + (law.variance - law.shift) / m);
        // Each register in use has seen a distinct item.
        let occupied = m - self.empty();
        // n is a whole number: half an item more while the deviation is below one, and less and less beyond.
        let more = 0.5 / (raw * sqrt(law.variance / m)).max(1.0);
        let lower = (at_quantile(-z) - more).max(occupied);
        Interval { value: value.max(occupied), lower, upper: at_quantile(z) + more }
    }

    /// Returns n/m by Ertl's corrected raw estimator: α∞ / D.
    fn ertl_ratio(&self) -> f64 {
        let m = self.registers();
        let mut sum = m * tau(1.0 - f64::from(self.histogram[self.most]) / m);
        for value in (1..self.most).rev() {
            sum = 0.5 * (sum + f64::from(self.histogram[value]));
        }
        let mean = sum / m + sigma(self.empty() / m);
        ALPHA_INFINITY / mean
    }

    /// Returns α m² / Σ 2^−M.
    fn raw(&self) -> f64 {
        let m = self.registers();
        let alpha = match self.precision {
            4 => 0.673,
            5 => 0.697,
            6 => 0.709,
            _ => 0.7213 / (1.0 + 1.079 / m),
        };
        let sum = self.histogram.iter().rev().fold(0.0, |sum, &count| 0.5 * sum + f64::from(count));
        alpha * m * m / sum
    }

    fn linear_counting(&self) -> f64 {
        self.registers() * log(self.registers() / self.empty())
    }

    fn original(&self) -> f64 {
        let raw = self.raw();
        if raw <= 2.5 * self.registers() && self.empty() > 0.0 { self.linear_counting() } else { raw }
    }

    fn bias_corrected(&self) -> f64 {
        let m = self.registers();
        if self.empty() > 0.0 {
            let linear = self.linear_counting();
            if linear <= f64::from(LINEAR_COUNTING_LIMIT[self.precision as usize - 4]) {
                return linear;
            }
        }
        let raw = self.raw();
        if raw > 5.0 * m {
            return raw;
        }
        // The mean of the raw estimate grows with n, so this finds the n whose mean is the observed raw
        // estimate.
        let (mut low, mut high) = (0.0, 10.0 * m);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if expected_raw(middle / m) * m < raw {
                low = middle;
            } else {
                high = middle;
            }
        }
        0.5 * (low + high)
    }
}

/// Returns the number of items that have this number of distinct hashes of 32 bits: the correction for a large range.
pub(super) fn large_range(hashes: f64) -> f64 {
    const RANGE: f64 = (1u64 << 32) as f64;
    if hashes <= RANGE / 30.0 {
        hashes
    } else if hashes < RANGE {
        -RANGE * log1p(-hashes / RANGE)
    } else {
        f64::INFINITY
    }
}

/// 1 / (2 ln 2).
pub(super) const ALPHA_INFINITY: f64 = 0.5 / core::f64::consts::LN_2;

/// The thresholds below which HyperLogLog++ counts linearly, by precision from 4 (Heule, Nunkesser and Hall).
#[rustfmt::skip]
const LINEAR_COUNTING_LIMIT: [u32; 15] = [
    10, 20, 40, 80, 220, 400, 900, 1800, 3100, 6500, 11_500, 20_000, 50_000, 120_000, 350_000,
];

/// Returns the mean of the raw estimate over m at λ items per register, for large m: α∞ / E[2^−M].
fn expected_raw(load: f64) -> f64 {
    let mut sum = exp(-load);
    let mut at_most_before = exp(-load);
    let mut scale = 1.0;
    for _ in 0..64 {
        scale *= 0.5;
        let at_most = exp(-load * scale);
        sum += scale * (at_most - at_most_before);
        at_most_before = at_most;
    }
    ALPHA_INFINITY / sum
}

/// Returns the sum over the ranks that empty registers hide: x + Σ x^(2^k) 2^(k−1).
fn sigma(mut x: f64) -> f64 {
    let mut weight = 1.0;
    let mut sum = x;
    loop {
        x *= x;
        let before = sum;
        sum += x * weight;
        weight *= 2.0;
        if sum <= before || sum.is_infinite() {
            return sum;
        }
    }
}

/// Returns the derivative of σ: 1 + Σ x^(2^k − 1) 2^(2k − 1).
pub(super) fn sigma_slope(x: f64) -> f64 {
    let (mut slope, mut power, mut weight) = (1.0, x, 2.0);
    loop {
        let before = slope;
        slope += power * weight;
        if slope <= before || slope.is_infinite() {
            return slope;
        }
        // x^(2^(k + 1) − 1) from x^(2^k − 1).
        power = power * power * x;
        weight *= 4.0;
    }
}

/// Returns the sum over the ranks that full registers hide.
fn tau(mut x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return 0.0;
    }
    let mut weight = 1.0;
    let mut sum = 1.0 - x;
    loop {
        x = sqrt(x);
        let before = sum;
        weight *= 0.5;
        sum -= (1.0 - x) * (1.0 - x) * weight;
        if sum >= before {
            return sum / 3.0;
        }
    }
}

/// The limit law of Ertl's mean at λ items per register, in units of 1/m.
struct Law {
    /// m times the relative variance.
    variance: f64,
    /// m times the relative excess of the mean.
    shift: f64,
    /// √m times the skewness.
    skewness: f64,
}

/// Variance, shift and skewness at λ = 2^(i/4 − 3). A test below derives them again.
#[rustfmt::skip]
const LAW: [[f64; 3]; 33] = [
    [0.52070, -0.01143, 12.90084], [0.52380, -0.00902, 11.11402], [0.52610, -0.01299, 9.63489],
    [0.53095, -0.01857, 8.34674], [0.53749, -0.02016, 7.25107], [0.54341, -0.02125, 6.35011],
    [0.54946, -0.02609, 5.59408], [0.55752, -0.03228, 4.94322], [0.56722, -0.03671, 4.39156],
    [0.57733, -0.04119, 3.92978], [0.58834, -0.04823, 3.53354], [0.60151, -0.05661, 3.18681],
    [0.61688, -0.06433, 2.88631], [0.63393, -0.07227, 2.62386], [0.65326, -0.08213, 2.38577],
    [0.67606, -0.09328, 2.16901], [0.70259, -0.10402, 1.98170], [0.73234, -0.11452, 1.82884],
    [0.76511, -0.12635, 1.71243], [0.80053, -0.13926, 1.64245], [0.83693, -0.14990, 1.62987],
    [0.87170, -0.15400, 1.66742], [0.90310, -0.14947, 1.73059], [0.93075, -0.13749, 1.79900],
    [0.95458, -0.12128, 1.86585], [0.97447, -0.10414, 1.92670], [0.99092, -0.08820, 1.97496],
    [1.00498, -0.07430, 2.01166], [1.01707, -0.06250, 2.04488], [1.02702, -0.05256, 2.07609],
    [1.03512, -0.04419, 2.09947], [1.04214, -0.03716, 2.11552], [1.04832, -0.03125, 2.13171],
];

/// The variance far from empty: 3 ln 2 − 1, a standard error of 1.039/√m.
pub(super) const LIMIT_VARIANCE: f64 = 3.0 * core::f64::consts::LN_2 - 1.0;
/// √m times the skewness far from empty.
const LIMIT_SKEWNESS: f64 = 2.218;

/// Returns the length of the longer side of the 95 % interval, relative to the estimate, far from empty.
pub(super) fn limit_reach(precision: u32) -> f64 {
    let m = f64::from(1u32 << precision);
    let z = normal_quantile(0.5 + DEFAULT_CONFIDENCE / 2.0);
    let deviation = z + LIMIT_SKEWNESS / (6.0 * sqrt(m)) * (z * z - 1.0);
    (1.0 + sqrt(LIMIT_VARIANCE / m) * deviation) * (1.0 + LIMIT_VARIANCE / m) - 1.0
}

/// Returns m times the relative variance of the default estimator at λ items per register.
pub(super) fn relative_variance(load: f64) -> f64 {
    Law::at(load).variance
}

impl Law {
    fn at(load: f64) -> Self {
        let place = ((log(load) / core::f64::consts::LN_2 + 3.0) * 4.0).max(0.0);
        if place >= 32.0 {
            let inverse = 1.0 / load;
            let skewness = LIMIT_SKEWNESS - (LIMIT_SKEWNESS - LAW[32][2]) * 32.0 * inverse;
            return Self { variance: LIMIT_VARIANCE - inverse, shift: -inverse, skewness };
        }
        let (cell, share) = (place as usize, place - (place as usize) as f64);
        let [variance, shift, skewness] =
            core::array::from_fn(|i| LAW[cell][i] + share * (LAW[cell + 1][i] - LAW[cell][i]));
        Self { variance, shift, skewness }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use libm::{lgamma, pow};

    /// Returns σ′ and σ″.
    fn sigma_derivatives(x: f64) -> (f64, f64) {
        let (mut first, mut second) = (1.0, 0.0);
        for k in 1..40 {
            let power = pow(2.0, f64::from(k));
            first += power * power / 2.0 * exp((power - 1.0) * log(x));
            second += power * power / 2.0 * (power - 1.0) * exp((power - 2.0) * log(x));
        }
        (first, second)
    }

    /// Derives the limit law from the distribution of one register under Poisson(λ) items, given the total:
    /// the part of each quantity that the register's own number of items explains is subtracted.
    fn derive(load: f64) -> [f64; 3] {
        let ranks = 1..80;
        let at_most = |k: i32| exp(-load * pow(2.0, f64::from(-k)));
        let empty = exp(-load);
        let (slope, curvature) = sigma_derivatives(empty);
        let weight = |k: i32| if k == 0 { slope } else { pow(2.0, f64::from(-k)) };
        let chance = |k: i32| if k == 0 { empty } else { at_most(k) - at_most(k - 1) };
        let mean = sigma(empty) + ranks.clone().map(|k| chance(k) * weight(k)).sum::<f64>();
        let linear = (0..80).map(|k| chance(k) * weight(k)).sum::<f64>();
        let spread = (0..80).map(|k| chance(k) * pow(weight(k) - linear, 2.0)).sum::<f64>();
        let variance = spread / (mean * mean) - 1.0 / load;
        let shift = 0.5 * curvature * empty * (1.0 - empty) / mean - 1.0 / load;
        let mut third = 0.0;
        for items in 0..(load + 12.0 * sqrt(load) + 30.0) as i32 {
            let n = f64::from(items);
            let poisson = exp(n * log(load) - load - lgamma(n + 1.0));
            let residual = |k: i32| weight(k) - linear + mean / load * (n - load);
            let below = |k: i32| pow(1.0 - pow(2.0, f64::from(-k)), n);
            third += poisson
                * if items == 0 {
                    pow(residual(0), 3.0)
                } else {
                    ranks.clone().map(|k| (below(k) - below(k - 1)) * pow(residual(k), 3.0)).sum()
                };
        }
        third += 3.0 * curvature * pow(empty * (slope - linear - mean), 2.0);
        [variance, shift, third / (pow(variance, 1.5) * pow(mean, 3.0))]
    }

    #[test]
    fn the_table_is_the_theory() {
        for (i, row) in LAW.iter().enumerate() {
            let derived = derive(pow(2.0, i as f64 / 4.0 - 3.0));
            for (stored, exact) in row.iter().zip(derived) {
                assert!((stored - exact).abs() < 2e-5 * exact.abs().max(1.0), "row {i}: {row:?} {derived:?}");
            }
        }
        // The continuation beyond the table.
        for load in [32.5, 64.0, 500.0] {
            let (law, exact) = (Law::at(load), derive(load));
            assert!((law.variance - exact[0]).abs() < 1e-3 && (law.shift - exact[1]).abs() < 1e-3, "{load}");
            assert!((law.skewness - exact[2]).abs() < 2e-2, "{load}: {} {}", law.skewness, exact[2]);
        }
    }

    #[test]
    fn linear_interpolation_is_enough() {
        let worst: Vec<f64> = (0..32)
            .map(|i| {
                let load = pow(2.0, (f64::from(i) + 0.5) / 4.0 - 3.0);
                (Law::at(load).variance - derive(load)[0]).abs()
            })
            .collect();
        assert!(worst.iter().all(|&gap| gap < 2e-3), "{worst:?}");
    }

    #[test]
    fn expected_raw_is_unbiased_far_out_and_biased_near() {
        assert!((expected_raw(50.0) / 50.0 - 1.0).abs() < 1e-4);
        // With few items the raw estimate is near α∞·m, whatever n is.
        assert!((expected_raw(0.01) - ALPHA_INFINITY).abs() < 0.02);
    }
}
