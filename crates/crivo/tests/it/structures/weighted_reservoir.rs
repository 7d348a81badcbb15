use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::rng::Rng;
use crivo::{Element, HashSpec, Item, Kind, WeightedReservoir};

/// From none to many.
fn weight(hash: u64) -> f64 {
    (hash % 13) as f64
}

/// It takes elements, not items: here made from their hashes, which set the weights too.
macro_rules! samples {
    ($element:ty, $of_hash:expr) => {
        impl Subject for WeightedReservoir<$element> {
            const MEMORY_IS_CANONICAL: bool = false;
            type Answer = Vec<($element, f64)>;
            super::common_methods!();

            fn scale(&self) -> usize {
                self.k() as usize
            }

            fn see<T: Item + ?Sized>(&mut self, item: &T) {
                self.see_hash(self.spec().hash(item));
            }

            fn see_hash(&mut self, hash: u64) {
                self.insert($of_hash(hash), weight(hash)).unwrap();
            }

            fn see_hashes(&mut self, hashes: &[u64]) {
                for &hash in hashes {
                    self.insert_with(weight(hash), || $of_hash(hash)).unwrap();
                }
            }

            fn ask<T: Item + ?Sized>(&self, _: &T) -> Self::Answer {
                self.ask_hash(0)
            }

            fn ask_hash(&self, _: u64) -> Self::Answer {
                self.sample().into_iter().map(|(element, weight)| (element.clone(), weight)).collect()
            }

            fn ask_hashes(&self, hashes: &[u64]) -> Vec<Self::Answer> {
                hashes.iter().map(|&hash| self.ask_hash(hash)).collect()
            }

            fn apart(&self) -> Self {
                WeightedReservoir::for_k(self.k(), self.seed().wrapping_add(1)).unwrap()
            }

            fn peculiar(&mut self, rng: &mut Rng) {
                let tiny_to_huge = f64::exp2(rng.below(2000) as f64 - 1000.0);
                self.insert($of_hash(rng.next_u64()), tiny_to_huge).unwrap();
            }
        }
    };
}
samples!(u64, |hash: u64| hash);
samples!(String, |hash: u64| hash.to_string());

fn make<T: Element>(k: u32) -> impl Fn(HashSpec) -> WeightedReservoir<T> {
    move |spec| WeightedReservoir::for_k(k, spec.fingerprint()).unwrap()
}

#[test]
fn files() {
    check_cases(make::<u64>(16), 20, 4000);
    let plain = HashSpec::default();
    check("few", &filled(make::<u64>(50)(plain), 30));
    check("texts", &filled(make::<String>(5)(plain), 300));
    let one = filled(make::<u64>(9)(plain), 100);
    let mut merged = filled(one.apart(), 40);
    merged.merge(&one).unwrap();
    check("merged", &merged);
    let mut extreme = WeightedReservoir::for_k(3, 1).unwrap();
    for weight in [0.0, 5e-324, 1.0, f64::MAX, f64::MAX, 2.0] {
        extreme.insert(weight, weight).unwrap();
    }
    check("extreme", &extreme);
    let mut weightless = WeightedReservoir::for_k(3, 1).unwrap();
    weightless.insert(-1i64, 0.0).unwrap();
    check("weightless", &weightless);
}

#[test]
fn fingerprint() {
    let makes: [&dyn Fn(HashSpec) -> WeightedReservoir<u64>; 3] = [&make(1), &make(7), &make(50)];
    assert_fingerprint(Kind::WeightedReservoir, &makes, 0xf703_21d8_8259_b61e);
}
