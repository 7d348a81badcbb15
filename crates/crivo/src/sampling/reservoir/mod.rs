//! A uniform sample: see [`Reservoir`].

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

/// A fair sample of a stream of unknown length: k items, each set of k equally likely.
///
/// # Use when / not when
/// Use it to see what the items of a stream are like, to try a costly question on a few of them, and to estimate any share
/// or number with an error bar, also of properties that nobody thought of while the stream ran. Items that weigh
/// unlike amounts need a [`WeightedReservoir`](crate::WeightedReservoir). For different items, however often each comes, a
/// [`KMinValues`](crate::KMinValues) samples hashes; for the frequent ones, a sample of k sees few that are rarer than
/// 1/k, and a [`CountMin`](crate::CountMin) all of them.
///
/// # Guarantee
/// After n items every one of them is in the sample with probability k/n, and every set of k with the same probability,
/// whatever their order. [`share`](Self::share) and [`estimate_if`](Self::estimate_if) have exact intervals, from the
/// hypergeometric law: [`Guarantee::Proven`] over the choice of the seed. Up to k items the sample is the stream, and
/// they are certain.
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
/// One comparison for most items: how many to pass over is drawn ahead. Of n items about k(1 + ln(n/k)) are ever
/// taken, 1,712 of 10⁹ for k = 100, and [`skip`](Self::skip) tells a reader how many it need not even look at.
///
/// # Merge
/// By distribution: the merged sample has the probabilities of one pass over both streams, of any lengths, and goes on
/// as such. Each part needs a seed of its own; parts with one seed are refused.
///
/// # Hostile input
/// Whoever knows the seed knows which positions are taken, and can put items there or keep them away. Seed it with a
/// secret number then, and do not show the sample while the stream runs.
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
///               [x] → one of the three goes, W = .62 [x] W = .55 [x] W = .34 ...
/// ```
/// The numbers are never drawn. How many items pass before one falls below W is a geometric number, drawn at once; where
/// below W it falls, the maximum of k random numbers, tells the next W; and the item takes the place of any of the k.
///
/// # References
/// Vitter 1985, doi:10.1145/3147.3165 · Li 1994, doi:10.1145/198429.198435 (algorithm L, this one). Beyond them: a
/// merge draws how many come from each side from the hypergeometric law, item by item, and a new W from its law given n.
///
/// # Measured
/// `crivo-lab run c-reservoir`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct Reservoir<T> {
    k: u32,
    lots: Lots,
    /// How many items came.
    total: u64,
    /// After how many items the next is taken: `total` while there is room.
    next: u64,
    /// The logarithm of W; 0 while there is room.
    log_w: f64,
    items: Vec<T>,
}

impl<T> Reservoir<T> {
    /// An empty sample of up to `k` items. The same seed and the same stream give the same sample.
    ///
    /// # Errors
    /// `InvalidArgument` when `k` is 0.
    pub fn for_k(k: u32, seed: u64) -> Result<Self> {
        if k == 0 {
            return Err(Error::invalid("a sample has at least 1 item, got k = 0; 1000 is usual"));
        }
        Ok(Self { k, lots: Lots::new(seed), total: 0, next: 0, log_w: 0.0, items: Vec::new() })
    }

    /// Shows it one more item, which it keeps or drops.
    #[inline]
    pub fn insert(&mut self, item: T) {
        self.insert_with(|| item);
    }

    /// Shows it one more item, which is made only when it is kept.
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

    /// How many items will be dropped before the next is kept.
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

    /// Passes over `items` items unseen.
    ///
    /// # Errors
    /// `InvalidArgument` when that is more than [`skip`](Self::skip): one of them is to be inserted.
    #[inline]
    pub fn advance(&mut self, items: u64) -> Result<()> {
        if items > self.skip() {
            return Err(Error::invalid(alloc::format!(
                "{items} items to pass over, but the sample waits for one after {}; insert that one",
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

    /// Makes room for the next ones, but never for more than `k`.
    fn push(&mut self, item: T) {
        let len = self.items.len();
        if len == self.items.capacity() {
            self.items.reserve_exact(len.max(4).min(self.k as usize - len));
        }
        self.items.push(item);
    }

    /// W is the k-th smallest of n random numbers. The smallest of n is as far from 0 as 1 − e^(−E/n), with E a waiting
    /// time of mean 1; the next of the n − 1 others as far again, and so on.
    fn draw_threshold(&mut self) {
        let total = self.total;
        let rng = self.lots.rng();
        let way: f64 = (0..u64::from(self.k)).map(|i| rng.exponential() / (total - i) as f64).sum();
        self.log_w = log(-expm1(-way));
        self.draw_next();
    }

    /// The number of items until one falls below W. When W is so small that none ever will, the division gives infinity,
    /// and the sum stops at the largest number.
    fn draw_next(&mut self) {
        let skip = floor(-self.lots.rng().exponential() / log1p(-exp(self.log_w)));
        self.next = self.total.saturating_add(skip as u64);
    }

    /// The sample. Up to `k` items are in the order in which they came; each later one takes the place of one that it
    /// drives out. So the order is neither theirs nor random.
    pub fn sample(&self) -> &[T] {
        &self.items
    }

    /// The probability that an item of the stream is in the sample: k/n, or 1 up to k items.
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

    /// The share of all items of the stream that `has` holds for, at 95 %.
    pub fn share(&self, has: impl FnMut(&T) -> bool) -> Estimate {
        self.share_of(self.hits(has), DEFAULT_CONFIDENCE)
    }

    /// [`share`](Self::share) at another confidence.
    ///
    /// # Errors
    /// `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn share_at(&self, has: impl FnMut(&T) -> bool, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        Ok(self.share_of(self.hits(has), confidence))
    }

    /// How many items of the stream `has` holds for, at 95 %.
    pub fn estimate_if(&self, has: impl FnMut(&T) -> bool) -> Estimate {
        self.number_of(self.hits(has), DEFAULT_CONFIDENCE)
    }

    /// [`estimate_if`](Self::estimate_if) at another confidence.
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
    /// `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn estimate_if_at(&self, has: impl FnMut(&T) -> bool, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        Ok(self.number_of(self.hits(has), confidence))
    }

    fn hits(&self, mut has: impl FnMut(&T) -> bool) -> u64 {
        self.items.iter().filter(|item| has(item)).count() as u64
    }

    fn share_of(&self, hits: u64, confidence: f64) -> Estimate {
        if self.total == 0 {
            // Of nothing, every share is true.
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

    /// Whether the sample is the whole stream.
    fn is_whole(&self) -> bool {
        self.total <= u64::from(self.k)
    }

    /// Forgets everything, the numbers drawn too: it is as new, and would choose the same positions again.
    pub fn clear(&mut self) {
        self.items.clear();
        (self.total, self.next, self.log_w) = (0, 0, 0.0);
        self.lots = Lots::new(self.lots.seed());
    }

    /// Whether no item came.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// How many items came: the length of the stream. It stops at the largest `u64`.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// How many items the sample has at most.
    pub fn k(&self) -> u32 {
        self.k
    }

    /// The seed that it was made with.
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
    /// Items that will be dropped are passed over unseen, as far as the iterator says how many it has.
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
