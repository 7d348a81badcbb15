use super::*;
use crivo::quantile::Tail;
use crivo::{Element, Number, ReqSketch};

/// It takes values, not items: here their hashes.
impl Subject for ReqSketch<u64> {
    /// The list of values grows by doubling, and a copy has no more than it needs.
    const MEMORY_IS_CANONICAL: bool = false;

    type Answer = Estimate;
    verbs!();

    /// The values of one level.
    fn scale(&self) -> usize {
        54 * self.k() as usize
    }

    fn see_hash(&mut self, hash: u64) {
        self.insert(hash).unwrap();
    }

    fn see_hashes(&mut self, hashes: &[u64]) {
        self.insert_all(hashes).unwrap();
    }

    fn ask_hash(&self, hash: u64) -> Estimate {
        self.rank(&hash)
    }

    fn apart(&self) -> Self {
        ReqSketch::with_seed(self.k(), self.tail(), self.seed() ^ 1).unwrap()
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        let count = rng.next_u64() >> (5 + rng.below(59));
        unless_full(self.insert_weighted(rng.next_u64(), count));
    }
}

pub(crate) fn make<T: Element>(k: u64, tail: Tail) -> impl Fn(HashSpec) -> ReqSketch<T> {
    move |spec| ReqSketch::with_seed(k, tail, spec.fingerprint()).unwrap()
}

pub(crate) fn high<T: Element>(k: u64) -> impl Fn(HashSpec) -> ReqSketch<T> {
    make(k, Tail::High)
}

#[test]
fn files() {
    let plain = HashSpec::default();
    let mut heavy = filled(high(4)(plain), 900);
    heavy.insert_weighted(7, 1 << 40 | 1).unwrap();
    check("weighted", &heavy);
    check("low", &filled(make::<u64>(4, Tail::Low)(plain), 2000));
    let mut merged = filled(high::<u64>(4)(HashSpec::seeded(1)), 2000);
    merged.merge(&filled(high(4)(HashSpec::seeded(2)), 900)).unwrap();
    check("merged", &merged);
    let (mut signed, mut real) = (high(4)(plain), high(4)(plain));
    let mut numbers = high(4)(plain);
    let (mut texts, mut bytes) = (high(4)(plain), high(4)(plain));
    for i in 0..300i64 {
        let i = i * 163 % 307 - 150;
        signed.insert(i).unwrap();
        real.insert(i as f64 / 8.0).unwrap();
        let large = (1i128 << (53 + i.rem_euclid(60))) + i128::from(i);
        numbers.insert(if i % 3 == 0 { Number::from(i as f64 / 8.0) } else { Number::from(large) }).unwrap();
        texts.insert(format!("value {i}")).unwrap();
        bytes.insert(i.to_be_bytes()[6..].to_vec()).unwrap();
    }
    check("signed", &signed);
    check("real", &real);
    check("numbers", &numbers);
    check("texts", &texts);
    check("bytes", &bytes);
}
