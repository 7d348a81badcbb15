//! The similarity of two sets, from the slots in which their signatures agree.
//!
//! **Functions.** In a slot the union's smallest value belongs to a common item with probability J, and then both
//! signatures have it. Slots are pairwise independent (`min_hash.rs`), so the share of agreeing slots has mean J and
//! variance J(1−J)/k; the bounds are Clopper and Pearson's.
//!
//! **Bins.** Let the union use N bins. The items are exchangeable, so whatever the hashes are, the smallest items of
//! these bins are N of the union's U, each choice equally likely. M of them are common: a hypergeometric number, with
//! mean NJ and a variance that is smaller than the binomial one by the factor (U−N)/(U−1). The bounds are exact for
//! that distribution, at a U two standard deviations above its estimate: the larger U, the wider they are.
//!
//! **Collisions.** Values are integers below 2³², and distinct items may have the same value. Let a value be taken by
//! an item of the first set with probability α, by one of the second with β, by one of either with γ. The union's
//! smallest value is the first that is taken, and it is taken by both sets with probability (α+β−γ)/γ. This, and not J,
//! is the probability P that a slot agrees. But γ = (α+β)/(1+P), and a set of n items leaves a value free with
//! probability 1−α = e^(−n/m), where m is the number of all values, or of all values in all bins: so J follows from P.
//! Slots are geometric numbers with the parameter α, which can therefore be estimated from them. Up to a million items
//! P and J differ by at most 0.0002, at 10⁹ by 0.12.

use super::Scheme;
use super::signature::is_empty;
use crate::stats::{beta_i_inverse, clopper_pearson, population_bounds};
use crate::{Estimate, Guarantee};
use libm::{ceil, expm1, log1p, round, sqrt};

/// The number of values of a slot.
const VALUES: f64 = 4_294_967_296.0;
/// A set that takes this share of the values may as well take all.
const FULL: f64 = 1.0 - 1e-12;
/// Slots of sets that take a smaller share agree by collision less than once in two million slots.
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

/// Returns only the value of the [`similarity`], whose bounds take most of the time.
pub(super) fn value(scheme: Scheme, first: &[u32], second: &[u32]) -> f64 {
    of_empty(is_empty(first), is_empty(second)).unwrap_or_else(|| {
        let (agree, used) = agreeing(scheme, first, second);
        without_accidents(agree as f64 / used as f64, taken_by_each(scheme, first, second))
    })
}

/// Returns what is known without counting: two empty sets have similarity 1, and an empty set has similarity 0 to all
/// others.
pub(super) fn of_empty(first: bool, second: bool) -> Option<f64> {
    (first || second).then_some(if first == second { 1.0 } else { 0.0 })
}

/// Returns the number of agreeing slots, and of those that either uses.
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

/// Returns the number of values that the items of a set are spread over; infinite if distinct items never collide.
pub(super) fn values(scheme: Scheme, slots: usize) -> f64 {
    match scheme {
        Scheme::Functions => VALUES,
        Scheme::Bins => VALUES * slots as f64,
        Scheme::Weights => f64::INFINITY,
    }
}

/// Estimates the number of items of a non-empty set; 1 if the slots do not determine it.
pub(super) fn items(scheme: Scheme, slots: &[u32]) -> f64 {
    match scheme {
        Scheme::Functions | Scheme::Bins => {
            items_that_take(taken(slots.iter().copied()), values(scheme, slots.len()))
        }
        Scheme::Weights => 1.0,
    }
}

/// Returns the largest possible result of [`items`].
pub(super) fn most_items(scheme: Scheme, slots: usize) -> f64 {
    match scheme {
        Scheme::Functions | Scheme::Bins => ceil(items_that_take(1.0, values(scheme, slots))),
        Scheme::Weights => 1.0,
    }
}

/// Returns the number of items that take this share of all values.
fn items_that_take(taken: f64, values: f64) -> f64 {
    -log1p(-taken.min(FULL)) * values
}

/// Estimates the probability that an item of the set takes a given value.
fn taken(slots: impl Iterator<Item = u32>) -> f64 {
    let (mut used, mut tried) = (0u64, 0u64);
    for slot in slots {
        used += u64::from(slot != Scheme::EMPTY);
        tried += u64::from(slot) + 1;
    }
    used as f64 / tried as f64
}

/// Returns an upper bound on the size of the union of the sets of two signatures of bins.
fn most_of_union(first: &[u32], second: &[u32], used: u64) -> u64 {
    let union = first.iter().zip(second).map(|(&one, &other)| one.min(other));
    let used = used as f64;
    let items = items_that_take(taken(union), values(Scheme::Bins, first.len())).max(used);
    most_that_use(used, items)
}

/// Returns two standard deviations above an estimate of the number of items that use this many bins: its relative
/// variance is 1/N − 1/U.
fn most_that_use(bins: f64, items: f64) -> u64 {
    ceil(items + 2.0 * items * sqrt((1.0 / bins - 1.0 / items).max(0.0))) as u64
}

/// Returns the mean number of bins that this many items use.
fn bins_in_use(slots: f64, items: f64) -> f64 {
    -slots * expm1(items * log1p(-1.0 / slots))
}

/// Returns bounds for the similarity of sets whose bins agree in this share, if everything except the draw of items
/// into bins is known; for other schemes both bounds are the share.
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

/// Returns the similarity of two sets that agree in a slot with this probability, collisions included.
pub(super) fn without_accidents(chance: f64, [first, second]: [f64; 2]) -> f64 {
    let union = (first + second) / (1.0 + chance);
    if union < FEW {
        return chance;
    }
    if union >= FULL {
        // The union may have any size, and the intersection may be empty.
        return if chance < 1.0 { 0.0 } else { 1.0 };
    }
    let [first, second, union] = [first, second, union].map(|taken| log1p(-taken.min(FULL)));
    ((first + second) / union - 1.0).clamp(0.0, 1.0)
}

/// Returns how many independent slots the filled slots of two signatures are worth, if their sets have `union` items
/// together and differing slots agree `by_chance`.
///
/// Of k slots the union uses N, and slot j stands for w of them, itself and those that were filled from it. All choices
/// of the common items among the union's U are equally likely, so the variance of the share of agreeing slots is
/// J(1−J)·(U·Σw²/k² − 1)/(U − 1), and Σw² is N + 3e + e²/N on average, with e = k − N filled slots.
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

/// Returns Clopper and Pearson's bounds for a probability after this share of trials, whose number need not be an
/// integer.
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

    /// From sizes to the probability of agreement, as the module documentation derives it, and back.
    #[test]
    fn collisions_are_corrected() {
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
    fn empty_sets_are_similar_only_to_each_other() {
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
    fn incompatible_signatures_are_not_compared() {
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
    fn sizes_of_sets_are_estimated_from_slots() {
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
