//! The size of a Bloom filter, and the choice of its parameters.

use super::BloomFilter;
use super::count::Occupancy;
use crate::codec::{Reader, put_u64_varint};
use crate::hash::TWO_TO_64;
use crate::membership::FilterPlan;
use crate::membership::target::{check_items, check_target};
use crate::sketch::{Fact, Params, narrow};
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use libm::{ceil, expm1, log1p, pow, round, sqrt};

/// The largest filter: 2⁴⁰ bits, 128 GiB, or 1 GiB on platforms with 32-bit addresses.
pub(in crate::membership) const MAX_BITS: u64 = if usize::BITS < 64 { 1 << 33 } else { 1 << 40 };
/// More hash functions than any reachable rate needs.
pub(in crate::membership) const MAX_HASHES: u32 = 64;

/// The size of a [`BloomFilter`](super::BloomFilter): bits and hash functions.
///
/// ```
/// use crivo::BloomParams;
/// let params = BloomParams::for_fpr(1_000_000, 0.01)?;
/// assert!(params.fpr_at(1_000_000) <= 0.01); // the exact rate is met
/// assert_eq!(params.hashes(), 6);
/// assert!(params.bits() < 9_650_000);
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BloomParams {
    /// Positions of a hash lie below this range; each bit stands for 2^folds positions.
    range: u64,
    hashes: u32,
    folds: u32,
}

impl BloomParams {
    /// Returns the smallest filter whose exact false-positive rate at `items` items is at most `fpr`.
    ///
    /// Among the numbers of hash functions that need less than 0.4 % more bits than the best, it takes the
    /// smallest, since every function costs time: at 1 % six instead of seven, for 0.2 % more bits.
    ///
    /// # Errors
    /// `InvalidArgument` when `items` is 0, `fpr` is not strictly between 0 and 1, or the filter would
    /// exceed 2⁴⁰ bits or what 64-bit hashes can distinguish.
    pub fn for_fpr(items: u64, fpr: f64) -> Result<Self> {
        check_target(items, fpr)?;
        let (_, hashes) = asymptotic_size(items as f64, fpr - items as f64 / TWO_TO_64);
        Self::for_fpr_with_hashes(items, fpr, hashes)
    }

    /// Returns the smallest filter with this number of hash functions for a checked target.
    pub(in crate::membership) fn for_fpr_with_hashes(items: u64, fpr: f64, hashes: u32) -> Result<Self> {
        let start = bits_for(items, fpr, hashes);
        if start > MAX_BITS as f64 {
            return Err(too_large(&format!("{items} items at a false-positive rate of {fpr}")));
        }
        // The asymptotic formula is a few bits short, so the filter grows until it meets the target.
        let mut params = Self::unfolded(whole_words(start), hashes);
        while params.fpr_at(items) > fpr {
            params.range += 64;
            if params.range > MAX_BITS {
                return Err(too_large(&format!("{items} items at a false-positive rate of {fpr}")));
            }
        }
        Ok(params)
    }

    /// Returns the size of a layer, which is full at a given fill: it takes `items` items before it reports a
    /// share of more than `rate` of all hashes, and always at least one. If that needs more than 2⁴⁰ bits, it
    /// takes fewer items.
    ///
    /// The number of items that reach a fill has a standard deviation of at most 0.67·√(items/k), at the load
    /// ln 2. The layer is made for six standard deviations more, so that the planned items do not open a
    /// second layer.
    pub(in crate::membership) fn for_layer(items: f64, rate: f64) -> Self {
        let (_, hashes) = asymptotic_size(items, rate);
        let start = asymptotic_bits(items + 4.0 * sqrt(items / f64::from(hashes)), rate, hashes);
        let largest = MAX_BITS - 1;
        let mut params = Self::unfolded(whole_words(start.min(largest as f64)).min(largest), hashes);
        while params.most_ones(rate) < u64::from(hashes) && params.range < largest {
            params.range += 64;
        }
        params
    }

    /// Returns the largest number of ones t with (t/m)ᵏ ≤ `rate`.
    pub(in crate::membership) fn most_ones(&self, rate: f64) -> u64 {
        let share_at = |ones: u64| pow(ones as f64 / self.range as f64, f64::from(self.hashes));
        // Rounding may make the root wrong by one; the power decides.
        let root = self.range as f64 * pow(rate, 1.0 / f64::from(self.hashes));
        let mut ones = (root as u64).min(self.range);
        while ones > 0 && share_at(ones) > rate {
            ones -= 1;
        }
        while ones < self.range && share_at(ones + 1) <= rate {
            ones += 1;
        }
        ones
    }

