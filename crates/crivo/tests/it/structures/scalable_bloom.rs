use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::membership::ScalableParams;
use crivo::rng::Rng;
use crivo::{HashSpec, Kind, ScalableBloom};

impl Subject for ScalableBloom {
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
        let mut other = ScalableBloom::with_params(self.params()).with_hash(*self.hash_spec());
        other.extend((0..items).map(|_| rng.next_u64()));
        self.merge(&other).unwrap();
    }
}

#[test]
fn files() {
    check_cases(
        |spec| ScalableBloom::with_params(ScalableParams::for_fpr(50, 0.01).unwrap()).with_hash(spec),
        20,
        400,
    );
    let wide = ScalableParams::exact(7, 0.1, 4, 0.5).unwrap();
    check("wide-growth", &filled(ScalableBloom::with_params(wide), 300));
    let mut merged = filled(ScalableBloom::for_fpr(20, 0.05).unwrap(), 90);
    let mut other = ScalableBloom::for_fpr(20, 0.05).unwrap();
    other.extend(1000..1050u64);
    merged.merge(&other).unwrap();
    check("merged", &merged);
}

#[test]
fn fingerprint() {
    let make = |items, fpr| {
        move |spec: HashSpec| {
            ScalableBloom::with_params(ScalableParams::for_fpr(items, fpr).unwrap()).with_hash(spec)
        }
    };
    let wide = |spec: HashSpec| {
        ScalableBloom::with_params(ScalableParams::exact(7, 0.1, 4, 0.5).unwrap()).with_hash(spec)
    };
    let makes: [&dyn Fn(HashSpec) -> ScalableBloom; 4] =
        [&make(1, 0.5), &make(10, 0.01), &make(100, 1e-6), &wide];
    assert_fingerprint(Kind::ScalableBloom, &makes, 0xd16d_2c09_6b70_fb51);
}
