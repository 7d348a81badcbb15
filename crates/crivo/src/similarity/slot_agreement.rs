//! How alike two sets are, from the slots in which their signatures agree.
//!
//! **Functions.** In a slot the union's smallest value is that of a common item with probability J, and then both
//! signatures have it. Slots are pairwise independent (`min_hash.rs`), so the share of those that agree has mean J and
//! variance J(1−J)/k; the bounds are Clopper and Pearson's.
//!
//! **Bins.** Let N bins be in use by the union. The items are exchangeable, so whatever the hashes are, the smallest
//! items of these bins are N of the union's U, each choice equally likely. M of them are common: a hypergeometric
//! number, with mean NJ and a variance that is smaller than the binomial one by the factor (U−N)/(U−1). The bounds are
//! the exact ones for that law, at a U two standard deviations above its estimate: the larger U, the wider they are.
//!
//! **Accidents.** Values are whole numbers below 2³², and different items may have the same. Let a value be taken by an
//! item of the first set with probability α, by one of the second with β, by one of either with γ. The union's smallest
//! value is the first that is taken, and it is taken by both sets with probability (α+β−γ)/γ. That, and not J, is the
//! chance P to agree. But γ = (α+β)/(1+P), and a set of n items leaves a value free with probability
//! 1−α = e^(−n/m), where m is the number of all values, or of all values in all bins: so J follows from P. Slots are
//! geometric numbers with the parameter α, and tell it. Up to a million items P and J differ by 0.0002 at most, at 10⁹ by
//! 0.12.

use super::Scheme;
use super::signature::is_empty;
use crate::stats::{beta_i_inverse, clopper_pearson, population_bounds};
use crate::{Estimate, Guarantee};
use libm::{ceil, expm1, log1p, round, sqrt};

/// Values of a slot.
const VALUES: f64 = 4_294_967_296.0;
/// A set that takes so many of the values may as well take all.
const FULL: f64 = 1.0 - 1e-12;
/// Sets that take fewer agree by accident less than once in two million slots.
const FEW: f64 = 1e-6;

pub(super) fn similarity(scheme: Scheme, first: &[u32], second: &[u32], confidence: f64) -> Estimate {
    if let Some(value) = of_empty(is_empty(first), is_empty(second)) {
        return Estimate::exact(value);
    }
    let (agree, used) = agreeing(scheme, first, second);
    let (lower, upper) = match scheme {
        Scheme::Functions | Scheme::Weights => clopper_pearson(agree, used, confidence),
        Scheme::Bins => {
            let population = most_of_union(first, second, used);
            let (least, most) = population_bounds(agree, used, population, confidence);
            (least as f64 / population as f64, most as f64 / population as f64)
        }
    };
    let taken = taken_by_each(scheme, first, second);
    let [value, lower, upper] =
        [agree as f64 / used as f64, lower, upper].map(|chance| without_accidents(chance, taken));
    Estimate::new(value, lower, upper, Guarantee::Approximate { confidence })
}

/// The value of the [`similarity`] alone: its bounds take most of the time.
pub(super) fn value(scheme: Scheme, first: &[u32], second: &[u32]) -> f64 {
    of_empty(is_empty(first), is_empty(second)).unwrap_or_else(|| {
        let (agree, used) = agreeing(scheme, first, second);
        without_accidents(agree as f64 / used as f64, taken_by_each(scheme, first, second))
    })
}

/// What is known without counting: empty sets are alike, and unlike all others.
pub(super) fn of_empty(first: bool, second: bool) -> Option<f64> {
    (first || second).then_some(if first == second { 1.0 } else { 0.0 })
}

/// How many slots agree, of those that either uses.
fn agreeing(scheme: Scheme, first: &[u32], second: &[u32]) -> (u64, u64) {
    let (mut agree, mut used) = (0u64, 0u64);
    for (one, other) in first.iter().zip(second) {
        let is_used = scheme != Scheme::Bins || *one.min(other) != Scheme::EMPTY;
        used += u64::from(is_used);
        agree += u64::from(is_used && one == other);
    }
    (agree, used)
}

fn taken_by_each(scheme: Scheme, first: &[u32], second: &[u32]) -> [f64; 2] {
    match scheme {
        Scheme::Functions | Scheme::Bins => [first, second].map(|slots| taken(slots.iter().copied())),
        Scheme::Weights => [0.0; 2],
    }
}

/// How many values the items of a set are spread over; no end of them where different items never have the same.
pub(super) fn values(scheme: Scheme, slots: usize) -> f64 {
    match scheme {
        Scheme::Functions => VALUES,
        Scheme::Bins => VALUES * slots as f64,
        Scheme::Weights => f64::INFINITY,
    }
}

/// About how many items a set has that is not empty; 1 where the slots do not tell.
pub(super) fn items(scheme: Scheme, slots: &[u32]) -> f64 {
    match scheme {
        Scheme::Functions | Scheme::Bins => {
            items_that_take(taken(slots.iter().copied()), values(scheme, slots.len()))
        }
        Scheme::Weights => 1.0,
    }
}