    /// Returns the best filter of at most `bytes` bytes for `items` items.
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
        Ok(Self::best_of(bytes / 8 * 64 - 1, items))
    }

    /// Returns the best filter of at most `bits` bits for `items` items.
    ///
    /// # Errors
    /// `InvalidArgument` when `items` is 0, or `bits` is 0 or beyond 2⁴⁰.
    pub(crate) fn for_bits(bits: u64, items: u64) -> Result<Self> {
        check_items(items)?;
        Self::exact(bits, 1)?;
        // With an odd range all positions are independent.
        Ok(Self::best_of((bits - 1) | 1, items))
    }

    /// Returns the params with the number of hash functions that has the lowest rate.
    fn best_of(bits: u64, items: u64) -> Self {
        let best = round(bits as f64 / items as f64 * core::f64::consts::LN_2);
        let near = best.clamp(1.0, f64::from(MAX_HASHES)) as u32;
        let rate = |hashes: u32| Self::unfolded(bits, hashes).fpr_at(items);
        let better = if near > 1 && rate(near - 1) < rate(near) { near - 1 } else { near };
        Self::unfolded(bits, better)
    }

    /// Creates params with exactly these numbers, for experiments and for filters that other software made.
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
        Ok(Self::unfolded(bits, hashes))
    }

    fn unfolded(bits: u64, hashes: u32) -> Self {
        Self { range: bits, hashes, folds: 0 }
    }

    /// Returns the params of a filter with half as many bits, rounded up, in which bit i stands for bits 2i
    /// and 2i + 1.
    ///
    /// Positions in an even range follow from the leading bits of the hash alone, so halving a multiple of 4
    /// gives the positions of the smaller range. Other filters keep their range.
    pub(super) fn fold(&self) -> Result<Self> {
        if self.bits() == 1 {
            return Err(Error::invalid(
                "a filter needs at least 2 bits to be folded, but this one has 1 bit; do not fold it again",
            ));
        }
        if self.range.is_multiple_of(4) {
            return Ok(Self { range: self.range / 2, ..*self });
        }
        Ok(Self { folds: self.folds + 1, ..*self })
    }

    /// Restores the number of folds from a file; `None` unless [folding](Self::fold) an unfolded filter gives
    /// these params.
    pub(super) fn with_folds(self, folds: u64) -> Option<Self> {
        let most = u64::from(self.range.next_power_of_two().trailing_zeros());
        let can_be = folds > 0 && folds <= most && !self.range.is_multiple_of(4);
        can_be.then_some(Self { folds: folds as u32, ..self })
    }

    /// Returns the number of bits, m.
    #[inline]
    pub fn bits(&self) -> u64 {
        // A shift instead of a division: inner loops call this.
        (self.range + (1 << self.folds) - 1) >> self.folds
    }

    /// Returns how often the filter was [folded](super::BloomFilter::fold) beyond what a smaller unfolded
    /// filter can represent.
    #[inline]
    pub fn folds(&self) -> u32 {
        self.folds
    }

    /// Returns the range of the positions before folding.
    #[inline]
    pub(in crate::membership) fn range(&self) -> u64 {
        self.range
    }

    /// Returns the number of bits, where the last one counts by the share of positions that it stands for; a
    /// single bit counts as one.
    pub(super) fn effective_bits(&self) -> f64 {
        (self.range as f64 / (1u64 << self.folds) as f64).max(1.0)
    }

    /// Returns the number of hash functions, k.
    #[inline]
    pub fn hashes(&self) -> u32 {
        self.hashes
    }

    /// Returns the bytes of memory that the bits take.
    pub fn memory_bytes(&self) -> u64 {
        self.bits().div_ceil(64) * 8
    }

    /// Returns the cost of a filter of this size with `items` items inside.
    pub(crate) fn plan(&self, items: u64) -> FilterPlan {
        FilterPlan {
            memory_bytes: size_of::<BloomFilter>() as u64 + self.memory_bytes(),
            fpr: self.fpr_at(items),
            cache_lines: lines_touched(self.memory_bytes(), self.hashes),
            parameters: vec![("bits", self.bits()), ("hashes", u64::from(self.hashes))],
        }
    }

    /// Returns the occupancy of a filter with `ones` ones that was not folded.
    pub(crate) fn occupancy(&self, ones: u64) -> Occupancy {
        Occupancy { bits: self.bits() as f64, hashes: f64::from(self.hashes), ones: ones as f64 }
    }
}

/// Returns the smallest number of hash functions that needs at most 0.4 % more bits than the best for `items`
/// items at `rate`, and the bits that it needs if the filter is large.
fn asymptotic_size(items: f64, rate: f64) -> (f64, u32) {
    let bits_with = |hashes: u32| asymptotic_bits(items, rate, hashes);
    // The bits decrease with every further function up to the best number, and increase from there.
    let mut fewest_bits = f64::INFINITY;
    for bits in (1..=MAX_HASHES).map(bits_with) {
        if bits > fewest_bits {
            break;
        }
        fewest_bits = bits;
    }
    let hashes = (1..=MAX_HASHES).find(|&k| bits_with(k) <= fewest_bits * (1.0 + 1.0 / 256.0));
    let hashes = hashes.unwrap_or(MAX_HASHES);
    (bits_with(hashes), hashes)
}

