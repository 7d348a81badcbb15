//! The counters of distinct items of the chapter on massive data, written as it gives them.

use libm::{ldexp, log, pow};

/// The bits L of its linear counting.
pub(super) const LINEAR_BITS: u64 = 1 << 18;
/// b: the last bits of a hash that choose one of k = 2^b estimators.
pub(super) const PRECISION: u32 = 10;

/// Algorithms 5.8 to 5.12 side by side, each fed with the same hashes.
pub(super) struct Counters {
    bits: Vec<bool>,
    least: f64,
    most_zeros: u32,
    zeros: Vec<u32>,
    /// What is added to every number of zeros of algorithm 5.12: the chapter has 0.
    rank_offset: u32,
}

/// What the algorithms return.
pub(super) struct Answers {
    pub(super) linear: f64,
    pub(super) minimum: f64,
    pub(super) probabilistic: f64,
    pub(super) log_log: f64,
    pub(super) hyper_log_log: f64,
}

impl Counters {
    pub(super) fn new(rank_offset: u32) -> Self {
        Self {
            bits: vec![false; LINEAR_BITS as usize],
            least: f64::INFINITY,
            most_zeros: 0,
            zeros: vec![0; 1 << PRECISION],
            rank_offset,
        }
    }

    pub(super) fn insert_hash(&mut self, hash: u64) {
        // 2^18 positions are the last 18 bits; the other algorithms read from the left.
        self.bits[(hash % LINEAR_BITS) as usize] = true;
        self.least = self.least.min(ldexp(hash as f64, -64));
        self.most_zeros = self.most_zeros.max(hash.leading_zeros());
        let zeros = (hash >> PRECISION).leading_zeros() - PRECISION;
        let place = &mut self.zeros[(hash % (1 << PRECISION)) as usize];
        *place = (*place).max(zeros);
    }

    pub(super) fn answers(&self) -> Answers {
        let length = LINEAR_BITS as f64;
        let empty = self.bits.iter().filter(|&&bit| !bit).count() as f64 / length;
        let k = self.zeros.len() as f64;
        let mean = self.zeros.iter().sum::<u32>() as f64 / k;
        let inverse = |zeros: &u32| pow(2.0, -f64::from(zeros + self.rank_offset));
        Answers {
            linear: -length * log(empty),
            minimum: 1.0 / self.least - 1.0,
            probabilistic: pow(2.0, f64::from(self.most_zeros)),
            log_log: 0.79402 * k * pow(2.0, mean),
            hyper_log_log: 0.7213 / (1.0 + 1.079 / k) * k * k / self.zeros.iter().map(inverse).sum::<f64>(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One item whose hash starts with two zeros and a one, and ends in the number 5.
    #[test]
    fn one_item_sets_what_the_chapter_says() {
        let mut counters = Counters::new(0);
        counters.insert_hash((1 << 61) | 5);
        assert_eq!((counters.most_zeros, counters.zeros[5]), (2, 2));
        assert_eq!(counters.bits.iter().position(|&bit| bit), Some(5));
        let answers = counters.answers();
        assert_eq!((answers.minimum.round(), answers.probabilistic), (7.0, 4.0));
    }
}
