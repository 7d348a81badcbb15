//! Folding: Bloom filters in half the bits.

use super::{BloomFilter, BloomParams};
use crate::Result;
use crate::hash::Probes;
use crate::membership::probed_bits::{Words, bit_is_set};
use crate::sketch::Fold;

impl BloomFilter {
    /// Returns the filter of the same items in half the bits: a smaller file and a higher false-positive
    /// rate.
    ///
    /// Folding, inserting and merging may happen in any order. A filter whose number of bits is a multiple of
    /// 4 folds to the filter that half as many bits would have made. Other filters keep their range of
    /// positions, and merge only with filters that were folded as often.
    ///
    /// ```
    /// # use crivo::BloomFilter;
    /// let mut filter = BloomFilter::for_fpr(1000, 0.0001)?;
    /// filter.extend(0..1000u32);
    /// let half = filter.fold()?;
    /// assert_eq!(half.params().bits(), filter.params().bits().div_ceil(2));
    /// assert!((0..1000u32).all(|item| half.contains(&item)));
    /// assert!(filter.fpr().value() < 0.0002 && half.fpr().value() > 0.01);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` if only one bit is left.
    pub fn fold(&self) -> Result<Self> {
        Ok(Self { params: self.params.fold()?, spec: self.spec, bits: self.bits.fold() })
    }

    /// A separate function, so that the usual path stays short.
    #[cold]
    pub(super) fn insert_folded(&mut self, hash: u64) -> bool {
        let positions = folded_positions(self.params, hash);
        positions.fold(false, |is_new, position| self.bits.set(position) | is_new)
    }
}

impl Fold for BloomFilter {
    fn fold_to(&self, other: &Self) -> Option<Self> {
        let mut params = self.params;
        let mut folds = 0;
        while params.bits() > other.params.bits() {
            params = params.fold().ok()?;
            folds += 1;
        }
        if folds == 0 || params != other.params {
            return None;
        }
        let bits = (1..folds).fold(self.bits.fold(), |bits, _| bits.fold());
        Some(Self { params, spec: self.spec, bits })
    }
}

/// Returns whether the bits of a hash in a folded filter are all set.
#[cold]
pub(super) fn contains<W: Words + ?Sized>(words: &W, params: BloomParams, hash: u64) -> bool {
    folded_positions(params, hash).all(|position| bit_is_set(words, position))
}

/// Returns the bits of a hash in a folded filter.
fn folded_positions(params: BloomParams, hash: u64) -> impl Iterator<Item = u64> {
    let probes = Probes::new(hash, params.range()).take(params.hashes() as usize);
    probes.map(move |position| position >> params.folds())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn folding_halves_down_to_one_bit() {
        for bits in [1, 2, 3, 63, 64, 1003, 4096, 6 << 10] {
            let mut filter = BloomFilter::with_params(BloomParams::exact(bits, 3).unwrap());
            filter.extend(0..10u32);
            while filter.params().bits() > 1 {
                let half = filter.fold().unwrap();
                assert_eq!(half.params().bits(), filter.params().bits().div_ceil(2));
                assert!((0..10u32).all(|item| half.contains(&item)));
                assert!(half.fpr().value() >= filter.fpr().value());
                filter = half;
            }
            assert_eq!(filter.fpr().value(), 1.0);
            assert!(!crate::sketch::Sketch::facts(&filter).is_empty());
            filter.clear();
            assert_eq!(filter.cardinality().upper(), 0.0);
            assert_eq!(filter.fold().unwrap_err().kind(), crate::ErrorKind::InvalidArgument);
        }
    }

    #[test]
    fn a_multiple_of_four_folds_to_a_filter_of_half_its_size() {
        let make = |bits| {
            let mut filter = BloomFilter::with_params(BloomParams::exact(bits, 5).unwrap());
            filter.extend(0..100u32);
            filter
        };
        assert_eq!(make(4096).fold().unwrap(), make(2048));
        assert_ne!(make(4094).fold().unwrap(), make(2047));
        let error = make(4094).fold().unwrap().merge(&make(2047)).unwrap_err();
        assert!(format!("{error}").contains("folds: 1 and 0"), "{error}");
        let error = make(4094).fold().unwrap().merge(&make(4093).fold().unwrap()).unwrap_err();
        assert!(format!("{error}").contains("4094 and 4093"), "{error}");
    }

    /// The rate of a folded filter is that of its hashes, position by position.
    #[test]
    fn the_last_bit_of_a_folded_filter_counts_what_it_stands_for() {
        let mut filter = BloomFilter::with_params(BloomParams::exact(1003, 1).unwrap());
        for _ in 0..3 {
            filter = filter.fold().unwrap();
        }
        assert_eq!(filter.params().bits(), 126);
        filter.insert_positions(&[125]).unwrap();
        assert!((filter.fpr().value() - 3.0 / 1003.0).abs() < 1e-15); // positions 1000, 1001 and 1002
        filter.insert_positions(&[7]).unwrap();
        assert!((filter.fpr().value() - 11.0 / 1003.0).abs() < 1e-15);
    }
}
