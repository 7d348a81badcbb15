//! The Count-Min sketch: see [`CountMin`].

mod counters;
mod empirical;
mod params;
mod products;
mod wire;

pub(super) use empirical::OverCount;
pub use params::CountMinParams;

use crate::estimate::{check_confidence, count_down, count_up};
use crate::hash::{Item, Probes, for_each_block};
use crate::memory::{BATCH, answer_in_batches};
use crate::sketch::{Empty, shell};
use crate::{DEFAULT_CONFIDENCE, Estimate, Guarantee, HashSpec, Result};
use alloc::vec::Vec;
use counters::{Counter, Counters, with_counters};

/// The Count-Min sketch: estimates the frequency of each item from a table of counters, and never
/// underestimates it.
///
/// # Use when / not when
/// Use it to look up the frequency of any item of a stream with too many distinct items to count exactly, to
/// compare or join streams by their sketches, to add streams up, or to let old counts decay
/// ([`halve`](Self::halve)). Not to find out *which* items are frequent (a Space-Saving sketch keeps the
/// items), nor for items whose share of the total is below the error: their answers are noise, and the
/// interval shows it. Counts that go down need a [`SignedCountMin`](crate::frequency::SignedCountMin). A
/// [`CountSketch`](crate::CountSketch) has errors of either sign, is unbiased, and its error is a share of √Σ
/// a² instead of the total.
///
/// # Guarantee
/// `frequency(x).upper()` is never below the true value. With k rows of width w the true value is above
/// `lower()` with probability 95 % over the choice of the hash, by Markov's inequality in every row: the
/// bounds are proven, and usually generous. [`empirical`](Self::empirical) derives intervals that are several
/// times shorter, and an unbiased value, from the counters in the table. Counters saturate: then `upper()` is infinite. Halving rounds up,
/// by less than 1: answers are then about the decayed counts, and keep to the same bounds.
///
/// # Space
/// ⌈e/ε⌉·⌈ln 1/δ⌉ counters, for an over-count above ε of the total with probability at most δ:
///
/// | ε | δ | counters | 32-bit |
/// |---|---|---|---|
/// | 1 % | 1 % | 272 × 5 | 5.4 kB |
/// | 0.1 % | 1 % | 2,719 × 5 | 54 kB |
/// | 0.01 % | 0.1 % | 27,183 × 7 | 761 kB |
///
/// Counters of 8 or 16 bits take a quarter or a half of that, as long as no cell counts beyond 254 or 65,534.
///
/// # Time
/// One counter in each row for an update or a query; conservative updates read them first, and take less than
/// twice the time.
///
/// # Merge
/// Plain: exact (the counters are added), commutative and associative, not idempotent, since it is a
/// multiset. Conservative: bounded. It is never too low and over-counts at most as much as the plain sketch
/// of both streams, but differs from one pass. Halved: bounded. It is never too low, and exceeds one pass by
/// at most 1 for each part.
///
/// # Hostile input
/// An attacker who knows the seed can add counts to a victim's counters. Use [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::CountMin;
/// use crivo::frequency::CountMinParams;
/// let mut words = CountMin::with_params(CountMinParams::for_error(0.001, 0.01)?);
/// for word in "to be or not to be that is the question".split(' ') {
///     words.add(word, 1);
/// }
/// let be = words.frequency("be");
/// assert!(be.lower() <= 2.0 && 2.0 <= be.upper());
/// assert_eq!(words.total(), 10);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// add("be", 1) → hash → column 3 in row 0, column 1 in row 1      a query takes the smallest
///   row 0   0  0  2 [6] 0  1         other words share this cell
///   row 1   0 [2] 4  0  3  0         min(6, 2) = 2
/// ```
///
/// # References
/// Cormode and Muthukrishnan, doi:10.1016/j.jalgor.2003.12.001 · conservative update: Estan and Varghese,
/// doi:10.1145/859716.859719. The interval is theirs, solved for the true value at the requested confidence
/// · intervals from the counters: Ting, arXiv:1811.04150.
///
/// # Measured
/// `crivo-lab run c-count-min`, `e-f15`, `e-f16`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct CountMin {
    params: CountMinParams,
    spec: HashSpec,
    counters: Counters,
    /// The sum of all added counts. It saturates at the maximum.
    total: u64,
    /// The most by which halving may have rounded up a counter, and the total; 0 if the sketch was never
    /// halved.
    rounding: u64,
    /// t/(w − t) at the default confidence, cached since every query needs it.
    slack: f64,
}

