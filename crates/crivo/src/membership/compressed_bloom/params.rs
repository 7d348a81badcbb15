//! The size of a Bloom filter whose file is to be small.

use super::CompressedBloom;
use crate::membership::FilterPlan;
use crate::membership::bloom_filter::BloomParams;
use crate::membership::bloom_filter::params::{MAX_BITS, MAX_HASHES, bits_for};
use crate::membership::bloom_filter::rate::ones_variance;
use crate::membership::target::{check_items, check_target};
use crate::sketch::{Params, narrow};
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use libm::{expm1, fabs, log2, pow, sqrt};

/// The maximum ratio of memory to file size, so that a short file cannot allocate much memory.
pub(super) const MOST_COMPRESSION: u64 = 16;
/// The most bytes that a file has in addition to the coded bits: header, sizes, checksum, and the state of
/// the coder.
const FRAME_BYTES: f64 = 56.0;
/// The number of standard deviations of the file size that a budget leaves as margin.
const SIGMAS: f64 = 5.0;

/// The size of a [`CompressedBloom`]: bits in memory and hash functions, chosen for the size of its file.
///
/// ```
/// use crivo::membership::CompressedParams;
/// // Twice the memory of a Bloom filter, to send 7 % less.
/// let params = CompressedParams::for_fpr(1_000_000, 0.01, 2.0)?;
/// assert_eq!(params.hashes(), 2);
/// assert!(params.wire_bytes_at(1_000_000) < 0.93 * 1.2e6);
/// // With ten times the memory it is a sixth.
/// assert!(CompressedParams::for_fpr(1_000_000, 0.01, 10.5)?.wire_bytes_at(1_000_000) < 0.84 * 1.2e6);
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompressedParams {
    pub(super) bloom: BloomParams,
}

impl CompressedParams {
    /// Returns the filter with the smallest file whose exact false-positive rate at `items` items is at most
    /// `fpr`, in at most `memory_factor` times the memory of the smallest
    /// [`BloomFilter`](crate::BloomFilter).
    ///
    /// # Errors
    /// `InvalidArgument` if `memory_factor` is not a number from 1 on; otherwise the errors of
    /// [`BloomParams::for_fpr`](crate::BloomParams::for_fpr).
    pub fn for_fpr(items: u64, fpr: f64, memory_factor: f64) -> Result<Self> {
        check_target(items, fpr)?;
        check_factor(memory_factor)?;
        let plain = BloomParams::for_fpr(items, fpr)?;
        let most_bits = (memory_factor * plain.bits() as f64).min((MAX_BITS - 64) as f64);
        let wire = |hashes: u32| {
            let bits = bits_for(items, fpr, hashes);
            coded_bytes(bits, share_of_ones(bits, hashes, items))
        };
        let fits = |hashes: &u32| bits_for(items, fpr, *hashes) <= most_bits;
        let best = (1..=plain.hashes()).filter(fits).min_by(|&a, &b| wire(a).total_cmp(&wire(b)));
        let bloom = BloomParams::for_fpr_with_hashes(items, fpr, best.unwrap_or(plain.hashes()))?;
        Ok(Self { bloom })
    }

