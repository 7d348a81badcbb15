//! The compressed Bloom filter: see [`CompressedBloom`].

mod params;

pub use params::CompressedParams;

use super::bloom_filter::BloomFilter;
use crate::bits::{decode_bits, encode_bits};
use crate::codec::put_u64_varint;
use crate::kind::Kind;
use crate::sketch::{Core, Empty, Fact, OfSize, Payload, shell};
use crate::{Error, Estimate, HashSpec, Result};
use alloc::format;
use alloc::vec::Vec;
use params::MOST_COMPRESSION;

/// A compressed Bloom filter, whose file is small: more bits in memory, fewer functions, and entropy-coded
/// bytes.
///
/// # Use when / not when
/// Use it for filters that are sent often and for which memory is not scarce, such as the digests that caches
/// exchange. A query also checks fewer bits than in a plain filter. Not if the file size does not matter
/// ([`BloomFilter`] is smaller in memory), and not for a set that never changes (a fuse filter is smaller in
/// both).
///
/// # Guarantee
/// The guarantee of a [`BloomFilter`]: no false negatives, and the exact rate [`fpr`](Self::fpr). A file
/// holds the same bits, so answers before and after writing it are the same. It takes the entropy of the
/// bits, m·H(ones/m)/8 bytes, and at most 0.1 % and 56 bytes more, but never less than a sixteenth of the
/// memory, so that a short hostile file cannot allocate much memory.
///
/// # Space
/// For a million items at 1 %, by the memory allowed:
///
/// | memory | functions | bits per item in memory | in the file |
/// |---|---|---|---|
/// | 1 × | 6 | 9.62 | 9.58 |
/// | 1.3 × | 3 | 12.4 | 9.30 |
/// | 2 × | 2 | 19.0 | 8.90 |
/// | 10.5 × | 1 | 99.5 | 8.04 |
///
/// # Time
/// k scattered bits for an insertion or a positive query; k is small. Reading and writing a file codes every
/// bit separately, in a few nanoseconds each.
///
/// # Merge
/// Exact: the union of two filters equals the filter of both streams, bit for bit; commutative, associative and
/// idempotent.
///
/// # Hostile input
/// An attacker who knows the seed can choose items that fill the filter early or that are all false
/// positives. Use [`HashSpec::keyed`]. Hostile bytes cost time and memory in proportion to their length.
///
/// # Example
/// ```
/// use crivo::BloomFilter;
/// use crivo::membership::{CompressedBloom, CompressedParams};
/// let mut digest = CompressedBloom::with_params(CompressedParams::for_fpr(10_000, 0.01, 2.0)?);
/// let mut plain = BloomFilter::for_fpr(10_000, 0.01)?;
/// digest.extend(0..10_000u32);
/// plain.extend(0..10_000u32);
/// let (sent, usual) = (digest.to_bytes(), plain.to_bytes());
/// assert!(sent.len() * 100 < usual.len() * 94);
/// let received = CompressedBloom::from_bytes(&sent)?;
/// assert_eq!(received, digest);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// memory  0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 0 1 0 0 0     one bit in ten is set: 0.47 bits of entropy each;
/// file    ones = 3, then the bits, each as a step     a step makes the state 1/p times as large, and
///         of one number: 0 costs 0.15, 1 costs 3.3    the bits of that number are the file
/// ```
///
/// # References
/// Mitzenmacher, doi:10.1109/TNET.2002.803864 · the code: Duda, arXiv:1311.2540.
///
/// # Measured
/// `crivo-lab run c-compressed-bloom`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct CompressedBloom {
    filter: BloomFilter,
}

impl CompressedBloom {
    /// Creates an empty filter for `items` items at a false-positive rate of at most `fpr`, in twice the
    /// memory of a [`BloomFilter`].
    ///
    /// # Errors
    /// The errors of [`CompressedParams::for_fpr`].
    pub fn for_fpr(items: u64, fpr: f64) -> Result<Self> {
        Ok(Self::with_params(CompressedParams::for_fpr(items, fpr, 2.0)?))
    }

    /// Inserts the item with this hash; returns true if it was certainly new.
    #[inline]
    pub fn insert_hash(&mut self, hash: u64) -> bool {
        self.filter.insert_hash(hash)
    }

