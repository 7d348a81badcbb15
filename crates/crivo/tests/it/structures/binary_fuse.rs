use super::*;
use crivo::BinaryFuse;
use crivo::membership::BinaryFuseParams;

impl Frozen for BinaryFuse {
    type Answer = Vec<bool>;

    fn ask_hashes(&self, hashes: &[u64]) -> Vec<bool> {
        self.contains_hashes(hashes)
    }

    fn is_empty(&self) -> bool {
        self.is_empty()
    }
}

impl FrozenFilter for BinaryFuse {
    fn contains<T: Item + ?Sized>(&self, item: &T) -> bool {
        self.contains(item)
    }
}

pub(crate) fn make(width: u32) -> impl Fn(&[u64], HashSpec) -> BinaryFuse {
    let params = BinaryFuseParams::with_width(width).unwrap();
    move |hashes, spec| BinaryFuse::freeze_hashes(hashes.iter().copied(), params, spec).unwrap()
}

#[test]
fn files() {
    let spec = HashSpec::default();
    let hashes: Vec<u64> = (0..100).map(|i| spec.hash(&i)).collect();
    check("one-bit", &make(1)(&hashes, spec));
    check("odd-width", &make(11)(&hashes, spec));
    // Consecutive numbers, as hashes, need a second attempt.
    let weak: Vec<u64> = (0..100).collect();
    check("second-attempt", &make(8)(&weak, spec));
}

/// The documented memory of construction.
#[test]
fn making_takes_24_bytes_an_item() {
    let mut rng = Rng::new(1);
    for items in [100_000usize, 500_000] {
        for width in [8, 32] {
            let hashes: Vec<u64> = (0..items).map(|_| rng.next_u64()).collect();
            let (_, peak) = peak_of(|| make(width)(&hashes, HashSpec::default()));
            assert!(peak <= 24 * items, "{items} items: {} bytes an item", peak as f64 / items as f64);
        }
    }
}
