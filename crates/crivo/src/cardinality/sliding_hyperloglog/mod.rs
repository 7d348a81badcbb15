//! Distinct counting in a sliding window: see [`SlidingHyperLogLog`].

mod window_register;

use super::HyperLogLog;
use super::hyperloglog::Counts;
use super::precision::{self, OfPrecision};
use super::registers::{rank_of, split};
use crate::codec::{Reader, put_u64_varint};
use crate::estimate::check_confidence;
use crate::hash::Item;
use crate::kind::Kind;
use crate::sketch::{Core, Empty, Fact, OfSize, Params, Payload, narrow, shell};
use crate::{DEFAULT_CONFIDENCE, Error, Estimate, HashSpec, Result};
use alloc::boxed::Box;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use window_register::Front;

/// HyperLogLog over a sliding window: estimates the number of distinct items in the last w time units, for
/// any w up to a limit that is chosen in advance.
///
/// Times are numbers that the caller chooses: seconds, milliseconds, or the index of the item. A window of w
/// contains the items that are less than w older than the latest time seen.
///
/// # Use when / not when
/// Use it if the question is always about the last minutes: ports per source, visitors per quarter of an
/// hour. Not for separate whole days: one [`HyperLogLog`] per day is a sixtieth of the size at 10⁶ items, and
/// they merge to any span of whole days.
///
/// # Guarantee
/// The guarantee of a [`HyperLogLog`] of the same precision that has seen only the items of the window: its
/// registers are known exactly. A standard error of 1.039/√m, less below 5m items; the coverage of the
/// interval is tested from precision 4 to 12 and from a single item to 10 per register.
/// [`Guarantee::Approximate`](crate::Guarantee::Approximate).
///
/// # Space
/// A register keeps at most 65 − precision times, and half as many as its rank on average: with n items in
/// the widest window, about (log₂(n/m) + 1.33)/2 times of 8 bytes, in addition to 24 bytes.
/// [`memory_bound`](Self::memory_bound) is never exceeded. Times that have left all windows stay until the
/// next insertion into their register; a sketch [is empty](Self::is_empty) if no item is left in the widest
/// window.
///
/// | precision | standard error | empty | 10⁴ items | 10⁶ items | at most |
/// |---|---|---|---|---|---|
/// | 6 | 13 % | 1 kB | 4 kB | 5 kB | 32 kB |
/// | 10 | 3.2 % | 16 kB | 43 kB | 71 kB | 0.48 MB |
/// | 12 | 1.6 % | 66 kB | 0.14 MB | 0.25 MB | 1.8 MB |
/// | 14 | 0.81 % | 0.26 MB | 0.39 MB | 0.87 MB | 7.1 MB |
///
/// # Time
/// An insertion visits the times of one register, about six; an estimate reads all of them.
///
/// # Merge
/// Exact: the merged sketch equals the sketch of one pass over both streams, in state and in bytes, whatever
/// the order and delay of the items; commutative, associative, idempotent. Precision, limit and hash must
/// agree.
///
/// # Hostile input
/// As for [`HyperLogLog`]: an attacker who knows the seed can choose items that count for millions. Use
/// [`HashSpec::keyed`]. A time far in the future makes everything else expire: check times that come from
/// others.
///
/// # Example
/// ```
/// use crivo::SlidingHyperLogLog;
/// let mut visitors = SlidingHyperLogLog::for_precision(12, 3600)?; // up to an hour, in seconds
/// for second in 0..7200u64 {
///     visitors.insert(&(second / 2), second); // a new visitor every other second
/// }
/// assert!((visitors.estimate(60)?.value() - 30.0).abs() < 2.0);
/// assert!(visitors.estimate(3600)?.contains(1800.0));
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// rank 5 │ ●                    a register keeps the ranks that can be the highest of some window: those
///      3 │       ●              without a later one that is as high. The highest rank within the queried
///      1 │              ●       window is the rank that a HyperLogLog of these items would have
///        └─────────────────▶ time
/// ```
///
/// # References
/// Chabchoub and Hébrail, doi:10.1109/ICDMW.2010.18. New here: items in any order, exact merges, equal bytes
/// for equal contents, and an interval.
///
/// # Measured
/// `crivo-lab run c-sliding-hyperloglog`; the last full run is in `docs/lab`.
#[derive(Clone)]
pub struct SlidingHyperLogLog {
    fronts: Box<[Front]>,
    spec: HashSpec,
    limit: u64,
    latest: u64,
    precision: u8,
}

