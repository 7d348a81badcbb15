//! Products of sketches: the size of a join, and the second moment.

use super::{CountMin, slack};
use crate::estimate::{check_confidence, count_up, wide_down, wide_up};
use crate::sketch::check_same;
use crate::{DEFAULT_CONFIDENCE, Error, Estimate, Guarantee, Result};

impl CountMin {
    /// Returns the size of the join of two streams, Σ a(x)·b(x), at 95 % confidence. It is never too low, and
    /// the probability that it is too high by more than ε‖a‖₁‖b‖₁ is the probability that a frequency is too
    /// high by ε of the total.
    ///
    /// ```
    /// # use crivo::CountMin;
    /// # use crivo::frequency::CountMinParams;
    /// let params = CountMinParams::for_error(0.001, 0.01)?;
    /// let (mut a, mut b) = (CountMin::with_params(params), CountMin::with_params(params));
    /// a.add("x", 3);
    /// b.add("x", 4);
    /// b.add("y", 9);
    /// assert!(a.inner_product(&b)?.contains(12.0));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Unsupported` for conservative sketches, whose counters are not sums and could give too low a product;
    /// `Incompatible` if size or hash differ.
    pub fn inner_product(&self, other: &Self) -> Result<Estimate> {
        self.inner_product_at(other, DEFAULT_CONFIDENCE)
    }

    /// Returns [`inner_product`](Self::inner_product) at another confidence.
    ///
    /// # Errors
    /// The errors of [`inner_product`](Self::inner_product), and `InvalidArgument` unless `confidence` lies
    /// strictly between 0 and 1.
    pub fn inner_product_at(&self, other: &Self, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        if self.params.is_conservative() || other.params.is_conservative() {
            return Err(Error::unsupported(
                "conservative counters are not sums, so their product can be too low; use plain updates",
            ));
        }
        check_same(self, other)?;
        let rows = || (0..self.params.depth()).map(|row| self.row_product(other, row));
        let smallest = rows().map(|(product, _)| product).min().unwrap_or(0);
        if smallest == 0 {
            return Ok(Estimate::exact(0.0));
        }
        // Rows with a saturated counter may give too low a product.
        let most = rows().filter(|(_, is_saturated)| !is_saturated).map(|(product, _)| product).min();
        let value = wide_up(most.unwrap_or(smallest));
        let upper = if most.is_some() { value } else { f64::INFINITY };
        let (a, b) = (self, other);
        let is_halved = a.rounding > 0 || b.rounding > 0;
        let is_unknown = a.total == u64::MAX
            || b.total == u64::MAX
            || is_halved && rows().any(|(_, is_saturated)| is_saturated);
        let slack = slack(&self.params, confidence);
        let lower = if is_unknown || slack.is_infinite() {
            0.0
        } else {
            let [total_a, total_b, over_a, over_b] = [a.total, b.total, a.rounding, b.rounding].map(count_up);
            let rounded = over_a * total_b + over_b * total_a + self.params.width() as f64 * over_a * over_b;
            let least = wide_down(smallest) - rounded;
            least - slack * (total_a * total_b - least)
        };
        Ok(Estimate::new(value, lower.max(0.0), upper, Guarantee::Proven { confidence }))
    }

    /// Returns the second moment of the stream, Σ a(x)², at 95 % confidence: its
    /// [`inner_product`](Self::inner_product) with itself. It is large if few items make up most of the
    /// stream. If none does, a [`CountSketch`](crate::CountSketch) estimates it more accurately.
    ///
    /// ```
    /// # use crivo::CountMin;
    /// # use crivo::frequency::CountMinParams;
    /// let mut sketch = CountMin::with_params(CountMinParams::for_error(0.001, 0.01)?);
    /// sketch.add("a", 30);
    /// sketch.add("b", 40);
    /// assert!(sketch.second_moment()?.contains(2500.0));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Unsupported` for conservative sketches.
    pub fn second_moment(&self) -> Result<Estimate> {
        self.inner_product(self)
    }

    /// Returns [`second_moment`](Self::second_moment) at another confidence.
    ///
    /// # Errors
    /// `Unsupported` for conservative sketches, `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn second_moment_at(&self, confidence: f64) -> Result<Estimate> {
        self.inner_product_at(self, confidence)
    }

    /// Returns the product of one row of both sketches, and whether one of its counters is saturated.
    fn row_product(&self, other: &Self, row: u32) -> (u128, bool) {
        let width = self.params.width() as usize;
        let limit = self.counters.max();
        let pairs = (row as usize * width..)
            .take(width)
            .map(|cell| (self.counters.get(cell), other.counters.get(cell)));
        pairs.fold((0u128, false), |(sum, is_saturated), (a, b)| {
            let (sum, is_over) = sum.overflowing_add(u128::from(a) * u128::from(b));
            (if is_over { u128::MAX } else { sum }, is_saturated || is_over || a == limit || b == limit)
        })
    }
}
