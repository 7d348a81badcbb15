//! A weighted sample that estimates sums: see [`VarOpt`].

mod answers;
mod entries;
mod merge;
#[cfg(test)]
mod tests;
mod wire;

use super::SampleSize;
use super::sum::Sum;
use crate::rng::Lots;
use crate::sketch::{OfSize, shell};
use crate::{Element, Error, Result};
use alloc::format;
use alloc::vec::Vec;
use core::fmt;
use entries::{Entry, draw, sift_down, sift_up};

/// The largest weight, `f64::MAX`/2⁶⁴: no sum of 2⁶⁴ weights overflows.
const MOST: f64 = f64::MAX / 18_446_744_073_709_551_616.0;
/// The largest sum after a merge: 2⁶³ more of the largest weights do not overflow.
const MOST_MERGED: f64 = f64::MAX / 2.0;

/// A variance-optimal sample: k items of a weighted stream, which estimate the sum of the weights of any subset.
///
/// # Use when / not when
/// Use it for sums of unequal amounts by properties that you choose after the stream has ended: bytes by network, sales
/// by country. For items that are drawn one after the other by their weights, use
/// [`WeightedReservoir`](crate::WeightedReservoir), which has no sums. With equal weights a
/// [`Reservoir`](crate::Reservoir) skips items and counts with intervals. For the sum of one key among few heavy ones,
/// [`CountMin`](crate::CountMin) and [`SpaceSaving`](crate::SpaceSaving) need less memory.
///
/// # Guarantee
/// [`subset_sum`](Self::subset_sum) is unbiased for every subset, and exact for all items together. No sample of k items
/// with unbiased sums has a smaller sum of the variances of single items, and none has a smaller mean variance over the
/// subsets of any one size. The intervals are [`Guarantee::Proven`](crate::Guarantee::Proven) over the choice of the
/// seed, whatever the weights and their order, after merges too. Up to k items the answers are exact. The subset must not
/// depend on which items were sampled.
///
/// # Space
/// The k items with 8 bytes each, and 104 bytes:
///
/// | k | memory of `u64` | a subset of half the weight, at 95 % |
/// |---|---|---|
/// | 100 | 1.7 kB | ±10.2 % of the total |
/// | 1,000 | 16 kB | ±3.2 % |
/// | 10,000 | 160 kB | ±0.99 % |
///
/// The widths are those of many items of similar weights. The weights of heavy items are known exactly, so skewed weights
/// have narrower intervals.
///
/// # Time
/// A random number, a comparison and two additions for most items. An item heavier than the threshold takes the time of
/// log k comparisons.
///
/// # Merge
/// Equal in distribution: threshold, inclusion probabilities, estimates and variances of single items are those of one
/// pass over both streams, and the intervals hold. The probability that two given items are both kept depends on merges
/// as it depends on the order of the stream. Each part needs its own seed; parts with equal seeds are refused.
///
/// # Hostile input
/// An attacker who sets the weights decides the sample: check weights where they enter. An attacker who knows the seed
/// can also predict which items are kept: use a secret seed if that matters.
///
/// # Example
/// ```
/// use crivo::VarOpt;
/// let mut sales = VarOpt::for_k(400, 42)?;
/// for order in 0..100_000u64 {
///     let amount = if order % 1000 == 0 { 5000.0 } else { 10.0 };
///     sales.insert(order, amount)?;
/// }
/// // The even orders: all large ones, each kept with its weight, and about half of the others.
/// let even = sales.subset_sum(|order| order % 2 == 0);
/// assert!(even.contains(999_000.0), "{even}");
/// assert!(even.relative_error() < 0.1);
/// assert_eq!(sales.total_weight(), 1_499_000.0);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// k = 4     heavy: own weight    light: weight τ each          τ
///           9, 5                 [2] [1]                  (2+1+…)/2 = 3
/// a 4 comes: five items, one must go; 4 becomes light: τ' = (3+3+4)/2 = 5, and so does the 5: τ' = (3+3+4+5)/3 = 5
/// each light item goes with probability 1 − weight/τ': 2/5, 2/5, 1/5, 0; the three that stay weigh 5 each
/// ```
/// The adjusted weight of an item is its weight or τ, whichever is larger; the adjusted weights always add up to the
/// total. An item of weight w is kept with probability min(1, w/τ), so its adjusted weight, or 0 if it is not kept, has
/// the mean w.
///
/// # References
/// Cohen, Duffield, Kaplan, Lund and Thorup 2011, doi:10.1137/10079817X. New here: the samples are strongly Rayleigh
/// (Borcea, Brändén and Liggett 2009, doi:10.1090/S0894-0347-08-00618-8), so that the number of light items of a subset
/// is a sum of independent trials, and Hoeffding's theorem of 1956 (doi:10.1214/aoms/1177728178) proves Clopper and
/// Pearson's bounds; a merge that keeps this property. `docs/STATISTICS.md` has the proof.
///
/// # Measured
/// `crivo-lab run c-var-opt`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct VarOpt<T> {
    k: u32,
    lots: Lots,
    /// The length of the stream so far.
    total: u64,
    weight: Sum,
    /// The adjusted weights of the light items together: the weight of all items of the stream that are not heavy.
    light_weight: Sum,
    /// The number of heavy entries. They are a heap with the lightest one first; light entries follow in no order.
    heavy: usize,
    entries: Vec<Entry<T>>,
}

