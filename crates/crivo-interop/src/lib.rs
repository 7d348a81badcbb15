#![doc = include_str!("../README.md")]

mod airlift;
mod bits;
mod bloom;
mod count_min;
mod datum;
mod foreign;
mod frequent;
mod hll;
mod item;
mod kll;
mod murmur;
mod overcount;
mod postgres;
mod protobuf;
mod puffin;
mod ranks;
mod redis;
mod req;
mod snowflake;
mod spark;
mod tdigest;
mod theta;
mod zeta;

pub use airlift::AirliftHll;
pub use bloom::Bloom;
pub use count_min::CountMin;
pub use datum::Datum;
pub use foreign::{Foreign, Format, Frequency};
pub use frequent::{Frequent, FrequentItem};
pub use hll::{Hll, Width};
pub use item::ForeignItem;
pub use kll::{Kll, KllItem};
pub use postgres::PostgresHll;
pub use puffin::Puffin;
pub use redis::RedisHll;
pub use req::Req;
pub use snowflake::SnowflakeHll;
pub use spark::{SparkBloom, SparkCountMin};
pub use tdigest::TDigest;
pub use theta::{Theta, UpdateTheta};
pub use zeta::ZetaHll;

/// The seed of every hash, unless the writer chose another.
pub const DEFAULT_SEED: u64 = 9001;
