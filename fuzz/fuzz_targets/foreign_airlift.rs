//! Any bytes as a HyperLogLog of airlift.
#![no_main]

use crivo_interop::AirliftHll;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(mut sketch) = AirliftHll::from_bytes(bytes) else { return };
    let estimate = sketch.estimate();
    assert!(estimate.lower() <= estimate.value() && estimate.value() <= estimate.upper());
    let again = AirliftHll::from_bytes(&sketch.to_bytes()).unwrap();
    assert_eq!(again, sketch);
    sketch.insert("another");
    AirliftHll::from_bytes(&sketch.to_bytes()).unwrap();
    sketch.merge(&again).unwrap();
    AirliftHll::from_bytes(&sketch.to_bytes()).unwrap();
});
