//! The summaries of a column in addition to the counts of its values: they take values with counts, in any number of
//! steps.

use super::classify::{ColumnType, Position, classify, has_zone, is_plain};
use super::params::ProfileParams;
use super::value_table::{Counted, ValueTable};
use crate::hash::mix;
use crate::stats::exact_sum::ExactSum;
use crate::{HashSpec, KMinValues, Kll, LogQuantiles, Number, Result};
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// The size of the sample.
pub(super) const SAMPLE: usize = 20;
/// Makes the sample, the fingerprint and the smallest hashes independent of each other.
const SAMPLE_SALT: u64 = 0x9e37_79b9_7f4a_7c15;
const FINGERPRINT_SALTS: [u64; 2] = [0xd1b5_4a32_d192_ed03, 0x8cb9_2ba7_2f3d_8dd7];

/// The summaries of all values that were fed.
#[derive(Clone, PartialEq)]
pub(super) struct Rest {
    /// The number of values of each of [`ColumnType::OF_VALUES`].
    pub(super) classes: [u64; 6],
    /// The number of infinite floats.
    pub(super) infinite: u64,
    /// The number of NaNs, which have no place among numbers.
    pub(super) nans: u64,
    pub(super) numbers: Line,
    /// The sums of the numbers, if there are any.
    pub(super) sums: Option<Box<Sums>>,
    /// The magnitudes of the finite numbers, if the params ask for them.
    pub(super) values: Option<LogQuantiles>,
    pub(super) times: Line,
    /// The first and the last value in the order of bytes.
    pub(super) texts: Option<(Vec<u8>, Vec<u8>)>,
    pub(super) lengths: Lengths,
    pub(super) kept: KMinValues,
    /// The sum, over all occurrences, of 128 bits derived from the hash of the value.
    pub(super) fingerprint: u128,
    /// The values with the smallest ranks, in their order.
    pub(super) sample: Vec<Sampled>,
    /// Whether a value is known to be repeated.
    pub(super) repeats: bool,
    /// Whether an integer or a day is written in another than the plain form, so that two texts may stand for the same
    /// value.
    pub(super) has_variants: bool,
    /// Whether a time has a zone.
    pub(super) has_zones: bool,
}

/// Numbers, or points in time, in order.
#[derive(Clone, PartialEq)]
pub(super) struct Line {
    pub(super) ranks: Kll<Number>,
    /// The least and the greatest, as they were written.
    pub(super) ends: Option<(Placed, Placed)>,
}

/// A text that is a number or a point in time.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Placed {
    pub(super) position: Position,
    pub(super) text: Vec<u8>,
}

/// The sums of the finite numbers; exact, so that order and merges do not matter.
#[derive(Clone, PartialEq)]
pub(super) struct Sums {
    pub(super) numbers: ExactSum,
    pub(super) squares: ExactSum,
}

/// The lengths of values in bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lengths {
    pub(super) least: u32,
    pub(super) most: u32,
    pub(super) sum: u128,
}

/// A value of the sample.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Sampled {
    pub(super) rank: u64,
    pub(super) text: Vec<u8>,
}

/// Returns the index of a type among the counts.
pub(super) fn class_index(class: ColumnType) -> usize {
    ColumnType::OF_VALUES.iter().position(|&one| one == class).unwrap_or(ColumnType::OF_VALUES.len() - 1)
}

impl Rest {
    /// Creates the summaries of no values.
    pub(super) fn none(params: ProfileParams, spec: HashSpec) -> Self {
        Self::new(params, spec).expect("params are made of sizes that sketches can have")
    }

    fn new(params: ProfileParams, spec: HashSpec) -> Result<Self> {
        let line = Line { ranks: Kll::for_k(params.ranks_kept())?, ends: None };
        Ok(Self {
            classes: [0; 6],
            infinite: 0,
            nans: 0,
            numbers: line.clone(),
            sums: None,
            values: params.values_kept().map(LogQuantiles::with_params),
            times: line,
            texts: None,
            lengths: Lengths { least: u32::MAX, most: 0, sum: 0 },
            kept: KMinValues::for_k(params.kept())?.with_hash(spec),
            fingerprint: 0,
            sample: Vec::new(),
            repeats: false,
            has_variants: false,
            has_zones: false,
        })
    }