    /// Returns the filter with the lowest false-positive rate, and few functions, whose file with `items`
    /// items inside takes at most `wire_bytes` bytes (except for one hash function in a million), and which
    /// takes at most `memory_factor` times as much memory.
    ///
    /// ```
    /// use crivo::BloomParams;
    /// use crivo::membership::CompressedParams;
    /// // One byte per item on the wire.
    /// let plain = BloomParams::for_memory(1_000_000, 1_000_000)?.fpr_at(1_000_000);
    /// let params = CompressedParams::for_wire(1_000_000, 1_000_000, 2.0)?;
    /// assert!((0.021..0.022).contains(&plain));
    /// assert!((0.017..0.018).contains(&params.fpr_at(1_000_000)));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` when `items` is 0, `wire_bytes` is below 80 or beyond 128 GiB, or `memory_factor` is not a
    /// number from 1 on.
    pub fn for_wire(items: u64, wire_bytes: u64, memory_factor: f64) -> Result<Self> {
        check_items(items)?;
        check_factor(memory_factor)?;
        // Room for the frame and a few words.
        if !(80..=MAX_BITS / 8).contains(&wire_bytes) {
            return Err(Error::invalid(format!(
                "a compressed filter's file takes from 80 bytes to {} GiB, got {wire_bytes} bytes; choose a size in \
                 between",
                MAX_BITS >> 33
            )));
        }
        let budget = wire_bytes as f64;
        let most_words = (memory_factor * budget / 8.0).min((MAX_BITS / 64) as f64) as u64;
        // The most words whose file fits: the file grows with them.
        let bits_with = |hashes: u32| {
            let fits = |words: u64| largest_file(words * 64 - 1, hashes, items) <= budget;
            let (mut least, mut beyond) = (0, most_words + 1);
            while beyond - least > 1 {
                let middle = least + (beyond - least) / 2;
                if fits(middle) {
                    least = middle;
                } else {
                    beyond = middle;
                }
            }
            (least > 0).then(|| least * 64 - 1)
        };
        let share = |bits: u64, hashes: u32| share_of_ones(bits as f64, hashes, items);
        let rate = |bits: u64, hashes: u32| pow(share(bits, hashes), f64::from(hashes));
        // Bits most of which are set compress as well, but need many functions.
        let is_quick = |&(bits, hashes): &(u64, u32)| hashes == 1 || share(bits, hashes) <= 0.5;
        let all = (1..=MAX_HASHES).filter_map(|hashes| Some((bits_with(hashes)?, hashes)));
        let best = all.filter(is_quick).min_by(|&(a, j), &(b, k)| rate(a, j).total_cmp(&rate(b, k)));
        match best {
            Some((bits, hashes)) => Ok(Self { bloom: BloomParams::exact(bits, hashes)? }),
            None => Err(Error::invalid(format!(
                "no filter of {items} items has a file of {wire_bytes} bytes; allow more bytes"
            ))),
        }
    }

    /// Creates params with exactly these numbers.
    ///
    /// # Errors
    /// `InvalidArgument` when `bits` is 0 or beyond 2⁴⁰, or `hashes` is not 1 to 64.
    pub fn exact(bits: u64, hashes: u32) -> Result<Self> {
        Ok(Self { bloom: BloomParams::exact(bits, hashes)? })
    }

    /// Returns the number of bits in memory, m.
    pub fn bits(&self) -> u64 {
        self.bloom.bits()
    }

    /// Returns the number of hash functions, k.
    pub fn hashes(&self) -> u32 {
        self.bloom.hashes()
    }

    /// Returns the bytes of memory that the bits take.
    pub fn memory_bytes(&self) -> u64 {
        self.bloom.memory_bytes()
    }

    /// Returns the exact false-positive rate with `items` distinct items inside, which is the rate of the
    /// [`BloomFilter`](crate::BloomFilter) in memory.
    pub fn fpr_at(&self, items: u64) -> f64 {
        self.bloom.fpr_at(items)
    }

    /// Returns an upper bound of the mean size of the file with `items` distinct items inside, in bytes: the
    /// entropy of m bits of which a share p = 1 − (1 − 1/m)^(kn) is set, m·H(p)/8, and 56 for the rest.
    pub fn wire_bytes_at(&self, items: u64) -> f64 {
        let bits = self.bits() as f64;
        coded_bytes(bits, share_of_ones(bits, self.hashes(), items)) + FRAME_BYTES
    }

    /// Returns the memory cost of a filter of this size with `items` items inside.
    pub(crate) fn plan(&self, items: u64) -> FilterPlan {
        let plain = self.bloom.plan(items);
        FilterPlan { memory_bytes: size_of::<CompressedBloom>() as u64 + self.memory_bytes(), ..plain }
    }
}

impl Params for CompressedParams {
    const NAMES: &[&str] = &["bits", "hashes"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.bits(), self.hashes().into()]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        Self::exact(numbers[0], narrow(numbers[1])?)
    }

    fn memory_bytes(&self) -> u64 {
        self.memory_bytes()
    }
}

/// Returns the mean share of ones: 1 − e^{−kn/m}.
fn share_of_ones(bits: f64, hashes: u32, items: u64) -> f64 {
    -expm1(-f64::from(hashes) * items as f64 / bits)
}

/// Returns the size of the code: m·H(p)/8 bytes, but at least a sixteenth of the memory.
fn coded_bytes(bits: f64, share: f64) -> f64 {
    bits / 8.0 * entropy(share).max(1.0 / MOST_COMPRESSION as f64)
}

/// Returns the entropy of a bit that is set with probability p.
fn entropy(p: f64) -> f64 {
    let part = |p: f64| if p > 0.0 { -p * log2(p) } else { 0.0 };
    part(p) + part(1.0 - p)
}

