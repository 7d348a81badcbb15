use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::membership::{DynamicBloom, DynamicParams};
use crivo::rng::Rng;
use crivo::{HashSpec, Kind};

impl Subject for DynamicBloom {
    super::filter_methods!(super::done);

    fn scale(&self) -> usize {
        self.params().capacity() as usize
    }

    fn fpr_limit(&self) -> f64 {
        self.fpr_limit()
    }

    /// A merge with a filter of as many layers: some join, some stand side by side.
    fn peculiar(&mut self, rng: &mut Rng) {
        let items = self.params().capacity() * rng.below(4);
        let mut other = DynamicBloom::with_params(self.params()).with_hash(*self.hash_spec());
        other.extend((0..items).map(|_| rng.next_u64()));
        self.merge(&other).unwrap();
    }
}

#[test]
fn files() {
    check_cases(
        |spec| DynamicBloom::with_params(DynamicParams::for_fpr(50, 0.01).unwrap()).with_hash(spec),
        20,
        400,
    );
    let mut merged = filled(DynamicBloom::for_fpr(20, 0.05).unwrap(), 90);
    let mut other = DynamicBloom::for_fpr(20, 0.05).unwrap();
    other.extend(1000..1050u64);
    merged.merge(&other).unwrap();
    check("merged", &merged);
}

#[test]
fn fingerprint() {
    let make = |items, fpr| {
        move |spec: HashSpec| {
            DynamicBloom::with_params(DynamicParams::for_fpr(items, fpr).unwrap()).with_hash(spec)
        }
    };
    let makes: [&dyn Fn(HashSpec) -> DynamicBloom; 3] = [&make(1, 0.5), &make(10, 0.01), &make(100, 1e-6)];
    assert_fingerprint(Kind::DynamicBloom, &makes, 0x1295_ff86_afd3_cac1);
}
