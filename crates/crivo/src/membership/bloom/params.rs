//! How large a Bloom filter must be, and how often it errs.

use super::BloomFilter;
use crate::{Error, FilterPlan, Result};
use alloc::format;
use alloc::vec;
use libm::{ceil, exp, expm1, log, log1p, pow, round};

/// The largest filter: 2⁴⁰ bits, 128 GiB, or 1 GiB where an address has 32 bits.
const MAX_BITS: u64 = if usize::BITS < 64 { 1 << 33 } else { 1 << 40 };
/// More hash functions than any reachable rate needs.
const MAX_HASHES: u32 = 64;

/// The size of a [`BloomFilter`](super::BloomFilter): bits and hash functions.
///
/// ```
/// use crivo::BloomParams;
/// let params = BloomParams::for_fpr(1_000_000, 0.01)?;
/// assert!(params.fpr_at(1_000_000) <= 0.01); // the exact rate, never missed by rounding
/// assert_eq!(params.hashes(), 6);
/// assert!(params.bits() < 9_650_000);
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BloomParams {
    bits: u64,
    hashes: u32,
}

impl BloomParams {
    /// The smallest filter whose exact false positive rate at `items` items is at most `fpr`.
    ///
    /// Among the numbers of hash functions that need less than 0.4 % more bits than the best it takes the
    /// least, since every function costs time: at 1 % six instead of seven, for 0.2 % more bits.
    ///
    /// # Errors
    /// `InvalidArgument` when `items` is 0, `fpr` is not strictly between 0 and 1, or the filter would
    /// exceed 2⁴⁰ bits or what 64-bit hashes can tell apart.
    pub fn for_fpr(items: u64, fpr: f64) -> Result<Self> {
        check_items(items)?;
        if !(fpr > 0.0 && fpr < 1.0) {
            return Err(Error::invalid(format!(
                "a false positive rate must lie strictly between 0 and 1, got {fpr}; 0.01 is usual"
            )));
        }
        let floor = items as f64 / TWO_TO_64;
        if fpr < 2.0 * floor {
            return Err(Error::invalid(format!(
                "a false positive rate of {fpr} is out of reach for {items} items: their 64-bit hashes \
                 alone collide at {floor:e}; ask for at least twice that"
            )));
        }
        let bits_with = |hashes: u32| {
            let fill = pow(fpr - floor, 1.0 / f64::from(hashes));
            -f64::from(hashes) * items as f64 / log1p(-fill)
        };
        let fewest_bits = (1..=MAX_HASHES).map(bits_with).fold(f64::INFINITY, f64::min);
        let hashes = (1..=MAX_HASHES).find(|&k| bits_with(k) <= fewest_bits * (1.0 + 1.0 / 256.0));
        let hashes = hashes.unwrap_or(MAX_HASHES);
        let start = bits_with(hashes);
        if start > MAX_BITS as f64 {
            return Err(too_large(&format!("{items} items at a false positive rate of {fpr}")));
        }
        // Whole words are allocated anyway, less one bit: an odd number gives the quickest positions. The
        // asymptotic formula is a few bits short: grow to the target.
        let mut params = Self { bits: (ceil(start) as u64 + 1).next_multiple_of(64) - 1, hashes };
        while params.fpr_at(items) > fpr {
            params.bits += 64;
            if params.bits > MAX_BITS {
                return Err(too_large(&format!("{items} items at a false positive rate of {fpr}")));
            }
        }
        Ok(params)
    }

    /// The best filter of at most `bytes` bytes for `items` items.
    ///
    /// ```
    /// use crivo::BloomParams;
    /// let params = BloomParams::for_memory(1 << 20, 1_000_000)?;
    /// assert_eq!(params.memory_bytes(), 1 << 20);
    /// assert!(params.fpr_at(1_000_000) < 0.02);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` when `items` is 0, or `bytes` is below 8 or beyond 128 GiB.
    pub fn for_memory(bytes: u64, items: u64) -> Result<Self> {
        check_items(items)?;
        if !(8..=MAX_BITS / 8).contains(&bytes) {
            return Err(Error::invalid(format!(
                "a Bloom filter takes from 8 bytes to {} GiB, got {bytes} bytes; choose a size in between",
                MAX_BITS >> 33
            )));
        }
        let bits = bytes / 8 * 64 - 1;
        let best = round(bits as f64 / items as f64 * core::f64::consts::LN_2);
        let near = best.clamp(1.0, f64::from(MAX_HASHES)) as u32;
        let rate = |hashes: u32| Self { bits, hashes }.fpr_at(items);
        let better = if near > 1 && rate(near - 1) < rate(near) { near - 1 } else { near };
        Ok(Self { bits, hashes: better })
    }

