use super::{Subject, distinct, shuffled, unless_full};
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::membership::CuckooParams;
use crivo::rng::Rng;
use crivo::{CuckooFilter, HashSpec, Kind};

impl Subject for CuckooFilter {
    super::filter_methods!(unless_full);

    fn scale(&self) -> usize {
        (self.params().most_items() / 2).max(1) as usize
    }

    fn most(&self) -> usize {
        self.params().most_items() as usize
    }

    /// Every item twice: more copies than four may find no room.
    fn stream(rng: &mut Rng, len: usize) -> Vec<u64> {
        let twice = distinct(rng, len.div_ceil(2)).repeat(2);
        shuffled(rng, &twice[..len])
    }

    /// Removes some of what seems to be inside, and sometimes what surely is.
    fn peculiar(&mut self, rng: &mut Rng) {
        for _ in 0..10 {
            let hash = rng.next_u64();
            let is_inside = self.contains_hash(hash);
            assert_eq!(self.remove_hash(hash).is_ok(), is_inside);
        }
        let hash = rng.next_u64();
        if self.insert_hash(hash).is_ok() && rng.below(2) == 0 {
            self.remove_hash(hash).unwrap();
        }
    }
}

#[test]
fn files() {
    check_cases(
        |spec| CuckooFilter::with_params(CuckooParams::for_fpr(200, 0.01).unwrap()).with_hash(spec),
        20,
        200,
    );
    check("wide", &filled(CuckooFilter::with_params(CuckooParams::exact(60, 28).unwrap()), 90));
    let mut full = CuckooFilter::with_params(CuckooParams::exact(6, 5).unwrap());
    while full.insert("copy").is_ok() {}
    check("overflow", &filled(full, 100));
}

#[test]
fn fingerprint() {
    let make = |windows, fingerprint_bits| {
        move |spec: HashSpec| {
            CuckooFilter::with_params(CuckooParams::exact(windows, fingerprint_bits).unwrap()).with_hash(spec)
        }
    };
    let makes: [&dyn Fn(HashSpec) -> CuckooFilter; 4] =
        [&make(2, 4), &make(10, 9), &make(150, 12), &make(1002, 28)];
    assert_fingerprint(Kind::CuckooFilter, &makes, 0xbc21_207f_db7e_2c7c);
}
