//! Any bytes as a HyperLogLog++ of ZetaSketch.
#![no_main]

use crivo_interop::ZetaHll;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(mut sketch) = ZetaHll::from_bytes(bytes) else { return };
    let estimate = sketch.estimate();
    assert!(estimate.lower() <= estimate.value() && estimate.value() <= estimate.upper());
    let again = ZetaHll::from_bytes(&sketch.to_bytes()).unwrap();
    assert_eq!(again, sketch);
    sketch.merge(&again).unwrap();
    ZetaHll::from_bytes(&sketch.to_bytes()).unwrap();
});
