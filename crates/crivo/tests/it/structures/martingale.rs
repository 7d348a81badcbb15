use super::registers::check_last_sparse;
use super::*;
use crivo::cardinality::Martingale;
use crivo::{ExaLogLog, HyperLogLog};

macro_rules! martingale {
    ($make:ident, $sketch:ident) => {
        impl Subject for Martingale<$sketch> {
            verbs!(insert, estimate);

            fn scale(&self) -> usize {
                self.sketch().scale()
            }

            /// Takes the inner sketch out, and starts a new history.
            fn peculiar(&mut self, rng: &mut Rng) {
                if rng.below(4) == 0 {
                    let mut sketch = self.clone().into_sketch();
                    sketch.clear();
                    *self = Self::new(sketch).unwrap();
                }
            }
        }

        pub(crate) fn $make(precision: u8) -> impl Fn(HashSpec) -> Martingale<$sketch> {
            move |spec| Martingale::new($sketch::for_precision(precision).unwrap().with_hash(spec)).unwrap()
        }
    };
}
martingale!(make, HyperLogLog);
martingale!(make_exa, ExaLogLog);

#[test]
fn files() {
    let plain = HashSpec::default();
    check_last_sparse(make(10)(plain), 170);
    let mut saturated = make(4)(plain);
    (0..16u64).for_each(|register| {
        saturated.insert_hash(register << 60);
    });
    check("saturated", &saturated);
}

#[test]
fn exaloglog_files() {
    let mut dense = filled(make_exa(9)(HashSpec::default()), 384);
    check("exa-sparse-full", &dense);
    dense.insert("one more");
    check("exa-dense-first", &dense);
}
