//! Further queries on Bloom filters: the number of items, and the intersection of two filters.

use super::{BloomFilter, Occupancy, count};
use crate::estimate::check_confidence;
use crate::sketch::check_same;
use crate::{DEFAULT_CONFIDENCE, Error, Estimate, Result};
use alloc::format;

impl BloomFilter {
    /// Returns how much of the capacity at a false-positive rate of `fpr` is used:
    /// [`cardinality`](Self::cardinality) as a share of
    /// [`BloomParams::capacity_at`](super::BloomParams::capacity_at)`(fpr)`. Above 1 the filter probably
    /// holds more items than it can at that rate; if the lower bound is above 1 too, that is almost certain.
    ///
    /// ```
    /// # use crivo::BloomFilter;
    /// let mut filter = BloomFilter::for_fpr(1000, 0.01)?;
    /// filter.extend(0..500u32);
    /// assert!(filter.capacity_used(0.01)?.upper() < 0.6);
    /// filter.extend(0..2000u32);
    /// assert!(filter.capacity_used(0.01)?.lower() > 1.0); // overfull
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless `fpr` lies strictly between 0 and 1, and the filter can hold an item at it.
    pub fn capacity_used(&self, fpr: f64) -> Result<Estimate> {
        let capacity = self.params.capacity_at(fpr)?;
        if capacity == 0 {
            return Err(Error::invalid(format!(
                "{} bits cannot hold one item at a false-positive rate of {fpr}; choose a higher rate",
                self.params.bits()
            )));
        }
        let items = self.cardinality();
        let share = |count: f64| count / capacity as f64;
        let (value, lower, upper) = (share(items.value()), share(items.lower()), share(items.upper()));
        Ok(Estimate::new(value, lower, upper, items.guarantee()))
    }

    /// Returns the estimated number of distinct items, with the interval of the normal limit law at 95 %.
    ///
    /// If every bit is set, the lower bound is finite and the upper bound infinite.
    pub fn cardinality(&self) -> Estimate {
        self.occupancy().approximate(DEFAULT_CONFIDENCE)
    }

    /// Returns [`cardinality`](Self::cardinality) at another confidence.
    ///
    /// # Errors
    /// `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn cardinality_at(&self, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        Ok(self.occupancy().approximate(confidence))
    }

    /// Returns [`cardinality`](Self::cardinality) with a proven interval, about 3.5 times as wide at half
    /// fill.
    ///
    /// ```
    /// # use crivo::BloomFilter;
    /// let mut filter = BloomFilter::for_fpr(1000, 0.01)?;
    /// filter.extend(0..1000u32);
    /// let (usual, proven) = (filter.cardinality(), filter.cardinality_proven_at(0.95)?);
    /// assert!(proven.lower() < usual.lower() && usual.upper() < proven.upper());
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn cardinality_proven_at(&self, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        Ok(self.occupancy().proven(confidence))
    }

    /// Returns the estimated number of distinct items that two filters have in common, at 95 % confidence.
    ///
    /// The estimate is a difference of large numbers: if the intersection is small, the interval is wide.
    /// Beyond the planned number of items no estimate is possible, and the interval is infinite.
    ///
    /// ```
    /// # use crivo::BloomFilter;
    /// let (mut a, mut b) = (BloomFilter::for_fpr(10_000, 0.01)?, BloomFilter::for_fpr(10_000, 0.01)?);
    /// a.extend(0..6000u32);
    /// b.extend(4000..10_000u32);
    /// assert!(a.intersection_estimate(&b)?.contains(2000.0));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Incompatible` if size or hash differ.
    pub fn intersection_estimate(&self, other: &Self) -> Result<Estimate> {
        check_same(self, other)?;
        let last = self.params.bits() - 1;
        let union = self.occupancy_of(
            self.bits.count_ones_of_union(&other.bits),
            self.bits.get(last) || other.bits.get(last),
        );
        Ok(count::intersection(&self.occupancy(), &other.occupancy(), &union, DEFAULT_CONFIDENCE))
    }

    pub(super) fn occupancy(&self) -> Occupancy {
        self.occupancy_of(self.bits.count_ones(), self.bits.get(self.params.bits() - 1))
    }

    /// Returns the occupancy. After folding, the last bit may stand for fewer positions than the others, and
    /// counts less.
    fn occupancy_of(&self, ones: u64, last_is_set: bool) -> Occupancy {
        let bits = self.params.effective_bits();
        let missing = if last_is_set { self.params.bits() as f64 - bits } else { 0.0 };
        Occupancy { bits, hashes: f64::from(self.params.hashes()), ones: ones as f64 - missing }
    }

    /// Intersects two filters: every item that is in both sets is still reported.
    ///
    /// An item in neither set is reported with the probability [`fpr`](Self::fpr), which stays exact and is
    /// at most the lower of both rates. An item in one set alone is reported if it is a false positive of the
    /// other filter. A filter built from the common items alone would have fewer bits set: call
    /// [`intersection_estimate`](Self::intersection_estimate) for their number before intersecting;
    /// `cardinality` is too high afterwards.
    ///
    /// ```
    /// # use crivo::BloomFilter;
    /// let (mut a, mut b) = (BloomFilter::for_fpr(10_000, 0.01)?, BloomFilter::for_fpr(10_000, 0.01)?);
    /// a.extend(0..6000u32);
    /// b.extend(4000..10_000u32);
    /// a.intersect(&b)?;
    /// assert!((4000..6000u32).all(|item| a.contains(&item)));
    /// assert!((0..4000u32).filter(|item| a.contains(item)).count() < 40);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Incompatible` if size or hash differ; `self` is unchanged then.
    pub fn intersect(&mut self, other: &Self) -> Result<()> {
        check_same(self, other)?;
        self.bits.intersect_with(&other.bits);
        Ok(())
    }
}
