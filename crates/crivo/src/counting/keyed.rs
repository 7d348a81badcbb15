//! Keys in an array of counters: the hash of a key chooses its counter, which other keys may share.

use crate::estimate::DEFAULT_CONFIDENCE;
use crate::hash::reduce;
use crate::{Estimate, Guarantee};
use alloc::vec::Vec;

/// The probability with which a key shares its counter with more events than its lower bound allows for. Each bound of
/// a register misses with this probability, and three of them make an interval of 95 %: one above, and below the
/// bound of the counter and the bound of the other events.
const CROWDED: f64 = (1.0 - DEFAULT_CONFIDENCE) / 4.0;

/// Returns the counter of the key with this hash.
#[inline]
pub(super) fn place(hash: u64, counters: usize) -> usize {
    reduce(hash, counters as u64) as usize
}

/// Estimates the counts of the keys with these hashes, at 95 % confidence. `estimate` is the count of a register at a
/// confidence.
///
/// The hash of a key is independent of the other keys, so the other events in its counter are those of a counter that is
/// drawn at random from the array without the key. With the key, no register is smaller. So at most [`CROWDED`] of all
/// counters of the array without the key have a register above r if at most that share of those with it have one: with at
/// least the rest of the probability, the other events alone bring the register of the key to at most r, and then there
/// are no more of them than the upper bound of r. The value is the count of the counter less the mean of the others,
/// which is unbiased.
pub(super) fn frequencies(
    registers: &[u32],
    estimate: impl Fn(u32, f64) -> Estimate,
    hashes: &[u64],
) -> Vec<Estimate> {
    let len = registers.len();
    let mut sorted = registers.to_vec();
    sorted.sort_unstable();
    let usual = sorted[len - 1 - (CROWDED * len as f64) as usize];
    let confidence = 1.0 - 2.0 * CROWDED;
    let most_others = estimate(usual, confidence).upper();
    // Equal registers stand together, and each has one value.
    let values = sorted
        .chunk_by(PartialEq::eq)
        .map(|equal| estimate(equal[0], confidence).value() * equal.len() as f64);
    let sum: f64 = values.sum();
    let frequency = |&hash: &u64| {
        let counter = estimate(registers[place(hash, len)], confidence);
        if counter.upper() == 0.0 {
            return counter;
        }
        let lower = (counter.lower() - most_others).max(0.0);
        // A single counter tells nothing about the others.
        let others = (sum - counter.value()) / (len.max(2) - 1) as f64;
        let value = (counter.value() - others).max(lower);
        Estimate::new(
            value,
            lower,
            counter.upper(),
            Guarantee::Approximate { confidence: DEFAULT_CONFIDENCE },
        )
    };
    hashes.iter().map(frequency).collect()
}

#[cfg(test)]
mod tests {
    use crate::counting::{BinomialArray, BinomialParams, MorrisArray, MorrisParams};
    use crate::rng::Rng;
    use crate::{Estimate, HashSpec};

    const KEYS: u64 = 300;

    /// Some keys are far more frequent than others.
    fn count(key: u64) -> u64 {
        3000 / (key + 1)
    }

    fn hash(run: u64, key: u64) -> u64 {
        HashSpec::default().hash(&(run, key))
    }

    /// One key of each run, so that the runs are independent. That more than RUNS · 5 % + 5·√(RUNS · 5 % · 95 %) of them
    /// miss has a probability below 10⁻⁶.
    fn check(mut answer: impl FnMut(u64, u64) -> Estimate, name: &str) {
        const RUNS: u64 = 2000;
        let (mut missed, mut lower, mut sum, mut squares) = (0, 0.0, 0.0, 0.0);
        for run in 0..RUNS {
            let key = Rng::new(run).below(KEYS);
            let (estimate, truth) = (answer(run, key), count(key) as f64);
            missed += u64::from(!estimate.contains(truth));
            lower += estimate.lower() / RUNS as f64;
            let error = estimate.value() - truth;
            (sum, squares) = (sum + error, squares + error * error);
        }
        assert!(missed <= 100 + 49, "{name}: {missed} of {RUNS}");
        assert!(lower > 0.0 || name != "morris", "the lower bounds of frequent keys are above 0");
        // Values below 0 are raised, which adds less than the noise of a counter.
        assert!(sum / RUNS as f64 > -5.0 * libm::sqrt(squares) / RUNS as f64, "{name}: {sum}");
    }

    #[test]
    fn intervals_cover_counts_that_share_counters() {
        for bits in [8, 12] {
            let answer = |run, key| {
                let params = MorrisParams::for_count(1_000_000, bits).unwrap();
                let mut array = MorrisArray::with_params(200, params, run).unwrap();
                for key in 0..KEYS {
                    array.increment_by(array.place(hash(run, key)), count(key)).unwrap();
                }
                array.frequency_hashes(&[hash(run, key)])[0]
            };
            check(answer, "morris");
            // The counters of the second one are exact, though keys share them.
            for (most, bits) in [(100_000, bits), (60_000, 16)] {
                let answer = |run, key| {
                    let params = BinomialParams::for_count(most, bits).unwrap();
                    let mut array = BinomialArray::with_params(200, params, run).unwrap();
                    for key in 0..KEYS {
                        array.increment_by(array.place(hash(run, key)), count(key)).unwrap();
                    }
                    array.frequency_hashes(&[hash(run, key)])[0]
                };
                check(answer, "binomial");
            }
        }
    }

    #[test]
    fn a_key_with_a_counter_of_its_own_has_the_interval_of_the_counter() {
        let mut array = MorrisArray::with_params(1000, MorrisParams::exact(1.1, 8).unwrap(), 3).unwrap();
        let (key, absent) = (7 << 60, 0);
        array.increment_by(array.place(key), 5000).unwrap();
        let answers = array.frequency_hashes(&[key, absent]);
        let alone = array.estimate_at(array.place(key), 0.975).unwrap();
        assert_eq!((answers[0].lower(), answers[0].upper()), (alone.lower(), alone.upper()));
        assert_eq!(answers[0].guarantee().confidence(), 0.95);
        assert_eq!(answers[1], Estimate::exact(0.0));
    }

    #[test]
    fn few_or_full_counters_are_honest() {
        let mut one = MorrisArray::with_params(1, MorrisParams::exact(2.0, 4).unwrap(), 3).unwrap();
        one.increment_by(0, 100).unwrap();
        let (answer, counter) = (one.frequency_hashes(&[9])[0], one.estimate_at(0, 0.975).unwrap());
        assert_eq!((answer.lower(), answer.value(), answer.upper()), (0.0, counter.value(), counter.upper()));
        let mut full = MorrisArray::with_params(2, MorrisParams::exact(2.0, 2).unwrap(), 3).unwrap();
        full.increment_by(0, u64::MAX).unwrap();
        full.increment_by(1, u64::MAX).unwrap();
        let answer = full.frequency_hashes(&[0])[0];
        assert_eq!((answer.lower(), answer.upper()), (0.0, f64::INFINITY));
    }
}
