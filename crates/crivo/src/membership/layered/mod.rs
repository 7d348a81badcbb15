//! Filters that grow by layers: what [`ScalableBloom`] and [`DynamicBloom`] share.

mod dynamic;
mod layering;
mod scalable;

pub use dynamic::{DynamicBloom, DynamicParams};
pub use scalable::{ScalableBloom, ScalableParams};

use super::bloom::{BloomParams, Occupancy};
use crate::bits::BitVec;
use crate::codec::{self, DecodeOptions, Reader, put_u64_varint};
use crate::memory::{BATCH, CACHED_BYTES, prefetch_probed_bits, probed_bits_are_set, set_probed_bits};
use crate::{Error, Estimate, Guarantee, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use layering::Layering;
use libm::{expm1, log1p};

/// An odd number whose powers scatter: 2⁶⁴ over the golden ratio.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// One Bloom filter of the stack. It takes items while its fill stays within the rate of its level.
#[derive(Clone, PartialEq)]
struct Layer {
    level: u32,
    params: BloomParams,
    bits: BitVec,
    ones: u64,
    /// With more ones it would err more than its level may.
    most_ones: u64,
    /// Makes the positions of a hash in one level say nothing about those in another. Without it the items
    /// of a layer, which the layers before do not report, would avoid the bits that are set there.
    multiplier: u64,
}

/// In bytes a layer has a level, two sizes and at least 63 bits.
const LEAST_LAYER_BYTES: usize = 11;

impl Layer {
    fn new(layering: &Layering, level: u32) -> Self {
        let params = layering.layer(level);
        Self::with_bits(layering, level, params, BitVec::new(params.bits()))
    }

    fn with_bits(layering: &Layering, level: u32, params: BloomParams, bits: BitVec) -> Self {
        let (ones, most_ones) = (bits.count_ones(), params.most_ones(layering.rate(level)));
        Self { level, params, bits, ones, most_ones, multiplier: MULTIPLIER.wrapping_pow(level) }
    }

    #[inline]
    fn has_room(&self) -> bool {
        self.ones + u64::from(self.params.hashes()) <= self.most_ones
    }

    #[inline]
    fn contains(&self, hash: u64) -> bool {
        let hash = hash.wrapping_mul(self.multiplier);
        probed_bits_are_set(self.bits.words(), self.params.range(), hash, self.params.hashes())
    }

    #[inline]
    fn insert(&mut self, hash: u64) -> bool {
        let hash = hash.wrapping_mul(self.multiplier);
        let (bits, hashes) = (self.params.range(), self.params.hashes());
        let were_clear = set_probed_bits(self.bits.words_mut(), bits, hash, hashes);
        self.ones += u64::from(were_clear);
        were_clear > 0
    }

    fn prefetch(&self, hashes: impl Iterator<Item = u64>) {
        if self.bits.memory_bytes() < CACHED_BYTES {
            return;
        }
        for hash in hashes {
            let hash = hash.wrapping_mul(self.multiplier);
            prefetch_probed_bits(self.bits.words(), self.params.range(), hash, self.params.hashes());
        }
    }

    /// The ones after a merge with a layer of the same size; `None` when they would be too many, or the sizes
    /// differ.
    fn ones_with(&self, other: &Self) -> Option<u64> {
        if self.level != other.level || self.params != other.params {
            return None;
        }
        let ones = self.bits.count_ones_of_union(&other.bits);
        (ones <= self.most_ones).then_some(ones)
    }

    fn fpr(&self) -> f64 {
        let (bits, hashes) = (self.params.bits() as f64, f64::from(self.params.hashes()));
        Occupancy { bits, hashes, ones: self.ones as f64 }.fpr()
    }
}

/// Layers by level, the lowest first. There is always one of level 0, and no level is missing.
#[derive(Clone, PartialEq)]
struct Layers {
    layering: Layering,
    list: Vec<Layer>,
}

impl Layers {
    fn new(layering: Layering) -> Self {
        Self { layering, list: vec![Layer::new(&layering, 0)] }
    }

    /// The last layer with room takes the item, unless any layer reports it. Repeats are mostly recent, and
    /// the last layer is the largest: it is asked first.
    #[inline]
    fn insert(&mut self, hash: u64) -> bool {
        let place = self.list.iter().rposition(Layer::has_room);
        let others = self.list.iter().enumerate().filter(|&(i, _)| Some(i) != place);
        if others.rev().any(|(_, layer)| layer.contains(hash)) {
            return false;
        }
        let place = place.unwrap_or_else(|| self.open());
        self.list[place].insert(hash)
    }

    fn insert_all(&mut self, hashes: &[u64]) {
        for block in hashes.chunks(BATCH) {
            for layer in &self.list {
                layer.prefetch(block.iter().copied());
            }
            for &hash in block {
                self.insert(hash);
            }
        }
    }

    /// Adds an empty layer of the next level; tells its place. Layers are few and large: none is allocated
    /// ahead.
    #[cold]
    fn open(&mut self) -> usize {
        let level = self.list.last().map_or(0, |layer| layer.level + 1);
        self.list.reserve_exact(1);
        self.list.push(Layer::new(&self.layering, level));
        self.list.len() - 1
    }

    #[inline]
    fn contains(&self, hash: u64) -> bool {
        self.list.iter().rev().any(|layer| layer.contains(hash))
    }

    fn contains_all(&self, hashes: &[u64]) -> Vec<bool> {
        let mut answers = vec![false; hashes.len()];
        for (block, answers) in hashes.chunks(BATCH).zip(answers.chunks_mut(BATCH)) {
            for layer in self.list.iter().rev() {
                let open = block.iter().zip(answers.iter()).filter(|&(_, answer)| !answer);
                layer.prefetch(open.map(|(&hash, _)| hash));
                for (&hash, answer) in block.iter().zip(answers.iter_mut()) {
                    *answer = *answer || layer.contains(hash);
                }
            }
        }
        answers
    }

    /// 1 − Π(1 − f) over the layers. Those of one level, which only merges make, have positions in common:
    /// together they err at least as the worst of them and at most as their sum.
    fn fpr(&self) -> Estimate {
        let [mut value, mut least, mut most] = [0.0; 3];
        for level in self.list.chunk_by(|a, b| a.level == b.level) {
            let rates = || level.iter().map(Layer::fpr);
            value += rates().map(|rate| log1p(-rate)).sum::<f64>();
            least += log1p(-rates().fold(0.0, f64::max));
            most += log1p(-rates().sum::<f64>().min(1.0));
        }
        // From 0, so that nothing gives 0 and not −0.
        let [value, least, most] = [value, least, most].map(|no_error| 0.0 - expm1(no_error));
        Estimate::new(value, least, most, Guarantee::Certain)
    }

    fn fpr_limit(&self) -> f64 {
        let rates = self.list.iter().map(|layer| self.layering.rate(layer.level));
        -expm1(rates.map(|rate| log1p(-rate)).sum())
    }

    /// Each layer of the other joins the layer of its level that grows least by it, or else stands beside.
    fn merge(&mut self, other: &Self) {
        for theirs in &other.list {
            let joined = self.list.iter_mut().filter_map(|ours| Some((ours.ones_with(theirs)?, ours)));
            if let Some((ones, ours)) = joined.min_by_key(|(ones, ours)| ones - ours.ones) {
                ours.bits.union_with(&theirs.bits);
                ours.ones = ones;
            } else {
                let place = self.list.partition_point(|ours| ours.level <= theirs.level);
                self.list.reserve_exact(1);
                self.list.insert(place, theirs.clone());
            }
        }
    }

    fn clear(&mut self) {
        self.list.truncate(1);
        self.list.shrink_to_fit();
        for layer in &mut self.list {
            layer.bits.clear();
            layer.ones = 0;
        }
    }

    fn is_empty(&self) -> bool {
        self.list.iter().all(|layer| layer.ones == 0)
    }

    fn memory_bytes(&self) -> usize {
        let bits: usize = self.list.iter().map(|layer| layer.bits.memory_bytes()).sum();
        self.list.capacity() * size_of::<Layer>() + bits
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        put_u64_varint(&mut bytes, self.list.len() as u64);
        for layer in &self.list {
            put_u64_varint(&mut bytes, u64::from(layer.level));
            put_u64_varint(&mut bytes, layer.params.bits());
            put_u64_varint(&mut bytes, u64::from(layer.params.hashes()));
            layer.bits.to_bytes(&mut bytes);
        }
        bytes
    }

    fn from_bytes(layering: Layering, reader: &mut Reader<'_>, options: &DecodeOptions) -> Result<Self> {
        let count = reader.u64_varint()?;
        if count == 0 || count > (reader.rest().len() / LEAST_LAYER_BYTES) as u64 {
            return Err(Error::malformed(format!("{count} layers do not fit into the file")));
        }
        let mut memory = count * size_of::<Layer>() as u64;
        codec::check_memory(memory, options)?;
        let mut list: Vec<Layer> = Vec::with_capacity(count as usize);
        let mut next = layering.layer(0);
        for _ in 0..count {
            let level = reader.u64_varint()?;
            let last = list.last().map(|layer| layer.level);
            match last {
                None if level == 0 => {}
                Some(last) if level == u64::from(last) => {}
                Some(last) if level == u64::from(last) + 1 => next = layering.layer(last + 1),
                _ => return Err(Error::malformed(format!("layer {level} is not in its place"))),
            }
            let (bits, hashes) = (reader.u64_varint()?, reader.u64_varint()?);
            if (bits, hashes) != (next.bits(), u64::from(next.hashes())) {
                return Err(Error::malformed(format!("layer {level} has not the size of its level")));
            }
            memory += next.memory_bytes();
            codec::check_memory(memory, options)?;
            let bytes = reader.bytes(usize::try_from(bits.div_ceil(8)).unwrap_or(usize::MAX))?;
            let bits = BitVec::from_bytes(bits, bytes)
                .ok_or_else(|| Error::malformed(format!("layer {level} has bits beyond its end")))?;
            let layer = Layer::with_bits(&layering, level as u32, next, bits);
            if layer.ones > layer.most_ones || (layer.ones == 0 && count > 1) {
                return Err(Error::malformed(format!("layer {level} has {} bits set", layer.ones)));
            }
            list.push(layer);
        }
        reader.finish()?;
        Ok(Self { layering, list })
    }
}

/// The methods and traits of a filter of layers, whose fields are `params`, `spec` and `layers`.
macro_rules! layered_filter {
    ($type:ident, $params:ident) => {
        impl $type {
            /// An empty filter with the default hash.
            pub fn new(params: $params) -> Self {
                Self::with_spec(params, HashSpec::default())
            }

            /// An empty filter with a hash of one's own.
            pub fn with_spec(params: $params, spec: HashSpec) -> Self {
                Self { params, spec, layers: Layers::new(params.layering()) }
            }

            #[doc = concat!("An empty filter from [`", stringify!($params), "::for_fpr`].")]
            ///
            /// # Errors
            #[doc = concat!("As [`", stringify!($params), "::for_fpr`].")]
            pub fn with_fpr(items: u64, fpr: f64) -> Result<Self> {
                Ok(Self::new($params::for_fpr(items, fpr)?))
            }

            /// Inserts an item, unless it is reported already; true when it was certainly new.
            #[inline]
            pub fn insert<T: Item + ?Sized>(&mut self, item: &T) -> bool {
                self.insert_hash(self.spec.hash(item))
            }

            /// Inserts the item with this hash, unless it is reported already; true when it was certainly
            /// new.
            #[inline]
            pub fn insert_hash(&mut self, hash: u64) -> bool {
                self.layers.insert(hash)
            }

            /// Inserts many items by their hashes, overlapping the cache misses.
            pub fn insert_hashes(&mut self, hashes: &[u64]) {
                self.layers.insert_all(hashes);
            }

            /// Whether the item may have been inserted: `false` is certain.
            #[inline]
            pub fn contains<T: Item + ?Sized>(&self, item: &T) -> bool {
                self.contains_hash(self.spec.hash(item))
            }

            /// Whether the item with this hash may have been inserted.
            #[inline]
            pub fn contains_hash(&self, hash: u64) -> bool {
                self.layers.contains(hash)
            }

            /// Whether each of many items may have been inserted, overlapping the cache misses.
            pub fn contains_hashes(&self, hashes: &[u64]) -> Vec<bool> {
                self.layers.contains_all(hashes)
            }

            /// The probability that an item which was not inserted is reported: 1 − Π(1 − f) over the
            /// layers, exact at their present fill. After a merge, layers of the same level may have bits
            /// in common: then it lies between the bounds, for certain.
            pub fn fpr(&self) -> Estimate {
                self.layers.fpr()
            }

            /// What the present layers err at most, however full, but for the chance that two 64-bit hashes
            /// agree. A merge may add up both limits.
            pub fn fpr_limit(&self) -> f64 {
                self.layers.fpr_limit()
            }

            /// The number of layers.
            pub fn layers(&self) -> usize {
                self.layers.list.len()
            }

            /// Takes in the items of `other`: layers of the same level are joined while that keeps to their
            /// limit, and stand side by side otherwise.
            ///
            /// # Errors
            /// `Incompatible` when params or hash differ; `self` is unchanged then.
            pub fn merge(&mut self, other: &Self) -> Result<()> {
                self.params.check_same(&other.params)?;
                self.spec.check_same(&other.spec)?;
                self.layers.merge(&other.layers);
                Ok(())
            }

            /// Forgets all items, and gives back all layers but the first.
            pub fn clear(&mut self) {
                self.layers.clear();
            }

            /// Whether nothing was inserted.
            pub fn is_empty(&self) -> bool {
                self.layers.is_empty()
            }

            /// The sizes.
            pub fn params(&self) -> $params {
                self.params
            }

            /// How it hashes.
            pub fn hash_spec(&self) -> &HashSpec {
                &self.spec
            }

            /// The memory it holds, in bytes, itself included.
            pub fn memory_bytes(&self) -> usize {
                size_of::<Self>() + self.layers.memory_bytes()
            }
        }

        wire_methods!($type);
        set_sketch!($type);
        filter_answers!($type);

        impl Wire for $type {
            fn to_bytes(&self) -> Vec<u8> {
                codec::seal(Kind::$type, Some(&self.spec), &self.params.to_bytes(), &self.layers.to_bytes())
            }

            fn from_bytes_with(bytes: &[u8], options: &DecodeOptions) -> Result<Self> {
                let mut envelope = codec::open(Kind::$type, bytes, options)?;
                let params = $params::from_bytes(&mut envelope.params)
                    .map_err(|error| Error::malformed(format!("{error}")))?;
                let layers = Layers::from_bytes(params.layering(), &mut envelope.payload, options)?;
                Ok(Self { params, spec: envelope.spec, layers })
            }
        }

        impl Sketch for $type {
            fn kind(&self) -> Kind {
                Kind::$type
            }

            fn hash_spec(&self) -> Option<&HashSpec> {
                Some(&self.spec)
            }

            fn memory_bytes(&self) -> usize {
                self.memory_bytes()
            }

            fn facts(&self) -> Vec<Fact> {
                let mut facts = self.params.facts();
                facts.extend([
                    Fact::count("layers", self.layers() as u64),
                    Fact::number("fpr_limit", self.fpr_limit()),
                    Fact::rate("fpr", self.fpr()),
                ]);
                facts
            }
        }

        collects_at_one_percent!($type);

        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let (name, bytes) = (stringify!($type), self.memory_bytes());
                write!(f, "{name}({} layers, {bytes} bytes, {})", self.layers(), self.spec)
            }
        }
    };
}
use layered_filter;

