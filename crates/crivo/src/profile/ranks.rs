//! Ranks, quantiles and histograms of a column's numbers or times.

use super::classify::classify;
use super::value_table::ValueTable;
use crate::estimate::check_confidence;
use crate::{DEFAULT_CONFIDENCE, Element, Estimate, Guarantee, Kll, Number, QuantileEstimate};
use alloc::vec::Vec;
use libm::ceil;

/// A class of a histogram.
///
/// For integers and days, both ends belong to the class, and the next class begins one step beyond. For other numbers
/// and times, the next class begins where this one ends, and a value there belongs to the next one; both ends belong to
/// the last class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// The beginning: a number, or seconds since 1970.
    pub from: Number,
    /// The end.
    pub to: Number,
    /// The number of values in the class, with a 95 % interval.
    pub count: Estimate,
}

/// The numbers of a column in order.
#[derive(Clone)]
pub(super) enum Ranks {
    /// The values are not numbers.
    None,
    /// All distinct numbers, each with the number of values up to it.
    Exact(Vec<(Number, u64)>),
    Sketch(Kll<Number>),
}

impl Ranks {
    /// Returns all numbers or all times of a table.
    pub(super) fn exact(table: &ValueTable) -> Self {
        let mut numbers: Vec<(Number, u64)> = table
            .iter()
            .filter_map(|value| classify(value.text).1.map(|position| (position.number, value.seen)))
            .collect();
        numbers.sort_unstable_by(|a, b| a.0.order(&b.0));
        let mut total = 0u64;
        for (_, count) in &mut numbers {
            total = total.saturating_add(*count);
            *count = total;
        }
        Self::Exact(numbers)
    }

    pub(super) fn quantile(&self, q: f64) -> Option<QuantileEstimate<Number>> {
        self.quantile_at(q, DEFAULT_CONFIDENCE)
    }

    pub(super) fn quantile_at(&self, q: f64, confidence: f64) -> Option<QuantileEstimate<Number>> {
        check_confidence(confidence).ok()?;
        match self {
            Self::Exact(numbers) if (0.0..=1.0).contains(&q) => {
                let total = numbers.last()?.1;
                // The least rank that is at least q times the total.
                let rank = (ceil(q * total as f64) as u64).clamp(1, total);
                let &(number, _) = numbers.get(numbers.partition_point(|&(_, up_to)| up_to < rank))?;
                Some(QuantileEstimate::new(number, number, number, Guarantee::Certain))
            }
            Self::Sketch(ranks) => ranks.quantile_at(q, confidence).ok(),
            _ => None,
        }
    }

    /// Estimates the number of values ≤ this one.
    pub(super) fn rank(&self, number: Number) -> Estimate {
        match self {
            Self::None => Estimate::exact(0.0),
            Self::Exact(numbers) => {
                let place = numbers.partition_point(|&(other, _)| other <= number);
                Estimate::exact(place.checked_sub(1).map_or(0.0, |last| numbers[last].1 as f64))
            }
            Self::Sketch(ranks) => ranks.rank(&number),
        }
    }

    /// Returns the least and the greatest kept finite number.
    pub(super) fn finite_ends(&self) -> Option<(Number, Number)> {
        match self {
            Self::None => None,
            Self::Exact(numbers) => {
                let mut finite = numbers.iter().map(|&(number, _)| number);
                let first = finite.find(|number| number.to_f64().is_finite())?;
                Some((first, finite.rfind(|number| number.to_f64().is_finite()).unwrap_or(first)))
            }
            Self::Sketch(ranks) => ranks.finite_ends(),
        }
    }

    /// Returns the number of values.
    pub(super) fn total(&self) -> u64 {
        match self {
            Self::None => 0,
            Self::Exact(numbers) => numbers.last().map_or(0, |&(_, total)| total),
            Self::Sketch(ranks) => ranks.total(),
        }
    }

    /// Returns the values at which the ranks rise, or at most this many of them.
    pub(super) fn points(&self, most: u32) -> Vec<Number> {
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

    /// Returns the ranks of ascending numbers.
    pub(super) fn ranks_of(&self, numbers: &[Number]) -> Vec<f64> {
        match self {
            Self::Sketch(ranks) => {
                let total = ranks.total() as f64;
                let shares = ranks.shares(numbers).unwrap_or_default();
                shares.iter().map(|share| share.value() * total).collect()
            }
            _ => numbers.iter().map(|&number| self.rank(number).value()).collect(),
        }
    }

    /// Returns the rank error that is exceeded with this probability, over all ranks, as a share of all values.
    pub(super) fn error(&self, miss: f64) -> f64 {
        match self {
            Self::Sketch(ranks) => ranks.rank_error_of_all_at(1.0 - miss).unwrap_or(1.0),
            _ => 0.0,
        }
    }

    /// Estimates the number of values in each class of these ascending ends; the first class begins at the least value.
    fn counts(&self, ends: &[Number]) -> Vec<Estimate> {
        if let Self::Sketch(ranks) = self {
            let mut counts = ranks.histogram(ends).unwrap_or_default();
            counts.truncate(ends.len());
            return counts;
        }
        let mut before = 0.0;
        let count = |&end: &Number| {
            let rank = self.rank(end).value();
            Estimate::exact(rank - core::mem::replace(&mut before, rank))
        };
        ends.iter().map(count).collect()
    }

    /// Returns classes of the values from `least` to `greatest`, which are finite; their widths are multiples of the
    /// unit, if there is one.
    pub(super) fn histogram(
        &self,
        least: Number,
        greatest: Number,
        unit: Option<i128>,
        bins: usize,
    ) -> Vec<Bin> {
        if bins == 0 {
            return Vec::new();
        }
        let edges: Vec<(Number, Number)> = match (unit, least.to_integer(), greatest.to_integer()) {
            (Some(unit), Some(first), Some(last)) => {
                let steps = (last - first) / unit;
                let width = steps / bins as i128 + 1;
                let start = |bin: i128| first + bin * width * unit;
                (0..=steps / width).map(|bin| (start(bin).into(), (start(bin + 1) - unit).into())).collect()
            }
            _ if least == greatest => alloc::vec![(least, greatest)],
            _ => {
                let (first, last) = (least.to_f64(), greatest.to_f64());
                // The difference of two numbers can overflow, but that of their parts cannot.
                let width = last / bins as f64 - first / bins as f64;
                let edge = |bin: usize| match bin {
                    0 => least,
                    _ if bin == bins => greatest,
                    _ => Number::from(first + bin as f64 * width),
                };
                (0..bins).map(|bin| (edge(bin), edge(bin + 1))).collect()
            }
        };
        // The classes are too narrow for the available numbers, so empty ones are left out.
        let edges: Vec<(Number, Number)> = if edges.windows(2).all(|pair| pair[0].1 < pair[1].1) {
            edges
        } else {
            alloc::vec![(least, greatest)]
        };
        // The values below the first class are counted separately. If the next class begins where a class ends, the
        // last value of the class is the one below.
        let below = core::iter::once(least.next_down());
        let nexts = edges.iter().skip(1).map(|&(from, _)| Some(from)).chain([None]);
        let last =
            |(&(_, to), next): (&(Number, Number), _)| if next == Some(to) { to.next_down() } else { to };
        let ends: Vec<Number> = below.chain(edges.iter().zip(nexts).map(last)).collect();
        let counts = self.counts(&ends).into_iter().skip(1);
        edges.into_iter().zip(counts).map(|((from, to), count)| Bin { from, to, count }).collect()
    }
}
