//! Quantiles within a relative error: how close the values come, and that they never leave the promise.

use crivo::LogQuantiles;
use crivo::quantile::LogQuantilesParams;
use crivo::rng::Rng;

/// Returns a value of a given distribution.
fn value(shape: &str, rng: &mut Rng) -> f64 {
    match shape {
        "uniform" => rng.unit(),
        "heavy tailed" => 1.0 / (1.0 - rng.unit()).powi(2),
        "over 40 octaves" => f64::exp2(40.0 * rng.unit() - 20.0),
        "both signs" => (rng.unit() - 0.5).powi(3),
        _ => 1e9 + rng.unit(),
    }
}

/// Every percentile of every distribution is within the error that was asked for, and some value uses nine tenths of it: the
/// buckets are as long as they may be.
#[test]
fn values_are_within_the_promised_error() {
    for error in [0.3, 0.05, 0.01, 0.001, 0.0001] {
        let mut worst = 0.0f64;
        for shape in ["uniform", "heavy tailed", "over 40 octaves", "both signs", "one place"] {
            for seed in 0..20 {
                let mut rng = Rng::new(seed);
                let mut values: Vec<f64> = (0..2000).map(|_| value(shape, &mut rng)).collect();
                let mut sketch = LogQuantiles::for_error(error).unwrap();
                sketch.insert_all(&values).unwrap();
                assert_eq!(sketch.collapsed(), 0, "{shape}");
                values.sort_by(f64::total_cmp);
                for percent in 1..=100 {
                    let (truth, answer) =
                        (values[20 * percent - 1], sketch.quantile(percent as f64 / 100.0).unwrap());
                    worst = worst.max((answer.value() - truth).abs() / truth.abs());
                    assert!(
                        *answer.lower() <= truth && truth <= *answer.upper(),
                        "{shape}: {answer}, not {truth}"
                    );
                }
            }
        }
        let stated = LogQuantilesParams::for_error(error).unwrap().relative_error();
        assert!(worst <= stated && stated <= error, "{worst}, stated {stated}, asked for {error}");
        // 10,000 values lie anywhere in their buckets: all of them in the inner 90 % has the probability 0.9^10000.
        assert!(worst >= 0.9 * stated, "{worst} of {stated}: shorter buckets than needed");
    }
}

/// The size is the least: with one bucket of an octave fewer, the error would be larger than asked for.
#[test]
fn no_bucket_is_spent_in_vain() {
    for error in [0.33, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.001, 0.0001] {
        let params = LogQuantilesParams::for_error(error).unwrap();
        let fewer = LogQuantilesParams::exact(params.buckets_per_octave() - 1, 1).unwrap();
        assert!(params.relative_error() <= error && fewer.relative_error() > error, "{error}: {params:?}");
    }
}
