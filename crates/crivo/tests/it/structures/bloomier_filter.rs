use super::*;
use crivo::BloomierFilter;
use crivo::valued::BloomierParams;

impl Frozen for BloomierFilter {
    type Answer = Vec<Option<u64>>;

    fn ask_hashes(&self, hashes: &[u64]) -> Vec<Option<u64>> {
        self.value_hashes(hashes)
    }

    fn is_empty(&self) -> bool {
        self.is_empty()
    }
}

/// The value of a key follows from its hash.
pub(crate) fn make(value_bits: u32, check_bits: u32) -> impl Fn(&[u64], HashSpec) -> BloomierFilter {
    let params = BloomierParams::exact(value_bits, check_bits).unwrap();
    move |hashes, spec| {
        let pairs = hashes.iter().map(|&hash| (hash, hash.rotate_left(17) & params.max_value()));
        let map = BloomierFilter::freeze_hashes(pairs.clone(), params, spec).unwrap();
        assert!(pairs.clone().all(|(hash, value)| map.value_hash(hash) == Some(value)));
        map
    }
}

#[test]
fn files() {
    let spec = HashSpec::default();
    let hashes: Vec<u64> = (0..100).map(|i| spec.hash(&i)).collect();
    check("one-bit", &make(1, 0)(&hashes, spec));
    check("odd-width", &make(5, 6)(&hashes, spec));
    check("widest", &make(64, 32)(&hashes, spec));
    // Consecutive numbers, as hashes, need a second attempt.
    let weak: Vec<u64> = (0..100).collect();
    check("second-attempt", &make(8, 8)(&weak, spec));
}

/// The documented memory of construction.
#[test]
fn making_takes_40_bytes_a_key() {
    let mut rng = Rng::new(1);
    let params = BloomierParams::exact(8, 8).unwrap();
    for items in [100_000usize, 500_000] {
        let pairs: Vec<(u64, u64)> = (0..items as u64).map(|i| (rng.next_u64(), i % 256)).collect();
        let freeze = || BloomierFilter::freeze_hashes(pairs.iter().copied(), params, HashSpec::default());
        let (_, peak) = peak_of(freeze);
        assert!(peak <= 42 * items, "{items} keys: {} bytes a key", peak as f64 / items as f64);
    }
}
