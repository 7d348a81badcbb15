//! The exact false-positive rate of a Bloom filter.

use super::BloomParams;
use crate::Result;
use crate::hash::TWO_TO_64;
use crate::membership::target::check_rate;
use alloc::vec;
use alloc::vec::Vec;
use libm::{exp, expm1, log, log1p, pow};

impl BloomParams {
    /// Returns the exact false-positive rate with `items` distinct items inside: the mean over all hash
    /// functions of (ones/m)ᵏ, which the usual formula (1 − e^{−kn/m})ᵏ understates, plus the probability
    /// that two 64-bit hashes are equal.
    ///
    /// For small filters it computes the distribution of the number of ones step by step; for larger ones it
    /// uses the mean and variance, accurate to 3·10⁻⁴ of the rate (tested). In a folded filter the last bit
    /// may stand for fewer positions than the others; this is taken into account only for the larger filters.
    pub fn fpr_at(&self, items: u64) -> f64 {
        (self.all_set_at(items) + items as f64 / TWO_TO_64).min(1.0)
    }

    /// Returns the probability that k other positions are all set with `items` distinct items inside.
    pub(in crate::membership) fn all_set_at(&self, items: u64) -> f64 {
        let balls = u128::from(self.hashes()) * u128::from(items);
        if u128::from(self.bits()) * balls <= RECURRENCE_STEPS {
            self.fpr_by_recurrence(balls as u64)
        } else {
            self.fpr_by_moments(balls as f64)
        }
    }

    /// Returns the largest number of items at which [`fpr_at`](Self::fpr_at) is at most `fpr`; 0 if even one
    /// item is too many.
    ///
    /// ```
    /// use crivo::BloomParams;
    /// let params = BloomParams::for_fpr(1000, 0.01)?;
    /// let capacity = params.capacity_at(0.01)?;
    /// assert!((1000..1010).contains(&capacity)); // rounding to whole words leaves a little room
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless `fpr` lies strictly between 0 and 1.
    pub fn capacity_at(&self, fpr: f64) -> Result<u64> {
        check_rate(fpr)?;
        let (mut fits, mut too_many) = (0, 1u64);
        while self.fpr_at(too_many) <= fpr {
            (fits, too_many) = (too_many, too_many.saturating_mul(2));
        }
        while too_many - fits > 1 {
            let middle = fits + (too_many - fits) / 2;
            *(if self.fpr_at(middle) <= fpr { &mut fits } else { &mut too_many }) = middle;
        }
        Ok(fits)
    }

    /// Returns the mean of [`all_set_at`](Self::all_set_at) over 0, 1, … and `items` − 1 distinct items, that
    /// is, while the filter fills.
    pub(crate) fn mean_all_set_below(&self, items: u64) -> f64 {
        let balls = u128::from(self.hashes()) * u128::from(items);
        let sum = if u128::from(self.bits()) * balls <= RECURRENCE_STEPS {
            let mut ones = self.no_ones(balls as u64);
            let mut rate_before_insert = |_| {
                let rate = self.all_set_among(&ones);
                (0..self.hashes()).for_each(|_| self.throw_ball(&mut ones));
                rate
            };
            (0..items).map(&mut rate_before_insert).sum()
        } else {
            self.sum_by_moments(items)
        };
        sum / items.max(1) as f64
    }

    /// Returns the sum over 0, 1, … and `items` − 1 items, term by term, or by Simpson's rule if there are
    /// many.
    fn sum_by_moments(&self, items: u64) -> f64 {
        const INTERVALS: u32 = 1024;
        let rate = |items: f64| self.fpr_by_moments(f64::from(self.hashes()) * items);
        if items <= u64::from(INTERVALS) {
            return (1..items).map(|inside| rate(inside as f64)).sum();
        }
        let last = (items - 1) as f64;
        let step = last / f64::from(INTERVALS);
        let weighted = |node: u32| rate(f64::from(node) * step) * if node % 2 == 1 { 4.0 } else { 2.0 };
        let inner: f64 = (1..INTERVALS).map(weighted).sum();
        // The sum is the integral plus half of both end values, the first of which is 0.
        (inner + rate(last)) * step / 3.0 + rate(last) / 2.0
    }

    /// Returns the rate from the exact distribution of the number of occupied cells after each ball.
    fn fpr_by_recurrence(&self, balls: u64) -> f64 {
        let mut ones = self.no_ones(balls);
        (0..balls).for_each(|_| self.throw_ball(&mut ones));
        self.all_set_among(&ones)
    }

    /// Returns the distribution before the first of `balls` balls.
    fn no_ones(&self, balls: u64) -> Vec<f64> {
        let mut probability = vec![0.0; self.bits().min(balls) as usize + 1];
        probability[0] = 1.0;
        probability
    }

