//! Answers with confidence intervals.

use crate::{Error, Result};
use core::fmt;

/// The confidence of every interval for which the caller requests no other.
pub const DEFAULT_CONFIDENCE: f64 = 0.95;

/// How far the bounds of an [`Estimate`] can be trusted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Guarantee {
    /// The true value always lies between the bounds.
    Certain,
    /// By a theorem, the true value lies between the bounds with at least this probability over the choice of
    /// the hash function.
    Proven {
        /// The probability, for example 0.95.
        confidence: f64,
    },
    /// By a limit law that the coverage tests check, the true value lies between the bounds with about this
    /// probability over the choice of the hash function.
    Approximate {
        /// The probability, for example 0.95.
        confidence: f64,
    },
}

impl Guarantee {
    /// Returns the confidence, which is 1 for [`Certain`](Self::Certain).
    pub fn confidence(self) -> f64 {
        match self {
            Self::Certain => 1.0,
            Self::Proven { confidence } | Self::Approximate { confidence } => confidence,
        }
    }

    /// Returns the name: `certain`, `proven` or `approximate`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Certain => "certain",
            Self::Proven { .. } => "proven",
            Self::Approximate { .. } => "approximate",
        }
    }
}

/// An estimate with its interval: `lower() <= value() <= upper()`.
///
/// The upper bound is infinite if the structure is saturated and no finite bound is valid.
///
/// ```
/// use crivo::HyperLogLog;
/// let mut visitors = HyperLogLog::for_precision(12)?;
/// visitors.extend(0..100_000u32);
/// let estimate = visitors.estimate();
/// assert!(estimate.lower() < 100_000.0 && 100_000.0 < estimate.upper());
/// assert_eq!(estimate.guarantee().confidence(), 0.95);
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    value: f64,
    lower: f64,
    upper: f64,
    guarantee: Guarantee,
    /// The expected number of pairs of items whose kept hash bits are equal.
    shared_pairs: f64,
}

impl Estimate {
    /// Creates an estimate. Rounding may put a bound slightly past the value; then the interval is widened,
    /// and the value stays.
    pub(crate) fn new(value: f64, lower: f64, upper: f64, guarantee: Guarantee) -> Self {
        // A panic is better than an estimate that is not a number.
        assert!(!value.is_nan() && !lower.is_nan() && !upper.is_nan(), "{value} from {lower} to {upper}");
        Self { value, lower: lower.min(value), upper: upper.max(value), guarantee, shared_pairs: 0.0 }
    }

    /// Returns the estimate as one that rests on the hashes of `items` distinct items, where two hashes agree
    /// with probability 1/`places`.
    pub(crate) fn with_hashes(self, items: f64, places: f64) -> Self {
        Self { shared_pairs: items * items / (2.0 * places), ..self }
    }

    /// Returns the estimate as one that rests on the same hashes as another estimate.
    pub(crate) fn with_hashes_of(self, other: Self) -> Self {
        Self { shared_pairs: other.shared_pairs, ..self }
    }

    /// Creates an estimate without error: an interval of length 0 that is certain.
    ///
    /// ```
    /// # use crivo::Estimate;
    /// assert!(Estimate::exact(7.0).contains(7.0) && !Estimate::exact(7.0).contains(7.5));
    /// ```
    pub fn exact(value: f64) -> Self {
        Self::new(value, value, value, Guarantee::Certain)
    }

    /// Creates an estimate of a non-negative quantity from a bound that it never exceeds.
    ///
    /// ```
    /// # use crivo::Estimate;
    /// let rate = Estimate::at_most(0.01);
    /// assert!(rate.contains(0.0) && rate.contains(0.01) && !rate.contains(0.02));
    /// ```
    pub fn at_most(bound: f64) -> Self {
        Self::new(bound, bound.min(0.0), bound, Guarantee::Certain)
    }

