//! Numbers in order: each one counted while few of them differ, a sketch beyond.

use super::sketch::NumberSketch;
use crate::cmd::few::{Distinct, Few};
use anyhow::{Result, bail};
use crivo::{Element, Estimate, Number, QuantileEstimate};

/// How many numbers there are up to each value.
#[derive(Clone)]
pub(crate) struct Ranks {
    /// The numbers themselves, while few of them differ; none where a saved sketch goes on.
    few: Option<FewNumbers>,
    sketch: NumberSketch,
}

impl Ranks {
    /// Goes on with `sketch`; exact while the values are few if it is empty.
    pub(super) fn new(sketch: NumberSketch) -> Self {
        let few = (sketch.total() == 0).then(FewNumbers::default);
        Self { few, sketch }
    }

    pub(super) fn insert_all(&mut self, numbers: &[Number]) -> Result<()> {
        if let Some(few) = &mut self.few
            && !numbers.iter().all(|&number| few.add(number, 1))
        {
            self.few = None;
        }
        self.sketch.insert_all(numbers)
    }

    /// Adds a number as often as `change` says; a negative change removes it.
    pub(super) fn change(&mut self, number: Number, change: i128) -> Result<()> {
        if change < 0
            && let Some(few) = &mut self.few
        {
            // First the sketch, which may be unable to remove anything.
            self.sketch.change(number, change)?;
            return few.remove(number, change);
        }
        let copies = u64::try_from(change).unwrap_or_default();
        if self.few.as_mut().is_some_and(|few| !few.add(number, copies)) {
            self.few = None;
        }
        self.sketch.change(number, change)
    }

    pub(super) fn sketch(&self) -> &NumberSketch {
        &self.sketch
    }

    /// Whether quantiles are numbers that were read, and not ends of buckets.
    pub(super) fn answers_read_numbers(&self) -> bool {
        self.few.is_some() || self.sketch.answers_read_numbers()
    }

    pub(super) fn total(&self) -> u64 {
        self.sketch.total()
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.sketch.memory_bytes() + self.few.as_ref().map_or(0, |few| few.0.memory_bytes())
    }

    /// The smallest and the largest number.
    pub(super) fn ends(&self) -> Option<(Number, Number)> {
        let Some(few) = &self.few else { return self.sketch.ends() };
        let numbers = few.up_to();
        Some((numbers.first()?.0, numbers.last()?.0))
    }

    /// The smallest and the largest finite number that is kept.
    pub(super) fn finite_ends(&self) -> Option<(Number, Number)> {
        let Some(few) = &self.few else { return self.sketch.finite_ends() };
        let numbers = few.up_to();
        let mut finite =
            numbers.iter().map(|&(number, _)| number).filter(|number| number.to_f64().is_finite());
        let first = finite.next()?;
        Some((first, finite.next_back().unwrap_or(first)))
    }

    pub(super) fn quantiles(&self, shares: &[f64]) -> Result<Vec<QuantileEstimate<Number>>> {
        let Some(few) = &self.few else {
            return if self.total() == 0 { Ok(Vec::new()) } else { self.sketch.quantiles(shares) };
        };
        let up_to = few.up_to();
        let Some(&(_, total)) = up_to.last() else { return Ok(Vec::new()) };
        let quantile = |&share: &f64| {
            // The least rank that is no smaller than this share of all.
            let rank = ((share * total as f64).ceil() as u64).clamp(1, total);
            QuantileEstimate::exact(up_to[up_to.partition_point(|&(_, seen)| seen < rank)].0)
        };
        Ok(shares.iter().map(quantile).collect())
    }

    /// How many numbers there are up to the first edge, above it and up to the next, and so on, and above the last.
    pub(super) fn histogram(&self, edges: &[Number]) -> Result<Vec<Estimate>> {
        let Some(few) = &self.few else { return self.sketch.histogram(edges) };
        let up_to = few.up_to();
        let rank = |edge: &Number| match up_to.partition_point(|(number, _)| number <= edge) {
            0 => 0,
            place => up_to[place - 1].1,
        };
        let mut below = 0;
        let ranks = edges.iter().map(rank).chain([self.total()]);
        Ok(ranks.map(|rank| Estimate::exact((rank - std::mem::replace(&mut below, rank)) as f64)).collect())
    }
}

/// A number, with how often it came.
#[derive(Clone, Copy)]
struct Seen {
    number: Number,
    seen: u64,
}

impl Distinct for Seen {
    #[inline]
    fn hash(&self) -> u64 {
        // The low bits of most numbers are 0.
        self.number.to_f64().to_bits().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40
    }

