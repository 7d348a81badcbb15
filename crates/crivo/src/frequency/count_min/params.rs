//! The size of a Count-Min sketch, and its error.

use crate::frequency::shape::{MAX_DEPTH, Shape, check_share};
use crate::sketch::{Fact, Params, narrow};
use crate::stats::binomial_sf;
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use libm::{ceil, log, pow, sqrt};

/// The size of a [`CountMin`](super::CountMin): width, depth, and the type of its counters.
///
/// ```
/// use crivo::frequency::CountMinParams;
/// let params = CountMinParams::for_error(0.001, 0.01)?;
/// assert_eq!((params.width(), params.depth()), (2719, 5));
/// let long = params.conservative().with_counter_bits(64)?;
/// assert_eq!(long.memory_bytes(), 2719 * 5 * 8);
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountMinParams {
    shape: Shape,
    counter_bits: u8,
    conservative: bool,
}

impl CountMinParams {
    /// Creates params for a table that over-counts any item by more than `epsilon` times the total with
    /// probability at most `delta`: width ⌈e/ε⌉, depth ⌈ln 1/δ⌉, 32-bit counters, plain updates.
    ///
    /// # Errors
    /// `InvalidArgument` unless both lie strictly between 0 and 1 and the table fits in 128 GiB.
    pub fn for_error(epsilon: f64, delta: f64) -> Result<Self> {
        check_share("error", epsilon, 0.001)?;
        let width = ceil(core::f64::consts::E / epsilon);
        Shape::for_error(epsilon, width, depth_for(delta)?, 4).map(Self::plain)
    }

    /// Returns the widest table of at most `bytes` bytes with the depth for `delta`.
    ///
    /// ```
    /// use crivo::frequency::CountMinParams;
    /// let params = CountMinParams::for_memory(1 << 20, 0.02)?;
    /// assert_eq!((params.width(), params.depth()), (1 << 16, 4));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` if `delta` is not strictly between 0 and 1, or `bytes` is less than one column or
    /// more than 128 GiB.
    pub fn for_memory(bytes: u64, delta: f64) -> Result<Self> {
        let depth = depth_for(delta)?;
        let width = bytes / (4 * u64::from(depth));
        if width == 0 {
            return Err(Error::invalid(format!(
                "{bytes} bytes cannot hold a column of {depth} counters; allow at least {} bytes",
                4 * depth
            )));
        }
        Self::exact(width, depth)
    }

    /// Creates params of exactly this table, with 32-bit counters and plain updates.
    ///
    /// # Errors
    /// `InvalidArgument` when `width` is 0, `depth` is not 1 to 64, or the table exceeds 128 GiB.
    pub fn exact(width: u64, depth: u32) -> Result<Self> {
        Shape::new(width, depth, 4).map(Self::plain)
    }

    fn plain(shape: Shape) -> Self {
        Self { shape, counter_bits: 32, conservative: false }
    }

    /// Returns the params with counters of 8, 16, 32 or 64 bits. Counters saturate; answers from saturated
    /// ones have no upper bound. Counters for counts up to 254 take a quarter of the memory.
    ///
    /// # Errors
    /// `InvalidArgument` for another width, or when the table would exceed 128 GiB.
    pub fn with_counter_bits(self, bits: u32) -> Result<Self> {
        if !matches!(bits, 8 | 16 | 32 | 64) {
            return Err(Error::invalid(format!(
                "counters have 8, 16, 32 or 64 bits, got {bits}; 32 is usual"
            )));
        }
        let shape = Shape::new(self.width(), self.depth(), bits / 8)?;
        Ok(Self { shape, counter_bits: bits as u8, ..self })
    }

    /// Returns the params with conservative updates: only the counters that the new estimate requires are
    /// raised, which about halves the over-count, but rules out
    /// [`inner_product`](super::CountMin::inner_product) and makes merges bounded instead of exact.
    #[must_use]
    pub fn conservative(self) -> Self {
        Self { conservative: true, ..self }
    }

    /// Returns the number of columns, w.
    pub fn width(&self) -> u64 {
        self.shape.width
    }

    /// Returns the number of rows, k.
    pub fn depth(&self) -> u32 {
        self.shape.depth
    }

    /// Returns the width of a counter: 8, 16, 32 or 64 bits.
    pub fn counter_bits(&self) -> u32 {
        u32::from(self.counter_bits)
    }

    /// Returns whether updates are conservative.
    pub fn is_conservative(&self) -> bool {
        self.conservative
    }

    /// Returns the bytes that the counters take.
    pub fn memory_bytes(&self) -> u64 {
        self.shape.bytes(self.counter_bits() / 8)
    }

