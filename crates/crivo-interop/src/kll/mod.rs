//! `DataSketches`' KLL sketch: see [`Kll`].

mod answers;
mod item;
mod wire;

pub use item::KllItem;
pub(crate) use wire::FAMILY;

use crivo::Result;
use crivo::foreign::{invalid, malformed};
use crivo::rng::Rng;
use std::cmp::Ordering;

/// The range of k, the capacity of the highest level.
const K: core::ops::RangeInclusive<u16> = 8..=u16::MAX;
/// The smallest capacity of a level; no writer uses another.
const LEAST: u8 = 8;
/// More levels than 2⁶⁴ values can fill.
const MOST_LEVELS: usize = 61;

/// A KLL sketch of Apache `DataSketches`: quantiles and ranks of `f32`, `f64`, `i32`, `i64` or `String`.
///
/// # Guarantee
/// A rank is off by one weight or not at all for each compaction, in a direction that a coin decides. The bytes do not say how many
/// compactions there were, but each of a level with at least c values has moved c/2 or more values up, and the weight above a level
/// says how many values came through it. So Hoeffding's inequality bounds the error: [`Guarantee::Proven`](crivo::Guarantee), if the
/// coins of all writers were independent. The rank of x is the number of values ≤ x. Least and greatest value are exact.
///
/// # Merge
/// Bounded: ranks stay within the error of the merged sketch. Sketches that are merged must have been made with distinct seeds.
///
/// # Example
/// ```
/// use crivo_interop::Kll;
/// let mut latencies = Kll::with_seed(200, 1)?;
/// (0..100_000u32).try_for_each(|i| latencies.insert(f64::from(i)))?;
/// let read = Kll::<f64>::from_bytes(&latencies.to_bytes())?;
/// let median = read.quantile(0.5)?;
/// assert!(*median.lower() <= 50_000.0 && 50_000.0 <= *median.upper(), "{median}");
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Kll<T> {
    k: u16,
    /// The smallest k of all compacting sketches that were merged into it.
    least_k: u16,
    /// The values by level, lowest first: a value of level h stands for 2ʰ. All but the lowest are sorted.
    levels: Vec<Vec<T>>,
    is_lowest_sorted: bool,
    /// The least and the greatest value.
    ends: Option<(T, T)>,
    total: u64,
    coins: Rng,
}

/// Two sketches are equal if their values are; coins that were not drawn yet do not count.
impl<T: PartialEq> PartialEq for Kll<T> {
    fn eq(&self, other: &Self) -> bool {
        (self.k, self.least_k, self.total) == (other.k, other.least_k, other.total)
            && self.levels == other.levels
            && self.ends == other.ends
    }
}

impl<T: KllItem> Kll<T> {
    /// Creates an empty sketch whose highest level holds `k` values; 200 gives a rank error of about 1.7 %. Sketches that will be
    /// merged need distinct seeds.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `k` is 8 to 65,535.
    pub fn with_seed(k: u16, seed: u64) -> Result<Self> {
        if !K.contains(&k) {
            return Err(invalid(format!("k must be 8 to 65535, got {k}; 200 is usual")));
        }
        Ok(Self::empty(k, seed))
    }

    fn empty(k: u16, seed: u64) -> Self {
        let coins = Rng::new(seed);
        Self { k, least_k: k, levels: vec![Vec::new()], is_lowest_sorted: false, ends: None, total: 0, coins }
    }

    /// Inserts a value.
    ///
    /// # Errors
    /// Returns `InvalidArgument` for a value without a rank (NaN), and after 2⁶⁴ − 1 values.
    pub fn insert(&mut self, value: T) -> Result<()> {
        if !value.has_rank() {
            return Err(invalid("NaN has no rank among the others; leave it out"));
        }
        let total = together(self.total, 1)?;
        while self.kept() >= room(self.k, self.levels.len()) {
            self.compact();
        }
        self.widen(&value, &value);
        self.levels[0].push(value);
        self.is_lowest_sorted = false;
        self.total = total;
        Ok(())
    }

