use super::*;
use crivo::baseline::DirectTable;

/// It takes numbers, not items: here hashes, reduced to the universe.
impl Subject for DirectTable {
    type Answer = bool;
    verbs!();

    fn scale(&self) -> usize {
        self.universe() as usize
    }

    fn see_hash(&mut self, hash: u64) {
        self.insert(hash % self.universe()).unwrap();
    }

    fn ask_hash(&self, hash: u64) -> bool {
        self.contains(hash % self.universe())
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

pub(crate) fn make(universe: u64) -> impl Fn(HashSpec) -> DirectTable {
    move |_| DirectTable::for_universe(universe).unwrap()
}

#[test]
fn files() {
    check("odd-size", &filled(make(67)(HashSpec::default()), 30));
    check("all", &filled(make(64)(HashSpec::default()), 6000));
}
