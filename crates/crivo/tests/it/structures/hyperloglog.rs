use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::rng::Rng;
use crivo::{HashSpec, HyperLogLog, Kind};

impl Subject for HyperLogLog {
    super::counter_methods!();

    fn scale(&self) -> usize {
        ((1 << self.precision()) / 6).min(4096)
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        let steps = rng.below(2) as u8;
        *self = self.fold((self.precision() - steps).max(4)).unwrap();
    }
}

#[test]
fn files() {
    check_cases(|spec| HyperLogLog::for_precision(10).unwrap().with_hash(spec), 100, 5000);
    check("sparse-full", &filled(HyperLogLog::for_precision(10).unwrap(), 170));
    let mut dense = filled(HyperLogLog::for_precision(10).unwrap(), 170);
    dense.insert("one more");
    check("dense-first", &dense);
    check("precision-4", &filled(HyperLogLog::for_precision(4).unwrap(), 100));
    check("precision-18", &filled(HyperLogLog::for_precision(18).unwrap(), 100));
    let mut ends = HyperLogLog::for_precision(12).unwrap();
    ends.insert_hashes(&[0, 1, 1 << 63, u64::MAX, 0xfff << 52, 1 << 33, 1 << 32]);
    check("extreme-ranks", &ends);
}

#[test]
fn fingerprint() {
    let make =
        |precision| move |spec: HashSpec| HyperLogLog::for_precision(precision).unwrap().with_hash(spec);
    let makes: [&dyn Fn(HashSpec) -> HyperLogLog; 4] = [&make(4), &make(6), &make(9), &make(12)];
    assert_fingerprint(Kind::HyperLogLog, &makes, 0x03bb_ac39_34a3_48aa);
}