    /// Makes room in a table, and takes in the values that leave it.
    pub(super) fn make_room_in(&mut self, table: &mut ValueTable) {
        let mut hashes = Vec::new();
        table.purge(|value| {
            hashes.push(value.hash);
            self.feed(&value, true);
        });
        self.kept.insert_new_hashes(hashes);
    }

    /// Takes in all values of a table. Ranks are left out if they are known from elsewhere.
    pub(super) fn feed_all(&mut self, table: &ValueTable, ranks: bool) {
        self.kept.insert_new_hashes(table.iter().map(|value| value.hash).collect());
        table.iter().for_each(|value| self.feed(&value, ranks));
    }

    /// Takes in a value with the occurrences that were seen, except its hash.
    fn feed(&mut self, value: &Counted<'_>, ranks: bool) {
        // The part that was cut off could have made the text a number, or not.
        let (class, position) =
            if value.is_truncated() { (ColumnType::Text, None) } else { classify(value.text) };
        let count = &mut self.classes[class_index(class)];
        *count = count.saturating_add(value.seen);
        if class == ColumnType::Float && position.is_none() {
            self.nans = self.nans.saturating_add(value.seen);
        }
        if let Some(position) = position {
            let line = if class.is_number() {
                let sums = self.sums.get_or_insert_with(Sums::none);
                if position.number.to_f64().is_finite() {
                    sums.add(position.number, value.seen);
                    if let Some(values) = self.values.as_mut().filter(|_| ranks) {
                        // It is finite, and a column ends before 2^64 values.
                        let _ = values.insert_weighted(position.number.to_f64(), value.seen);
                    }
                } else {
                    self.infinite = self.infinite.saturating_add(value.seen);
                }
                &mut self.numbers
            } else {
                &mut self.times
            };
            line.widen(position, value.text);
            if ranks {
                // This fails only beyond 2^64 - 2^32 values, where columns end.
                let _ = match value.seen {
                    1 => line.ranks.insert(position.number),
                    seen => line.ranks.insert_weighted(position.number, seen),
                };
            }
        }
        self.widen_texts(value.text, value.text);
        self.lengths.widen(value.length, value.length);
        let bytes = u128::from(value.length) * u128::from(value.seen);
        self.lengths.sum = self.lengths.sum.saturating_add(bytes);
        self.fingerprint = self.fingerprint.wrapping_add(wide(value.hash).wrapping_mul(value.seen.into()));
        self.sample_one(mix(value.hash ^ SAMPLE_SALT), value.text);
        self.repeats |= value.seen > 1;
        match class {
            ColumnType::Integer | ColumnType::Date => self.has_variants |= !is_plain(value.text),
            ColumnType::Timestamp => self.has_zones |= has_zone(value.text),
            _ => {}
        }
    }

    fn widen_texts(&mut self, low: &[u8], high: &[u8]) {
        let Some((first, last)) = &mut self.texts else {
            self.texts = Some((low.to_vec(), high.to_vec()));
            return;
        };
        // If values come in order, each one is a new end, so the buffers are reused.
        if low < first.as_slice() {
            low.clone_into(first);
        }
        if high > last.as_slice() {
            high.clone_into(last);
        }
    }

    fn sample_one(&mut self, rank: u64, text: &[u8]) {
        if self.sample.len() == SAMPLE && self.sample.last().is_some_and(|last| last.rank < rank) {
            return;
        }
        let one = Sampled { rank, text: text.to_vec() };
        let Err(place) = self.sample.binary_search(&one) else { return };
        self.sample.insert(place, one);
        self.sample.truncate(SAMPLE);
    }

