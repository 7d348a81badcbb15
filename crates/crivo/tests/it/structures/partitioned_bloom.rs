use super::*;
use crivo::membership::{PartitionedBloom, PartitionedParams};

impl Subject for PartitionedBloom {
    verbs!(insert, contains);

    fn scale(&self) -> usize {
        (self.params().bits() / u64::from(self.params().hashes())).max(1) as usize
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        let fewer = rng.below(8) == 0 && self.params().blocks() > 1;
        *self = self.fold(self.params().blocks() - u32::from(fewer)).unwrap();
    }
}

pub(crate) fn make(blocks: u32, bits: u64, hashes: u32) -> impl Fn(HashSpec) -> PartitionedBloom {
    let params = PartitionedParams::exact(blocks, bits, hashes).unwrap();
    move |spec| PartitionedBloom::with_params(params).with_hash(spec)
}

#[test]
fn files() {
    check("odd-size", &filled(make(3, 335, 2)(HashSpec::default()), 100));
}
