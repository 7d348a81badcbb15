use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::{HashSpec, Kind, MinHash};

impl Subject for MinHash {
    super::signature_methods!();
}

fn make(k: u32) -> impl Fn(HashSpec) -> MinHash {
    move |spec| MinHash::for_slots(k).unwrap().with_hash(spec)
}

#[test]
fn files() {
    check_cases(make(128), 20, 2000);
    check("k-1", &filled(MinHash::for_slots(1).unwrap(), 10));
    check("k-200", &filled(MinHash::for_slots(200).unwrap(), 300));
    let mut ends = MinHash::for_slots(5).unwrap();
    ends.insert_hashes(&[0, 1 << 32, u64::MAX]);
    check("extreme-hashes", &ends);
}

#[test]
fn fingerprint() {
    let makes: [&dyn Fn(HashSpec) -> MinHash; 3] = [&make(1), &make(37), &make(128)];
    assert_fingerprint(Kind::MinHash, &makes, 0x6d95_ea0a_62af_64cc);
}
