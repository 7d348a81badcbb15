use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::rng::Rng;
use crivo::{Estimate, HashSpec, Item, Kind, SlidingHyperLogLog};

/// Every item has its time, so that a stream is a set of items and times.
fn time_of(hash: u64) -> u64 {
    hash % 1024
}

impl Subject for SlidingHyperLogLog {
    type Answer = Estimate;
    super::common_methods!();

    fn scale(&self) -> usize {
        (1 << self.precision()) / 4
    }

    fn see<T: Item + ?Sized>(&mut self, item: &T) {
        self.insert(item, time_of(self.hash_spec().hash(item)));
    }

    fn see_hash(&mut self, hash: u64) {
        self.insert_hash(hash, time_of(hash));
    }

    fn see_hashes(&mut self, hashes: &[u64]) {
        for hash in hashes {
            self.insert_hashes(&[*hash], time_of(*hash));
        }
    }

    fn ask<T: Item + ?Sized>(&self, item: &T) -> Estimate {
        self.ask_hash(self.hash_spec().hash(item))
    }

    /// How many came lately, in a window that follows from the item.
    fn ask_hash(&self, hash: u64) -> Estimate {
        self.estimate(1 + hash % self.limit()).unwrap()
    }

    fn ask_hashes(&self, hashes: &[u64]) -> Vec<Estimate> {
        hashes.iter().map(|&hash| self.ask_hash(hash)).collect()
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        self.advance(self.latest().saturating_add(rng.below(100)));
    }

    /// Times that are too old stay in memory until their register is met.
    const MEMORY_IS_CANONICAL: bool = false;
}

fn make(precision: u8, limit: u64) -> impl Fn(HashSpec) -> SlidingHyperLogLog {
    move |spec| SlidingHyperLogLog::for_precision(precision, limit).unwrap().with_hash(spec)
}

#[test]
fn files() {
    check_cases(make(8, 600), 50, 2000);
    let plain = HashSpec::default();
    check("all-times", &filled(make(4, u64::MAX)(plain), 300));
    check("one-time", &filled(make(4, 1)(plain), 300));
    let mut old = filled(make(4, 600)(plain), 300);
    old.advance(1500);
    check("half-old", &old);
    let mut ends = make(4, u64::MAX)(plain);
    for (hash, time) in [(0, 0), (1, 1), (1 << 60, u64::MAX), (u64::MAX, 1 << 63)] {
        ends.insert_hash(hash, time);
    }
    check("extremes", &ends);
}

#[test]
fn fingerprint() {
    let makes: [&dyn Fn(HashSpec) -> SlidingHyperLogLog; 3] =
        [&make(4, 600), &make(5, u64::MAX), &make(7, 100)];
    assert_fingerprint(Kind::SlidingHyperLogLog, &makes, 0x466f_23bd_652a_ab1a);
}
