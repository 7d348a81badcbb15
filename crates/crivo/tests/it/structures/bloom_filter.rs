use super::*;
use crivo::{BloomFilter, BloomParams};

impl Subject for BloomFilter {
    verbs!(insert, contains);

    fn scale(&self) -> usize {
        (self.params().bits() / u64::from(self.params().hashes())).max(1) as usize
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        let position = rng.below(self.params().bits());
        self.insert_positions(&[position]).unwrap();
    }
}

pub(crate) fn make(bits: u64, hashes: u32) -> impl Fn(HashSpec) -> BloomFilter {
    move |spec| BloomFilter::with_params(BloomParams::exact(bits, hashes).unwrap()).with_hash(spec)
}

/// The last of a target-sized filter's folds.
pub(crate) fn folded(spec: HashSpec) -> BloomFilter {
    (0..3).fold(make(4 * 1003, 4)(spec), |filter, _| filter.fold().unwrap())
}

#[test]
fn files() {
    let odd = filled(make(1003, 3)(HashSpec::default()), 100);
    check("odd-size", &odd);
    check("folded", &odd.fold().unwrap().fold().unwrap());
}
