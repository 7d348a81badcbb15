//! Kept [`Number`]s: their conversion to `f64`, and their finite range.

use super::{Kept, Plan};
use crate::Number;

impl<P: Plan> From<&Kept<f64, P>> for Kept<Number, P> {
    fn from(kept: &Kept<f64, P>) -> Self {
        kept.map(|&value| Number::from(value))
    }
}

impl<P: Plan> Kept<Number, P> {
    /// Converts the values to `f64`, if every one is an `f64`.
    pub(in crate::quantile) fn to_f64(&self) -> Option<Kept<f64, P>> {
        let are_all = self.with_ends().all(|number| *number == number.to_f64());
        are_all.then(|| self.map(|number| number.to_f64()))
    }

    /// Returns the least and the greatest finite number that is kept.
    pub(in crate::quantile) fn finite_ends(&self) -> Option<(Number, Number)> {
        let mut finite = self.with_ends().filter(|number| number.to_f64().is_finite()).copied();
        let first = finite.next()?;
        Some(finite.fold((first, first), |(least, greatest), number| {
            (if number < least { number } else { least }, if number > greatest { number } else { greatest })
        }))
    }

    fn with_ends(&self) -> impl Iterator<Item = &Number> {
        let ends = self.ends.iter().flat_map(|(min, max)| [min, max]);
        self.levels.items().iter().chain(ends)
    }
}
