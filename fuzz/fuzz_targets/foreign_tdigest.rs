//! Any bytes as a t-digest of DataSketches.
#![no_main]

use crivo_interop::TDigest;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(mut digest) = TDigest::from_bytes(bytes) else { return };
    assert_eq!(TDigest::from_bytes(&digest.to_bytes()).unwrap().to_bytes(), digest.to_bytes());
    let (Some(least), Some(greatest)) = (digest.min(), digest.max()) else { return };
    for q in [0.0, 0.001, 0.5, 0.99, 1.0] {
        let found = digest.quantile(q).unwrap();
        assert!(least <= *found.lower() && found.lower() <= found.value());
        assert!(found.value() <= found.upper() && *found.upper() <= greatest);
    }
    let copy = digest.clone();
    if digest.merge(&copy).is_ok() {
        digest.insert(1.0).unwrap();
        TDigest::from_bytes(&digest.to_bytes()).unwrap();
    }
});
