use super::lsh_index::slots_of;
use super::*;
use crivo::similarity::{DistanceBloom, DistanceParams, Metric, Scheme};

fn make(metric: Metric, functions: u32, samples: u32, cells: u64) -> impl Fn(HashSpec) -> DistanceBloom {
    let params = DistanceParams::exact(metric, functions, samples, functions.div_ceil(2), cells).unwrap();
    move |spec| DistanceBloom::with_params(params).with_hash(spec)
}

pub(crate) fn bits(
    bits: u32,
    functions: u32,
    samples: u32,
    cells: u64,
) -> impl Fn(HashSpec) -> DistanceBloom {
    make(Metric::Hamming { bits }, functions, samples, cells)
}

pub(crate) fn sets(
    slots: u32,
    functions: u32,
    samples: u32,
    cells: u64,
) -> impl Fn(HashSpec) -> DistanceBloom {
    make(Metric::Jaccard { scheme: Scheme::Bins, slots }, functions, samples, cells)
}

/// A bit string of this hash.
fn words_of(hash: u64, bits: u32) -> Vec<u64> {
    let mut rng = Rng::new(hash);
    let mut words: Vec<u64> = (0..bits.div_ceil(64)).map(|_| rng.next_u64()).collect();
    if !bits.is_multiple_of(64) {
        *words.last_mut().unwrap() >>= 64 - bits % 64;
    }
    words
}

/// A bit string, or the slots of a set, is made of its hash.
impl Subject for DistanceBloom {
    type Answer = bool;
    verbs!();

    fn scale(&self) -> usize {
        20
    }

    fn see_hash(&mut self, hash: u64) {
        let was_close = self.ask_hash(hash);
        let told = match self.params().metric() {
            Metric::Hamming { bits } => self.insert_bits(&words_of(hash, bits)),
            Metric::Jaccard { slots, .. } => self.insert_slots(&slots_of(hash, slots as usize)),
            _ => unreachable!(),
        };
        assert_eq!(told.unwrap(), was_close);
        assert!(self.ask_hash(hash), "what was inserted is close");
    }

    fn ask_hash(&self, hash: u64) -> bool {
        match self.params().metric() {
            Metric::Hamming { bits } => self.contains_bits(&words_of(hash, bits)).unwrap(),
            Metric::Jaccard { slots, .. } => self.contains_slots(&slots_of(hash, slots as usize)).unwrap(),
            _ => unreachable!(),
        }
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        self.see_hash(rng.next_u64());
    }
}

#[test]
fn files() {
    check("sets", &filled(sets(20, 5, 4, 83)(HashSpec::default()), 20));
}