impl CountMin {
    /// Creates an empty sketch that over-counts any item by more than `epsilon` times the total with
    /// probability at most `delta`.
    ///
    /// # Errors
    /// The errors of [`CountMinParams::for_error`].
    pub fn for_error(epsilon: f64, delta: f64) -> Result<Self> {
        CountMinParams::for_error(epsilon, delta).map(Self::with_params)
    }

    fn of(params: CountMinParams, spec: HashSpec, counters: Counters) -> Self {
        Self { params, spec, counters, total: 0, rounding: 0, slack: slack(&params, DEFAULT_CONFIDENCE) }
    }

    /// A sketch without counters, for those of [`AtomicCountMin`](crate::frequency::AtomicCountMin).
    #[cfg(target_has_atomic = "64")]
    pub(super) fn without_counters(params: CountMinParams, spec: HashSpec) -> Self {
        Self::of(params, spec, Counters::new(params.counter_bits(), 0))
    }

    /// The sketch with these counters, row after row, and the params and hash of this one.
    #[cfg(target_has_atomic = "64")]
    pub(super) fn with_counters(&self, values: impl Iterator<Item = u64>, total: u64) -> Self {
        let params = self.params;
        let counters = Counters::from_values(params.counter_bits(), params.shape().cells(), values.map(Ok));
        Self { total, ..Self::of(params, self.spec, counters.expect("the values come from such counters")) }
    }

    /// What a smallest counter says about an item where counters have this total, at 95 %.
    #[cfg(target_has_atomic = "64")]
    pub(super) fn answer_at(&self, smallest: u64, total: u64) -> Estimate {
        let counters = Counters::new(self.params.counter_bits(), 0);
        Self { counters, total, ..*self }.answer(smallest, self.slack, DEFAULT_CONFIDENCE)
    }

    /// Adds `count` occurrences of an item.
    #[inline]
    pub fn add<T: Item + ?Sized>(&mut self, item: &T, count: u64) {
        self.add_hash(self.spec.hash(item), count);
    }

    /// Adds `count` occurrences of the item with this hash.
    #[inline]
    pub fn add_hash(&mut self, hash: u64, count: u64) {
        self.total = self.total.saturating_add(count);
        let columns = Probes::new(hash, self.params.width());
        let params = self.params;
        with_counters!(&mut self.counters, cells => add_to(cells, &params, columns, count));
    }

    /// Adds one occurrence of each of many items by their hashes, overlapping the cache misses.
    pub fn add_hashes(&mut self, hashes: &[u64]) {
        for block in hashes.chunks(BATCH) {
            self.prefetch(block);
            for &hash in block {
                self.add_hash(hash, 1);
            }
        }
    }

    /// Adds `count` occurrences of an item whose columns, one per row, the caller has computed.
    ///
    /// ```
    /// # use crivo::CountMin;
    /// # use crivo::frequency::CountMinParams;
    /// let mut sketch = CountMin::with_params(CountMinParams::exact(8, 2)?);
    /// sketch.add_columns(&[5, 2], 3)?;
    /// assert_eq!(sketch.frequency_columns(&[5, 2])?.value(), 3.0);
    /// assert!(sketch.add_columns(&[5, 8], 1).is_err());
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless there is one column for each row, each below the width.
    pub fn add_columns(&mut self, columns: &[u64], count: u64) -> Result<()> {
        self.params.shape().check_columns(columns)?;
        self.total = self.total.saturating_add(count);
        let params = self.params;
        let columns = columns.iter().copied();
        with_counters!(&mut self.counters, cells => add_to(cells, &params, columns, count));
        Ok(())
    }

