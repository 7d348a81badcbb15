use super::*;
use crivo::cardinality::LinearCounting;

impl Subject for LinearCounting {
    verbs!(insert, estimate);

    fn scale(&self) -> usize {
        self.bits() as usize
    }

    fn exact_up_to(&self) -> usize {
        0
    }

    /// It has no operation of its own: inserts a hash at either end of the range.
    fn peculiar(&mut self, rng: &mut Rng) {
        self.insert_hash(if rng.below(2) == 0 { 0 } else { u64::MAX });
    }
}

pub(crate) fn make(bits: u64) -> impl Fn(HashSpec) -> LinearCounting {
    move |spec| LinearCounting::for_bits(bits).unwrap().with_hash(spec)
}

#[test]
fn files() {
    check("one-bit", &filled(make(1)(HashSpec::default()), 2));
    check("odd", &filled(make(77)(HashSpec::default()), 50));
    check("saturated", &filled(make(64)(HashSpec::default()), 2000));
}