    /// Inserts many items by their hashes, overlapping the cache misses.
    pub fn insert_hashes(&mut self, hashes: &[u64]) {
        self.filter.insert_hashes(hashes);
    }

    /// Returns whether the item with this hash may have been inserted.
    #[inline]
    pub fn contains_hash(&self, hash: u64) -> bool {
        self.filter.contains_hash(hash)
    }

    /// Returns whether each of many items may have been inserted, overlapping the cache misses.
    pub fn contains_hashes(&self, hashes: &[u64]) -> Vec<bool> {
        self.filter.contains_hashes(hashes)
    }

    /// Returns the probability that an item that was not inserted is reported: exact at the present fill.
    pub fn fpr(&self) -> Estimate {
        self.filter.fpr()
    }

    /// Returns the filter in memory, which also estimates the number of items.
    pub fn bloom(&self) -> &BloomFilter {
        &self.filter
    }
}

shell!(CompressedBloom: hashes_by(self => self.filter.hash_spec()), made(CompressedParams), merges, set, filter, collects_at_one_percent, inserts);

/// Returns the smallest size in bytes of the code of this many bits.
fn least_bytes(bits: u64) -> u64 {
    bits.div_ceil(8 * MOST_COMPRESSION)
}

impl OfSize for CompressedBloom {
    type Params = CompressedParams;

    fn params(&self) -> CompressedParams {
        CompressedParams { bloom: self.filter.params() }
    }
}

impl Core for CompressedBloom {
    const KIND: Kind = Kind::CompressedBloom;

    fn heap_bytes(&self) -> usize {
        self.filter.bits().memory_bytes()
    }

    fn write(&self, payload: &mut Vec<u8>) {
        let bits = self.filter.bits();
        let ones = bits.count_ones();
        let mut code = encode_bits(bits, ones);
        code.resize(code.len().max(least_bytes(bits.len()) as usize), 0);
        put_u64_varint(payload, ones);
        payload.extend_from_slice(&code);
    }

    fn read(params: CompressedParams, file: &mut Payload<'_>) -> Result<Self> {
        let (bits, ones) = (params.bits(), file.bytes.u64_varint()?);
        let code = file.bytes.take_rest();
        if ones > bits || (code.len() as u64) < least_bytes(bits) {
            return Err(Error::malformed(format!(
                "{} bytes cannot hold {ones} ones among {bits} bits",
                code.len()
            )));
        }
        // Padding brings a file to its minimum size; nothing else may follow the code.
        let is_filling = |rest: &[u8]| {
            rest.is_empty() || code.len() as u64 == least_bytes(bits) && rest.iter().all(|&byte| byte == 0)
        };
        match decode_bits(bits, ones, code) {
            Some((bits, rest)) if is_filling(rest) => {
                Ok(Self { filter: BloomFilter::from_bits(params.bloom, file.spec, bits) })
            }
            _ => Err(Error::malformed(format!("the payload is not the code of {bits} bits"))),
        }
    }

    fn state(&self) -> Vec<Fact> {
        self.filter.state()
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        self.filter.merge(&other.filter)
    }
}

impl Empty for CompressedBloom {
    fn empty(params: CompressedParams, spec: HashSpec) -> Self {
        Self { filter: BloomFilter::empty(params.bloom, spec) }
    }

    fn has_nothing(&self) -> bool {
        self.filter.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that files are as small as the page claims, from empty to overfull filters.
    #[test]
    fn files_are_as_small_as_the_entropy() {
        for (bits, hashes) in [(64, 1), (1003, 2), (50_000, 1), (100_000, 3)] {
            let mut filter = CompressedBloom::with_params(CompressedParams::exact(bits, hashes).unwrap());
            for round in 0..40u32 {
                filter.extend((0..200).map(|i| round * 200 + i));
                let share = filter.bloom().bits().count_ones() as f64 / bits as f64;
                let part = |p: f64| if p > 0.0 { -p * libm::log2(p) } else { 0.0 };
                let entropy = bits as f64 / 8.0 * (part(share) + part(1.0 - share));
                let size = filter.to_bytes().len() as f64;
                let least = (bits as f64 / 128.0).max(entropy);
                assert!(size >= least && size <= 1.001 * least + 56.0, "{bits} bits: {size}, {least}");
            }
        }
    }
}
