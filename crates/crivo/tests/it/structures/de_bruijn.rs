use super::*;
use crivo::graph::KmerGraph;
use crivo::graph::{DeBruijnParams, Kmer};
use crivo::{BloomParams, DeBruijn};

pub(crate) fn make(k: u32, bits: u64, hashes: u32) -> impl Fn(HashSpec) -> DeBruijn {
    let params = DeBruijnParams::exact(k, BloomParams::exact(bits, hashes).unwrap()).unwrap();
    move |spec| DeBruijn::with_params(params).with_hash(spec)
}

pub(crate) fn bases(rng: &mut Rng, count: usize) -> Vec<u8> {
    (0..count).map(|_| b"ACGT"[rng.below(4) as usize]).collect()
}

/// A k-mer that is made of a hash.
pub(crate) fn kmer_of(hash: u64, k: u32) -> Kmer {
    Kmer::from_bases(&bases(&mut Rng::new(hash), k as usize)).unwrap()
}

impl Subject for DeBruijn {
    type Answer = bool;
    verbs!();

    fn scale(&self) -> usize {
        20
    }

    fn see_hash(&mut self, hash: u64) {
        let kmer = kmer_of(hash, self.k());
        let was_there = self.contains(kmer);
        assert_eq!(self.insert(kmer).unwrap(), !was_there);
        assert!(self.contains(kmer) && self.contains(kmer.reverse_complement()));
    }

    fn ask_hash(&self, hash: u64) -> bool {
        self.contains(kmer_of(hash, self.k()))
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        let length = rng.below(100) as usize;
        self.add_sequence(&bases(rng, length));
    }
}
