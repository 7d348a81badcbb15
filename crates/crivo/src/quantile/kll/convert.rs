//! Conversions of sketches of [`Number`]s: to sketches of `f64`, and to their finite range.

use super::Kll;
use crate::Number;
use crate::quantile::kept::Kept;

impl From<&Kll<f64>> for Kll<Number> {
    fn from(sketch: &Kll<f64>) -> Self {
        Self { kept: Kept::from(&sketch.kept), inherited: sketch.inherited }
    }
}

impl Kll<Number> {
    /// Converts the sketch to one of `f64`, if every kept value is an `f64`. Its bytes are shorter, and every version
    /// of Crivo reads them.
    ///
    /// ```
    /// use crivo::{Kll, Number};
    /// let mut sketch = Kll::for_k(200)?;
    /// sketch.insert(Number::from(0.5))?;
    /// assert_eq!(Kll::from(&sketch.to_f64().expect("all are")), sketch);
    /// sketch.insert(Number::from(9_007_199_254_740_993u64))?;
    /// assert!(sketch.to_f64().is_none());
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn to_f64(&self) -> Option<Kll<f64>> {
        Some(Kll { kept: self.kept.to_f64()?, inherited: self.inherited })
    }

    /// Returns the least and the greatest kept finite number. They are the least and the greatest inserted one, unless
    /// infinite numbers were inserted too: then finite numbers that were not kept may lie beyond them.
    ///
    /// ```
    /// use crivo::{Kll, Number};
    /// let mut sketch = Kll::for_k(200)?;
    /// sketch.insert_all(&[2.5, f64::INFINITY, -1.0].map(Number::from))?;
    /// assert_eq!(sketch.finite_ends(), Some(((-1.0).into(), 2.5.into())));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn finite_ends(&self) -> Option<(Number, Number)> {
        self.kept.finite_ends()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn a_sketch_of_numbers_is_that_of_their_doubles() {
        let (mut doubles, mut numbers) = (Kll::for_k(30).unwrap(), Kll::for_k(30).unwrap());
        let mut rng = Rng::new(8);
        for _ in 0..5000 {
            let value = (rng.unit() - 0.5) * 1e3;
            doubles.insert(value).unwrap();
            numbers.insert(Number::from(value)).unwrap();
        }
        assert_eq!(numbers, Kll::from(&doubles));
        assert_eq!(numbers.to_f64(), Some(doubles));
        assert_eq!(Kll::from_bytes(&numbers.to_bytes()).unwrap(), numbers);
    }
}
