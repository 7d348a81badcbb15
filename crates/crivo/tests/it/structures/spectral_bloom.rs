use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::membership::{SpectralBloom, SpectralParams};
use crivo::rng::Rng;
use crivo::{Estimate, HashSpec, Item, Kind};

impl Subject for SpectralBloom {
    type Answer = Estimate;
    super::common_methods!();

    fn scale(&self) -> usize {
        (self.params().counters() / u64::from(self.params().hashes())).max(1) as usize
    }

    fn see<T: Item + ?Sized>(&mut self, item: &T) {
        self.add(item, 1);
    }

    fn see_hash(&mut self, hash: u64) {
        self.add_hash(hash, 1);
    }

    fn see_hashes(&mut self, hashes: &[u64]) {
        self.add_hashes(hashes);
    }

    fn ask<T: Item + ?Sized>(&self, item: &T) -> Estimate {
        self.frequency(item)
    }

    fn ask_hash(&self, hash: u64) -> Estimate {
        self.frequency_hash(hash)
    }

    fn ask_hashes(&self, hashes: &[u64]) -> Vec<Estimate> {
        self.frequency_hashes(hashes)
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

#[test]
fn files() {
    let params = SpectralParams::exact(200, 4).unwrap();
    check_cases(|spec| SpectralBloom::with_params(params).with_hash(spec), 20, 200);
    check("minimal", &filled(SpectralBloom::with_params(params.minimal_increase()), 200));
    let mut wide = filled(SpectralBloom::with_params(params.with_counter_bits(32).unwrap()), 50);
    wide.add("often", 1 << 30);
    check("32-bit", &wide);
    wide.add("too often", u64::MAX);
    check("saturated", &wide);
    wide.remove("too often", 1).unwrap();
    check("worn", &wide);
}

#[test]
fn fingerprint() {
    let params = |counters, hashes, bits| {
        SpectralParams::exact(counters, hashes).unwrap().with_counter_bits(bits).unwrap()
    };
    let make =
        |params: SpectralParams| move |spec: HashSpec| SpectralBloom::with_params(params).with_hash(spec);
    let makes: [&dyn Fn(HashSpec) -> SpectralBloom; 4] = [
        &make(params(1, 1, 2)),
        &make(params(64, 3, 16)),
        &make(params(503, 7, 32)),
        &make(params(200, 4, 9).minimal_increase()),
    ];
    assert_fingerprint(Kind::SpectralBloom, &makes, 0xf72e_ca76_e8a8_d1cb);
}
