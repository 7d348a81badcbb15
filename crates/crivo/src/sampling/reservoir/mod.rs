//! A uniform random sample: see [`Reservoir`].

mod merge;
#[cfg(test)]
mod tests;
mod wire;

use super::SampleSize;
use crate::estimate::{check_confidence, count_down, count_up};
use crate::rng::Lots;
use crate::sketch::{OfSize, shell};
use crate::stats::population_bounds;
use crate::{DEFAULT_CONFIDENCE, Element, Error, Estimate, Guarantee, Result};
use alloc::vec::Vec;
use core::fmt;
use libm::{exp, expm1, floor, log, log1p};

/// A reservoir sample: k items of a stream of unknown length, every subset of size k equally likely.
///
/// # Use when / not when
/// Use it to inspect typical items of a stream, to run a costly query on a few of them, and to estimate any share or
/// count with an interval, even for properties that you choose after the stream has ended. If items have unequal
/// weights, use [`WeightedReservoir`](crate::WeightedReservoir). To sample distinct items regardless of their
/// frequencies, use [`KMinValues`](crate::KMinValues), which keeps hashes. For frequent items use
/// [`CountMin`](crate::CountMin): a sample of k contains few items that are rarer than 1/k.
///
/// # Guarantee
/// After n items each of them is in the sample with probability k/n, and every subset of size k is equally likely,
/// whatever the order of the stream. [`share`](Self::share) and [`estimate_if`](Self::estimate_if) have exact
/// intervals, from the hypergeometric distribution: [`Guarantee::Proven`] over the choice of the seed. Up to k items
/// the sample is the whole stream, and the answers are exact.
///
/// # Space
/// The k items, and 72 bytes:
///
/// | k | memory of `u64` | share of one half, at 95 % |
/// |---|---|---|
/// | 100 | 872 B | ±10.2 % |
/// | 1,000 | 8 kB | ±3.1 % |
/// | 10,000 | 80 kB | ±0.99 % |
///
/// # Time
/// One comparison for most items, since the number of items to skip is drawn ahead. Of n items about k(1 + ln(n/k)) are
/// ever taken, 1,712 of 10⁹ for k = 100, and [`skip`](Self::skip) returns how many items a reader need not look at.
///
/// # Merge
/// Equal in distribution: the merged sample has the same distribution as a sample of one pass over both streams, of any
/// lengths, and can take in more items. Each part needs its own seed; parts with equal seeds are refused.
///
/// # Hostile input
/// An attacker who knows the seed knows which positions are taken, and can place items there or keep them away. If that
/// matters, use a secret seed, and do not publish the sample while the stream runs.
///
/// # Example
/// ```
/// use crivo::Reservoir;
/// let mut visits = Reservoir::for_k(1000, 42)?;
/// visits.extend((0..1_000_000u64).map(|i| i % 5000));
/// assert_eq!((visits.sample().len(), visits.total()), (1000, 1_000_000));
/// let short = visits.share(|&seconds| seconds < 1000);
/// assert!(short.contains(0.2), "{short:.3}");
/// let how_many = visits.estimate_if(|&seconds| seconds < 1000);
/// assert!(how_many.contains(200_000.0), "{how_many}");
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// a random number for each item; the k smallest are the sample (k = 3)
///   .62 .17 .80 .34 .91 .55 .08 .77 .69 .43 ...
///   [x] [x] [x]             the first three are taken; the largest of them is W = .80
///               [x] → one of the three is replaced, W = .62 [x] W = .55 [x] W = .34 ...
/// ```
/// The numbers are never drawn. The number of items before one falls below W is geometric and is drawn at once; where
/// below W it falls, the maximum of k random numbers, determines the next W; and the item replaces a random one of the
/// k.
///
/// # References
/// Vitter 1985, doi:10.1145/3147.3165 · Li 1994, doi:10.1145/198429.198435 (algorithm L, implemented here). New here: a
/// merge draws the number of items from each side from the hypergeometric distribution, item by item, and a new W from
/// its distribution given n.
///
/// # Measured
/// `crivo-lab run c-reservoir`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct Reservoir<T> {
    k: u32,
    lots: Lots,
    /// The length of the stream so far.
    total: u64,
    /// The position of the next item to take; equal to `total` while there is room.
    next: u64,
    /// The logarithm of W; 0 while there is room.
    log_w: f64,
    items: Vec<T>,
}

