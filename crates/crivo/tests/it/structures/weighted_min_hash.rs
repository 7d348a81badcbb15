use super::*;
use crivo::WeightedMinHash;

/// The weight of an item, from zero to large.
fn weight(hash: u64) -> f64 {
    (hash % 13) as f64 * 0.3
}

impl Subject for WeightedMinHash {
    type Answer = Vec<u32>;
    verbs!();

    fn scale(&self) -> usize {
        self.k() as usize
    }

    fn see<T: Item + ?Sized>(&mut self, item: &T) {
        self.add(item, weight(self.spec().hash(item))).unwrap();
    }

    fn see_hash(&mut self, hash: u64) {
        self.add_hash(hash, weight(hash)).unwrap();
    }

    fn ask_hash(&self, _: u64) -> Vec<u32> {
        self.slots().to_vec()
    }

    fn ask_hashes(&self, hashes: &[u64]) -> Vec<Vec<u32>> {
        vec![self.slots().to_vec(); hashes.len()]
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        let tiny_to_huge = f64::exp2(rng.below(2000) as f64 - 1000.0);
        self.add_hash(rng.next_u64(), tiny_to_huge).unwrap();
    }
}

pub(crate) fn make(k: u32) -> impl Fn(HashSpec) -> WeightedMinHash {
    move |spec| WeightedMinHash::for_slots(k).unwrap().with_hash(spec)
}

#[test]
fn files() {
    check("k-1", &filled(make(1)(HashSpec::default()), 9));
    check("k-1003", &filled(make(1003)(HashSpec::default()), 9));
    let mut extreme = make(16)(HashSpec::default());
    for (item, weight) in [5e-324, 1e-300, 1e300, f64::MAX].into_iter().enumerate() {
        extreme.add(&item, weight).unwrap();
    }
    check("extreme-weights", &extreme);
}
