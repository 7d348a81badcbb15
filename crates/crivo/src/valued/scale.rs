//! Scales of levels, to which values are rounded up.

use super::value::Cell;
use crate::codec::Reader;
use crate::each_type::each_type;
use crate::{Error, Result};
use alloc::format;
use libm::{ceil, exp, log};

/// The levels of a [`QuantisedBloom`](crate::valued::QuantisedBloom): from a lower to an upper end, at equal distances
/// or in equal ratios. A cell of b bits has 2ᵇ − 1 levels, including both ends.
///
/// ```
/// use crivo::valued::Scale;
/// let temperatures = Scale::linear(-40.0, 60.0)?;
/// let sizes = Scale::logarithmic(1.0, 1e12)?;
/// assert!(Scale::logarithmic(0.0, 1.0).is_err(), "ratios need numbers above 0");
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    lower: f64,
    upper: f64,
    spacing: Spacing,
}

/// The spacing of the levels of a [`Scale`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spacing {
    /// Equal distances: the rounding is a fixed number.
    Linear,
    /// Equal ratios: the rounding is a fixed share of the value.
    Logarithmic,
}

impl Spacing {
    /// Returns `linear` or `logarithmic`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Logarithmic => "logarithmic",
        }
    }
}

/// A cell of a quantised filter: `u8` or `u16`.
pub trait Level: Cell {
    #[doc(hidden)]
    const TAG: u8;
    /// Converts `number`, which is below 2ᵇ.
    #[doc(hidden)]
    fn of(number: u32) -> Self;
    #[doc(hidden)]
    fn number(self) -> u32;
}

each_type!(Bits in u8, u16 => {
    impl Level for Bits {
        const TAG: u8 = Self::BITS as u8;

        #[inline]
        fn of(number: u32) -> Self {
            number as Self
        }

        #[inline]
        fn number(self) -> u32 {
            self.into()
        }
    }
});

impl Scale {
    /// Creates a scale of levels at equal distances.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless the ends are finite, `lower` is below `upper`, and their distance is finite.
    pub fn linear(lower: f64, upper: f64) -> Result<Self> {
        Self::new(lower, upper, Spacing::Linear)
    }

    /// Creates a scale of levels in equal ratios.
    ///
    /// # Errors
    /// Returns `InvalidArgument` as [`linear`](Self::linear) does, and unless `lower` is above 0.
    pub fn logarithmic(lower: f64, upper: f64) -> Result<Self> {
        Self::new(lower, upper, Spacing::Logarithmic)
    }

    fn new(lower: f64, upper: f64, spacing: Spacing) -> Result<Self> {
        let is_ordered = lower < upper && (upper - lower).is_finite() && lower.is_finite();
        if !is_ordered {
            return Err(Error::invalid(format!(
                "a scale needs a lower end below its upper end, got {lower} and {upper}; give the least and the greatest value"
            )));
        }
        if spacing == Spacing::Logarithmic && lower <= 0.0 {
            return Err(Error::invalid(format!(
                "a logarithmic scale must begin above 0, got {lower}; use a linear scale or a higher lower end"
            )));
        }
        // Removes −0, since equal scales must have equal bytes.
        Ok(Self { lower: lower + 0.0, upper: upper + 0.0, spacing })
    }

    /// Returns the lower end.
    pub fn lower(&self) -> f64 {
        self.lower
    }

    /// Returns the upper end.
    pub fn upper(&self) -> f64 {
        self.upper
    }

    /// Returns the spacing of the levels.
    pub fn spacing(&self) -> Spacing {
        self.spacing
    }

    /// Returns the value of a level. Levels are numbered from 1, the lower end, to `last`, the upper end.
    #[inline]
    pub(super) fn value(&self, level: u32, last: u32) -> f64 {
        if level >= last {
            return self.upper;
        }
        let share = f64::from(level.saturating_sub(1)) / f64::from(last - 1);
        let value = match self.spacing {
            Spacing::Linear => self.lower + share * (self.upper - self.lower),
            Spacing::Logarithmic => exp(log(self.lower) + share * (log(self.upper) - log(self.lower))),
        };
        // Rounding must not move a level outside the scale, nor the first level off the lower end.
        if level <= 1 { self.lower } else { value.clamp(self.lower, self.upper) }
    }

