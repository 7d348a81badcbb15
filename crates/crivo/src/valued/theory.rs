//! The distribution of the answers of a [`LinearBloom`](crate::LinearBloom), for any distribution of values.
//!
//! n items with values of one distribution are inserted into k of m cells each: the number of values in a cell is
//! Poisson with the mean λ = nk/m, the *load*. A value is represented by its *share* F(u), the share of values that are
//! at most u. Everything follows from one probability: no value of a cell is above u with probability e^{−λ(1−F(u))}.
//!
//! These formulas hold for large filters with distinct values.
//! [`LinearBloomParams::distortion_at`](crate::valued::LinearBloomParams::distortion_at) is exact for small filters
//! too. An argument outside the domain of a function gives NaN or a meaningless number; nothing here panics.
//!
//! ```
//! use crivo::valued::theory::{Values, distortion_rate, load};
//! let load = load(2 * 103_831, 1 << 20, 7); // twice as many items as a Bloom filter of that size is planned for
//! assert!((distortion_rate(load, 7) - 0.028222).abs() < 5e-7);
//! assert!((Values::Normal.mean_distortion(load, 7) - 0.01868).abs() < 5e-6);
//! ```

use crate::stats::normal_cdf;
use libm::{exp, expm1, log, pow};

/// Returns the mean number of values in a cell, λ = nk/m.
pub fn load(items: u64, cells: u64, hashes: u32) -> f64 {
    items as f64 * f64::from(hashes) / cells as f64
}

/// Returns the probability that some value of a cell is above the one at `share`.
fn is_above(load: f64, share: f64) -> f64 {
    -expm1(-load * (1.0 - share))
}

/// Returns the probability that all k cells have a value above the one at `share`.
fn all_above(load: f64, hashes: u32, share: f64) -> f64 {
    pow(is_above(load, share), f64::from(hashes))
}

/// Returns the probability that an occupied cell holds at most the value at `share`.
///
/// ```
/// use crivo::valued::theory::cell_cdf;
/// assert_eq!((cell_cdf(0.7, 0.0), cell_cdf(0.7, 1.0)), (0.0, 1.0));
/// assert!(cell_cdf(0.7, 0.5) < 0.5, "the largest of several");
/// ```
pub fn cell_cdf(load: f64, share: f64) -> f64 {
    1.0 - is_above(load, share) / is_above(load, 0.0)
}

/// Returns the probability that an item that was never inserted, but is reported, gets an answer of at most the value
/// at `share`.
pub fn absent_cdf(load: f64, hashes: u32, share: f64) -> f64 {
    1.0 - pow(is_above(load, share) / is_above(load, 0.0), f64::from(hashes))
}

/// Returns the probability that an inserted item with the value at `quantile` gets an answer of at most the value at
/// `share`.
pub fn answer_cdf(load: f64, hashes: u32, quantile: f64, share: f64) -> f64 {
    if share < quantile { 0.0 } else { 1.0 - all_above(load, hashes, share) }
}

/// Returns the probability that a random inserted item gets an answer of at most the value at `share`.
pub fn inside_cdf(load: f64, hashes: u32, share: f64) -> f64 {
    share * (1.0 - all_above(load, hashes, share))
}

/// Returns the probability that the answer for an item with the value at `quantile` is too high: (1 − e^{−λ(1−q)})ᵏ.
pub fn distortion_at(load: f64, hashes: u32, quantile: f64) -> f64 {
    all_above(load, hashes, quantile)
}

/// Returns the share of inserted items whose answer is too high: the mean of [`distortion_at`] over all quantiles.
///
/// With p = 1 − e^{−λ}, the integral is (pᵏ⁺¹/(k+1) + pᵏ⁺²/(k+2) + …)/λ.
///
/// ```
/// use crivo::valued::theory::distortion_rate;
/// let at = |times: f64| distortion_rate(times * core::f64::consts::LN_2, 7);
/// assert!((at(1.0) - 0.001277).abs() < 5e-7 && (at(4.0) - 0.208806).abs() < 5e-6);
/// ```
pub fn distortion_rate(load: f64, hashes: u32) -> f64 {
    let occupied = is_above(load, 0.0);
    let term = |j: u32| pow(occupied, f64::from(j)) / f64::from(j);
    if occupied > 0.9 {
        // The whole series sums to λ, so this is its remainder after the first terms.
        return 1.0 - (1..=hashes).map(term).sum::<f64>() / load;
    }
    let mut sum = 0.0;
    for j in hashes + 1.. {
        let next = sum + term(j);
        let is_more = next > sum;
        sum = next;
        if !is_more {
            break;
        }
    }
    if load == 0.0 { 0.0 } else { sum / load }
}

