//! Moments: all three, within the requested error.

use super::{COVERAGE_TRIALS, Coverage};
use crivo::{HashSpec, Moments};

#[test]
fn moments_are_covered_within_the_target() {
    let error = 0.2;
    let size = Moments::for_error(error).unwrap();
    for items in [0u64, 1, 30, 1000] {
        let count = |item: u64| 1 + 50 / (item + 1);
        let first: u64 = (0..items).map(count).sum();
        let second: u64 = (0..items).map(|item| count(item).pow(2)).sum();
        let (mut different, mut squares) = (Coverage::default(), Coverage::default());
        for seed in 0..COVERAGE_TRIALS {
            let spec = HashSpec::seeded(seed);
            let mut sketch = Moments::for_precision(size.precision(), size.cells()).unwrap().with_hash(spec);
            for item in 0..items {
                sketch.add(&item, count(item)).unwrap();
            }
            assert_eq!((sketch.f1().value(), sketch.total()), (first as f64, first));
            let f2 = sketch.f2();
            let reach = (f2.upper() - f2.value()).max(f2.value() - f2.lower());
            assert!(reach <= error * f2.value() * (1.0 + 1e-12), "{f2}");
            different.push(&sketch.f0(), items as f64);
            squares.push(&f2, second as f64);
        }
        different.assert_rule(1.0, &format!("F0 of {items} items"));
        squares.assert_proven(&format!("F2 of {items} items"));
    }
}
