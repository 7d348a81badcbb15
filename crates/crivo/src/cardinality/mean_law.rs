//! The law of a mean over cells, and the number of items that follows from it.
//!
//! A sketch of m cells assigns each item to one of them, and answers from the mean of a number g over its
//! cells. If the number of items were Poisson, with mean λ per cell, the cells would be independent, and the
//! moments of one would determine everything. It is fixed instead: the part of g that a cell's own number of
//! items explains is then not noise, and is subtracted. For many cells the mean has the law of [`MeanLaw`].

use crate::stats::normal_quantile;
use crate::{DEFAULT_CONFIDENCE, Estimate, Guarantee};
use libm::{exp, expm1, ldexp, log, sqrt};

/// The number of distinct hashes.
const MOST_ITEMS: f64 = 18_446_744_073_709_551_616.0;
/// Closer to 0 than any bound.
const LEAST_ITEMS: f64 = 1e-3;
/// The number of items per cell at which the law has reached its limit.
const FAR_OUT: f64 = 1_048_576.0;

/// The number of ranks that a hash can have, at precision 4.
const MOST_CLASSES: usize = 61;

/// The law of g in one cell at λ items per cell, given the total number of items.
pub(super) struct Cell {
    pub(super) mean: f64,
    /// The first derivative of the mean.
    pub(super) slope: f64,
    /// The second derivative of the mean.
    pub(super) curvature: f64,
    pub(super) variance: f64,
    /// The third central moment.
    pub(super) third: f64,
}

/// The moments of g about 0 under a Poisson number of items, with their derivatives by λ.
#[derive(Default)]
pub(super) struct PoissonMoments {
    pub(super) first: f64,
    pub(super) first_slope: f64,
    pub(super) first_curvature: f64,
    pub(super) second: f64,
    pub(super) second_slope: f64,
    pub(super) third: f64,
}

impl PoissonMoments {
    /// Computes the moments of a whole number g ≥ 0 from P[g > k] and its first two derivatives, for k = 0,
    /// 1, …
    pub(super) fn of_tails(tails: impl Iterator<Item = [f64; 3]>) -> Self {
        let mut moments = Self::default();
        let mut k = 0.0;
        for [tail, slope, curvature] in tails {
            moments.first += tail;
            moments.first_slope += slope;
            moments.first_curvature += curvature;
            moments.second += (2.0 * k + 1.0) * tail;
            moments.second_slope += (2.0 * k + 1.0) * slope;
            moments.third += (3.0 * k * (k + 1.0) + 1.0) * tail;
            k += 1.0;
        }
        moments
    }

    /// Subtracts the part that the cell's number of items N explains: the residual is g − E g − (E g)′·(N −
    /// λ), and E[f·(N − λ)] = λ (E f)′ for every f of the cell.
    pub(super) fn given_total(&self, load: f64) -> Cell {
        let (mean, slope, curvature) = (self.first, self.first_slope, self.first_curvature);
        let variance = self.second - mean * mean;
        let variance_slope = self.second_slope - 2.0 * mean * slope;
        let third = self.third - 3.0 * mean * self.second + 2.0 * mean * mean * mean;
        let explained =
            load * slope * (3.0 * variance_slope - slope * (2.0 * slope + 3.0 * load * curvature));
        Cell { mean, slope, curvature, variance: variance - load * slope * slope, third: third - explained }
    }
}

/// Returns the probability that a cell has an item of a class that contains 2^−k of all items, and its first
/// two derivatives by λ, for k = 0 to `count` − 1.
pub(super) fn chances(load: f64, count: usize) -> [[f64; 3]; MOST_CLASSES] {
    let mut chances = [[0.0; 3]; MOST_CLASSES];
    let mut share = ldexp(1.0, 1 - count as i32);
    let mut chance = -expm1(-load * share);
    let mut other = 1.0 - chance;
    for place in chances[..count].iter_mut().rev() {
        *place = [chance, share * other, -share * share * other];
        // Doubling the share squares the probability of none. The smaller of the two numbers is computed
        // without cancellation.
        if chance < 0.5 {
            chance *= 2.0 - chance;
            other = 1.0 - chance;
        } else {
            other *= other;
            chance = 1.0 - other;
        }
        share *= 2.0;
    }
    chances
}