/// The most that [`items`] can be.
pub(super) fn most_items(scheme: Scheme, slots: usize) -> f64 {
    match scheme {
        Scheme::Functions | Scheme::Bins => ceil(items_that_take(1.0, values(scheme, slots))),
        Scheme::Weights => 1.0,
    }
}

/// How many items take this share of all values.
fn items_that_take(taken: f64, values: f64) -> f64 {
    -log1p(-taken.min(FULL)) * values
}

/// The chance that a value is taken by an item of the set.
fn taken(slots: impl Iterator<Item = u32>) -> f64 {
    let (mut used, mut tried) = (0u64, 0u64);
    for slot in slots {
        used += u64::from(slot != Scheme::EMPTY);
        tried += u64::from(slot) + 1;
    }
    used as f64 / tried as f64
}

/// How many items the sets of two signatures of bins have together, at most.
fn most_of_union(first: &[u32], second: &[u32], used: u64) -> u64 {
    let union = first.iter().zip(second).map(|(&one, &other)| one.min(other));
    let used = used as f64;
    let items = items_that_take(taken(union), values(Scheme::Bins, first.len())).max(used);
    most_that_use(used, items)
}

/// Two standard deviations above an estimate of the items that use so many bins: its relative variance is 1/N − 1/U.
fn most_that_use(bins: f64, items: f64) -> u64 {
    ceil(items + 2.0 * items * sqrt((1.0 / bins - 1.0 / items).max(0.0))) as u64
}

/// How many bins so many items use, on average.
fn bins_in_use(slots: f64, items: f64) -> f64 {
    -slots * expm1(items * log1p(-1.0 / slots))
}

/// Where the similarity lies of sets of bins of which this share agrees, when all but the draw of items into bins is
/// known; just there for other schemes.
pub(super) fn drawn_bounds(
    scheme: Scheme,
    share: f64,
    slots: f64,
    union: f64,
    confidence: f64,
) -> (f64, f64) {
    if scheme != Scheme::Bins {
        return (share, share);
    }
    let union = union.max(1.0);
    let used = round(bins_in_use(slots, union)).max(1.0);
    let population = most_that_use(used, union.max(used));
    let (least, most) = population_bounds(round(share * used) as u64, used as u64, population, confidence);
    (least as f64 / population as f64, most as f64 / population as f64)
}

/// The similarity of two sets that agree in a slot with this chance, accidents included.
pub(super) fn without_accidents(chance: f64, [first, second]: [f64; 2]) -> f64 {
    let union = (first + second) / (1.0 + chance);
    if union < FEW {
        return chance;
    }
    if union >= FULL {
        // The union may have any size, and the common part none.
        return if chance < 1.0 { 0.0 } else { 1.0 };
    }
    let [first, second, union] = [first, second, union].map(|taken| log1p(-taken.min(FULL)));
    ((first + second) / union - 1.0).clamp(0.0, 1.0)
}

/// How many independent slots the filled slots of two signatures are worth, whose sets have `union` items together and
/// whose different slots agree `by_chance`.
///
/// Of k slots N are in use by the union, and slot j stands for w of them, itself and those that were filled from
/// it. Which of the union's U items are common is the same for any choice, so the variance of the share that agrees is
/// J(1−J)·(U·Σw²/k² − 1)/(U − 1), and Σw² is N + 3e + e²/N on average, with e = k − N filled ones.
pub(super) fn worth_of_filled(scheme: Scheme, slots: f64, union: f64, by_chance: f64) -> f64 {
    if scheme != Scheme::Bins || union <= 1.0 {
        return slots;
    }
    let used = bins_in_use(slots, union);
    let filled = slots - used;
    let squares = used + 3.0 * filled + filled * filled / used;
    let variance = (union * squares / (slots * slots) - 1.0) / (union - 1.0);
    slots.min(1.0 / ((1.0 - by_chance) * variance + by_chance / slots))
}

