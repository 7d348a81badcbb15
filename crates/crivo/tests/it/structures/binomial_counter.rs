use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::counting::{BinomialCounter, BinomialParams};
use crivo::{HashSpec, Kind};

impl Subject for BinomialCounter {
    super::small_counter_methods!();
}

fn make(probability: f64, bits: u32) -> impl Fn(HashSpec) -> BinomialCounter {
    move |spec| {
        BinomialCounter::with_params(BinomialParams::exact(probability, bits).unwrap(), spec.fingerprint())
    }
}

#[test]
fn files() {
    check_cases(make(0.3, 12), 20, 4000);
    let mut full = make(0.3, 2)(HashSpec::default());
    full.increment_by(1 << 40);
    check("saturated", &full);
    let one = filled(make(0.3, 16)(HashSpec::default()), 3000);
    let mut merged = filled(one.apart(), 400);
    merged.merge(&one).unwrap();
    check("merged", &merged);
}

#[test]
fn fingerprint() {
    let makes: [&dyn Fn(HashSpec) -> BinomialCounter; 3] = [&make(1.0, 8), &make(0.5, 5), &make(0.001, 32)];
    assert_fingerprint(Kind::BinomialCounter, &makes, 0x037f_fa44_6fc6_120a);
}
