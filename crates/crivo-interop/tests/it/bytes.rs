//! Changed bytes are refused or harmless, and ours can be read again.

use crate::golden_files;
use crivo::ErrorKind;
use crivo::rng::Rng;
use crivo_interop::{Bloom, Foreign, ForeignItem, Hll, Kll, KllItem, PostgresHll, Theta, UpdateTheta, Width};

/// Asks a sketch everything, and writes it.
pub(crate) fn use_up(sketch: &Foreign) {
    let _ = (sketch.cardinality(), sketch.facts(), sketch.total(), sketch.top(), sketch.quantiles(&[0.5]));
    for item in [ForeignItem::Number(7), ForeignItem::from("page 1"), ForeignItem::from("")] {
        let _ = (sketch.frequency(item), sketch.contains(item));
    }
    if let Foreign::KllText(sketch) = sketch {
        let _ = sketch.quantile(0.5);
    }
    let written = Foreign::decode(&sketch.to_bytes()).unwrap();
    assert_eq!(written.to_bytes(), sketch.to_bytes());
    match Foreign::merged(vec![sketch.clone(), sketch.clone()]) {
        Ok(merged) => drop(Foreign::decode(&merged.to_bytes()).unwrap()),
        // More than can be counted, or a Puffin file with blobs of other types.
        Err(error) => {
            assert!(matches!(error.kind(), ErrorKind::InvalidArgument | ErrorKind::Unsupported), "{error}");
        }
    }
}

/// Changes every byte of every golden file, or every `step`-th behind the header of large registers, which are all alike.
fn change_bytes(step: usize) {
    let (mut refused, mut changed) = (0, 0);
    for file in golden_files("") {
        let step = if file.bytes.len() > 5000 { step } else { 1 };
        for place in (0..32).chain((32..file.bytes.len()).step_by(step)).filter(|&it| it < file.bytes.len()) {
            for flip in [1, 0x10, 0x80, 0xff] {
                let mut bytes = file.bytes.clone();
                bytes[place] ^= flip;
                match Foreign::decode(&bytes) {
                    Ok(sketch) => use_up(&sketch),
                    Err(_) => refused += 1,
                }
                changed += 1;
            }
        }
    }
    println!("{refused} of {changed} refused");
    assert!(refused > changed / 10);
}

#[test]
fn every_changed_byte_is_refused_or_harmless() {
    change_bytes(61);
}

#[test]
#[ignore = "long tier: a minute for 16,384 registers"]
fn every_changed_register_is_refused_or_harmless() {
    change_bytes(1);
}

#[test]
fn every_shortened_file_is_refused() {
    for file in golden_files("") {
        let step = if file.bytes.len() > 5000 { 61 } else { 1 };
        for length in (0..file.bytes.len()).step_by(step) {
            let _ = Foreign::decode(&file.bytes[..length]).map(|sketch| {
                // The updatable form may end with an empty table, half of a single double is a float, some texts are as long as as many whole
                // numbers, C++ writes zeros behind few values, and postgresql-hll writes no number of its hashes or registers.
                let is_whole = file.name.contains("updatable")
                    || file.name.contains("s-one.")
                    || file.name.contains("-raw.req")
                    || (file.name.contains("texts") && matches!(sketch, Foreign::FrequentI64(_)))
                    || (file.name.contains(".pghll") && !file.name.contains("full"));
                assert!(is_whole, "{} {length}: {sketch:?}", file.name);
            });
        }
        let longer: Vec<u8> = file.bytes.iter().copied().chain([0]).collect();
        assert!(Foreign::decode(&longer).is_err() || file.name.contains("updatable"), "{}", file.name);
    }
}

#[test]
fn theta_sketches_round_trip_in_both_versions() {
    for (lg_k, items) in [(5, 0), (5, 1), (5, 2), (5, 31), (6, 119), (6, 121), (8, 100_000), (12, 10_000)] {
        let mut sketch = UpdateTheta::for_lg_k(lg_k).unwrap();
        (0..items).for_each(|i: u32| sketch.insert(&i));
        let sketch = sketch.sketch();
        for bytes in [sketch.to_bytes(), sketch.to_compact_bytes()] {
            assert_eq!(Theta::from_bytes(&bytes).unwrap(), sketch, "{lg_k} {items}");
        }
    }
}

