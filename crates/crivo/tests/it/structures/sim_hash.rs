use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::rng::Rng;
use crivo::{HashSpec, Item, Kind, SimHash};

impl Subject for SimHash {
    type Answer = Vec<u64>;
    super::common_methods!();

    fn scale(&self) -> usize {
        self.bits() as usize
    }

    fn see<T: Item + ?Sized>(&mut self, item: &T) {
        self.add(item, 1.0).unwrap();
    }

    fn see_hash(&mut self, hash: u64) {
        self.add_hash(hash, 1.0).unwrap();
    }

    fn see_hashes(&mut self, hashes: &[u64]) {
        self.add_hashes(hashes);
    }

    fn ask<T: Item + ?Sized>(&self, _: &T) -> Vec<u64> {
        self.signature()
    }

    fn ask_hash(&self, _: u64) -> Vec<u64> {
        self.signature()
    }

    fn ask_hashes(&self, hashes: &[u64]) -> Vec<Vec<u64>> {
        vec![self.signature(); hashes.len()]
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        let tiny_to_huge = f64::exp2(rng.below(1000) as f64 - 500.0) * (rng.unit() - 0.5);
        self.add_hash(rng.next_u64(), tiny_to_huge).unwrap();
    }
}

#[test]
fn files() {
    check_cases(|spec| SimHash::for_bits(64).unwrap().with_hash(spec), 20, 5000);
    check("bits-192", &filled(SimHash::for_bits(192).unwrap(), 7));
    let mut vector = SimHash::for_bits(64).unwrap();
    vector.add_vector(&[0.1, -2.5, 1e-300, -1e270]).unwrap();
    check("vector", &vector);
}

#[test]
fn fingerprint() {
    let make = |bits| move |spec: HashSpec| SimHash::for_bits(bits).unwrap().with_hash(spec);
    let makes: [&dyn Fn(HashSpec) -> SimHash; 2] = [&make(64), &make(192)];
    assert_fingerprint(Kind::SimHash, &makes, 0x67bc_507f_aa2f_c977);
}
