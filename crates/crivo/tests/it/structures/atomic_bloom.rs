use super::*;
use crivo::AtomicBloom;
use crivo::membership::AtomicParams;

impl Subject for AtomicBloom {
    verbs!(insert, contains);

    fn scale(&self) -> usize {
        self.params().bits() as usize / 11
    }

    /// Through a shared reference.
    fn peculiar(&mut self, rng: &mut Rng) {
        let other = Self::with_params(self.params()).with_hash(*self.hash_spec());
        other.insert_hashes(&[rng.next_u64(), rng.next_u64(), rng.next_u64()]);
        let shared: &Self = self;
        shared.merge(&other).unwrap();
    }
}

pub(crate) fn make(blocks: u64, hashes: u32) -> impl Fn(HashSpec) -> AtomicBloom {
    move |spec| AtomicBloom::with_params(AtomicParams::exact(blocks, hashes).unwrap()).with_hash(spec)
}

#[test]
fn files() {
    check("most-functions", &filled(make(3, 16)(HashSpec::default()), 60));
}