    /// Takes in all values of another sketch.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if both together have 2⁶⁴ values or more.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        let total = together(self.total, other.total)?;
        let Some((least, greatest)) = &other.ends else { return Ok(()) };
        self.widen(least, greatest);
        self.total = total;
        if other.levels.len() > 1 {
            self.least_k = self.least_k.min(other.least_k);
        }
        self.levels.resize_with(self.levels.len().max(other.levels.len()), Vec::new);
        for (height, (ours, theirs)) in self.levels.iter_mut().zip(&other.levels).enumerate() {
            ours.extend_from_slice(theirs);
            if height > 0 {
                ours.sort_by(T::order);
            }
        }
        self.is_lowest_sorted = false;
        while self.kept() > room(self.k, self.levels.len()) {
            self.compact();
        }
        Ok(())
    }

    /// Compacts the lowest level that has reached its capacity: every other value moves up, where it stands for two.
    #[cold]
    fn compact(&mut self) {
        let count = self.levels.len();
        let is_full = |&level: &usize| self.levels[level].len() >= capacity(self.k, count, level);
        // A sketch without room has such a level.
        let level = (0..count).find(is_full).unwrap_or(count - 1);
        if level + 1 == count {
            self.levels.push(Vec::new());
        }
        let mut values = std::mem::take(&mut self.levels[level]);
        // Of an odd number of values one stays.
        let odd = if values.len() % 2 == 1 { values.pop() } else { None };
        if level == 0 {
            values.sort_by(T::order);
        }
        let second = self.coins.next_u64() >> 63 == 1;
        let kept = values.into_iter().skip(usize::from(second)).step_by(2);
        let above = &mut self.levels[level + 1];
        above.extend(kept);
        above.sort_by(T::order);
        self.levels[level].extend(odd);
    }

    fn widen(&mut self, least: &T, greatest: &T) {
        match &mut self.ends {
            None => self.ends = Some((least.clone(), greatest.clone())),
            Some((min, max)) => {
                if least.order(min) == Ordering::Less {
                    *min = least.clone();
                }
                if greatest.order(max) == Ordering::Greater {
                    *max = greatest.clone();
                }
            }
        }
    }

    /// Checks what a file says.
    fn check(&self) -> Result<()> {
        let weight = (0..).zip(&self.levels).try_fold(0u64, |sum, (height, level)| {
            (level.len() as u64).checked_mul(1 << height).and_then(|weight| sum.checked_add(weight))
        });
        if weight != Some(self.total) {
            return Err(malformed(format!(
                "the kept values do not stand for the {} of the stream",
                self.total
            )));
        }
        let all = || self.levels.iter().flatten();
        let is_sorted = |level: &Vec<T>| level.is_sorted_by(|a, b| a.order(b) != Ordering::Greater);
        let is_within = |(least, greatest): &(T, T)| {
            least.has_rank()
                && greatest.has_rank()
                && all().all(|v| v.order(least) != Ordering::Less && v.order(greatest) != Ordering::Greater)
        };
        let is_kept = |end: &T| all().any(|v| v.order(end) == Ordering::Equal);
        // While all values are kept, the least and the greatest are among them.
        let ends_are_kept = |(least, greatest): &(T, T)| is_kept(least) && is_kept(greatest);
        let is_sound = all().all(T::has_rank)
            && (self.total > self.kept() as u64 || self.ends.as_ref().is_none_or(ends_are_kept))
            && self.levels[1..].iter().all(is_sorted)
            && (!self.is_lowest_sorted || is_sorted(&self.levels[0]))
            && self.ends.as_ref().is_none_or(is_within)
            && K.contains(&self.least_k)
            && self.least_k <= self.k;
        if is_sound {
            return Ok(());
        }
        Err(malformed(format!(
            "the values are not sorted by level between the least and the greatest; read as {}, which may be the wrong type",
            T::NAME
        )))
    }

    /// Returns the number of inserted values.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Returns k, the capacity of the highest level.
    pub fn k(&self) -> u16 {
        self.k
    }

    /// Returns the least inserted value.
    pub fn min(&self) -> Option<&T> {
        self.ends.as_ref().map(|(min, _)| min)
    }

    /// Returns the greatest inserted value.
    pub fn max(&self) -> Option<&T> {
        self.ends.as_ref().map(|(_, max)| max)
    }

    /// Returns the kept values.
    pub(crate) fn values(&self) -> impl Iterator<Item = &T> + '_ {
        self.levels.iter().flatten()
    }

    /// Returns the number of kept values.
    pub fn kept(&self) -> usize {
        self.levels.iter().map(Vec::len).sum()
    }
}

/// Returns the number of values of two streams.
pub(crate) fn together(ours: u64, theirs: u64) -> Result<u64> {
    let total = ours.checked_add(theirs);
    total.ok_or_else(|| invalid("2^64 values cannot be counted; keep the sketches apart"))
}

/// Returns the capacity of a level of `count`: k·(2/3)^depth, rounded to the nearest, and at least [`LEAST`].
fn capacity(k: u16, count: usize, level: usize) -> usize {
    fn fraction(k: u64, depth: u32) -> u64 {
        (((2 * k) << depth) / 3u64.pow(depth)).div_ceil(2)
    }
    let depth = (count - 1 - level) as u32;
    // The powers of three of greater depths exceed 64 bits.
    let planned = match depth {
        0..=30 => fraction(k.into(), depth),
        _ => fraction(fraction(k.into(), depth / 2), depth - depth / 2),
    };
    (planned as usize).max(LEAST.into())
}

/// Returns the number of values that fit into `count` levels.
fn room(k: u16, count: usize) -> usize {
    (0..count).map(|level| capacity(k, count, level)).sum()
}
