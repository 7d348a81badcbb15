//! A weighted random sample: see [`WeightedReservoir`].

mod entries;
#[cfg(test)]
mod tests;

use super::SampleSize;
use super::sum::{Sum, get_f64, put_f64s};
use crate::codec::put_u64_varint;
use crate::kind::Kind;
use crate::rng::Lots;
use crate::sketch::{Core, Fact, OfSize, Payload, shell};
use crate::{Element, Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use entries::{Entry, is_heap, sift_down};
use libm::{exp, expm1, log, log1p};

/// A weighted reservoir sample: k items of a stream, drawn with probabilities proportional to their weights.
///
/// # Use when / not when
/// Use it when items have unequal weights: records by bytes, customers by sales, links by traffic. With equal weights a
/// [`Reservoir`](crate::Reservoir) is faster and has intervals. It does not find the heaviest keys for certain, because
/// that needs the sum of weights of each key: [`CountMin`](crate::CountMin) provides it for any key.
///
/// # Guarantee
/// The sample is distributed like k draws without replacement, each in proportion to the weights of the remaining
/// items: the first item of [`sample`](Self::sample) is a given item with probability weight/total. An item of weight 0
/// is never taken. Weights from 10⁻³⁰⁸ to 10³⁰⁸ can be mixed.
///
/// # Space
/// The k items with 16 bytes each, and 88 bytes:
///
/// | k | memory of `u64` |
/// |---|---|
/// | 100 | 2.5 kB |
/// | 1,000 | 24 kB |
/// | 10,000 | 240 kB |
///
/// # Time
/// Two multiplications and a comparison for most items, since the weight that passes before the next item is taken is
/// drawn ahead. Of n items of similar weights about k(1 + ln(n/k)) are ever taken, each in the time of log k
/// comparisons.
///
/// # Merge
/// Equal in distribution: the merged sample has the same distribution as a sample of one pass over both streams, and
/// can take in more items. Each part needs its own seed; parts with equal seeds are refused.
///
/// # Hostile input
/// An attacker who sets the weights decides the sample: check weights where they enter. An attacker who knows the seed
/// can also predict which items are taken: use a secret seed if that matters.
///
/// # Example
/// ```
/// use crivo::WeightedReservoir;
/// let mut flows = WeightedReservoir::for_k(2, 42)?;
/// for (address, bytes) in [("a", 10.0), ("b", 40_000.0), ("c", 30.0), ("d", 90_000.0)] {
///     flows.insert(address, bytes)?;
/// }
/// let sample = flows.sample(); // almost surely b and d
/// assert_eq!(sample.len(), 2);
/// assert_eq!((flows.total(), flows.total_weight()), (4, 130_040.0));
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// every item waits for its turn: E/weight, with E random of mean 1; the k shortest waits are the sample (k = 2)
///   item      a     b     c     d     e
///   weight    1     4     1     8     2
///   wait     .9   .22   1.8   .05   .31     kept: d, b; T = .22, the longest wait kept
///                              └ passes: the weight that passes before one falls below T is E/T, drawn at once
/// ```
/// The waits are kept as logarithms. The item at which the drawn weight is used up is taken, with a wait drawn below T.
///
/// # References
/// Efraimidis and Spirakis 2006, doi:10.1016/j.ipl.2005.11.003 (A-ExpJ, implemented here with keys u^(1/weight) =
/// e^(−wait)).
///
/// # Measured
/// `crivo-lab run c-weighted-reservoir`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct WeightedReservoir<T> {
    k: u32,
    lots: Lots,
    /// The length of the stream so far.
    total: u64,
    weight: Sum,
    /// The rest of the waiting time until the next item is taken, in units of T: the weight that passes, times T.
    left: f64,
    /// √T. Multiplying a weight by √T twice neither overflows nor underflows unless the result does.
    root: f64,
    /// With k entries, a heap with the longest wait first; before that, in order of arrival.
    entries: Vec<Entry<T>>,
}

impl<T> WeightedReservoir<T> {
    /// Creates an empty sample of up to `k` items. Equal seeds and equal streams give equal samples.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if `k` is 0.
    pub fn for_k(k: u32, seed: u64) -> Result<Self> {
        if k == 0 {
            return Err(Error::invalid("a sample needs room for at least 1 item, got k = 0; 1000 is usual"));
        }
        let lots = Lots::new(seed);
        Ok(Self { k, lots, total: 0, weight: Sum::default(), left: 0.0, root: 0.0, entries: Vec::new() })
    }

    /// Offers the next item of the stream, which is kept or dropped.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `weight` is finite and not negative.
    #[inline]
    pub fn insert(&mut self, item: T, weight: f64) -> Result<()> {
        self.insert_with(weight, || item)
    }

