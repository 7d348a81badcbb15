use super::*;
use crivo::Moments;

impl Subject for Moments {
    type Answer = [Estimate; 3];
    verbs!(add);

    fn scale(&self) -> usize {
        self.cells() as usize
    }

    fn ask_hash(&self, _: u64) -> [Estimate; 3] {
        [self.f0(), self.f1(), self.f2()]
    }

    fn ask_hashes(&self, hashes: &[u64]) -> Vec<[Estimate; 3]> {
        vec![self.ask_hash(0); hashes.len()]
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        let count = rng.next_u64() >> rng.below(64);
        unless_full(self.add_hash(rng.next_u64(), count));
    }
}

pub(crate) fn make(precision: u8, cells: u64) -> impl Fn(HashSpec) -> Moments {
    move |spec| Moments::for_precision(precision, cells).unwrap().with_hash(spec)
}

#[test]
fn files() {
    let mut heavy = filled(make(4, 7)(HashSpec::default()), 20);
    heavy.add("much", 1 << 40).unwrap();
    check("heavy", &heavy);
}
