use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::rng::Rng;
use crivo::{ExaLogLog, HashSpec, Kind};

impl Subject for ExaLogLog {
    super::counter_methods!();

    fn scale(&self) -> usize {
        (3 << (self.precision() - 2)).min(4096)
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        let steps = rng.below(2) as u8;
        *self = self.fold((self.precision() - steps).max(4)).unwrap();
    }
}

#[test]
fn files() {
    check_cases(|spec| ExaLogLog::for_precision(8).unwrap().with_hash(spec), 100, 5000);
    check("sparse-full", &filled(ExaLogLog::for_precision(8).unwrap(), 192));
    let mut dense = filled(ExaLogLog::for_precision(8).unwrap(), 192);
    dense.insert("one more");
    check("dense-first", &dense);
    check("precision-4", &filled(ExaLogLog::for_precision(4).unwrap(), 100));
    check("precision-18", &filled(ExaLogLog::for_precision(18).unwrap(), 100));
    let mut ends = ExaLogLog::for_precision(4).unwrap();
    (0..20u64).for_each(|i| ends.insert_hashes(&[i, i << 44, u64::MAX - i, 1 << (3 * i)]));
    check("extreme-values", &ends);
}

#[test]
fn fingerprint() {
    let make = |precision| move |spec: HashSpec| ExaLogLog::for_precision(precision).unwrap().with_hash(spec);
    let makes: [&dyn Fn(HashSpec) -> ExaLogLog; 4] = [&make(4), &make(6), &make(9), &make(12)];
    assert_fingerprint(Kind::ExaLogLog, &makes, 0x5dac_7d88_95b0_7e29);
}
