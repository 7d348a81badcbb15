use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::membership::AtomicParams;
use crivo::rng::Rng;
use crivo::{AtomicBloom, HashSpec, Kind};

impl Subject for AtomicBloom {
    super::filter_methods!(super::done);

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

fn atomic(blocks: u64, hashes: u32) -> impl Fn(HashSpec) -> AtomicBloom {
    move |spec| AtomicBloom::with_params(AtomicParams::exact(blocks, hashes).unwrap()).with_hash(spec)
}

#[test]
fn files() {
    check_cases(
        |spec| AtomicBloom::with_params(AtomicParams::for_fpr(200, 0.01).unwrap()).with_hash(spec),
        20,
        400,
    );
    check("most-functions", &filled(atomic(3, 16)(HashSpec::default()), 60));
}

#[test]
fn fingerprint() {
    let makes: [&dyn Fn(HashSpec) -> AtomicBloom; 4] =
        [&atomic(1, 2), &atomic(2, 6), &atomic(7, 16), &atomic(32, 8)];
    assert_fingerprint(Kind::AtomicBloom, &makes, 0x32a2_3e9f_cc84_5c4d);
}
