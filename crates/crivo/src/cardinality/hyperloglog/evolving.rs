//! The probability that a new item changes a sketch, which martingale counting needs.

use super::sparse::{entry_of, hashes_of};
use super::{Form, HyperLogLog, sparse_limit};
use crate::cardinality::martingale::{ALL_HASHES, Watched};
use crate::cardinality::registers::{raise, split};
use crate::kind::Kind;
use crate::{Estimate, HashSpec};

/// Returns how many of the 2⁶⁴ hashes raise a register of this rank: none at the maximum rank, 65 −
/// precision.
fn hashes_above(rank: u8, precision: u8) -> u128 {
    (1u128 << (64 - precision)) >> rank
}

impl HyperLogLog {
    /// Returns how many of the 2⁶⁴ hashes would change the sketch: 2⁶⁴ if it is empty, 0 once nothing can
    /// change it.
    ///
    /// ```
    /// use crivo::HyperLogLog;
    /// let mut sketch = HyperLogLog::for_precision(10)?;
    /// sketch.extend(0..1_000_000u32);
    /// let probability = sketch.change_probability() as f64 / 2f64.powi(64);
    /// assert!(probability < 0.001, "few new items are noticed: {probability}");
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn change_probability(&self) -> u128 {
        match &self.form {
            Form::Sparse(entries) => {
                let taken = entries.iter().map(|entry| hashes_of(entry, self.precision.into()));
                ALL_HASHES - taken.map(u128::from).sum::<u128>()
            }
            Form::Dense(registers) => registers.iter().map(|&rank| hashes_above(rank, self.precision)).sum(),
        }
    }
}

impl Watched for HyperLogLog {
    const MARTINGALE: Kind = Kind::MartingaleHyperLogLog;

    fn changing_hashes(&self) -> u128 {
        self.change_probability()
    }

    /// Returns half of 1/(α∞ m).
    fn martingale_variance(precision: u8) -> f64 {
        core::f64::consts::LN_2 / f64::from(1u32 << precision)
    }

    #[inline]
    fn insert_hash_watched(&mut self, hash: u64, probability: u128) -> Option<u128> {
        let Form::Dense(registers) = &mut self.form else {
            return self.insert_sparse_watched(hash, probability);
        };
        let (register, _) = split(hash, registers.len());
        let before = registers[register];
        if !raise(registers, hash) {
            return None;
        }
        let after = registers[register];
        Some(probability - hashes_above(before, self.precision) + hashes_above(after, self.precision))
    }

    fn exact_estimate(&self, confidence: f64) -> Option<Estimate> {
        self.is_sparse().then(|| self.estimate_within(confidence))
    }

    fn least_changes(&self) -> u64 {
        match &self.form {
            Form::Sparse(entries) => entries.len() as u64,
            Form::Dense(registers) => {
                let occupied = registers.iter().filter(|&&rank| rank > 0).count();
                occupied.max(sparse_limit(self.precision) + 1) as u64
            }
        }
    }

    fn hashing(&self) -> &HashSpec {
        self.hash_spec()
    }
}

impl HyperLogLog {
    fn insert_sparse_watched(&mut self, hash: u64, probability: u128) -> Option<u128> {
        if !self.insert_sparse(hash) {
            return None;
        }
        let precision = u32::from(self.precision);
        Some(if self.is_sparse() {
            probability - u128::from(hashes_of(entry_of(hash, precision), precision))
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
            let mut sketch = HyperLogLog::for_precision(precision).unwrap();
            let mut probability = sketch.change_probability();
            assert_eq!(probability, ALL_HASHES);
            for round in 0..5000u32 {
                // Some hashes have many zeros after the register's bits, so that ranks up to the maximum
                // occur too.
                let zeros = if round % 3 == 0 { rng.below(64) } else { 0 };
                let rest = rng.next_u64() >> precision >> zeros;
                let hash = rng.next_u64() >> (64 - precision) << (64 - precision) | rest;
                let before = sketch.clone();
                match sketch.insert_hash_watched(hash, probability) {
                    Some(after) => {
                        assert!(after < probability, "{hash:#x}");
                        probability = after;
                    }
                    None => assert!(sketch == before),
                }
                if round % 50 == 0 || round < 300 {
                    assert_eq!(probability, sketch.change_probability(), "{precision}, {round}");
                }
            }
        }
    }

    #[test]
    fn nothing_changes_registers_at_their_ends() {
        let mut sketch = HyperLogLog::for_precision(4).unwrap();
        (0..16u64).for_each(|register| {
            sketch.insert_hash(register << 60);
        });
        assert_eq!(sketch.change_probability(), 0);
    }
}