    /// Exactly these numbers, for experiments and for filters of others.
    ///
    /// # Errors
    /// `InvalidArgument` when `bits` is 0 or beyond 2⁴⁰, or `hashes` is not 1 to 64.
    pub fn exact(bits: u64, hashes: u32) -> Result<Self> {
        if bits == 0 || bits > MAX_BITS {
            return Err(Error::invalid(format!(
                "a Bloom filter has from 1 to {MAX_BITS} bits, got {bits}; choose a size in between"
            )));
        }
        if hashes == 0 || hashes > MAX_HASHES {
            return Err(Error::invalid(format!(
                "a Bloom filter has from 1 to {MAX_HASHES} hash functions, got {hashes}; 7 is usual"
            )));
        }
        Ok(Self { bits, hashes })
    }

    /// The number of bits, m.
    pub fn bits(&self) -> u64 {
        self.bits
    }

    /// The number of hash functions, k.
    pub fn hashes(&self) -> u32 {
        self.hashes
    }

    /// The bytes of memory that the bits take.
    pub fn memory_bytes(&self) -> u64 {
        self.bits.div_ceil(64) * 8
    }

    /// What a filter of this size costs, with `items` items inside.
    pub(crate) fn plan(&self, items: u64) -> FilterPlan {
        let lines = self.memory_bytes().div_ceil(64) as f64;
        FilterPlan {
            memory_bytes: size_of::<BloomFilter>() as u64 + self.memory_bytes(),
            fpr: self.fpr_at(items),
            cache_lines: -lines * expm1(f64::from(self.hashes) * log1p(-1.0 / lines).max(-700.0)),
            parameters: vec![("bits", self.bits), ("hashes", u64::from(self.hashes))],
        }
    }

    /// The exact false positive rate with `items` different items inside: the mean over all hash functions
    /// of (ones/m)ᵏ, which the usual (1 − e^{−kn/m})ᵏ understates, plus the chance that two 64-bit hashes
    /// agree.
    ///
    /// Small filters follow the distribution of the number of ones step by step; larger ones use its mean
    /// and variance, right to 3·10⁻⁴ of the rate (tested).
    pub fn fpr_at(&self, items: u64) -> f64 {
        let balls = u128::from(self.hashes) * u128::from(items);
        let rate = if u128::from(self.bits) * balls <= RECURRENCE_STEPS {
            self.fpr_by_recurrence(balls as u64)
        } else {
            self.fpr_by_moments(balls as f64)
        };
        (rate + items as f64 / TWO_TO_64).min(1.0)
    }

    /// The distribution of the number of occupied cells after each ball, exactly.
    fn fpr_by_recurrence(&self, balls: u64) -> f64 {
        let m = self.bits as f64;
        let cells = self.bits.min(balls) as usize;
        let mut probability = vec![0.0; cells + 1];
        probability[0] = 1.0;
        for _ in 0..balls {
            for ones in (0..=cells).rev() {
                let stays = probability[ones] * (ones as f64 / m);
                let grows =
                    if ones == 0 { 0.0 } else { probability[ones - 1] * (1.0 - (ones - 1) as f64 / m) };
                probability[ones] = stays + grows;
            }
        }
        let hit = |(ones, p): (usize, &f64)| p * pow(ones as f64 / m, f64::from(self.hashes));
        probability.iter().enumerate().map(hit).sum()
    }

    /// E[Xᵏ] of the share X of ones, taken as normal: Σ C(k, 2j) (2j−1)!! μ^{k−2j} σ^{2j}.
    fn fpr_by_moments(&self, balls: f64) -> f64 {
        let m = self.bits as f64;
        let k = f64::from(self.hashes);
        let load = -balls * log1p(-1.0 / m);
        let mean = -expm1(-load);
        let relative_variance = ones_variance(m, load) / (mean * m * mean * m);
        let mut term = 1.0;
        let mut sum = 1.0;
        let mut used = 0.0;
        while used + 2.0 <= k {
            // C(k, 2j+2)·(2j+1)!! over C(k, 2j)·(2j−1)!! is (k−2j)(k−2j−1) / (2j+2).
            term *= (k - used) * (k - used - 1.0) / (used + 2.0) * relative_variance;
            sum += term;
            used += 2.0;
        }
        exp(k * log(mean)) * sum
    }
}

/// The variance of the number of ones at load λ = kn/m: m e^{−λ}(1 − (1+λ)e^{−λ}).
pub(super) fn ones_variance(bits: f64, load: f64) -> f64 {
    let empty = exp(-load);
    let spread = -expm1(-load) - load * empty;
    (bits * empty * spread).max(0.0)
}

/// Up to so much work the distribution of the ones is followed exactly.
const RECURRENCE_STEPS: u128 = 1 << 21;

pub(super) const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;

