use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::counting::MorrisParams;
use crivo::{HashSpec, Kind, MorrisCounter};

impl Subject for MorrisCounter {
    super::small_counter_methods!();
}

fn make(base: f64, bits: u32) -> impl Fn(HashSpec) -> MorrisCounter {
    move |spec| MorrisCounter::with_params(MorrisParams::exact(base, bits).unwrap(), spec.fingerprint())
}

#[test]
fn files() {
    check_cases(make(1.05, 12), 20, 4000);
    let mut full = make(1.05, 2)(HashSpec::default());
    full.increment_by(1 << 40);
    check("saturated", &full);
    let one = filled(make(1.05, 12)(HashSpec::default()), 3000);
    let mut merged = filled(one.apart(), 400);
    merged.merge(&one).unwrap();
    check("merged", &merged);
}

#[test]
fn fingerprint() {
    let makes: [&dyn Fn(HashSpec) -> MorrisCounter; 3] = [&make(2.0, 8), &make(1.3, 5), &make(1.001, 14)];
    assert_fingerprint(Kind::MorrisCounter, &makes, 0x4e58_3d3c_f9a7_7c5a);
}
