//! What a Bloom filter tells beside membership: numbers of items, and what two filters have in common.

use super::{BloomFilter, Occupancy, count};
use crate::estimate::check_confidence;
use crate::sketch::check_same;
use crate::{DEFAULT_CONFIDENCE, Error, Estimate, Result};
use alloc::format;

impl BloomFilter {
    /// How much of the room for items at a false positive rate of `fpr` is used:
    /// [`cardinality`](Self::cardinality) as a share of [`BloomParams::capacity_at`](super::BloomParams::capacity_at)`(fpr)`. Above 1 the filter
    /// holds more than it can at that rate, and a warning is due; where the lower end is above 1 too, there is
    /// no doubt.
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
                "{} bits cannot hold one item at a false positive rate of {fpr}; ask for a higher rate",
                self.params.bits()
            )));
        }
        let items = self.cardinality();
        let share = |count: f64| count / capacity as f64;
        let (value, lower, upper) = (share(items.value()), share(items.lower()), share(items.upper()));
        Ok(Estimate::new(value, lower, upper, items.guarantee()))
    }

    /// How many different items were inserted, with the interval of the normal limit law at 95 %.
    ///
    /// A filter with every bit set gives a lower bound and an infinite upper one.
    pub fn cardinality(&self) -> Estimate {
        self.occupancy().approximate(DEFAULT_CONFIDENCE)
    }

    /// [`cardinality`](Self::cardinality) at another confidence.
    ///
    /// # Errors
    /// `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn cardinality_at(&self, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        Ok(self.occupancy().approximate(confidence))
    }

    /// [`cardinality`](Self::cardinality) with a proven interval, about 3.5 times as wide at half fill.
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

    /// How many different items two filters have in common, at 95 %.
    ///
    /// It is a difference of large numbers: where little is common the interval is wide, and says so. Past
    /// the planned number of items it is not to be had at all: the interval is infinite.
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
    /// `Incompatible` when size or hash differ.
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

    /// After folding, the last bit may stand for fewer positions than the others: it counts less.
    fn occupancy_of(&self, ones: u64, last_is_set: bool) -> Occupancy {
        let bits = self.params.effective_bits();
        let missing = if last_is_set { self.params.bits() as f64 - bits } else { 0.0 };
        Occupancy { bits, hashes: f64::from(self.params.hashes()), ones: ones as f64 - missing }
    }

    /// Keeps what both filters have: every item that is in both sets is still reported.
    ///
    /// An item in neither set is reported with the probability [`fpr`](Self::fpr), exact as ever and at most
    /// the lower of both. An item in one set alone is reported when the other filter errs on it. The filter of
    /// the common items alone would have fewer bits set: ask
    /// [`intersection_estimate`](Self::intersection_estimate) for their number, before; `cardinality` is too
    /// high after.
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
    /// `Incompatible` when size or hash differ; `self` is unchanged then.
    pub fn intersect(&mut self, other: &Self) -> Result<()> {
        check_same(self, other)?;
        self.bits.intersect_with(&other.bits);
        Ok(())
    }
}
