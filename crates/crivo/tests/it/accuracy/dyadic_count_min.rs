//! Dyadic Count-Min: ranges, ranks and quantiles, with deletions.

use super::{COVERAGE_TRIALS, Coverage, FALSE_ALARM, Sample};
use crivo::quantile::DyadicParams;
use crivo::rng::Rng;
use crivo::stats::binomial_band;
use crivo::{DyadicCountMin, HashSpec};

/// Returns `n` values below 2^`bits` of a given distribution.
fn values(shape: &str, n: u64, bits: u32, rng: &mut Rng) -> Vec<u64> {
    let last = (1u64 << bits) - 1;
    let value = |i: u64, rng: &mut Rng| match shape {
        "constant" => 777,
        "dense" => i,
        "heavy tailed" => ((1.0 / (1.0 - rng.unit()).powi(2)) as u64).min(last),
        _ => rng.below(last),
    };
    (0..n).map(|i| value(i, rng)).collect()
}

/// The sketch of all values, after twice as many others were added and removed.
fn sketch_of(params: DyadicParams, seed: u64, values: &[u64]) -> DyadicCountMin<u64> {
    let mut sketch = DyadicCountMin::with_params(params).unwrap().with_hash(HashSpec::seeded(seed));
    let others = (0..20).map(|i| i * 991 % (1 << params.bits()));
    others.clone().for_each(|other| sketch.add(other, 50).unwrap());
    for &value in values {
        sketch.add(value, 1).unwrap();
    }
    others.for_each(|other| sketch.remove(other, 50).unwrap());
    sketch
}

#[test]
fn ranges_and_ranks_are_covered() {
    for (bits, width, depth) in [(14, 20, 2), (12, 60, 4), (10, 6, 1)] {
        let params = DyadicParams::exact(bits, width, depth).unwrap();
        for (shape, n) in
            [("constant", 100), ("dense", 300), ("heavy tailed", 200), ("random", 10), ("random", 300)]
        {
            let values = values(shape, n, bits, &mut Rng::new(n));
            let [mut short, mut long, mut ranks] = [(); 3].map(|()| Coverage::default());
            let within = |low: u64, high: u64| {
                values.iter().filter(|&&value| low <= value && value <= high).count() as f64
            };
            for seed in 0..COVERAGE_TRIALS {
                let sketch = sketch_of(params, seed, &values);
                short.push(&sketch.range(770..=790).unwrap(), within(770, 790));
                long.push(&sketch.range(3..=900).unwrap(), within(3, 900));
                ranks.push(&sketch.rank(&500).unwrap(), within(0, 500));
            }
            for (name, coverage) in [("short range", short), ("long range", long), ("rank", ranks)] {
                coverage.assert_rule(1.0, &format!("{params:?}, {n} {shape}, {name}"));
            }
        }
    }
}

/// The guarantee of the parameters: a range is over-counted by more than ε of the total with probability at most δ.
#[test]
fn the_promised_error_is_kept() {
    for (error, delta) in [(0.5, 0.1), (0.3, 0.3), (0.6, 0.01)] {
        let params = DyadicParams::for_error(12, error, delta).unwrap();
        assert!(params.hashed_levels() > 2, "{params:?}");
        let values: Vec<u64> = (0..150).map(|i| 2 + i % 3 * 1000 + i * 7).collect();
        let truth = values.iter().filter(|&&value| (101..=2010).contains(&value)).count() as f64;
        let beyond = (0..COVERAGE_TRIALS)
            .filter(|&seed| {
                let answer = sketch_of(params, seed, &values).range(101..=2010).unwrap();
                answer.upper() - truth > error * values.len() as f64
            })
            .count() as f64;
        let (_, most) = binomial_band(COVERAGE_TRIALS, delta, FALSE_ALARM);
        assert!(beyond <= most, "ε {error}, δ {delta}: {beyond} of {COVERAGE_TRIALS}, at most {most}");
    }
}

/// In one row of width w, each value outside a block falls on its counter with probability 1/w: p blocks are
/// over-counted by p·n/w on average, minus the values inside.
#[test]
fn one_row_over_counts_as_chance_does() {
    let params = DyadicParams::exact(12, 16, 1).unwrap();
    let values: Vec<u64> = (0..200).map(|i| 1024 + i * 13).collect();
    let mut over = Sample::default();
    for seed in 0..20_000 {
        over.push(sketch_of(params, seed, &values).range(4..=6).unwrap().upper());
    }
    // Nothing lies in the blocks 4–5 and 6, at two levels whose counters are independent: each is binomial.
    let (mean, variance) = (200.0 / 16.0, 200.0 / 16.0 * (1.0 - 1.0 / 16.0));
    over.assert_mean(2.0 * mean, f64::sqrt(2.0 * variance), "over-count");
}

/// The value of a rank errs equally to both sides where a prefix and the rest have equally many blocks, and the
/// quantiles lie within the error that the levels allow.
#[test]
fn quantiles_are_near() {
    let params = DyadicParams::exact(16, 200, 4).unwrap();
    let mut worst = 0.0f64;
    for seed in 0..200 {
        let values = values("random", 2000, 16, &mut Rng::new(seed));
        let mut sorted = values.clone();
        sorted.sort_unstable();
        let sketch = sketch_of(params, seed, &values);
        for q in [0.1, 0.5, 0.9] {
            let answer = sketch.quantile(q).unwrap();
            let rank = sorted.partition_point(|value| value <= answer.value()) as f64 / 2000.0;
            worst = worst.max((rank - q).abs());
        }
    }
    // 600 answers, each beyond the bound with 1/1000 of the false alarm: both halves of every level may be over-counted.
    let allowed = params.error_at(1.0 - FALSE_ALARM / 1000.0);
    assert!(worst <= allowed, "{worst} of the total, at most {allowed}");
}
