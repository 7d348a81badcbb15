use super::Subject;
use super::lsh_index::slots_of;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::rng::Rng;
use crivo::similarity::{DistanceBloom, DistanceParams, Metric, Scheme};
use crivo::{HashSpec, Kind};

pub(crate) fn bits(
    bits: u32,
    functions: u32,
    samples: u32,
    cells: u64,
) -> impl Fn(HashSpec) -> DistanceBloom {
    let metric = Metric::Hamming { bits };
    let params = DistanceParams::exact(metric, functions, samples, functions.div_ceil(2), cells).unwrap();
    move |spec| DistanceBloom::with_params(params).with_hash(spec)
}

pub(crate) fn sets(
    slots: u32,
    functions: u32,
    samples: u32,
    cells: u64,
) -> impl Fn(HashSpec) -> DistanceBloom {
    let metric = Metric::Jaccard { scheme: Scheme::Bins, slots };
    let params = DistanceParams::exact(metric, functions, samples, functions.div_ceil(2), cells).unwrap();
    move |spec| DistanceBloom::with_params(params).with_hash(spec)
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
    super::common_methods!();
    super::by_hash_methods!();

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
    check_cases(bits(100, 10, 6, 83), 20, 100);
    check("sets", &filled(sets(20, 5, 4, 83)(HashSpec::default()), 20));
}

#[test]
fn fingerprint() {
    let makes: [&dyn Fn(HashSpec) -> DistanceBloom; 3] =
        [&bits(1, 1, 1, 1), &bits(100, 10, 6, 83), &sets(20, 5, 4, 83)];
    assert_fingerprint(Kind::DistanceBloom, &makes, 0x185f_887a_4152_0b5e);
}
