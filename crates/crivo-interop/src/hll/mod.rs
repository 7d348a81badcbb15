//! `DataSketches`' HyperLogLog: see [`Hll`].

mod coupons;
mod history;
mod registers;
mod wire;

use crate::foreign::{Answers, Format, count, estimate, text};
use crate::murmur::murmur3_128;
use crate::{DEFAULT_SEED, Datum};
pub(crate) use wire::FAMILY;

use coupons::Coupons;
use crivo::foreign::{check_confidence, invalid};
use crivo::sketch::Fact;
use crivo::{DEFAULT_CONFIDENCE, Estimate, Result};
use registers::Registers;

/// The range of lg k, the precision.
pub(crate) const LG_K: core::ops::RangeInclusive<u8> = 4..=21;

/// The bits of a register in the bytes. The answers are equal; fewer bits take less space and more time to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// Four bits above the smallest register, with a list of the exceptions.
    Four,
    /// Six bits.
    Six,
    /// Eight bits.
    Eight,
}

impl Width {
    /// Returns the number of bits.
    pub fn bits(self) -> u8 {
        match self {
            Self::Four => 4,
            Self::Six => 6,
            Self::Eight => 8,
        }
    }
}

/// A HyperLogLog sketch of Apache `DataSketches`.
///
/// # Guarantee
/// Few items are counted by their 32-bit hashes, almost exactly. Beyond, a sketch of one stream carries the estimate that counted
/// each change as it came (HIP), with a standard error of 0.83/√k, and a merged one is estimated from its registers with Crivo's own
/// estimator, with 1.04/√k. Both have intervals of [`Guarantee::Approximate`](crivo::Guarantee).
///
/// # Merge
/// The registers are those of one pass; the estimate carried along is lost once registers have met registers.
///
/// # Example
/// ```
/// use crivo_interop::Hll;
/// let (mut monday, mut tuesday) = (Hll::for_lg_k(12)?, Hll::for_lg_k(12)?);
/// (0..40_000u64).for_each(|visitor| monday.insert(&visitor));
/// (30_000..70_000u64).for_each(|visitor| tuesday.insert(&visitor));
/// let mut visitors = Hll::from_bytes(&monday.to_bytes())?;
/// visitors.merge(&tuesday);
/// assert!(visitors.estimate().contains(70_000.0), "{}", visitors.estimate());
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Hll {
    lg_k: u8,
    width: Width,
    state: State,
}

#[derive(Clone, Debug, PartialEq)]
enum State {
    Few(Coupons),
    Many(Registers),
}

impl Hll {
    /// Creates an empty sketch of k = 2^`lg_k` registers, which are saved in four bits each, as by default in `DataSketches`.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `lg_k` is 4 to 21.
    pub fn for_lg_k(lg_k: u8) -> Result<Self> {
        if !LG_K.contains(&lg_k) {
            return Err(invalid(format!("lg k must be 4 to 21, got {lg_k}; 12 is usual")));
        }
        Ok(Self { lg_k, width: Width::Four, state: State::Few(Coupons::default()) })
    }

    /// Returns the sketch with another width of its registers in the bytes.
    #[must_use]
    pub fn with_width(self, width: Width) -> Self {
        Self { width, ..self }
    }

    /// Inserts an item; an empty text is none.
    #[inline]
    pub fn insert(&mut self, item: &(impl Datum + ?Sized)) {
        let hash = |bytes: &[u8]| (!bytes.is_empty()).then(|| murmur3_128(bytes, DEFAULT_SEED));
        if let Some([place, rest]) = item.with_bytes(hash) {
            self.insert_coupon(coupons::coupon(place, rest));
        }
    }

    #[inline]
    fn insert_coupon(&mut self, coupon: u32) {
        match &mut self.state {
            State::Many(registers) => registers.insert(coupon),
            State::Few(coupons) => {
                if coupons.insert(coupon) && coupons.are_many(self.lg_k) {
                    self.fill_registers();
                }
            }
        }
    }

    /// Moves from coupons to registers.
    #[cold]
    fn fill_registers(&mut self) {
        if let State::Few(coupons) = &self.state {
            let mut registers = Registers::new(self.lg_k);
            coupons.iter().for_each(|coupon| registers.insert(coupon));
            registers.start_history(coupons.estimate(DEFAULT_CONFIDENCE).value());
            self.state = State::Many(registers);
        }
    }

    /// Takes in all items of another sketch; the finer of both becomes as coarse as the other.
    pub fn merge(&mut self, other: &Self) {
        let mut other = other.clone();
        let lg_k = self.lg_k.min(other.lg_k);
        self.fold(lg_k);
        other.fold(lg_k);
        if let (State::Few(_), State::Many(_)) = (&self.state, &other.state) {
            std::mem::swap(&mut self.state, &mut other.state);
        }
        match (&mut self.state, &other.state) {
            (State::Many(ours), State::Many(theirs)) => ours.merge(theirs),
            (_, State::Few(coupons)) => coupons.iter().for_each(|coupon| self.insert_coupon(coupon)),
            (State::Few(_), State::Many(_)) => unreachable!("they were swapped"),
        }
    }

    fn fold(&mut self, lg_k: u8) {
        if lg_k == self.lg_k {
            return;
        }
        self.lg_k = lg_k;
        match &mut self.state {
            State::Many(registers) => *registers = registers.fold(lg_k),
            State::Few(coupons) if coupons.are_many(lg_k) => self.fill_registers(),
            State::Few(_) => {}
        }
    }

    /// Returns the estimated number of distinct items, at 95 % confidence.
    pub fn estimate(&self) -> Estimate {
        self.estimate_within(DEFAULT_CONFIDENCE)
    }

    /// Returns the estimate at another confidence.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn estimate_at(&self, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        Ok(self.estimate_within(confidence))
    }

    fn estimate_within(&self, confidence: f64) -> Estimate {
        match &self.state {
            State::Few(coupons) => coupons.estimate(confidence),
            State::Many(registers) => registers.estimate(confidence),
        }
    }

    /// Returns lg k, the precision.
    pub fn lg_k(&self) -> u8 {
        self.lg_k
    }

    /// Returns the width of a register in the bytes.
    pub fn width(&self) -> Width {
        self.width
    }

    /// Returns whether nothing was inserted.
    pub fn is_empty(&self) -> bool {
        matches!(&self.state, State::Few(coupons) if coupons.len() == 0)
    }

    /// Returns whether it still keeps the hashes of its items.
    pub fn is_sparse(&self) -> bool {
        matches!(self.state, State::Few(_))
    }
}

impl Answers for Hll {
    fn format(&self) -> Format {
        Format::Hll
    }

    fn bytes(&self) -> Vec<u8> {
        self.to_bytes()
    }

    fn facts(&self) -> Vec<Fact> {
        vec![
            estimate("distinct", self.estimate()),
            count("precision", self.lg_k.into()),
            count("register_bits", self.width.bits().into()),
            text("form", if self.is_sparse() { "hashes" } else { "registers" }),
        ]
    }

    fn cardinality_within(&self, confidence: f64) -> Result<Estimate> {
        Ok(self.estimate_within(confidence))
    }
}
