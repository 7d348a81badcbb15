use super::Frozen;
use crate::golden::check;
use crate::golden::frozen::{Make, assert_fingerprint, check_cases};
use crivo::similarity::{BBitMinHash, Scheme};
use crivo::{Estimate, HashSpec, Kind, MinHash, OnePermutation};

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

fn of_functions(k: u32, bits: u32) -> impl Fn(&[u64], HashSpec) -> BBitMinHash {
    move |hashes, spec| {
        let mut signature = MinHash::for_slots(k).unwrap().with_hash(spec);
        signature.insert_hashes(hashes);
        BBitMinHash::freeze(&signature, bits).unwrap()
    }
}

fn of_bins(k: u32, bits: u32) -> impl Fn(&[u64], HashSpec) -> BBitMinHash {
    move |hashes, spec| {
        let mut signature = OnePermutation::for_slots(k).unwrap().with_hash(spec);
        signature.insert_hashes(hashes);
        BBitMinHash::freeze(&signature, bits).unwrap()
    }
}

#[test]
fn files() {
    check_cases(of_bins(128, 2), 20, 2000);
    let spec = HashSpec::default();
    let hashes: Vec<u64> = (0..100).map(|i| spec.hash(&i)).collect();
    check("one-bit", &of_functions(67, 1)(&hashes, spec));
    check("sixteen-bits", &of_functions(5, 16)(&hashes, spec));
}

#[test]
fn fingerprint() {
    let makes: [Make<'_, BBitMinHash>; 4] =
        [&of_functions(1, 1), &of_functions(37, 4), &of_bins(128, 2), &of_bins(67, 16)];
    assert_fingerprint(Kind::BBitMinHash, &makes, 0x7c53_96f5_4c92_11bb);
}
