//! The counters of distinct items of the chapter on massive data, written as it gives them.

use crivo::HashSpec;
use libm::{ldexp, log, pow};

/// The bits L of its linear counting.
pub(super) const LINEAR_BITS: u64 = 1 << 18;
/// b: the last bits of a hash that choose one of k = 2^b estimators.
pub(super) const PRECISION: u8 = 10;

/// Algorithms 5.8, 5.11 and 5.12 side by side, each fed with the same hashes.
pub(super) struct Counters {
    bits: Vec<bool>,
    zeros: Vec<u32>,
    /// What is added to every number of zeros of algorithm 5.12: the chapter has 0.
    rank_offset: u32,
}

/// What they return.
pub(super) struct Answers {
    pub(super) linear: f64,
    pub(super) log_log: f64,
    pub(super) hyper_log_log: f64,
}

impl Counters {
    pub(super) fn new(rank_offset: u32) -> Self {
        Self { bits: vec![false; LINEAR_BITS as usize], zeros: vec![0; 1 << PRECISION], rank_offset }
    }

    pub(super) fn insert_hash(&mut self, hash: u64) {
        self.bits[(hash % LINEAR_BITS) as usize] = true;
        let rest = hash >> PRECISION;
        let place = &mut self.zeros[(hash % (1 << PRECISION)) as usize];
        *place = (*place).max(rest.leading_zeros() - u32::from(PRECISION));
    }

    pub(super) fn answers(&self) -> Answers {
        let (length, k) = (LINEAR_BITS as f64, self.zeros.len() as f64);
        let empty = self.bits.iter().filter(|&&bit| !bit).count() as f64 / length;
        let mean = f64::from(self.zeros.iter().sum::<u32>()) / k;
        let inverse = |zeros: &u32| pow(2.0, -f64::from(zeros + self.rank_offset));
        Answers {
            linear: -length * log(empty),
            log_log: 0.79402 * k * pow(2.0, mean),
            hyper_log_log: 0.7213 / (1.0 + 1.079 / k) * k * k / self.zeros.iter().map(inverse).sum::<f64>(),
        }
    }
}

/// What algorithms 5.9 and 5.10 keep of the items 0, 1, … and `items` − 1: the least hash, which has the most zeros too.
#[derive(Clone, Copy)]
pub(super) struct Least(u64);

impl Least {
    pub(super) fn of(items: u64, spec: HashSpec) -> Self {
        Self((0..items).map(|item| spec.hash(&item)).min().unwrap_or(u64::MAX))
    }

    /// Algorithm 5.9: 1/h − 1.
    pub(super) fn minimum_hash(self) -> f64 {
        1.0 / ldexp(self.0 as f64, -64) - 1.0
    }

    /// The z of algorithm 5.10, which returns 2^z.
    pub(super) fn zeros(self) -> f64 {
        f64::from(self.0.leading_zeros())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One item whose hash starts with two zeros and a one, and ends in the number 5.
    #[test]
    fn one_item_sets_what_the_chapter_says() {
        let hash = (1 << 61) | 5;
        let mut counters = Counters::new(0);
        counters.insert_hash(hash);
        assert_eq!((counters.zeros[5], counters.zeros.iter().sum::<u32>()), (2, 2));
        assert_eq!(counters.bits.iter().position(|&bit| bit), Some(5));
        assert_eq!((Least(hash).minimum_hash().round(), Least(hash).zeros()), (7.0, 2.0));
    }
}
