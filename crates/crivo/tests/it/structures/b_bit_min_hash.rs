use super::*;
use crivo::similarity::{BBitMinHash, Scheme};
use crivo::{MinHash, OnePermutation};

impl Frozen for BBitMinHash {
    type Answer = Estimate;

    fn ask_hashes(&self, hashes: &[u64]) -> Estimate {
        let spec = *self.hash_spec();
        let other = match self.scheme() {
            Scheme::Bins => of_bins(self.k(), self.bits())(hashes, spec),
            _ => of_functions(self.k(), self.bits())(hashes, spec),
        };
        if other.scheme() == self.scheme() { self.similarity(&other) } else { self.similarity(self) }.unwrap()
    }

    fn is_empty(&self) -> bool {
        self.is_empty()
    }
}

pub(crate) fn of_functions(k: u32, bits: u32) -> impl Fn(&[u64], HashSpec) -> BBitMinHash {
    move |hashes, spec| {
        let mut signature = MinHash::for_slots(k).unwrap().with_hash(spec);
        signature.insert_hashes(hashes);
        BBitMinHash::freeze(&signature, bits).unwrap()
    }
}

pub(crate) fn of_bins(k: u32, bits: u32) -> impl Fn(&[u64], HashSpec) -> BBitMinHash {
    move |hashes, spec| {
        let mut signature = OnePermutation::for_slots(k).unwrap().with_hash(spec);
        signature.insert_hashes(hashes);
        BBitMinHash::freeze(&signature, bits).unwrap()
    }
}

#[test]
fn files() {
    let spec = HashSpec::default();
    let hashes: Vec<u64> = (0..100).map(|i| spec.hash(&i)).collect();
    check("one-bit", &of_functions(67, 1)(&hashes, spec));
    check("sixteen-bits", &of_functions(5, 16)(&hashes, spec));
}