impl<T> Reservoir<T> {
    /// Creates an empty sample of up to `k` items. Equal seeds and equal streams give equal samples.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if `k` is 0.
    pub fn for_k(k: u32, seed: u64) -> Result<Self> {
        if k == 0 {
            return Err(Error::invalid("a sample needs room for at least 1 item, got k = 0; 1000 is usual"));
        }
        Ok(Self { k, lots: Lots::new(seed), total: 0, next: 0, log_w: 0.0, items: Vec::new() })
    }

    /// Offers the next item of the stream, which is kept or dropped.
    #[inline]
    pub fn insert(&mut self, item: T) {
        self.insert_with(|| item);
    }

    /// Offers the next item of the stream; `make` is called only if the item is kept.
    ///
    /// ```
    /// # use crivo::Reservoir;
    /// let mut lines = Reservoir::for_k(2, 7)?;
    /// let mut copies = 0;
    /// for line in ["a", "b", "c", "d", "e", "f", "g", "h"] {
    ///     lines.insert_with(|| {
    ///         copies += 1;
    ///         line.to_string()
    ///     });
    /// }
    /// assert!(copies < 8 && lines.total() == 8);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    #[inline]
    pub fn insert_with(&mut self, make: impl FnOnce() -> T) {
        if self.total < self.next {
            self.total += 1;
        } else {
            self.take(make());
        }
    }

    /// Returns how many items will be dropped before the next one is kept.
    ///
    /// ```
    /// # use crivo::Reservoir;
    /// let text = "one\ntwo\nthree\nfour\nfive\nsix\n";
    /// let mut lines = Reservoir::for_k(2, 1)?;
    /// let mut rest = text.lines();
    /// loop {
    ///     let wanted = rest.nth(lines.skip() as usize);
    ///     let Some(line) = wanted else { break };
    ///     lines.advance(lines.skip())?;
    ///     lines.insert(line.to_string());
    /// }
    /// assert_eq!(lines.sample().len(), 2);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    #[inline]
    pub fn skip(&self) -> u64 {
        self.next - self.total
    }

    /// Skips `items` items without looking at them.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if `items` exceeds [`skip`](Self::skip): the sample needs one of those items.
    #[inline]
    pub fn advance(&mut self, items: u64) -> Result<()> {
        if items > self.skip() {
            return Err(Error::invalid(alloc::format!(
                "{items} items cannot be skipped: the sample needs the one after {}; insert that item",
                self.skip()
            )));
        }
        self.total += items;
        Ok(())
    }

    #[cold]
    fn take(&mut self, item: T) {
        if self.total == u64::MAX {
            return;
        }
        self.total += 1;
        if self.items.len() < self.k as usize {
            self.push(item);
            self.next = self.total;
            if self.total == u64::from(self.k) {
                self.draw_threshold();
            }
        } else {
            let place = self.lots.rng().below(u64::from(self.k)) as usize;
            self.items[place] = item;
            self.log_w -= self.lots.rng().exponential() / f64::from(self.k);
            self.draw_next();
        }
    }

    /// Appends an item, growing the memory for the next ones but never beyond `k`.
    fn push(&mut self, item: T) {
        let len = self.items.len();
        if len == self.items.capacity() {
            self.items.reserve_exact(len.max(4).min(self.k as usize - len));
        }
        self.items.push(item);
    }

    /// Draws W, the k-th smallest of n random numbers. The smallest of n lies at 1 − e^(−E/n), with E exponential of
    /// mean 1; the next smallest follows likewise among the n − 1 others, and so on.
    fn draw_threshold(&mut self) {
        let total = self.total;
        let rng = self.lots.rng();
        let way: f64 = (0..u64::from(self.k)).map(|i| rng.exponential() / (total - i) as f64).sum();
        self.log_w = log(-expm1(-way));
        self.draw_next();
    }

    /// Draws the number of items until one falls below W. If W is so small that none ever will, the division gives
    /// infinity and the sum saturates.
    fn draw_next(&mut self) {
        let skip = floor(-self.lots.rng().exponential() / log1p(-exp(self.log_w)));
        self.next = self.total.saturating_add(skip as u64);
    }

    /// Returns the sample. Up to `k` items are in order of arrival; each later item takes the place of the one that it
    /// replaces. So the order is neither that of the stream nor random.
    pub fn sample(&self) -> &[T] {
        &self.items
    }