    /// Returns the lowest level that is not below the value.
    pub(super) fn level(&self, value: f64, last: u32) -> Result<u32> {
        if !(self.lower..=self.upper).contains(&value) {
            return Err(Error::invalid(format!(
                "{value} is outside the scale from {} to {}; build the filter with a wider scale, or leave the value out",
                self.lower, self.upper
            )));
        }
        let share = match self.spacing {
            Spacing::Linear => (value - self.lower) / (self.upper - self.lower),
            Spacing::Logarithmic => (log(value) - log(self.lower)) / (log(self.upper) - log(self.lower)),
        };
        // Rounding may be off by a level, so compare the values themselves.
        let mut level = (ceil(share * f64::from(last - 1)) as u32 + 1).min(last);
        while self.value(level, last) < value {
            level += 1;
        }
        while level > 1 && self.value(level - 1, last) >= value {
            level -= 1;
        }
        Ok(level)
    }

    /// Returns the numbers in a file; the ends are stored as their bits.
    pub(super) fn numbers(&self) -> [u64; 3] {
        [self.spacing as u64, self.lower.to_bits(), self.upper.to_bits()]
    }

    /// Reads [`numbers`](Self::numbers).
    pub(super) fn of(numbers: [u64; 3]) -> Result<Self> {
        let spacing = match numbers[0] {
            0 => Spacing::Linear,
            1 => Spacing::Logarithmic,
            other => {
                return Err(Error::malformed(format!(
                    "the file is corrupt: the spacing {other} is neither linear nor logarithmic"
                )));
            }
        };
        let scale = Self::new(f64::from_bits(numbers[1]), f64::from_bits(numbers[2]), spacing)?;
        if scale.numbers() == numbers {
            return Ok(scale);
        }
        Err(Error::malformed("the file is corrupt: an end of the scale is not in its canonical form"))
    }
}

/// Refuses a file whose levels have another width.
pub(super) fn check_levels<L: Level>(bits: u64) -> Result<()> {
    let name = if L::TAG == 8 { "u8" } else { "u16" };
    Reader::new(&[u8::try_from(bits).unwrap_or_default()]).tag(L::TAG, name, |_| "another width")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_round_trip_and_values_between_them_round_up() {
        let scales = [
            Scale::linear(0.0, 1.0).unwrap(),
            Scale::linear(-1e300, 1e300 / 3.0).unwrap(),
            Scale::linear(-7.25, 1e-3).unwrap(),
            Scale::logarithmic(1.0, 1e12).unwrap(),
            Scale::logarithmic(5e-324, f64::MAX).unwrap(),
        ];
        for scale in scales {
            for last in [255, 65535] {
                assert_eq!(scale.value(1, last), scale.lower());
                assert_eq!(scale.value(last, last), scale.upper());
                let mut below = scale.lower();
                for level in 2..=last {
                    let value = scale.value(level, last);
                    assert!(value >= below, "{scale:?} {level}");
                    if value > below {
                        assert_eq!(scale.level(value, last), Ok(level), "{scale:?}");
                        assert_eq!(scale.level(below.next_up(), last), Ok(level), "{scale:?}");
                    }
                    below = value;
                }
            }
            for outside in [scale.lower().next_down(), scale.upper().next_up(), f64::NAN] {
                assert!(scale.level(outside, 255).is_err(), "{scale:?} {outside}");
            }
        }
    }

    #[test]
    fn absurd_scales_are_refused() {
        let infinite = f64::INFINITY;
        for (lower, upper) in [
            (0.0, 0.0),
            (1.0, 0.0),
            (f64::NAN, 1.0),
            (0.0, f64::NAN),
            (0.0, infinite),
            (-infinite, 0.0),
            (f64::MIN, f64::MAX),
        ] {
            assert!(Scale::linear(lower, upper).is_err(), "{lower} {upper}");
            assert!(Scale::logarithmic(lower, upper).is_err(), "{lower} {upper}");
        }
        assert!(Scale::logarithmic(-1.0, 1.0).is_err() && Scale::logarithmic(0.0, 1.0).is_err());
        assert_eq!(Scale::linear(-0.0, 1.0).unwrap().lower().to_bits(), 0);
    }
}