    #[inline]
    fn is_equal(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

/// Distinct numbers, while they are few.
#[derive(Clone, Default)]
struct FewNumbers(Few<Seen>);

impl FewNumbers {
    /// False if there is no room for it.
    #[inline]
    fn add(&mut self, number: Number, copies: u64) -> bool {
        if copies == 0 {
            return true;
        }
        let known = self.0.insert(Seen { number, seen: 0 });
        known.map(|known| known.seen = known.seen.saturating_add(copies)).is_some()
    }

    /// Removes copies of a number, of which there must be as many.
    fn remove(&mut self, number: Number, change: i128) -> Result<()> {
        let copies = u64::try_from(change.unsigned_abs())?;
        let seen = self.0.get(&Seen { number, seen: 0 }).map_or(0, |known| known.seen);
        let Some(rest) = seen.checked_sub(copies) else {
            bail!(
                "{number} was added {seen} times so far, so {copies} cannot be removed; remove only what was added before"
            );
        };
        if let Some(known) = self.0.insert(Seen { number, seen: 0 }) {
            known.seen = rest;
        }
        Ok(())
    }

    /// In ascending order, each with how many there are up to it.
    fn up_to(&self) -> Vec<(Number, u64)> {
        let mut numbers: Vec<Seen> =
            self.0.items().iter().copied().filter(|number| number.seen > 0).collect();
        numbers.sort_unstable_by(|one, other| one.number.order(&other.number));
        let mut total = 0;
        let up_to = |Seen { number, seen }| {
            total += seen;
            (number, total)
        };
        numbers.into_iter().map(up_to).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::sketch::NumberKind;
    use super::*;
    use crate::cmd::few::FEW;
    use crivo::rng::Rng;

    fn numbers(seed: u64, distinct: u64) -> Vec<Number> {
        let mut rng = Rng::new(seed);
        let beyond = i128::from(1u64 << 53);
        let number = |value: u64| match value % 3 {
            0 => Number::from(value as f64 / 7.0),
            1 => Number::from(-i128::from(value)),
            _ => Number::from(beyond + i128::from(value)),
        };
        (0..distinct).chain((0..distinct).map(|_| rng.below(distinct))).map(number).collect()
    }

    #[test]
    fn few_values_are_exact_and_others_as_in_the_sketch() {
        for (distinct, is_exact) in [(1, true), (3, true), (FEW as u64, true), (FEW as u64 + 1, false)] {
            let all = numbers(distinct, distinct);
            let mut ranks = Ranks::new(NumberSketch::of_ranks(NumberKind::Kll, Some(0.01)).unwrap());
            all.chunks(1000).for_each(|part| ranks.insert_all(part).unwrap());
            assert_eq!((ranks.few.is_some(), ranks.total()), (is_exact, all.len() as u64));
            let mut sorted = all.clone();
            sorted.sort_by(Number::order);
            assert_eq!(ranks.ends(), Some((sorted[0], sorted[all.len() - 1])));
            for (share, quantile) in
                [0.0, 0.3, 0.5, 1.0].iter().zip(ranks.quantiles(&[0.0, 0.3, 0.5, 1.0]).unwrap())
            {
                let truth = sorted[((share * all.len() as f64).ceil() as usize).max(1) - 1];
                assert!(*quantile.lower() <= truth && truth <= *quantile.upper());
                assert!(!is_exact || *quantile.value() == truth);
            }
            let edges = [sorted[all.len() / 4], sorted[all.len() / 2]];
            let classes = ranks.histogram(&edges).unwrap();
            let upto = |edge: Number| all.iter().filter(|&&number| number <= edge).count() as f64;
            let truth = [upto(edges[0]), upto(edges[1]) - upto(edges[0]), all.len() as f64 - upto(edges[1])];
            for (class, truth) in classes.iter().zip(truth) {
                assert!((class.lower()..=class.upper()).contains(&truth));
                assert!(!is_exact || *class == Estimate::exact(truth));
            }
        }
    }

    #[test]
    fn weights_count_and_a_sketch_has_them_too() {
        let mut ranks = Ranks::new(NumberSketch::of_ranks(NumberKind::Kll, Some(0.01)).unwrap());
        ranks.change(2.0.into(), 3).unwrap();
        ranks.change(f64::INFINITY.into(), 0).unwrap();
        ranks.change(1.0.into(), i128::from(u64::MAX >> 2)).unwrap();
        assert_eq!(ranks.total(), (u64::MAX >> 2) + 3);
        assert_eq!(ranks.ends(), Some((1.0.into(), 2.0.into())));
        assert_eq!(ranks.finite_ends(), ranks.ends());
        let quantiles = ranks.quantiles(&[0.5, 1.0]).unwrap();
        assert_eq!([quantiles[0].upper().to_f64(), quantiles[1].lower().to_f64()], [1.0, 2.0]);
        ranks.change(1.0.into(), i128::from(u64::MAX >> 1)).unwrap();
        assert!(ranks.change(1.0.into(), i128::from(u64::MAX >> 1)).is_err(), "beyond what is counted");
        assert!(
            Ranks::new(NumberSketch::of_ranks(NumberKind::Kll, Some(0.01)).unwrap())
                .change(f64::NAN.into(), 1)
                .is_err()
        );
    }
}
