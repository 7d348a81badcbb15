use super::*;
use crivo::CuckooFilter;
use crivo::membership::CuckooParams;

impl Subject for CuckooFilter {
    verbs!(insert, contains);

    fn scale(&self) -> usize {
        (self.params().most_items() / 2).max(1) as usize
    }

    fn most(&self) -> usize {
        self.params().most_items() as usize
    }

    /// Every item twice: more than four copies may find no room.
    fn stream(rng: &mut Rng, len: usize) -> Vec<u64> {
        let twice = distinct(rng, len.div_ceil(2)).repeat(2);
        shuffled(rng, &twice[..len])
    }

    /// Removes some items that are reported, and sometimes some that are certainly present.
    fn peculiar(&mut self, rng: &mut Rng) {
        for _ in 0..10 {
            let hash = rng.next_u64();
            let is_inside = self.contains_hash(hash);
            assert_eq!(self.remove_hash(hash).is_ok(), is_inside);
        }
        let hash = rng.next_u64();
        if self.insert_hash(hash).is_ok() && rng.below(2) == 0 {
            self.remove_hash(hash).unwrap();
        }
    }
}

pub(crate) fn make(windows: u64, fingerprint_bits: u32) -> impl Fn(HashSpec) -> CuckooFilter {
    let params = CuckooParams::exact(windows, fingerprint_bits).unwrap();
    move |spec| CuckooFilter::with_params(params).with_hash(spec)
}

#[test]
fn files() {
    check("wide", &filled(make(60, 28)(HashSpec::default()), 90));
    let mut full = make(6, 5)(HashSpec::default());
    while full.insert("copy").is_ok() {}
    check("overflow", &filled(full, 100));
}
