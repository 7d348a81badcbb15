//! One filter of a stack, and the combined answers of several.

use super::layering::Layering;
use crate::bits::BitVec;
use crate::membership::bloom_filter::{BloomParams, Occupancy};
use crate::membership::probed_bits::{prefetch_probed_bits, probed_bits_are_set, set_probed_bits};
use crate::memory::{BATCH, CACHED_BYTES};
use crate::{Estimate, Guarantee};
use alloc::vec;
use alloc::vec::Vec;
use libm::{expm1, log1p};

/// An odd number whose powers are well distributed: 2⁶⁴ over the golden ratio.
pub(super) const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// One Bloom filter of the stack. It takes items while its fill stays within the rate of its level.
#[derive(Clone, PartialEq)]
pub(super) struct Layer {
    pub(super) level: u32,
    pub(super) params: BloomParams,
    pub(super) bits: BitVec,
    pub(super) ones: u64,
    /// With more ones its rate would exceed that of its level.
    pub(super) most_ones: u64,
    /// Makes the positions of a hash in one level independent of those in another. Otherwise the items of a
    /// layer, which the earlier layers do not report, would avoid the bits that are set there.
    multiplier: u64,
}

/// In a file a layer has a level, two sizes and at least 63 bits.
pub(super) const LEAST_LAYER_BYTES: usize = 11;

impl Layer {
    pub(super) fn new(layering: &Layering, level: u32) -> Self {
        let params = layering.layer(level);
        Self::with_bits(layering, level, params, BitVec::new(params.bits()))
    }

    pub(super) fn with_bits(layering: &Layering, level: u32, params: BloomParams, bits: BitVec) -> Self {
        let (ones, most_ones) = (bits.count_ones(), params.most_ones(layering.rate(level)));
        Self { level, params, bits, ones, most_ones, multiplier: MULTIPLIER.wrapping_pow(level) }
    }

    #[inline]
    pub(super) fn has_room(&self) -> bool {
        self.ones + u64::from(self.params.hashes()) <= self.most_ones
    }

    #[inline]
    pub(super) fn contains(&self, hash: u64) -> bool {
        let hash = hash.wrapping_mul(self.multiplier);
        probed_bits_are_set(self.bits.words(), self.params.range(), hash, self.params.hashes())
    }

    #[inline]
    pub(super) fn insert(&mut self, hash: u64) -> bool {
        let hash = hash.wrapping_mul(self.multiplier);
        let (bits, hashes) = (self.params.range(), self.params.hashes());
        let were_clear = set_probed_bits(self.bits.words_mut(), bits, hash, hashes);
        self.ones += u64::from(were_clear);
        were_clear > 0
    }

    pub(super) fn prefetch(&self, hashes: impl Iterator<Item = u64>) {
        if self.bits.memory_bytes() < CACHED_BYTES {
            return;
        }
        for hash in hashes {
            let hash = hash.wrapping_mul(self.multiplier);
            prefetch_probed_bits(self.bits.words(), self.params.range(), hash, self.params.hashes());
        }
    }

    /// Returns the number of ones after a merge with a layer of the same size; `None` if there would be too
    /// many, or the sizes differ.
    pub(super) fn ones_with(&self, other: &Self) -> Option<u64> {
        if self.level != other.level || self.params != other.params {
            return None;
        }
        let ones = self.bits.count_ones_of_union(&other.bits);
        (ones <= self.most_ones).then_some(ones)
    }

    pub(super) fn fpr(&self) -> f64 {
        let (bits, hashes) = (self.params.bits() as f64, f64::from(self.params.hashes()));
        Occupancy { bits, hashes, ones: self.ones as f64 }.fpr()
    }
}

/// Returns for each of many items whether one of the layers reports it, overlapping the cache misses. The
/// first layer is checked first.
pub(super) fn contains_all<'a>(
    layers: &(impl Iterator<Item = &'a Layer> + Clone),
    hashes: &[u64],
) -> Vec<bool> {
    let mut answers = vec![false; hashes.len()];
    for (block, answers) in hashes.chunks(BATCH).zip(answers.chunks_mut(BATCH)) {
        for layer in layers.clone() {
            let open = block.iter().zip(answers.iter()).filter(|&(_, answer)| !answer);
            layer.prefetch(open.map(|(&hash, _)| hash));
            for (&hash, answer) in block.iter().zip(answers.iter_mut()) {
                *answer = *answer || layer.contains(hash);
            }
        }
    }
    answers
}

/// Returns the false-positive rate of several layers: 1 − Π(1 − f). Layers of one level, of merged filters or
/// of generations, share positions: their joint rate is at least the highest of theirs and at most the sum.
pub(super) fn fpr<'a>(layers: impl Iterator<Item = &'a Layer>) -> Estimate {
    let mut layers: Vec<&Layer> = layers.collect();
    layers.sort_by_key(|layer| layer.level);
    let [mut value, mut least, mut most] = [0.0; 3];
    for level in layers.chunk_by(|a, b| a.level == b.level) {
        let rates = || level.iter().map(|layer| layer.fpr());
        value += rates().map(|rate| log1p(-rate)).sum::<f64>();
        least += log1p(-rates().fold(0.0, f64::max));
        most += log1p(-rates().sum::<f64>().min(1.0));
    }
    // Starting from 0, so that an empty sum gives 0 and not −0.
    let [value, least, most] = [value, least, most].map(|no_error| 0.0 - expm1(no_error));
    Estimate::new(value, least, most, Guarantee::Certain)
}

/// Returns the highest false-positive rate of the layers, however full they are.
pub(super) fn fpr_limit<'a>(layers: impl Iterator<Item = &'a Layer>, layering: &Layering) -> f64 {
    // Starting from 0, as above.
    0.0 - expm1(layers.map(|layer| log1p(-layering.rate(layer.level))).sum())
}
