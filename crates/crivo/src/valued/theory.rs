//! What a [`LinearBloom`](crate::LinearBloom) answers, and how often too much: for any distribution of values.
//!
//! n items with values of one distribution fall on m cells, k on each item's: the number of values in a cell is Poisson
//! with the mean λ = nk/m, the *load*. A value is known here by its *share*, F(u): that of the values that are at most
//! u. Everything follows from one probability: no value of a cell is above u with e^{−λ(1−F(u))}.
//!
//! These are the laws of large filters with values that differ.
//! [`LinearBloomParams::distortion_at`](crate::valued::LinearBloomParams::distortion_at) is exact for small ones too. An
//! argument outside a function's domain gives NaN or a number without meaning; nothing here panics.
//!
//! ```
//! use crivo::valued::theory::{Values, distortion_rate, load};
//! let load = load(2 * 103_831, 1 << 20, 7); // twice as many items as a Bloom filter of that size is made for
//! assert!((distortion_rate(load, 7) - 0.028222).abs() < 5e-7);
//! assert!((Values::Normal.mean_distortion(load, 7) - 0.01868).abs() < 5e-6);
//! ```

use crate::stats::normal_cdf;
use libm::{exp, expm1, log, pow};

/// The mean number of values in a cell, λ = nk/m.
pub fn load(items: u64, cells: u64, hashes: u32) -> f64 {
    items as f64 * f64::from(hashes) / cells as f64
}

/// The probability that some value of a cell is above the one at `share`.
fn is_above(load: f64, share: f64) -> f64 {
    -expm1(-load * (1.0 - share))
}

/// The same of all k cells.
fn all_above(load: f64, hashes: u32, share: f64) -> f64 {
    pow(is_above(load, share), f64::from(hashes))
}

/// The probability that an occupied cell holds at most the value at `share`.
///
/// ```
/// use crivo::valued::theory::cell_cdf;
/// assert_eq!((cell_cdf(0.7, 0.0), cell_cdf(0.7, 1.0)), (0.0, 1.0));
/// assert!(cell_cdf(0.7, 0.5) < 0.5, "the largest of several");
/// ```
pub fn cell_cdf(load: f64, share: f64) -> f64 {
    1.0 - is_above(load, share) / is_above(load, 0.0)
}

/// The probability that an item which was never inserted, but is reported, is answered at most the value at `share`.
pub fn absent_cdf(load: f64, hashes: u32, share: f64) -> f64 {
    1.0 - pow(is_above(load, share) / is_above(load, 0.0), f64::from(hashes))
}

/// The probability that an item inside, with the value at `quantile`, is answered at most the value at `share`.
pub fn answer_cdf(load: f64, hashes: u32, quantile: f64, share: f64) -> f64 {
    if share < quantile { 0.0 } else { 1.0 - all_above(load, hashes, share) }
}

/// The probability that any one of the items inside is answered at most the value at `share`.
pub fn inside_cdf(load: f64, hashes: u32, share: f64) -> f64 {
    share * (1.0 - all_above(load, hashes, share))
}

/// The probability that an item with the value at `quantile` is answered too much: (1 − e^{−λ(1−q)})ᵏ.
pub fn distortion_at(load: f64, hashes: u32, quantile: f64) -> f64 {
    all_above(load, hashes, quantile)
}

/// The share of the items inside that are answered too much: the mean of [`distortion_at`] over all quantiles.
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
        // The whole series is λ: what is left of it when the first terms are taken away.
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

/// The load at which the [`distortion_rate`] is `rate`, between 0 and 1.
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

/// By how much an item inside is answered too much, on average over all of them: ∫ F(u)·(1 − e^{−λ(1−F(u))})ᵏ du.
///
/// `cdf` is F, and `support` the interval outside of which it is 0 and 1, or as good as. The integral is taken by
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
    /// Between 0 and 1.
    Uniform,
    /// With the mean 1.
    Exponential,
    /// With the mean 0 and the variance 1.
    Normal,
}

impl Values {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Uniform, Self::Exponential, Self::Normal];

    /// The share of values that are at most this one.
    pub fn cdf(self, value: f64) -> f64 {
        match self {
            Self::Uniform => value.clamp(0.0, 1.0),
            Self::Exponential => -expm1(-value.max(0.0)),
            Self::Normal => normal_cdf(value),
        }
    }

    /// The value at a share.
    pub fn quantile(self, share: f64) -> f64 {
        match self {
            Self::Uniform => share,
            Self::Exponential => -libm::log1p(-share),
            Self::Normal => crate::stats::normal_quantile(share),
        }
    }

    /// The probability density at a value.
    pub fn density(self, value: f64) -> f64 {
        match self {
            Self::Uniform => f64::from(u8::from((0.0..=1.0).contains(&value))),
            Self::Exponential if value < 0.0 => 0.0,
            Self::Exponential => exp(-value),
            Self::Normal => exp(-0.5 * value * value - 0.5 * log(2.0 * core::f64::consts::PI)),
        }
    }

    /// The interval outside of which values are as good as impossible: with probability 10⁻¹⁷ at most.
    pub fn support(self) -> (f64, f64) {
        match self {
            Self::Uniform => (0.0, 1.0),
            Self::Exponential => (0.0, 40.0),
            Self::Normal => (-9.0, 9.0),
        }
    }

    /// [`mean_distortion`] of these values.
    pub fn mean_distortion(self, load: f64, hashes: u32) -> f64 {
        mean_distortion(load, hashes, |value| self.cdf(value), self.support())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The founding documents' table, section 8: m = 2²⁰, k = 7, n = 103,831 and its multiples.
    #[test]
    fn the_table_of_the_founding_documents() {
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

    /// Both ways to the sum, and the integral itself.
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
            // An item inside is answered by its quantile, which is any.
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
