//! Any bytes as a HyperLogLog of Redis.
#![no_main]

use crivo_interop::RedisHll;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(mut sketch) = RedisHll::from_bytes(bytes) else { return };
    let estimate = sketch.estimate();
    assert!(estimate.lower() <= estimate.value() && estimate.value() <= estimate.upper());
    let again = RedisHll::from_bytes(&sketch.to_bytes()).unwrap();
    assert_eq!(again.to_bytes(), sketch.to_bytes());
    sketch.merge(&again);
    assert_eq!(sketch.estimate(), estimate);
    sketch.insert("another");
    RedisHll::from_bytes(&sketch.to_bytes()).unwrap();
});