    pub(super) fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the share of the total by which an item is over-counted at most, with this confidence: t/w
    /// with t = (1 − confidence)^{−1/k}. At confidence 1 − e^{−k} it is the familiar e/w.
    ///
    /// ```
    /// use crivo::frequency::CountMinParams;
    /// let params = CountMinParams::exact(1000, 4)?;
    /// assert!((params.error_at(0.95) - 0.002115).abs() < 1e-6);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn error_at(&self, confidence: f64) -> f64 {
        self.markov_factor(confidence) / self.width() as f64
    }

    /// Returns the mean and the root mean square of the over-count of an item in a stream of `others` other
    /// items that occur once each: the minimum of k binomial counts with probability 1/w.
    ///
    /// ```
    /// use crivo::frequency::CountMinParams;
    /// let (mean, rms) = CountMinParams::exact(1000, 1)?.over_count(5000);
    /// assert!((mean - 5.0).abs() < 1e-9 && (rms * rms - 29.995).abs() < 1e-6);
    /// assert!(CountMinParams::exact(1000, 4)?.over_count(5000).0 < 3.0);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn over_count(&self, others: u64) -> (f64, f64) {
        let chance = 1.0 / self.width() as f64;
        let (mut mean, mut square) = (0.0, 0.0);
        for count in 0..others {
            // The minimum of k counts exceeds it.
            let above = pow(binomial_sf(count, others, chance), f64::from(self.depth()));
            if above < 1e-15 {
                break;
            }
            mean += above;
            square += (2.0 * count as f64 + 1.0) * above;
        }
        (mean, sqrt(square))
    }

    /// Returns t by Markov's inequality in each row: P\[over-count > t·mean\] < 1/t, and for all k rows at
    /// once t^{−k} = α.
    pub(super) fn markov_factor(&self, confidence: f64) -> f64 {
        pow(1.0 - confidence, -1.0 / f64::from(self.depth()))
    }
}

impl Params for CountMinParams {
    const NAMES: &[&str] = &["width", "depth", "counter_bits", "update"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.width(), self.depth().into(), self.counter_bits.into(), self.conservative.into()]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        let [width, update] = [numbers[0], numbers[3]];
        let [depth, bits] = [narrow(numbers[1])?, narrow(numbers[2])?];
        let plain = Self::exact(width, depth)?.with_counter_bits(bits)?;
        match update {
            0 => Ok(plain),
            1 => Ok(plain.conservative()),
            _ => Err(Error::malformed(format!("update {update} is neither plain nor conservative"))),
        }
    }

    fn memory_bytes(&self) -> u64 {
        self.memory_bytes()
    }

    fn facts(&self) -> Vec<Fact> {
        let mut facts = self.named();
        facts[3] = Fact::text("update", if self.conservative { "conservative" } else { "plain" });
        facts
    }
}

/// Returns ⌈ln 1/δ⌉ rows.
fn depth_for(delta: f64) -> Result<u32> {
    check_share("failure probability", delta, 0.01)?;
    let depth = ceil(-log(delta)).max(1.0);
    if depth > f64::from(MAX_DEPTH) {
        return Err(Error::invalid(format!(
            "a failure probability of {delta} needs {depth} rows, but at most {MAX_DEPTH} are possible; raise it"
        )));
    }
    Ok(depth as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factor_of_the_founding_documents() {
        // F1: k = 4 at 95 % → t = 2.11; ε = e/w goes with confidence 1 − e^{−k}.
        let params = CountMinParams::exact(1000, 4).unwrap();
        assert!((params.markov_factor(0.95) - 2.1147).abs() < 1e-4);
        let natural = params.markov_factor(1.0 - libm::exp(-4.0));
        assert!((natural - core::f64::consts::E).abs() < 1e-12);
    }

    #[test]
    fn sizes_are_the_same_on_every_platform() {
        for (epsilon, delta, width, depth) in
            [(0.01, 0.01, 272, 5), (0.001, 0.02, 2719, 4), (1e-6, 1e-6, 2_718_282, 14), (0.5, 0.5, 6, 1)]
        {
            let params = CountMinParams::for_error(epsilon, delta).unwrap();
            assert_eq!((params.width(), params.depth()), (width, depth), "{epsilon} {delta}");
            assert!(params.error_at(1.0 - delta) <= epsilon * (1.0 + 1e-12), "{epsilon} {delta}");
        }
    }

    #[test]
    fn absurd_parameters_are_refused() {
        for bad in [0.0, 1.0, -0.1, 1.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(CountMinParams::for_error(bad, 0.01).is_err(), "{bad}");
            assert!(CountMinParams::for_error(0.01, bad).is_err(), "{bad}");
            assert!(CountMinParams::for_memory(1000, bad).is_err(), "{bad}");
        }
        assert!(CountMinParams::for_error(1e-300, 0.01).is_err());
        assert!(CountMinParams::for_error(0.01, 1e-300).is_err());
        assert!(CountMinParams::for_memory(0, 0.01).is_err());
        assert!(CountMinParams::for_memory(u64::MAX, 0.01).is_err());
        assert!(CountMinParams::exact(0, 4).is_err());
        assert!(CountMinParams::exact(10, 0).is_err());
        assert!(CountMinParams::exact(10, 65).is_err());
        assert!(CountMinParams::exact(u64::MAX, 64).is_err());
        for bits in [0, 1, 4, 24, 31, 33, 65, 128, u32::MAX] {
            assert!(CountMinParams::exact(10, 4).unwrap().with_counter_bits(bits).is_err());
        }
        assert!(CountMinParams::exact(1 << 35, 1).unwrap().with_counter_bits(64).is_err());
    }
}
