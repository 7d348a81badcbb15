use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::membership::BlockedParams;
use crivo::rng::Rng;
use crivo::{BlockedBloom, HashSpec, Kind};

impl Subject for BlockedBloom {
    super::filter_methods!(super::done);

    fn scale(&self) -> usize {
        self.params().blocks() as usize * 24
    }

    /// One more bit, by way of Parquet.
    fn peculiar(&mut self, rng: &mut Rng) {
        let mut bitset = self.to_parquet_bitset();
        bitset[rng.below(self.params().memory_bytes()) as usize] |= 1 << rng.below(8);
        *self = Self::from_parquet_bitset(&bitset, *self.hash_spec()).unwrap();
    }
}

fn blocked(blocks: u64) -> impl Fn(HashSpec) -> BlockedBloom {
    move |spec| BlockedBloom::with_params(BlockedParams::exact(blocks).unwrap()).with_hash(spec)
}

#[test]
fn files() {
    check_cases(
        |spec| BlockedBloom::with_params(BlockedParams::for_fpr(200, 0.01).unwrap()).with_hash(spec),
        20,
        400,
    );
    check("one-block", &filled(blocked(1)(HashSpec::default()), 20));
}

#[test]
fn fingerprint() {
    let makes: [&dyn Fn(HashSpec) -> BlockedBloom; 4] = [&blocked(1), &blocked(2), &blocked(7), &blocked(64)];
    assert_fingerprint(Kind::BlockedBloom, &makes, 0x63ed_1666_949c_e5ed);
}
