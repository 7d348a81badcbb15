//! Any bytes are an error or a sketch that writes the same bytes again.

#![no_main]

use crivo::{DecodeOptions, HashSpec, decode, peek};
use libfuzzer_sys::fuzz_target;

const OPTIONS: DecodeOptions = DecodeOptions { key: Some([7; 16]), max_memory: None, accept_untagged: false };

fn check(bytes: &[u8]) {
    let _ = peek(bytes);
    if let Ok(sketch) = decode(bytes, &OPTIONS) {
        assert_eq!(sketch.encode(), bytes, "accepted, but written otherwise");
        assert!(!sketch.facts().is_empty());
    }
}

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    // No fuzzer guesses a checksum: put the right one at the end, to reach what lies behind it.
    let checksum = HashSpec::seeded(0x6368_6563_6b73_756d).hash_bytes(bytes);
    check(&[bytes, &checksum.to_le_bytes()].concat());
});
