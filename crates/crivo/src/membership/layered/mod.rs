//! Filters that grow by layers: the common parts of [`ScalableBloom`] and [`DynamicBloom`], and the
//! generations of a [`WindowedBloom`].

mod dynamic_bloom;
mod layer;
mod layering;
mod scalable_bloom;
mod windowed_bloom;

pub use dynamic_bloom::{DynamicBloom, DynamicParams};
pub use scalable_bloom::{ScalableBloom, ScalableParams};
pub use windowed_bloom::{WindowedBloom, WindowedParams};

use crate::bits::BitVec;
use crate::codec::put_u64_varint;
use crate::memory::BATCH;
use crate::sketch::Payload;
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use layer::{LEAST_LAYER_BYTES, Layer};
use layering::Layering;

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

    /// Inserts an item into the last layer with room, unless any layer reports it. Repeats are mostly recent,
    /// and the last layer is the largest, so it is checked first.
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
            self.prefetch(block);
            for &hash in block {
                self.insert(hash);
            }
        }
    }

    fn prefetch(&self, hashes: &[u64]) {
        for layer in &self.list {
            layer.prefetch(hashes.iter().copied());
        }
    }

    /// Adds an empty layer of the next level; returns its index. Layers are few and large, so none is
    /// allocated ahead.
    #[cold]
    fn open(&mut self) -> usize {
        let level = self.list.last().map_or(0, |layer| layer.level + 1);
        self.list.reserve_exact(1);
        self.list.push(Layer::new(&self.layering, level));
        self.list.len() - 1
    }

    /// Returns the layers in the order in which they are checked.
    fn asked(&self) -> impl Iterator<Item = &Layer> + Clone {
        self.list.iter().rev()
    }

    #[inline]
    fn contains(&self, hash: u64) -> bool {
        self.asked().any(|layer| layer.contains(hash))
    }

    /// Merges each layer of the other filter into the layer of its level that grows least by it, or else adds
    /// it.
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

    fn is_empty(&self) -> bool {
        self.list.iter().all(|layer| layer.ones == 0)
    }

    fn memory_bytes(&self) -> usize {
        let bits: usize = self.list.iter().map(|layer| layer.bits.memory_bytes()).sum();
        self.list.capacity() * size_of::<Layer>() + bits
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        put_u64_varint(bytes, self.list.len() as u64);
        for layer in &self.list {
            put_u64_varint(bytes, u64::from(layer.level));
            put_u64_varint(bytes, layer.params.bits());
            put_u64_varint(bytes, u64::from(layer.params.hashes()));
            layer.bits.to_bytes(bytes);
        }
    }

    fn read(layering: Layering, file: &mut Payload<'_>) -> Result<Self> {
        let count = file.bytes.u64_varint()?;
        if count == 0 || count > (file.bytes.rest().len() / LEAST_LAYER_BYTES) as u64 {
            return Err(Error::malformed(format!("the file cannot contain {count} layers")));
        }
        let mut memory = count * size_of::<Layer>() as u64;
        file.check_memory(memory)?;
        let mut list: Vec<Layer> = Vec::with_capacity(count as usize);
        let mut next = layering.layer(0);
        for _ in 0..count {
            let level = file.bytes.u64_varint()?;
            let last = list.last().map(|layer| layer.level);
            match last {
                None if level == 0 => {}
                Some(last) if level == u64::from(last) => {}
                Some(last) if level == u64::from(last) + 1 => next = layering.layer(last + 1),
                _ => return Err(Error::malformed(format!("layer {level} is out of order"))),
            }
            let (bits, hashes) = (file.bytes.u64_varint()?, file.bytes.u64_varint()?);
            if (bits, hashes) != (next.bits(), u64::from(next.hashes())) {
                return Err(Error::malformed(format!("layer {level} does not have the size of its level")));
            }
            memory += next.memory_bytes();
            file.check_memory(memory)?;
            let bytes = file.bytes.bytes(usize::try_from(bits.div_ceil(8)).unwrap_or(usize::MAX))?;
            let bits = BitVec::from_bytes(bits, bytes)
                .ok_or_else(|| Error::malformed(format!("layer {level} has bits beyond its end")))?;
            let layer = Layer::with_bits(&layering, level as u32, next, bits);
            if layer.ones > layer.most_ones || (layer.ones == 0 && count > 1) {
                return Err(Error::malformed(format!("layer {level} has {} bits set", layer.ones)));
            }
            list.push(layer);
        }
        Ok(Self { layering, list })
    }
}

