//! Any bytes as a HyperLogLog that Snowflake has exported.
#![no_main]

use crivo_interop::SnowflakeHll;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(mut sketch) = SnowflakeHll::from_json(bytes) else { return };
    let estimate = sketch.estimate();
    assert!(estimate.lower() <= estimate.value() && estimate.value() <= estimate.upper());
    let again = SnowflakeHll::from_json(sketch.to_json().as_bytes()).unwrap();
    assert_eq!(again, sketch);
    sketch.merge(&again).unwrap();
    assert_eq!(sketch.estimate(), estimate);
    SnowflakeHll::from_json(sketch.to_json().as_bytes()).unwrap();
});
