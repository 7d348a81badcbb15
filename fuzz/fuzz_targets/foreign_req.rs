//! Any bytes as a REQ sketch of any type.
#![no_main]

use crivo_interop::{KllItem, Req};
use libfuzzer_sys::fuzz_target;

fn check<T: KllItem>(bytes: &[u8], another: T) {
    let Ok(mut sketch) = Req::<T>::from_bytes(bytes) else { return };
    let again = Req::<T>::from_bytes(&sketch.to_bytes()).unwrap();
    assert_eq!(again, sketch);
    if let Ok(median) = sketch.quantile(0.5) {
        let rank = sketch.rank(median.value());
        assert!(rank.lower() <= rank.value() && rank.value() <= rank.upper());
    }
    if sketch.insert(another).is_ok() && sketch.merge(&again).is_ok() {
        Req::<T>::from_bytes(&sketch.to_bytes()).unwrap();
    }
}

fuzz_target!(|bytes: &[u8]| {
    check(bytes, 1.5f32);
    check(bytes, 1.5f64);
    check(bytes, 7i32);
});
