use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::rng::Rng;
use crivo::{BloomFilter, BloomParams, HashSpec, Kind};

impl Subject for BloomFilter {
    super::filter_methods!(super::done);

    fn scale(&self) -> usize {
        (self.params().bits() / u64::from(self.params().hashes())).max(1) as usize
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        let position = rng.below(self.params().bits());
        self.insert_positions(&[position]).unwrap();
    }
}

#[test]
fn files() {
    check_cases(
        |spec| BloomFilter::with_params(BloomParams::for_fpr(200, 0.01).unwrap()).with_hash(spec),
        20,
        400,
    );
    check("odd-size", &filled(BloomFilter::with_params(BloomParams::exact(1003, 3).unwrap()), 100));
    let folded = filled(BloomFilter::with_params(BloomParams::exact(1003, 3).unwrap()), 100).fold().unwrap();
    check("folded", &folded.fold().unwrap());
}

#[test]
fn fingerprint() {
    let make = |bits, hashes| {
        move |spec: HashSpec| {
            BloomFilter::with_params(BloomParams::exact(bits, hashes).unwrap()).with_hash(spec)
        }
    };
    let makes: [&dyn Fn(HashSpec) -> BloomFilter; 4] =
        [&make(1, 1), &make(64, 3), &make(1003, 7), &make(8192, 6)];
    assert_fingerprint(Kind::BloomFilter, &makes, 0x7621_2226_1915_0847);
}