impl<T> VarOpt<T> {
    /// Creates an empty sample of up to `k` items. Equal seeds and equal streams give equal samples.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if `k` is 0.
    pub fn for_k(k: u32, seed: u64) -> Result<Self> {
        if k == 0 {
            return Err(Error::invalid("a sample needs room for at least 1 item, got k = 0; 1000 is usual"));
        }
        let (lots, sums) = (Lots::new(seed), [(); 2].map(|()| Sum::default()));
        let [weight, light_weight] = sums;
        Ok(Self { k, lots, total: 0, weight, light_weight, heavy: 0, entries: Vec::new() })
    }

    /// Offers the next item of the stream, which is kept or dropped. An item of weight 0 counts, but is never kept.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `weight` is 0 or between 2.3·10⁻³⁰⁸ and 9.7·10²⁸⁸: smaller numbers lose digits,
    /// and the sum of larger ones could overflow.
    #[inline]
    pub fn insert(&mut self, item: T, weight: f64) -> Result<()> {
        self.insert_with(weight, || item)
    }

    /// Offers the next item of the stream; `make` is called only if the item is kept.
    ///
    /// ```
    /// # use crivo::VarOpt;
    /// let mut lines = VarOpt::for_k(2, 7)?;
    /// for line in ["3 a", "5 b", "0 c", "1 d"] {
    ///     let weight = line[..1].parse().unwrap();
    ///     lines.insert_with(weight, || line.to_string())?;
    /// }
    /// assert!(lines.sample().iter().all(|(line, _)| *line != "0 c"));
    /// assert!(lines.insert_with(-1.0, || unreachable!()).is_err());
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` for the weights that [`insert`](Self::insert) refuses.
    #[inline]
    pub fn insert_with(&mut self, weight: f64, make: impl FnOnce() -> T) -> Result<()> {
        if !is_weight(weight) {
            return self.pass(weight);
        }
        self.total = self.total.saturating_add(1);
        self.weight.add(weight);
        let (light, all) = (self.light_weight.value(), self.light_weight.value() + weight);
        let number = (self.entries.len() - self.heavy) as f64;
        let lightest = if self.heavy > 0 { self.entries[0].weight } else { f64::INFINITY };
        if weight * number >= light || all >= lightest * number {
            self.take(make(), weight);
            return Ok(());
        }
        // Nothing else becomes light: the item stays with probability weight/τ, and any light item goes for it.
        self.light_weight.add(weight);
        if self.lots.rng().unit() * all < weight * number {
            let place = self.heavy + self.lots.rng().below(number as u64) as usize;
            self.entries[place] = Entry { weight, item: make() };
        }
        Ok(())
    }

    /// Counts an item of weight 0, and refuses all other weights.
    #[cold]
    fn pass(&mut self, weight: f64) -> Result<()> {
        if weight != 0.0 {
            return Err(Error::invalid(format!(
                "a weight must be 0 or between {:e} and {MOST:.1e}, got {weight}; correct the weight or leave the item out",
                f64::MIN_POSITIVE
            )));
        }
        self.total = self.total.saturating_add(1);
        Ok(())
    }

    /// Adds a heavy entry, and drops an entry if there are more than k.
    #[cold]
    fn take(&mut self, item: T, weight: f64) {
        let len = self.entries.len();
        if len == self.entries.capacity() {
            self.entries.reserve_exact(len.max(4).min((self.k as usize).saturating_add(1) - len));
        }
        self.entries.push(Entry { weight, item });
        self.entries.swap(self.heavy, len);
        self.heavy += 1;
        sift_up(&mut self.entries[..self.heavy]);
        if len == self.k as usize {
            self.drop_one();
        }
    }

    /// Raises the threshold until one entry is too many, and drops one.
    fn drop_one(&mut self) {
        let (before, mut others) = (self.heavy, (self.entries.len() - self.heavy) as f64 - 1.0);
        while self.heavy > 0 && (others < 1.0 || self.light_weight.value() >= others * self.entries[0].weight)
        {
            self.heavy -= 1;
            self.entries.swap(0, self.heavy);
            sift_down(&mut self.entries[..self.heavy]);
            self.light_weight.add(self.entries[self.heavy].weight);
            others += 1.0;
        }
        let threshold = self.light_weight.value() / others;
        let joining = self.entries[self.heavy..before].iter().map(|entry| entry.weight);
        let place = match draw(self.lots.rng(), joining, threshold) {
            Some(place) => self.heavy + place,
            // Without earlier light items only rounding can lead here: the lightest item goes.
            None if before == self.entries.len() => before - 1,
            None => before + self.lots.rng().below((self.entries.len() - before) as u64) as usize,
        };
        self.entries.swap_remove(place);
    }

    /// Returns the sample with its weights, in no order. The adjusted weight of an item, which stands for items that are
    /// not in the sample too, is its weight or the [`threshold`](Self::threshold), whichever is larger.
    pub fn sample(&self) -> Vec<(&T, f64)> {
        self.entries.iter().map(|entry| (&entry.item, entry.weight)).collect()
    }

    /// Returns the threshold τ: an item of weight w is in the sample with probability min(1, w/τ). It is 0 while all
    /// items are in the sample.
    ///
    /// ```
    /// # use crivo::VarOpt;
    /// let mut sample = VarOpt::for_k(50, 1)?;
    /// (0..200).try_for_each(|item| sample.insert(item, 3.0))?;
    /// assert_eq!(sample.threshold(), 12.0); // 50 of 200 are kept, and each weighs as much as four
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn threshold(&self) -> f64 {
        let light = self.entries.len() - self.heavy;
        if light == 0 { 0.0 } else { self.light_weight.value() / light as f64 }
    }

