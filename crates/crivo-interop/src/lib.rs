#![doc = include_str!("../README.md")]

mod datum;
mod foreign;
mod hll;
mod kll;
mod murmur;
mod ranks;
mod redis;
mod spark;
mod theta;

pub use datum::Datum;
pub use foreign::{Foreign, Format};
pub use hll::{Hll, Width};
pub use kll::{Kll, KllItem};
pub use redis::RedisHll;
pub use spark::{SparkBloom, SparkCountMin, SparkItem};
pub use theta::{Theta, UpdateTheta};

/// The seed of every hash, unless the writer chose another.
pub const DEFAULT_SEED: u64 = 9001;
