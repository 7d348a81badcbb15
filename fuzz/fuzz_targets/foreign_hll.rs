//! Any bytes as a HyperLogLog sketch of DataSketches.
#![no_main]

use crivo_interop::{Hll, Width};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(mut sketch) = Hll::from_bytes(bytes) else { return };
    let estimate = sketch.estimate();
    assert!(estimate.lower() <= estimate.value() && estimate.value() <= estimate.upper());
    for width in [Width::Four, Width::Six, Width::Eight] {
        let wide = sketch.clone().with_width(width);
        assert_eq!(Hll::from_bytes(&wide.to_bytes()).unwrap().to_bytes(), wide.to_bytes());
    }
    let copy = sketch.clone();
    sketch.merge(&copy);
    sketch.insert("another");
    Hll::from_bytes(&sketch.to_bytes()).unwrap();
});
