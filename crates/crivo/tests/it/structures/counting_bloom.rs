use super::*;
use crivo::CountingBloom;
use crivo::membership::CountingParams;

impl Subject for CountingBloom {
    verbs!(insert, contains);

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

pub(crate) fn make(counters: u64, hashes: u32, bits: u32) -> impl Fn(HashSpec) -> CountingBloom {
    let params = CountingParams::exact(counters, hashes).unwrap().with_counter_bits(bits).unwrap();
    move |spec| CountingBloom::with_params(params).with_hash(spec)
}

#[test]
fn files() {
    let mut saturated = filled(make(101, 3, 3)(HashSpec::default()), 200);
    saturated.remove(&1u64).unwrap();
    check("saturated", &saturated);
}