/// Clopper and Pearson's bounds for a chance after this share of trials, whose number need not be whole.
pub(super) fn share_bounds(share: f64, trials: f64, confidence: f64) -> (f64, f64) {
    let miss = 0.5 * (1.0 - confidence);
    let (hits, failures) = (share * trials, (1.0 - share) * trials);
    let lower = if share > 0.0 { beta_i_inverse(hits, failures + 1.0, miss) } else { 0.0 };
    let upper = if share < 1.0 { 1.0 - beta_i_inverse(failures, hits + 1.0, miss) } else { 1.0 };
    (lower, upper)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::similarity::BBitMinHash;
    use crate::{MinHash, OnePermutation};
    use alloc::vec;

    /// From sizes to the chance to agree, as the head of the file derives it, and back.
    #[test]
    fn accidents_are_undone() {
        for all in [1.0, 1e4, 1e7, 1e9, 4e9] {
            for alike in [0.0, 0.05, 0.5, 0.95, 1.0] {
                for first_only in [0.0, 0.3, 1.0] {
                    let both = all * alike;
                    let first = both + (all - both) * first_only;
                    let second = all - first + both;
                    let [alpha, beta, gamma] = [first, second, all].map(|items: f64| -expm1(-items / VALUES));
                    let chance = (alpha + beta - gamma) / gamma;
                    let found = without_accidents(chance, [alpha, beta]);
                    assert!((found - alike).abs() < 1e-6, "{all} {alike} {first_only}: {found}");
                    assert!(chance >= alike - 1e-9 && (all > 2e6 || chance - alike < 2e-4), "{chance}");
                }
            }
        }
    }

    /// Slots that no honest set has.
    #[test]
    fn any_slots_have_an_answer() {
        let slots =
            [vec![0; 5], vec![Scheme::EMPTY - 1; 5], vec![Scheme::EMPTY, 0, 0, 1, 2], vec![7, 8, 9, 0, 1]];
        for scheme in [Scheme::Functions, Scheme::Bins, Scheme::Weights] {
            for first in &slots {
                for second in &slots {
                    for confidence in [f64::MIN_POSITIVE, 0.95, 1.0 - f64::EPSILON] {
                        let alike = similarity(scheme, first, second, confidence);
                        assert_eq!(alike.value(), value(scheme, first, second));
                        assert!(0.0 <= alike.lower() && alike.upper() <= 1.0, "{alike:.3}");
                        assert!(first != second || alike.value() == 1.0, "{first:?}: {alike:.3}");
                    }
                }
            }
            assert_eq!(similarity(scheme, &[], &[], 0.95).value(), 1.0);
        }
    }

    #[test]
    fn empty_sets_are_alike_and_unlike_all_others() {
        let (empty, mut one) = (MinHash::for_slots(16).unwrap(), MinHash::for_slots(16).unwrap());
        one.insert("a");
        let alike = |first: &MinHash, second: &MinHash| {
            let [first, second] = [first, second].map(|signature| BBitMinHash::freeze(signature, 4).unwrap());
            first.similarity(&second).unwrap().value()
        };
        assert_eq!((empty.similarity(&empty).unwrap().lower(), alike(&empty, &empty)), (1.0, 1.0));
        assert_eq!((empty.similarity(&one).unwrap().upper(), alike(&empty, &one)), (0.0, 0.0));
        assert_eq!((one.similarity(&one).unwrap().value(), alike(&one, &one)), (1.0, 1.0));
    }

    #[test]
    fn unlike_signatures_do_not_meet() {
        use crate::{ErrorKind, HashSpec};
        let mut signature = MinHash::for_slots(16).unwrap();
        signature.insert("kept");
        let others = [
            (MinHash::for_slots(17).unwrap(), "k: 16 and 17"),
            (MinHash::for_slots(16).unwrap().with_hash(HashSpec::seeded(9)), "hash"),
        ];
        let before = signature.clone();
        for (other, field) in others {
            for error in [signature.merge(&other).unwrap_err(), signature.similarity(&other).unwrap_err()] {
                assert_eq!(error.kind(), ErrorKind::Incompatible);
                assert!(alloc::format!("{error}").contains(field), "{error}");
            }
            assert_eq!(signature, before);
        }
        let bins = OnePermutation::for_slots(16).unwrap();
        let compressed = BBitMinHash::freeze(&signature, 2).unwrap();
        let others = [
            (BBitMinHash::freeze(&MinHash::for_slots(17).unwrap(), 2), "k: 16 and 17"),
            (BBitMinHash::freeze(&signature, 4), "bits: 2 and 4"),
            (BBitMinHash::freeze(&bins, 2), "scheme: functions and bins"),
            (BBitMinHash::freeze(&MinHash::for_slots(16).unwrap().with_hash(HashSpec::seeded(9)), 2), "hash"),
        ];
        for (other, field) in others {
            let error = compressed.similarity(&other.unwrap()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Incompatible);
            assert!(alloc::format!("{error}").contains(field), "{error}");
        }
    }

    #[test]
    fn sets_tell_their_size() {
        for items in [50u32, 1000, 100_000] {
            let (mut functions, mut bins) =
                (MinHash::for_slots(1024).unwrap(), OnePermutation::for_slots(1024).unwrap());
            functions.extend(0..items);
            bins.extend(0..items);
            let found = [
                super::items(Scheme::Functions, functions.slots()),
                super::items(Scheme::Bins, bins.slots()),
            ];
            for found in found {
                assert!((found / f64::from(items) - 1.0).abs() < 5.0 / 32.0, "{items}: {found}");
            }
        }
    }

    /// The variance by the formula against the sum over all ways to fill, for bins that draw one by one.
    #[test]
    fn filled_slots_are_worth_less_than_independent_ones() {
        for (k, union) in [(128.0, 10.0), (128.0, 64.0), (128.0, 128.0), (1024.0, 100.0)] {
            let worth = worth_of_filled(Scheme::Bins, k, union, 0.0);
            assert!(worth > 0.6 * k && worth <= k, "{k} {union}: {worth}");
        }
        assert_eq!(worth_of_filled(Scheme::Bins, 128.0, 1e6, 0.0), 128.0);
        assert_eq!(worth_of_filled(Scheme::Functions, 128.0, 10.0, 0.0), 128.0);
        assert_eq!(worth_of_filled(Scheme::Bins, 1.0, 3.0, 0.5), 1.0);
    }
}