/// Returns the bits that a large filter with this number of functions needs.
fn asymptotic_bits(items: f64, rate: f64, hashes: u32) -> f64 {
    let fill = pow(rate, 1.0 / f64::from(hashes));
    -f64::from(hashes) * items / log1p(-fill)
}

/// Returns the asymptotic bits for a checked target.
pub(in crate::membership) fn bits_for(items: u64, fpr: f64, hashes: u32) -> f64 {
    asymptotic_bits(items as f64, fpr - items as f64 / TWO_TO_64, hashes)
}

/// Returns the mean number of distinct 64-byte cache lines among `bytes` bytes that `places` random accesses
/// touch.
pub(in crate::membership) fn lines_touched(bytes: u64, places: u32) -> f64 {
    let lines = bytes.div_ceil(64) as f64;
    -lines * expm1(f64::from(places) * log1p(-1.0 / lines).max(-700.0))
}

/// Rounds up to whole words, which are allocated anyway, less one bit: an odd number of bits gives the
/// fastest positions.
pub(in crate::membership) fn whole_words(bits: f64) -> u64 {
    (ceil(bits) as u64 + 1).next_multiple_of(64) - 1
}

pub(in crate::membership) fn too_large(what: &str) -> Error {
    Error::invalid(format!(
        "{what} needs more than {} GiB; choose fewer items or a higher rate",
        MAX_BITS >> 33
    ))
}

impl Params for BloomParams {
    const REMEDY: &str = "build both with the same params; a filter folds only to half, a quarter … of its bits (crivo merge --fold)";
    const NAMES: &[&str] = &["folds", "hashes", "bits"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.folds.into(), self.hashes.into(), self.range]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        let [folds, hashes, range] = [numbers[0], numbers[1], numbers[2]];
        let params = Self::exact(range, narrow(hashes)?)?;
        if folds == 0 {
            return Ok(params);
        }
        params.with_folds(folds).ok_or_else(|| {
            Error::malformed(format!("a filter of {range} bits cannot be folded {folds} times"))
        })
    }

    fn memory_bytes(&self) -> u64 {
        self.memory_bytes()
    }

    fn facts(&self) -> Vec<Fact> {
        let mut facts = vec![Fact::count("bits", self.bits()), Fact::count("hashes", self.hashes.into())];
        if self.folds > 0 {
            facts.push(Fact::count("folds", self.folds.into()));
        }
        facts
    }

    /// The number of folds is written only if the filter was folded.
    fn write(&self, params: &mut Vec<u8>) {
        let skipped = usize::from(self.folds == 0);
        self.numbers().iter().skip(skipped).rev().for_each(|&number| put_u64_varint(params, number));
    }

    fn read(mut params: Reader<'_>) -> Result<Self> {
        let (range, hashes) = (params.u64_varint()?, params.u64_varint()?);
        let folds = if params.rest().is_empty() { None } else { Some(params.u64_varint()?) };
        params.finish()?;
        if folds == Some(0) {
            return Err(Error::malformed("the number of folds is 0 and should be absent"));
        }
        Self::of(&[folds.unwrap_or(0), hashes, range])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn memory_is_used_and_not_exceeded() {
        for (bytes, items) in [(8, 1), (100, 100), (1 << 20, 1_000_000), (1 << 20, 1 << 40)] {
            let params = BloomParams::for_memory(bytes, items).unwrap();
            assert!(params.memory_bytes() <= bytes && params.memory_bytes() + 8 > bytes);
        }
    }

    #[test]
    fn the_most_ones_keep_the_rate() {
        for (bits, hashes) in [(1, 1), (63, 3), (1003, 64), (1 << 40, 7)] {
            let params = BloomParams::exact(bits, hashes).unwrap();
            for rate in [1e-18, 1e-6, 0.01, 0.5, 0.999] {
                let ones = params.most_ones(rate);
                let share = |ones: u64| pow(ones as f64 / bits as f64, f64::from(hashes));
                assert!(share(ones) <= rate && (ones == bits || share(ones + 1) > rate), "{bits} {rate}");
            }
        }
    }

    #[test]
    fn a_layer_has_room_for_one_item_at_least() {
        for items in [1.0, 2.0, 100.0, 1e12, 1e30] {
            for rate in [0.9, 0.1, 0.01, 1e-6, 1e-18] {
                let params = BloomParams::for_layer(items, rate);
                assert!(params.most_ones(rate) >= u64::from(params.hashes()), "{items} {rate}");
                assert!(params.bits() % 64 == 63 && params.bits() < MAX_BITS);
            }
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
