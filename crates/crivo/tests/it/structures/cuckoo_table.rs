use super::*;
use crivo::baseline::CuckooTable;

impl Subject for CuckooTable {
    verbs!(insert, contains);

    fn scale(&self) -> usize {
        230 // where its slots double
    }

    fn exact_up_to(&self) -> usize {
        usize::MAX
    }

    /// Removes an item and inserts another: the memory does not change.
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

pub(crate) fn make(spec: HashSpec) -> CuckooTable {
    CuckooTable::new().with_hash(spec)
}

#[test]
fn files() {
    let mut zero = CuckooTable::new();
    zero.insert_hashes(&[0, u64::MAX]);
    check("ends", &zero);
}
