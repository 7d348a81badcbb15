use super::small_counters::check_merged;
use super::*;
use crivo::{Element, Reservoir};

/// It takes elements, not items: here elements made from hashes.
impl<E: Element + FromHash> Subject for Reservoir<E> {
    const MEMORY_IS_CANONICAL: bool = false;
    type Answer = Estimate;
    verbs!();

    fn scale(&self) -> usize {
        self.k() as usize
    }

    fn see_hash(&mut self, hash: u64) {
        self.insert(E::from_hash(hash));
    }

    fn see_hashes(&mut self, hashes: &[u64]) {
        self.extend(hashes.iter().map(|&hash| E::from_hash(hash)));
    }

    fn ask_hash(&self, hash: u64) -> Estimate {
        self.estimate_if(|element| *element == E::from_hash(hash))
    }

    fn apart(&self) -> Self {
        Reservoir::for_k(self.k(), self.seed().wrapping_add(1)).unwrap()
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        self.advance(self.skip() / (1 + rng.below(3))).unwrap();
        self.insert_with(|| E::from_hash(rng.next_u64()));
    }
}

pub(crate) fn make<T: Element>(k: u32) -> impl Fn(HashSpec) -> Reservoir<T> {
    move |spec| Reservoir::for_k(k, spec.fingerprint()).unwrap()
}

#[test]
fn files() {
    let plain = HashSpec::default();
    check("few", &filled(make::<u64>(50)(plain), 30));
    check("texts", &filled(make::<String>(5)(plain), 300));
    check_merged(make::<u64>(9)(plain), 100, 40);
    let mut floats = Reservoir::for_k(3, 1).unwrap();
    floats.extend([1.5, -0.0, f64::NEG_INFINITY]);
    check("f64", &floats);
    let mut integers = Reservoir::for_k(3, 1).unwrap();
    integers.extend([-1i64, i64::MAX]);
    check("i64", &integers);
    let mut bytes = Reservoir::for_k(3, 1).unwrap();
    bytes.extend([vec![], vec![255u8, 0]]);
    check("bytes", &bytes);
}