#[cfg(test)]
mod tests {
    use super::*;

    fn layering(first: u64, rate: f64) -> Layering {
        Layering { first, rate, growth: 2, tightening: 0.8 }
    }

    #[test]
    fn a_layer_takes_the_items_it_is_for_and_few_more() {
        for first in [1, 10, 1000, 100_000] {
            let mut layers = Layers::new(layering(first, 0.01));
            let mut items = 0u64;
            let mut hash = 1u64;
            while layers.list.len() == 1 {
                hash = hash.wrapping_mul(MULTIPLIER).wrapping_add(0x1234_5677);
                items += u64::from(layers.insert(crate::HashSpec::default().hash(&hash)));
            }
            // The margin, as much again for chance, and what fills a word.
            let most = first as f64 + 8.0 * libm::sqrt(first as f64 / 6.0) + 11.0;
            assert!(items > first && items as f64 <= most, "{items} items of {first}");
        }
    }

    #[test]
    fn merging_with_itself_changes_nothing_even_where_layers_stand_side_by_side() {
        let spec = crate::HashSpec::default();
        let make = |range: core::ops::Range<u32>| {
            let mut layers = Layers::new(layering(50, 0.01));
            for item in range {
                layers.insert(spec.hash(&item));
            }
            layers
        };
        let mut both = make(0..130);
        both.merge(&make(1000..1060));
        assert!(both.list.windows(2).any(|pair| pair[0].level == pair[1].level));
        let mut twice = both.clone();
        twice.merge(&both);
        assert!(twice == both);
    }
}
