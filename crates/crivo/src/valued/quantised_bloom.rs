//! A filter of values in one or two bytes: see [`QuantisedBloom`].

use super::cell_table::CellTable;
use super::filter::filter_of_values;
use super::params::LinearBloomParams;
use super::scale::{Level, Scale, check_levels};
use crate::sketch::{Empty, Fact, OfSize, Params, shell};
use crate::{HashSpec, Result};
use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;

/// A quantised Bloom filter: a [`LinearBloom`](crate::LinearBloom) whose values are rounded up to the levels of a
/// scale, in one or two bytes (`QuantisedBloom<u8>` and `QuantisedBloom<u16>`).
///
/// # Use when / not when
/// Use it where values lie in a known range and may be rounded up: in the memory of a
/// [`LinearBloom`](crate::LinearBloom) of `f64` it has eight times the cells, which reduces answers that are too high
/// by more than rounding from 10 % to 2·10⁻⁶ of all. Not where the range is unknown in advance, or where values must be
/// returned exactly.
///
/// # Guarantee
/// The guarantee of [`LinearBloom`](crate::LinearBloom): an inserted item is always reported, never with less than its value. A
/// value is rounded up to the next level, so the answer may exceed it by up to [`rounding`](Self::rounding) even if no
/// other item raised its cells. On a linear scale of 255 levels this is 1/254 of the range, of 65,535 levels 1/65,534;
/// on a logarithmic scale from 1 to 10⁶ it is 5.6 % or 0.02 % of the value. Equal levels are more frequent than equal
/// values: the share of items that others raise to a higher *level* is below [`LinearBloomParams::distortion_at`].
///
/// # Space
/// One or two bytes per cell. With one byte, for 1 million items:
///
/// | raised by others | cells per item | hash functions | memory |
/// |---|---|---|---|
/// | 10 % | 2.74 | 3 | 2.7 MB |
/// | 1 % | 6.45 | 5 | 6.4 MB |
/// | 0.1 % | 10.47 | 8 | 10.5 MB |
///
/// # Time
/// As for a [`LinearBloom`](crate::LinearBloom), with fewer cache misses, plus a logarithm per value on a logarithmic
/// scale.
///
/// # Merge
/// Exact (the maximum, cell by cell): the filter of both streams; commutative, associative and idempotent.
///
/// # Hostile input
/// An attacker who knows the seed can raise the cells of chosen items. Use [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::valued::{LinearBloomParams, QuantisedBloom, Scale};
/// let params = LinearBloomParams::for_distortion(1000, 0.01)?;
/// let mut hottest = QuantisedBloom::<u8>::with_params(params, Scale::linear(-40.0, 60.0)?);
/// hottest.insert("Faro", 31.9)?;
/// let answer = hottest.value("Faro").unwrap();
/// assert!(answer >= 31.9 && answer - hottest.rounding(answer)? < 31.9);
/// assert!(hottest.insert("Venus", 464.0).is_err(), "outside the scale");
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// scale       -40 ──┬──┬──┬── … ──┬── 60     254 steps: level 1 is -40, level 255 is 60
/// 31.9        →     level 184, 32.05         rounded up, so that no answer is too small
/// cells        0  184  0  201  184  0        0 is empty; else as a LinearBloom of small integers
/// ```
///
/// # References
/// C. Ferreira, Análise do erro de estimação em Filtros de Bloom Lineares, University of Minho 2017. Rounding up keeps
/// its guarantee that no answer is too low.
///
/// # Measured
/// `crivo-lab run c-quantised-bloom`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct QuantisedBloom<L: Level> {
    scale: Scale,
    table: CellTable<L>,
}

impl<L: Level> QuantisedBloom<L> {
    /// The number of the highest level.
    const LAST: u32 = (1 << L::TAG) - 1;

    /// Creates an empty filter of this size.
    pub fn with_params(params: LinearBloomParams, scale: Scale) -> Self {
        Self::empty(Size { params, scale, levels: PhantomData }, HashSpec::default())
    }

    /// Returns by how much a value may have been rounded up to this one: the distance to the level below.
    ///
    /// ```
    /// # use crivo::valued::{LinearBloomParams, QuantisedBloom, Scale};
    /// let filter = QuantisedBloom::<u8>::with_params(LinearBloomParams::exact(100, 3)?, Scale::linear(0.0, 254.0)?);
    /// assert_eq!(filter.rounding(17.0)?, 1.0);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` if the value lies outside the scale.
    pub fn rounding(&self, value: f64) -> Result<f64> {
        let level = self.scale.level(value, Self::LAST)?;
        Ok(self.scale.value(level, Self::LAST) - self.scale.value(level.max(2) - 1, Self::LAST))
    }

    /// Returns the scale.
    pub fn scale(&self) -> Scale {
        self.scale
    }

    fn of(size: Size<L>, table: CellTable<L>) -> Self {
        Self { scale: size.scale, table }
    }

    #[inline]
    fn cell_of(&self, value: f64) -> Result<L> {
        self.scale.level(value, Self::LAST).map(L::of)
    }

    #[inline]
    fn value_of(&self, cell: L) -> Option<f64> {
        (cell != L::default()).then(|| self.scale.value(cell.number(), Self::LAST))
    }

    #[inline]
    #[expect(clippy::unused_self, reason = "in other filters cells become empty")]
    fn empty_cell(&self) -> L {
        L::default()
    }

    #[expect(clippy::unused_self, reason = "in other filters cells become empty")]
    fn written(&self, cell: L) -> L {
        cell
    }

    fn raise_to(&mut self, other: &Self) {
        self.table.raise_to(&other.table);
    }
}

