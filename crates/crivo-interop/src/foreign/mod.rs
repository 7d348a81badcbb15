//! Any sketch that this crate reads, recognised by its bytes.

mod answers;
mod format;

pub use answers::Frequency;
pub(crate) use answers::{Answers, count, estimate, number, text};
pub use format::Format;

use crate::{
    AirliftHll, Bloom, CountMin, ForeignItem, Frequent, Hll, Kll, PostgresHll, Puffin, RedisHll, Req,
    SnowflakeHll, SparkBloom, SparkCountMin, TDigest, Theta, ZetaHll,
};
use crivo::foreign::{check_confidence, incompatible, unsupported};
use crivo::sketch::Fact;
use crivo::{DEFAULT_CONFIDENCE, Estimate, Number, QuantileEstimate, Result};

/// A sketch of any format.
///
/// ```
/// use crivo_interop::{Foreign, UpdateTheta};
/// let mut visitors = UpdateTheta::for_lg_k(12)?;
/// (0..1000u64).for_each(|visitor| visitors.insert(&visitor));
/// let read = Foreign::decode(&visitors.sketch().to_bytes())?;
/// assert_eq!(read.format().name(), "datasketches-theta");
/// assert_eq!(read.cardinality()?.rounded(), 1000);
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Foreign {
    /// A compact theta sketch.
    Theta(Theta),
    /// A HyperLogLog sketch.
    Hll(Hll),
    /// A KLL sketch of floats.
    KllF32(Kll<f32>),
    /// A KLL sketch of doubles.
    KllF64(Kll<f64>),
    /// A KLL sketch of whole numbers of 32 bits.
    KllI32(Kll<i32>),
    /// A KLL sketch of whole numbers of 64 bits.
    KllI64(Kll<i64>),
    /// A KLL sketch of texts.
    KllText(Kll<String>),
    /// A REQ sketch of floats.
    ReqF32(Req<f32>),
    /// A REQ sketch of doubles.
    ReqF64(Req<f64>),
    /// A REQ sketch of whole numbers of 32 bits.
    ReqI32(Req<i32>),
    /// A sketch of frequent whole numbers.
    FrequentI64(Frequent<i64>),
    /// A sketch of frequent texts.
    FrequentText(Frequent<String>),
    /// A t-digest.
    TDigest(TDigest),
    /// A Count-Min sketch of `DataSketches`.
    CountMin(CountMin),
    /// A Bloom filter of `DataSketches`.
    Bloom(Bloom),
    /// A HyperLogLog of Redis or Valkey.
    RedisHll(RedisHll),
    /// A HyperLogLog of postgresql-hll.
    PostgresHll(PostgresHll),
    /// A HyperLogLog of airlift.
    AirliftHll(AirliftHll),
    /// A HyperLogLog that Snowflake has exported.
    SnowflakeHll(SnowflakeHll),
    /// A HyperLogLog++ of `ZetaSketch`.
    ZetaHll(ZetaHll),
    /// A Puffin file of Iceberg.
    Puffin(Puffin),
    /// A Count-Min sketch of Spark.
    SparkCountMin(SparkCountMin),
    /// A Bloom filter of Spark.
    SparkBloom(SparkBloom),
}