    /// Offers the next item of the stream; `make` is called only if the item is kept.
    ///
    /// ```
    /// # use crivo::WeightedReservoir;
    /// let mut lines = WeightedReservoir::for_k(2, 7)?;
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
    /// Returns `InvalidArgument` unless `weight` is finite and not negative.
    #[inline]
    pub fn insert_with(&mut self, weight: f64, make: impl FnOnce() -> T) -> Result<()> {
        if !(0.0..f64::INFINITY).contains(&weight) {
            return Err(Error::invalid(format!(
                "a weight must be finite and not negative, got {weight}; correct the weight or leave the item out"
            )));
        }
        self.total = self.total.saturating_add(1);
        self.weight.add(weight);
        let pull = weight * self.root * self.root;
        if pull < self.left {
            self.left -= pull;
        } else if weight > 0.0 {
            self.take(make(), weight, pull);
        }
        Ok(())
    }

    #[cold]
    fn take(&mut self, item: T, weight: f64, pull: f64) {
        if self.entries.len() < self.k as usize {
            let log_wait = log(self.lots.rng().exponential()) - log(weight);
            self.push(Entry { log_wait, weight, item });
            if self.entries.len() == self.k as usize {
                self.make_heap();
            }
        } else {
            // A waiting time, conditional on being below T.
            let share = self.lots.rng().open_unit() * expm1(-pull);
            let log_wait = (log(-log1p(share)) - log(weight)).min(self.entries[0].log_wait);
            self.entries[0] = Entry { log_wait, weight, item };
            sift_down(&mut self.entries);
            self.set_threshold();
            self.left = self.lots.rng().exponential();
        }
    }

    /// Appends an entry, growing the memory for the next ones but never beyond `k`.
    fn push(&mut self, entry: Entry<T>) {
        let len = self.entries.len();
        if len == self.entries.capacity() {
            self.entries.reserve_exact(len.max(4).min(self.k as usize - len));
        }
        self.entries.push(entry);
    }

    /// Orders k entries as a heap; descending waiting times are one.
    fn make_heap(&mut self) {
        self.entries.sort_by(|a, b| b.log_wait.total_cmp(&a.log_wait));
        self.set_threshold();
        self.left = self.lots.rng().exponential();
    }

    fn set_threshold(&mut self) {
        self.root = exp(0.5 * self.entries[0].log_wait);
    }

    /// Returns the sample with its weights, in the order of successive draws.
    pub fn sample(&self) -> Vec<(&T, f64)> {
        let mut entries: Vec<&Entry<T>> = self.entries.iter().collect();
        entries.sort_by(|a, b| a.log_wait.total_cmp(&b.log_wait));
        entries.into_iter().map(|entry| (&entry.item, entry.weight)).collect()
    }

    /// Merges the sample of another stream into this one, which becomes a sample of both streams.
    ///
    /// ```
    /// # use crivo::WeightedReservoir;
    /// let (mut left, mut right) = (WeightedReservoir::for_k(10, 1)?, WeightedReservoir::for_k(10, 2)?);
    /// for item in 0..1000 {
    ///     left.insert(item, 1.0)?;
    ///     right.insert(1000 + item, 9.0)?;
    /// }
    /// left.merge(&right)?; // about nine of ten are now from the right
    /// assert_eq!((left.sample().len(), left.total_weight()), (10, 10_000.0));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `Incompatible` if `k` differs, or if both have items and the same seed. On error `self` is unchanged.
    pub fn merge(&mut self, other: &Self) -> Result<()>
    where
        T: Clone,
    {
        if self.k != other.k {
            return Err(Error::incompatible("k", self.k, other.k, "build both with the same k"));
        }
        if self.is_empty() || other.is_empty() {
            if self.is_empty() && !other.is_empty() {
                *self = other.clone();
            }
            return Ok(());
        }
        self.lots.check_apart(&other.lots)?;
        self.total = self.total.saturating_add(other.total);
        self.weight.merge(&other.weight);
        let (k, before) = (self.k as usize, self.entries.len());
        self.entries.reserve_exact(other.entries.len());
        self.entries.extend(other.entries.iter().cloned());
        if self.entries.len() > k {
            self.entries.sort_by(|a, b| a.log_wait.total_cmp(&b.log_wait));
            self.entries.truncate(k);
            self.entries.shrink_to_fit();
        }
        if self.entries.len() == k && (before < k || !other.entries.is_empty()) {
            self.make_heap();
        }
        Ok(())
    }

