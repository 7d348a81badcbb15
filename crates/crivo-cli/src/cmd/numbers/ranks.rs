//! Numbers in order: each one counted while few of them differ, a sketch beyond.

use crate::cmd::few::FEW;
use anyhow::Result;
use crivo::{Element, Estimate, Kll, Number, QuantileEstimate};

/// How many numbers there are up to each value.
#[derive(Clone)]
pub(crate) struct Ranks {
    /// None once there are too many distinct values, and where a saved sketch goes on.
    few: Option<Few>,
    /// Empty while all are few.
    sketch: Kll<Number>,
}

impl Ranks {
    /// Goes on with `sketch`; exact while the values are few if it is empty.
    pub(super) fn new(sketch: Kll<Number>) -> Self {
        let few = (sketch.total() == 0).then(Few::default);
        Self { few, sketch }
    }

    pub(super) fn insert_all(&mut self, mut numbers: &[Number]) -> Result<()> {
        if let Some(few) = &mut self.few {
            let taken = numbers.iter().position(|&number| !few.add(number, 1)).unwrap_or(numbers.len());
            numbers = &numbers[taken..];
            if !numbers.is_empty() {
                self.pour()?;
            }
        }
        Ok(self.sketch.insert_all(numbers)?)
    }

    pub(super) fn insert(&mut self, number: Number, copies: u64) -> Result<()> {
        if let Some(few) = &mut self.few {
            if few.add(number, copies) {
                return Ok(());
            }
            self.pour()?;
        }
        Ok(self.sketch.insert_weighted(number, copies)?)
    }

    /// Lets the sketch take over.
    fn pour(&mut self) -> Result<()> {
        if let Some(few) = self.few.take() {
            self.sketch = few.poured(&self.sketch)?;
        }
        Ok(())
    }

    /// All of it as a sketch.
    pub(super) fn to_sketch(&self) -> Result<Kll<Number>> {
        self.few.as_ref().map_or_else(|| Ok(self.sketch.clone()), |few| few.poured(&self.sketch))
    }

    pub(super) fn total(&self) -> u64 {
        self.few.as_ref().map_or_else(|| self.sketch.total(), |few| few.total)
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.sketch.memory_bytes() + self.few.as_ref().map_or(0, Few::memory_bytes)
    }

    /// The smallest and the largest number.
    pub(super) fn ends(&self) -> Option<(Number, Number)> {
        match &self.few {
            None => self.sketch.min().copied().zip(self.sketch.max().copied()),
            Some(few) => few.ends(|_| true),
        }
    }

    /// The smallest and the largest finite number that is kept.
    pub(super) fn finite_ends(&self) -> Option<(Number, Number)> {
        match &self.few {
            None => self.sketch.finite_ends(),
            Some(few) => few.ends(|number| number.to_f64().is_finite()),
        }
    }

    pub(super) fn quantiles(&self, shares: &[f64]) -> Result<Vec<QuantileEstimate<Number>>> {
        let Some(few) = &self.few else { return Ok(self.sketch.quantiles(shares)?) };
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
        let Some(few) = &self.few else { return Ok(self.sketch.histogram(edges)?) };
        let up_to = few.up_to();
        let rank = |edge: &Number| match up_to.partition_point(|(number, _)| number <= edge) {
            0 => 0,
            place => up_to[place - 1].1,
        };
        let mut below = 0;
        let ranks = edges.iter().map(rank).chain([few.total]);
        Ok(ranks.map(|rank| Estimate::exact((rank - std::mem::replace(&mut below, rank)) as f64)).collect())
    }
}

/// Distinct numbers, each with how often it came: a table of open places, as numbers with NaN among them have no `Hash`.
#[derive(Clone, Default)]
struct Few {
    /// One more than the place in `counts`, or 0 where there is none; a power of two of them, half of which stay empty.
    places: Vec<u16>,
    counts: Vec<(Number, u64)>,
    total: u64,
}

impl Few {
    /// False if there is no room for it; nothing has changed then.
    #[inline]
    fn add(&mut self, number: Number, copies: u64) -> bool {
        let Some(total) = self.total.checked_add(copies) else { return false };
        if self.places.is_empty() {
            self.places = vec![0; 2 * FEW];
        }
        let mask = self.places.len() - 1;
        let mut place = (number.to_f64().to_bits().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize & mask;
        while self.places[place] != 0 {
            let (other, seen) = &mut self.counts[usize::from(self.places[place]) - 1];
            if *other == number {
                (*seen, self.total) = (*seen + copies, total);
                return true;
            }
            place = (place + 1) & mask;
        }
        if self.counts.len() == FEW || !number.has_rank() {
            return false;
        }
        if copies > 0 {
            self.counts.push((number, copies));
            (self.places[place], self.total) = (self.counts.len() as u16, total);
        }
        true
    }

    /// In ascending order.
    fn sorted(&self) -> Vec<(Number, u64)> {
        let mut counts = self.counts.clone();
        counts.sort_unstable_by(|(one, _), (other, _)| one.order(other));
        counts
    }

    /// In ascending order, each with how many there are up to it.
    fn up_to(&self) -> Vec<(Number, u64)> {
        let mut total = 0;
        let up_to = |(number, seen)| {
            total += seen;
            (number, total)
        };
        self.sorted().into_iter().map(up_to).collect()
    }

    /// The least and the greatest of some.
    fn ends(&self, is_meant: impl Fn(Number) -> bool) -> Option<(Number, Number)> {
        let mut meant =
            self.sorted().into_iter().map(|(number, _)| number).filter(|&number| is_meant(number));
        let first = meant.next()?;
        Some((first, meant.next_back().unwrap_or(first)))
    }

    /// An empty sketch with these numbers. Their order does not depend on that of the stream.
    fn poured(&self, empty: &Kll<Number>) -> Result<Kll<Number>> {
        let mut sketch = empty.clone();
        for (number, seen) in self.sorted() {
            sketch.insert_weighted(number, seen)?;
        }
        Ok(sketch)
    }

    fn memory_bytes(&self) -> usize {
        size_of_val(&self.places[..]) + self.counts.capacity() * size_of::<(Number, u64)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
            let mut ranks = Ranks::new(Kll::for_k(200).unwrap());
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
        let mut ranks = Ranks::new(Kll::for_k(200).unwrap());
        ranks.insert(2.0.into(), 3).unwrap();
        ranks.insert(f64::INFINITY.into(), 0).unwrap();
        ranks.insert(1.0.into(), u64::MAX >> 2).unwrap();
        assert_eq!(ranks.total(), (u64::MAX >> 2) + 3);
        assert_eq!(
            (ranks.ends(), ranks.to_sketch().unwrap().total()),
            (Some((1.0.into(), 2.0.into())), ranks.total())
        );
        ranks.insert(1.0.into(), u64::MAX >> 1).unwrap();
        assert!(ranks.insert(1.0.into(), u64::MAX >> 1).is_err(), "beyond what is counted");
        assert!(Ranks::new(Kll::for_k(200).unwrap()).insert(f64::NAN.into(), 1).is_err());
    }
}
