//! Many positions from one hash.

/// Maps `hash` to one of `range` equal parts of the 64-bit numbers: with a multiplication instead of a
/// division, and correctly for every range up to 2⁶⁴ (Lemire, arXiv:1805.10941).
///
/// ```
/// use crivo::hash::reduce;
/// assert_eq!(reduce(0, 10), 0);
/// assert_eq!(reduce(u64::MAX, 10), 9);
/// assert_eq!(reduce(u64::MAX, 1 << 40), (1 << 40) - 1); // far beyond 2³² bits
/// ```
#[inline]
pub const fn reduce(hash: u64, range: u64) -> u64 {
    ((hash as u128 * range as u128) >> 64) as u64
}

/// The infinite sequence of positions below a range that a filter or a row-wise sketch derives from one
/// 64-bit hash.
///
/// Read the hash as a fraction of 2⁶⁴. Its first digit in base `range` is the first position, and the
/// fraction after that digit yields the next position; one multiplication gives both. So the first
/// 64/log₂(range) positions are independent. An odd range loses no bits and simply continues from there. An
/// even range would run out of bits, so its state is multiplied by an odd constant instead. Kirsch and
/// Mitzenmacher's `h₁ + i·h₂` is a line: two items that agree in two positions agree in all, which raises the
/// error of small filters. Tests check that filters of 10 to 1,000 items have the error of truly independent
/// positions, down to 10⁻⁶.
///
/// ```
/// use crivo::hash::Probes;
/// let hash = u64::MAX / 81; // 0.01234567… in base 10, 0.01542… in base 11
/// assert!(Probes::new(hash, 11).take(4).eq([0, 1, 5, 4]));
/// ```
#[derive(Clone, Debug)]
pub struct Probes {
    state: u64,
    range: u64,
}

/// A multiplier with a good spectral test in every dimension up to 8 (Steele and Vigna,
/// doi:10.1002/spe.3030, table 6).
const MULTIPLIER: u64 = 0xd134_2543_de82_ef95;

impl Probes {
    /// Creates the sequence of positions in `0..range` for one hash.
    #[inline]
    pub const fn new(hash: u64, range: u64) -> Self {
        Self { state: hash, range }
    }

    /// Returns the factor by which a hash is multiplied to skip `count` positions.
    pub(crate) const fn leap(range: u64, count: u32) -> u64 {
        let step = if range % 2 == 1 { range } else { MULTIPLIER };
        step.wrapping_pow(count)
    }

    /// Returns the next position; the sequence never ends.
    #[inline]
    pub const fn next_position(&mut self) -> u64 {
        if self.range % 2 == 1 { self.next_of_parity::<true>() } else { self.next_of_parity::<false>() }
    }

    /// Returns the next position for a range whose parity is known, so that loops test it once.
    #[inline]
    pub(crate) const fn next_of_parity<const ODD: bool>(&mut self) -> u64 {
        let product = self.state as u128 * self.range as u128;
        self.state = if ODD { product as u64 } else { self.state.wrapping_mul(MULTIPLIER) };
        (product >> 64) as u64
    }
}

impl Iterator for Probes {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        Some(self.next_position())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HashSpec;
    use crate::stats::chi_squared_quantile;
    use alloc::vec;

    #[test]
    fn a_leap_skips_positions() {
        for range in [1u64, 64, 1003, (1 << 40) - 1] {
            for count in [0, 1, 2, 7] {
                let hash = 0x0123_4567_89ab_cdefu64;
                let later = Probes::new(hash.wrapping_mul(Probes::leap(range, count)), range);
                assert!(later.take(20).eq(Probes::new(hash, range).skip(count as usize).take(20)));
            }
        }
    }

    /// Every probe is uniform, and every pair of probes is jointly uniform, for small ranges and ranges
    /// beyond 2³².
    #[test]
    fn probes_are_uniform_and_pairwise_independent() {
        let spec = HashSpec::seeded(11);
        for range in [64u64, 1000, (1 << 33) + 5, 1 << 60] {
            let cell = |position: u64| (u128::from(position) * 16 / u128::from(range)) as usize;
            for (first, second) in [(0, 1), (0, 2), (1, 2), (0, 6), (5, 6), (3, 19)] {
                let mut counts = vec![0u32; 256];
                for i in 0..100_000u64 {
                    let positions: vec::Vec<u64> = Probes::new(spec.hash(&i), range).take(20).collect();
                    assert!(positions.iter().all(|&p| p < range));
                    counts[cell(positions[first]) * 16 + cell(positions[second])] += 1;
                }
                let expected: alloc::vec::Vec<f64> = (0..256u64)
                    .map(|c| {
                        let share = |i: u64| {
                            let edge = |j: u64| (u128::from(j) * u128::from(range)).div_ceil(16) as f64;
                            (edge(i + 1) - edge(i)) / range as f64
                        };
                        100_000.0 * share(c / 16) * share(c % 16)
                    })
                    .collect();
                let statistic: f64 =
                    counts.iter().zip(&expected).map(|(&c, e)| (f64::from(c) - e).powi(2) / e).sum();
                let limit = chi_squared_quantile(255.0, 1.0 - 1e-6 / 24.0);
                assert!(statistic < limit, "{range} {first} {second}: {statistic}");
            }
        }
    }
}
