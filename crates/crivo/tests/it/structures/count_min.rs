use super::*;
use crivo::CountMin;
use crivo::frequency::CountMinParams;

impl Subject for CountMin {
    verbs!(add, frequency);

    fn scale(&self) -> usize {
        self.params().width() as usize
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        let count = rng.next_u64() >> rng.below(64);
        self.add_hash(rng.next_u64(), count);
    }
}

fn params(width: u64, depth: u32, bits: u32) -> CountMinParams {
    CountMinParams::exact(width, depth).unwrap().with_counter_bits(bits).unwrap()
}

pub(crate) fn make(width: u64, depth: u32, bits: u32) -> impl Fn(HashSpec) -> CountMin {
    move |spec| CountMin::with_params(params(width, depth, bits)).with_hash(spec)
}

pub(crate) fn conservative(width: u64, depth: u32, bits: u32) -> impl Fn(HashSpec) -> CountMin {
    move |spec| CountMin::with_params(params(width, depth, bits).conservative()).with_hash(spec)
}

#[test]
fn files() {
    let plain = HashSpec::default();
    let mut conservative = filled(conservative(50, 4, 32)(plain), 2000);
    check("conservative", &conservative);
    conservative.halve();
    check("halved-conservative", &conservative);
    let mut wide = filled(make(50, 4, 64)(plain), 200);
    wide.add("often", 1 << 40);
    check("64-bit", &wide);
    wide.add("too often", u64::MAX);
    check("64-bit-saturated", &wide);
    let mut narrow = filled(make(50, 4, 32)(plain), 200);
    narrow.add("too often", u64::MAX);
    check("saturated", &narrow);
    for (case, bits) in [("8-bit", 8), ("16-bit", 16)] {
        let mut sketch = filled(make(50, 4, bits)(plain), 200);
        sketch.add("often", 254);
        check(case, &sketch);
        sketch.add("too often", 1 << 20);
        check(&format!("{case}-saturated"), &sketch);
    }
    let mut halved = filled(make(50, 4, 32)(plain), 2000);
    halved.halve();
    check("halved", &halved);
    let mut merged = halved.clone();
    merged.merge(&halved).unwrap();
    merged.add("too often", 1 << 40);
    merged.halve();
    check("halved-saturated", &merged);
}
