use super::*;
use crivo::KMinValues;

impl Subject for KMinValues {
    verbs!(insert, estimate);

    fn scale(&self) -> usize {
        self.k() as usize
    }

    fn exact_up_to(&self) -> usize {
        self.k() as usize - 1
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        let fewer = rng.below(3) as u32;
        *self = self.fold((self.k() - fewer).max(16)).unwrap();
    }
}

pub(crate) fn make(k: u32) -> impl Fn(HashSpec) -> KMinValues {
    move |spec| KMinValues::for_k(k).unwrap().with_hash(spec)
}

#[test]
fn files() {
    check("full-first", &filled(make(256)(HashSpec::default()), 256));
    check("k-16", &filled(make(16)(HashSpec::default()), 100));
    check("k-1048576", &filled(make(1 << 20)(HashSpec::default()), 100));
    let mut ends = make(16)(HashSpec::default());
    ends.insert_hashes(&[0, 1, 2, 1 << 63, u64::MAX]);
    check("extreme-hashes", &ends);
    let mut lowest = make(16)(HashSpec::default());
    lowest.insert_hashes(&(0..16).collect::<Vec<_>>());
    check("lowest-hashes", &lowest);
}
