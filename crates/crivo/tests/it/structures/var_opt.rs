use super::small_counters::check_merged;
use super::*;
use crivo::{Element, VarOpt};

/// The weight of an item, from zero to large.
fn weight(hash: u64) -> f64 {
    (hash % 13) as f64
}

/// It takes elements, not items: here elements made from hashes, which determine the weights too.
impl<E: Element + FromHash> Subject for VarOpt<E> {
    const MEMORY_IS_CANONICAL: bool = false;
    type Answer = Vec<(E, f64)>;
    verbs!();

    fn scale(&self) -> usize {
        self.k() as usize
    }

    fn see_hash(&mut self, hash: u64) {
        self.insert(E::from_hash(hash), weight(hash)).unwrap();
    }

    fn see_hashes(&mut self, hashes: &[u64]) {
        for &hash in hashes {
            self.insert_with(weight(hash), || E::from_hash(hash)).unwrap();
        }
    }

    fn ask_hash(&self, _: u64) -> Self::Answer {
        let threshold = self.threshold();
        self.sample().into_iter().map(|(element, weight)| (element.clone(), weight.max(threshold))).collect()
    }

    fn apart(&self) -> Self {
        VarOpt::for_k(self.k(), self.seed().wrapping_add(1)).unwrap()
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        let tiny_to_huge = f64::exp2(rng.below(1900) as f64 - 950.0);
        self.insert(E::from_hash(rng.next_u64()), tiny_to_huge).unwrap();
    }
}

pub(crate) fn make<T: Element>(k: u32) -> impl Fn(HashSpec) -> VarOpt<T> {
    move |spec| VarOpt::for_k(k, spec.fingerprint()).unwrap()
}

#[test]
fn files() {
    let plain = HashSpec::default();
    check("few", &filled(make::<u64>(50)(plain), 30));
    check("texts", &filled(make::<String>(5)(plain), 300));
    check_merged(make::<u64>(9)(plain), 100, 40);
    let mut skewed = VarOpt::for_k(4, 1).unwrap();
    for weight in [0.0, 1e-300, 1.0, 1e280, 9.0, 1e280, 2.0, 3.0, 5.0] {
        skewed.insert(weight, weight).unwrap();
    }
    check("skewed", &skewed);
    let mut weightless = VarOpt::for_k(3, 1).unwrap();
    weightless.insert(-1i64, 0.0).unwrap();
    check("weightless", &weightless);
}
