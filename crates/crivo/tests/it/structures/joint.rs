use super::*;
use crivo::Joint;

impl Subject for Joint {
    verbs!(insert, estimate);

    fn scale(&self) -> usize {
        self.k() as usize
    }

    fn exact_up_to(&self) -> usize {
        self.k() as usize - 1
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        let other = self.emptied().having_seen(&Self::stream(rng, 20));
        assert!(self.similarity(&other).unwrap().value() <= 1.0);
    }
}

pub(crate) fn make(precision: u8, k: u32) -> impl Fn(HashSpec) -> Joint {
    move |spec| Joint::for_precision(precision, k).unwrap().with_hash(spec)
}

#[test]
fn files() {
    check("full-first", &filled(make(8, 64)(HashSpec::default()), 64));
    // The counter is dense while the sample has all hashes, and sparse otherwise.
    check("sample-longer", &filled(make(4, 300)(HashSpec::default()), 100));
    check("counter-longer", &filled(make(12, 16)(HashSpec::default()), 200));
}
