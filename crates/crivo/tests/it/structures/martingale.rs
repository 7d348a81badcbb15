use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::rng::Rng;
use crivo::{HashSpec, HyperLogLog, Kind, Martingale};

impl Subject for Martingale<HyperLogLog> {
    super::counter_methods!();

    fn scale(&self) -> usize {
        self.sketch().scale()
    }

    /// The sketch inside goes, and a new history begins.
    fn peculiar(&mut self, rng: &mut Rng) {
        if rng.below(4) == 0 {
            let mut sketch = self.clone().into_sketch();
            sketch.clear();
            *self = Self::new(sketch).unwrap();
        }
    }
}

fn make(precision: u8) -> impl Fn(HashSpec) -> Martingale<HyperLogLog> {
    move |spec| Martingale::new(HyperLogLog::with_spec(precision, spec).unwrap()).unwrap()
}

#[test]
fn files() {
    check_cases(make(10), 100, 5000);
    let plain = HashSpec::default();
    check("sparse-full", &filled(make(10)(plain), 170));
    let mut dense = filled(make(10)(plain), 170);
    dense.insert("one more");
    check("dense-first", &dense);
    let mut saturated = make(4)(plain);
    (0..16u64).for_each(|register| {
        saturated.insert_hash(register << 60);
    });
    check("saturated", &saturated);
}

#[test]
fn fingerprint() {
    let makes: [&dyn Fn(HashSpec) -> Martingale<HyperLogLog>; 3] = [&make(4), &make(7), &make(10)];
    assert_fingerprint(Kind::MartingaleHyperLogLog, &makes, 0xd4d3_65fd_0308_6b7b);
}
