use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::frequency::{SignedCountMin, SignedCountMinParams};
use crivo::rng::Rng;
use crivo::{HashSpec, Kind};

impl Subject for SignedCountMin {
    super::signed_table_methods!();
}

#[test]
fn files() {
    let params = SignedCountMinParams::exact(50, 5).unwrap();
    check_cases(|spec| SignedCountMin::with_params(params).with_hash(spec), 20, 2000);
    let mut taken = filled(SignedCountMin::with_params(params), 200);
    taken.add("taken", -1_000_000).unwrap();
    taken.add("item 1", -5).unwrap();
    check("taken", &taken);
    taken.add("much", i64::MAX - taken.volume() as i64).unwrap();
    check("full", &taken);
}

#[test]
fn fingerprint() {
    let make = |width, depth| {
        let params = SignedCountMinParams::exact(width, depth).unwrap();
        move |spec: HashSpec| SignedCountMin::with_params(params).with_hash(spec)
    };
    let makes: [&dyn Fn(HashSpec) -> SignedCountMin; 3] = [&make(1, 1), &make(50, 5), &make(64, 2)];
    assert_fingerprint(Kind::SignedCountMin, &makes, 0x4545_095f_4c5c_339b);
}
