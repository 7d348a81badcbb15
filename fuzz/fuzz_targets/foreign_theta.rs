//! Any bytes as a theta sketch of DataSketches.
#![no_main]

use crivo_interop::Theta;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(sketch) = Theta::from_bytes(bytes) else { return };
    let estimate = sketch.estimate();
    assert!(estimate.lower() <= estimate.value() && estimate.value() <= estimate.upper());
    for written in [sketch.to_bytes(), sketch.to_compact_bytes()] {
        assert_eq!(Theta::from_bytes(&written).unwrap().hashes(), sketch.hashes());
    }
    let union = Theta::union([&sketch, &sketch], 26).unwrap();
    assert_eq!(union.estimate(), estimate);
    assert!(sketch.difference(&sketch).unwrap().hashes().is_empty());
    assert_eq!(sketch.intersection(&sketch).unwrap().estimate(), estimate);
    sketch.similarity(&sketch).unwrap();
});
