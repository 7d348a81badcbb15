//! `DataSketches`' frequent items: see [`Frequent`].
//!
//! ```text
//! byte 0     number of 8-byte words before the counts: 1 empty, 4 otherwise
//! byte 1     serial version: 1                              byte 2     family: 10
//! byte 3     log₂ of the largest table                      byte 4     log₂ of the table
//! byte 5     flags: 1 and 4 empty                           bytes 6–7  reserved
//! otherwise: u32 number of items, 4 reserved bytes, u64 total, u64 offset; u64 count of each item; the items
//! ```
//! Nothing names the type of the items.

use crate::foreign::{Answers, Format, Frequency, count, text};
use crate::{ForeignItem, KllItem};
use crivo::foreign::{Reader, estimate, invalid, malformed, unsupported};
use crivo::sketch::Fact;
use crivo::{Element, Estimate, Guarantee, Item, MisraGries, Result};
use std::collections::HashMap;
use std::hash::Hash;

/// The family of sketches of frequent items.
pub(crate) const FAMILY: u8 = 10;
/// The range of log₂ of a table.
const LG: core::ops::RangeInclusive<u8> = 3..=31;
/// Writers set one or both.
const EMPTY: u8 = 1 | 4;

/// An item that a sketch of frequent items keeps: a text or a whole number.
pub trait FrequentItem: KllItem + Hash + Ord {
    /// Makes the item of what is looked up, if it can be one.
    fn of(item: ForeignItem<'_>) -> Option<Self>;
    /// Returns the item as a text.
    fn shown(&self) -> String;
}

impl FrequentItem for String {
    fn of(item: ForeignItem<'_>) -> Option<Self> {
        match item {
            ForeignItem::Number(number) => Some(number.to_string()),
            ForeignItem::Bytes(bytes) => Self::from_utf8(bytes.to_vec()).ok(),
        }
    }

    fn shown(&self) -> String {
        self.clone()
    }
}

impl FrequentItem for i64 {
    fn of(item: ForeignItem<'_>) -> Option<Self> {
        match item {
            ForeignItem::Number(number) => Some(number),
            ForeignItem::Bytes(bytes) => std::str::from_utf8(bytes).ok()?.parse().ok(),
        }
    }

    fn shown(&self) -> String {
        self.to_string()
    }
}

/// A sketch of frequent items of Apache `DataSketches`, whose items are texts or whole numbers.
///
/// # Guarantee
/// Every bound is certain: a kept item occurred at least as often as its counter says, and at most by the [`error`](Self::error) more; any
/// other item occurred [`error`](Self::error) times at most. The value is the upper bound, as in `DataSketches`, or 0 for an item that is
/// not kept.
///
/// # Merge
/// Bounded: the errors of both add up, and what does not fit into the larger table is subtracted from all counters.
///
/// # Example
/// ```
/// use crivo::MisraGries;
/// use crivo_interop::Frequent;
/// let mut pages = MisraGries::<String>::for_counters(100)?;
/// for page in ["/home", "/about", "/home"] {
///     pages.add(page, 1);
/// }
/// let bytes = Frequent::from_misra_gries(&pages)?.to_bytes(); // any DataSketches library reads them
/// let read = Frequent::<String>::from_bytes(&bytes)?;
/// assert_eq!(read.frequency(&"/home".to_string()).value(), 2.0);
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Frequent<T> {
    lg_most: u8,
    lg: u8,
    /// The flags of an empty sketch.
    flags: u8,
    total: u64,
    /// What was subtracted from every counter.
    offset: u64,
    /// The items with their counters, in the order of the file.
    items: Vec<(T, u64)>,
}

/// Returns the most items of a table: three quarters of its places.
fn room(lg: u8) -> usize {
    3 << (lg - 2)
}

impl<T: FrequentItem> Frequent<T> {
    /// Reads a sketch of items of this type.
    ///
    /// # Errors
    /// Returns `Malformed` for corrupt bytes and for items of another type as far as that shows, and `Unsupported` for other families and
    /// versions.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        let [words, version, family, lg_most, lg, flags, reserved @ ..]: [u8; 8] = reader.array()?;
        if family != FAMILY || version != 1 {
            return Err(unsupported(format!(
                "a sketch of frequent items has family {FAMILY} and serial version 1, found {family} and {version}"
            )));
        }
        let is_sound = LG.contains(&lg) && LG.contains(&lg_most) && lg <= lg_most && reserved == [0; 2];
        if !is_sound || !matches!((words, flags), (1, 1 | 4 | EMPTY) | (4, 0)) {
            return Err(malformed(format!(
                "{words} words before the counts, the flags {flags:#x} and tables of 2^{lg} and 2^{lg_most} places contradict each other"
            )));
        }
        let mut sketch = Self { lg_most, lg, flags, total: 0, offset: 0, items: Vec::new() };
        if flags == 0 {
            sketch.read_items(&mut reader)?;
        }
        reader.finish()?;
        Ok(sketch)
    }

