//! Chi-squared tests of counts against probabilities.

use super::FALSE_ALARM;
use crivo::stats::chi_squared_sf;

/// Checks the counts of independent trials against these probabilities, which add up to 1. Cells with an expected count
/// below ten are pooled.
pub(super) fn assert_fits(counts: &[u64], probabilities: &[f64], context: &str) {
    assert_eq!(counts.len(), probabilities.len(), "{context}");
    let trials = counts.iter().sum::<u64>() as f64;
    let sum: f64 = probabilities.iter().sum();
    assert!((sum - 1.0).abs() < 1e-9, "{context}: probabilities add up to {sum}");
    let (mut cells, mut statistic) = (0u32, 0.0);
    let (mut rest_count, mut rest_expected) = (0u64, 0.0);
    let mut judge = |count: u64, expected: f64| {
        cells += 1;
        statistic += (count as f64 - expected).powi(2) / expected;
    };
    for (&count, probability) in counts.iter().zip(probabilities) {
        let expected = trials * probability;
        if expected >= 10.0 {
            judge(count, expected);
        } else {
            rest_count += count;
            rest_expected += expected;
        }
    }
    if rest_expected >= 10.0 {
        judge(rest_count, rest_expected);
    } else {
        // At most Poisson; twenty more never occur.
        assert!(
            rest_count as f64 <= rest_expected + 10.0 * rest_expected.sqrt() + 10.0,
            "{context}: {counts:?}"
        );
    }
    assert!(cells > 1, "{context}: nothing to compare");
    let chance = chi_squared_sf(f64::from(cells - 1), statistic);
    assert!(chance > FALSE_ALARM, "{context}: {counts:?} would come with probability {chance:e}");
}

/// Checks that each of n items was equally often among k drawn without replacement, over this many samples. The counts
/// of one sample add up to k, so they vary a little less than independent ones.
pub(super) fn assert_inclusions(counts: &[u64], k: u64, samples: u64, context: &str) {
    let (n, samples) = (counts.len() as f64, samples as f64);
    let share = k as f64 / n;
    let variance = samples * share * (1.0 - share) * n / (n - 1.0);
    let statistic: f64 =
        counts.iter().map(|&count| (count as f64 - samples * share).powi(2) / variance).sum();
    let chance = chi_squared_sf(n - 1.0, statistic);
    assert!(chance > FALSE_ALARM, "{context}: {counts:?} would come with probability {chance:e}");
}