    /// Combines two estimates of one quantity: returns the intersection of their intervals, with the value of
    /// the narrower one. It fails if either interval fails, so the two error probabilities add up. If the
    /// intervals are disjoint, at least one of them is wrong; then the result is the interval that spans
    /// both.
    ///
    /// ```
    /// use crivo::{CountMin, CountSketch};
    /// let (mut a, mut b) = (CountMin::for_error(0.01, 0.01)?, CountSketch::for_error(0.1, 0.01)?);
    /// for item in 0..1000u32 {
    ///     a.add(&(item % 7), 1);
    ///     b.add(&(item % 7), 1)?;
    /// }
    /// let (one, other) = (a.frequency_at(&3, 0.975)?, b.frequency_at(&3, 0.975)?);
    /// let both = one.and(other);
    /// assert!(both.lower() >= one.lower() && both.upper() <= other.upper() && both.contains(143.0));
    /// assert!((both.guarantee().confidence() - 0.95).abs() < 1e-9);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let width = |estimate: &Self| estimate.upper - estimate.lower;
        let narrower = if width(&self) <= width(&other) { self } else { other };
        let (mut lower, mut upper) = (self.lower.max(other.lower), self.upper.min(other.upper));
        if lower > upper {
            (lower, upper) = (self.lower.min(other.lower), self.upper.max(other.upper));
        }
        let confidence = self.guarantee.confidence() + other.guarantee.confidence() - 1.0;
        let guarantee = match (self.guarantee, other.guarantee) {
            (Guarantee::Certain, rest) | (rest, Guarantee::Certain) => rest,
            (Guarantee::Proven { .. }, Guarantee::Proven { .. }) => Guarantee::Proven { confidence },
            _ => Guarantee::Approximate { confidence },
        };
        Self {
            shared_pairs: self.shared_pairs + other.shared_pairs,
            ..Self::new(narrower.value.clamp(lower, upper), lower, upper, guarantee)
        }
    }

    /// Returns the point estimate.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Returns the lower end of the interval.
    pub fn lower(&self) -> f64 {
        self.lower
    }

    /// Returns the upper end of the interval; infinite if the structure is saturated.
    pub fn upper(&self) -> f64 {
        self.upper
    }

    /// Returns how far the bounds can be trusted.
    pub fn guarantee(&self) -> Guarantee {
        self.guarantee
    }

    /// Returns the probability that an answer computed from all kept hashes is wrong because two items share
    /// the kept bits of their hashes. Returns `None` if the interval has a length, which then includes this
    /// error, and if the answer is certain.
    ///
    /// For n distinct items the probability is n²/2⁶⁵ if all 64 bits are kept, and higher if fewer are. It
    /// holds for items that were not chosen to collide.
    ///
    /// ```
    /// use crivo::{HyperLogLog, KMinValues};
    /// let (mut few, mut whole) = (HyperLogLog::for_precision(12)?, KMinValues::for_k(256)?);
    /// few.extend(0..100u32);
    /// whole.extend(0..100u32);
    /// let chance = whole.estimate().collision_chance().unwrap();
    /// assert!((chance / (100.0 * 100.0 / 2f64.powi(65)) - 1.0).abs() < 1e-9);
    /// assert!(few.estimate().collision_chance() > Some(chance)); // it keeps 31 bits
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn collision_chance(&self) -> Option<f64> {
        let has_no_bar = self.lower >= self.upper && self.guarantee != Guarantee::Certain;
        (has_no_bar && self.shared_pairs > 0.0).then(|| -libm::expm1(-self.shared_pairs))
    }

    /// Returns whether the error is as large as the value: one side of the interval is at least as long as
    /// the value. Such an estimate gives an upper bound, but says little about the value itself.
    ///
    /// ```
    /// use crivo::KMinValues;
    /// let (mut monday, mut tuesday) = (KMinValues::for_k(256)?, KMinValues::for_k(256)?);
    /// monday.extend(0..100_000u32);
    /// tuesday.extend(99_990..200_000u32);
    /// assert!(!monday.estimate().is_swamped());
    /// let both = monday.intersection(&tuesday)?; // ten, but small sketches cannot resolve so few
    /// assert!(both.is_swamped(), "{both}");
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn is_swamped(&self) -> bool {
        let reach = (self.value - self.lower).max(self.upper - self.value);
        reach > 0.0 && reach >= self.value
    }

    /// Returns whether the answer is known exactly: the interval has no length and is certain.
    pub fn is_exact(&self) -> bool {
        self.guarantee == Guarantee::Certain && self.lower >= self.upper
    }

    /// Returns the value rounded to a whole number, for counts; 0 for values below 0.
    ///
    /// ```
    /// use crivo::HyperLogLog;
    /// let mut visitors = HyperLogLog::for_precision(12)?;
    /// visitors.extend(["ada", "grace", "ada"]);
    /// assert_eq!(visitors.estimate().rounded(), 2);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn rounded(&self) -> u64 {
        libm::round(self.value) as u64
    }

    /// Returns the longer side of the interval as a share of the value: 0.02 if the true value lies within ±2 % of it. It is 0
    /// for an interval without length, and infinite where the value is 0 but the interval is not.
    ///
    /// ```
    /// use crivo::HyperLogLog;
    /// let mut visitors = HyperLogLog::for_error(0.02)?;
    /// visitors.extend(0..100_000u32);
    /// assert!((0.01..0.021).contains(&visitors.estimate().relative_error()));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn relative_error(&self) -> f64 {
        let reach = (self.value - self.lower).max(self.upper - self.value);
        if reach == 0.0 { 0.0 } else { reach / self.value.abs() }
    }

    /// An answer from hashes of which two are equal with this probability.
    #[cfg(feature = "serde")]
    pub(crate) fn with_collision_chance(self, chance: f64) -> Self {
        Self { shared_pairs: -libm::log1p(-chance), ..self }
    }

    /// Returns whether `truth` lies within the interval.
    pub fn contains(&self, truth: f64) -> bool {
        self.lower <= truth && truth <= self.upper
    }
}

/// A quantile with its interval, in the type of the data: `lower() <= value() <= upper()`.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantileEstimate<T> {
    value: T,
    lower: T,
    upper: T,
    guarantee: Guarantee,
}

