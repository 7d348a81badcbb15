//! A small seeded generator of random numbers. It is frozen: a seed gives the same numbers in every version.
//!
//! The algorithm is `SplitMix64` (Steele, Lea and Flood, OOPSLA 2014, doi:10.1145/2660193.2660195). Its state
//! is one 64-bit word, so that randomised structures can save it in their files at no cost. It is not
//! suitable for secrets.

use crate::{Error, Result};
use alloc::format;

/// The random number generator of randomised structures, tests and experiments.
///
/// ```
/// use crivo::rng::Rng;
/// let mut rng = Rng::new(1_234_567);
/// assert_eq!(rng.next_u64(), 6_457_827_717_110_365_317);
/// assert!(rng.below(6) < 6);
/// assert!((0.0..1.0).contains(&rng.unit()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// Creates a generator whose output is determined by `seed`.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Returns the next 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a uniform random number below `bound`, or 0 if `bound` is 0.
    ///
    /// The method is Lemire's (arXiv:1805.10941): a multiplication, and a rare rejection that removes the
    /// bias.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        loop {
            let wide = u128::from(self.next_u64()) * u128::from(bound);
            let low = wide as u64;
            if low >= bound || low >= bound.wrapping_neg().checked_rem(bound).unwrap_or(0) {
                return (wide >> 64) as u64;
            }
        }
    }

    /// Returns a uniform random number in [0, 1), a multiple of 2⁻⁵³.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Returns a uniform random number strictly between 0 and 1, an odd multiple of 2⁻⁵³: its logarithm is
    /// finite and negative.
    pub(crate) fn open_unit(&mut self) -> f64 {
        ((self.next_u64() >> 12) as f64 + 0.5) * (1.0 / (1u64 << 52) as f64)
    }

    /// Returns an exponentially distributed waiting time with mean 1, positive and finite.
    pub(crate) fn exponential(&mut self) -> f64 {
        -libm::log(self.open_unit())
    }

    /// Tosses a fair coin.
    pub(crate) fn coin(&mut self) -> bool {
        self.next_u64() >> 63 == 1
    }

    /// Returns the state: a new generator with this seed continues from here.
    pub(crate) fn state(&self) -> u64 {
        self.state
    }
}

/// The generator of a randomised structure: its seed and its current state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lots {
    seed: u64,
    rng: Rng,
}

impl Lots {
    pub(crate) fn new(seed: u64) -> Self {
        Self::at(seed, seed)
    }

    /// Restores a generator from its saved seed and state.
    pub(crate) fn at(seed: u64, state: u64) -> Self {
        Self { seed, rng: Rng::new(state) }
    }

    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }

    pub(crate) fn state(&self) -> u64 {
        self.rng.state()
    }

    /// Returns whether no random number has been drawn yet.
    pub(crate) fn is_fresh(&self) -> bool {
        self.seed == self.rng.state()
    }

    #[inline]
    pub(crate) fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    /// Refuses to merge two parts that drew the same random numbers.
    pub(crate) fn check_apart(&self, other: &Self) -> Result<()> {
        if self.seed != other.seed {
            return Ok(());
        }
        let message = format!(
            "both parts have the seed {:#018x} and made the same random choices; give each part its own seed",
            self.seed
        );
        Err(Error::same_choices(message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_stream() {
        let mut rng = Rng::new(1_234_567);
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        for value in expected {
            assert_eq!(rng.next_u64(), value);
        }
    }

    #[test]
    fn open_units_stay_off_both_ends() {
        for bits in [0, u64::MAX] {
            let unit = ((bits >> 12) as f64 + 0.5) * (1.0 / (1u64 << 52) as f64);
            assert!(0.0 < unit && unit < 1.0 && libm::log(unit) < 0.0, "{unit}");
        }
        let mut rng = Rng::new(3);
        let mean = (0..10_000).map(|_| rng.exponential()).sum::<f64>() / 10_000.0;
        assert!((mean - 1.0).abs() < 0.05, "{mean}");
        let mut copy = Rng::new(rng.state());
        assert_eq!(copy.next_u64(), rng.next_u64());
    }

    #[test]
    fn below_is_uniform() {
        let mut rng = Rng::new(7);
        let mut counts = [0u32; 6];
        for _ in 0..60_000 {
            counts[rng.below(6) as usize] += 1;
        }
        let statistic: f64 = counts.iter().map(|&c| (f64::from(c) - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(statistic < crate::stats::chi_squared_quantile(5.0, 1.0 - 1e-6), "{counts:?}");
        assert_eq!(rng.below(0), 0);
        assert_eq!(rng.below(1), 0);
    }
}
