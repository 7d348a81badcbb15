//! The HyperLogLog that Snowflake exports: see [`SnowflakeHll`].
//!
//! ```text
//! {"dense": [0, 3, 1, …], "precision": 12, "version": 4}
//! {"precision": 12, "sparse": {"indices": [17, 4095], "maxLzCounts": [2, 1]}, "version": 4}
//! ```
//!
//! Each number is the rank of a register: one more than the zeros that begin the rest of a hash, and 0 for an empty register.

use crate::foreign::{Answers, Format, count, estimate, text};
use crate::ranks::Ranks;
use crivo::foreign::{check_confidence, incompatible, malformed, unsupported};
use crivo::sketch::Fact;
use crivo::{DEFAULT_CONFIDENCE, Estimate, Result};
use serde::Deserialize;
use serde_json::json;

/// log₂ of the number of registers, which is fixed.
const PRECISION: u8 = 12;
/// The rank of a hash whose other 52 bits are zeros.
const MOST: u8 = 53;
/// More registers in use take less room as a list of all.
const MOST_SPARSE: usize = (1 << PRECISION) / 4;

/// Returns whether bytes begin as an exported sketch does: its fields may come in any order.
pub(crate) fn begins(bytes: &[u8]) -> bool {
    let Some(field) = bytes.trim_ascii_start().strip_prefix(b"{") else { return false };
    let field = field.trim_ascii_start();
    [&b"\"dense\""[..], b"\"precision\"", b"\"sparse\"", b"\"version\""]
        .iter()
        .any(|name| field.starts_with(name))
}

/// A HyperLogLog that `HLL_EXPORT` of Snowflake has made: a JSON object.
///
/// Nobody outside Snowflake knows how it hashes, so that no items can be inserted.
///
/// # Guarantee
/// The value is Crivo's own estimator on the registers. [`Guarantee::Approximate`](crivo::Guarantee).
///
/// # Merge
/// Exact, as `HLL_COMBINE`.
///
/// # Example
/// ```
/// use crivo_interop::SnowflakeHll;
/// let exported = r#"{"precision": 12, "sparse": {"indices": [17, 900, 4095], "maxLzCounts": [2, 1, 4]}, "version": 4}"#;
/// let sketch = SnowflakeHll::from_json(exported.as_bytes())?;
/// assert!(sketch.estimate().contains(3.0));
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SnowflakeHll {
    ranks: Ranks,
    is_dense: bool,
    version: u8,
}

/// The object.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exported {
    dense: Option<Vec<u8>>,
    precision: u8,
    sparse: Option<Sparse>,
    version: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sparse {
    indices: Vec<u16>,
    #[serde(rename = "maxLzCounts")]
    ranks: Vec<u8>,
}

impl SnowflakeHll {
    /// Takes in all items of another sketch.
    ///
    /// # Errors
    /// Returns `Incompatible` if the versions differ.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        if self.version != other.version {
            return Err(incompatible(
                "version",
                self.version,
                other.version,
                "export both with the same release of Snowflake",
            ));
        }
        self.ranks.merge(&other.ranks);
        self.is_dense |= other.is_dense || self.used() > MOST_SPARSE;
        Ok(())
    }

    fn used(&self) -> usize {
        self.ranks.as_slice().iter().filter(|&&rank| rank > 0).count()
    }

    /// Returns the estimated number of distinct items, at 95 % confidence.
    pub fn estimate(&self) -> Estimate {
        self.ranks.estimate(DEFAULT_CONFIDENCE)
    }

    /// Returns the estimate at another confidence.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn estimate_at(&self, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        Ok(self.ranks.estimate(confidence))
    }

    /// Returns whether it lists all registers rather than those in use.
    pub fn is_dense(&self) -> bool {
        self.is_dense
    }

    /// Reads the object that `HLL_EXPORT` returns, as JSON.
    ///
    /// # Errors
    /// Returns `Malformed` for what is no such object, and `Unsupported` for another version or precision.
    pub fn from_json(json: &[u8]) -> Result<Self> {
        let exported: Exported = serde_json::from_slice(json)
            .map_err(|error| malformed(format!("it is no object of HLL_EXPORT of Snowflake: {error}")))?;
        let Exported { dense, precision, sparse, version } = exported;
        if precision != PRECISION || !(3..=4).contains(&version) {
            return Err(unsupported(format!(
                "objects of HLL_EXPORT with the precision 12 and the version 3 or 4 are read, found {precision} and {version}"
            )));
        }
        let is_dense = dense.is_some();
        let ranks = match (dense, sparse) {
            (Some(dense), None) => dense,
            (None, Some(sparse)) => spread(sparse)?,
            _ => return Err(malformed("an object of HLL_EXPORT has either dense or sparse registers")),
        };
        if ranks.len() != 1 << PRECISION || ranks.iter().any(|&rank| rank > MOST) {
            return Err(malformed(format!(
                "expected 4096 registers of at most {MOST}, found {}, the greatest of them {}",
                ranks.len(),
                ranks.iter().max().unwrap_or(&0)
            )));
        }
        let mut sketch = Self { ranks: Ranks::new(PRECISION, MOST), is_dense, version };
        ranks.into_iter().enumerate().for_each(|(register, rank)| sketch.ranks.raise(register, rank));
        Ok(sketch)
    }

    /// Writes the object that `HLL_IMPORT` takes, after `PARSE_JSON`.
    pub fn to_json(&self) -> String {
        let ranks = self.ranks.as_slice();
        // The fields are in the order in which Snowflake prints them.
        let exported = if self.is_dense {
            json!({"dense": ranks, "precision": PRECISION, "version": self.version})
        } else {
            let (indices, ranks): (Vec<usize>, Vec<u8>) =
                (0..).zip(ranks.iter().copied()).filter(|&(_, rank)| rank > 0).unzip();
            let sparse = json!({"indices": indices, "maxLzCounts": ranks});
            json!({"precision": PRECISION, "sparse": sparse, "version": self.version})
        };
        exported.to_string()
    }
}

/// All registers, of which some are given.
fn spread(sparse: Sparse) -> Result<Vec<u8>> {
    let mut ranks = vec![None; 1 << PRECISION];
    if sparse.indices.len() != sparse.ranks.len() {
        return Err(malformed("indices and maxLzCounts differ in length"));
    }
    for (index, rank) in sparse.indices.into_iter().zip(sparse.ranks) {
        match ranks.get_mut(usize::from(index)) {
            Some(place @ None) => *place = Some(rank),
            _ => return Err(malformed(format!("the index {index} is 4096 or more, or repeats"))),
        }
    }
    Ok(ranks.into_iter().map(Option::unwrap_or_default).collect())
}

impl Answers for SnowflakeHll {
    fn format(&self) -> Format {
        Format::SnowflakeHll
    }

    fn bytes(&self) -> Vec<u8> {
        self.to_json().into_bytes()
    }

    fn facts(&self) -> Vec<Fact> {
        vec![
            estimate("distinct", self.estimate()),
            count("precision", PRECISION.into()),
            text("form", if self.is_dense { "dense" } else { "sparse" }),
        ]
    }

    fn cardinality_within(&self, confidence: f64) -> Result<Estimate> {
        self.estimate_at(confidence)
    }
}
