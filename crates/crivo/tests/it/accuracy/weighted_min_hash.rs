use super::{COVERAGE_TRIALS, Coverage, FALSE_ALARM, Sample};
use crivo::stats::binomial_band;
use crivo::{HashSpec, WeightedMinHash};

/// Weights of the same items in two sets.
struct Pair {
    name: &'static str,
    weights: Vec<[f64; 2]>,
}

impl Pair {
    fn new(name: &'static str, weights: impl IntoIterator<Item = [f64; 2]>) -> Self {
        Self { name, weights: weights.into_iter().collect() }
    }

    fn similarity(&self) -> f64 {
        let sum =
            |of: fn(f64, f64) -> f64| self.weights.iter().map(|[one, other]| of(*one, *other)).sum::<f64>();
        sum(f64::min) / sum(f64::max)
    }

    /// The number of agreeing slots is binomial: its mean, its spread, and the coverage of its interval.
    fn assert_theory(&self, k: u32) {
        let truth = self.similarity();
        let (mut similarities, mut coverage) = (Sample::default(), Coverage::default());
        for seed in 0..COVERAGE_TRIALS {
            let spec = HashSpec::seeded(seed << 32 | u64::from(k));
            let mut pair = [0; 2].map(|_| WeightedMinHash::for_slots(k).unwrap().with_hash(spec));
            for (item, weights) in self.weights.iter().enumerate() {
                for (signature, &weight) in pair.iter_mut().zip(weights) {
                    signature.add(&item, weight).unwrap();
                }
            }
            let alike = pair[0].similarity(&pair[1]).unwrap();
            similarities.push(alike.value());
            coverage.push(&alike, truth);
        }
        let context = format!("{} in {k} slots", self.name);
        let trials = COVERAGE_TRIALS * u64::from(k);
        let (least, most) = binomial_band(trials, truth, FALSE_ALARM);
        let agree = (similarities.mean() * trials as f64).round();
        assert!((least..=most).contains(&agree), "{context}: {agree}, expected {least} to {most}");
        let deviation = (truth * (1.0 - truth) / f64::from(k)).sqrt();
        if truth > 0.0 && truth < 1.0 {
            similarities.assert_deviation(truth, deviation, &context);
        }
        coverage.assert_rule(f64::INFINITY, &context);
        coverage.assert_balance(&context);
        // From five slots on, the interval is not too wide.
        if k >= 128 && deviation * f64::from(k) * 1.96 > 5.0 {
            assert!(coverage.covered as f64 <= 0.97 * coverage.trials as f64, "{context}: too wide");
        }
    }
}

/// Sets of equal weights: this many items in both, this many in one only.
fn plain(name: &'static str, both: usize, alone: usize) -> Pair {
    let one = |item: usize| if item.is_multiple_of(2) { [0.7, 0.0] } else { [0.0, 0.7] };
    Pair::new(name, (0..both).map(|_| [0.7; 2]).chain((0..alone).map(one)))
}

fn pairs() -> Vec<Pair> {
    vec![
        plain("disjoint sets", 0, 2),
        plain("equal sets", 10, 0),
        plain("sets at 0.05", 1, 19),
        plain("sets at 0.5", 1, 1),
        plain("sets at 0.95", 19, 1),
        Pair::new("one item, once twice as heavy", [[1e-300, 2e-300]]),
        Pair::new("one item, once much heavier", [[1e300, 2e301]]),
        Pair::new("weights of all sorts", (1..=10).map(|i| [f64::from(i), f64::from(i * i % 11) / 3.0])),
        Pair::new("all in one item", [[100.0, 90.0], [1.0, 2.0], [0.1, 5.0]]),
    ]
}

#[test]
fn weights_of_small_sets() {
    for pair in pairs() {
        pair.assert_theory(32);
    }
}

#[test]
#[ignore = "long tier: 20 seconds"]
fn weights_of_larger_sets_and_signatures() {
    for pair in pairs() {
        pair.assert_theory(512);
    }
    let weights = (1..=1000).map(|i| {
        let weight = f64::from(i).powf(-1.1);
        [weight, if i % 3 == 0 { weight * 2.0 } else { weight }]
    });
    Pair::new("a thousand words", weights).assert_theory(128);
}
