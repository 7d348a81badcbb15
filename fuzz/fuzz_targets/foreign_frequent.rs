//! Any bytes as a sketch of frequent items of DataSketches.
#![no_main]

use crivo_interop::{Frequent, FrequentItem};
use libfuzzer_sys::fuzz_target;

fn check<T: FrequentItem>(bytes: &[u8]) {
    let Ok(mut sketch) = Frequent::<T>::from_bytes(bytes) else { return };
    assert_eq!(sketch.to_bytes(), bytes);
    for (item, count) in sketch.top() {
        assert_eq!(sketch.frequency(item), count);
        assert!(count.upper() <= sketch.total() as f64);
    }
    let copy = sketch.clone();
    if sketch.merge(&copy).is_ok() {
        assert_eq!(Frequent::<T>::from_bytes(&sketch.to_bytes()).unwrap(), sketch);
    }
}

fuzz_target!(|bytes: &[u8]| {
    check::<i64>(bytes);
    check::<String>(bytes);
});
