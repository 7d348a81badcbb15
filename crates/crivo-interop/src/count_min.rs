//! `DataSketches`' Count-Min sketch: see [`CountMin`].
//!
//! ```text
//! byte 0     number of 8-byte words before the total: 2
//! byte 1     serial version: 1        byte 2     family: 18       byte 3     flags: 1 empty    bytes 4–7  reserved
//! u32 width, u8 rows, u16 hash of the seed, a reserved byte
//! otherwise: the total and the counters, row by row, of 64 bits: whole numbers or doubles, which nothing says
//! ```

use crate::foreign::{Answers, Format, count, text};
use crate::murmur::{murmur3_128, seed_hash};
use crate::overcount::{self, Size};
use crate::{DEFAULT_SEED, Datum, ForeignItem};
use crivo::foreign::{Reader, check_confidence, incompatible, invalid, malformed, unsupported};
use crivo::sketch::Fact;
use crivo::{DEFAULT_CONFIDENCE, Estimate, Result};

/// The family of Count-Min sketches.
pub(crate) const FAMILY: u8 = 18;
const EMPTY: u8 = 1;
/// `DataSketches` has fewer counters than this.
const TOO_MANY: u64 = 1 << 30;
/// The largest relative difference of two sums of the same doubles in another order: 2⁻⁵³ for each of 2³⁰ terms, and room for sums of sums.
const ROUNDING: f64 = 1.0 / (1 << 20) as f64;

/// A Count-Min sketch of Apache `DataSketches`: how often items occurred.
///
/// # Guarantee
/// The value is the least counter of the item, and never too low. The lower bound is what Markov's inequality leaves of it, as for
/// [`SparkCountMin`](crate::SparkCountMin); [`Guarantee::Approximate`](crivo::Guarantee), since the hashes of the rows are independent only
/// about.
///
/// # Merge
/// Exact, if rows, width and seed are equal.
///
/// # Where the rows hash alike
/// The seeds of the rows come from the random numbers of the C++ standard library, which differ between its implementations. These are
/// those of GNU's, which the packages for Linux use.
///
/// # Example
/// ```
/// use crivo_interop::CountMin;
/// let mut pages = CountMin::with_size(5, 1000)?;
/// pages.add("/home", 3)?;
/// let read = CountMin::from_bytes(&pages.to_bytes())?;
/// assert_eq!(read.frequency("/home").value(), 3.0);
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CountMin {
    seed: u64,
    width: u32,
    rows: u8,
    counters: Counters,
}

#[derive(Clone, Debug, PartialEq)]
enum Counters {
    /// Nothing was added, and nothing says what will be.
    None,
    Whole(u64, Vec<u64>),
    Real(f64, Vec<f64>),
}

impl CountMin {
    /// Creates an empty sketch whose counters are doubles, which are exact up to 2⁵³: the package for Python reads no others.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless there is at least a row, 3 counters in each, and fewer than 2³⁰ in all.
    pub fn with_size(rows: u8, width: u32) -> Result<Self> {
        let sketch = Self { seed: DEFAULT_SEED, width, rows, counters: Counters::None };
        if sketch.is_sized() {
            return Ok(sketch);
        }
        Err(invalid(format!(
            "a Count-Min sketch of DataSketches has a row, 3 counters in each, and fewer than 2^30, got {rows} rows of {width}"
        )))
    }

    fn is_sized(&self) -> bool {
        self.rows > 0 && self.width >= 3 && self.cells() < TOO_MANY
    }

    fn cells(&self) -> u64 {
        u64::from(self.rows) * u64::from(self.width)
    }

