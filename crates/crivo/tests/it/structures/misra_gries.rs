use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::rng::Rng;
use crivo::{HashSpec, Kind, MisraGries};

impl Subject for MisraGries<u64> {
    super::number_methods!();

    fn scale(&self) -> usize {
        self.counters() as usize
    }
}

fn make(counters: u32) -> impl Fn(HashSpec) -> MisraGries<u64> {
    move |spec| MisraGries::for_counters(counters).unwrap().with_hash(spec)
}

#[test]
fn files() {
    check_cases(make(50), 20, 2000);
    let mut numbers = MisraGries::<i64>::for_counters(20).unwrap();
    (0..200).for_each(|i: i64| numbers.add(&(i % 37 - 18), 1 + i as u64 % 5));
    check("signed", &numbers);
    let mut texts = MisraGries::<String>::for_counters(20).unwrap();
    (0..200).for_each(|i: u64| texts.add(format!("item {}", i % 23).as_str(), 1 + i % 5));
    check("text", &texts);
    let mut bytes = MisraGries::<Vec<u8>>::for_counters(20).unwrap();
    (0..200u8).for_each(|i| bytes.add(&[i % 29, 255 - i][..usize::from(i % 3)], 1));
    check("bytes", &bytes);
    let mut saturated = filled(make(5)(HashSpec::default()), 20);
    (0..9u64).for_each(|i| saturated.add(&i, u64::MAX - i));
    check("saturated", &saturated);
}

#[test]
fn fingerprint() {
    let makes: [&dyn Fn(HashSpec) -> MisraGries<u64>; 4] = [&make(1), &make(2), &make(17), &make(100)];
    assert_fingerprint(Kind::MisraGries, &makes, 0x1698_d1b0_d6da_ddb0);
}
