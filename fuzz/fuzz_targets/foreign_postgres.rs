//! Any bytes as a HyperLogLog of postgresql-hll.
#![no_main]

use crivo_interop::PostgresHll;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(mut sketch) = PostgresHll::from_bytes(bytes) else { return };
    let estimate = sketch.estimate();
    assert!(estimate.lower() <= estimate.value() && estimate.value() <= estimate.upper());
    let again = PostgresHll::from_bytes(&sketch.to_bytes()).unwrap();
    assert_eq!(again, sketch);
    sketch.merge(&again).unwrap();
    sketch.insert("another");
    PostgresHll::from_bytes(&sketch.to_bytes()).unwrap();
});