    /// Merges the summaries of another part.
    ///
    /// # Errors
    /// Returns `Full` beyond 2⁶⁴ − 2³² values; `self` may have changed then.
    pub(super) fn merge(&mut self, other: &Self) -> Result<()> {
        self.kept.merge(&other.kept)?;
        self.numbers.merge(&other.numbers)?;
        self.times.merge(&other.times)?;
        if let (Some(values), Some(theirs)) = (&mut self.values, &other.values) {
            values.merge(theirs)?;
        }
        for (count, theirs) in self.classes.iter_mut().zip(other.classes) {
            *count = count.saturating_add(theirs);
        }
        self.infinite = self.infinite.saturating_add(other.infinite);
        self.nans = self.nans.saturating_add(other.nans);
        if let Some(theirs) = &other.sums {
            self.sums.get_or_insert_with(Sums::none).merge(theirs);
        }
        if let Some((first, last)) = &other.texts {
            self.widen_texts(first, last);
        }
        self.lengths.widen(other.lengths.least, other.lengths.most);
        self.lengths.sum = self.lengths.sum.saturating_add(other.lengths.sum);
        self.fingerprint = self.fingerprint.wrapping_add(other.fingerprint);
        for one in &other.sample {
            self.sample_one(one.rank, &one.text);
        }
        self.repeats |= other.repeats;
        self.has_variants |= other.has_variants;
        self.has_zones |= other.has_zones;
        Ok(())
    }

    /// Returns the memory in bytes, including the struct itself.
    pub(super) fn memory_bytes(&self) -> usize {
        let texts = self.texts.as_ref().map_or(0, |(first, last)| first.capacity() + last.capacity());
        let sample: usize = self.sample.iter().map(|one| one.text.capacity()).sum();
        let inside = size_of::<KMinValues>() + 2 * size_of::<Kll<Number>>();
        size_of::<Self>() - inside
            + self.numbers.heap_bytes()
            + self.times.heap_bytes()
            + self.kept.memory_bytes()
            + self.sums.as_ref().map_or(0, |sums| size_of_val(&**sums))
            + self.values.as_ref().map_or(0, |values| values.memory_bytes() - size_of_val(values))
            + texts
            + self.sample.capacity() * size_of::<Sampled>()
            + sample
    }
}

impl Sums {
    fn none() -> Box<Self> {
        Box::new(Self { numbers: ExactSum::new(), squares: ExactSum::new() })
    }

    fn add(&mut self, number: Number, times: u64) {
        self.numbers.add(number, times);
        self.squares.add_square(number, times);
    }

    fn merge(&mut self, other: &Self) {
        self.numbers.merge(&other.numbers);
        self.squares.merge(&other.squares);
    }
}

impl Line {
    fn widen(&mut self, position: Position, text: &[u8]) {
        let Some((least, greatest)) = &mut self.ends else {
            let end = Placed { position, text: text.to_vec() };
            self.ends = Some((end.clone(), end));
            return;
        };
        // The smallest of the texts for one number is kept, so that their order does not matter.
        let order = position.order(&least.position);
        if order.is_lt() || order.is_eq() && text < least.text.as_slice() {
            least.take_text(position, text);
        }
        let order = position.order(&greatest.position);
        if order.is_gt() || order.is_eq() && text < greatest.text.as_slice() {
            greatest.take_text(position, text);
        }
    }

    fn merge(&mut self, other: &Self) -> Result<()> {
        self.ranks.merge(&other.ranks)?;
        if let Some((least, greatest)) = &other.ends {
            self.widen(least.position, &least.text);
            self.widen(greatest.position, &greatest.text);
        }
        Ok(())
    }

    /// Returns the heap memory, including the fields of the sketch.
    fn heap_bytes(&self) -> usize {
        let ends = self
            .ends
            .as_ref()
            .map_or(0, |(least, greatest)| least.text.capacity() + greatest.text.capacity());
        self.ranks.memory_bytes() + ends
    }
}

impl Placed {
    fn take_text(&mut self, position: Position, text: &[u8]) {
        self.position = position;
        text.clone_into(&mut self.text);
    }
}

impl Lengths {
    fn widen(&mut self, least: u32, most: u32) {
        self.least = self.least.min(least);
        self.most = self.most.max(most);
    }
}

/// Derives 128 bits from a 64-bit hash.
fn wide(hash: u64) -> u128 {
    let [high, low] = FINGERPRINT_SALTS.map(|salt| u128::from(mix(hash ^ salt)));
    high << 64 | low
}
