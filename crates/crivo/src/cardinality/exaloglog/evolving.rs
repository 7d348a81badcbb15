//! The probability that a new item changes a sketch, which martingale counting needs.

use super::estimator::{Evidence, hashes_unseen};
use super::registers::register_of;
use super::tokens::{hashes_of, token_of};
use super::{ExaLogLog, Form, sparse_limit};
use crate::cardinality::martingale::{ALL_HASHES, Watched};
use crate::kind::Kind;
use crate::{Estimate, HashSpec};

/// m times the relative variance far from empty; a test below derives it.
const MARTINGALE_VARIANCE: f64 = 0.10145;

impl ExaLogLog {
    /// Returns how many of the 2⁶⁴ hashes would change the sketch: 2⁶⁴ if it is empty, 0 once nothing can
    /// change it.
    ///
    /// ```
    /// use crivo::ExaLogLog;
    /// let mut sketch = ExaLogLog::for_precision(10)?;
    /// sketch.extend(0..1_000_000u32);
    /// let probability = sketch.change_probability() as f64 / 2f64.powi(64);
    /// assert!(probability < 0.01, "few new items are noticed: {probability}");
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn change_probability(&self) -> u128 {
        match &self.form {
            Form::Sparse(tokens) => ALL_HASHES - tokens.iter().map(hashes_of).map(u128::from).sum::<u128>(),
            Form::Dense(registers) => Evidence::of(registers, self.precision.into()).missing,
        }
    }
}

impl Watched for ExaLogLog {
    const MARTINGALE: Kind = Kind::MartingaleExaLogLog;

    fn changing_hashes(&self) -> u128 {
        self.change_probability()
    }

    fn martingale_variance(precision: u8) -> f64 {
        MARTINGALE_VARIANCE / f64::from(1u32 << precision)
    }

    #[inline]
    fn insert_hash_watched(&mut self, hash: u64, probability: u128) -> Option<u128> {
        let precision = u32::from(self.precision);
        let Form::Dense(registers) = &mut self.form else {
            return self.insert_sparse_watched(hash, probability);
        };
        let register = register_of(hash, precision);
        let before = registers.state(register);
        if !registers.take(hash, precision) {
            return None;
        }
        let after = registers.state(register);
        Some(probability - hashes_unseen(before, precision) + hashes_unseen(after, precision))
    }

    fn exact_estimate(&self, confidence: f64) -> Option<Estimate> {
        self.is_sparse().then(|| self.estimate_within(confidence))
    }

    fn least_changes(&self) -> u64 {
        match &self.form {
            Form::Sparse(tokens) => tokens.len() as u64,
            Form::Dense(registers) => {
                let came = Evidence::of(registers, self.precision.into()).came;
                came.iter()
                    .map(|&values| u64::from(values))
                    .sum::<u64>()
                    .max(sparse_limit(self.precision) as u64 + 1)
            }
        }
    }

    fn hashing(&self) -> &HashSpec {
        self.hash_spec()
    }
}

impl ExaLogLog {
    fn insert_sparse_watched(&mut self, hash: u64, probability: u128) -> Option<u128> {
        if !self.insert_sparse(hash) {
            return None;
        }
        Some(if self.is_sparse() {
            probability - u128::from(hashes_of(token_of(hash)))
        } else {
            self.change_probability()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn the_running_probability_is_that_of_the_state() {
        let mut rng = Rng::new(1);
        for precision in [4u8, 7, 12, 18] {
            let mut sketch = ExaLogLog::for_precision(precision).unwrap();
            let mut probability = sketch.change_probability();
            assert_eq!(probability, ALL_HASHES);
            for round in 0..20_000u32 {
                // Some hashes have many leading zeros, so that values up to the last occur too.
                let zeros = if round % 3 == 0 { rng.below(64) } else { 0 };
                let low = rng.next_u64() & ((4 << precision) - 1);
                let hash = rng.next_u64() >> zeros >> (precision + 2) << (precision + 2) | low;
                let before = sketch.clone();
                match sketch.insert_hash_watched(hash, probability) {
                    Some(after) => {
                        assert!(after < probability, "{hash:#x}");
                        probability = after;
                    }
                    None => assert!(sketch == before),
                }
                if round % 100 == 0 || round < 300 {
                    assert_eq!(probability, sketch.change_probability(), "{precision}, {round}");
                }
            }
        }
    }

    #[test]
    fn nothing_changes_registers_at_their_ends() {
        let mut sketch = ExaLogLog::for_precision(4).unwrap();
        for low in 0..64u64 {
            for zeros in 0..59 {
                sketch.insert_hash(low | if zeros < 58 { 1 << (63 - zeros) } else { 0 });
            }
        }
        assert_eq!(sketch.change_probability(), 0);
    }

    /// Far from empty 1/q = 2vn. This derives v from the mean of q over one register with Poisson(λ) items,
    /// averaged over an octave of λ, in which it oscillates slightly.
    #[test]
    fn the_limit_follows_from_the_chance_of_a_change() {
        // Value k has the probability 2^−(1 + ⌊(k − 1)/4⌋)/4, extended to all whole k.
        let chance = |k: i32| libm::exp2(-1.0 - f64::from((k - 1).div_euclid(4))) / 4.0;
        let mean_change = |load: f64| -> f64 {
            // k is new unless it occurred, or a value more than 20 above it did.
            let is_new = |k: i32| {
                let beyond: f64 = (k + 21..k + 300).map(chance).sum();
                libm::exp(-load * (chance(k) + beyond))
            };
            (-60..400).map(|k| chance(k) * is_new(k)).sum()
        };
        let steps = 16;
        let mean: f64 = (0..steps)
            .map(|step| {
                let load = libm::exp2(20.0 + f64::from(step) / f64::from(steps));
                0.5 / (load * mean_change(load))
            })
            .sum::<f64>()
            / f64::from(steps);
        assert!((mean - MARTINGALE_VARIANCE).abs() < 5e-5, "{mean}");
    }
}