fn check_items(items: u64) -> Result<()> {
    if items > 0 {
        return Ok(());
    }
    Err(Error::invalid("a filter needs room for at least 1 item, got 0; give the expected number of items"))
}

fn too_large(what: &str) -> Error {
    Error::invalid(format!("{what} needs more than {} GiB; ask for less", MAX_BITS >> 33))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn textbook_values() {
        // B2: m = 10n, k = 7 → 0.819 %; 4 bits an item, k = 3 → 14.7 %.
        let large = BloomParams::exact(10_000_000, 7).unwrap().fpr_at(1_000_000);
        assert!((large - 0.00819).abs() < 5e-6, "{large}");
        let small = BloomParams::exact(4_000_000, 3).unwrap().fpr_at(1_000_000);
        assert!((small - 0.147).abs() < 5e-4, "{small}");
    }

    #[test]
    fn moments_agree_with_the_recurrence() {
        // Just beyond the limit of the recurrence, where the moments are worst.
        for (items, hashes) in
            [(1, 64), (2, 64), (5, 40), (10, 50), (20, 30), (60, 20), (100, 10), (300, 7), (600, 3)]
        {
            let balls = u64::from(hashes) * items;
            let bits = (RECURRENCE_STEPS as u64 / balls + 1).max(items * u64::from(hashes));
            let params = BloomParams::exact(bits, hashes).unwrap();
            let exact = params.fpr_by_recurrence(balls);
            let approximate = params.fpr_by_moments(balls as f64);
            // Rates that the chance of equal hashes hides need no digits.
            if exact > items as f64 / TWO_TO_64 {
                assert!((approximate / exact - 1.0).abs() < 3e-4, "{items} {hashes}: {exact} {approximate}");
            }
        }
    }

    #[test]
    fn targets_are_met_with_no_word_to_spare() {
        for items in [1, 2, 10, 100, 10_000, 1_000_000, 1 << 33] {
            for fpr in [0.9, 0.5, 0.2, 0.1, 0.01, 1e-3, 1e-6, 1e-9] {
                let params = BloomParams::for_fpr(items, fpr).unwrap();
                assert!(params.fpr_at(items) <= fpr, "{items} {fpr}");
                if params.bits() > 63 {
                    let smaller = BloomParams::exact(params.bits() - 64, params.hashes()).unwrap();
                    assert!(smaller.fpr_at(items) > fpr, "{items} {fpr}");
                }
            }
        }
    }

    #[test]
    fn a_larger_filter_or_fewer_items_never_err_more() {
        for items in [5u64, 50, 500, 5000] {
            let rates: alloc::vec::Vec<f64> =
                (1..40).map(|i| BloomParams::exact(i * items, 4).unwrap().fpr_at(items)).collect();
            assert!(rates.windows(2).all(|pair| pair[1] <= pair[0]), "{items}");
            let params = BloomParams::exact(1000, 5).unwrap();
            assert!(params.fpr_at(items) <= params.fpr_at(items + 1));
        }
    }

    #[test]
    fn memory_is_used_and_not_exceeded() {
        for (bytes, items) in [(8, 1), (100, 100), (1 << 20, 1_000_000), (1 << 20, 1 << 40)] {
            let params = BloomParams::for_memory(bytes, items).unwrap();
            assert!(params.memory_bytes() <= bytes && params.memory_bytes() + 8 > bytes);
        }
    }

    #[test]
    fn sizes_are_the_same_on_every_platform() {
        let golden = [
            (1, 0.5, 63, 1),
            (10_000, 0.01, 96_191, 6),
            (1_000_000, 0.01, 9_616_703, 6),
            (1_000_000, 0.001, 14_425_023, 9),
            (10_000_000, 0.001, 144_249_855, 9),
        ];
        for (items, fpr, bits, hashes) in golden {
            let params = BloomParams::for_fpr(items, fpr).unwrap();
            assert_eq!((params.bits(), params.hashes()), (bits, hashes), "{items} {fpr}");
        }
    }

    #[test]
    fn absurd_targets_are_refused() {
        for fpr in [0.0, 1.0, -0.1, 1.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e-300] {
            assert!(BloomParams::for_fpr(1000, fpr).is_err(), "{fpr}");
        }
        assert!(BloomParams::for_fpr(0, 0.01).is_err());
        assert!(BloomParams::for_fpr(u64::MAX, 0.01).is_err());
        assert!(BloomParams::for_memory(7, 10).is_err());
        assert!(BloomParams::for_memory(u64::MAX, 10).is_err());
        assert!(BloomParams::for_memory(100, 0).is_err());
        assert!(BloomParams::exact(0, 7).is_err());
        assert!(BloomParams::exact(u64::MAX, 7).is_err());
        assert!(BloomParams::exact(100, 0).is_err());
        assert!(BloomParams::exact(100, 65).is_err());
    }
}
