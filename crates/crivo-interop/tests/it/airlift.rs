//! Sketches of airlift: equal to its own, and merged as it merges.

use crate::golden_files;
use crivo_interop::{AirliftHll, Foreign};
use std::ops::Range;

fn sketch(precision: u8, items: Range<u64>) -> AirliftHll {
    let mut sketch = AirliftHll::for_precision(precision).unwrap();
    items.for_each(|item| sketch.insert(item.to_le_bytes()));
    sketch
}

/// The sketch that the program of the golden files made.
fn made(name: &str) -> Option<AirliftHll> {
    Some(match name.strip_prefix("airlift-")?.strip_suffix(".airhll")? {
        "empty" => sketch(12, 0..0),
        "few" => sketch(12, 0..100),
        "dense" => sketch(9, 0..20_000),
        "merged-few" => sketch(9, 0..60),
        "merged" => sketch(9, 0..3000),
        "texts" => {
            let mut texts = AirliftHll::for_precision(7).unwrap();
            (0..500).for_each(|item| texts.insert(format!("visitor {item}")));
            texts
        }
        _ => return None,
    })
}

#[test]
fn sketches_are_written_as_they_were() {
    let mut equal = 0;
    for file in golden_files(".airhll") {
        let name = &file.name;
        let sketch = AirliftHll::from_bytes(&file.bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(matches!(Foreign::decode(&file.bytes).unwrap(), Foreign::AirliftHll(_)), "{name}");
        let again = AirliftHll::from_bytes(&sketch.to_bytes()).unwrap();
        assert_eq!(again, sketch, "{name}");
        if !name.contains("dense-1") {
            assert_eq!(sketch.to_bytes(), file.bytes, "{name}");
        }
        // The registers are the peer's, the estimator is ours: both deviate by 1.04/√m, mostly alike.
        let estimate = sketch.estimate();
        let deviation = 1.04 / f64::from(1u32 << sketch.precision()).sqrt();
        let is_near = (estimate.value() - file.expected).abs() <= deviation * file.expected;
        assert!(
            is_near && estimate.contains(file.expected),
            "{name}: {estimate}, expected {}",
            file.expected
        );
        if sketch.is_sparse() {
            assert_eq!(estimate.value(), file.expected, "{name}");
        }
        if let Some(ours) = made(name) {
            assert_eq!(ours.to_bytes(), file.bytes, "{name}");
            equal += 1;
        }
        let mut union = sketch.clone();
        union.merge(&sketch).unwrap();
        assert_eq!(union, sketch, "{name}");
    }
    assert_eq!(equal, 6);
}

#[test]
fn merges_are_those_of_one_pass() {
    for (a, b) in [(0..5, 3..9), (0..30, 10..36), (0..30, 20..60), (0..10, 5..500), (0..900, 100..2000)] {
        let whole = sketch(8, a.start..b.end);
        let (a, b) = (sketch(8, a), sketch(8, b));
        let (mut forth, mut back) = (a.clone(), b.clone());
        forth.merge(&b).unwrap();
        back.merge(&a).unwrap();
        assert_eq!((&forth, &back), (&whole, &whole));
    }
    assert!(sketch(8, 0..9).merge(&sketch(9, 0..9)).unwrap_err().to_string().contains("approx_set"));
    assert!(AirliftHll::for_precision(3).is_err() && AirliftHll::for_precision(17).is_err());
}

/// Three entries of 16 registers begin as a compressed theta sketch does.
#[test]
fn few_entries_are_no_theta_sketch() {
    let three = sketch(4, 0..3);
    assert_eq!(three.to_bytes()[..4], [2, 4, 3, 0]);
    assert_eq!(Foreign::decode(&three.to_bytes()).unwrap(), Foreign::AirliftHll(three));
}

#[test]
fn impossible_registers_are_refused() {
    // Of 16 registers, with a baseline of 3: the second is 15 above it or more, the fourth is not.
    let file = |excess: &[u8]| {
        let mut bytes = vec![3, 4, 3, 0x0f, 0x12, 0, 0, 0, 0, 0, 0];
        bytes.extend(excess);
        AirliftHll::from_bytes(&bytes)
    };
    let bytes = file(&[1, 0, 1, 0, 43]).unwrap().to_bytes();
    assert_eq!(bytes[11..], [1, 0, 1, 0, 43]);
    assert!(file(&[0, 0]).is_ok());
    for excess in [
        &[1, 0, 1, 0, 44][..],     // more than a hash has bits
        &[1, 0, 3, 0, 1],          // not 15 above the baseline
        &[2, 0, 1, 0, 1, 0, 1, 1], // twice
        &[1, 0, 16, 0, 1],         // no register
        &[1, 0, 1, 0, 0],          // no excess
        &[0xff, 0xff, 1, 0, 1],    // too few
    ] {
        assert!(file(excess).is_err(), "{excess:?}");
    }
    let zeros = |zeros: u8| AirliftHll::from_bytes(&[2, 12, 1, 0, zeros, 0, 0, 1]);
    assert!(zeros(38).is_ok() && zeros(39).is_err());
    assert!(AirliftHll::from_bytes(&[2, 12, 2, 0, 64, 0, 0, 0, 65, 0, 0, 0]).is_err());
    assert!(AirliftHll::from_bytes(&[4, 12, 0, 0]).unwrap_err().to_string().contains("airlift"));
}