filter_of_values!(impl[L: Level] QuantisedBloom<L>, QuantisedBloom, f64, L);
shell!(@for_target [L: Level] QuantisedBloom<L>, LinearBloomParams::for_distortion(items: u64, rate: f64), scale: Scale);

/// The number of cells, and the levels that they hold.
#[derive(Clone, Copy)]
pub(crate) struct Size<L> {
    params: LinearBloomParams,
    scale: Scale,
    levels: PhantomData<L>,
}

impl<L: Level> Size<L> {
    /// Every number is a level.
    #[expect(clippy::unused_self, reason = "in other filters values have an end")]
    fn possible(&self) -> impl Fn(L) -> bool + use<L> {
        |_| true
    }
}

impl<L: Level> OfSize for QuantisedBloom<L> {
    type Params = Size<L>;

    fn params(&self) -> Size<L> {
        Size { params: self.table.params(), scale: self.scale, levels: PhantomData }
    }
}

impl<L: Level> Params for Size<L> {
    const NAMES: &[&str] = &["cell_bits", "cells", "hashes", "spacing", "lower", "upper"];
    const REALS: &[&str] = &["lower", "upper"];

    fn numbers(&self) -> Vec<u64> {
        [&[L::TAG.into()], &self.params.numbers()[..], &self.scale.numbers()].concat()
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        check_levels::<L>(numbers[0])?;
        let params = LinearBloomParams::of([numbers[1], numbers[2]])?;
        Ok(Self { params, scale: Scale::of([numbers[3], numbers[4], numbers[5]])?, levels: PhantomData })
    }

    fn memory_bytes(&self) -> u64 {
        self.params.cell_bytes::<L>()
    }

    fn facts(&self) -> Vec<Fact> {
        let [cells, hashes] = self.params.facts();
        vec![
            Fact::count("cell_bits", L::TAG.into()),
            Fact::text("spacing", self.scale.spacing().name()),
            Fact::number("lower", self.scale.lower()),
            Fact::number("upper", self.scale.upper()),
            cells,
            hashes,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::valued::Verdict;

    fn filter<L: Level>() -> QuantisedBloom<L> {
        QuantisedBloom::with_params(
            LinearBloomParams::exact(10_001, 5).unwrap(),
            Scale::logarithmic(0.5, 8e9).unwrap(),
        )
    }

    fn rounds_up_by_a_step_at_most<L: Level>() {
        let mut filter = filter::<L>();
        let mut rng = crate::rng::Rng::new(5);
        for item in 0..300u32 {
            let value = libm::exp(20.0 * rng.unit());
            filter.insert(&item, value).unwrap();
            let answer = filter.value(&item).unwrap();
            assert!(value <= answer && answer - filter.rounding(answer).unwrap() < value, "{value} {answer}");
            assert_eq!(filter.verdict(&item, value), Ok(Verdict::Equal));
            assert_eq!(filter.verdict(&item, 0.75), Ok(Verdict::Above(answer)));
            assert_eq!(filter.verdict(&item, 8e9), Ok(Verdict::Below(answer)));
        }
    }

    #[test]
    fn values_are_rounded_up_by_a_step_at_most() {
        rounds_up_by_a_step_at_most::<u8>();
        rounds_up_by_a_step_at_most::<u16>();
    }

    #[test]
    fn the_steps_of_the_page() {
        let params = LinearBloomParams::exact(1, 1).unwrap();
        let linear = Scale::linear(0.0, 1.0).unwrap();
        assert!(
            (QuantisedBloom::<u8>::with_params(params, linear).rounding(0.7).unwrap() - 1.0 / 254.0).abs()
                < 1e-12
        );
        assert!(
            (QuantisedBloom::<u16>::with_params(params, linear).rounding(0.7).unwrap() - 1.0 / 65534.0).abs()
                < 1e-12
        );
        let ratio = Scale::logarithmic(1.0, 1e6).unwrap();
        let share = |rounding: f64, value: f64| rounding / (value - rounding);
        let narrow = QuantisedBloom::<u8>::with_params(params, ratio);
        let level = narrow.scale.value(100, 255);
        assert!((share(narrow.rounding(level).unwrap(), level) - 0.0559).abs() < 1e-4);
        let wide = QuantisedBloom::<u16>::with_params(params, ratio);
        let level = wide.scale.value(100, 65535);
        assert!((share(wide.rounding(level).unwrap(), level) - 0.000_211).abs() < 1e-6);
        assert_eq!(narrow.rounding(1.0), Ok(0.0));
        assert!(narrow.rounding(0.5).is_err());
    }

    #[test]
    fn values_outside_the_scale_are_refused() {
        let mut filter = filter::<u8>();
        for outside in [0.0, 0.499, 8.1e9, f64::NAN, f64::INFINITY, -1.0] {
            assert!(filter.insert("a", outside).is_err(), "{outside}");
            assert!(filter.insert_hashes(&[(1, 1.0), (2, outside)]).is_err());
            assert!(filter.verdict("a", outside).is_err());
        }
        assert!(filter.is_empty());
    }

    #[test]
    fn only_equal_scales_merge() {
        let mut ours = filter::<u16>();
        let params = ours.params();
        for scale in [Scale::linear(0.5, 8e9), Scale::logarithmic(0.25, 8e9), Scale::logarithmic(0.5, 9e9)] {
            let error = ours.merge(&QuantisedBloom::with_params(params, scale.unwrap())).unwrap_err();
            assert_eq!(error.kind(), crate::ErrorKind::Incompatible);
        }
        assert!(QuantisedBloom::<u8>::from_bytes(&ours.to_bytes()).is_err(), "of another width");
    }
}
