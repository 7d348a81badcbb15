use super::*;
use crivo::SimHash;

impl Subject for SimHash {
    type Answer = Vec<u64>;
    verbs!();

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

pub(crate) fn make(bits: u32) -> impl Fn(HashSpec) -> SimHash {
    move |spec| SimHash::for_bits(bits).unwrap().with_hash(spec)
}

#[test]
fn files() {
    check("bits-192", &filled(make(192)(HashSpec::default()), 7));
    let mut vector = make(64)(HashSpec::default());
    vector.add_vector(&[0.1, -2.5, 1e-300, -1e270]).unwrap();
    check("vector", &vector);
}
