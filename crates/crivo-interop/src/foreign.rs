//! Any sketch that this crate reads, recognised by its bytes.

use crate::{Hll, Kll, KllItem, RedisHll, SparkBloom, SparkCountMin, Theta, hll, kll, redis, theta};
use crivo::foreign::{check_confidence, incompatible, unsupported};
use crivo::sketch::{Fact, FactValue};
use crivo::{DEFAULT_CONFIDENCE, Estimate, Number, QuantileEstimate, Result};

/// A format of the bytes of a sketch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A compact theta sketch of `DataSketches`.
    Theta,
    /// A HyperLogLog sketch of `DataSketches`.
    Hll,
    /// A KLL sketch of `DataSketches`.
    Kll,
    /// A HyperLogLog of Redis or Valkey.
    RedisHll,
    /// A Count-Min sketch of Spark.
    SparkCountMin,
    /// A Bloom filter of Spark.
    SparkBloom,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 6] =
        [Self::Theta, Self::Hll, Self::Kll, Self::RedisHll, Self::SparkCountMin, Self::SparkBloom];

    /// Returns the name, such as `datasketches-theta`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Theta => "datasketches-theta",
            Self::Hll => "datasketches-hll",
            Self::Kll => "datasketches-kll",
            Self::RedisHll => "redis-hll",
            Self::SparkCountMin => "spark-count-min",
            Self::SparkBloom => "spark-bloom",
        }
    }

    /// Returns what it is, in a few words.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Theta => "a set of hashes below a threshold, for distinct counts and set operations",
            Self::Hll | Self::RedisHll => "registers for distinct counts",
            Self::SparkCountMin => "counters for frequencies",
            Self::SparkBloom => "bits for membership",
            Self::Kll => "values by level, for quantiles and ranks",
        }
    }

    /// Recognises a format by its first bytes. Only Redis writes a magic number, so other data may look alike; decoding checks the rest.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(redis::MAGIC) {
            return Some(Self::RedisHll);
        }
        // A Bloom filter of version 1 has its hashes where a Count-Min sketch has the high half of its total.
        match bytes {
            [0, 0, 0, 1, 0, 0, 0, 0, ..] => return Some(Self::SparkCountMin),
            [0, 0, 0, 1 | 2, 0, 0, ..] => return Some(Self::SparkBloom),
            _ => {}
        }
        let [words, version, family, ..] = *bytes else { return None };
        match (family, version, words & 0x3f) {
            (theta::FAMILY, 3, 1..=3) | (theta::FAMILY, 4, 1 | 2) => Some(Self::Theta),
            (hll::FAMILY, 1, 2 | 3 | 10) => Some(Self::Hll),
            (kll::FAMILY, 1 | 2, 2 | 5) => Some(Self::Kll),
            _ => None,
        }
    }
}

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
    /// A KLL sketch of whole numbers.
    KllI64(Kll<i64>),
    /// A KLL sketch of texts.
    KllText(Kll<String>),
    /// A HyperLogLog of Redis or Valkey.
    RedisHll(RedisHll),
    /// A Count-Min sketch of Spark.
    SparkCountMin(SparkCountMin),
    /// A Bloom filter of Spark.
    SparkBloom(SparkBloom),
}