/// Declares the methods and traits of a filter of layers, whose fields are `params`, `spec` and `layers`.
macro_rules! layered_filter {
    ($type:ident, $params:ident) => {
        impl $type {
            /// Inserts the item with this hash, unless it is already reported; returns true if it was
            /// certainly new.
            #[inline]
            pub fn insert_hash(&mut self, hash: u64) -> bool {
                self.layers.insert(hash)
            }

            /// Inserts many items by their hashes, overlapping the cache misses.
            pub fn insert_hashes(&mut self, hashes: &[u64]) {
                self.layers.insert_all(hashes);
            }

            /// Returns whether the item with this hash may have been inserted.
            #[inline]
            pub fn contains_hash(&self, hash: u64) -> bool {
                self.layers.contains(hash)
            }

            /// Returns whether each of many items may have been inserted, overlapping the cache misses.
            pub fn contains_hashes(&self, hashes: &[u64]) -> Vec<bool> {
                layer::contains_all(&self.layers.asked(), hashes)
            }

            /// Returns the probability that an item that was not inserted is reported: 1 − Π(1 − f) over the
            /// layers, exact at their present fill. After a merge, layers of the same level may share bits:
            /// then the rate certainly lies between the bounds.
            pub fn fpr(&self) -> Estimate {
                layer::fpr(self.layers.list.iter())
            }

            /// Returns the highest false-positive rate of the present layers, however full they are, apart
            /// from the probability that two 64-bit hashes are equal. A merge may add up both limits.
            pub fn fpr_limit(&self) -> f64 {
                layer::fpr_limit(self.layers.list.iter(), &self.layers.layering)
            }

            /// Returns the number of layers.
            pub fn layers(&self) -> usize {
                self.layers.list.len()
            }

        }

        shell!($type: hashes, empty($params), merges, set, filter, collects_at_one_percent, inserts, for_fpr($params));

        impl Core for $type {
            const KIND: Kind = Kind::$type;

            fn heap_bytes(&self) -> usize {
                self.layers.memory_bytes()
            }

            fn heap_bound(&self) -> Option<usize> {
                None
            }

            fn write(&self, payload: &mut Vec<u8>) {
                self.layers.write(payload);
            }

            fn read(params: $params, file: &mut Payload<'_>) -> Result<Self> {
                let layers = Layers::read(params.layering(), file)?;
                Ok(Self { params, spec: file.spec, layers })
            }

            fn state(&self) -> Vec<Fact> {
                vec![
                    Fact::count("layers", self.layers() as u64),
                    Fact::number("fpr_limit", self.fpr_limit()),
                    Fact::rate("fpr", self.fpr()),
                ]
            }

            fn absorb(&mut self, other: &Self) -> Result<()> {
                self.layers.merge(&other.layers);
                Ok(())
            }
        }

        impl Empty for $type {
            fn empty(params: $params, spec: HashSpec) -> Self {
                Self { params, spec, layers: Layers::new(params.layering()) }
            }

            fn has_nothing(&self) -> bool {
                self.layers.is_empty()
            }
        }

    };
}
use layered_filter;

#[cfg(test)]
mod tests {
    use super::layer::MULTIPLIER;
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
            // The margin, as much again for chance, and the rounding to a word.
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
