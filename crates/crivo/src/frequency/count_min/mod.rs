//! The Count-Min sketch: see [`CountMin`].

mod counters;
mod params;

pub use params::CountMinParams;

use crate::codec::{self, DecodeOptions, put_u64_varint};
use crate::estimate::{check_confidence, count_down, count_up};
use crate::hash::{Item, Probes};
use crate::kind::{Kind, MergeLaw};
use crate::memory::{BATCH, CACHED_BYTES, prefetch};
use crate::sketch::{Fact, Frequency, Merge, Sketch, Wire, wire_methods};
use crate::{DEFAULT_CONFIDENCE, Error, Estimate, Guarantee, HashSpec, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use counters::{Counter, Counters, with_counters};

/// How often each item was seen, from a table of counters that never says too little.
///
/// # Use when / not when
/// Use it to look up the frequency of any item of a stream with too many different ones, to compare or
/// join streams by their sketches, to add streams up. Not to find out *which* items are frequent (a
/// Space-Saving sketch keeps their names), nor for items whose share of the total is below the error: their
/// answers are noise, and the interval says so. Counts that go down need a signed sketch.
///
/// # Guarantee
/// `frequency(x).upper()` is never below the truth. With k rows of width w the truth is above `lower()`
/// with probability 95 % over the choice of the hash, by Markov's inequality in every row: the bounds are
/// proven, and usually generous. Counters saturate: then `upper()` is infinite.
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
/// # Time
/// One counter in each row for an update or a query; conservative updates read them first.
///
/// # Merge
/// Plain: exact (counter by counter sum), commutative and associative, not idempotent – it is a multiset.
/// Conservative: bounded – never too low, over-counts at most as the plain sketch of both streams would,
/// but differs from one pass.
///
/// # Hostile input
/// Whoever knows the seed can pile counts onto a victim's counters. Use [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::{CountMin, CountMinParams};
/// let mut words = CountMin::new(CountMinParams::for_error(0.001, 0.01)?);
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
///   row 0   0  0  2 [6] 0  1         other words fell on this cell too
///   row 1   0 [2] 4  0  3  0         min(6, 2) = 2
/// ```
///
/// # References
/// Cormode and Muthukrishnan, doi:10.1016/j.jalgor.2003.12.001 · conservative update: Estan and Varghese,
/// doi:10.1145/859716.859719. The interval is theirs, solved for the truth at the wanted confidence.
#[derive(Clone, PartialEq)]
pub struct CountMin {
    params: CountMinParams,
    spec: HashSpec,
    counters: Counters,
    /// The sum of all counts added, stopping at the maximum.
    total: u64,
    /// t/(w − t) at the default confidence, kept since every query needs it.
    slack: f64,
}

impl CountMin {
    /// An empty sketch with the default hash.
    pub fn new(params: CountMinParams) -> Self {
        Self::with_spec(params, HashSpec::default())
    }

    /// An empty sketch with a hash of one's own.
    pub fn with_spec(params: CountMinParams, spec: HashSpec) -> Self {
        let cells = params.width() as usize * params.depth() as usize;
        let counters = Counters::new(params.counter_bits(), cells);
        Self { params, spec, counters, total: 0, slack: slack(&params, DEFAULT_CONFIDENCE) }
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

    /// Adds `count` at these columns, one a row: an item whose positions come from elsewhere.
    ///
    /// ```
    /// # use crivo::{CountMin, CountMinParams};
    /// let mut sketch = CountMin::new(CountMinParams::exact(8, 2)?);
    /// sketch.add_columns(&[5, 2], 3)?;
    /// assert_eq!(sketch.frequency_columns(&[5, 2])?.value(), 3.0);
    /// assert!(sketch.add_columns(&[5, 8], 1).is_err());
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless there is one column for each row, each below the width.
    pub fn add_columns(&mut self, columns: &[u64], count: u64) -> Result<()> {
        self.check_columns(columns)?;
        self.total = self.total.saturating_add(count);
        let params = self.params;
        let columns = columns.iter().copied();
        with_counters!(&mut self.counters, cells => add_to(cells, &params, columns, count));
        Ok(())
    }

    /// How often an item was added, at 95 %.
    #[inline]
    pub fn frequency<T: Item + ?Sized>(&self, item: &T) -> Estimate {
        self.frequency_hash(self.spec.hash(item))
    }

    /// How often the item with this hash was added, at 95 %.
    #[inline]
    pub fn frequency_hash(&self, hash: u64) -> Estimate {
        self.answer(self.smallest(Probes::new(hash, self.params.width())), self.slack, DEFAULT_CONFIDENCE)
    }

    /// How often each of many items was added, overlapping the cache misses.
    pub fn frequency_hashes(&self, hashes: &[u64]) -> Vec<Estimate> {
        let mut answers = Vec::with_capacity(hashes.len());
        for block in hashes.chunks(BATCH) {
            self.prefetch(block);
            answers.extend(block.iter().map(|&hash| self.frequency_hash(hash)));
        }
        answers
    }

    /// [`frequency`](Self::frequency) at another confidence.
    ///
    /// ```
    /// # use crivo::{CountMin, CountMinParams};
    /// let mut sketch = CountMin::new(CountMinParams::exact(50, 4)?);
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

    /// [`frequency_hash`](Self::frequency_hash) at another confidence.
    ///
    /// # Errors
    /// `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn frequency_hash_at(&self, hash: u64, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        let smallest = self.smallest(Probes::new(hash, self.params.width()));
        Ok(self.answer(smallest, slack(&self.params, confidence), confidence))
    }

    /// The frequency at these columns, one a row.
    ///
    /// # Errors
    /// `InvalidArgument` unless there is one column for each row, each below the width.
    pub fn frequency_columns(&self, columns: &[u64]) -> Result<Estimate> {
        self.check_columns(columns)?;
        Ok(self.answer(self.smallest(columns.iter().copied()), self.slack, DEFAULT_CONFIDENCE))
    }

    /// The sum of all counts added; it stops at the largest `u64`.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The counters of one row: what the worked examples print.
    ///
    /// # Errors
    /// `InvalidArgument` when there is no such row.
    pub fn row(&self, row: u32) -> Result<Vec<u64>> {
        if row >= self.params.depth() {
            return Err(Error::invalid(format!("row {row} of {}; rows count from 0", self.params.depth())));
        }
        let width = self.params.width() as usize;
        Ok(self.counters.values().skip(row as usize * width).take(width).collect())
    }

    #[inline]
    fn smallest(&self, columns: impl Iterator<Item = u64>) -> u64 {
        let params = &self.params;
        with_counters!(&self.counters, cells => smallest_of(cells, params, columns).get())
    }

    /// [max(0, est − t(N − est)/(w − t)), est].
    #[inline]
    fn answer(&self, smallest: u64, slack: f64, confidence: f64) -> Estimate {
        if smallest == 0 {
            return Estimate::exact(0.0);
        }
        let value = count_up(smallest);
        let upper = if smallest == self.counters.max() { f64::INFINITY } else { value };
        let lower = if self.total == u64::MAX || slack.is_infinite() {
            0.0
        } else {
            count_down(smallest) - slack * count_up(self.total.saturating_sub(smallest))
        };
        Estimate::new(value, lower.max(0.0), upper, Guarantee::Proven { confidence })
    }

    /// The size of the join of two streams, Σ a(x)·b(x), never too low; of a stream with itself, its second
    /// moment.
    ///
    /// ```
    /// # use crivo::{CountMin, CountMinParams};
    /// let params = CountMinParams::for_error(0.001, 0.01)?;
    /// let (mut a, mut b) = (CountMin::new(params), CountMin::new(params));
    /// a.add("x", 3);
    /// b.add("x", 4);
    /// b.add("y", 9);
    /// assert!(a.inner_product(&b)?.contains(12.0));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Unsupported` for conservative sketches, whose counters are not sums and could give too little;
    /// `Incompatible` when size or hash differ.
    pub fn inner_product(&self, other: &Self) -> Result<Estimate> {
        if self.params.is_conservative() || other.params.is_conservative() {
            return Err(Error::unsupported(
                "conservative counters are not sums, so their product can be too low; use plain updates",
            ));
        }
        self.check_compatible(other)?;
        let width = self.params.width() as usize;
        let (ours, theirs): (Vec<u64>, Vec<u64>) =
            (self.counters.values().collect(), other.counters.values().collect());
        let dot = |(a, b): (&[u64], &[u64])| {
            let products = a.iter().zip(b).map(|(&x, &y)| u128::from(x) * u128::from(y));
            products.fold(0u128, u128::saturating_add)
        };
        let smallest = ours.chunks(width).zip(theirs.chunks(width)).map(dot).min().unwrap_or(0);
        let limit = self.counters.max();
        let saturated = smallest == u128::MAX || ours.iter().chain(&theirs).any(|&cell| cell == limit);
        // One rounding of u128 to f64: a step up covers it.
        if smallest == 0 {
            return Ok(Estimate::exact(0.0));
        }
        let value = (smallest as f64).next_up();
        let upper = if saturated { f64::INFINITY } else { value };
        let excess = self.params.error_at(DEFAULT_CONFIDENCE) * count_up(self.total) * count_up(other.total);
        let total_is_unknown = self.total == u64::MAX || other.total == u64::MAX;
        let lower = if total_is_unknown { 0.0 } else { ((smallest as f64).next_down() - excess).max(0.0) };
        Ok(Estimate::new(value, lower, upper, Guarantee::Proven { confidence: DEFAULT_CONFIDENCE }))
    }

    /// Becomes the sketch of both streams.
    ///
    /// # Errors
    /// `Incompatible` when size, counters, update or hash differ; `self` is unchanged then.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        self.check_compatible(other)?;
        self.counters.add_all(&other.counters);
        self.total = self.total.saturating_add(other.total);
        Ok(())
    }

    fn check_compatible(&self, other: &Self) -> Result<()> {
        let remedy = "build both with the same params";
        let (ours, theirs) = (self.params, other.params);
        let numbers = [
            ("width", ours.width(), theirs.width()),
            ("depth", ours.depth().into(), theirs.depth().into()),
            ("counter bits", ours.counter_bits().into(), theirs.counter_bits().into()),
        ];
        for (field, a, b) in numbers {
            if a != b {
                return Err(Error::incompatible(field, a, b, remedy));
            }
        }
        if ours.is_conservative() != theirs.is_conservative() {
            return Err(Error::incompatible("update", update_name(&ours), update_name(&theirs), remedy));
        }
        self.spec.check_same(&other.spec)
    }

    fn check_columns(&self, columns: &[u64]) -> Result<()> {
        let params = &self.params;
        if columns.len() == params.depth() as usize && columns.iter().all(|&column| column < params.width()) {
            return Ok(());
        }
        Err(Error::invalid(format!(
            "expected {} columns below {}, got {columns:?}; give one for each row",
            params.depth(),
            params.width()
        )))
    }

    #[inline]
    fn prefetch(&self, hashes: &[u64]) {
        if self.counters.memory_bytes() < CACHED_BYTES {
            return;
        }
        let width = self.params.width() as usize;
        for &hash in hashes {
            let mut columns = Probes::new(hash, self.params.width());
            for row in 0..self.params.depth() as usize {
                let cell = row * width + columns.next_position() as usize;
                with_counters!(&self.counters, cells => prefetch(cells, cell));
            }
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.counters.clear();
        self.total = 0;
    }

    /// Whether nothing was added.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// The size.
    pub fn params(&self) -> CountMinParams {
        self.params
    }

    /// How it hashes.
    pub fn hash_spec(&self) -> &HashSpec {
        &self.spec
    }

    /// The memory it holds, in bytes, itself included.
    pub fn memory_bytes(&self) -> usize {
        size_of::<Self>() + self.counters.memory_bytes()
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

/// t/(w − t), the share of what is left of the total that may be another's; infinite for tables so narrow
/// that the theorem says nothing.
fn slack(params: &CountMinParams, confidence: f64) -> f64 {
    let factor = params.markov_factor(confidence);
    let width = params.width() as f64;
    if width > factor { factor / (width - factor) } else { f64::INFINITY }
}

fn update_name(params: &CountMinParams) -> &'static str {
    if params.is_conservative() { "conservative" } else { "plain" }
}

wire_methods!(CountMin);

impl Wire for CountMin {
    fn to_bytes(&self) -> Vec<u8> {
        let mut params = Vec::with_capacity(12);
        put_u64_varint(&mut params, self.params.width());
        put_u64_varint(&mut params, u64::from(self.params.depth()));
        params.push(self.params.counter_bits() as u8);
        params.push(u8::from(self.params.is_conservative()));
        let mut payload = Vec::new();
        put_u64_varint(&mut payload, self.total);
        self.counters.values().for_each(|value| put_u64_varint(&mut payload, value));
        codec::seal(Kind::CountMin, Some(&self.spec), &params, &payload)
    }

    fn from_bytes_with(bytes: &[u8], options: &DecodeOptions) -> Result<Self> {
        let mut envelope = codec::open(Kind::CountMin, bytes, options)?;
        let width = envelope.params.u64_varint()?;
        let depth = u32::try_from(envelope.params.u64_varint()?).unwrap_or(u32::MAX);
        let bits = u32::from(envelope.params.u8()?);
        let update = envelope.params.u8()?;
        envelope.params.finish()?;
        let plain = CountMinParams::exact(width, depth).and_then(|params| params.with_counter_bits(bits));
        let plain = plain.map_err(|error| Error::malformed(format!("{error}")))?;
        let params = match update {
            0 => plain,
            1 => plain.conservative(),
            _ => return Err(Error::malformed(format!("update {update} is neither plain nor conservative"))),
        };
        codec::check_memory(params.memory_bytes(), options)?;
        let total = envelope.payload.u64_varint()?;
        let cells = width * u64::from(depth);
        // Each counter takes a byte at least: a short payload cannot make a large table.
        if (envelope.payload.rest().len() as u64) < cells {
            return Err(Error::malformed(format!("the payload has no room for {cells} counters")));
        }
        let values = (0..cells).map(|_| envelope.payload.u64_varint());
        let counters = Counters::from_values(bits, cells as usize, values)?;
        envelope.payload.finish()?;
        check_total(&params, &counters, total)?;
        Ok(Self { params, spec: envelope.spec, counters, total, slack: slack(&params, DEFAULT_CONFIDENCE) })
    }
}

/// Every count was added once in every row: a row sums to the total, or to less by conservative updates.
/// Saturated counters tell nothing.
fn check_total(params: &CountMinParams, counters: &Counters, total: u64) -> Result<()> {
    if total == u64::MAX || counters.values().any(|value| value == counters.max()) {
        return Ok(());
    }
    let values: Vec<u64> = counters.values().collect();
    let mut sums = values.chunks(params.width() as usize).map(|row| row.iter().map(|&v| u128::from(v)).sum());
    let fits = |sum: u128| sum == total.into() || params.is_conservative() && sum < total.into() && sum > 0;
    if sums.all(fits) {
        return Ok(());
    }
    Err(Error::malformed(format!("the counters do not add up to the total of {total}")))
}

impl Sketch for CountMin {
    fn kind(&self) -> Kind {
        Kind::CountMin
    }

    fn hash_spec(&self) -> Option<&HashSpec> {
        Some(&self.spec)
    }

    fn memory_bytes(&self) -> usize {
        self.memory_bytes()
    }

    fn merge_law(&self) -> Option<MergeLaw> {
        Some(if self.params.is_conservative() { MergeLaw::Bounded } else { MergeLaw::Exact })
    }

    fn facts(&self) -> Vec<Fact> {
        vec![
            Fact::count("width", self.params.width()),
            Fact::count("depth", u64::from(self.params.depth())),
            Fact::count("counter_bits", u64::from(self.params.counter_bits())),
            Fact::text("update", update_name(&self.params)),
            Fact::count("total", self.total),
            Fact::number("error_share", self.params.error_at(DEFAULT_CONFIDENCE)),
        ]
    }
}

impl Merge for CountMin {
    fn merge(&mut self, other: &Self) -> Result<()> {
        self.merge(other)
    }
}

impl Frequency for CountMin {
    fn add_hash(&mut self, hash: u64, count: u64) -> Result<()> {
        self.add_hash(hash, count);
        Ok(())
    }

    fn frequency_hash(&self, hash: u64) -> Estimate {
        self.frequency_hash(hash)
    }
}

impl fmt::Debug for CountMin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let params = &self.params;
        write!(
            f,
            "CountMin({} x {} {}-bit counters, {} update, total {}, {})",
            params.depth(),
            params.width(),
            params.counter_bits(),
            update_name(params),
            self.total,
            self.spec
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// LOPES Fig. 13: two rows of eight columns.
    #[test]
    fn worked_example_of_lopes() {
        let mut sketch = CountMin::new(CountMinParams::exact(8, 2).unwrap());
        let stream = [([5, 2], 3), ([1, 0], 2), ([5, 3], 2), ([2, 0], 5), ([5, 3], 1)];
        for (columns, count) in stream {
            sketch.add_columns(&columns, count).unwrap();
        }
        assert_eq!(sketch.row(0).unwrap(), [0, 2, 5, 0, 0, 6, 0, 0]);
        assert_eq!(sketch.row(1).unwrap(), [7, 0, 3, 3, 0, 0, 0, 0]);
        let value = |columns: [u64; 2]| sketch.frequency_columns(&columns).unwrap().value();
        assert_eq!(value([2, 0]), 5.0); // Ford Prefect
        assert_eq!(value([5, 3]), 3.0); // Marvin, whose truth is 1
        assert_eq!(value([1, 7]), 0.0); // Fenchurch
        assert!(sketch.row(2).is_err());
    }

    #[test]
    fn saturated_counters_say_so() {
        for conservative in [false, true] {
            let params = CountMinParams::exact(100, 3).unwrap();
            let params = if conservative { params.conservative() } else { params };
            let mut sketch = CountMin::new(params);
            sketch.add("much", u64::from(u32::MAX) - 1);
            assert_eq!(sketch.frequency("much").upper(), f64::from(u32::MAX - 1));
            sketch.add("much", 10);
            let estimate = sketch.frequency("much");
            assert!(estimate.upper().is_infinite() && estimate.lower() > 4e9, "{estimate}");
            sketch.add("much", u64::MAX);
            assert_eq!(sketch.total(), u64::MAX);
            let estimate = sketch.frequency("much");
            assert!(estimate.upper().is_infinite() && estimate.lower() == 0.0, "{estimate}");
        }
        let mut wide = CountMin::new(CountMinParams::exact(100, 3).unwrap().with_counter_bits(64).unwrap());
        wide.add("much", u64::from(u32::MAX) + 10);
        assert_eq!(wide.frequency("much").upper(), (u64::from(u32::MAX) + 10) as f64);
    }

    #[test]
    fn a_table_too_narrow_for_the_theorem_still_bounds() {
        let mut sketch = CountMin::new(CountMinParams::exact(1, 2).unwrap());
        sketch.add("a", 5);
        sketch.add("b", 7);
        let estimate = sketch.frequency("a");
        assert_eq!((estimate.lower(), estimate.upper()), (0.0, 12.0));
        assert!(sketch.inner_product(&sketch).unwrap().contains(74.0));
    }

    #[test]
    fn conservative_sketches_refuse_products_and_plain_partners() {
        let params = CountMinParams::exact(16, 2).unwrap();
        let (mut plain, conservative) = (CountMin::new(params), CountMin::new(params.conservative()));
        assert_eq!(
            conservative.inner_product(&conservative).unwrap_err().kind(),
            crate::ErrorKind::Unsupported
        );
        let error = plain.merge(&conservative).unwrap_err();
        assert!(format!("{error}").contains("update: plain and conservative"), "{error}");
    }
}
