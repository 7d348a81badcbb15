use super::*;
use crivo::LogQuantiles;
use crivo::quantile::LogQuantilesParams;

/// It takes numbers, not items: here numbers made from their hashes.
impl Subject for LogQuantiles {
    /// The lists of counts have room to grow, and a copy has no more than it needs.
    const MEMORY_IS_CANONICAL: bool = false;

    type Answer = Estimate;
    verbs!();

    fn scale(&self) -> usize {
        30
    }

    fn see_hash(&mut self, hash: u64) {
        unless_full(self.insert(number(hash)));
    }

    fn see_hashes(&mut self, hashes: &[u64]) {
        unless_full(self.insert_all(&hashes.iter().map(|&hash| number(hash)).collect::<Vec<_>>()));
    }

    fn ask_hash(&self, hash: u64) -> Estimate {
        self.rank(number(hash))
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        let (value, count) = (number(rng.next_u64()), rng.next_u64() >> rng.below(64));
        unless_full(self.insert_weighted(value, count));
        let before = self.clone();
        if self.remove(value, count / 2).is_err() {
            assert_eq!(self, &before, "a refused call changed something");
        }
    }
}

/// Returns a number: a zero, one of any magnitude, one below the normal ones, or, most often, one from 2⁻²⁰ to 2²⁰;
/// half of them are negative.
pub(crate) fn number(hash: u64) -> f64 {
    let (sign, fraction) = (hash & 1 << 63, hash >> 11 & ((1 << 52) - 1));
    let exponent = match hash & 31 {
        0 => return f64::from_bits(sign),
        1 => reduce(hash.rotate_left(20), 2047),
        2 => 0,
        _ => 1003 + reduce(hash.rotate_left(20), 40),
    };
    f64::from_bits(sign | exponent << 52 | fraction)
}

pub(crate) fn make(per_octave: u32, buckets: u32) -> impl Fn(HashSpec) -> LogQuantiles {
    move |_| LogQuantiles::with_params(LogQuantilesParams::exact(per_octave, buckets).unwrap())
}

#[test]
fn files() {
    let mut latencies = make(35, 64 * 35)(HashSpec::default());
    (0..500u32).for_each(|i| latencies.insert(0.001 * f64::from(i * i)).unwrap());
    check("usual", &latencies);
    latencies.insert_weighted(-2.5, u64::MAX - 500).unwrap();
    check("full", &latencies);
    latencies.remove(0.0, 1).unwrap();
    latencies.insert(1e18).unwrap();
    check("collapsed", &latencies);
}