/// Returns the load at which the [`distortion_rate`] is `rate`, between 0 and 1.
///
/// ```
/// use crivo::valued::theory::{distortion_rate, load_for};
/// let load = load_for(0.01, 7);
/// assert!((distortion_rate(load, 7) - 0.01).abs() < 1e-12);
/// ```
pub fn load_for(rate: f64, hashes: u32) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while distortion_rate(high, hashes) < rate && high < f64::MAX / 2.0 {
        high *= 2.0;
    }
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        *(if distortion_rate(middle, hashes) < rate { &mut low } else { &mut high }) = middle;
    }
    low
}

/// Returns the mean excess of the answer over the true value, over all inserted items: ∫ F(u)·(1 − e^{−λ(1−F(u))})ᵏ du.
///
/// `cdf` is F, and `support` the interval outside of which F is 0 and 1, or nearly so. The integral is computed by
/// Simpson's rule on 2¹⁴ equal pieces.
///
/// ```
/// use crivo::valued::theory::mean_distortion;
/// let triangle = |value: f64| value * value; // the larger of two uniform values
/// let mean = mean_distortion(1.4, 7, triangle, (0.0, 1.0));
/// assert!((0.0..0.01).contains(&mean));
/// ```
pub fn mean_distortion(load: f64, hashes: u32, cdf: impl Fn(f64) -> f64, support: (f64, f64)) -> f64 {
    const PIECES: u32 = 1 << 14;
    let (lower, upper) = support;
    let step = (upper - lower) / f64::from(PIECES);
    let integrand = |node: u32| {
        let share = cdf(lower + f64::from(node) * step);
        share * all_above(load, hashes, share)
    };
    let weight = |node: u32| match node {
        0 | PIECES => 1.0,
        _ if node % 2 == 1 => 4.0,
        _ => 2.0,
    };
    (0..=PIECES).map(|node| weight(node) * integrand(node)).sum::<f64>() * step / 3.0
}

/// The distributions of values that the literature measures with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Values {
    /// Uniform between 0 and 1.
    Uniform,
    /// Exponential with mean 1.
    Exponential,
    /// Normal with mean 0 and variance 1.
    Normal,
}

impl Values {
    /// All distributions.
    pub const ALL: [Self; 3] = [Self::Uniform, Self::Exponential, Self::Normal];

    /// Returns the share of values that are at most this one.
    pub fn cdf(self, value: f64) -> f64 {
        match self {
            Self::Uniform => value.clamp(0.0, 1.0),
            Self::Exponential => -expm1(-value.max(0.0)),
            Self::Normal => normal_cdf(value),
        }
    }

    /// Returns the value at a share.
    pub fn quantile(self, share: f64) -> f64 {
        match self {
            Self::Uniform => share,
            Self::Exponential => -libm::log1p(-share),
            Self::Normal => crate::stats::normal_quantile(share),
        }
    }

    /// Returns the probability density at a value.
    pub fn density(self, value: f64) -> f64 {
        match self {
            Self::Uniform => f64::from(u8::from((0.0..=1.0).contains(&value))),
            Self::Exponential if value < 0.0 => 0.0,
            Self::Exponential => exp(-value),
            Self::Normal => exp(-0.5 * value * value - 0.5 * log(2.0 * core::f64::consts::PI)),
        }
    }

    /// Returns an interval outside of which values have a probability of at most 10⁻¹⁷.
    pub fn support(self) -> (f64, f64) {
        match self {
            Self::Uniform => (0.0, 1.0),
            Self::Exponential => (0.0, 40.0),
            Self::Normal => (-9.0, 9.0),
        }
    }