/// The law of the mean of g over `cells` cells, where `cell` is the law of one cell at λ items per cell.
pub(super) struct MeanLaw<F> {
    pub(super) cells: f64,
    /// The amount by which an item that changes the sum of g over the cells moves it, if that is constant;
    /// otherwise 0.
    pub(super) step: f64,
    pub(super) cell: F,
}

impl<F: Fn(f64) -> Cell> MeanLaw<F> {
    /// Estimates the number of items from the observed mean `seen`, if `occupied` cells have at least one
    /// item.
    ///
    /// The value is the n whose mean is the observed one, less the bias from the curvature. The bounds are
    /// the n at which the observed mean is a quantile, with half a step for continuity, or half an item,
    /// since n is a whole number.
    pub(super) fn estimate(&self, seen: f64, occupied: f64, confidence: f64) -> Estimate {
        if occupied == 0.0 {
            return Estimate::exact(0.0);
        }
        // A confidence close to 1 has an infinite quantile.
        let z = normal_quantile(0.5 + confidence / 2.0).min(40.0);
        let middle = self.items_at_mean(seen);
        let half_item = if self.step == 0.0 { 0.5 } else { 0.0 };
        let lower = (self.items_at_quantile(seen, z, middle) - half_item).clamp(occupied, MOST_ITEMS);
        let upper = (self.items_at_quantile(seen, -z, middle) + half_item).max(occupied);
        let value = self.unbiased(middle);
        let guarantee = Guarantee::Approximate { confidence };
        if value.is_infinite() {
            return Estimate::new(lower, lower, f64::INFINITY, guarantee);
        }
        Estimate::new(value, lower, upper, guarantee)
    }

    /// Returns the relative standard error of the estimate for `items` items, by the same law.
    pub(super) fn standard_error(&self, items: f64) -> f64 {
        if items == 0.0 {
            return 0.0;
        }
        let load = items / self.cells;
        let cell = (self.cell)(load);
        let error = sqrt(cell.variance.max(0.0) / self.cells) / (load * cell.slope.abs());
        // If the mean no longer moves, nothing is known.
        if error.is_nan() { f64::INFINITY } else { error }
    }

    /// Returns the limit of [`standard_error`](Self::standard_error) for many items.
    pub(super) fn limit_standard_error(&self) -> f64 {
        self.standard_error(FAR_OUT * self.cells)
    }

    /// Returns the length of the longer side of the 95 % interval for `items` items, relative to the value,
    /// if the sketch shows its mean.
    pub(super) fn reach(&self, items: f64) -> f64 {
        let [mean, ..] = self.at(items / self.cells);
        let estimate = self.estimate(mean, 1.0, DEFAULT_CONFIDENCE);
        (estimate.upper() - estimate.value()).max(estimate.value() - estimate.lower()) / estimate.value()
    }

    /// Returns the limit of [`reach`](Self::reach) for many items.
    pub(super) fn limit_reach(&self) -> f64 {
        self.reach(FAR_OUT * self.cells)
    }

    /// Returns the mean, standard deviation and skewness of the mean of g.
    fn at(&self, load: f64) -> [f64; 3] {
        let cell = (self.cell)(load);
        // The correction for a fixed number of items instead of a Poisson one.
        let mean = cell.mean - load * cell.curvature / (2.0 * self.cells);
        if cell.variance <= 0.0 {
            return [mean, 0.0, 0.0];
        }
        let skewness = cell.third / (cell.variance * sqrt(cell.variance * self.cells));
        [mean, sqrt(cell.variance / self.cells), skewness]
    }

