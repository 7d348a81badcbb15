//! `DataSketches`' theta sketch: see [`Theta`].

mod sets;
mod update;
mod wire;

pub use update::UpdateTheta;
pub(crate) use wire::FAMILY;

use crate::foreign::{Answers, Format, count, estimate as estimate_fact, number, text};
use crivo::foreign::{check_confidence, estimate, estimate_of_hashes, trial_bounds};
use crivo::sketch::Fact;
use crivo::{DEFAULT_CONFIDENCE, Estimate, Guarantee, Result};

/// Every hash is below this: the threshold of a sketch that keeps all hashes.
pub(crate) const ALL: u64 = i64::MAX as u64;
/// The number of places where a hash can fall.
const PLACES: f64 = (1u64 << 63) as f64;

/// A compact theta sketch of Apache `DataSketches`: all hashes of a stream below a threshold θ.
///
/// Spark, Druid, Trino, Iceberg and others write and merge these bytes. An [`UpdateTheta`] makes one from items.
///
/// # Guarantee
/// The estimate is c/θ for c hashes, as `DataSketches` computes it; without a threshold it is the count. The interval is that of
/// the number of trials of which c succeed with probability θ; [`Guarantee::Approximate`], because θ depends on the hashes.
///
/// # Merge
/// Exact: a union of the sketches of two streams, at the same number of hashes, is the sketch of both.
///
/// # Example
/// ```
/// use crivo_interop::{Theta, UpdateTheta};
/// let (mut monday, mut tuesday) = (UpdateTheta::for_lg_k(12)?, UpdateTheta::for_lg_k(12)?);
/// (0..40_000u64).for_each(|visitor| monday.insert(&visitor));
/// (30_000..70_000u64).for_each(|visitor| tuesday.insert(&visitor));
/// let bytes = monday.sketch().to_bytes(); // any DataSketches library reads them
/// let monday = Theta::from_bytes(&bytes)?;
/// let came_back = monday.intersection(&tuesday.sketch())?.estimate();
/// assert!(came_back.contains(10_000.0), "{came_back}");
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Theta {
    seed_hash: u16,
    /// All hashes of the stream below it are kept.
    theta: u64,
    /// Whether nothing was ever inserted: a sketch without hashes may still have seen items above θ.
    is_empty: bool,
    is_ordered: bool,
    hashes: Vec<u64>,
    marks: wire::Marks,
}

impl Theta {
    fn new(seed_hash: u16, theta: u64, is_empty: bool, mut hashes: Vec<u64>) -> Self {
        hashes.sort_unstable();
        Self { seed_hash, theta, is_empty, is_ordered: true, hashes, marks: wire::Marks::default() }
    }

    /// Returns the estimated number of distinct items, at 95 % confidence.
    pub fn estimate(&self) -> Estimate {
        self.estimate_within(DEFAULT_CONFIDENCE)
    }

    /// Returns the estimate at another confidence.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn estimate_at(&self, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        Ok(self.estimate_within(confidence))
    }

    fn estimate_within(&self, confidence: f64) -> Estimate {
        let count = self.hashes.len() as u64;
        if self.has_all() {
            return estimate_of_hashes(count, PLACES, confidence);
        }
        let shares = (self.theta as f64 / PLACES, ((1 << 63) - self.theta) as f64 / PLACES);
        let (lower, upper) = trial_bounds(count, count, shares, confidence);
        estimate(count as f64 / self.theta(), lower, upper, Guarantee::Approximate { confidence })
    }

    /// Returns whether nothing was inserted.
    pub fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Returns whether it keeps every hash, so that the estimate is exact.
    pub fn has_all(&self) -> bool {
        self.theta == ALL
    }

    /// Returns the threshold as a share of all hashes.
    pub fn theta(&self) -> f64 {
        self.theta as f64 / ALL as f64
    }

    /// Returns the hashes, in the order of the file.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// Returns the 16 bits that name the seed; sketches of different seeds do not combine.
    pub fn seed_hash(&self) -> u16 {
        self.seed_hash
    }
}

impl Answers for Theta {
    fn format(&self) -> Format {
        Format::Theta
    }

    fn bytes(&self) -> Vec<u8> {
        self.to_bytes()
    }

    fn facts(&self) -> Vec<Fact> {
        vec![
            estimate_fact("distinct", self.estimate()),
            count("hashes", self.hashes.len() as u64),
            number("theta", self.theta()),
            text("seed_hash", format!("{:#06x}", self.seed_hash)),
        ]
    }

    fn cardinality_within(&self, confidence: f64) -> Result<Estimate> {
        Ok(self.estimate_within(confidence))
    }
}
