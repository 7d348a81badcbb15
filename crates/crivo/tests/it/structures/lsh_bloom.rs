use super::lsh_index::slots_of;
use super::*;
use crivo::BloomParams;
use crivo::similarity::{LshBloom, LshBloomParams, LshParams, Scheme};

pub(crate) fn make(bands: u32, rows: u32, bits: u64, hashes: u32) -> impl Fn(HashSpec) -> LshBloom {
    let bands = LshParams::exact(bands, rows).unwrap();
    let params = LshBloomParams::exact(bands, BloomParams::exact(bits, hashes).unwrap()).unwrap();
    move |spec| LshBloom::with_scheme(params, Scheme::Functions, bands.slots() as usize, spec).unwrap()
}

/// A set is made of its hash.
impl Subject for LshBloom {
    type Answer = bool;
    verbs!();

    fn scale(&self) -> usize {
        20
    }

    fn see_hash(&mut self, hash: u64) {
        let slots = slots_of(hash, self.signature_slots());
        let was_there = self.contains_slots(&slots).unwrap();
        assert_eq!(self.insert_slots(&slots).unwrap(), was_there);
        assert!(self.contains_slots(&slots).unwrap());
    }

    fn ask_hash(&self, hash: u64) -> bool {
        self.contains_slots(&slots_of(hash, self.signature_slots())).unwrap()
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        self.insert_slots(&vec![rng.next_u64() as u32; self.signature_slots()]).unwrap();
    }
}
