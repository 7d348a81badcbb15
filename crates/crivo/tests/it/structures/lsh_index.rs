use super::*;
use crivo::LshIndex;
use crivo::similarity::{LshParams, Scheme};

/// Slots of few values, so that sets share bands.
pub(crate) fn slots_of(hash: u64, count: usize) -> Vec<u32> {
    let mut rng = Rng::new(hash);
    (0..count).map(|_| rng.below(4) as u32).collect()
}

pub(crate) fn make(bands: u32, rows: u32, slots: usize) -> impl Fn(HashSpec) -> LshIndex {
    let params = LshParams::exact(bands, rows).unwrap();
    move |spec| LshIndex::with_scheme(params, Scheme::Bins, slots, spec).unwrap()
}

/// A set is made of its hash, which is its id as well.
impl Subject for LshIndex {
    const MEMORY_IS_CANONICAL: bool = false;
    type Answer = Vec<u64>;
    verbs!();

    fn scale(&self) -> usize {
        20
    }

    fn see_hash(&mut self, hash: u64) {
        if !self.contains(hash) {
            self.insert_slots(hash, &slots_of(hash, self.signature_slots())).unwrap();
        }
    }

    fn ask_hash(&self, hash: u64) -> Vec<u64> {
        self.candidates_of_slots(&slots_of(hash, self.signature_slots())).unwrap()
    }

    /// Removes the lowest id.
    fn peculiar(&mut self, _: &mut Rng) {
        if let Some(id) = self.ids().min() {
            self.remove(id).unwrap();
            assert!(!self.contains(id));
        }
    }
}

#[test]
fn files() {
    let mut ends = make(1, 1, 3)(HashSpec::default());
    ends.insert_slots(0, &[0; 3]).unwrap();
    ends.insert_slots(u64::MAX, &[u32::MAX; 3]).unwrap();
    check("ends", &ends);
    let functions = LshParams::exact(2, 3).unwrap();
    let functions = LshIndex::with_scheme(functions, Scheme::Functions, 6, HashSpec::default()).unwrap();
    check("functions", &functions.having_seen(&[1, 2, 3]));
}
