//! Conversions of sketches of [`Number`]s: to sketches of `f64`, and to their finite range.

use super::ReqSketch;
use crate::Number;
use crate::quantile::kept::Kept;

impl From<&ReqSketch<f64>> for ReqSketch<Number> {
    fn from(sketch: &ReqSketch<f64>) -> Self {
        Self { kept: Kept::from(&sketch.kept), lineage: sketch.lineage.clone() }
    }
}

impl ReqSketch<Number> {
    /// Converts the sketch to one of `f64`, if every kept value is an `f64`. Its bytes are shorter.
    ///
    /// ```
    /// use crivo::{Number, ReqSketch, quantile::Tail};
    /// let mut sketch = ReqSketch::for_k(32, Tail::High)?;
    /// sketch.insert(Number::from(0.5))?;
    /// assert_eq!(ReqSketch::from(&sketch.to_f64().expect("all are")), sketch);
    /// sketch.insert(Number::from(9_007_199_254_740_993u64))?;
    /// assert!(sketch.to_f64().is_none());
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn to_f64(&self) -> Option<ReqSketch<f64>> {
        Some(ReqSketch { kept: self.kept.to_f64()?, lineage: self.lineage.clone() })
    }

    /// Returns the least and the greatest kept finite number. They are the least and the greatest inserted one, unless
    /// infinite numbers were inserted too: then finite numbers that were not kept may lie beyond them.
    ///
    /// ```
    /// use crivo::{Number, ReqSketch, quantile::Tail};
    /// let mut sketch = ReqSketch::for_k(32, Tail::High)?;
    /// sketch.insert_all(&[2.5, f64::INFINITY, -1.0].map(Number::from))?;
    /// assert_eq!(sketch.finite_ends(), Some(((-1.0).into(), 2.5.into())));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn finite_ends(&self) -> Option<(Number, Number)> {
        self.kept.finite_ends()
    }
}
