use super::de_bruijn::{bases, kmer_of};
use super::*;
use crivo::graph::ExactDeBruijn;
use crivo::graph::{KmerGraph, KmerSet};

pub(crate) fn make(k: u32) -> impl Fn(&[u64], HashSpec) -> ExactDeBruijn {
    move |hashes, spec| {
        let mut set = KmerSet::new(k).unwrap();
        for &hash in hashes {
            set.insert(kmer_of(hash, k)).unwrap();
        }
        ExactDeBruijn::freeze_with(&set, spec).unwrap()
    }
}

/// Each hash becomes a k-mer: whether it is in the graph, and its number of neighbours.
impl Frozen for ExactDeBruijn {
    type Answer = Vec<(bool, usize)>;

    fn ask_hashes(&self, hashes: &[u64]) -> Vec<(bool, usize)> {
        let ask = |&hash: &u64| {
            let kmer = kmer_of(hash, self.k());
            (self.contains(kmer), self.neighbours(kmer).count())
        };
        hashes.iter().map(ask).collect()
    }

    fn is_empty(&self) -> bool {
        self.is_empty()
    }
}

#[test]
fn files() {
    let mut genome = KmerSet::new(20).unwrap();
    genome.add_sequence(&bases(&mut Rng::new(1), 500));
    check("genome", &ExactDeBruijn::freeze(&genome).unwrap());
}
