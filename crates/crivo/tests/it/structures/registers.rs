//! Counters of 2^precision registers.

use super::*;
use crivo::baseline::{LogLog, ProbabilisticCounting};
use crivo::{ExaLogLog, HyperLogLog};

/// A counter, its capacity, and the number of items up to which it is exact.
macro_rules! registers {
    ($make:ident, $counter:ident, $precision:ident => $scale:expr $(, exact up to $exact:literal)?) => {
        impl Subject for $counter {
            verbs!(insert, estimate);

            fn scale(&self) -> usize {
                let $precision = self.precision();
                $scale
            }

            $(fn exact_up_to(&self) -> usize {
                $exact
            })?

            fn peculiar(&mut self, rng: &mut Rng) {
                let steps = rng.below(2) as u8;
                *self = self.fold((self.precision() - steps).max(4)).unwrap();
            }
        }

        pub(crate) fn $make(precision: u8) -> impl Fn(HashSpec) -> $counter {
            move |spec| $counter::for_precision(precision).unwrap().with_hash(spec)
        }
    };
}
registers!(hyperloglog, HyperLogLog, precision => ((1 << precision) / 6).min(4096));
registers!(exaloglog, ExaLogLog, precision => (3 << (precision - 2)).min(4096));
registers!(loglog, LogLog, precision => 1 << precision, exact up to 0);
registers!(probabilistic, ProbabilisticCounting, precision => 1 << precision, exact up to 0);

/// Where a sparse counter becomes dense.
pub(super) fn check_last_sparse<S: Subject>(sketch: S, count: u64) {
    let mut sketch = filled(sketch, count);
    check("sparse-full", &sketch);
    sketch.see("one more");
    check("dense-first", &sketch);
}

#[test]
fn hyperloglog_files() {
    let plain = HashSpec::default();
    check_last_sparse(hyperloglog(10)(plain), 170);
    check("precision-4", &filled(hyperloglog(4)(plain), 100));
    check("precision-18", &filled(hyperloglog(18)(plain), 100));
    let mut ends = hyperloglog(12)(plain);
    ends.insert_hashes(&[0, 1, 1 << 63, u64::MAX, 0xfff << 52, 1 << 33, 1 << 32]);
    check("extreme-ranks", &ends);
}

#[test]
fn exaloglog_files() {
    let plain = HashSpec::default();
    check_last_sparse(exaloglog(8)(plain), 192);
    check("precision-4", &filled(exaloglog(4)(plain), 100));
    check("precision-18", &filled(exaloglog(18)(plain), 100));
    let mut ends = exaloglog(4)(plain);
    (0..20u64).for_each(|i| ends.insert_hashes(&[i, i << 44, u64::MAX - i, 1 << (3 * i)]));
    check("extreme-values", &ends);
    for (precision, items) in [(8, 100), (8, 300), (8, 20_000), (4, 1000), (14, 4200)] {
        check_compact(&format!("compact-{precision}-{items}"), &filled(exaloglog(precision)(plain), items));
    }
}

fn check_baseline<S: Subject>(make: impl Fn(u8) -> S) {
    check("precision-4", &filled(make(4), 100));
    check("precision-12", &filled(make(12), 1000));
    let mut ends = make(6);
    ends.see_hashes(&[0, 1, 1 << 63, u64::MAX, 0x3f << 58, 1 << 57, 3]);
    check("extreme-ranks", &ends);
}

#[test]
fn baseline_files() {
    check_baseline(|precision| loglog(precision)(HashSpec::default()));
    check_baseline(|precision| probabilistic(precision)(HashSpec::default()));
}