    /// Returns how often an item was added, at 95 % confidence.
    #[inline]
    pub fn frequency<T: Item + ?Sized>(&self, item: &T) -> Estimate {
        self.frequency_hash(self.spec.hash(item))
    }

    /// Returns how often the item with this hash was added, at 95 % confidence.
    #[inline]
    pub fn frequency_hash(&self, hash: u64) -> Estimate {
        self.answer(self.smallest(Probes::new(hash, self.params.width())), self.slack, DEFAULT_CONFIDENCE)
    }

    /// Returns how often each of many items was added, overlapping the cache misses.
    pub fn frequency_hashes(&self, hashes: &[u64]) -> Vec<Estimate> {
        answer_in_batches(hashes, |batch| self.prefetch(batch), |hash| self.frequency_hash(hash))
    }

    /// Returns [`frequency`](Self::frequency) at another confidence.
    ///
    /// ```
    /// # use crivo::CountMin;
    /// # use crivo::frequency::CountMinParams;
    /// let mut sketch = CountMin::with_params(CountMinParams::exact(50, 4)?);
    /// (0..1000u32).for_each(|i| sketch.add(&i, 1));
    /// sketch.add("often", 500);
    /// let (usual, surer) = (sketch.frequency("often"), sketch.frequency_at("often", 0.999)?);
    /// assert!(surer.lower() < usual.lower() && surer.upper() == usual.upper());
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn frequency_at<T: Item + ?Sized>(&self, item: &T, confidence: f64) -> Result<Estimate> {
        self.frequency_hash_at(self.spec.hash(item), confidence)
    }

    /// Returns [`frequency_hash`](Self::frequency_hash) at another confidence.
    ///
    /// # Errors
    /// `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn frequency_hash_at(&self, hash: u64, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        let smallest = self.smallest(Probes::new(hash, self.params.width()));
        Ok(self.answer(smallest, slack(&self.params, confidence), confidence))
    }

    /// Returns the frequency at these columns, one per row.
    ///
    /// # Errors
    /// `InvalidArgument` unless there is one column for each row, each below the width.
    pub fn frequency_columns(&self, columns: &[u64]) -> Result<Estimate> {
        self.params.shape().check_columns(columns)?;
        Ok(self.answer(self.smallest(columns.iter().copied()), self.slack, DEFAULT_CONFIDENCE))
    }

    /// Returns the sum of all added counts; it saturates at the largest `u64`.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Returns the counters of one row, as the worked examples print them.
    ///
    /// # Errors
    /// `InvalidArgument` if there is no such row.
    pub fn row(&self, row: u32) -> Result<Vec<u64>> {
        self.params.shape().check_row(row)?;
        let width = self.params.width() as usize;
        Ok(self.counters.values().skip(row as usize * width).take(width).collect())
    }

    #[inline]
    fn smallest(&self, columns: impl Iterator<Item = u64>) -> u64 {
        let params = &self.params;
        with_counters!(&self.counters, cells => smallest_of(cells, params, columns).get())
    }

    /// Returns [max(0, est − t(N − est)/(w − t)), est], where est is reduced by what halving may have rounded
    /// up.
    #[inline]
    fn answer(&self, smallest: u64, slack: f64, confidence: f64) -> Estimate {
        if smallest == 0 {
            return Estimate::exact(0.0);
        }
        let value = count_up(smallest);
        let is_saturated = smallest == self.counters.max();
        let lower = if self.total == u64::MAX || slack.is_infinite() || is_saturated && self.rounding > 0 {
            0.0
        } else {
            let least = smallest.saturating_sub(self.rounding);
            count_down(least) - slack * count_up(self.total.saturating_sub(least))
        };
        let upper = if is_saturated { f64::INFINITY } else { value };
        Estimate::new(value, lower.max(0.0), upper, Guarantee::Proven { confidence })
    }

    /// Halves all counts: every count so far weighs half of what it did. Halve at regular times to let old
    /// counts decay.
    ///
    /// The true value is then the decayed one: a count weighs 1/2 for each halving since it was added.
    /// Counters and total are rounded up, so `upper()` is never below the decayed true value, and a counter
    /// exceeds the decayed counts in it by less than 1, after merges by less than 1 for each part; `lower()`
    /// accounts for that. A saturated counter stays saturated, since half of an unknown count is unknown too:
    /// its answer has no upper bound, and 0 as its lower bound. Merges of halved sketches are bounded instead
    /// of exact, by the same rounding.
    ///
    /// ```
    /// # use crivo::CountMin;
    /// # use crivo::frequency::CountMinParams;
    /// let mut recent = CountMin::with_params(CountMinParams::for_error(0.001, 0.01)?);
    /// recent.add("old song", 100);
    /// recent.halve();
    /// recent.add("new song", 60);
    /// recent.halve();
    /// assert_eq!(recent.frequency("old song").value(), 25.0);
    /// assert_eq!(recent.frequency("new song").value(), 30.0);
    /// assert_eq!(recent.total(), 55);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn halve(&mut self) {
        if self.is_empty() {
            return;
        }
        self.counters.halve();
        self.total = self.total.halved();
        // Half of the earlier rounding, and half a count more.
        self.rounding = self.rounding / 2 + 1;
    }

    #[inline]
    fn prefetch(&self, hashes: &[u64]) {
        with_counters!(&self.counters, cells => self.params.shape().prefetch(cells, hashes, 0));
    }
}

