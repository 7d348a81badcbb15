//! Any bytes as a Puffin file of Iceberg.
#![no_main]

use crivo_interop::Puffin;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(mut file) = Puffin::from_bytes(bytes) else { return };
    let again = Puffin::from_bytes(&file.to_bytes()).unwrap();
    assert_eq!(again.columns().collect::<Vec<_>>(), file.columns().collect::<Vec<_>>());
    if file.merge(&again).is_ok() {
        Puffin::from_bytes(&file.to_bytes()).unwrap();
    }
});
