use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::rng::Rng;
use crivo::{HashSpec, KMinValues, Kind};

impl Subject for KMinValues {
    super::counter_methods!();

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

#[test]
fn files() {
    check_cases(|spec| KMinValues::for_k(256).unwrap().with_hash(spec), 100, 5000);
    check("full-first", &filled(KMinValues::for_k(256).unwrap(), 256));
    check("k-16", &filled(KMinValues::for_k(16).unwrap(), 100));
    check("k-1048576", &filled(KMinValues::for_k(1 << 20).unwrap(), 100));
    let mut ends = KMinValues::for_k(16).unwrap();
    ends.insert_hashes(&[0, 1, 2, 1 << 63, u64::MAX]);
    check("extreme-hashes", &ends);
    let mut lowest = KMinValues::for_k(16).unwrap();
    lowest.insert_hashes(&(0..16).collect::<Vec<_>>());
    check("lowest-hashes", &lowest);
}

#[test]
fn fingerprint() {
    let make = |k| move |spec: HashSpec| KMinValues::for_k(k).unwrap().with_hash(spec);
    let makes: [&dyn Fn(HashSpec) -> KMinValues; 3] = [&make(16), &make(37), &make(256)];
    assert_fingerprint(Kind::KMinValues, &makes, 0xcc83_54fd_90f5_8bc0);
}
