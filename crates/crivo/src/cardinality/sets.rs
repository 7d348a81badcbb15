//! Comparison of two sets: see [`Sets`].

use crate::{Estimate, Guarantee};

/// The estimates about two sets, each with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sets {
    /// The number of distinct items in either set.
    pub union: Estimate,
    /// The number of items in both sets.
    pub intersection: Estimate,
    /// The number of items in the first set only.
    pub only_first: Estimate,
    /// The Jaccard similarity: the share of the common items among all, from 0 to 1.
    pub similarity: Estimate,
}

impl Sets {
    /// Computes inclusion and exclusion from the counts of two sets and of their union: |A| + |B| − |A∪B| and
    /// |A∪B| − |B|.
    ///
    /// The correlation of the errors of the three counts is unknown here, so their lengths are added, as if all
    /// were at their worst at once; [`compare_sets`](crate::compare_sets) takes it into account for two
    /// [`HyperLogLog`](crate::HyperLogLog)s. The intervals are as wide as the sets are large, whatever the answer: a
    /// small intersection of large sets is [swamped](Estimate::is_swamped). If two counts are not certain,
    /// the answers are at best `Approximate`.
    ///
    /// ```
    /// use crivo::{HyperLogLog, cardinality::Sets};
    /// let (mut monday, mut tuesday) = (HyperLogLog::for_precision(14)?, HyperLogLog::for_precision(14)?);
    /// monday.extend(0..40_000u32);
    /// tuesday.extend(30_000..70_000u32);
    /// let mut both_days = monday.clone();
    /// both_days.merge(&tuesday)?;
    /// let counts = [monday, tuesday, both_days].map(|sketch| sketch.estimate());
    /// let sets = Sets::by_inclusion_exclusion(counts[0], counts[1], counts[2]);
    /// assert!(sets.intersection.contains(10_000.0), "{}", sets.intersection);
    /// assert!(sets.only_first.contains(30_000.0), "{}", sets.only_first);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn by_inclusion_exclusion(first: Estimate, second: Estimate, union: Estimate) -> Self {
        let guarantee = weakest([first, second, union]);
        // No part of a set is negative or larger than the set.
        let part = |value: f64, below: f64, above: f64, whole: Estimate| {
            let value = value.max(0.0).min(whole.value());
            let (lower, upper) = (below.max(0.0), above.max(0.0).min(whole.upper()));
            Estimate::new(value, lower, upper, guarantee).with_hashes_of(union)
        };
        let smaller = if first.value() <= second.value() { first } else { second };
        let intersection = part(
            first.value() + second.value() - union.value(),
            first.lower() + second.lower() - union.upper(),
            first.upper() + second.upper() - union.lower(),
            smaller,
        );
        let only_first = part(
            union.value() - second.value(),
            union.lower() - second.upper(),
            union.upper() - second.lower(),
            first,
        );
        let share = |part: f64, all: f64| if part < all { part / all } else { 1.0 };
        let similarity = Estimate::new(
            share(intersection.value(), union.value()),
            share(intersection.lower(), union.upper()),
            share(intersection.upper(), union.lower()),
            guarantee,
        )
        .with_hashes_of(union);
        Self { union, intersection, only_first, similarity }
    }
}

/// Returns the weakest guarantee: certain if all are; that of the only count that is not; approximate if the
/// errors of several combine.
fn weakest(counts: [Estimate; 3]) -> Guarantee {
    let mut uncertain =
        counts.into_iter().map(|count| count.guarantee()).filter(|&g| g != Guarantee::Certain);
    match (uncertain.next(), uncertain.next(), uncertain.next()) {
        (None, ..) => Guarantee::Certain,
        (Some(only), None, _) => only,
        (Some(one), Some(other), third) => {
            let least = one.confidence().min(other.confidence());
            let confidence = third.map_or(least, |third| least.min(third.confidence()));
            Guarantee::Approximate { confidence }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn approximate(lower: f64, value: f64, upper: f64) -> Estimate {
        Estimate::new(value, lower, upper, Guarantee::Approximate { confidence: 0.95 })
    }

    #[test]
    fn bars_add_up_and_stay_possible() {
        let sets = Sets::by_inclusion_exclusion(
            approximate(90.0, 100.0, 110.0),
            approximate(190.0, 200.0, 215.0),
            approximate(230.0, 250.0, 260.0),
        );
        let bar = |answer: Estimate| (answer.lower(), answer.value(), answer.upper());
        assert_eq!(bar(sets.intersection), (20.0, 50.0, 95.0));
        assert_eq!(bar(sets.only_first), (15.0, 50.0, 70.0));
        assert_eq!(bar(sets.similarity), (20.0 / 260.0, 0.2, 95.0 / 230.0));
        let disjoint = Sets::by_inclusion_exclusion(
            approximate(90.0, 100.0, 110.0),
            approximate(90.0, 100.0, 110.0),
            approximate(195.0, 210.0, 220.0),
        );
        assert_eq!(bar(disjoint.intersection), (0.0, 0.0, 25.0));
        assert!(disjoint.intersection.is_swamped());
    }

    #[test]
    fn certain_counts_give_certain_answers() {
        let [first, second, union] = [3.0, 5.0, 6.0].map(Estimate::exact);
        let sets = Sets::by_inclusion_exclusion(first, second, union);
        assert_eq!((sets.intersection, sets.only_first), (Estimate::exact(2.0), Estimate::exact(1.0)));
        assert_eq!(sets.similarity, Estimate::exact(1.0 / 3.0));
        let none = Estimate::exact(0.0);
        assert_eq!(Sets::by_inclusion_exclusion(none, none, none).similarity, Estimate::exact(1.0));
        let proven = Guarantee::Proven { confidence: 0.9 };
        let union = Estimate::new(6.0, 5.0, 7.0, proven);
        assert_eq!(Sets::by_inclusion_exclusion(first, second, union).intersection.guarantee(), proven);
        let both = Sets::by_inclusion_exclusion(first, union, union).intersection.guarantee();
        assert_eq!(both, Guarantee::Approximate { confidence: 0.9 });
    }
}
