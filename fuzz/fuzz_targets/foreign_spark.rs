//! Any bytes as a Count-Min sketch or a Bloom filter of Spark.
#![no_main]

use crivo_interop::{SparkBloom, SparkCountMin};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(mut sketch) = SparkCountMin::from_bytes(bytes) {
        assert_eq!(sketch.to_bytes(), bytes);
        assert!(sketch.frequency("a").upper() <= sketch.total() as f64);
        sketch.frequency(-1);
        let copy = sketch.clone();
        let _ = sketch.merge(&copy);
    }
    if let Ok(mut filter) = SparkBloom::from_bytes(bytes) {
        assert_eq!(filter.to_bytes(), bytes);
        let (text, number) = (filter.contains("a"), filter.contains(-1));
        let copy = filter.clone();
        filter.merge(&copy).unwrap();
        assert_eq!((filter.contains("a"), filter.contains(-1)), (text, number));
        assert!((0.0..=1.0).contains(&filter.fpr()));
    }
});