impl Foreign {
    /// Reads a sketch of any format.
    ///
    /// The bytes of a KLL or REQ sketch do not name the type of its values. Eight bytes each are whole numbers if most of
    /// them would not be normal doubles, which is so for whole numbers up to 2⁵² of either sign; otherwise they are doubles. Four bytes each
    /// are whole numbers if most of them would not be normal floats, which is so up to 2²³; otherwise they are floats.
    /// [`Kll::from_bytes`] reads a sketch of a known type. Nor does a sketch of frequent items: they are texts if their lengths fit and no
    /// text has a character NUL, and otherwise whole numbers; [`Frequent::from_bytes`] reads a known type.
    ///
    /// # Errors
    /// Returns `Unsupported` for an unknown format, and the errors of each format.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        match Format::of(bytes) {
            Some(Format::Theta) => Theta::from_bytes(bytes).map(Self::Theta),
            Some(Format::Hll) => Hll::from_bytes(bytes).map(Self::Hll),
            Some(Format::Kll) => Self::decode_kll(bytes),
            Some(Format::Req) => Self::decode_req(bytes),
            Some(Format::Frequent) => Self::decode_frequent(bytes),
            Some(Format::TDigest) => TDigest::from_bytes(bytes).map(Self::TDigest),
            Some(Format::CountMin) => CountMin::from_bytes(bytes).map(Self::CountMin),
            Some(Format::Bloom) => Bloom::from_bytes(bytes).map(Self::Bloom),
            Some(Format::RedisHll) => RedisHll::from_bytes(bytes).map(Self::RedisHll),
            Some(Format::PostgresHll) => PostgresHll::from_bytes(bytes).map(Self::PostgresHll),
            Some(Format::AirliftHll) => AirliftHll::from_bytes(bytes).map(Self::AirliftHll),
            Some(Format::SnowflakeHll) => SnowflakeHll::from_json(bytes).map(Self::SnowflakeHll),
            Some(Format::ZetaHll) => ZetaHll::from_bytes(bytes).map(Self::ZetaHll),
            Some(Format::Puffin) => Puffin::from_bytes(bytes).map(Self::Puffin),
            Some(Format::SparkCountMin) => SparkCountMin::from_bytes(bytes).map(Self::SparkCountMin),
            Some(Format::SparkBloom) => match SparkBloom::from_bytes(bytes) {
                Ok(filter) => Ok(Self::SparkBloom(filter)),
                // With a total of 2³² or more.
                Err(error) => SparkCountMin::from_bytes(bytes).map(Self::SparkCountMin).map_err(|_| error),
            },
            None => Err(unsupported(
                "the first bytes belong to no known format; sketches of DataSketches, HyperLogLogs of Redis, postgresql-hll, Trino, BigQuery and Snowflake, Puffin files of Iceberg, and Count-Min sketches and Bloom filters of Spark are read",
            )),
        }
    }

    fn decode_kll(bytes: &[u8]) -> Result<Self> {
        let doubles = Kll::<f64>::from_bytes(bytes);
        if let Ok(doubles) = &doubles
            && are_floating(doubles.values(), |&value| value == 0.0, |value| value.is_normal())
        {
            return Ok(Self::KllF64(doubles.clone()));
        }
        if let Ok(longs) = Kll::from_bytes(bytes) {
            return Ok(Self::KllI64(longs));
        }
        let floats = Kll::<f32>::from_bytes(bytes);
        if let Ok(floats) = floats
            && are_floating(floats.values(), |&value| value == 0.0, |value| value.is_normal())
        {
            return Ok(Self::KllF32(floats));
        }
        if let Ok(ints) = Kll::from_bytes(bytes) {
            return Ok(Self::KllI32(ints));
        }
        if let Ok(texts) = Kll::from_bytes(bytes) {
            return Ok(Self::KllText(texts));
        }
        doubles.map(Self::KllF64)
    }

    fn decode_req(bytes: &[u8]) -> Result<Self> {
        let floats = Req::<f32>::from_bytes(bytes);
        if let Ok(floats) = &floats
            && are_floating(floats.values(), |&value| value == 0.0, |value| value.is_normal())
        {
            return Ok(Self::ReqF32(floats.clone()));
        }
        if let Ok(ints) = Req::from_bytes(bytes) {
            return Ok(Self::ReqI32(ints));
        }
        match Req::from_bytes(bytes) {
            Ok(doubles) => Ok(Self::ReqF64(doubles)),
            Err(_) => floats.map(Self::ReqF32),
        }
    }

    fn decode_frequent(bytes: &[u8]) -> Result<Self> {
        let texts = Frequent::<String>::from_bytes(bytes);
        if let Ok(texts) = &texts
            && !texts.items().any(|(text, _)| text.contains('\0'))
        {
            return Ok(Self::FrequentText(texts.clone()));
        }
        match Frequent::from_bytes(bytes) {
            Ok(numbers) => Ok(Self::FrequentI64(numbers)),
            Err(error) => texts.map(Self::FrequentText).map_err(|_| error),
        }
    }

    fn answers(&self) -> &dyn Answers {
        match self {
            Self::Theta(sketch) => sketch,
            Self::Hll(sketch) => sketch,
            Self::KllF32(sketch) => sketch,
            Self::KllF64(sketch) => sketch,
            Self::KllI32(sketch) => sketch,
            Self::KllI64(sketch) => sketch,
            Self::KllText(sketch) => sketch,
            Self::ReqF32(sketch) => sketch,
            Self::ReqF64(sketch) => sketch,
            Self::ReqI32(sketch) => sketch,
            Self::FrequentI64(sketch) => sketch,
            Self::FrequentText(sketch) => sketch,
            Self::TDigest(sketch) => sketch,
            Self::CountMin(sketch) => sketch,
            Self::Bloom(filter) => filter,
            Self::RedisHll(sketch) => sketch,
            Self::PostgresHll(sketch) => sketch,
            Self::AirliftHll(sketch) => sketch,
            Self::SnowflakeHll(sketch) => sketch,
            Self::ZetaHll(sketch) => sketch,
            Self::Puffin(file) => file,
            Self::SparkCountMin(sketch) => sketch,
            Self::SparkBloom(filter) => filter,
        }
    }

    /// Returns the format.
    pub fn format(&self) -> Format {
        self.answers().format()
    }

    /// Writes the bytes that every library of the format reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.answers().bytes()
    }

    /// Returns what describes the sketch, in an order for people.
    pub fn facts(&self) -> Vec<Fact> {
        self.answers().facts()
    }

    /// Returns the number of distinct items, at 95 % confidence.
    ///
    /// # Errors
    /// Returns `Unsupported` for a sketch that does not count them.
    pub fn cardinality(&self) -> Result<Estimate> {
        self.cardinality_at(DEFAULT_CONFIDENCE)
    }

    /// Like [`cardinality`](Self::cardinality), at another confidence.
    ///
    /// # Errors
    /// Returns `Unsupported` for a sketch that does not count distinct items, and `InvalidArgument` unless `confidence` lies strictly
    /// between 0 and 1.
    pub fn cardinality_at(&self, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        self.answers().cardinality_within(confidence)
    }

    /// Returns the quantiles of a KLL or REQ sketch of numbers or a t-digest, at 95 % confidence each.
    ///
    /// # Errors
    /// Returns `Unsupported` for other sketches, `Empty` if there are no values, and `InvalidArgument` unless each of `qs` is 0 to 1.
    pub fn quantiles(&self, qs: &[f64]) -> Result<Vec<QuantileEstimate<Number>>> {
        self.answers().number_quantiles(qs)
    }

    /// Returns the number of all values, or of all occurrences.
    ///
    /// # Errors
    /// Returns `Unsupported` for sketches that do not count them.
    pub fn total(&self) -> Result<u64> {
        self.answers().occurrences()
    }

    /// Returns how often an item occurred, at 95 % confidence.
    ///
    /// # Errors
    /// Returns `Unsupported` for a sketch that does not know it, and `InvalidArgument` for a text that is looked up among whole numbers.
    pub fn frequency<'a>(&self, item: impl Into<ForeignItem<'a>>) -> Result<Estimate> {
        self.answers().frequency_within(item.into(), DEFAULT_CONFIDENCE)
    }

    /// Returns all kept items with their frequencies, the most frequent first, and the greatest frequency that another item can have.
    ///
    /// # Errors
    /// Returns `Unsupported` for a sketch that keeps none.
    pub fn top(&self) -> Result<(Vec<Frequency>, u64)> {
        self.answers().most_frequent()
    }

    /// Returns whether an item may have been inserted; if not, it was not.
    ///
    /// # Errors
    /// Returns `Unsupported` for a sketch that is no filter.
    pub fn contains<'a>(&self, item: impl Into<ForeignItem<'a>>) -> Result<bool> {
        self.answers().has(item.into())
    }

    /// Returns the false-positive rate of a filter, from its fill.
    ///
    /// # Errors
    /// Returns `Unsupported` for a sketch that is no filter.
    pub fn fpr(&self) -> Result<f64> {
        self.answers().rate()
    }

    /// Merges sketches of one format into the sketch of all their items. There is at least one.
    ///
    /// # Errors
    /// Returns `Incompatible` for different formats, types of values or seeds.
    pub fn merged(sketches: Vec<Self>) -> Result<Self> {
        let mut sketches = sketches.into_iter();
        let Some(mut all) = sketches.next() else {
            return Err(unsupported("nothing was given to merge; give at least one sketch"));
        };
        if let Self::Theta(first) = &all {
            let thetas = sketches.map(|sketch| match sketch {
                Self::Theta(theta) => Ok(theta),
                other => Err(differ(&all, &other)),
            });
            let thetas: Vec<Theta> =
                std::iter::once(Ok(first.clone())).chain(thetas).collect::<Result<_>>()?;
            if thetas.len() == 1 {
                return Ok(all);
            }
            return Theta::union(&thetas, Theta::lg_k_of(&thetas)).map(Self::Theta);
        }
        for sketch in sketches {
            match (&mut all, &sketch) {
                (Self::Hll(ours), Self::Hll(theirs)) => ours.merge(theirs),
                (Self::RedisHll(ours), Self::RedisHll(theirs)) => ours.merge(theirs),
                (Self::PostgresHll(ours), Self::PostgresHll(theirs)) => ours.merge(theirs)?,
                (Self::AirliftHll(ours), Self::AirliftHll(theirs)) => ours.merge(theirs)?,
                (Self::SnowflakeHll(ours), Self::SnowflakeHll(theirs)) => ours.merge(theirs)?,
                (Self::ZetaHll(ours), Self::ZetaHll(theirs)) => ours.merge(theirs)?,
                (Self::Puffin(ours), Self::Puffin(theirs)) => ours.merge(theirs)?,
                (Self::SparkCountMin(ours), Self::SparkCountMin(theirs)) => ours.merge(theirs)?,
                (Self::SparkBloom(ours), Self::SparkBloom(theirs)) => ours.merge(theirs)?,
                (Self::CountMin(ours), Self::CountMin(theirs)) => ours.merge(theirs)?,
                (Self::Bloom(ours), Self::Bloom(theirs)) => ours.merge(theirs)?,
                (Self::TDigest(ours), Self::TDigest(theirs)) => ours.merge(theirs)?,
                (Self::FrequentI64(ours), Self::FrequentI64(theirs)) => ours.merge(theirs)?,
                (Self::FrequentText(ours), Self::FrequentText(theirs)) => ours.merge(theirs)?,
                (Self::KllF32(ours), Self::KllF32(theirs)) => ours.merge(theirs)?,
                (Self::KllF64(ours), Self::KllF64(theirs)) => ours.merge(theirs)?,
                (Self::KllI32(ours), Self::KllI32(theirs)) => ours.merge(theirs)?,
                (Self::KllI64(ours), Self::KllI64(theirs)) => ours.merge(theirs)?,
                (Self::KllText(ours), Self::KllText(theirs)) => ours.merge(theirs)?,
                (Self::ReqF32(ours), Self::ReqF32(theirs)) => ours.merge(theirs)?,
                (Self::ReqF64(ours), Self::ReqF64(theirs)) => ours.merge(theirs)?,
                (Self::ReqI32(ours), Self::ReqI32(theirs)) => ours.merge(theirs)?,
                _ => return Err(differ(&all, &sketch)),
            }
        }
        Ok(all)
    }
}

/// Returns whether values are floating-point numbers, as they were read: as such, a whole number is subnormal unless it is large, or, if
/// it is negative, none.
fn are_floating<'a, T: 'a>(
    values: impl Iterator<Item = &'a T>,
    is_zero: fn(&T) -> bool,
    is_normal: fn(&T) -> bool,
) -> bool {
    let (normal, odd): (Vec<&T>, Vec<&T>) =
        values.filter(|&value| !is_zero(value)).partition(|&value| is_normal(value));
    normal.len() >= odd.len()
}

fn differ(ours: &Foreign, theirs: &Foreign) -> crivo::Error {
    incompatible(
        "format",
        ours.answers().full_name(),
        theirs.answers().full_name(),
        "merge sketches of one format and type of values",
    )
}
