//! Values with how often each was seen.

use libm::{floor, sqrt};

/// A sample as its distinct values in order, each with its count: many values rounded to few are handled as few.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sample {
    values: Vec<(f64, u64)>,
    total: u64,
}

impl Sample {
    pub(crate) fn of(mut values: Vec<f64>) -> Self {
        values.sort_unstable_by(f64::total_cmp);
        Self::from_sorted(values.into_iter().map(|value| (value, 1)))
    }

    /// All values of all samples.
    pub(crate) fn pooled(samples: &[Self]) -> Self {
        let mut values: Vec<(f64, u64)> = samples.iter().flat_map(|sample| &sample.values).copied().collect();
        values.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        Self::from_sorted(values)
    }

    fn from_sorted(sorted: impl IntoIterator<Item = (f64, u64)>) -> Self {
        let mut values: Vec<(f64, u64)> = Vec::new();
        for (value, count) in sorted {
            match values.last_mut() {
                Some((last, seen)) if *last == value => *seen += count,
                _ => values.push((value, count)),
            }
        }
        Self { total: values.iter().map(|(_, count)| count).sum(), values }
    }

    /// The distinct values in order, with their counts.
    pub(crate) fn values(&self) -> &[(f64, u64)] {
        &self.values
    }

    /// How many values there are.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    pub(crate) fn mean(&self) -> f64 {
        self.values.iter().map(|&(value, count)| value * count as f64).sum::<f64>() / self.total as f64
    }

    pub(crate) fn standard_deviation(&self) -> f64 {
        let mean = self.mean();
        let square = |&(value, count): &(f64, u64)| (value - mean) * (value - mean) * count as f64;
        sqrt(self.values.iter().map(square).sum::<f64>() / (self.total as f64 - 1.0))
    }

    /// The share of values that are at most this one.
    pub(crate) fn share_at_most(&self, limit: f64) -> f64 {
        let up_to = self.values.partition_point(|&(value, _)| value <= limit);
        self.values[..up_to].iter().map(|(_, count)| count).sum::<u64>() as f64 / self.total as f64
    }

    /// The quantile as R computes it (type 7): linear between the values at the ranks around p·(total − 1).
    pub(crate) fn quantile(&self, p: f64) -> f64 {
        let place = p * (self.total as f64 - 1.0);
        let low = floor(place);
        let [below, above] = [low, low + 1.0].map(|rank| self.at_rank(rank as u64));
        below + (place - low) * (above - below)
    }

    /// The value with this number of values before it; the last one beyond the end.
    fn at_rank(&self, rank: u64) -> f64 {
        let mut seen = 0;
        let mut found = self.values.iter().find(|(_, count)| {
            seen += count;
            seen > rank
        });
        found = found.or(self.values.last());
        found.map_or(f64::NAN, |&(value, _)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_r() {
        let sample = Sample::of(vec![3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0]);
        assert_eq!((sample.total(), sample.mean(), sample.values()[0]), (8, 3.875, (1.0, 2)));
        assert!((sample.standard_deviation() - 2.748_376_143_938_713).abs() < 1e-15);
        let quantiles = [0.0, 0.25, 0.5, 0.75, 1.0].map(|p| sample.quantile(p));
        assert_eq!(quantiles, [1.0, 1.75, 3.5, 5.25, 9.0]);
    }

    #[test]
    fn pooled() {
        let (a, b) = (Sample::of(vec![1.0, 2.0]), Sample::of(vec![2.0, 3.0]));
        let both = Sample::pooled(&[a, b]);
        assert_eq!((both.values(), both.total()), ([(1.0, 1), (2.0, 2), (3.0, 1)].as_slice(), 4));
        assert_eq!([0.5, 1.0, 2.5, 3.0].map(|limit| both.share_at_most(limit)), [0.0, 0.25, 0.75, 1.0]);
    }
}