/// Returns the file size that is exceeded for one hash function in a million: each additional one adds
/// log₂((1 − p)/p) bits.
fn largest_file(bits: u64, hashes: u32, items: u64) -> f64 {
    let m = bits as f64;
    let load = f64::from(hashes) * items as f64 / m;
    let share = share_of_ones(m, hashes, items);
    let worth = if share < 1.0 { fabs(log2((1.0 - share) / share)) } else { 0.0 };
    coded_bytes(m, share) + FRAME_BYTES + SIGMAS * sqrt(ones_variance(m, load)) * worth / 8.0
}

fn check_factor(factor: f64) -> Result<()> {
    if factor >= 1.0 && factor.is_finite() {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "the memory factor must be a number from 1 on, got {factor}; 2 achieves half of the possible saving"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mitzenmacher's tables I and II: bits per item in memory, functions, bits per item compressed, and
    /// rate.
    #[test]
    fn tables_of_the_paper() {
        let tables = [
            (8.0, 6, 7.985, 0.0216),
            (14.0, 2, 7.923, 0.0177),
            (92.0, 1, 7.923, 0.0108),
            (16.0, 11, 15.987, 0.000_459),
            (28.0, 4, 15.846, 0.000_314),
            (48.0, 3, 15.829, 0.000_222),
        ];
        let items = 1_000_000u64;
        for (bits, hashes, wire, rate) in tables {
            let params = CompressedParams::exact((bits * items as f64) as u64, hashes).unwrap();
            let got = (params.wire_bytes_at(items) - FRAME_BYTES) * 8.0 / items as f64;
            // The first rows of the tables are not compressed: about half of the bits are set.
            assert!((got - wire).abs() < 0.02, "{bits} {hashes}: {got} bits an item");
            assert!(
                (params.fpr_at(items) / rate - 1.0).abs() < 0.005,
                "{bits} {hashes}: {}",
                params.fpr_at(items)
            );
        }
    }

    #[test]
    fn targets_are_met_within_the_memory_allowed() {
        for items in [1, 10, 1000, 1_000_000, 1 << 33] {
            for fpr in [0.5, 0.1, 0.01, 1e-4, 1e-9] {
                let plain = BloomParams::for_fpr(items, fpr).unwrap();
                let mut wire = f64::INFINITY;
                for factor in [1.0, 1.5, 2.0, 5.0, 1e6] {
                    let params = CompressedParams::for_fpr(items, fpr, factor).unwrap();
                    assert!(params.fpr_at(items) <= fpr, "{items} {fpr} {factor}");
                    // Sizes are whole words.
                    let most = factor * plain.memory_bytes() as f64 + 16.0;
                    assert!(params.memory_bytes() as f64 <= most, "{items} {fpr} {factor}");
                    let now = params.wire_bytes_at(items);
                    assert!(now <= wire * 1.001 + 8.0, "{items} {fpr} {factor}: {now} after {wire}");
                    wire = now;
                }
            }
        }
    }

    #[test]
    fn a_budget_is_kept_and_used() {
        for items in [1, 10, 1000, 1_000_000] {
            for wire_bytes in [80, 100, 1000, 1 << 20] {
                let mut rate = 1.1;
                for factor in [1.0, 2.0, 10.0, 100.0] {
                    let params = CompressedParams::for_wire(items, wire_bytes, factor).unwrap();
                    let context = format!("{items} items, {wire_bytes} bytes, {factor}: {params:?}");
                    assert!(params.memory_bytes() as f64 <= factor * wire_bytes as f64, "{context}");
                    assert!(params.wire_bytes_at(items) <= wire_bytes as f64, "{context}");
                    let now = params.fpr_at(items);
                    assert!(now <= rate * 1.01, "{context}: {now} after {rate}");
                    rate = now;
                }
            }
        }
    }

    #[test]
    fn sizes_are_the_same_on_every_platform() {
        let golden = [
            (1, 0.5, 1.0, (63, 1)),
            (10_000, 0.01, 1.5, (123_647, 3)),
            (1_000_000, 0.01, 2.0, (18_982_463, 2)),
            (1_000_000, 0.01, 10.5, (99_499_199, 1)),
        ];
        for (items, fpr, factor, expected) in golden {
            let params = CompressedParams::for_fpr(items, fpr, factor).unwrap();
            assert_eq!((params.bits(), params.hashes()), expected, "{items} {fpr} {factor}");
        }
        let params = CompressedParams::for_wire(1_000_000, 1_000_000, 2.0).unwrap();
        assert_eq!((params.bits(), params.hashes()), (14_314_367, 2));
    }
}
