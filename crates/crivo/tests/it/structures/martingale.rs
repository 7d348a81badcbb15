use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::cardinality::Martingale;
use crivo::rng::Rng;
use crivo::{ExaLogLog, HashSpec, HyperLogLog, Kind};

macro_rules! subject {
    ($sketch:ident) => {
        impl Subject for Martingale<$sketch> {
            super::counter_methods!();

            fn scale(&self) -> usize {
                self.sketch().scale()
            }

            /// The sketch inside goes, and a new history begins.
            fn peculiar(&mut self, rng: &mut Rng) {
                if rng.below(4) == 0 {
                    let mut sketch = self.clone().into_sketch();
                    sketch.clear();
                    *self = Self::new(sketch).unwrap();
                }
            }
        }
    };
}

subject!(HyperLogLog);
subject!(ExaLogLog);

fn make(precision: u8) -> impl Fn(HashSpec) -> Martingale<HyperLogLog> {
    move |spec| Martingale::new(HyperLogLog::for_precision(precision).unwrap().with_hash(spec)).unwrap()
}

fn make_exa(precision: u8) -> impl Fn(HashSpec) -> Martingale<ExaLogLog> {
    move |spec| Martingale::new(ExaLogLog::for_precision(precision).unwrap().with_hash(spec)).unwrap()
}

#[test]
fn files() {
    check_cases(make(10), 100, 5000);
    let plain = HashSpec::default();
    check("sparse-full", &filled(make(10)(plain), 170));
    let mut dense = filled(make(10)(plain), 170);
    dense.insert("one more");
    check("dense-first", &dense);
    let mut saturated = make(4)(plain);
    (0..16u64).for_each(|register| {
        saturated.insert_hash(register << 60);
    });
    check("saturated", &saturated);
}

#[test]
fn fingerprint() {
    let makes: [&dyn Fn(HashSpec) -> Martingale<HyperLogLog>; 3] = [&make(4), &make(7), &make(10)];
    assert_fingerprint(Kind::MartingaleHyperLogLog, &makes, 0xd170_eedb_59db_fce0);
}

#[test]
fn exaloglog_files() {
    check_cases(make_exa(9), 100, 5000);
    let mut dense = filled(make_exa(9)(HashSpec::default()), 384);
    check("exa-sparse-full", &dense);
    dense.insert("one more");
    check("exa-dense-first", &dense);
}

#[test]
fn exaloglog_fingerprint() {
    let makes: [&dyn Fn(HashSpec) -> Martingale<ExaLogLog>; 3] = [&make_exa(4), &make_exa(7), &make_exa(9)];
    assert_fingerprint(Kind::MartingaleExaLogLog, &makes, 0x71e4_e1b4_c333_1ba4);
}