    /// Returns 1 if the mean grows with the number of items, −1 if it falls.
    fn direction(&self) -> f64 {
        (self.cell)(1.0).slope.signum()
    }

    /// Returns the n at which the mean is the observed one.
    pub(super) fn items_at_mean(&self, seen: f64) -> f64 {
        let direction = self.direction();
        self.items_where(f64::INFINITY, |load| direction * (self.at(load)[0] - seen))
    }

    /// Returns the n, probably near `middle`, at which the observed mean lies `z` normal deviations above the
    /// mean of n, or below it if the mean falls with n.
    fn items_at_quantile(&self, seen: f64, z: f64, middle: f64) -> f64 {
        let direction = self.direction();
        let continuity = 0.5 * self.step / self.cells * z.signum();
        self.items_where(middle, |load| {
            let [mean, deviation, skewness] = self.at(load);
            direction * (mean + deviation * skewed(direction * z, skewness) - seen) + continuity
        })
    }

    /// Returns the n, probably near `guess`, at which an increasing function of n/m is 0; 0 or infinity if
    /// there is none.
    fn items_where(&self, guess: f64, gap: impl Fn(f64) -> f64) -> f64 {
        let gap_at = |items: f64| {
            let log_load = log(items / self.cells);
            (log_load, gap(exp(log_load)))
        };
        let mut ends = [guess / 4.0, guess * 4.0].map(gap_at);
        if !(ends[0].1 < 0.0 && ends[1].1 > 0.0) {
            ends = [LEAST_ITEMS, MOST_ITEMS].map(gap_at);
        }
        self.cells * exp(crossing(ends, |log_load| gap(exp(log_load))))
    }

    /// Subtracts the second-order term of the delta method.
    fn unbiased(&self, items: f64) -> f64 {
        if items == 0.0 || items.is_infinite() {
            return items;
        }
        let cell = (self.cell)(items / self.cells);
        let bias = -0.5 * cell.curvature * cell.variance / (cell.slope * cell.slope * cell.slope);
        (items - bias).max(0.0)
    }
}

/// Returns the quantile at `z` normal deviations of a law with mean 0, variance 1 and this skewness: that of
/// Wilson and Hilferty for the gamma law. For little skewness it equals that of Cornish and Fisher, and for
/// much it ends where the law does.
fn skewed(z: f64, skewness: f64) -> f64 {
    if skewness.abs() < 1e-4 {
        return z + skewness / 6.0 * (z * z - 1.0);
    }
    let sixth = skewness / 6.0;
    let root = (1.0 + sixth * (z - sixth)).max(0.0);
    (root * root * root - 1.0) * 2.0 / skewness
}

/// Returns where an increasing function crosses 0 between two ends, given with its values there; −∞ or ∞ if
/// it never does. The method is Chandrupatla's: inverse quadratic interpolation where that is safe, and
/// bisection elsewhere.
fn crossing([mut a, mut b]: [(f64, f64); 2], gap: impl Fn(f64) -> f64) -> f64 {
    if a.1 >= 0.0 {
        return f64::NEG_INFINITY;
    }
    if b.1 <= 0.0 {
        return f64::INFINITY;
    }
    let mut share = 0.5;
    for _ in 0..100 {
        let x = a.0 + share * (b.0 - a.0);
        let at_x = gap(x);
        let mut c = a;
        if (at_x > 0.0) != (a.1 > 0.0) {
            (c, b) = (b, a);
        }
        a = (x, at_x);
        let least = 1e-12 * (1.0 + x.abs()) / (b.0 - a.0).abs();
        if least > 0.5 || at_x == 0.0 {
            break;
        }
        let (xi, phi) = ((a.0 - b.0) / (c.0 - b.0), (a.1 - b.1) / (c.1 - b.1));
        let safe = phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi;
        share = 0.5;
        if safe {
            share = a.1 / (b.1 - a.1) * c.1 / (b.1 - c.1)
                + (c.0 - a.0) / (b.0 - a.0) * a.1 / (c.1 - a.1) * b.1 / (c.1 - b.1);
        }
        share = share.clamp(least, 1.0 - least);
    }
    a.0
}

