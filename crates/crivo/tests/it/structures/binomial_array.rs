use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::rng::Rng;
use crivo::{BinomialArray, BinomialParams, Estimate, HashSpec, Item, Kind};

/// It takes indices, not items: here their hashes, brought below the number of counters.
impl Subject for BinomialArray {
    type Answer = Estimate;
    super::common_methods!();

    fn scale(&self) -> usize {
        self.len()
    }

    fn see<T: Item + ?Sized>(&mut self, item: &T) {
        self.see_hash(self.spec().hash(item));
    }

    fn see_hash(&mut self, hash: u64) {
        self.increment(hash as usize % self.len()).unwrap();
    }

    fn see_hashes(&mut self, hashes: &[u64]) {
        for &hash in hashes {
            self.see_hash(hash);
        }
    }

    fn ask<T: Item + ?Sized>(&self, item: &T) -> Estimate {
        self.ask_hash(self.spec().hash(item))
    }

    fn ask_hash(&self, hash: u64) -> Estimate {
        self.estimate(hash as usize % self.len()).unwrap()
    }

    fn ask_hashes(&self, hashes: &[u64]) -> Vec<Estimate> {
        hashes.iter().map(|&hash| self.ask_hash(hash)).collect()
    }

    fn apart(&self) -> Self {
        BinomialArray::new(self.len() as u64, self.params(), self.seed().wrapping_add(1)).unwrap()
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        let index = rng.below(self.len() as u64) as usize;
        self.increment_by(index, rng.next_u64() >> rng.below(64)).unwrap();
    }
}

fn make(len: u64, probability: f64, bits: u32) -> impl Fn(HashSpec) -> BinomialArray {
    move |spec| {
        BinomialArray::new(len, BinomialParams::exact(probability, bits).unwrap(), spec.fingerprint())
            .unwrap()
    }
}

#[test]
fn files() {
    check_cases(make(16, 0.3, 8), 20, 4000);
    let mut full = make(3, 0.3, 2)(HashSpec::default());
    full.increment_by(1, 1 << 40).unwrap();
    check("saturated", &full);
    let one = filled(make(9, 0.3, 5)(HashSpec::default()), 100);
    let mut merged = filled(one.apart(), 40);
    merged.merge(&one).unwrap();
    check("merged", &merged);
}

#[test]
fn fingerprint() {
    let makes: [&dyn Fn(HashSpec) -> BinomialArray; 3] =
        [&make(1, 1.0, 8), &make(33, 0.5, 5), &make(7, 0.001, 13)];
    assert_fingerprint(Kind::BinomialArray, &makes, 0xe395_1ecd_5c88_d2a9);
}
