use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::rng::Rng;
use crivo::{Element, Estimate, HashSpec, Item, Kind, Reservoir};

/// It takes elements, not items: here made from their hashes.
macro_rules! samples {
    ($element:ty, $of_hash:expr) => {
        impl Subject for Reservoir<$element> {
            const MEMORY_IS_CANONICAL: bool = false;
            type Answer = Estimate;
            super::common_methods!();

            fn scale(&self) -> usize {
                self.k() as usize
            }

            fn see<T: Item + ?Sized>(&mut self, item: &T) {
                self.see_hash(self.spec().hash(item));
            }

            fn see_hash(&mut self, hash: u64) {
                self.insert($of_hash(hash));
            }

            fn see_hashes(&mut self, hashes: &[u64]) {
                self.extend(hashes.iter().map(|&hash| $of_hash(hash)));
            }

            fn ask<T: Item + ?Sized>(&self, item: &T) -> Estimate {
                self.ask_hash(self.spec().hash(item))
            }

            fn ask_hash(&self, hash: u64) -> Estimate {
                self.estimate_if(|element| *element == $of_hash(hash))
            }

            fn ask_hashes(&self, hashes: &[u64]) -> Vec<Estimate> {
                hashes.iter().map(|&hash| self.ask_hash(hash)).collect()
            }

            fn apart(&self) -> Self {
                Reservoir::for_k(self.k(), self.seed().wrapping_add(1)).unwrap()
            }

            fn peculiar(&mut self, rng: &mut Rng) {
                self.advance(self.skip() / (1 + rng.below(3))).unwrap();
                self.insert_with(|| $of_hash(rng.next_u64()));
            }
        }
    };
}
samples!(u64, |hash: u64| hash);
samples!(String, |hash: u64| hash.to_string());

fn make<T: Element>(k: u32) -> impl Fn(HashSpec) -> Reservoir<T> {
    move |spec| Reservoir::for_k(k, spec.fingerprint()).unwrap()
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

#[test]
fn fingerprint() {
    let makes: [&dyn Fn(HashSpec) -> Reservoir<u64>; 3] = [&make(1), &make(7), &make(50)];
    assert_fingerprint(Kind::Reservoir, &makes, 0x9b3c_151f_d299_9131);
}