/// Compares the law of a cell with `given`, the first three moments of its g about 0 for a number of items.
/// Here the residual is subtracted item by item, and the derivatives are differences.
#[cfg(test)]
pub(super) fn assert_derived<F: Fn(f64) -> Cell>(law: &MeanLaw<F>, given: impl Fn(i32) -> [f64; 3]) {
    use libm::{lgamma, pow};
    for load in [0.01, 0.3, 1.0, 2.5, 12.0] {
        let cell = (law.cell)(load);
        let mut central = [0.0; 3];
        for items in 0..(load + 12.0 * sqrt(load) + 20.0) as i32 {
            let n = f64::from(items);
            let chance = exp(n * log(load) - load - lgamma(n + 1.0));
            let [first, second, third] = given(items);
            // g less this has the moments of the residual.
            let off = cell.mean + cell.slope * (n - load);
            central[0] += chance * (first - off);
            central[1] += chance * (second - 2.0 * off * first + off * off);
            central[2] += chance * (third - 3.0 * off * second + 3.0 * off * off * first - pow(off, 3.0));
        }
        assert!(central[0].abs() < 1e-9, "{load}: mean {:?}", central[0]);
        assert!((central[1] - cell.variance).abs() < 1e-8 * (1.0 + cell.variance), "{load}: {central:?}");
        assert!((central[2] - cell.third).abs() < 1e-7 * (1.0 + cell.third.abs()), "{load}: {central:?}");
        let (before, after) = ((law.cell)(load * 0.9999), (law.cell)(load * 1.0001));
        let width = load * 2e-4;
        let slope = (after.mean - before.mean) / width;
        assert!((slope - cell.slope).abs() < 1e-6 * (1.0 + cell.slope.abs()), "{load}: {slope}");
        let curvature = (after.slope - before.slope) / width;
        assert!(
            (curvature - cell.curvature).abs() < 1e-6 * (1.0 + cell.curvature.abs()),
            "{load}: {curvature}"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossings_are_found_to_the_last_digits() {
        let crossing_of = |gap: &dyn Fn(f64) -> f64| crossing([-30.0, 41.0].map(|x| (x, gap(x))), gap);
        let cube = crossing_of(&|x| (x - 1.25) * (x - 1.25) * (x - 1.25));
        assert!((cube - 1.25).abs() < 1e-4, "{cube}");
        for place in [-29.9, 0.0, 1.0 / 3.0, 40.0] {
            assert!((crossing_of(&|x| exp(x) - exp(place)) - place).abs() < 1e-10, "{place}");
            assert!((crossing_of(&|x| exp(-place) - exp(-x)) - place).abs() < 1e-10, "{place}");
        }
        assert_eq!(crossing_of(&|_| 1.0), f64::NEG_INFINITY);
        assert_eq!(crossing_of(&|_| -1.0), f64::INFINITY);
    }

    #[test]
    fn the_quantile_of_a_skewed_law_is_the_gamma_law_s() {
        // A gamma law of shape a has the skewness 2/√a.
        for (shape, skewness) in [(4.0, 1.0), (100.0, 0.2), (10_000.0, 0.02)] {
            for z in [-1.96, 0.0, 1.96] {
                let x = shape + sqrt(shape) * skewed(z, skewness);
                let chance = crate::stats::gamma_p(shape, x);
                let wanted = crate::stats::normal_cdf(z);
                assert!((chance - wanted).abs() < 2e-3, "{shape} {z}: {chance} {wanted}");
            }
        }
        assert!((skewed(1.96, 1e-4) - skewed(1.96, 0.99e-4)).abs() < 1e-5);
        assert_eq!(skewed(-1.96, 4.5), -2.0 / 4.5);
    }
}
