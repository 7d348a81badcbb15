use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::membership::CountingParams;
use crivo::rng::Rng;
use crivo::{CountingBloom, HashSpec, Kind};

impl Subject for CountingBloom {
    super::filter_methods!(super::done);

    fn scale(&self) -> usize {
        (self.params().counters() / u64::from(self.params().hashes())).max(1) as usize
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        let hash = rng.next_u64() % 7;
        self.insert_hash(hash);
        self.insert_hash(rng.next_u64());
        self.remove_hash(hash).unwrap();
    }
}

#[test]
fn files() {
    let params = CountingParams::for_fpr(100, 0.01).unwrap();
    check_cases(|spec| CountingBloom::with_params(params).with_hash(spec), 20, 200);
    let narrow = CountingParams::exact(101, 3).unwrap().with_counter_bits(3).unwrap();
    let mut saturated = filled(CountingBloom::with_params(narrow), 200);
    saturated.remove(&1u64).unwrap();
    check("saturated", &saturated);
}

#[test]
fn fingerprint() {
    let make = |counters, hashes, bits| {
        let params = CountingParams::exact(counters, hashes).unwrap().with_counter_bits(bits).unwrap();
        move |spec: HashSpec| CountingBloom::with_params(params).with_hash(spec)
    };
    let makes: [&dyn Fn(HashSpec) -> CountingBloom; 4] =
        [&make(1, 1, 2), &make(64, 3, 4), &make(1003, 7, 5), &make(500, 6, 16)];
    assert_fingerprint(Kind::CountingBloom, &makes, 0x137d_7644_b693_0a38);
}
