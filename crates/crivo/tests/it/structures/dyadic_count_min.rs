use super::*;
use crivo::DyadicCountMin;
use crivo::quantile::DyadicParams;

/// It takes numbers, not items: here the leading bits of their hashes.
impl Subject for DyadicCountMin<u64> {
    type Answer = Estimate;
    verbs!();

    fn scale(&self) -> usize {
        self.params().width() as usize
    }

    fn see_hash(&mut self, hash: u64) {
        unless_full(self.add(hash >> (64 - self.params().bits()), 1));
    }

    fn ask_hash(&self, hash: u64) -> Estimate {
        self.rank(&(hash >> (64 - self.params().bits()))).unwrap()
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        let value = rng.next_u64() >> (64 - self.params().bits());
        let count = rng.next_u64() >> rng.below(64);
        unless_full(self.add(value, count));
        let before = self.clone();
        if self.remove(value, count / 2).is_err() {
            assert_eq!(self, &before, "a refused call changed something");
        }
    }
}

pub(crate) fn make(bits: u32, width: u64, depth: u32) -> impl Fn(HashSpec) -> DyadicCountMin<u64> {
    move |spec| {
        DyadicCountMin::with_params(DyadicParams::exact(bits, width, depth).unwrap()).unwrap().with_hash(spec)
    }
}

#[test]
fn files() {
    check("exact", &filled(make(6, 20, 4)(HashSpec::default()), 200));
    let params = DyadicParams::exact(64, 5, 2).unwrap();
    let (mut signed, mut real) =
        (DyadicCountMin::with_params(params).unwrap(), DyadicCountMin::with_params(params).unwrap());
    for i in 0..300i64 {
        signed.add(i * i * i - 9_000_000, 1 + i as u64 % 3).unwrap();
        real.add((i - 100) as f64 / 8.0, 1).unwrap();
    }
    signed.remove(-9_000_000, 1).unwrap();
    real.add(f64::INFINITY, u64::MAX - 300).unwrap();
    check("signed", &signed);
    check("real", &real);
}
