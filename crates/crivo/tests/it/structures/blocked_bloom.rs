use super::*;
use crivo::BlockedBloom;
use crivo::membership::BlockedParams;

impl Subject for BlockedBloom {
    verbs!(insert, contains);

    fn scale(&self) -> usize {
        self.params().blocks() as usize * 24
    }

    /// Sets one more bit through the Parquet format.
    fn peculiar(&mut self, rng: &mut Rng) {
        let mut bitset = self.to_parquet_bitset();
        bitset[rng.below(self.params().memory_bytes()) as usize] |= 1 << rng.below(8);
        *self = Self::from_parquet_bitset(&bitset, *self.hash_spec()).unwrap();
    }
}

pub(crate) fn make(blocks: u64) -> impl Fn(HashSpec) -> BlockedBloom {
    move |spec| BlockedBloom::with_params(BlockedParams::exact(blocks).unwrap()).with_hash(spec)
}

#[test]
fn files() {
    check("one-block", &filled(make(1)(HashSpec::default()), 20));
}
