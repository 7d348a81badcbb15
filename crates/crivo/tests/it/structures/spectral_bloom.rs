use super::*;
use crivo::membership::{SpectralBloom, SpectralParams};

impl Subject for SpectralBloom {
    verbs!(add, frequency);

    fn scale(&self) -> usize {
        (self.params().counters() / u64::from(self.params().hashes())).max(1) as usize
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        let (hash, count) = (rng.next_u64() % 7, rng.next_u64() >> rng.below(64));
        self.add_hash(hash, count);
        if !self.params().is_minimal_increase() && self.total() < u64::MAX {
            // At most what the counters surely hold.
            self.remove_hash(hash, count / 2).unwrap();
        }
    }
}

fn params(counters: u64, hashes: u32, bits: u32) -> SpectralParams {
    SpectralParams::exact(counters, hashes).unwrap().with_counter_bits(bits).unwrap()
}

pub(crate) fn make(counters: u64, hashes: u32, bits: u32) -> impl Fn(HashSpec) -> SpectralBloom {
    move |spec| SpectralBloom::with_params(params(counters, hashes, bits)).with_hash(spec)
}

pub(crate) fn minimal(counters: u64, hashes: u32, bits: u32) -> impl Fn(HashSpec) -> SpectralBloom {
    move |spec| SpectralBloom::with_params(params(counters, hashes, bits).minimal_increase()).with_hash(spec)
}

#[test]
fn files() {
    let minimal = SpectralParams::exact(200, 4).unwrap().minimal_increase();
    check("minimal", &filled(SpectralBloom::with_params(minimal), 200));
    let mut wide = filled(make(200, 4, 32)(HashSpec::default()), 50);
    wide.add("often", 1 << 30);
    check("32-bit", &wide);
    wide.add("too often", u64::MAX);
    check("saturated", &wide);
    wide.remove("too often", 1).unwrap();
    check("worn", &wide);
}
