use super::{Subject, unless_full};
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::rng::Rng;
use crivo::{Estimate, HashSpec, Item, Kind, Moments};

impl Subject for Moments {
    type Answer = [Estimate; 3];
    super::common_methods!();

    fn scale(&self) -> usize {
        self.cells() as usize
    }

    fn see<T: Item + ?Sized>(&mut self, item: &T) {
        unless_full(self.add(item, 1));
    }

    fn see_hash(&mut self, hash: u64) {
        unless_full(self.add_hash(hash, 1));
    }

    fn see_hashes(&mut self, hashes: &[u64]) {
        unless_full(self.add_hashes(hashes));
    }

    fn ask<T: Item + ?Sized>(&self, _: &T) -> [Estimate; 3] {
        [self.f0(), self.f1(), self.f2()]
    }

    fn ask_hash(&self, _: u64) -> [Estimate; 3] {
        [self.f0(), self.f1(), self.f2()]
    }

    fn ask_hashes(&self, hashes: &[u64]) -> Vec<[Estimate; 3]> {
        vec![[self.f0(), self.f1(), self.f2()]; hashes.len()]
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        let count = rng.next_u64() >> rng.below(64);
        unless_full(self.add_hash(rng.next_u64(), count));
    }
}

#[test]
fn files() {
    check_cases(|spec| Moments::for_precision(8, 64).unwrap().with_hash(spec), 40, 5000);
    let mut heavy = filled(Moments::for_precision(4, 7).unwrap(), 20);
    heavy.add("much", 1 << 40).unwrap();
    check("heavy", &heavy);
}

#[test]
fn fingerprint() {
    let make = |precision, cells| {
        move |spec: HashSpec| Moments::for_precision(precision, cells).unwrap().with_hash(spec)
    };
    let makes: [&dyn Fn(HashSpec) -> Moments; 3] = [&make(4, 1), &make(8, 37), &make(6, 64)];
    assert_fingerprint(Kind::Moments, &makes, 0x3143_b719_dcb4_be08);
}
