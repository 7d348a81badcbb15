use super::{COVERAGE_TRIALS, Coverage, Sample};
use crivo::stats::binomial_band;
use crivo::{HashSpec, SimHash};
use std::f64::consts::PI;

/// Two vectors of a few items each, and the angle between them.
struct Pair {
    name: &'static str,
    first: Vec<f64>,
    second: Vec<f64>,
}

impl Pair {
    fn new(name: &'static str, first: &[f64], second: &[f64]) -> Self {
        Self { name, first: first.to_vec(), second: second.to_vec() }
    }

    /// Sets of this many items: only in the first, in both, only in the second.
    fn of_sets(name: &'static str, [first, both, second]: [usize; 3]) -> Self {
        let ones = |zeros: usize, count: usize| [vec![0.0; zeros], vec![1.0; count]].concat();
        Self { name, first: ones(0, first + both), second: ones(first, both + second) }
    }

    fn similarity(&self) -> f64 {
        let product = |one: &[f64], other: &[f64]| one.iter().zip(other).map(|(x, y)| x * y).sum::<f64>();
        let norms = product(&self.first, &self.first) * product(&self.second, &self.second);
        1.0 - (product(&self.first, &self.second) / norms.sqrt()).clamp(-1.0, 1.0).acos() / PI
    }

    /// The share of equal bits is a binomial one: its mean, its spread, and the coverage of its interval.
    fn assert_theory(&self, bits: u32) {
        let truth = self.similarity();
        let (mut similarities, mut coverage, mut of_cosines) =
            (Sample::default(), Coverage::default(), Coverage::default());
        for seed in 0..COVERAGE_TRIALS {
            let spec = HashSpec::seeded(seed << 32 | u64::from(bits));
            let [first, second] = [&self.first, &self.second].map(|vector| {
                let mut sketch = SimHash::for_bits(bits).unwrap().with_hash(spec);
                sketch.add_vector(vector).unwrap();
                sketch
            });
            let alike = first.similarity(&second).unwrap();
            similarities.push(alike.value());
            coverage.push(&alike, truth);
            of_cosines.push(&first.cosine(&second).unwrap(), -(PI * truth).cos());
        }
        let context = format!("{} at {bits} bits", self.name);
        let deviation = (truth * (1.0 - truth) / f64::from(bits)).sqrt();
        // The error of the distribution of components, as its test allows, and ties.
        let trials = COVERAGE_TRIALS * u64::from(bits);
        let (least, most) = binomial_band(trials, truth, super::FALSE_ALARM);
        let equal = similarities.mean() * trials as f64;
        let slack = 5e-4 * trials as f64 * f64::from(u8::from(truth < 1.0));
        assert!((least - slack..=most + slack).contains(&equal), "{context}: {equal}, {least} to {most}");
        if truth > 0.0 && truth < 1.0 {
            similarities.assert_deviation(truth, deviation, &context);
        }
        coverage.assert_rule(f64::INFINITY, &context);
        of_cosines.assert_rule(f64::INFINITY, &format!("cosine, {context}"));
        // From five bits on, the interval is not too wide.
        if bits >= 256 && deviation * f64::from(bits) * 1.96 > 5.0 {
            assert!(coverage.covered as f64 <= 0.97 * coverage.trials as f64, "{context}: too wide");
            coverage.assert_balance(&context);
        }
    }
}

fn pairs() -> Vec<Pair> {
    vec![
        Pair::of_sets("{a,d,e} and {b,c,d,e}", [1, 2, 2]),
        Pair::of_sets("one and two items", [0, 1, 1]),
        Pair::of_sets("distinct items", [1, 0, 1]),
        Pair::of_sets("equal sets", [0, 10, 0]),
        Pair::of_sets("nearly equal sets", [1, 38, 0]),
        Pair::new("opposite vectors", &[1.0, -2.0, 0.5], &[-2.0, 4.0, -1.0]),
        Pair::new("uneven weights", &[1.0, 0.0, 0.3], &[0.1, 5.0, 0.3]),
    ]
}

#[test]
fn angles_of_small_sets_and_vectors() {
    for pair in pairs() {
        pair.assert_theory(64);
        pair.assert_theory(256);
    }
}

#[test]
#[ignore = "long tier: 12 seconds"]
fn angles_of_larger_sets_and_signatures() {
    for pair in pairs() {
        pair.assert_theory(1024);
    }
    Pair::of_sets("a set of 1000 and a half of it", [500, 500, 0]).assert_theory(64);
    Pair::of_sets("two halves of a set of 1000", [250, 250, 250]).assert_theory(64);
    Pair::of_sets("sets of 1000 of which 950 are in both", [50, 950, 50]).assert_theory(256);
    Pair::of_sets("a set of 1000 and 50 of them", [950, 50, 0]).assert_theory(256);
}
