use super::*;
use crivo::WindowedBloom;
use crivo::membership::WindowedParams;

/// Every item has its time. Times before the latest count as the latest, so only the first items of a stream advance
/// the clock.
fn time_of(hash: u64) -> u64 {
    hash % 1024
}

/// A time slightly later than the latest.
fn soon(filter: &WindowedBloom) -> u64 {
    filter.latest().saturating_add(100)
}

impl Subject for WindowedBloom {
    type Answer = bool;
    verbs!();

    fn scale(&self) -> usize {
        self.params().items() as usize
    }

    fn see<T: Item + ?Sized>(&mut self, item: &T) {
        self.insert_at(item, time_of(self.hash_spec().hash(item)));
    }

    fn see_hash(&mut self, hash: u64) {
        self.insert_hash_at(hash, time_of(hash));
    }

    fn see_hashes(&mut self, hashes: &[u64]) {
        for hash in hashes {
            self.insert_hashes_at(&[*hash], time_of(*hash));
        }
    }

    fn ask<T: Item + ?Sized>(&self, item: &T) -> bool {
        self.contains_at(item, soon(self))
    }

    fn ask_hash(&self, hash: u64) -> bool {
        self.contains_hash_at(hash, soon(self))
    }

    fn ask_hashes(&self, hashes: &[u64]) -> Vec<bool> {
        self.contains_hashes_at(hashes, soon(self))
    }

    fn fpr_limit(&self) -> f64 {
        self.fpr_limit()
    }

    /// Advances the time, and inserts some items.
    fn peculiar(&mut self, rng: &mut Rng) {
        let at = self.latest().saturating_add(rng.below(self.params().window()));
        self.advance(at);
        let hashes: Vec<u64> = (0..rng.below(20)).map(|_| rng.next_u64()).collect();
        self.insert_hashes_at(&hashes, at);
    }
}

pub(crate) fn make(
    items: u64,
    fpr: f64,
    window: u64,
    generations: u32,
) -> impl Fn(HashSpec) -> WindowedBloom {
    let params = WindowedParams::for_fpr(items, fpr, window, generations).unwrap();
    move |spec| WindowedBloom::with_params(params).with_hash(spec)
}

/// Inserts one item per time unit.
fn one_by_one(filter: &mut WindowedBloom, times: std::ops::Range<u64>) {
    for time in times {
        filter.insert_at(&time, time);
    }
}

#[test]
fn files() {
    let plain = HashSpec::default();
    let mut all = make(40, 0.01, 40, 4)(plain);
    one_by_one(&mut all, 1000..1075);
    check("all-generations", &all);
    all.advance(1100);
    check("half-old", &all);
    let mut merged = make(10, 0.05, 40, 4)(plain);
    one_by_one(&mut merged, 0..50);
    let mut other = make(10, 0.05, 40, 4)(plain);
    one_by_one(&mut other, 15..60);
    merged.merge(&other).unwrap();
    check("merged", &merged);
    let mut gap = make(10, 0.1, 1 << 40, 64)(plain);
    for (item, time) in [(1, 0), (2, 1 << 30), (3, 1 << 39)] {
        gap.insert_at(&item, time);
    }
    check("gaps", &gap);
    let mut end = filled(make(5, 0.1, u64::MAX, 1)(plain), 30);
    end.insert_at("last", u64::MAX);
    check("last-time", &end);
}
