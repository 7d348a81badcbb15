use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::frequency::CountSketchParams;
use crivo::rng::Rng;
use crivo::{CountSketch, HashSpec, Kind};

impl Subject for CountSketch {
    super::signed_table_methods!();
}

#[test]
fn files() {
    let params = CountSketchParams::exact(50, 7).unwrap();
    check_cases(|spec| CountSketch::with_params(params).with_hash(spec), 20, 2000);
    let mut taken = filled(CountSketch::with_params(params), 200);
    taken.add("taken", -1_000_000).unwrap();
    taken.add("item 1", -5).unwrap();
    check("taken", &taken);
    taken.add("much", i64::MAX - taken.volume() as i64).unwrap();
    check("full", &taken);
}

#[test]
fn fingerprint() {
    let make = |width, depth| {
        let params = CountSketchParams::exact(width, depth).unwrap();
        move |spec: HashSpec| CountSketch::with_params(params).with_hash(spec)
    };
    let makes: [&dyn Fn(HashSpec) -> CountSketch; 3] = [&make(1, 1), &make(50, 7), &make(64, 2)];
    assert_fingerprint(Kind::CountSketch, &makes, 0x4f3a_f870_44a1_2563);
}
