//! The growth of the layers of a filter.

use super::Layer;
use crate::hash::TWO_TO_64;
use crate::membership::FilterPlan;
use crate::membership::bloom_filter::{BloomParams, MAX_BITS};
use crate::membership::target::check_target;
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use libm::{expm1, log1p, pow};

/// From this level on, the rate of a layer is no lower than that of the one before. Layers of 2⁴⁰ bits come
/// long before.
pub(super) const LAST_TIGHTER_LEVEL: u32 = 64;

/// The size and the rate of the layer of each level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Layering {
    /// The number of items of level 0.
    pub(super) first: u64,
    /// The rate of level 0 when full.
    pub(super) rate: f64,
    /// The factor by which the number of items grows from level to level.
    pub(super) growth: u32,
    /// The factor by which the rate falls from level to level.
    pub(super) tightening: f64,
}

impl Layering {
    /// Refuses targets that no filter can meet, and a first layer beyond the largest.
    pub(super) fn check(&self, fpr: f64) -> Result<()> {
        check_target(self.first, fpr)?;
        if self.layer(0).bits() >= MAX_BITS - 1 {
            return Err(Error::invalid(format!(
                "{} items at a false-positive rate of {fpr} need a first layer of more than {} GiB; choose \
                 fewer, since the filter grows by itself",
                self.first,
                MAX_BITS >> 33
            )));
        }
        Ok(())
    }

    pub(super) fn items(&self, level: u32) -> f64 {
        self.first as f64 * pow(f64::from(self.growth), f64::from(level))
    }

    /// Returns the rate of the layer of a level when it is full.
    pub(super) fn rate(&self, level: u32) -> f64 {
        self.rate * pow(self.tightening, f64::from(level.min(LAST_TIGHTER_LEVEL)))
    }

    pub(super) fn layer(&self, level: u32) -> BloomParams {
        BloomParams::for_layer(self.items(level), self.rate(level))
    }

    /// Returns the compound rate of full layers and a last one as full as `items` make it.
    pub(super) fn fpr_at(&self, items: u64) -> f64 {
        let mut left = items as f64;
        let mut no_error = 0.0;
        let mut level = 0;
        if self.growth == 1 {
            let full = (items.saturating_sub(1) / self.first) as f64;
            no_error = full * log1p(-self.rate);
            left -= full * self.first as f64;
        }
        while left > self.items(level) {
            no_error += log1p(-self.rate(level));
            left -= self.items(level);
            level += 1;
        }
        let last = self.layer(level).fpr_at(left as u64).min(self.rate(level));
        if no_error == 0.0 { last } else { -expm1(no_error + log1p(-last)) }
    }

    /// Returns the lowest rate at which the first layer takes at most `bytes` bytes; `at` returns the
    /// layering for a rate.
    pub(super) fn for_memory(bytes: u64, items: u64, at: impl Fn(f64) -> Self) -> Result<f64> {
        check_target(items, 0.5)?;
        let fits = |fpr: f64| at(fpr).layer(0).memory_bytes() <= bytes;
        let (mut low, mut high) = (2.0 * items as f64 / TWO_TO_64, 1.0 - f64::EPSILON);
        if !fits(high) {
            return Err(Error::invalid(format!(
                "{items} items need more than {bytes} bytes at any rate; allow more bytes or choose fewer items"
            )));
        }
        // Rates differ in their exponents, so the bisection is on a logarithmic scale.
        for _ in 0..200 {
            let middle = libm::sqrt(low * high);
            *(if fits(middle) { &mut high } else { &mut low }) = middle;
        }
        Ok(high)
    }

    /// Returns the cost of an empty filter of `shell` bytes and one layer.
    pub(super) fn plan(&self, shell: usize, items: u64) -> FilterPlan {
        let layer = self.layer(0);
        FilterPlan {
            memory_bytes: (shell + size_of::<Layer>()) as u64 + layer.memory_bytes(),
            fpr: self.fpr_at(items),
            cache_lines: layer.plan(items).cache_lines,
            parameters: vec![
                ("capacity", self.first),
                ("bits", layer.bits()),
                ("hashes", u64::from(layer.hashes())),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_the_same_on_every_platform() {
        let golden = [
            (1, 0.5, 0, 63, 1),
            (100, 0.002, 0, 1471, 9),
            (100, 0.002, 9, 882_559, 11),
            (10_000, 0.002, 0, 131_135, 9),
        ];
        for (first, rate, level, bits, hashes) in golden {
            let layer = Layering { first, rate, growth: 2, tightening: 0.8 }.layer(level);
            assert_eq!((layer.bits(), layer.hashes()), (bits, hashes), "{first} {rate} {level}");
        }
    }
}