#[test]
fn hyperloglogs_round_trip_in_all_widths() {
    for lg_k in [4, 7, 8, 12] {
        for items in [0, 1, 7, 8, 24, 25, 400, 60_000u32] {
            let mut sketch = Hll::for_lg_k(lg_k).unwrap();
            (0..items).for_each(|i| sketch.insert(&i));
            for width in [Width::Four, Width::Six, Width::Eight] {
                let sketch = sketch.clone().with_width(width);
                assert_eq!(Hll::from_bytes(&sketch.to_bytes()).unwrap(), sketch, "{lg_k} {items} {width:?}");
            }
        }
    }
}

fn quantiles_round_trip<T: KllItem>(value: impl Fn(u64) -> T) {
    let mut rng = Rng::new(5);
    for items in [0, 1, 2, 33, 5000] {
        let mut sketch = Kll::with_seed(16, 3).unwrap();
        (0..items).for_each(|_| sketch.insert(value(rng.below(1 << 20))).unwrap());
        assert_eq!(Kll::from_bytes(&sketch.to_bytes()).unwrap(), sketch, "{items}");
    }
}

#[test]
fn quantile_sketches_round_trip_in_all_types() {
    quantiles_round_trip(|value| value as f32 / 7.0);
    quantiles_round_trip(|value| value as f64 / 7.0);
    quantiles_round_trip(|value| value as i64 - 1000);
    quantiles_round_trip(|value| format!("{value}"));
}

#[test]
fn wrong_files_are_refused_with_what_to_do() {
    let error = |bytes: &[u8]| Foreign::decode(bytes).unwrap_err().to_string();
    assert!(error(b"").contains("no known format"));
    assert!(error(b"CRIVO").contains("no known format"));
    assert!(
        Theta::from_bytes(&[1, 3, 2, 0, 0, 0x1e, 0, 0])
            .unwrap_err()
            .to_string()
            .contains("compact an update")
    );
    assert!(
        Theta::from_bytes(&[1, 2, 3, 0, 0, 0x1e, 0, 0])
            .unwrap_err()
            .to_string()
            .contains("write the sketch again")
    );
    let mut other = UpdateTheta::with_seed(12, 7).unwrap();
    other.insert("x");
    let bytes = other.sketch().to_bytes();
    assert!(error(&bytes).contains("the seed it was made with"));
    assert!(Theta::from_bytes_with_seed(&bytes, 7).is_ok());
    assert!(UpdateTheta::for_lg_k(4).is_err() && UpdateTheta::for_lg_k(27).is_err());
    assert!(Hll::for_lg_k(3).is_err() && Hll::for_lg_k(22).is_err() && Kll::<f64>::with_seed(7, 0).is_err());
    assert!(Kll::with_seed(8, 0).unwrap().insert(f64::NAN).is_err());
}

/// A count of 2³² hashes in a few bytes reserves no memory.
#[test]
fn announced_lengths_reserve_nothing() {
    let mut bytes = vec![3, 3, 3, 0, 0, 0x1a, 0xcc, 0x93];
    bytes.extend([0xff; 8]);
    assert!(Foreign::decode(&bytes).is_err());
    let mut bytes = vec![1, 4, 3, 63, 4, 0x1a, 0xcc, 0x93];
    bytes.extend([0xff; 4]);
    assert!(Foreign::decode(&bytes).is_err());
    let mut bytes = vec![3, 1, 7, 21, 31, 0, 0, 1];
    bytes.extend([0xff; 4]);
    assert!(Foreign::decode(&bytes).is_err());
    for head in [
        [4, 1, 10, 31, 31, 0, 0, 0],
        [2, 1, 20, 200, 0, 0, 0, 0],
        [2, 1, 18, 0, 0, 0, 0, 0],
        [4, 1, 21, 0, 3, 0, 0, 0],
    ] {
        let mut bytes = head.to_vec();
        bytes.extend([0xff, 0xff, 0xff, 0x1f, 0, 0, 0, 0].repeat(4));
        assert!(Foreign::decode(&bytes).is_err(), "{head:?}");
    }
    // Few bits of the sparse form would stand for 2^31 registers, and an empty filter for 2^37 bits, which it does not allocate.
    let error = PostgresHll::from_bytes(&[0x13, 0x9f, 0x40, 0, 0, 0, 0, 1]).unwrap_err();
    assert!(error.to_string().contains("2^20 registers"), "{error}");
    let empty = Bloom::with_seed((1 << 37) - 64, 3, 1).unwrap();
    assert!(!Bloom::from_bytes(&empty.to_bytes()).unwrap().contains("a"));
}

