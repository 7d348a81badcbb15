//! Ranks, quantiles and histograms of a column's numbers or times.

use super::classify::classify;
use super::value_table::ValueTable;
use crate::{Estimate, Guarantee, Kll, QuantileEstimate};
use alloc::vec::Vec;
use libm::{ceil, fabs, floor};

/// Whole numbers up to here are all `f64`s.
const WHOLE: f64 = 9_007_199_254_740_992.0;

/// A quantile of whole numbers, each rounded to an `f64`: beyond 2⁵³ they lie on either side of it.
pub(super) fn unrounded(quantile: &QuantileEstimate<f64>) -> QuantileEstimate<f64> {
    let (lower, upper) = (*quantile.lower(), *quantile.upper());
    let lower = if fabs(lower) < WHOLE { lower } else { lower.next_down() };
    let upper = if fabs(upper) < WHOLE { upper } else { upper.next_up() };
    QuantileEstimate::new(*quantile.value(), lower, upper, quantile.guarantee())
}

/// A class of a histogram.
///
/// Of whole numbers and of days, both ends belong to it, and the next one begins a step beyond. Of other numbers and
/// times, the next one begins where it ends, and a value there belongs to the first of both. So it is with whole
/// numbers beyond 2⁵³, which are counted as the nearest `f64`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// Where it begins: a number, or seconds since 1970.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// How many values it has, at 95 %.
    pub count: Estimate,
}

/// The numbers of a column in order.
#[derive(Clone)]
pub(super) enum Ranks {
    /// Its values are no numbers.
    None,
    /// All numbers, each with how many there are up to it.
    Exact(Vec<(f64, u64)>),
    Sketch(Kll<f64>),
}

impl Ranks {
    /// All numbers or all times of a table.
    pub(super) fn exact(table: &ValueTable) -> Self {
        let mut numbers: Vec<(f64, u64)> = table
            .iter()
            .filter_map(|value| classify(value.text).1.map(|position| (position.number, value.seen)))
            .collect();
        numbers.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut total = 0u64;
        for (_, count) in &mut numbers {
            total = total.saturating_add(*count);
            *count = total;
        }
        Self::Exact(numbers)
    }

    pub(super) fn quantile(&self, q: f64) -> Option<QuantileEstimate<f64>> {
        match self {
            Self::Exact(numbers) if (0.0..=1.0).contains(&q) => {
                let total = numbers.last()?.1;
                // The least rank that is no smaller than q times the total.
                let rank = (ceil(q * total as f64) as u64).clamp(1, total);
                let &(number, _) = numbers.get(numbers.partition_point(|&(_, up_to)| up_to < rank))?;
                Some(QuantileEstimate::new(number, number, number, Guarantee::Certain))
            }
            Self::Sketch(ranks) => ranks.quantile(q).ok().flatten(),
            _ => None,
        }
    }

    /// How many values are at most this one.
    pub(super) fn rank(&self, number: f64) -> Estimate {
        match self {
            Self::None => Estimate::exact(0.0),
            Self::Exact(numbers) => {
                let place = numbers.partition_point(|&(other, _)| other <= number);
                Estimate::exact(place.checked_sub(1).map_or(0.0, |last| numbers[last].1 as f64))
            }
            Self::Sketch(ranks) => ranks.rank(&number),
        }
    }

    /// How many values there are.
    pub(super) fn total(&self) -> u64 {
        match self {
            Self::None => 0,
            Self::Exact(numbers) => numbers.last().map_or(0, |&(_, total)| total),
            Self::Sketch(ranks) => ranks.total(),
        }
    }

    /// The values at which the ranks rise, or so many of them.
    pub(super) fn points(&self, most: u32) -> Vec<f64> {
        match self {
            Self::None => Vec::new(),
            Self::Exact(numbers) => numbers.iter().map(|&(number, _)| number).collect(),
            Self::Sketch(ranks) => {
                let shares: Vec<f64> = (0..=most).map(|part| f64::from(part) / f64::from(most)).collect();
                let quantiles = ranks.quantiles(&shares).unwrap_or_default();
                quantiles.iter().map(|quantile| *quantile.value()).collect()
            }
        }
    }

    /// The ranks of ascending numbers.
    pub(super) fn ranks_of(&self, numbers: &[f64]) -> Vec<f64> {
        match self {
            Self::Sketch(ranks) => {
                let total = ranks.total() as f64;
                let shares = ranks.cdf(numbers).unwrap_or_default();
                shares.iter().map(|share| share.value() * total).collect()
            }
            _ => numbers.iter().map(|&number| self.rank(number).value()).collect(),
        }
    }

    /// The share of all values by which a rank is off with this probability, whichever it is.
    pub(super) fn error(&self, miss: f64) -> f64 {
        match self {
            Self::Sketch(ranks) => ranks.rank_error_of_all_at(1.0 - miss).unwrap_or(1.0),
            _ => 0.0,
        }
    }

    /// How many values lie in each class that these ascending ends make, the first from the least value on.
    fn counts(&self, ends: &[f64]) -> Vec<Estimate> {
        if let Self::Sketch(ranks) = self {
            let mut counts = ranks.histogram(ends).unwrap_or_default();
            counts.truncate(ends.len());
            return counts;
        }
        let mut before = 0.0;
        let count = |&end: &f64| {
            let rank = self.rank(end).value();
            Estimate::exact(rank - core::mem::replace(&mut before, rank))
        };
        ends.iter().map(count).collect()
    }

    /// Classes of the values from `least` to `greatest`; whole multiples of the unit, where there is one.
    pub(super) fn histogram(&self, least: f64, greatest: f64, unit: Option<f64>, bins: usize) -> Vec<Bin> {
        if bins == 0 {
            return Vec::new();
        }
        let unit = unit.filter(|_| fabs(least).max(fabs(greatest)) < WHOLE);
        let steps = unit.map(|unit| (greatest - least) / unit).filter(|&steps| steps < WHOLE);
        let edges: Vec<(f64, f64)> = match (unit, steps) {
            (Some(unit), Some(steps)) => {
                let width = ceil((steps + 1.0) / bins as f64);
                let count = floor(steps / width) as usize + 1;
                let start = |bin: usize| least + bin as f64 * width * unit;
                (0..count).map(|bin| (start(bin), start(bin + 1) - unit)).collect()
            }
            _ if least == greatest => alloc::vec![(least, greatest)],
            _ => {
                // The difference of two numbers can overflow; that of their parts cannot.
                let width = greatest / bins as f64 - least / bins as f64;
                let edge = |bin: usize| if bin == bins { greatest } else { least + bin as f64 * width };
                (0..bins).map(|bin| (edge(bin), edge(bin + 1))).collect()
            }
        };
        // Too narrow for the numbers there are: classes of nothing are left out.
        let edges: Vec<(f64, f64)> = if edges.windows(2).all(|pair| pair[0].1 < pair[1].1) {
            edges
        } else {
            alloc::vec![(least, greatest)]
        };
        // What lies below the first class is counted apart.
        let below = unit.map_or(least.next_down(), |unit| (least - unit).min(least.next_down()));
        let ends: Vec<f64> = core::iter::once(below).chain(edges.iter().map(|&(_, to)| to)).collect();
        let counts = self.counts(&ends).into_iter().skip(1);
        edges.into_iter().zip(counts).map(|((from, to), count)| Bin { from, to, count }).collect()
    }
}