impl SlidingHyperLogLog {
    /// Returns the smallest sketch whose 95 % interval extends at most `error` (relative) to either side.
    ///
    /// # Errors
    /// `InvalidArgument` unless `error` is a number and reachable, at least 0.004, and `limit` at least 1.
    pub fn for_error(error: f64, limit: u64) -> Result<Self> {
        Self::for_precision(HyperLogLog::for_error(error)?.precision(), limit)
    }

    /// Returns the smallest sketch whose relative standard error is at most `error`.
    ///
    /// # Errors
    /// `InvalidArgument` unless `error` is a number and reachable, at least 0.00203, and `limit` at least 1.
    pub fn for_standard_error(error: f64, limit: u64) -> Result<Self> {
        Self::for_precision(HyperLogLog::for_standard_error(error)?.precision(), limit)
    }

    /// Returns the finest sketch that never takes more than `bytes` bytes of memory.
    ///
    /// # Errors
    /// `InvalidArgument` if not even the coarsest sketch fits, or `limit` is 0.
    pub fn for_memory(bytes: u64, limit: u64) -> Result<Self> {
        Self::for_precision(precision::for_memory(bytes, bound)?, limit)
    }

    /// Inserts an item with its time; returns true if the sketch changed.
    #[inline]
    pub fn insert<T: Item + ?Sized>(&mut self, item: &T, time: u64) -> bool {
        self.insert_hash(self.spec.hash(item), time)
    }

    /// Inserts the item with this hash and time; returns true if the sketch changed.
    pub fn insert_hash(&mut self, hash: u64, time: u64) -> bool {
        let moved = self.advance(time);
        let (latest, limit) = (self.latest, self.limit);
        let is_old = |time: u64| latest - time >= limit;
        if is_old(time) {
            return false;
        }
        let (register, rest) = split(hash, self.fronts.len());
        let rank = rank_of(rest, self.fronts.len());
        self.fronts[register].insert(time, rank, is_old) || moved
    }

    /// Inserts many items with one time by their hashes.
    pub fn insert_hashes(&mut self, hashes: &[u64], time: u64) {
        for &hash in hashes {
            self.insert_hash(hash, time);
        }
    }

    /// Moves the end of all windows to `time` without an item; returns true if that is later than before.
    pub fn advance(&mut self, time: u64) -> bool {
        let moves = time > self.latest;
        self.latest = self.latest.max(time);
        moves
    }

    /// Returns the estimated number of distinct items in the last `window` time units, at 95 % confidence.
    ///
    /// # Errors
    /// `InvalidArgument` unless `window` is at least 1 and at most the limit.
    pub fn estimate(&self, window: u64) -> Result<Estimate> {
        self.estimate_at(window, DEFAULT_CONFIDENCE)
    }

    /// Returns [`estimate`](Self::estimate) at another confidence.
    ///
    /// # Errors
    /// `InvalidArgument` unless `window` is at least 1 and at most the limit, and `confidence` lies strictly
    /// between 0 and 1.
    pub fn estimate_at(&self, window: u64, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        if window == 0 || window > self.limit {
            return Err(Error::invalid(format!(
                "a window must be 1 to {}, got {window}; create the sketch with a higher limit",
                self.limit
            )));
        }
        Ok(self.estimate_within(window, confidence))
    }

    fn estimate_within(&self, window: u64, confidence: f64) -> Estimate {
        let is_old = |time: u64| self.latest - time >= window;
        let ranks = self.fronts.iter().map(|front| front.rank(is_old));
        Counts::of_ranks(ranks, self.precision).estimate(confidence)
    }

    /// Returns the latest time seen; 0 if there was none.
    pub fn latest(&self) -> u64 {
        self.latest
    }

    /// Returns the length of the widest window.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Returns the precision: log₂ of the number of registers.
    pub fn precision(&self) -> u8 {
        self.precision
    }

    /// Returns an iterator over the times and ranks of each register that are in the widest window, latest
    /// first.
    fn alive(&self) -> impl Iterator<Item = Vec<(u64, u8)>> + '_ {
        let is_alive = |&(time, _): &(u64, u8)| self.latest - time < self.limit;
        self.fronts.iter().map(move |front| front.iter().take_while(is_alive).collect())
    }
}

/// Returns the memory of a sketch with all registers at their maximum size.
fn bound(precision: u8) -> usize {
    // A word of ranks, and a time for each.
    let register = size_of::<Front>() + 8 * (1 + 65 - usize::from(precision));
    size_of::<SlidingHyperLogLog>() + (register << precision)
}

/// The params: the precision, and the widest window.
#[derive(Clone, Copy)]
pub(crate) struct Widest {
    precision: u8,
    limit: u64,
}

impl Widest {
    fn new(precision: u8, limit: u64) -> Result<Self> {
        precision::check(precision, HyperLogLog::REACH_AT_12)?;
        if limit == 0 {
            return Err(Error::invalid(
                "the widest window must be at least 1, got 0; give the widest window that you will query",
            ));
        }
        Ok(Self { precision, limit })
    }
}

