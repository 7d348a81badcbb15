use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::rng::Rng;
use crivo::{HashSpec, Kind, SpaceSaving};

impl Subject for SpaceSaving<u64> {
    super::number_methods!();

    fn scale(&self) -> usize {
        self.counters() as usize
    }
}

fn make(counters: u32) -> impl Fn(HashSpec) -> SpaceSaving<u64> {
    move |spec| SpaceSaving::for_counters(counters).unwrap().with_hash(spec)
}

#[test]
fn files() {
    check_cases(make(50), 20, 2000);
    let mut numbers = SpaceSaving::<i64>::for_counters(20).unwrap();
    (0..200).for_each(|i: i64| numbers.add(&(i % 37 - 18), 1 + i as u64 % 5));
    check("signed", &numbers);
    let mut texts = SpaceSaving::<String>::for_counters(20).unwrap();
    (0..200).for_each(|i: u64| texts.add(format!("item {}", i % 23).as_str(), 1 + i % 5));
    check("text", &texts);
    let mut bytes = SpaceSaving::<Vec<u8>>::for_counters(20).unwrap();
    (0..200u8).for_each(|i| bytes.add(&[i % 29, 255 - i][..usize::from(i % 3)], 1));
    check("bytes", &bytes);
    let mut saturated = filled(make(5)(HashSpec::default()), 20);
    (0..9u64).for_each(|i| saturated.add(&i, u64::MAX - i));
    check("saturated", &saturated);
}

#[test]
fn fingerprint() {
    let makes: [&dyn Fn(HashSpec) -> SpaceSaving<u64>; 4] = [&make(1), &make(2), &make(17), &make(100)];
    assert_fingerprint(Kind::SpaceSaving, &makes, 0x3def_68a7_1482_4259);
}
