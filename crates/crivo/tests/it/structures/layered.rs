//! Filters that grow by layers.

use super::*;
use crivo::ScalableBloom;
use crivo::membership::{DynamicBloom, DynamicParams, ScalableParams};

macro_rules! layered {
    ($filter:ident) => {
        impl Subject for $filter {
            verbs!(insert, contains);

            fn scale(&self) -> usize {
                self.params().capacity() as usize
            }

            fn fpr_limit(&self) -> f64 {
                self.fpr_limit()
            }

            /// Merges a filter with as many layers: some are joined, some stay separate.
            fn peculiar(&mut self, rng: &mut Rng) {
                let items = self.params().capacity() * rng.below(4);
                let mut other = self.emptied();
                other.extend((0..items).map(|_| rng.next_u64()));
                self.merge(&other).unwrap();
            }
        }
    };
}
layered!(DynamicBloom);
layered!(ScalableBloom);

pub(crate) fn dynamic(items: u64, fpr: f64) -> impl Fn(HashSpec) -> DynamicBloom {
    move |spec| DynamicBloom::with_params(DynamicParams::for_fpr(items, fpr).unwrap()).with_hash(spec)
}

pub(crate) fn scalable(items: u64, fpr: f64) -> impl Fn(HashSpec) -> ScalableBloom {
    move |spec| ScalableBloom::with_params(ScalableParams::for_fpr(items, fpr).unwrap()).with_hash(spec)
}

pub(crate) fn growing(
    items: u64,
    fpr: f64,
    growth: u32,
    tightening: f64,
) -> impl Fn(HashSpec) -> ScalableBloom {
    let params = ScalableParams::exact(items, fpr, growth, tightening).unwrap();
    move |spec| ScalableBloom::with_params(params).with_hash(spec)
}

fn check_merged<S: Subject>(empty: S) {
    let other = empty.clone().having_seen(&(1000..1050).collect::<Vec<_>>());
    check("merged", &filled(empty, 90).merged_with(&other));
}

#[test]
fn files() {
    check_merged(dynamic(20, 0.05)(HashSpec::default()));
    check_merged(scalable(20, 0.05)(HashSpec::default()));
    check("wide-growth", &filled(growing(7, 0.1, 4, 0.5)(HashSpec::default()), 300));
}