impl Params for Widest {
    const REMEDY: &str = "build both with the same precision, for the same widest window";
    const NAMES: &[&str] = &["precision", "limit"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.precision.into(), self.limit]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        Self::new(narrow(numbers[0])?, numbers[1])
    }

    fn memory_bytes(&self) -> u64 {
        (size_of::<SlidingHyperLogLog>() + (size_of::<Front>() << self.precision)) as u64
    }
}

shell!(SlidingHyperLogLog: hashes, starts, merges,
    for_numbers(for_precision, Widest(precision: u8, limit: u64),
        "Creates an empty sketch of 2^`precision` registers for windows of up to `limit` time units.",
        "`precision` is 4 to 18 and `limit` at least 1"));

impl OfSize for SlidingHyperLogLog {
    type Params = Widest;

    fn params(&self) -> Widest {
        Widest { precision: self.precision, limit: self.limit }
    }
}

impl Core for SlidingHyperLogLog {
    const KIND: Kind = Kind::SlidingHyperLogLog;

    fn heap_bytes(&self) -> usize {
        size_of_val(&*self.fronts) + self.fronts.iter().map(Front::memory_bytes).sum::<usize>()
    }

    fn heap_bound(&self) -> Option<usize> {
        Some(bound(self.precision) - size_of::<Self>())
    }

    fn write(&self, payload: &mut Vec<u8>) {
        put_u64_varint(payload, self.latest);
        for times in self.alive() {
            payload.push(times.len() as u8);
            let mut later = self.latest;
            for (time, rank) in times {
                payload.push(rank);
                put_u64_varint(payload, later - time);
                later = time;
            }
        }
    }

    fn read(size: Widest, file: &mut Payload<'_>) -> Result<Self> {
        let latest = file.bytes.u64_varint()?;
        // A register takes at least one byte, so that a short payload cannot allocate a large table.
        let registers = 1 << size.precision;
        if file.bytes.rest().len() < registers {
            return Err(Error::malformed(format!("the payload is too short for {registers} registers")));
        }
        let mut sketch = Self { latest, ..Self::empty(size, file.spec) };
        for front in &mut sketch.fronts {
            *front = read_front(&mut file.bytes, latest, size.limit, 65 - size.precision)?;
        }
        file.check_memory(sketch.memory_bytes() as u64)?;
        Ok(sketch)
    }

    fn state(&self) -> Vec<Fact> {
        vec![
            Fact::count("latest", self.latest),
            Fact::number("standard_error", HyperLogLog::limit_error(self.precision)),
            Fact::estimate("cardinality", self.estimate_within(self.limit, DEFAULT_CONFIDENCE)),
        ]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        self.advance(other.latest);
        let (latest, limit) = (self.latest, self.limit);
        let is_old = |time: u64| latest - time >= limit;
        for (ours, theirs) in self.fronts.iter_mut().zip(&other.fronts) {
            for (time, rank) in theirs.iter().filter(|&(time, _)| !is_old(time)) {
                ours.insert(time, rank, is_old);
            }
        }
        Ok(())
    }
}

impl Empty for SlidingHyperLogLog {
    fn empty(Widest { precision, limit }: Widest, spec: HashSpec) -> Self {
        let fronts = vec![Front::default(); 1 << precision].into_boxed_slice();
        Self { fronts, spec, limit, latest: 0, precision }
    }

    fn has_nothing(&self) -> bool {
        self.alive().all(|times| times.is_empty())
    }
}

/// Reads ranks that rise up to `most`, and times that fall, none of them too old.
fn read_front(payload: &mut Reader<'_>, latest: u64, limit: u64, most: u8) -> Result<Front> {
    let impossible = || Error::malformed("a register holds impossible times or ranks");
    let (mut front, mut time, mut before) = (Front::default(), latest, 0);
    for i in 0..payload.u8()? {
        let (rank, age) = (payload.u8()?, payload.u64_varint()?);
        time = time.checked_sub(age).filter(|time| latest - time < limit).ok_or_else(impossible)?;
        if rank <= before || rank > most || (age == 0 && i > 0) {
            return Err(impossible());
        }
        front.push(time, rank);
        before = rank;
    }
    Ok(front)
}

impl PartialEq for SlidingHyperLogLog {
    /// Times that have left all windows are ignored.
    fn eq(&self, other: &Self) -> bool {
        self.precision == other.precision
            && (self.limit, self.latest, self.spec) == (other.limit, other.latest, other.spec)
            && self.alive().eq(other.alive())
    }
}

#[cfg(test)]
mod tests;
