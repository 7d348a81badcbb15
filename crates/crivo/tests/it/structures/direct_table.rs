use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::baseline::DirectTable;
use crivo::rng::Rng;
use crivo::{HashSpec, Item, Kind};

/// It takes numbers, not items: here their hashes, brought below the universe.
impl Subject for DirectTable {
    type Answer = bool;
    super::common_methods!();

    fn scale(&self) -> usize {
        self.universe() as usize
    }

    fn see<T: Item + ?Sized>(&mut self, item: &T) {
        self.see_hash(self.spec().hash(item));
    }

    fn see_hash(&mut self, hash: u64) {
        self.insert(hash % self.universe()).unwrap();
    }

    fn see_hashes(&mut self, hashes: &[u64]) {
        for &hash in hashes {
            self.see_hash(hash);
        }
    }

    fn ask<T: Item + ?Sized>(&self, item: &T) -> bool {
        self.ask_hash(self.spec().hash(item))
    }

    fn ask_hash(&self, hash: u64) -> bool {
        self.contains(hash % self.universe())
    }

    fn ask_hashes(&self, hashes: &[u64]) -> Vec<bool> {
        hashes.iter().map(|&hash| self.ask_hash(hash)).collect()
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        for _ in 0..rng.below(50) {
            let number = rng.below(self.universe());
            let was_inside = self.contains(number);
            assert_eq!(self.remove(number), Ok(was_inside));
        }
        let mut other = self.emptied();
        (0..self.universe()).filter(|_| rng.below(3) > 0).for_each(|number| {
            other.insert(number).unwrap();
        });
        self.intersect(&other).unwrap();
    }
}

fn make(universe: u64) -> impl Fn(HashSpec) -> DirectTable {
    move |_| DirectTable::for_universe(universe).unwrap()
}

#[test]
fn files() {
    check_cases(make(1000), 20, 400);
    check("odd-size", &filled(make(67)(HashSpec::default()), 30));
    check("all", &filled(make(64)(HashSpec::default()), 6000));
}

#[test]
fn fingerprint() {
    let makes: [&dyn Fn(HashSpec) -> DirectTable; 4] = [&make(1), &make(64), &make(77), &make(300)];
    assert_fingerprint(Kind::DirectTable, &makes, 0x83d2_4176_b64a_6182);
}