impl<T> QuantileEstimate<T> {
    /// Creates a quantile estimate; the caller passes the values in ascending order.
    pub(crate) fn new(value: T, lower: T, upper: T, guarantee: Guarantee) -> Self {
        Self { value, lower, upper, guarantee }
    }

    /// Creates a quantile without error: an interval of length 0 that is certain.
    ///
    /// ```
    /// # use crivo::QuantileEstimate;
    /// assert_eq!(QuantileEstimate::exact(7).upper(), &7);
    /// ```
    pub fn exact(value: T) -> Self
    where
        T: Clone,
    {
        Self::new(value.clone(), value.clone(), value, Guarantee::Certain)
    }

    /// Converts the value and both ends; `convert` must not change their order.
    ///
    /// ```
    /// # use crivo::QuantileEstimate;
    /// assert_eq!(QuantileEstimate::exact(7u32).map(f64::from).value(), &7.0);
    /// ```
    #[must_use]
    pub fn map<U>(self, convert: impl Fn(T) -> U) -> QuantileEstimate<U> {
        let [value, lower, upper] = [self.value, self.lower, self.upper].map(convert);
        QuantileEstimate::new(value, lower, upper, self.guarantee)
    }

    /// Returns the point estimate.
    pub fn value(&self) -> &T {
        &self.value
    }

    /// Returns the lower end of the interval.
    pub fn lower(&self) -> &T {
        &self.lower
    }

    /// Returns the upper end of the interval.
    pub fn upper(&self) -> &T {
        &self.upper
    }

    /// Returns how far the bounds can be trusted.
    pub fn guarantee(&self) -> Guarantee {
        self.guarantee
    }
}

impl<T: fmt::Display> fmt::Display for QuantileEstimate<T> {
    /// Formats like an [`Estimate`]: `17 (15..=18, ~95 %)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)?;
        f.write_str(" (")?;
        self.lower.fmt(f)?;
        f.write_str("..=")?;
        self.upper.fmt(f)?;
        f.write_str(", ")?;
        self.guarantee.fmt(f)?;
        f.write_str(")")
    }
}

impl fmt::Display for Guarantee {
    /// Writes `certain`, `>=95 %` or `~95 %`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Certain => f.write_str("certain"),
            Self::Proven { confidence } => write!(f, ">={} %", percent(*confidence)),
            Self::Approximate { confidence } => write!(f, "~{} %", percent(*confidence)),
        }
    }
}

impl fmt::Display for Estimate {
    /// Writes `1234567 (1214890..=1254210, ~95 %)`: `~` marks an approximate bound, `>=` a proven one; an
    /// exact value stands alone. A precision in the format string (`{:.0}`) sets the number of decimals; without one, an
    /// interval shorter than 1 has decimals for two digits of its length: `0.816 (0.791..=0.839, ~95 %)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.upper - self.lower;
        let decimals = f.precision().unwrap_or(match width {
            width if width > 0.0 && width < 1.0 => (1.0 - libm::floor(libm::log10(width))) as usize,
            _ => 0,
        });
        if self.guarantee == Guarantee::Certain && width == 0.0 {
            return match f.precision() {
                Some(decimals) => write!(f, "{:.decimals$}", self.value),
                None => write!(f, "{}", self.value),
            };
        }
        write!(f, "{:.decimals$}", self.value)?;
        write!(f, " ({:.decimals$}..={:.decimals$}, {})", self.lower, self.upper, self.guarantee)
    }
}

/// Converts a share to percent, without the digits that binary fractions add.
fn percent(share: f64) -> f64 {
    libm::round(share * 1e12) / 1e10
}

/// Refuses a confidence that is not strictly between 0 and 1.
///
/// # Errors
/// Returns `InvalidArgument`.
pub fn check_confidence(confidence: f64) -> Result<()> {
    if confidence > 0.0 && confidence < 1.0 {
        Ok(())
    } else {
        Err(Error::invalid(alloc::format!(
            "confidence must lie strictly between 0 and 1, got {confidence}; 0.95 is usual"
        )))
    }
}

/// All counts up to this one are exact as `f64`.
const EXACT: u64 = 1 << 53;

/// Returns the nearest `f64` at or below `count`.
pub(crate) fn count_down(count: u64) -> f64 {
    let nearest = count as f64;
    if count > EXACT && nearest as u128 > u128::from(count) { nearest.next_down() } else { nearest }
}

/// Returns the nearest `f64` at or above `count`.
pub(crate) fn count_up(count: u64) -> f64 {
    let nearest = count as f64;
    if count > EXACT && (nearest as u128) < u128::from(count) { nearest.next_up() } else { nearest }
}

/// Returns the nearest `f64` at or below `count`.
pub(crate) fn wide_down(count: u128) -> f64 {
    let nearest = count as f64;
    if nearest as u128 > count { nearest.next_down() } else { nearest }
}

/// Returns the nearest `f64` at or above `count`.
pub(crate) fn wide_up(count: u128) -> f64 {
    let nearest = count as f64;
    if (nearest as u128) < count { nearest.next_up() } else { nearest }
}

#[cfg(test)]
mod tests;