    fn throw_ball(&self, probability: &mut [f64]) {
        let m = self.bits() as f64;
        for ones in (0..probability.len()).rev() {
            let stays = probability[ones] * (ones as f64 / m);
            let grows = if ones == 0 { 0.0 } else { probability[ones - 1] * (1.0 - (ones - 1) as f64 / m) };
            probability[ones] = stays + grows;
        }
    }

    fn all_set_among(&self, probability: &[f64]) -> f64 {
        let m = self.bits() as f64;
        let hit = |(ones, p): (usize, &f64)| p * pow(ones as f64 / m, f64::from(self.hashes()));
        probability.iter().enumerate().map(hit).sum()
    }

    /// Returns E[Xᵏ] of the share X of ones, taken as normal: Σ C(k, 2j) (2j−1)!! μ^{k−2j} σ^{2j}.
    fn fpr_by_moments(&self, balls: f64) -> f64 {
        let m = self.effective_bits();
        let k = f64::from(self.hashes());
        let load = -balls * log1p(-1.0 / m);
        let mean = -expm1(-load);
        let relative_variance = ones_variance(m, load) / (mean * m * mean * m);
        let mut term = 1.0;
        let mut sum = 1.0;
        let mut used = 0.0;
        while used + 2.0 <= k {
            // C(k, 2j+2)·(2j+1)!! over C(k, 2j)·(2j−1)!! is (k−2j)(k−2j−1) / (2j+2).
            term *= (k - used) * (k - used - 1.0) / (used + 2.0) * relative_variance;
            sum += term;
            used += 2.0;
        }
        exp(k * log(mean)) * sum
    }
}

/// Returns the variance of the number of ones at load λ = kn/m: m e^{−λ}(1 − (1+λ)e^{−λ}).
pub(in crate::membership) fn ones_variance(bits: f64, load: f64) -> f64 {
    let empty = exp(-load);
    let spread = -expm1(-load) - load * empty;
    (bits * empty * spread).max(0.0)
}

/// Up to this amount of work the distribution of the ones is computed exactly.
const RECURRENCE_STEPS: u128 = 1 << 21;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn textbook_values() {
        // B2: m = 10n, k = 7 → 0.819 %; 4 bits per item, k = 3 → 14.7 %.
        let large = BloomParams::exact(10_000_000, 7).unwrap().fpr_at(1_000_000);
        assert!((large - 0.00819).abs() < 5e-6, "{large}");
        let small = BloomParams::exact(4_000_000, 3).unwrap().fpr_at(1_000_000);
        assert!((small - 0.147).abs() < 5e-4, "{small}");
    }

    #[test]
    fn moments_agree_with_the_recurrence() {
        // Just beyond the limit of the recurrence, where the moments are least accurate.
        for (items, hashes) in
            [(1, 64), (2, 64), (5, 40), (10, 50), (20, 30), (60, 20), (100, 10), (300, 7), (600, 3)]
        {
            let balls = u64::from(hashes) * items;
            let bits = (RECURRENCE_STEPS as u64 / balls + 1).max(items * u64::from(hashes));
            let params = BloomParams::exact(bits, hashes).unwrap();
            let exact = params.fpr_by_recurrence(balls);
            let approximate = params.fpr_by_moments(balls as f64);
            // Rates below the probability of equal hashes need no precision.
            if exact > items as f64 / TWO_TO_64 {
                assert!((approximate / exact - 1.0).abs() < 3e-4, "{items} {hashes}: {exact} {approximate}");
            }
        }
    }

    #[test]
    fn a_larger_filter_or_fewer_items_never_err_more() {
        for items in [5u64, 50, 500, 5000] {
            let rates: Vec<f64> =
                (1..40).map(|i| BloomParams::exact(i * items, 4).unwrap().fpr_at(items)).collect();
            assert!(rates.windows(2).all(|pair| pair[1] <= pair[0]), "{items}");
            let params = BloomParams::exact(1000, 5).unwrap();
            assert!(params.fpr_at(items) <= params.fpr_at(items + 1));
        }
    }

    #[test]
    fn capacity_is_the_last_number_within_the_rate() {
        for (bits, hashes, fpr) in
            [(63, 1, 0.5), (1003, 5, 0.01), (9_616_703, 6, 0.01), (1 << 20, 64, 0.3), (100, 64, 1e-9)]
        {
            let params = BloomParams::exact(bits, hashes).unwrap();
            let capacity = params.capacity_at(fpr).unwrap();
            assert!(capacity == 0 || params.fpr_at(capacity) <= fpr, "{bits} {hashes} {fpr}");
            assert!(params.fpr_at(capacity + 1) > fpr, "{bits} {hashes} {fpr}: {capacity}");
        }
        assert!(BloomParams::exact(1 << 40, 1).unwrap().capacity_at(1.0 - 1e-15).unwrap() < 1 << 50);
    }
}
