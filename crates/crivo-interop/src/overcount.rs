//! The law of counters that count too much, never too little.

use crivo::foreign::estimate;
use crivo::{Estimate, Guarantee};

/// The size of a table of counters, and what they have counted.
pub(crate) struct Size {
    pub(crate) rows: usize,
    pub(crate) width: u32,
    pub(crate) total: f64,
    /// Whether all counts are whole numbers.
    pub(crate) is_whole: bool,
}

/// Returns how often an item occurred whose least counter is this, where the counters of each row share the total. By
/// Markov's inequality one row counts too much by t or more with probability total/(width·t) at most, and all rows with the power of that
/// to their number, if their hashes are independent. Whole counts have whole bounds.
pub(crate) fn frequency(least: f64, size: &Size, confidence: f64) -> Estimate {
    if least == 0.0 {
        return Estimate::exact(0.0);
    }
    let miss = libm::pow(1.0 - confidence, -1.0 / size.rows as f64);
    let lower = (least - size.total / f64::from(size.width) * miss).max(0.0);
    let lower = if size.is_whole { libm::ceil(lower) } else { lower };
    estimate(least, lower, least, Guarantee::Approximate { confidence })
}