/// A file of more coupons than any sketch keeps could choose them so that a search passes all of them.
#[test]
fn coupons_are_as_few_as_in_a_sketch() {
    let file = |lg_k: u8, count: u32| {
        let mut bytes = vec![3, 1, 7, lg_k, 31, 1 << 3, 0, 1];
        bytes.extend(count.to_le_bytes());
        bytes.extend((0..count).flat_map(|place| (1 << 26 | place).to_le_bytes()));
        Foreign::decode(&bytes).map(drop)
    };
    assert!(file(10, 96).is_ok() && file(21, 3 << 16).is_ok());
    assert!(file(10, 97).is_err() && file(21, (3 << 16) + 1).is_err());
}

/// A sketch of one value in the form of many values, and a stream that is as long as can be counted.
#[test]
fn quantile_sketches_at_the_limits_do_not_panic() {
    let file = |k: u16, total: u64, starts: &[u32], values: &[f64]| {
        let mut bytes = vec![5, 1, 15, 0];
        bytes.extend(k.to_le_bytes());
        bytes.extend([8, 0]);
        bytes.extend(total.to_le_bytes());
        bytes.extend(k.to_le_bytes());
        bytes.extend([starts.len() as u8, 0]);
        bytes.extend(starts.iter().flat_map(|start| start.to_le_bytes()));
        bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        Kll::<f64>::from_bytes(&bytes)
    };
    assert!(file(200, 1, &[199], &[0.0, 10.0, 5.0]).is_err());
    assert_eq!(file(200, 1, &[199], &[5.0, 5.0, 5.0]).unwrap().rank(&3.0).value(), 0.0);
    let (mut longest, mut other) = (Kll::with_seed(8, 1).unwrap(), Kll::with_seed(8, 2).unwrap());
    longest.insert(1.0).unwrap();
    for _ in 0..63 {
        longest.merge(&longest.clone()).unwrap();
        other.merge(&other.clone()).unwrap();
        other.insert(2.0).unwrap();
    }
    longest.merge(&other).unwrap();
    assert_eq!(longest.total(), u64::MAX);
    assert!(longest.insert(3.0).is_err());
    assert_eq!(longest.total(), u64::MAX);
}

/// Doubles with infinities and subnormal numbers are doubles, and whole numbers of either sign are whole numbers.
#[test]
fn the_type_of_eight_bytes_is_recognised() {
    let mut doubles = Kll::with_seed(20, 1).unwrap();
    for value in [1.0, 2.5, f64::INFINITY, -3.0, 0.0, 5e-324] {
        doubles.insert(value).unwrap();
    }
    assert_eq!(Foreign::decode(&doubles.to_bytes()).unwrap(), Foreign::KllF64(doubles));
    for values in [[1, 2, 3, i64::MAX], [-1, 0, -5, 7], [i64::MIN, 0, -5, 7], [1 << 51, 2, 3, 1 << 60]] {
        let mut longs = Kll::with_seed(20, 1).unwrap();
        for value in values {
            longs.insert(value).unwrap();
        }
        assert_eq!(Foreign::decode(&longs.to_bytes()).unwrap(), Foreign::KllI64(longs));
    }
}
