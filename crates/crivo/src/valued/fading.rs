//! The rule by which values decay.

use crate::{Error, Result};
use alloc::format;
use libm::{ceil, exp, fabs, floor, log, round};

/// The ticks of a step. Lives are rounded up to whole ticks, so a value is rounded up by a factor of at most
/// f^{−1/256}.
pub(super) const TICKS: u32 = 256;
/// The longest life in ticks. A clock of 32 bits has room for two of them.
pub(super) const MAX_LIFE: u32 = (1 << 31) - 2;
/// A life within this distance of a whole tick is rounded to it: the difference is rounding error.
const SLACK: f64 = 1e-6;

/// The decay of the values of a [`DecayingBloom`](crate::valued::DecayingBloom): they are multiplied by a factor each
/// step, and forgotten below a floor.
///
/// ```
/// use crivo::valued::Fading;
/// let fading = Fading::new(0.9, 0.001)?;
/// assert!(Fading::new(1.0, 0.001).is_err(), "for values without decay use LinearBloom");
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fading {
    factor: f64,
    floor: f64,
    /// The logarithm of the floor, stored because every insertion and query needs it.
    log_floor: f64,
    /// The ticks in which a value falls to 1/e of itself, stored for the same reason.
    ticks_of_e: f64,
}

impl Fading {
    /// Creates a rule that multiplies values by `factor` each step and forgets them below `floor`.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `factor` lies strictly between 0 and 1 and `floor` is a positive number, and if
    /// the largest number would live longer than 8 million steps: at a floor of 0.001 with a factor above 0.99991.
    pub fn new(factor: f64, floor: f64) -> Result<Self> {
        if !(factor > 0.0 && factor < 1.0) {
            return Err(Error::invalid(format!(
                "the factor of a step must lie strictly between 0 and 1, got {factor}; 0.9 is usual"
            )));
        }
        if !(floor > 0.0 && floor < f64::INFINITY) {
            return Err(Error::invalid(format!(
                "the floor must be a number above 0, got {floor}; 0.001 is usual"
            )));
        }
        let ticks_of_e = f64::from(TICKS) / -log(factor);
        let fading = Self { factor, floor, log_floor: log(floor), ticks_of_e };
        if fading.ticks(f64::MAX) > f64::from(MAX_LIFE) {
            return Err(Error::invalid(format!(
                "with a factor of {factor} values would live for more than {} steps; use longer steps",
                MAX_LIFE / TICKS
            )));
        }
        Ok(fading)
    }

    /// Returns the factor of one step.
    pub fn factor(&self) -> f64 {
        self.factor
    }

    /// Returns the value below which an item is forgotten.
    pub fn floor(&self) -> f64 {
        self.floor
    }

    /// Returns the ticks in which a value falls to the floor.
    fn ticks(&self, value: f64) -> f64 {
        (log(value) - self.log_floor) * self.ticks_of_e
    }

    /// Returns the life of a value in whole ticks, rounded up; `None` below the floor.
    pub(super) fn life(&self, value: f64) -> Result<Option<u32>> {
        if !(value > 0.0 && value < f64::INFINITY) {
            return Err(Error::invalid(format!(
                "values that decay must be numbers above 0, got {value}; leave it out"
            )));
        }
        let ticks = self.ticks(value);
        Ok((ticks >= -SLACK).then(|| up(ticks) as u32))
    }

    /// Returns the life of the largest number.
    pub(super) fn longest_life(&self) -> u32 {
        up(self.ticks(f64::MAX)) as u32
    }

    /// Returns the value with this remaining life.
    #[inline]
    pub(super) fn value(&self, life: u32) -> f64 {
        exp(self.log_floor + f64::from(life) / self.ticks_of_e).min(f64::MAX)
    }

    /// Returns the whole ticks that a share costs, rounded down.
    pub(super) fn ticks_lost(&self, share: f64) -> Result<u32> {
        if share > 0.0 && share <= 1.0 {
            return Ok(floor(-log(share) * self.ticks_of_e + SLACK).min(f64::from(MAX_LIFE)) as u32);
        }
        Err(Error::invalid(format!(
            "an announcement is weighted by a share above 0 and at most 1, got {share}; 0.5 is usual"
        )))
    }
}

/// Rounds up to a whole tick.
fn up(ticks: f64) -> f64 {
    let nearest = round(ticks);
    if fabs(ticks - nearest) <= SLACK { nearest } else { ceil(ticks) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_life_gives_the_value_back_rounded_up_by_a_tick_at_most() {
        for (factor, floor) in [(0.5, 0.01), (0.9, 1e-300), (0.01, 5e-324), (0.999, 1.0), (0.5, 1e300)] {
            let fading = Fading::new(factor, floor).unwrap();
            let tick = libm::pow(factor, -1.0 / 256.0);
            for value in [floor, 2.0 * floor, 7.0, 1e-10, 1e10, 1e305, f64::MAX] {
                let Some(life) = fading.life(value).unwrap() else {
                    assert!(value < floor);
                    continue;
                };
                let back = fading.value(life);
                assert!(
                    back >= value * (1.0 - 1e-7) && back <= value * tick * (1.0 + 1e-7),
                    "{factor} {floor} {value}: {back}"
                );
                assert!(life <= fading.longest_life());
            }
        }
    }

    #[test]
    fn absurd_fadings_are_refused() {
        for bad in [0.0, 1.0, -0.5, 2.0, f64::NAN, f64::INFINITY, 1.0 - 1e-9] {
            assert!(Fading::new(bad, 0.01).is_err(), "{bad}");
        }
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(Fading::new(0.5, bad).is_err(), "{bad}");
        }
        assert!(Fading::new(0.9999, 0.001).is_ok() && Fading::new(0.999_92, 0.001).is_err());
    }
}
