use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::membership::{PartitionedBloom, PartitionedParams};
use crivo::rng::Rng;
use crivo::{HashSpec, Kind};

impl Subject for PartitionedBloom {
    super::filter_methods!(super::done);

    fn scale(&self) -> usize {
        (self.params().bits() / u64::from(self.params().hashes())).max(1) as usize
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        let fewer = rng.below(8) == 0 && self.params().blocks() > 1;
        *self = self.fold(self.params().blocks() - u32::from(fewer)).unwrap();
    }
}

#[test]
fn files() {
    let params = PartitionedParams::for_fpr(200, 0.01).unwrap();
    check_cases(|spec| PartitionedBloom::with_params(params).with_hash(spec), 20, 400);
    check(
        "odd-size",
        &filled(PartitionedBloom::with_params(PartitionedParams::exact(3, 335, 2).unwrap()), 100),
    );
}

#[test]
fn fingerprint() {
    let make = |blocks, bits, hashes| {
        let params = PartitionedParams::exact(blocks, bits, hashes).unwrap();
        move |spec: HashSpec| PartitionedBloom::with_params(params).with_hash(spec)
    };
    let makes: [&dyn Fn(HashSpec) -> PartitionedBloom; 4] =
        [&make(1, 1, 1), &make(3, 64, 2), &make(7, 501, 1), &make(4, 1024, 3)];
    assert_fingerprint(Kind::PartitionedBloom, &makes, 0xfe12_e2d9_7479_5fd7);
}
