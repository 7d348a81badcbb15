use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::counting::{BinomialArray, BinomialParams};
use crivo::{HashSpec, Kind};

impl Subject for BinomialArray {
    super::counter_array_methods!();
}

fn make(len: u64, probability: f64, bits: u32) -> impl Fn(HashSpec) -> BinomialArray {
    move |spec| {
        BinomialArray::with_params(len, BinomialParams::exact(probability, bits).unwrap(), spec.fingerprint())
            .unwrap()
    }
}

#[test]
fn files() {
    check_cases(make(16, 0.3, 8), 20, 4000);
    let mut full = make(3, 0.3, 2)(HashSpec::default());
    full.increment_by(1, 1 << 40).unwrap();
    check("saturated", &full);
    let one = filled(make(9, 0.3, 5)(HashSpec::default()), 100);
    let mut merged = filled(one.apart(), 40);
    merged.merge(&one).unwrap();
    check("merged", &merged);
}

#[test]
fn fingerprint() {
    let makes: [&dyn Fn(HashSpec) -> BinomialArray; 3] =
        [&make(1, 1.0, 8), &make(33, 0.5, 5), &make(7, 0.001, 13)];
    assert_fingerprint(Kind::BinomialArray, &makes, 0xe395_1ecd_5c88_d2a9);
}