    /// Returns the [`mean_distortion`] of these values.
    pub fn mean_distortion(self, load: f64, hashes: u32) -> f64 {
        mean_distortion(load, hashes, |value| self.cdf(value), self.support())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The figures of Ferreira 2017 for m = 2²⁰, k = 7, n = 103,831 and its multiples.
    #[test]
    fn published_distortion_rates() {
        for (times, rate, means) in [
            (1, 0.1277, [0.00017, 0.00024, 0.00078]),
            (2, 2.8222, [0.00465, 0.00672, 0.01868]),
            (4, 20.8806, [0.04607, 0.07536, 0.15918]),
            (8, 53.7314, [0.16543, 0.33389, 0.50835]),
        ] {
            let load = load(times * 103_831, 1 << 20, 7);
            let percent = 100.0 * distortion_rate(load, 7);
            assert!((percent - rate).abs() < 5.1e-5, "{times}: {percent}");
            for (values, mean) in Values::ALL.into_iter().zip(means) {
                let theory = values.mean_distortion(load, 7);
                assert!((theory - mean).abs() < 5.1e-6, "{times} {values:?}: {theory}");
            }
        }
    }

    /// Compares both ways to compute the sum with the integral itself.
    #[test]
    fn the_rate_is_the_mean_over_all_quantiles() {
        for hashes in [1, 2, 7, 20, 64] {
            for load in [1e-6, 0.01, 0.7, 2.0, 2.3, 2.31, 6.0, 50.0, 1e4] {
                let nodes = 200_000;
                let mean = (0..nodes)
                    .map(|i| distortion_at(load, hashes, (f64::from(i) + 0.5) / f64::from(nodes)))
                    .sum::<f64>()
                    / f64::from(nodes);
                let rate = distortion_rate(load, hashes);
                assert!((rate - mean).abs() < 1e-6 * mean + 1e-300, "{hashes} {load}: {rate} {mean}");
            }
        }
        assert_eq!(distortion_rate(0.0, 7), 0.0);
        assert!(distortion_rate(f64::NAN, 7).is_nan());
    }

    #[test]
    fn distributions_run_from_0_to_1_and_fit_together() {
        for values in Values::ALL {
            let (lower, upper) = values.support();
            assert!(values.cdf(lower) < 1e-17 && 1.0 - values.cdf(upper) < 1e-15);
            for share in [1e-6, 0.1, 0.5, 0.9, 0.999] {
                let value = values.quantile(share);
                assert!((values.cdf(value) - share).abs() < 1e-9, "{values:?} {share}");
                let slope = (values.cdf(value + 1e-6) - values.cdf(value - 1e-6)) / 2e-6;
                assert!((slope - values.density(value)).abs() < 1e-4, "{values:?} {share}");
            }
        }
        for load in [0.1, 0.7, 5.0] {
            for cdf in [|l, s| cell_cdf(l, s), |l, s| absent_cdf(l, 7, s), |l, s| inside_cdf(l, 7, s)] {
                assert!(cdf(load, 0.0).abs() < 1e-12 && (cdf(load, 1.0) - 1.0).abs() < 1e-12);
                assert!(
                    (1..100).all(|i| cdf(load, f64::from(i) / 100.0) > cdf(load, f64::from(i - 1) / 100.0))
                );
            }
            // The quantile of an inserted item is uniform.
            let nodes = 20_000;
            let mean = (0..nodes)
                .map(|i| answer_cdf(load, 7, (f64::from(i) + 0.5) / f64::from(nodes), 0.6))
                .sum::<f64>()
                / f64::from(nodes);
            assert!((mean - inside_cdf(load, 7, 0.6)).abs() < 1e-4);
        }
    }

    #[test]
    fn a_load_for_every_rate() {
        for hashes in [1, 3, 7, 40, 64] {
            for rate in [1e-12, 1e-6, 0.01, 0.5, 0.99] {
                let load = load_for(rate, hashes);
                assert!((distortion_rate(load, hashes) / rate - 1.0).abs() < 1e-9, "{hashes} {rate}");
            }
        }
    }
}