impl Foreign {
    /// Reads a sketch of any format. The bytes of a KLL sketch do not name the type of its values. Four bytes each are floats. Eight bytes
    /// each are whole numbers if most of them would not be normal doubles, which is so for whole numbers up to 2⁵² of either sign;
    /// otherwise they are doubles. [`Kll::from_bytes`] reads a sketch of a known type.
    ///
    /// # Errors
    /// Returns `Unsupported` for an unknown format, and the errors of each format.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        match Format::of(bytes) {
            Some(Format::Theta) => Theta::from_bytes(bytes).map(Self::Theta),
            Some(Format::Hll) => Hll::from_bytes(bytes).map(Self::Hll),
            Some(Format::Kll) => Self::decode_kll(bytes),
            Some(Format::RedisHll) => RedisHll::from_bytes(bytes).map(Self::RedisHll),
            Some(Format::SparkCountMin) => SparkCountMin::from_bytes(bytes).map(Self::SparkCountMin),
            Some(Format::SparkBloom) => match SparkBloom::from_bytes(bytes) {
                Ok(filter) => Ok(Self::SparkBloom(filter)),
                // With a total of 2³² or more.
                Err(error) => SparkCountMin::from_bytes(bytes).map(Self::SparkCountMin).map_err(|_| error),
            },
            None => Err(unsupported(
                "the first bytes belong to no known format; theta, HyperLogLog and KLL sketches of DataSketches, HyperLogLogs of Redis, and Count-Min sketches and Bloom filters of Spark are read",
            )),
        }
    }

    fn decode_kll(bytes: &[u8]) -> Result<Self> {
        let doubles = Kll::<f64>::from_bytes(bytes);
        if let Ok(doubles) = &doubles {
            // As a double, a whole number up to 2⁵² is subnormal or, if it is negative, none.
            let (normal, odd): (Vec<f64>, Vec<f64>) =
                doubles.values().filter(|&&value| value != 0.0).partition(|value| value.is_normal());
            if normal.len() >= odd.len() {
                return Ok(Self::KllF64(doubles.clone()));
            }
        }
        if let Ok(longs) = Kll::from_bytes(bytes) {
            return Ok(Self::KllI64(longs));
        }
        if let Ok(floats) = Kll::from_bytes(bytes) {
            return Ok(Self::KllF32(floats));
        }
        if let Ok(texts) = Kll::from_bytes(bytes) {
            return Ok(Self::KllText(texts));
        }
        doubles.map(Self::KllF64)
    }

    /// Returns the format.
    pub fn format(&self) -> Format {
        match self {
            Self::Theta(_) => Format::Theta,
            Self::Hll(_) => Format::Hll,
            Self::RedisHll(_) => Format::RedisHll,
            Self::SparkCountMin(_) => Format::SparkCountMin,
            Self::SparkBloom(_) => Format::SparkBloom,
            _ => Format::Kll,
        }
    }

    /// Writes the bytes that every library of the format reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Theta(sketch) => sketch.to_bytes(),
            Self::Hll(sketch) => sketch.to_bytes(),
            Self::KllF32(sketch) => sketch.to_bytes(),
            Self::KllF64(sketch) => sketch.to_bytes(),
            Self::KllI64(sketch) => sketch.to_bytes(),
            Self::KllText(sketch) => sketch.to_bytes(),
            Self::RedisHll(sketch) => sketch.to_bytes(),
            Self::SparkCountMin(sketch) => sketch.to_bytes(),
            Self::SparkBloom(sketch) => sketch.to_bytes(),
        }
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
        match self {
            Self::Theta(sketch) => sketch.estimate_at(confidence),
            Self::Hll(sketch) => sketch.estimate_at(confidence),
            Self::RedisHll(sketch) => sketch.estimate_at(confidence),
            other => Err(unsupported(format!("a {} does not count distinct items", full_name(other)))),
        }
    }

    /// Returns the quantiles of a KLL sketch of numbers, at 95 % confidence each.
    ///
    /// # Errors
    /// Returns `Unsupported` for other sketches, `Empty` if there are no values, and `InvalidArgument` unless each of `qs` is 0 to 1.
    pub fn quantiles(&self, qs: &[f64]) -> Result<Vec<QuantileEstimate<Number>>> {
        fn of<T: KllItem>(
            sketch: &Kll<T>,
            qs: &[f64],
            number: impl Fn(T) -> Number,
        ) -> Result<Vec<QuantileEstimate<Number>>> {
            qs.iter().map(|&q| sketch.quantile(q).map(|quantile| quantile.map(&number))).collect()
        }
        match self {
            Self::KllF32(sketch) => of(sketch, qs, |value| Number::from(f64::from(value))),
            Self::KllF64(sketch) => of(sketch, qs, Number::from),
            Self::KllI64(sketch) => of(sketch, qs, Number::from),
            _ => Err(no_numbers(self)),
        }
    }

    /// Returns the number of values of a KLL sketch of numbers.
    ///
    /// # Errors
    /// Returns `Unsupported` for other sketches.
    pub fn total(&self) -> Result<u64> {
        match self {
            Self::KllF32(sketch) => Ok(sketch.total()),
            Self::KllF64(sketch) => Ok(sketch.total()),
            Self::KllI64(sketch) => Ok(sketch.total()),
            _ => Err(no_numbers(self)),
        }
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
                (Self::SparkCountMin(ours), Self::SparkCountMin(theirs)) => ours.merge(theirs)?,
                (Self::SparkBloom(ours), Self::SparkBloom(theirs)) => ours.merge(theirs)?,
                (Self::KllF32(ours), Self::KllF32(theirs)) => ours.merge(theirs)?,
                (Self::KllF64(ours), Self::KllF64(theirs)) => ours.merge(theirs)?,
                (Self::KllI64(ours), Self::KllI64(theirs)) => ours.merge(theirs)?,
                (Self::KllText(ours), Self::KllText(theirs)) => ours.merge(theirs)?,
                _ => return Err(differ(&all, &sketch)),
            }
        }
        Ok(all)
    }

    /// Returns what describes the sketch, in an order for people.
    pub fn facts(&self) -> Vec<Fact> {
        match self {
            Self::Theta(sketch) => vec![
                estimate("distinct", sketch.estimate()),
                count("hashes", sketch.hashes().len() as u64),
                Fact { name: "theta", value: FactValue::Number(sketch.theta()) },
                text("seed_hash", format!("{:#06x}", sketch.seed_hash())),
            ],
            Self::Hll(sketch) => vec![
                estimate("distinct", sketch.estimate()),
                count("precision", sketch.lg_k().into()),
                count("register_bits", sketch.width().bits().into()),
                text("form", if sketch.is_sparse() { "hashes" } else { "registers" }.into()),
            ],
            Self::RedisHll(sketch) => vec![
                estimate("distinct", sketch.estimate()),
                count("precision", 14),
                text("form", if sketch.is_dense() { "dense" } else { "sparse" }.into()),
            ],
            Self::SparkCountMin(sketch) => vec![
                count("total", sketch.total()),
                count("depth", sketch.rows() as u64),
                count("width", sketch.width().into()),
            ],
            Self::SparkBloom(filter) => vec![
                count("bits", filter.bits()),
                count("hashes", filter.hashes().into()),
                Fact { name: "fill", value: FactValue::Number(filter.fill()) },
                Fact { name: "fpr", value: FactValue::Number(filter.fpr()) },
            ],
            Self::KllF32(sketch) => facts_of(sketch),
            Self::KllF64(sketch) => facts_of(sketch),
            Self::KllI64(sketch) => facts_of(sketch),
            Self::KllText(sketch) => facts_of(sketch),
        }
    }
}

