//! Any bytes as a KLL sketch of DataSketches.
#![no_main]

use crivo_interop::{Kll, KllItem};
use libfuzzer_sys::fuzz_target;

fn check<T: KllItem>(bytes: &[u8]) {
    let Ok(mut sketch) = Kll::<T>::from_bytes(bytes) else { return };
    assert_eq!(Kll::<T>::from_bytes(&sketch.to_bytes()).unwrap().to_bytes(), sketch.to_bytes());
    if let Some(least) = sketch.min().cloned() {
        sketch.quantile(0.5).unwrap();
        assert!(sketch.rank(&least).value() <= sketch.total() as f64);
        sketch.insert(least).unwrap();
    }
    let copy = sketch.clone();
    if sketch.merge(&copy).is_ok() {
        Kll::<T>::from_bytes(&sketch.to_bytes()).unwrap();
    }
}

fuzz_target!(|bytes: &[u8]| {
    check::<f32>(bytes);
    check::<f64>(bytes);
    check::<i32>(bytes);
    check::<i64>(bytes);
    check::<String>(bytes);
});
