use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::rng::Rng;
use crivo::{BinomialCounter, BinomialParams, Estimate, HashSpec, Item, Kind};

/// It counts whatever comes.
impl Subject for BinomialCounter {
    type Answer = Estimate;
    super::common_methods!();

    fn scale(&self) -> usize {
        40
    }

    fn see<T: Item + ?Sized>(&mut self, _: &T) {
        self.increment();
    }

    fn see_hash(&mut self, _: u64) {
        self.increment();
    }

    fn see_hashes(&mut self, hashes: &[u64]) {
        for _ in hashes {
            self.increment();
        }
    }

    fn ask<T: Item + ?Sized>(&self, _: &T) -> Estimate {
        self.estimate()
    }

    fn ask_hash(&self, _: u64) -> Estimate {
        self.estimate()
    }

    fn ask_hashes(&self, hashes: &[u64]) -> Vec<Estimate> {
        vec![self.estimate(); hashes.len()]
    }

    fn apart(&self) -> Self {
        BinomialCounter::new(self.params(), self.seed().wrapping_add(1))
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        self.increment_by(rng.next_u64() >> rng.below(64));
    }
}

fn make(probability: f64, bits: u32) -> impl Fn(HashSpec) -> BinomialCounter {
    move |spec| BinomialCounter::new(BinomialParams::exact(probability, bits).unwrap(), spec.fingerprint())
}

#[test]
fn files() {
    check_cases(make(0.3, 12), 20, 4000);
    let mut full = make(0.3, 2)(HashSpec::default());
    full.increment_by(1 << 40);
    check("saturated", &full);
    let one = filled(make(0.3, 16)(HashSpec::default()), 3000);
    let mut merged = filled(one.apart(), 400);
    merged.merge(&one).unwrap();
    check("merged", &merged);
}

#[test]
fn fingerprint() {
    let makes: [&dyn Fn(HashSpec) -> BinomialCounter; 3] = [&make(1.0, 8), &make(0.5, 5), &make(0.001, 32)];
    assert_fingerprint(Kind::BinomialCounter, &makes, 0x037f_fa44_6fc6_120a);
}
