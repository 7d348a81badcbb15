use super::*;
use crivo::HammingIndex;
use crivo::similarity::HammingParams;

/// A few patterns with a few flipped bits, so that documents are near each other. The fingerprint follows from the id.
fn fingerprint_of(id: u64) -> u64 {
    let mut rng = Rng::new(id);
    let pattern = (id % 5).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (0..rng.below(12)).fold(pattern, |fingerprint, _| fingerprint ^ 1 << rng.below(64))
}

/// It takes documents: here the hashes of items are their ids. An existing id is kept.
impl Subject for HammingIndex {
    const MEMORY_IS_CANONICAL: bool = false;
    type Answer = Vec<(u64, u32)>;
    verbs!();

    fn scale(&self) -> usize {
        40
    }

    fn see_hash(&mut self, hash: u64) {
        if self.fingerprint(hash).is_none() {
            self.insert(hash, fingerprint_of(hash)).unwrap();
        }
    }

    fn ask_hash(&self, hash: u64) -> Self::Answer {
        self.similar(fingerprint_of(hash))
    }

    /// Removes one of the documents, the same one in equal indexes.
    fn peculiar(&mut self, rng: &mut Rng) {
        let mut ids: Vec<u64> = self.iter().map(|(id, _)| id).collect();
        ids.sort_unstable();
        if !ids.is_empty() {
            self.remove(ids[rng.below(ids.len() as u64) as usize]).unwrap();
        }
    }
}

pub(crate) fn make(distance: u32, blocks: u32) -> impl Fn(HashSpec) -> HammingIndex {
    move |_| HammingIndex::with_params(HammingParams::exact(distance, blocks).unwrap())
}

#[test]
fn files() {
    let plain = HashSpec::default();
    check("scan", &filled(make(64, 0)(plain), 10));
    check("eight-blocks", &filled(make(20, 8)(plain), 10));
    let mut ends = make(0, 1)(plain);
    for id in [0, 1, 1 << 63, u64::MAX] {
        ends.insert(id, !id).unwrap();
    }
    check("extreme-ids", &ends);
}
