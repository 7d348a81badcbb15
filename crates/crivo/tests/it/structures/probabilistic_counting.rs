use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::baseline::ProbabilisticCounting;
use crivo::rng::Rng;
use crivo::{HashSpec, Kind};

impl Subject for ProbabilisticCounting {
    super::counter_methods!();

    fn scale(&self) -> usize {
        1 << self.precision()
    }

    fn exact_up_to(&self) -> usize {
        0
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        let steps = rng.below(2) as u8;
        *self = self.fold((self.precision() - steps).max(4)).unwrap();
    }
}

#[test]
fn files() {
    check_cases(|spec| ProbabilisticCounting::for_precision(6).unwrap().with_hash(spec), 20, 5000);
    check("precision-4", &filled(ProbabilisticCounting::for_precision(4).unwrap(), 100));
    check("precision-12", &filled(ProbabilisticCounting::for_precision(12).unwrap(), 1000));
    let mut ends = ProbabilisticCounting::for_precision(6).unwrap();
    ends.insert_hashes(&[0, 1, 1 << 63, u64::MAX, 0x3f << 58, 1 << 57, 3]);
    check("extreme-ranks", &ends);
}

#[test]
fn fingerprint() {
    let make = |precision| {
        move |spec: HashSpec| ProbabilisticCounting::for_precision(precision).unwrap().with_hash(spec)
    };
    let makes: [&dyn Fn(HashSpec) -> ProbabilisticCounting; 3] = [&make(4), &make(6), &make(9)];
    assert_fingerprint(Kind::ProbabilisticCounting, &makes, 0xbf22_b126_0ff9_e75a);
}