    /// Reads a sketch with the default seed.
    ///
    /// # Errors
    /// Returns `Malformed` for corrupt bytes, also if a row does not add up to the total, `Unsupported` for another family or version and
    /// for negative weights, which nothing bounds, and `Incompatible` for another seed.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        Self::from_bytes_with_seed(bytes, DEFAULT_SEED)
    }

    /// Reads a sketch with another seed.
    ///
    /// # Errors
    /// Returns what [`from_bytes`](Self::from_bytes) does.
    pub fn from_bytes_with_seed(bytes: &[u8], seed: u64) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        let [words, version, family, flags] = reader.array()?;
        if family != FAMILY || version != 1 {
            return Err(unsupported(format!(
                "a Count-Min sketch has family {FAMILY} and serial version 1, found {family} and {version}"
            )));
        }
        let (first, width, rows) = (reader.u32()?, reader.u32()?, reader.u8()?);
        let (theirs, second) = (reader.u16()?, reader.u8()?);
        let mut sketch = Self { seed, width, rows, counters: Counters::None };
        if words != 2 || flags & !EMPTY != 0 || first != 0 || second != 0 || !sketch.is_sized() {
            return Err(malformed(format!(
                "a Count-Min sketch of {rows} rows of {width} counters with the flags {flags:#x} cannot be"
            )));
        }
        if theirs != seed_hash(seed) {
            return Err(incompatible(
                "seed",
                format!("{:#06x}", seed_hash(seed)),
                format!("{theirs:#06x}"),
                "read the sketch with the seed it was made with",
            ));
        }
        if flags & EMPTY == 0 {
            let total = reader.u64()?;
            let counters = reader.entries(sketch.cells(), Reader::u64)?;
            sketch.counters = Counters::of(total, counters, width as usize)?;
        }
        reader.finish()?;
        Ok(sketch)
    }

    /// Writes the bytes that every `DataSketches` library reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let flags = if self.counters == Counters::None { EMPTY } else { 0 };
        let mut bytes = vec![2, 1, FAMILY, flags, 0, 0, 0, 0];
        bytes.extend(self.width.to_le_bytes());
        bytes.push(self.rows);
        bytes.extend(seed_hash(self.seed).to_le_bytes());
        bytes.push(0);
        match &self.counters {
            Counters::None => {}
            Counters::Whole(total, counters) => {
                bytes.extend([total].into_iter().chain(counters).flat_map(|number| number.to_le_bytes()));
            }
            Counters::Real(total, counters) => {
                bytes.extend([total].into_iter().chain(counters).flat_map(|number| number.to_le_bytes()));
            }
        }
        bytes
    }

    /// Returns the counter of an item in each row; none for an empty text, which is no item.
    fn places(&self, item: &(impl Datum + ?Sized)) -> Vec<usize> {
        let width = u64::from(self.width);
        let place = |bytes: &[u8], row: usize, seed: u64| {
            row * self.width as usize + (murmur3_128(bytes, seed)[0] % width) as usize
        };
        item.with_bytes(|bytes| {
            let seeds = (0..).zip(row_seeds(self.seed)).take(self.rows.into());
            if bytes.is_empty() {
                Vec::new()
            } else {
                seeds.map(|(row, seed)| place(bytes, row, seed)).collect()
            }
        })
    }

    /// Adds occurrences of an item; an empty text is none.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if the total exceeds what the counters hold.
    pub fn add(&mut self, item: &(impl Datum + ?Sized), occurrences: u64) -> Result<()> {
        let places = self.places(item);
        if places.is_empty() || occurrences == 0 {
            return Ok(());
        }
        if self.counters == Counters::None {
            self.counters = Counters::Real(0.0, vec![0.0; self.cells() as usize]);
        }
        match &mut self.counters {
            Counters::None => {}
            Counters::Whole(total, counters) => {
                *total =
                    total.checked_add(occurrences).filter(|total| total >> 63 == 0).ok_or_else(too_many)?;
                for place in places {
                    counters[place] += occurrences;
                }
            }
            Counters::Real(total, counters) => {
                *total += occurrences as f64;
                for place in places {
                    counters[place] += occurrences as f64;
                }
            }
        }
        Ok(())
    }

    /// Returns how often an item occurred, at 95 % confidence.
    pub fn frequency(&self, item: &(impl Datum + ?Sized)) -> Estimate {
        self.frequency_within(item, DEFAULT_CONFIDENCE)
    }

    /// Like [`frequency`](Self::frequency), at another confidence.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn frequency_at(&self, item: &(impl Datum + ?Sized), confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        Ok(self.frequency_within(item, confidence))
    }

    fn frequency_within(&self, item: &(impl Datum + ?Sized), confidence: f64) -> Estimate {
        let counters = self.places(item).into_iter().map(|place| match &self.counters {
            Counters::None => 0.0,
            Counters::Whole(_, counters) => counters[place] as f64,
            Counters::Real(_, counters) => counters[place],
        });
        let least = counters.reduce(f64::min).unwrap_or(0.0);
        let is_whole = !matches!(self.counters, Counters::Real(..));
        let (rows, width, total) = (self.rows.into(), self.width, self.total());
        overcount::frequency(least, &Size { rows, width, total, is_whole }, confidence)
    }

    /// Takes in all occurrences of another sketch.
    ///
    /// # Errors
    /// Returns `Incompatible` if rows, width, seed or the type of the counters differ, and `InvalidArgument` if the total exceeds 63 bits.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        let shape = |sketch: &Self| {
            let counters = match sketch.counters {
                Counters::Real(..) => "doubles",
                _ => "whole numbers",
            };
            format!("{} rows of {} {counters}, seed {}", sketch.rows, sketch.width, sketch.seed)
        };
        let differ = |a: &Self, b: &Self| {
            Err(incompatible("shape", shape(a), shape(b), "make both with the same parameters"))
        };
        if (self.rows, self.width, self.seed) != (other.rows, other.width, other.seed) {
            return differ(self, other);
        }
        match (&mut self.counters, &other.counters) {
            (_, Counters::None) => {}
            (Counters::None, _) => self.counters = other.counters.clone(),
            (Counters::Whole(total, ours), Counters::Whole(more, theirs)) => {
                *total = total.checked_add(*more).filter(|total| total >> 63 == 0).ok_or_else(too_many)?;
                ours.iter_mut().zip(theirs).for_each(|(ours, theirs)| *ours += theirs);
            }
            (Counters::Real(total, ours), Counters::Real(more, theirs)) => {
                *total += more;
                ours.iter_mut().zip(theirs).for_each(|(ours, theirs)| *ours += theirs);
            }
            _ => return differ(self, other),
        }
        Ok(())
    }

    /// Returns the weight of all occurrences.
    pub fn total(&self) -> f64 {
        match self.counters {
            Counters::None => 0.0,
            Counters::Whole(total, _) => total as f64,
            Counters::Real(total, _) => total,
        }
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> u8 {
        self.rows
    }

    /// Returns the number of counters in a row.
    pub fn width(&self) -> u32 {
        self.width
    }
}

