use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::rng::Rng;
use crivo::{HashSpec, Joint, Kind};

impl Subject for Joint {
    super::counter_methods!();

    fn scale(&self) -> usize {
        self.k() as usize
    }

    fn exact_up_to(&self) -> usize {
        self.k() as usize - 1
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        let other = self.emptied().having_seen(&Self::stream(rng, 20));
        assert!(self.similarity(&other).unwrap().value() <= 1.0);
    }
}

#[test]
fn files() {
    check_cases(|spec| Joint::for_precision(8, 64).unwrap().with_hash(spec), 40, 5000);
    check("full-first", &filled(Joint::for_precision(8, 64).unwrap(), 64));
    // The counter is dense while the sample has all hashes, and sparse when it has not.
    check("sample-longer", &filled(Joint::for_precision(4, 300).unwrap(), 100));
    check("counter-longer", &filled(Joint::for_precision(12, 16).unwrap(), 200));
}

#[test]
fn fingerprint() {
    let make =
        |precision, k| move |spec: HashSpec| Joint::for_precision(precision, k).unwrap().with_hash(spec);
    let makes: [&dyn Fn(HashSpec) -> Joint; 3] = [&make(4, 40), &make(8, 16), &make(9, 200)];
    assert_fingerprint(Kind::Joint, &makes, 0x6975_d1ff_d132_e271);
}
