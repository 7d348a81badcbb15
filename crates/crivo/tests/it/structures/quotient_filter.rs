use super::*;
use crivo::QuotientFilter;
use crivo::membership::QuotientParams;

impl Subject for QuotientFilter {
    verbs!(insert, contains);

    fn scale(&self) -> usize {
        self.params().capacity() as usize
    }

    fn most(&self) -> usize {
        self.params().capacity() as usize
    }

    /// Removes an item that may be present, or grows.
    fn peculiar(&mut self, rng: &mut Rng) {
        for _ in 0..=rng.below(100) {
            let hash = rng.next_u64();
            assert_eq!(self.contains_hash(hash), self.remove_hash(hash).is_ok());
        }
        if rng.below(4) == 0 && self.params().quotients() < 2000 && self.params().remainder_bits() > 1 {
            self.grow().unwrap();
        }
    }
}

pub(crate) fn make(quotients: u64, remainder_bits: u32) -> impl Fn(HashSpec) -> QuotientFilter {
    move |spec| {
        QuotientFilter::with_params(QuotientParams::exact(quotients, remainder_bits).unwrap()).with_hash(spec)
    }
}

#[test]
fn files() {
    check("odd-size", &filled(make(67, 3)(HashSpec::default()), 100));
    let mut crowded = make(200, 51)(HashSpec::default());
    for _ in 0..100 {
        crowded.insert_hash(u64::MAX).unwrap();
        crowded.insert("copy").unwrap();
    }
    check("copies", &crowded);
    let mut grown = filled(make(100, 10)(HashSpec::default()), 100);
    grown.grow().unwrap();
    check("grown", &filled(grown, 100));
}