/// Raises the counters of one item.
#[inline]
fn add_to<C: Counter>(
    cells: &mut [C],
    params: &CountMinParams,
    columns: impl Iterator<Item = u64> + Clone,
    count: u64,
) {
    let count = C::up_to(count);
    let raised = params.is_conservative().then(|| smallest_of(cells, params, columns.clone()).plus(count));
    for (row, column) in cells.chunks_exact_mut(params.width() as usize).zip(columns) {
        let cell = &mut row[column as usize];
        *cell = raised.map_or_else(|| cell.plus(count), |raised| raised.max(*cell));
    }
}

#[inline]
fn smallest_of<C: Counter>(cells: &[C], params: &CountMinParams, columns: impl Iterator<Item = u64>) -> C {
    let rows = cells.chunks_exact(params.width() as usize);
    rows.zip(columns).map(|(row, column)| row[column as usize]).min().unwrap_or(C::MAX)
}

/// Returns t/(w − t), the share of the remaining total that may belong to other items; infinite for tables so
/// narrow that the theorem says nothing.
fn slack(params: &CountMinParams, confidence: f64) -> f64 {
    let factor = params.markov_factor(confidence);
    let width = params.width() as f64;
    if width > factor { factor / (width - factor) } else { f64::INFINITY }
}

shell!(CountMin: hashes, empty(CountMinParams), merges,
    collects_by(Self::for_error(0.001, 0.01),
        "A sketch that over-counts an item by more than 0.1 % of the total with a probability of at most 1 %.",
        Self::add_hashes));

impl<T: Item> Extend<T> for CountMin {
    /// Adds one occurrence of each item.
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        for_each_block(self.spec, items, |hashes| self.add_hashes(hashes));
    }
}

impl Empty for CountMin {
    fn empty(params: CountMinParams, spec: HashSpec) -> Self {
        Self::of(params, spec, Counters::new(params.counter_bits(), params.shape().cells()))
    }

    fn has_nothing(&self) -> bool {
        self.total == 0
    }
}

#[cfg(test)]
mod tests;
