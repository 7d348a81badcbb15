use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::rng::Rng;
use crivo::{Estimate, HashSpec, Item, Kind, MorrisCounter, MorrisParams};

/// It counts whatever comes.
impl Subject for MorrisCounter {
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
        MorrisCounter::new(self.params(), self.seed().wrapping_add(1))
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        self.increment_by(rng.next_u64() >> rng.below(64));
    }
}

fn make(base: f64, bits: u32) -> impl Fn(HashSpec) -> MorrisCounter {
    move |spec| MorrisCounter::new(MorrisParams::exact(base, bits).unwrap(), spec.fingerprint())
}

#[test]
fn files() {
    check_cases(make(1.05, 12), 20, 4000);
    let mut full = make(1.05, 2)(HashSpec::default());
    full.increment_by(1 << 40);
    check("saturated", &full);
    let one = filled(make(1.05, 12)(HashSpec::default()), 3000);
    let mut merged = filled(one.apart(), 400);
    merged.merge(&one).unwrap();
    check("merged", &merged);
}

#[test]
fn fingerprint() {
    let makes: [&dyn Fn(HashSpec) -> MorrisCounter; 3] = [&make(2.0, 8), &make(1.3, 5), &make(1.001, 14)];
    assert_fingerprint(Kind::MorrisCounter, &makes, 0x4e58_3d3c_f9a7_7c5a);
}
