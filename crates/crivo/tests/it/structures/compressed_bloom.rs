use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::membership::{CompressedBloom, CompressedParams};
use crivo::rng::Rng;
use crivo::{HashSpec, Kind};

impl Subject for CompressedBloom {
    super::filter_methods!(super::done);

    fn scale(&self) -> usize {
        (self.params().bits() / u64::from(self.params().hashes())).max(1) as usize
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        // Unlike shares of ones are unlike codes.
        let hashes: Vec<u64> = (0..rng.below(self.params().bits() + 1) / 4).map(|_| rng.next_u64()).collect();
        self.insert_hashes(&hashes);
    }
}

#[test]
fn files() {
    let params = CompressedParams::for_fpr(200, 0.01, 2.0).unwrap();
    check_cases(|spec| CompressedBloom::with_params(params).with_hash(spec), 20, 400);
    check(
        "odd-size",
        &filled(CompressedBloom::with_params(CompressedParams::exact(10_003, 1).unwrap()), 100),
    );
}

#[test]
fn fingerprint() {
    let make = |bits, hashes| {
        let params = CompressedParams::exact(bits, hashes).unwrap();
        move |spec: HashSpec| CompressedBloom::with_params(params).with_hash(spec)
    };
    let makes: [&dyn Fn(HashSpec) -> CompressedBloom; 4] =
        [&make(1, 1), &make(64, 3), &make(1003, 2), &make(4096, 1)];
    assert_fingerprint(Kind::CompressedBloom, &makes, 0x3a6b_8a95_aec8_8697);
}