impl Counters {
    /// Recognises the type: the counters of each row add up to the total as one of both. If they do as both, since there is one
    /// item, the total tells: a whole number below 2⁵² is no usual double, and a usual double is a whole number from 2⁵² on.
    fn of(bits: u64, words: Vec<u64>, width: usize) -> Result<Self> {
        const LEAST_NORMAL: u64 = f64::MIN_POSITIVE.to_bits();
        let sum = |row: &[u64]| row.iter().try_fold(0u64, |sum, &word| sum.checked_add(word));
        let are_whole = bits >> 63 == 0 && words.chunks(width).all(|row| sum(row) == Some(bits));
        if are_whole && bits < LEAST_NORMAL {
            return Ok(Self::Whole(bits, words));
        }
        let total = f64::from_bits(bits);
        let counters: Vec<f64> = words.iter().map(|&word| f64::from_bits(word)).collect();
        let fits = |row: &[f64]| (row.iter().sum::<f64>() - total).abs() <= total * ROUNDING;
        if total > 0.0 && counters.iter().all(|&counter| counter >= 0.0) && counters.chunks(width).all(fits) {
            return Ok(Self::Real(total, counters));
        }
        if are_whole {
            return Ok(Self::Whole(bits, words));
        }
        if total.is_normal() && counters.iter().any(|&counter| counter < 0.0) {
            return Err(unsupported(
                "a Count-Min sketch with negative weights has no bounds, and is not read",
            ));
        }
        Err(malformed("the counters of a row do not add up to the total"))
    }
}

fn too_many() -> crivo::Error {
    invalid("2^63 occurrences cannot be counted; keep the sketches apart")
}

/// Returns the seeds of the rows: uniform random numbers of 64 bits as GNU's C++ library draws them from its default generator, the minimal
/// standard one, plus the seed of the sketch.
fn row_seeds(seed: u64) -> impl Iterator<Item = u64> {
    let mut generator = MinimalStandard { state: seed % MinimalStandard::MODULUS };
    generator.state = generator.state.max(1);
    std::iter::repeat_with(move || generator.number().wrapping_add(seed))
}

/// Lehmer's generator with the multiplier 16,807.
struct MinimalStandard {
    state: u64,
}

impl MinimalStandard {
    const MODULUS: u64 = (1 << 31) - 1;
    /// The number of its values.
    const VALUES: u64 = Self::MODULUS - 1;

    fn next(&mut self) -> u64 {
        self.state = self.state * 16_807 % Self::MODULUS;
        self.state - 1
    }

    /// Draws a uniform number of 64 bits. Written to the base [`VALUES`](Self::VALUES) it has three digits, of which the first is 0 to 4; what
    /// is too large is drawn again.
    fn number(&mut self) -> u64 {
        loop {
            let high = self.upper_digits().wrapping_mul(Self::VALUES);
            let (number, is_over) = high.overflowing_add(self.next());
            if !is_over {
                return number;
            }
        }
    }

    fn upper_digits(&mut self) -> u64 {
        loop {
            let digits = self.first_digit() * Self::VALUES + self.next();
            if digits <= u64::MAX / Self::VALUES {
                return digits;
            }
        }
    }

    fn first_digit(&mut self) -> u64 {
        const PART: u64 = (MinimalStandard::VALUES - 1) / 5;
        loop {
            let drawn = self.next();
            if drawn < 5 * PART {
                return drawn / PART;
            }
        }
    }
}

impl Answers for CountMin {
    fn format(&self) -> Format {
        Format::CountMin
    }

    fn bytes(&self) -> Vec<u8> {
        self.to_bytes()
    }

    fn facts(&self) -> Vec<Fact> {
        let elements = match self.counters {
            Counters::None => "unknown",
            Counters::Whole(..) => "u64",
            Counters::Real(..) => "f64",
        };
        vec![
            count("total", self.total() as u64),
            text("counters", elements),
            count("depth", self.rows.into()),
            count("width", self.width.into()),
        ]
    }

    fn occurrences(&self) -> Result<u64> {
        Ok(self.total() as u64)
    }

    fn frequency_within(&self, item: ForeignItem<'_>, confidence: f64) -> Result<Estimate> {
        self.frequency_at(&item, confidence)
    }
}
