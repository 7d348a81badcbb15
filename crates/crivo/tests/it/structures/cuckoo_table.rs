use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases};
use crivo::baseline::CuckooTable;
use crivo::rng::Rng;
use crivo::{HashSpec, Kind};

impl Subject for CuckooTable {
    super::filter_methods!(super::done);

    fn scale(&self) -> usize {
        230 // where its slots double
    }

    fn exact_up_to(&self) -> usize {
        usize::MAX
    }

    /// Takes something out and something else in: the memory stays.
    fn peculiar(&mut self, rng: &mut Rng) {
        let hashes: Vec<u64> = self.iter().collect();
        if let Some(&least) = hashes.iter().min() {
            self.remove_hash(least).unwrap();
            assert!(!self.contains_hash(least) && self.insert_hash(rng.next_u64() >> 1 | 1 << 40));
        }
        // The hash that stands for an empty place.
        self.insert_hash(0);
    }
}

#[test]
fn files() {
    check_cases(|spec| CuckooTable::new().with_hash(spec), 20, 400);
    let mut zero = CuckooTable::new();
    zero.insert_hashes(&[0, u64::MAX]);
    check("ends", &zero);
}

#[test]
fn fingerprint() {
    let makes: [&dyn Fn(HashSpec) -> CuckooTable; 1] = [&|spec| CuckooTable::new().with_hash(spec)];
    assert_fingerprint(Kind::CuckooTable, &makes, 0x7296_7c90_0f89_f4c7);
}
