//! Any bytes as a Count-Min sketch or a Bloom filter of DataSketches.
#![no_main]

use crivo_interop::{Bloom, CountMin};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(mut sketch) = CountMin::from_bytes(bytes) {
        assert_eq!(sketch.to_bytes(), bytes);
        let found = sketch.frequency("a");
        assert!(found.lower() <= found.value() && found.value() == found.upper());
        let copy = sketch.clone();
        if sketch.merge(&copy).is_ok() && bytes.len() > 16 && sketch.add("a", 1).is_ok() {
            CountMin::from_bytes(&sketch.to_bytes()).unwrap();
        }
    }
    if let Ok(mut filter) = Bloom::from_bytes(bytes) {
        assert_eq!(filter.to_bytes(), bytes);
        let is_in = filter.contains("a");
        let copy = filter.clone();
        filter.merge(&copy).unwrap();
        assert_eq!(filter.contains("a"), is_in);
        assert!((0.0..=1.0).contains(&filter.fpr()));
        // The empty form of a few bytes stands for up to 16 GiB.
        if bytes.len() > 24 {
            filter.insert("a");
            assert!(Bloom::from_bytes(&filter.to_bytes()).unwrap().contains("a"));
        }
    }
});
