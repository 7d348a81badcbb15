//! Sketches of `ZetaSketch`: written as they were, and merged as it merges.

use crate::coverage::check;
use crate::{golden, golden_files};
use crivo::rng::Rng;
use crivo_interop::{Foreign, ZetaHll};

#[test]
fn sketches_are_written_as_they_were() {
    for file in golden_files(".hllpp") {
        let name = &file.name;
        let sketch = ZetaHll::from_bytes(&file.bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(sketch.to_bytes(), file.bytes, "{name}");
        assert_eq!(Foreign::decode(&file.bytes).unwrap(), Foreign::ZetaHll(sketch.clone()), "{name}");
        // The registers are the peer's, the estimator is ours: both deviate by 1.04/√m, mostly alike.
        let estimate = sketch.estimate();
        let deviation = 1.04 / f64::from(1u32 << sketch.precision()).sqrt();
        let is_near = (estimate.value() - file.expected).abs() <= deviation * file.expected;
        assert!(
            is_near && estimate.contains(file.expected),
            "{name}: {estimate}, expected {}",
            file.expected
        );
        assert!(!sketch.is_sparse() || estimate.value() == file.expected, "{name}: {estimate}");
        let mut union = sketch.clone();
        union.merge(&sketch).unwrap();
        assert_eq!((union.estimate(), union.values()), (estimate, 2 * sketch.values()), "{name}");
    }
}

/// The peer filled the registers from hashes, and we from the entries of some of the same items.
#[test]
fn entries_fall_into_the_registers_of_their_hashes() {
    let sketch = |name: &str| ZetaHll::from_bytes(&golden(&format!("zeta-{name}.hllpp"))).unwrap();
    for (few, many) in [("merged-sparse", "merged"), ("merged-sparse", "dense")] {
        let (mut all, mut back) = (sketch(many), sketch(few));
        let registers = |sketch: &ZetaHll| sketch.to_bytes().split_off(20);
        let before = registers(&all);
        all.merge(&sketch(few)).unwrap();
        back.merge(&sketch(many)).unwrap();
        assert_eq!((registers(&all), registers(&back)), (before.clone(), before), "{few} {many}");
    }
    let mut dense = sketch("dense-empty");
    assert!(dense.merge(&sketch("merged")).unwrap_err().to_string().contains("precision"));
    dense.merge(&sketch("dense-empty")).unwrap();
    assert_eq!((dense.is_sparse(), dense.estimate().value()), (false, 0.0));
    let error = sketch("few").merge(&sketch("sparse")).unwrap_err().to_string();
    assert!(error.contains("HLL_COUNT.INIT"), "{error}");
}

fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 127 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// The sketch of these hashes, of the precisions 10 and 14, as the format describes it.
fn sketch(hashes: &[u64]) -> ZetaHll {
    let entry = |hash: &u64| {
        let index = hash >> 50;
        if index & 15 != 0 {
            index
        } else {
            1 << 16 | index >> 4 << 6 | u64::from((hash << 14).leading_zeros() + 1)
        }
    };
    let mut entries: Vec<u64> = hashes.iter().map(entry).collect();
    entries.sort_unstable_by_key(|&entry| std::cmp::Reverse(entry));
    entries.dedup_by_key(|entry| if *entry < 1 << 16 { *entry } else { *entry >> 6 << 6 });
    entries.reverse();
    let before = std::iter::once(&0).chain(&entries);
    let packed: Vec<u8> =
        entries.iter().zip(before).flat_map(|(entry, before)| varint(entry - before)).collect();
    let number = varint(entries.len() as u64);
    let state = [&[16][..], &number, &[24, 10, 32, 14, 50], &varint(packed.len() as u64), &packed].concat();
    let length = varint(state.len() as u64);
    let bytes = [&[8, 112, 16, 0, 24, 2, 32, 8, 0x82, 7][..], &length, &state].concat();
    ZetaHll::from_bytes(&bytes).unwrap()
}

#[test]
fn intervals_contain_the_truth() {
    for items in [40u64, 600, 20_000] {
        check(&format!("zeta of {items}"), 400, 1.05 / 32.0, |rng: &mut Rng| {
            let hashes: Vec<u64> = (0..items).map(|_| rng.next_u64()).collect();
            let mut parts = hashes.chunks(250).map(sketch);
            let mut all = parts.next().unwrap();
            parts.for_each(|part| all.merge(&part).unwrap());
            assert_eq!(all.is_sparse(), items < 20_000);
            (ZetaHll::from_bytes(&all.to_bytes()).unwrap().estimate(), items as f64)
        });
    }
}

#[test]
fn impossible_bytes_are_refused() {
    let error = |bytes: &[u8]| ZetaHll::from_bytes(bytes).unwrap_err().to_string();
    let empty = golden("zeta-empty.hllpp");
    for (place, value, words) in [
        (1, 100, "kind 112"),
        (5, 1, "version 2"),
        (12, 9, "precision"),
        (12, 25, "precision"),
        (14, 26, "precision"),
        (13, 0x38, "no field 7"),
        (16, 1, "corrupt"),
    ] {
        let mut bytes = empty.clone();
        bytes[place] = value;
        assert!(error(&bytes).contains(words), "{place} {value}: {}", error(&bytes));
    }
    // Registers of the greatest precision are not reserved for a few bytes.
    let mut many = golden("zeta-dense-empty.hllpp");
    many[12] = 24;
    assert_eq!(ZetaHll::from_bytes(&many).unwrap().estimate().value(), 0.0);
    let mut entries = golden("zeta-few.hllpp");
    entries[13] += 1;
    assert!(error(&entries).contains("expected 101"), "{}", error(&entries));
    entries[13] -= 1;
    entries[21] = 0;
    assert!(error(&entries).contains("ascending"), "{}", error(&entries));
}
