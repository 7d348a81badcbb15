use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::baseline::MinimumHash;
use crivo::rng::Rng;
use crivo::{HashSpec, Kind};

impl Subject for MinimumHash {
    super::counter_methods!();

    fn scale(&self) -> usize {
        self.cells() as usize
    }

    fn exact_up_to(&self) -> usize {
        0
    }

    /// It has no operation of its own: a hash at either end of the range.
    fn peculiar(&mut self, rng: &mut Rng) {
        self.insert_hash(if rng.below(2) == 0 { 0 } else { u64::MAX });
    }
}

#[test]
fn files() {
    check_cases(|spec| MinimumHash::for_cells(64).unwrap().with_hash(spec), 20, 5000);
    check("one-cell", &filled(MinimumHash::for_cells(1).unwrap(), 100));
    check("many-cells", &filled(MinimumHash::for_cells(1024).unwrap(), 1000));
    let mut ends = MinimumHash::for_cells(16).unwrap();
    ends.insert_hashes(&[0, 1 << 60, 1 << 63 | 1, u64::MAX]);
    check("ends", &ends);
}

#[test]
fn fingerprint() {
    let make = |cells| move |spec: HashSpec| MinimumHash::for_cells(cells).unwrap().with_hash(spec);
    let makes: [&dyn Fn(HashSpec) -> MinimumHash; 4] = [&make(1), &make(16), &make(64), &make(512)];
    assert_fingerprint(Kind::MinimumHash, &makes, 0x6877_bd73_d1ec_1ad2);
}