    /// Returns the probability that an item of the stream is in the sample: k/n, or 1 up to k items.
    ///
    /// ```
    /// # use crivo::Reservoir;
    /// let mut sample = Reservoir::for_k(50, 1)?;
    /// sample.extend(0..200);
    /// assert_eq!(sample.inclusion_probability(), 0.25);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn inclusion_probability(&self) -> f64 {
        if self.is_whole() { 1.0 } else { f64::from(self.k) / self.total as f64 }
    }

    /// Estimates the share of all items of the stream for which `has` is true, with a 95 % interval.
    pub fn share(&self, has: impl FnMut(&T) -> bool) -> Estimate {
        self.share_of(self.hits(has), DEFAULT_CONFIDENCE)
    }

    /// Like [`share`](Self::share), at another confidence.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn share_at(&self, has: impl FnMut(&T) -> bool, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        Ok(self.share_of(self.hits(has), confidence))
    }

    /// Estimates the number of items of the stream for which `has` is true, with a 95 % interval.
    pub fn estimate_if(&self, has: impl FnMut(&T) -> bool) -> Estimate {
        self.number_of(self.hits(has), DEFAULT_CONFIDENCE)
    }

    /// Like [`estimate_if`](Self::estimate_if), at another confidence.
    ///
    /// ```
    /// # use crivo::Reservoir;
    /// let mut sample = Reservoir::for_k(100, 5)?;
    /// sample.extend(0..10_000u32);
    /// let usual = sample.estimate_if(|&item| item < 5000);
    /// let surer = sample.estimate_if_at(|&item| item < 5000, 0.999)?;
    /// assert!(surer.lower() < usual.lower() && usual.upper() < surer.upper());
    /// let share = sample.share_at(|&item| item < 5000, 0.999)?;
    /// assert_eq!(share.upper(), surer.upper() / 10_000.0);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn estimate_if_at(&self, has: impl FnMut(&T) -> bool, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        Ok(self.number_of(self.hits(has), confidence))
    }

    fn hits(&self, mut has: impl FnMut(&T) -> bool) -> u64 {
        self.items.iter().filter(|item| has(item)).count() as u64
    }

    fn share_of(&self, hits: u64, confidence: f64) -> Estimate {
        if self.total == 0 {
            // Any share is possible in an empty stream.
            return Estimate::new(0.0, 0.0, 1.0, Guarantee::Certain);
        }
        let number = self.number_of(hits, confidence);
        let share = |count: f64| count / self.total as f64;
        let value = hits as f64 / self.items.len() as f64;
        Estimate::new(value, share(number.lower()), share(number.upper()).min(1.0), number.guarantee())
    }

    fn number_of(&self, hits: u64, confidence: f64) -> Estimate {
        if self.is_whole() {
            return Estimate::exact(hits as f64);
        }
        let value = hits as f64 / f64::from(self.k) * self.total as f64;
        let (lower, upper) = population_bounds(hits, u64::from(self.k), self.total, confidence);
        Estimate::new(value, count_down(lower), count_up(upper), Guarantee::Proven { confidence })
    }

    /// Returns whether the sample is the whole stream.
    fn is_whole(&self) -> bool {
        self.total <= u64::from(self.k)
    }

    /// Resets the sample to its initial state, including the random generator: it would choose the same positions
    /// again.
    pub fn clear(&mut self) {
        self.items.clear();
        (self.total, self.next, self.log_w) = (0, 0, 0.0);
        self.lots = Lots::new(self.lots.seed());
    }

    /// Returns whether the stream is empty so far.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// Returns the length of the stream. It saturates at the largest `u64`.
    pub fn total(&self) -> u64 {
        self.total
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

shell!(@face [T: Element] Reservoir<T>);
shell!(@hashes_nothing [T: Element] Reservoir<T>);

impl<T: Element> OfSize for Reservoir<T> {
    type Params = SampleSize<T>;

    fn params(&self) -> SampleSize<T> {
        SampleSize::new(self.k.into(), self.seed())
    }
}

impl<T> Extend<T> for Reservoir<T> {
    /// Skips items that will be dropped, as far as the iterator reports its length.
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        let mut items = items.into_iter();
        loop {
            let skip = self.skip();
            let (least, most) = items.size_hint();
            if most.is_some_and(|most| most as u64 <= skip) {
                self.total += skip.min(items.count() as u64);
                return;
            }
            let passed = if skip < least as u64 { skip as usize } else { 0 };
            let Some(item) = items.nth(passed) else { return };
            self.total += passed as u64;
            self.insert(item);
        }
    }
}

impl<T> fmt::Debug for Reservoir<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Reservoir({} of {} items, k {}, seed {})",
            self.items.len(),
            self.total,
            self.k,
            self.seed()
        )
    }
}
