//! How alike two sets are, from the slots in which their signatures agree.
//!
//! **Functions.** In a slot the union's smallest value is that of a common item with probability J, and then both
//! signatures have it. Slots are pairwise independent (`min_hash.rs`), so the share of those that agree has mean J and
//! variance J(1−J)/k; the bounds are Clopper and Pearson's.
//!
//! **Bins.** Let N bins be in use by the union. The items are exchangeable, so whatever the hashes are, the smallest
//! items of these bins are N of the union's U, each choice equally likely. M of them are common: a hypergeometric
//! number, with mean NJ and a variance that is smaller than the binomial one by the factor (U−N)/(U−1). The bounds are
//! the exact ones for that law, at a U a standard deviation above its estimate.
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
use crate::stats::{clopper_pearson, population_bounds};
use crate::{Estimate, Guarantee};
use libm::{ceil, log1p, sqrt};

/// Values of a slot.
const VALUES: f64 = 4_294_967_296.0;
/// Sets so large that a smaller chance to leave a value free cannot be told from it.
const FULL: f64 = 1.0 - 1e-12;

pub(super) fn similarity(scheme: Scheme, first: &[u32], second: &[u32], confidence: f64) -> Estimate {
    match (is_empty(first), is_empty(second)) {
        (true, true) => return Estimate::new(1.0, 1.0, 1.0, Guarantee::Proven { confidence }),
        (true, false) | (false, true) => {
            return Estimate::new(0.0, 0.0, 0.0, Guarantee::Proven { confidence });
        }
        (false, false) => {}
    }
    let (mut agree, mut used) = (0u64, 0u64);
    for (one, other) in first.iter().zip(second) {
        let is_used = scheme != Scheme::Bins || *one.min(other) != Scheme::EMPTY;
        used += u64::from(is_used);
        agree += u64::from(is_used && one == other);
    }
    let share = agree as f64 / used as f64;
    let (lower, upper) = match scheme {
        Scheme::Functions | Scheme::Weights => clopper_pearson(agree, used, confidence),
        Scheme::Bins => {
            let population = most_of_union(first, second, used);
            let (least, most) = population_bounds(agree, used, population, confidence);
            (least as f64 / population as f64, most as f64 / population as f64)
        }
    };
    let guarantee = Guarantee::Approximate { confidence };
    if scheme == Scheme::Weights {
        return Estimate::new(share, lower, upper, guarantee);
    }
    let taken = [taken(first), taken(second)];
    let [value, lower, upper] = [share, lower, upper].map(|chance| without_accidents(chance, taken));
    Estimate::new(value, lower, upper, guarantee)
}

/// The chance that a value is taken by an item of the set.
fn taken(slots: &[u32]) -> f64 {
    taken_by(slots.iter().copied())
}

fn taken_by(slots: impl Iterator<Item = u32>) -> f64 {
    let (mut used, mut tried) = (0u64, 0u64);
    for slot in slots {
        used += u64::from(slot != Scheme::EMPTY);
        tried += u64::from(slot) + 1;
    }
    used as f64 / tried as f64
}

/// How many items the sets of two signatures of bins have together, a standard deviation above the estimate.
fn most_of_union(first: &[u32], second: &[u32], used: u64) -> u64 {
    let union = first.iter().zip(second).map(|(&one, &other)| one.min(other));
    let items = -log1p(-taken_by(union).min(FULL)) * VALUES * first.len() as f64;
    let used = used as f64;
    let items = items.max(used);
    let deviation = items * sqrt(1.0 / used - 1.0 / items);
    ceil(items + deviation) as u64
}

/// The similarity of two sets that agree in a slot with this chance, accidents included.
fn without_accidents(chance: f64, [first, second]: [f64; 2]) -> f64 {
    let union = (first + second) / (1.0 + chance);
    if union >= FULL {
        // The union may have any size, and so the common part none.
        return if first.max(second) < FULL { 0.0 } else { chance };
    }
    let [first, second, union] = [first, second, union].map(|taken| log1p(-taken));
    ((first + second) / union - 1.0).clamp(0.0, 1.0)
}
