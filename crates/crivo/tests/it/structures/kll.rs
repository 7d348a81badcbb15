use super::*;
use crivo::{Element, Kll, Number};

/// It takes values, not items: here their hashes.
impl Subject for Kll<u64> {
    /// The list of values grows by doubling, and a copy has no more than it needs.
    const MEMORY_IS_CANONICAL: bool = false;

    type Answer = Estimate;
    verbs!();

    fn scale(&self) -> usize {
        self.k() as usize
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
        Kll::with_seed(self.k(), self.seed() ^ 1).unwrap()
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        let count = rng.next_u64() >> (5 + rng.below(59));
        unless_full(self.insert_weighted(rng.next_u64(), count));
    }
}

pub(crate) fn make<T: Element>(k: u64) -> impl Fn(HashSpec) -> Kll<T> {
    move |spec| Kll::with_seed(k, spec.fingerprint()).unwrap()
}

#[test]
fn files() {
    let mut heavy = filled(make(20)(HashSpec::default()), 200);
    heavy.insert_weighted(7, 1 << 40 | 1).unwrap();
    check("weighted", &heavy);
    let mut merged = filled(make::<u64>(20)(HashSpec::seeded(1)), 400);
    merged.merge(&filled(make(20)(HashSpec::seeded(2)), 500)).unwrap();
    check("merged", &merged);
    let (mut signed, mut real) = (make(16)(HashSpec::default()), make(16)(HashSpec::default()));
    let mut numbers = make(16)(HashSpec::default());
    let (mut texts, mut bytes) = (make(16)(HashSpec::default()), make(16)(HashSpec::default()));
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