    /// Resets the sample to its initial state, including the random generator: it would make the same choices again.
    pub fn clear(&mut self) {
        self.entries.clear();
        (self.total, self.heavy) = (0, 0);
        (self.weight, self.light_weight) = (Sum::default(), Sum::default());
        self.lots = Lots::new(self.lots.seed());
    }

    /// Returns whether the stream is empty so far.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// Returns the length of the stream, including items of weight 0. It saturates at the largest `u64`.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Returns the sum of all weights, accurate to the last digits of an `f64` (Neumaier's sum).
    pub fn total_weight(&self) -> f64 {
        self.weight.value()
    }

    /// Returns the largest number of items in the sample.
    pub fn k(&self) -> u32 {
        self.k
    }

    /// Returns the seed of the random choices.
    pub fn seed(&self) -> u64 {
        self.lots.seed()
    }
}

/// Returns whether an item of this weight can be kept.
#[inline]
fn is_weight(weight: f64) -> bool {
    (f64::MIN_POSITIVE..=MOST).contains(&weight)
}

shell!(@face [T: Element] VarOpt<T>);
shell!(@hashes_nothing [T: Element] VarOpt<T>);

impl<T: Element> OfSize for VarOpt<T> {
    type Params = SampleSize<T>;

    fn params(&self) -> SampleSize<T> {
        SampleSize::new(self.k.into(), self.seed())
    }
}

impl<T> fmt::Debug for VarOpt<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (len, total, weight) = (self.entries.len(), self.total, self.total_weight());
        write!(f, "VarOpt({len} of {total} items of weight {weight}, k {}, seed {})", self.k, self.seed())
    }
}
