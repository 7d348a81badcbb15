use super::*;
use crivo::SlidingHyperLogLog;

/// Every item has its time, so that a stream is a set of items and times.
fn time_of(hash: u64) -> u64 {
    hash % 1024
}

impl Subject for SlidingHyperLogLog {
    type Answer = Estimate;
    verbs!();

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

    /// The number of recent items, in a window that follows from the item.
    fn ask_hash(&self, hash: u64) -> Estimate {
        self.estimate(1 + hash % self.limit()).unwrap()
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        self.advance(self.latest().saturating_add(rng.below(100)));
    }

    /// Old times stay in memory until their register is updated.
    const MEMORY_IS_CANONICAL: bool = false;
}

pub(crate) fn make(precision: u8, limit: u64) -> impl Fn(HashSpec) -> SlidingHyperLogLog {
    move |spec| SlidingHyperLogLog::for_precision(precision, limit).unwrap().with_hash(spec)
}

#[test]
fn files() {
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
