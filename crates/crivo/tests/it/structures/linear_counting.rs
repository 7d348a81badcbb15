use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::cardinality::LinearCounting;
use crivo::rng::Rng;
use crivo::{HashSpec, Kind};

impl Subject for LinearCounting {
    super::counter_methods!();

    fn scale(&self) -> usize {
        self.bits() as usize
    }

    fn exact_up_to(&self) -> usize {
        0
    }

    /// It has no operation of its own: a hash at either end of the range.
    fn peculiar(&mut self, rng: &mut Rng) {
        self.insert_hash(if rng.below(2) == 0 { 0 } else { u64::MAX });
    }
}

#[test]
fn files() {
    check_cases(|spec| LinearCounting::for_bits(1000).unwrap().with_hash(spec), 20, 2000);
    check("one-bit", &filled(LinearCounting::for_bits(1).unwrap(), 2));
    check("odd", &filled(LinearCounting::for_bits(77).unwrap(), 50));
    check("saturated", &filled(LinearCounting::for_bits(64).unwrap(), 2000));
}

#[test]
fn fingerprint() {
    let make = |bits| move |spec: HashSpec| LinearCounting::for_bits(bits).unwrap().with_hash(spec);
    let makes: [&dyn Fn(HashSpec) -> LinearCounting; 4] = [&make(1), &make(77), &make(1000), &make(4096)];
    assert_fingerprint(Kind::LinearCounting, &makes, 0x8b3d_5f7e_a15c_5268);
}
