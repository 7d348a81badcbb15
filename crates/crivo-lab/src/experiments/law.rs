//! A law of whole numbers, and how far a sample of it may stray from it.

use crivo::stats::{binomial_band, binomial_pmf, binomial_sf};
use libm::{exp, log, sqrt};

/// What lies beyond a binomial law's ends here has this chance.
const BEYOND: f64 = 1e-20;
/// Every pooled cell of Pearson's statistic expects as many at least, so that it has the law of χ² far out too.
const POOLED: f64 = 50.0;

/// The chances of the numbers from `first` on.
pub(super) struct Law {
    first: u64,
    chances: Vec<f64>,
}

impl Law {
    pub(super) fn new(first: u64, chances: Vec<f64>) -> Self {
        Self { first, chances }
    }

    /// Successes in a number of trials, of which no more than `most` are counted.
    pub(super) fn binomial(trials: u64, p: f64, most: u64) -> Self {
        let (low, high) = binomial_band(trials, p, BEYOND);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole numbers of trials"
        )]
        let (low, high) = ((low as u64).min(most), (high as u64).min(most));
        let chance =
            |n| if n == most && n > 0 { binomial_sf(n - 1, trials, p) } else { binomial_pmf(n, trials, p) };
        Self::new(low, (low..=high).map(chance).collect())
    }

    /// The numbers with their chances.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = (u64, f64)> + ExactSizeIterator {
        self.chances.iter().enumerate().map(|(i, &chance)| (self.first + i as u64, chance))
    }

    /// What `value` is on average.
    pub(super) fn mean(&self, value: impl Fn(u64) -> f64) -> f64 {
        self.iter().map(|(n, chance)| chance * value(n)).sum()
    }

    /// Between which bounds the mean of `value` over independent draws lies, but for this chance. The bounds are
    /// Chernoff's, from the law itself, so they hold for heavy tails too; numbers so large that none is drawn, but for a
    /// quarter of the chance, are left out.
    pub(super) fn mean_band(&self, value: impl Fn(u64) -> f64, draws: f64, chance: f64) -> (f64, f64) {
        let mean = self.mean(&value);
        let mut rare = 0.0;
        let kept = self.iter().rev().skip_while(|&(_, p)| {
            rare += p * draws;
            rare < chance / 4.0
        });
        let kept: Vec<(f64, f64)> =
            kept.filter(|&(_, p)| p > 0.0).map(|(n, p)| (value(n) - mean, p)).collect();
        let surprise = log(8.0 / (3.0 * chance)) / draws;
        (mean + reach(&kept, surprise, -1.0), mean + reach(&kept, surprise, 1.0))
    }

    /// Pearson's statistic of the draws, each number with how often it was drawn, and its degrees of freedom. Neighbours are
    /// pooled until each cell expects enough.
    pub(super) fn pearson(&self, drawn: &[u32]) -> (f64, f64) {
        let last = self.chances.len() - 1;
        let mut seen = vec![0.0; self.chances.len()];
        for &number in drawn {
            let place = u64::from(number).saturating_sub(self.first).min(last as u64);
            #[expect(clippy::cast_possible_truncation, reason = "at most `last`")]
            let place = place as usize;
            seen[place] += 1.0;
        }
        let draws = drawn.len() as f64;
        let mut cells: Vec<(f64, f64)> = Vec::new();
        let (mut sum, mut expected) = (0.0, 0.0);
        for (count, &chance) in seen.into_iter().zip(&self.chances) {
            (sum, expected) = (sum + count, expected + draws * chance);
            if expected >= POOLED {
                cells.push((sum, expected));
                (sum, expected) = (0.0, 0.0);
            }
        }
        if let Some(cell) = cells.last_mut() {
            *cell = (cell.0 + sum, cell.1 + expected);
        }
        let statistic = cells.iter().map(|(seen, mean)| (seen - mean) * (seen - mean) / mean).sum();
        (statistic, cells.len() as f64 - 1.0)
    }
}

/// How far from its expectation 0 a mean comes on one side before Chernoff's exponent reaches `surprise`.
fn reach(values: &[(f64, f64)], surprise: f64, side: f64) -> f64 {
    let end = values.iter().map(|&(value, _)| side * value).fold(0.0, f64::max);
    let variance: f64 = values.iter().map(|(value, p)| p * value * value).sum();
    if variance == 0.0 {
        return 0.0;
    }
    // The mean of the law tilted by e^(tilt·value), and the exponent there.
    let at = |tilt: f64| {
        let (mut sum, mut weighted) = (0.0, 0.0);
        for &(value, p) in values {
            let weight = p * exp(tilt * (side * value - end));
            sum += weight;
            weighted += weight * side * value;
        }
        let mean = weighted / sum;
        (mean, tilt * (mean - end) - log(sum))
    };
    let mut high = sqrt(2.0 * surprise / variance);
    let mut doublings = 0;
    while at(high).1 < surprise && doublings < 60 {
        high *= 2.0;
        doublings += 1;
    }
    let mut low = 0.0;
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if at(middle).1 < surprise {
            low = middle;
        } else {
            high = middle;
        }
    }
    side * at(high).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crivo::rng::Rng;

    /// For a fair coin the bound is a little wider than the exact band of the binomial law, never narrower.
    #[test]
    fn chernoff_holds_the_binomial_band() {
        let coin = Law::binomial(1, 0.5, 1);
        assert!(coin.iter().all(|(_, chance)| (chance - 0.5).abs() < 1e-12) && coin.iter().len() == 2);
        let (low, high) = coin.mean_band(|n| n as f64, 1000.0, 1e-6);
        let exact = binomial_band(1000, 0.5, 1e-6);
        assert!(1000.0 * low <= exact.0 && 1000.0 * low > exact.0 - 12.0, "{low} {exact:?}");
        assert!(1000.0 * high >= exact.1 && 1000.0 * high < exact.1 + 12.0, "{high} {exact:?}");
    }

    #[test]
    fn pearson_pools_and_finds_a_wrong_law() {
        let mut rng = Rng::new(5);
        #[expect(clippy::cast_possible_truncation, reason = "below 21")]
        let mut draw = || (0..20).filter(|_| rng.below(2) == 1).count() as u32;
        let drawn: Vec<u32> = (0..2000).map(|_| draw()).collect();
        let limit = |freedom| crivo::stats::chi_squared_quantile(freedom, 1.0 - 1e-6);
        let (statistic, freedom) = Law::binomial(20, 0.5, 20).pearson(&drawn);
        assert!(statistic < limit(freedom) && (5.0..15.0).contains(&freedom), "{statistic} {freedom}");
        let (statistic, freedom) = Law::binomial(20, 0.45, 20).pearson(&drawn);
        assert!(statistic > limit(freedom), "{statistic} {freedom}");
        let (_, capped) = Law::binomial(20, 0.5, 10).pearson(&drawn);
        assert!(capped < freedom);
    }
}
