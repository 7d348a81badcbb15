use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::frequency::CountMinParams;
use crivo::rng::Rng;
use crivo::{CountMin, Estimate, HashSpec, Item, Kind};

impl Subject for CountMin {
    type Answer = Estimate;
    super::common_methods!();

    fn scale(&self) -> usize {
        self.params().width() as usize
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
        let count = rng.next_u64() >> rng.below(64);
        self.add_hash(rng.next_u64(), count);
    }
}

#[test]
fn files() {
    let params = CountMinParams::exact(50, 4).unwrap();
    check_cases(|spec| CountMin::with_params(params).with_hash(spec), 20, 2000);
    check("conservative", &filled(CountMin::with_params(params.conservative()), 2000));
    let mut wide = filled(CountMin::with_params(params.with_counter_bits(64).unwrap()), 200);
    wide.add("often", 1 << 40);
    check("64-bit", &wide);
    wide.add("too often", u64::MAX);
    check("64-bit-saturated", &wide);
    let mut narrow = filled(CountMin::with_params(params), 200);
    narrow.add("too often", u64::MAX);
    check("saturated", &narrow);
    for (case, bits) in [("8-bit", 8), ("16-bit", 16)] {
        let mut sketch = filled(CountMin::with_params(params.with_counter_bits(bits).unwrap()), 200);
        sketch.add("often", 254);
        check(case, &sketch);
        sketch.add("too often", 1 << 20);
        check(&format!("{case}-saturated"), &sketch);
    }
    let mut halved = filled(CountMin::with_params(params), 2000);
    halved.halve();
    check("halved", &halved);
    let mut merged = halved.clone();
    merged.merge(&halved).unwrap();
    merged.add("too often", 1 << 40);
    merged.halve();
    check("halved-saturated", &merged);
    let mut conservative = filled(CountMin::with_params(params.conservative()), 2000);
    conservative.halve();
    check("halved-conservative", &conservative);
}

fn make(width: u64, depth: u32, bits: u32) -> impl Fn(HashSpec) -> CountMin {
    let params = CountMinParams::exact(width, depth).unwrap().with_counter_bits(bits).unwrap();
    move |spec| CountMin::with_params(params).with_hash(spec)
}

#[test]
fn fingerprint_of_narrow_counters() {
    let makes: [&dyn Fn(HashSpec) -> CountMin; 2] = [&make(50, 3, 8), &make(21, 2, 16)];
    assert_fingerprint(Kind::CountMin, &makes, 0x4c21_981e_a257_fc5a);
}

#[test]
fn fingerprint() {
    let conservative = |spec: HashSpec| {
        CountMin::with_params(CountMinParams::exact(40, 3).unwrap().conservative()).with_hash(spec)
    };
    let makes: [&dyn Fn(HashSpec) -> CountMin; 4] =
        [&make(1, 1, 32), &make(50, 5, 32), &make(64, 2, 64), &conservative];
    assert_fingerprint(Kind::CountMin, &makes, 0x101e_8b33_0ae8_2421);
}
