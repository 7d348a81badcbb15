use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases};
use crivo::frequency::Majority;
use crivo::rng::Rng;
use crivo::{HashSpec, Kind};

impl Subject for Majority<u64> {
    super::number_methods!();

    fn scale(&self) -> usize {
        10
    }

    /// Few different items, so that one of them often has a majority.
    fn stream(rng: &mut Rng, len: usize) -> Vec<u64> {
        (0..len).map(|_| rng.below(4) & rng.below(4)).collect()
    }
}

fn make(_: HashSpec) -> Majority<u64> {
    Majority::new()
}

#[test]
fn files() {
    check_cases(make, 20, 2000);
    let mut majority = make(HashSpec::default());
    majority.add(&7u64, 1000);
    check("surplus", &majority);
    majority.add(&7u64, u64::MAX);
    check("saturated", &majority);
    check("signed", &Majority::from_iter([-5i64, 3, -5]));
    check("text", &Majority::from_iter(["one".to_string(), "two".into(), "one".into()]));
    check("bytes", &Majority::from_iter([vec![0u8, 255], vec![], vec![0, 255]]));
}

#[test]
fn fingerprint() {
    assert_fingerprint(Kind::Majority, &[&make], 0x48cf_9f09_1e07_84bd);
}