fn facts_of<T: KllItem>(sketch: &Kll<T>) -> Vec<Fact> {
    vec![
        count("values", sketch.total()),
        text("elements", T::NAME.into()),
        count("k", sketch.k().into()),
        count("kept", sketch.kept() as u64),
        Fact { name: "rank_error", value: FactValue::Number(sketch.rank_error()) },
    ]
}

fn count(name: &'static str, value: u64) -> Fact {
    Fact { name, value: FactValue::Count(value) }
}

fn text(name: &'static str, value: String) -> Fact {
    Fact { name, value: FactValue::Text(value) }
}

fn estimate(name: &'static str, value: Estimate) -> Fact {
    Fact { name, value: FactValue::Estimate(value) }
}

fn no_numbers(sketch: &Foreign) -> crivo::Error {
    unsupported(format!("a {} has no quantiles of numbers", full_name(sketch)))
}

fn differ(ours: &Foreign, theirs: &Foreign) -> crivo::Error {
    incompatible(
        "format",
        full_name(ours),
        full_name(theirs),
        "merge sketches of one format and type of values",
    )
}

/// The name of the format, with the type of the values.
fn full_name(sketch: &Foreign) -> &'static str {
    match sketch {
        Foreign::KllF32(_) => "datasketches-kll of floats",
        Foreign::KllF64(_) => "datasketches-kll of doubles",
        Foreign::KllI64(_) => "datasketches-kll of whole numbers",
        Foreign::KllText(_) => "datasketches-kll of texts",
        other => other.format().name(),
    }
}
