use super::{Subject, unless_full};
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::membership::QuotientParams;
use crivo::rng::Rng;
use crivo::{HashSpec, Kind, QuotientFilter};

impl Subject for QuotientFilter {
    super::filter_methods!(unless_full);

    fn scale(&self) -> usize {
        self.params().capacity() as usize
    }

    fn most(&self) -> usize {
        self.params().capacity() as usize
    }

    /// Takes out what may be inside, or makes room.
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

fn make(quotients: u64, remainder_bits: u32) -> impl Fn(HashSpec) -> QuotientFilter {
    move |spec| {
        QuotientFilter::with_params(QuotientParams::exact(quotients, remainder_bits).unwrap()).with_hash(spec)
    }
}

#[test]
fn files() {
    check_cases(make(448, 7), 20, 400);
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

#[test]
fn fingerprint() {
    let makes: [&dyn Fn(HashSpec) -> QuotientFilter; 4] =
        [&make(1, 12), &make(67, 3), &make(300, 51), &make(1000, 7)];
    assert_fingerprint(Kind::QuotientFilter, &makes, 0x58a5_999c_1c23_1bfa);
}
