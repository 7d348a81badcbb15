//! Any bytes give an error or a sketch, which writes the same bytes again, merges with itself and answers. The fuzzer's time
//! limit finds inputs that take long for their length.

#![no_main]

use crivo::sketch::Sketch;
use crivo::{DecodeOptions, Estimate, HashSpec, HyperLogLog, decode, peek};
use libfuzzer_sys::fuzz_target;

/// Decodes with the key of the golden files, and a limit of memory for files of this length.
const OPTIONS: DecodeOptions =
    DecodeOptions { key: Some(*b"a key for tests."), max_memory: Some(1 << 28), accept_untagged: false };

const CHECKSUM_BYTES: usize = 8;

/// Replaces the last bytes by the correct checksum.
fn signed(bytes: &[u8]) -> Vec<u8> {
    let body = &bytes[..bytes.len().saturating_sub(CHECKSUM_BYTES)];
    let checksum = HashSpec::rapid(0x6368_6563_6b73_756d).hash_bytes(body);
    [body, &checksum.to_le_bytes()].concat()
}

fn check(bytes: &[u8]) {
    let _ = peek(bytes);
    let Ok(sketch) = decode(bytes, &OPTIONS) else { return };
    let usual = sketch.to_bytes();
    assert!(usual == bytes || sketch.to_compact_bytes() == bytes, "accepted, but written otherwise");
    ask(&*sketch);
    let mut merged = sketch.boxed();
    match merged.merge_any(&*sketch) {
        Ok(()) => {
            let bytes = merged.to_bytes();
            let copy = decode(&bytes, &OPTIONS).expect("what was merged is written, and reads");
            assert_eq!(copy.to_bytes(), bytes, "merged, and written otherwise");
            ask(&*merged);
        }
        Err(_) => assert_eq!(merged.to_bytes(), usual, "a refused merge changed something"),
    }
}

/// Makes every query that does not depend on the kind of a sketch.
fn ask(sketch: &dyn Sketch) {
    assert!(!sketch.facts().is_empty());
    assert!(sketch.memory_bytes() > 0);
    let info = sketch.kind().info();
    for hash in [0, 1 << 63, 0x0123_4567_89ab_cdef, u64::MAX] {
        if let Some(filter) = info.membership.and_then(|view| view(sketch)) {
            assert_eq!(filter.contains_hashes(&[hash]), [filter.contains_hash(hash)]);
            check_estimate(&filter.fpr());
        }
    }
    if let Some(counter) = info.cardinality.and_then(|view| view(sketch)) {
        check_estimate(&counter.estimate());
    }
    if let Some(compare) = info.similarity
        && let Ok(alike) = compare(sketch, sketch)
    {
        check_estimate(&alike);
    }
}

fn check_estimate(estimate: &Estimate) {
    let (lower, value, upper) = (estimate.lower(), estimate.value(), estimate.upper());
    assert!(lower <= value && value <= upper, "{estimate:?}");
}

fuzz_target!(
    init: {
        let bytes = HyperLogLog::for_precision(4).expect("a precision in range").to_bytes();
        assert_eq!(signed(&bytes), bytes, "files are signed in another way than here");
    },
    |bytes: &[u8]| {
        check(bytes);
        // No fuzzer guesses a checksum; with a correct one, the code behind the check is reached.
        check(&signed(bytes));
    }
);
