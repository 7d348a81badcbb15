use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::counting::MorrisParams;
use crivo::{HashSpec, Kind, MorrisArray};

impl Subject for MorrisArray {
    const MEMORY_IS_CANONICAL: bool = false;
    super::counter_array_methods!();
}

fn make(len: u64, base: f64, bits: u32) -> impl Fn(HashSpec) -> MorrisArray {
    move |spec| {
        MorrisArray::with_params(len, MorrisParams::exact(base, bits).unwrap(), spec.fingerprint()).unwrap()
    }
}

#[test]
fn files() {
    check_cases(make(16, 1.05, 8), 20, 4000);
    let mut full = make(3, 1.05, 2)(HashSpec::default());
    full.increment_by(1, 1 << 40).unwrap();
    check("saturated", &full);
    let one = filled(make(9, 1.05, 5)(HashSpec::default()), 100);
    let mut merged = filled(one.apart(), 40);
    merged.merge(&one).unwrap();
    check("merged", &merged);
}

#[test]
fn fingerprint() {
    let makes: [&dyn Fn(HashSpec) -> MorrisArray; 3] =
        [&make(1, 2.0, 8), &make(33, 1.3, 5), &make(7, 1.001, 13)];
    assert_fingerprint(Kind::MorrisArray, &makes, 0xc819_f02e_b124_7574);
}
