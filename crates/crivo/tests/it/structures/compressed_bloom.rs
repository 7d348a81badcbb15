use super::*;
use crivo::membership::{CompressedBloom, CompressedParams};

impl Subject for CompressedBloom {
    verbs!(insert, contains);

    fn scale(&self) -> usize {
        (self.params().bits() / u64::from(self.params().hashes())).max(1) as usize
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        // Different shares of ones have different codes.
        let hashes: Vec<u64> = (0..rng.below(self.params().bits() + 1) / 4).map(|_| rng.next_u64()).collect();
        self.insert_hashes(&hashes);
    }
}

pub(crate) fn make(bits: u64, hashes: u32) -> impl Fn(HashSpec) -> CompressedBloom {
    move |spec| CompressedBloom::with_params(CompressedParams::exact(bits, hashes).unwrap()).with_hash(spec)
}

#[test]
fn files() {
    check("odd-size", &filled(make(10_003, 1)(HashSpec::default()), 100));
}