    /// Resets the sample to its initial state, including the random generator: it would make the same choices again.
    pub fn clear(&mut self) {
        self.entries.clear();
        (self.total, self.weight, self.left, self.root) = (0, Sum::default(), 0.0, 0.0);
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

    /// Returns the sum of all weights, accurate to the last digits of an `f64` (Neumaier's sum); infinite on overflow.
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

shell!(@face [T: Element] WeightedReservoir<T>);
shell!(@hashes_nothing [T: Element] WeightedReservoir<T>);

impl<T: Element> OfSize for WeightedReservoir<T> {
    type Params = SampleSize<T>;

    fn params(&self) -> SampleSize<T> {
        SampleSize::new(self.k.into(), self.seed())
    }
}

impl<T: Element> Core for WeightedReservoir<T> {
    const KIND: Kind = Kind::WeightedReservoir;

    fn heap_bytes(&self) -> usize {
        let outside: usize = self.entries.iter().map(|entry| entry.item.heap_bytes()).sum();
        self.entries.capacity() * size_of::<Entry<T>>() + outside
    }

    fn heap_bound(&self) -> Option<usize> {
        None
    }

    fn drawn_from(&self) -> Option<u64> {
        (!self.is_empty()).then(|| self.lots.seed())
    }

    fn write(&self, payload: &mut Vec<u8>) {
        payload.extend(self.lots.state().to_le_bytes());
        put_u64_varint(payload, self.total);
        put_f64s(payload, &self.weight.parts());
        put_u64_varint(payload, self.entries.len() as u64);
        if self.entries.len() == self.k as usize {
            put_f64s(payload, &[self.left]);
        }
        for entry in &self.entries {
            put_f64s(payload, &[entry.log_wait, entry.weight]);
            entry.item.encode(payload);
        }
    }

    fn read(SampleSize { k, seed, .. }: SampleSize<T>, file: &mut Payload<'_>) -> Result<Self> {
        let lots = Lots::at(seed, file.bytes.u64()?);
        let total = file.bytes.u64_varint()?;
        let parts = [get_f64(&mut file.bytes)?, get_f64(&mut file.bytes)?];
        let len = file.bytes.u64_varint()?;
        if len > total.min(k) {
            return Err(Error::malformed(format!(
                "the file is corrupt: {len} items in a sample of {k} out of {total}"
            )));
        }
        let bytes = len.saturating_mul(size_of::<Entry<T>>() as u64);
        file.check_memory(bytes.saturating_add(size_of::<Self>() as u64))?;
        let is_full = len == k;
        let left = if is_full { get_f64(&mut file.bytes)? } else { 0.0 };
        let entries = file.bytes.entries(len, |reader| {
            Ok(Entry { log_wait: get_f64(reader)?, weight: get_f64(reader)?, item: reader.element()? })
        })?;
        let weight = Sum::from_parts(parts);
        let mut sample = Self { k: k as u32, lots, total, weight, left, root: 0.0, entries };
        sample.check(parts)?;
        file.check_memory(sample.memory_bytes() as u64)?;
        if is_full {
            sample.set_threshold();
        }
        Ok(sample)
    }

    fn state(&self) -> Vec<Fact> {
        vec![
            Fact::seed(self.lots.seed()),
            Fact::count("total", self.total),
            Fact::number("total_weight", self.total_weight()),
        ]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        Self::merge(self, other)
    }
}

impl<T: Element> WeightedReservoir<T> {
    /// Refuses a state that no stream produces.
    fn check(&self, parts: [f64; 2]) -> Result<()> {
        let is_full = self.entries.len() == self.k as usize;
        let kept: f64 = self.entries.iter().map(|entry| entry.weight).sum();
        let nothing_is_nothing =
            !self.entries.is_empty() || self.lots.is_fresh() && parts.map(f64::to_bits) == [0; 2];
        // The two sums were rounded in different ways.
        let weights_fit = self.weight.is_sound() && (kept * (1.0 - 1e-9) <= self.total_weight());
        let weights_are_sound = self.entries.iter().all(Entry::is_sound);
        let next_is_sound = !is_full || self.left > 0.0 && self.left < 64.0 && is_heap(&self.entries);
        if nothing_is_nothing && weights_fit && weights_are_sound && next_is_sound {
            return Ok(());
        }
        Err(Error::malformed(
            "the file is corrupt: weights, waiting times and their order contradict each other",
        ))
    }
}

impl<T> fmt::Debug for WeightedReservoir<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (len, total, weight) = (self.entries.len(), self.total, self.total_weight());
        write!(
            f,
            "WeightedReservoir({len} of {total} items of weight {weight}, k {}, seed {})",
            self.k,
            self.seed()
        )
    }
}
