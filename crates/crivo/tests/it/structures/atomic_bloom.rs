use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::rng::Rng;
use crivo::{AtomicBloom, AtomicParams, HashSpec, Item, Kind};

impl Subject for AtomicBloom {
    type Answer = bool;
    super::common_methods!();

    fn scale(&self) -> usize {
        self.params().bits() as usize / 11
    }

    fn see<T: Item + ?Sized>(&mut self, item: &T) {
        self.insert(item);
    }

    fn see_hash(&mut self, hash: u64) {
        self.insert_hash(hash);
    }

    fn see_hashes(&mut self, hashes: &[u64]) {
        self.insert_hashes(hashes);
    }

    fn ask<T: Item + ?Sized>(&self, item: &T) -> bool {
        self.contains(item)
    }

    fn ask_hash(&self, hash: u64) -> bool {
        self.contains_hash(hash)
    }

    fn ask_hashes(&self, hashes: &[u64]) -> Vec<bool> {
        self.contains_hashes(hashes)
    }

    /// Through a shared reference.
    fn peculiar(&mut self, rng: &mut Rng) {
        let other = Self::with_spec(self.params(), *self.hash_spec());
        other.insert_hashes(&[rng.next_u64(), rng.next_u64(), rng.next_u64()]);
        let shared: &Self = self;
        shared.merge(&other).unwrap();
    }
}

fn atomic(blocks: u64, hashes: u32) -> impl Fn(HashSpec) -> AtomicBloom {
    move |spec| AtomicBloom::with_spec(AtomicParams::exact(blocks, hashes).unwrap(), spec)
}

#[test]
fn files() {
    check_cases(|spec| AtomicBloom::with_spec(AtomicParams::for_fpr(200, 0.01).unwrap(), spec), 20, 400);
    check("most-functions", &filled(atomic(3, 16)(HashSpec::default()), 60));
}

#[test]
fn fingerprint() {
    let makes: [&dyn Fn(HashSpec) -> AtomicBloom; 4] =
        [&atomic(1, 2), &atomic(2, 6), &atomic(7, 16), &atomic(32, 8)];
    assert_fingerprint(Kind::AtomicBloom, &makes, 0x32a2_3e9f_cc84_5c4d);
}
