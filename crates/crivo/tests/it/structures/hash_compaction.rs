use super::*;
use crivo::membership::{HashCompaction, HashCompactionParams};

impl Subject for HashCompaction {
    verbs!(insert, contains);

    fn scale(&self) -> usize {
        self.params().items() as usize
    }

    /// Inserts a cluster behind the last home cell.
    fn peculiar(&mut self, rng: &mut Rng) {
        let spread = rng.below(64);
        self.insert_hashes(&(0..rng.below(20)).map(|i| u64::MAX - (i << spread)).collect::<Vec<_>>());
    }
}

pub(crate) fn make(items: u64, bits: u32) -> impl Fn(HashSpec) -> HashCompaction {
    move |spec| HashCompaction::with_params(HashCompactionParams::exact(items, bits).unwrap()).with_hash(spec)
}

#[test]
fn files() {
    check("every-fingerprint", &filled(make(10, 8)(HashSpec::default()), 6000));
    check("64-bit", &filled(make(50, 64)(HashSpec::default()), 60));
    let mut crowded = make(50, 20)(HashSpec::default());
    crowded.insert_hashes(&(0..40).map(|i| u64::MAX - (i << 44)).collect::<Vec<_>>());
    check("crowded-end", &crowded);
}
