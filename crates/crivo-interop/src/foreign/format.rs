//! The formats, and how they are recognised.

use crate::{
    airlift, bloom, count_min, frequent, hll, kll, postgres, puffin, redis, req, snowflake, tdigest, theta,
    zeta,
};

/// Declares the formats with their names and what they are, in a few words.
macro_rules! formats {
    ($($(#[$doc:meta])* $format:ident $name:literal $summary:literal,)*) => {
        /// A format of the bytes of a sketch.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Format {
            $($(#[$doc])* $format,)*
        }

        impl Format {
            /// Every format.
            pub const ALL: &'static [Self] = &[$(Self::$format,)*];

            /// Returns the name, such as `datasketches-theta`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$format => $name,)*
                }
            }

            /// Returns what it is, in a few words.
            pub fn summary(self) -> &'static str {
                match self {
                    $(Self::$format => $summary,)*
                }
            }
        }
    };
}

formats! {
    /// A compact theta sketch of `DataSketches`.
    Theta "datasketches-theta" "a set of hashes below a threshold, for distinct counts and set operations",
    /// A HyperLogLog sketch of `DataSketches`.
    Hll "datasketches-hll" "registers for distinct counts",
    /// A KLL sketch of `DataSketches`.
    Kll "datasketches-kll" "values by level, for quantiles and ranks",
    /// A REQ sketch of `DataSketches`.
    Req "datasketches-req" "values by level, for quantiles and ranks near one end",
    /// A sketch of frequent items of `DataSketches`.
    Frequent "datasketches-frequent-items" "counters for the most frequent items",
    /// A t-digest of `DataSketches`.
    TDigest "datasketches-tdigest" "means of neighbouring values, for quantiles",
    /// A Count-Min sketch of `DataSketches`.
    CountMin "datasketches-count-min" "counters for frequencies",
    /// A Bloom filter of `DataSketches`.
    Bloom "datasketches-bloom" "bits for membership",
    /// A HyperLogLog of Redis or Valkey.
    RedisHll "redis-hll" "registers for distinct counts",
    /// A HyperLogLog of the storage specification that postgresql-hll and others follow.
    PostgresHll "postgres-hll" "hashes or registers for distinct counts",
    /// A HyperLogLog of airlift: of Trino, Presto and Athena.
    AirliftHll "airlift-hll" "hashes or registers for distinct counts",
    /// A HyperLogLog that Snowflake has exported.
    SnowflakeHll "snowflake-hll" "registers for distinct counts",
    /// A HyperLogLog++ of `ZetaSketch`: of `BigQuery`.
    ZetaHll "zetasketch-hll" "hashes or registers for distinct counts",
    /// A Puffin file of Iceberg.
    Puffin "iceberg-puffin" "theta sketches of the columns of a table",
    /// A Count-Min sketch of Spark.
    SparkCountMin "spark-count-min" "counters for frequencies",
    /// A Bloom filter of Spark.
    SparkBloom "spark-bloom" "bits for membership",
}

impl Format {
    /// Recognises a format by its first bytes. Only Redis and Iceberg write a magic number, and Snowflake JSON, so other data may look alike; decoding checks the rest.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(redis::MAGIC) {
            return Some(Self::RedisHll);
        }
        if bytes.starts_with(zeta::HEAD) {
            return Some(Self::ZetaHll);
        }
        if bytes.starts_with(puffin::MAGIC) {
            return Some(Self::Puffin);
        }
        if snowflake::begins(bytes) {
            return Some(Self::SnowflakeHll);
        }
        // A Bloom filter of version 1 has its hashes where a Count-Min sketch has the high half of its total.
        match bytes {
            [0, 0, 0, 1, 0, 0, 0, 0, ..] => return Some(Self::SparkCountMin),
            [0, 0, 0, 1 | 2, 0, 0, ..] => return Some(Self::SparkBloom),
            [0x11..=0x14, size, cutoffs, ..] if postgres::may_be(*size, *cutoffs) => {
                return Some(Self::PostgresHll);
            }
            _ => {}
        }
        let [words, version, family, width, ..] = *bytes else { return None };
        match (family, version, words & 0x3f) {
            (theta::FAMILY, 3, 1..=3) => Some(Self::Theta),
            // The differences of hashes have at least one bit; airlift has few entries there.
            (theta::FAMILY, 4, 1 | 2) if width > 0 => Some(Self::Theta),
            (hll::FAMILY, 1, 2 | 3 | 10) => Some(Self::Hll),
            (kll::FAMILY, 1 | 2, 2 | 5) => Some(Self::Kll),
            (req::FAMILY, 1, 2 | 4) => Some(Self::Req),
            (frequent::FAMILY, 1, 1 | 4) => Some(Self::Frequent),
            (tdigest::FAMILY, 1, 1 | 2) => Some(Self::TDigest),
            (count_min::FAMILY, 1, 2) => Some(Self::CountMin),
            (bloom::FAMILY, 1, 3 | 4) => Some(Self::Bloom),
            _ if airlift::begins(bytes) => Some(Self::AirliftHll),
            _ => None,
        }
    }
}