    fn read_items(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        let (kept, reserved) = (reader.u32()?, reader.u32()?);
        (self.total, self.offset) = (reader.u64()?, reader.u64()?);
        if kept as usize > room(self.lg) || reserved != 0 {
            return Err(malformed(format!("a table of 2^{} places does not hold {kept} items", self.lg)));
        }
        let counts = reader.entries(kept.into(), Reader::u64)?;
        let items = reader.entries(kept.into(), T::read)?;
        let sum = counts.iter().try_fold(self.offset, |sum, &count| sum.checked_add(count));
        // Every unit that was subtracted from all counters was subtracted from one at least.
        let adds_up = self.total >> 63 == 0 && sum.is_some_and(|sum| sum <= self.total);
        let mut sorted: Vec<&T> = items.iter().collect();
        sorted.sort_unstable();
        if !adds_up || counts.contains(&0) || !sorted.is_sorted_by(|a, b| a < b) || self.total == 0 {
            return Err(malformed(format!(
                "the items repeat, or their counts do not fit into the total of {}; read as {}, which may be the wrong type",
                self.total,
                T::NAME
            )));
        }
        self.items = items.into_iter().zip(counts).collect();
        Ok(())
    }

    /// Writes the bytes that every `DataSketches` library reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let words = if self.total == 0 { 1 } else { 4 };
        let mut bytes = vec![words, 1, FAMILY, self.lg_most, self.lg, self.flags, 0, 0];
        if self.total > 0 {
            bytes.extend((self.items.len() as u64).to_le_bytes());
            bytes.extend(self.total.to_le_bytes());
            bytes.extend(self.offset.to_le_bytes());
            bytes.extend(self.items.iter().flat_map(|(_, count)| count.to_le_bytes()));
            self.items.iter().for_each(|(item, _)| item.write(&mut bytes));
        }
        bytes
    }

    /// Creates the sketch with the items, the counters and the error of a [`MisraGries`].
    ///
    /// # Errors
    /// Returns `InvalidArgument` if it has 2⁵³ occurrences or more, which its estimates round.
    pub fn from_misra_gries(sketch: &MisraGries<T>) -> Result<Self>
    where
        T: Element + Item,
    {
        if sketch.total() >> 53 > 0 {
            return Err(invalid(
                "the bounds of 2^53 occurrences and more are rounded, and cannot be written",
            ));
        }
        let hitters = sketch.top(usize::MAX);
        let offset = hitters.iter().map(|hitter| hitter.count().upper() - hitter.count().lower());
        let offset = offset.fold(sketch.floor() as f64, f64::max) as u64;
        let items = hitters.into_iter().map(|hitter| {
            let count = hitter.count().lower() as u64;
            (hitter.into_item(), count)
        });
        Self::with(*LG.start(), sketch.total(), offset, items.collect())
    }

    /// Creates the sketch with a table of at least 2^`lg_most` places. The items are sorted, so that equal contents have equal bytes.
    fn with(lg_most: u8, total: u64, offset: u64, mut items: Vec<(T, u64)>) -> Result<Self> {
        items.retain(|&(_, count)| count > 0);
        items.sort_unstable_by(|(a, n), (b, m)| m.cmp(n).then(a.cmp(b)));
        let lg = LG.into_iter().find(|&lg| items.len() <= room(lg));
        let lg = lg.ok_or_else(|| invalid("a table holds up to 1.6 billion items; these are more"))?;
        let flags = if total == 0 { EMPTY } else { 0 };
        Ok(Self { lg_most: lg_most.max(lg), lg, flags, total, offset, items })
    }

    /// Takes in all occurrences of another sketch.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if both together have 2⁶³ occurrences or more.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        let total = self.total + other.total;
        if total >> 63 == 1 {
            return Err(invalid("2^63 occurrences cannot be counted; keep the sketches apart"));
        }
        if other.total == 0 {
            return Ok(());
        }
        let mut counts: HashMap<T, u64> = self.items.drain(..).collect();
        for (item, count) in &other.items {
            *counts.entry(item.clone()).or_default() += count;
        }
        let lg_most = self.lg_most.max(other.lg_most);
        let mut items: Vec<(T, u64)> = counts.into_iter().collect();
        let mut offset = self.offset + other.offset;
        if items.len() > room(lg_most) {
            // As much from all counters as the first that has no room holds.
            let (_, &mut (_, excess), _) =
                items.select_nth_unstable_by(room(lg_most), |(_, a), (_, b)| b.cmp(a));
            offset += excess;
            for (_, count) in &mut items {
                *count = count.saturating_sub(excess);
            }
        }
        *self = Self::with(lg_most, total, offset, items)?;
        Ok(())
    }

    /// Returns how often an item occurred.
    pub fn frequency(&self, item: &T) -> Estimate {
        let found = self.items.iter().find(|(kept, _)| kept == item);
        match found {
            Some(&(_, count)) => self.bounds(count),
            None => estimate(0.0, 0.0, self.offset as f64, Guarantee::Certain),
        }
    }

    fn bounds(&self, count: u64) -> Estimate {
        let upper = (count + self.offset) as f64;
        estimate(upper, count as f64, upper, Guarantee::Certain)
    }

    /// Returns all kept items with their frequencies, the most frequent first.
    pub fn top(&self) -> Vec<(&T, Estimate)> {
        let mut items: Vec<&(T, u64)> = self.items.iter().collect();
        items.sort_unstable_by(|(a, n), (b, m)| m.cmp(n).then(a.cmp(b)));
        items.into_iter().map(|(item, count)| (item, self.bounds(*count))).collect()
    }

    /// Returns the items with their counters, in the order of the file.
    pub(crate) fn items(&self) -> impl Iterator<Item = (&T, u64)> {
        self.items.iter().map(|(item, count)| (item, *count))
    }

    /// Returns the number of all occurrences.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Returns the greatest difference between a frequency and its lower bound.
    pub fn error(&self) -> u64 {
        self.offset
    }

    /// Returns the number of kept items.
    pub fn kept(&self) -> usize {
        self.items.len()
    }
}

impl<T: FrequentItem> Answers for Frequent<T> {
    fn format(&self) -> Format {
        Format::Frequent
    }

    fn full_name(&self) -> &'static str {
        match T::NUMBER {
            Some(_) => "datasketches-frequent-items of whole numbers",
            None => "datasketches-frequent-items of texts",
        }
    }

    fn bytes(&self) -> Vec<u8> {
        self.to_bytes()
    }

    fn facts(&self) -> Vec<Fact> {
        vec![
            count("total", self.total),
            text("elements", T::NAME),
            count("kept", self.kept() as u64),
            count("room", room(self.lg_most) as u64),
            count("error", self.offset),
        ]
    }

    fn occurrences(&self) -> Result<u64> {
        Ok(self.total)
    }

    fn frequency_within(&self, item: ForeignItem<'_>, _confidence: f64) -> Result<Estimate> {
        // What cannot be an item was never one.
        Ok(T::of(item).map_or_else(|| Estimate::exact(0.0), |item| self.frequency(&item)))
    }

    fn most_frequent(&self) -> Result<(Vec<Frequency>, u64)> {
        Ok((self.top().into_iter().map(|(item, count)| (item.shown(), count)).collect(), self.offset))
    }
}
