//! Spark's Count-Min sketch: see [`SparkCountMin`].
//!
//! ```text
//! i32 version: 1, i64 total, i32 rows, i32 width; i64 factor of each row; the counters, row by row. Highest byte first.
//! ```

use super::two_hashes;
use crate::ForeignItem;
use crate::foreign::{Answers, Format, count};
use crate::overcount::{self, Size};
use crivo::foreign::{Reader, check_confidence, incompatible, malformed, unsupported};
use crivo::sketch::Fact;
use crivo::{DEFAULT_CONFIDENCE, Estimate, Result};

const VERSION: u32 = 1;
/// The hashes of numbers are below this prime.
const PRIME: i64 = (1 << 31) - 1;

/// A sketch of Spark's `count_min_sketch`: how often items occurred.
///
/// # Guarantee
/// The value is the least counter of the item, and never too low. By Markov's inequality one row counts too much by t or more with
/// probability N/(w·t) at most, for N occurrences and width w, and all d rows with the d-th power of that, if their hashes are
/// independent: so is the lower bound, [`Guarantee::Approximate`](crivo::Guarantee), because Spark's hashes are so only about.
///
/// # Merge
/// Exact, if rows, width and seed are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SparkCountMin {
    total: u64,
    width: u32,
    /// The factors of the rows, which follow from the seed.
    factors: Vec<i64>,
    counters: Vec<u64>,
}

impl SparkCountMin {
    /// Reads the bytes that `count_min_sketch` returns.
    ///
    /// # Errors
    /// Returns `Malformed` for corrupt bytes, also if a row does not add up to the total, and `Unsupported` for another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        let version = u32::from_be_bytes(reader.array()?);
        if version != VERSION {
            return Err(unsupported(format!("Count-Min sketches of Spark have version 1, found {version}")));
        }
        let total = u64::from_be_bytes(reader.array()?);
        let [rows, width] = [u32::from_be_bytes(reader.array()?), u32::from_be_bytes(reader.array()?)];
        let is_sound = total >> 63 == 0 && rows > 0 && width > 0 && (rows | width) >> 31 == 0;
        let cells = u64::from(rows) * u64::from(width);
        let expected = cells.checked_add(rows.into()).and_then(|numbers| numbers.checked_mul(8));
        if !is_sound || expected != Some(reader.rest().len() as u64) {
            return Err(malformed(format!(
                "a Count-Min sketch of {rows} rows of {width} counters and a total of {total} has another length"
            )));
        }
        let factors = reader.entries(rows.into(), |reader| reader.array().map(i64::from_be_bytes))?;
        let counters = reader.entries(cells, |reader| reader.array().map(u64::from_be_bytes))?;
        let sum = |row: &[u64]| row.iter().try_fold(0u64, |sum, &counter| sum.checked_add(counter));
        if counters.chunks(width as usize).any(|row| sum(row) != Some(total)) {
            return Err(malformed(format!("the counters of a row do not add up to the total of {total}")));
        }
        Ok(Self { total, width, factors, counters })
    }

    /// Writes the bytes that Spark reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = VERSION.to_be_bytes().to_vec();
        bytes.extend(self.total.to_be_bytes());
        bytes.extend((self.factors.len() as u32).to_be_bytes());
        bytes.extend(self.width.to_be_bytes());
        bytes.extend(self.factors.iter().flat_map(|factor| factor.to_be_bytes()));
        bytes.extend(self.counters.iter().flat_map(|counter| counter.to_be_bytes()));
        bytes
    }

    /// Returns how often an item occurred, at 95 % confidence.
    pub fn frequency<'a>(&self, item: impl Into<ForeignItem<'a>>) -> Estimate {
        self.frequency_within(item.into(), DEFAULT_CONFIDENCE)
    }

    /// Like [`frequency`](Self::frequency), at another confidence.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn frequency_at<'a>(&self, item: impl Into<ForeignItem<'a>>, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        Ok(self.frequency_within(item.into(), confidence))
    }

    fn frequency_within(&self, item: ForeignItem<'_>, confidence: f64) -> Estimate {
        let rows = self.counters.chunks(self.width as usize).zip(self.places(item));
        let least = rows.map(|(row, place)| row[place]).min().unwrap_or(0);
        let (rows, width, total) = (self.factors.len(), self.width, self.total as f64);
        overcount::frequency(least as f64, &Size { rows, width, total, is_whole: true }, confidence)
    }

    /// Returns the counter of an item in each row.
    fn places(&self, item: ForeignItem<'_>) -> Vec<usize> {
        let width = self.width as i32;
        let [first, second] = match item {
            ForeignItem::Number(_) => [0, 0],
            ForeignItem::Bytes(bytes) => two_hashes(bytes, 0),
        };
        let place = |(row, &factor): (i32, &i64)| match item {
            ForeignItem::Number(number) => {
                let product = factor.wrapping_mul(number);
                let hash = product.wrapping_add(product >> 32) & PRIME;
                (hash as i32 % width) as usize
            }
            ForeignItem::Bytes(_) => {
                (first.wrapping_add(row.wrapping_mul(second)) % width).unsigned_abs() as usize
            }
        };
        (0..).zip(&self.factors).map(place).collect()
    }

    /// Takes in all occurrences of another sketch.
    ///
    /// # Errors
    /// Returns `Incompatible` if rows, width or seed differ, and `Malformed` if a count exceeds 63 bits.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        let size = |sketch: &Self| format!("{} rows of {}", sketch.factors.len(), sketch.width);
        if size(self) != size(other) {
            return Err(incompatible(
                "size",
                size(self),
                size(other),
                "make both with the same error and confidence",
            ));
        }
        if self.factors != other.factors {
            return Err(incompatible("seed", "one seed", "another", "make both with the same seed"));
        }
        let total = self.total + other.total;
        if total >> 63 == 1 {
            return Err(malformed("more than 2^63 occurrences cannot be counted"));
        }
        self.total = total;
        for (ours, theirs) in self.counters.iter_mut().zip(&other.counters) {
            *ours += theirs;
        }
        Ok(())
    }

    /// Returns the number of all occurrences.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.factors.len()
    }

    /// Returns the number of counters in a row.
    pub fn width(&self) -> u32 {
        self.width
    }
}

impl Answers for SparkCountMin {
    fn format(&self) -> Format {
        Format::SparkCountMin
    }

    fn bytes(&self) -> Vec<u8> {
        self.to_bytes()
    }

    fn facts(&self) -> Vec<Fact> {
        vec![
            count("total", self.total),
            count("depth", self.factors.len() as u64),
            count("width", self.width.into()),
        ]
    }

    fn occurrences(&self) -> Result<u64> {
        Ok(self.total)
    }

    fn frequency_within(&self, item: ForeignItem<'_>, confidence: f64) -> Result<Estimate> {
        self.frequency_at(item, confidence)
    }
}
