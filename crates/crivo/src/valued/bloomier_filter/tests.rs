use super::*;
use crate::ErrorKind;
use crate::fuse::Shape;
use crate::rng::Rng;

fn of_bits(pairs: &[(u64, u64)], value_bits: u32, check_bits: u32) -> Result<BloomierFilter> {
    let params = BloomierParams::exact(value_bits, check_bits)?;
    BloomierFilter::freeze_hashes(pairs.iter().copied(), params, HashSpec::default())
}

fn random_pairs(rng: &mut Rng, items: usize, value_bits: u32) -> Vec<(u64, u64)> {
    (0..items).map(|_| (rng.next_u64(), rng.next_u64() >> (64 - value_bits))).collect()
}

#[test]
fn every_width_knows_its_values() {
    let mut rng = Rng::new(1);
    for value_bits in 1..=64 {
        for check_bits in [0, 1, 3, 7, 8, 16, 24, 31, 32] {
            for items in [0usize, 1, 2, 50] {
                let pairs = random_pairs(&mut rng, items, value_bits);
                let map = of_bits(&pairs, value_bits, check_bits).unwrap();
                for &(hash, value) in &pairs {
                    assert_eq!(map.value_hash(hash), Some(value), "{value_bits} {check_bits} {items}");
                }
                assert_eq!(map.len(), items as u64);
                let planned = map.params().memory_bytes(items as u64).unwrap();
                assert_eq!(planned, map.memory_bytes() as u64, "{value_bits} {check_bits} {items}");
                assert_eq!(BloomierFilter::from_bytes(&map.to_bytes()).unwrap(), map);
            }
        }
    }
}

/// Cells that no key owns hold 0 during construction, as the cells of this hash do.
#[test]
fn the_hash_zero_has_its_value() {
    let mut rng = Rng::new(6);
    for items in [0usize, 1, 5, 100] {
        let mut pairs = random_pairs(&mut rng, items, 8);
        pairs.push((0, 200));
        let map = of_bits(&pairs, 8, 0).unwrap();
        assert!(pairs.iter().all(|&(hash, value)| map.value_hash(hash) == Some(value)), "{items}");
    }
}

#[test]
fn batches_are_the_single_answers() {
    let mut rng = Rng::new(2);
    for (value_bits, check_bits) in [(8, 8), (5, 6), (64, 32), (32, 32)] {
        let pairs = random_pairs(&mut rng, 700, value_bits);
        let map = of_bits(&pairs, value_bits, check_bits).unwrap();
        let hashes: Vec<u64> =
            pairs.iter().map(|pair| pair.0).chain((0..700).map(|_| rng.next_u64())).collect();
        let single: Vec<Option<u64>> = hashes.iter().map(|&hash| map.value_hash(hash)).collect();
        assert_eq!(map.value_hashes(&hashes), single);
    }
}

#[test]
fn an_empty_map_gives_no_value() {
    let mut rng = Rng::new(3);
    for (value_bits, check_bits) in [(1, 0), (8, 0), (8, 8), (64, 32)] {
        let map = of_bits(&[], value_bits, check_bits).unwrap();
        assert!((0..1000).all(|_| map.value_hash(rng.next_u64()).is_none()));
        assert!(map.is_empty() && map.fpr().value() == 0.0);
    }
}

#[test]
fn without_a_check_all_keys_have_a_value() {
    let mut rng = Rng::new(4);
    let pairs = random_pairs(&mut rng, 100, 5);
    let map = of_bits(&pairs, 5, 0).unwrap();
    assert!((0..1000).all(|_| map.value_hash(rng.next_u64()).is_some_and(|value| value < 32)));
    assert_eq!(map.fpr().value(), 1.0);
}

#[test]
fn repetitions_are_ignored_and_conflicts_are_errors() {
    let mut rng = Rng::new(5);
    for items in [1usize, 2, 50, 3000] {
        let pairs = random_pairs(&mut rng, items, 9);
        let once = of_bits(&pairs, 9, 4).unwrap();
        for times in [2, 3, 256, 257] {
            assert_eq!(of_bits(&pairs.repeat(times), 9, 4).unwrap().to_bytes(), once.to_bytes());
        }
        let mut conflict = pairs.clone();
        conflict.push((pairs[items / 2].0, pairs[items / 2].1 ^ 1));
        let error = of_bits(&conflict, 9, 4).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
        assert!(format!("{error}").contains(&format!("{}", pairs[items / 2].1)), "{error}");
    }
}

#[test]
fn values_that_are_too_wide_are_refused() {
    for (value_bits, value) in [(1, 2), (7, 128), (32, 1 << 32), (63, u64::MAX)] {
        let error = of_bits(&[(1, 0), (2, value)], value_bits, 8).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(format!("{error}").contains(&format!("{value}")), "{error}");
    }
    assert!(of_bits(&[(1, u64::MAX)], 64, 8).is_ok());
}

/// The sizes in the documentation, and the targets: at most 1.15, 1.20 and 1.30 bits for each bit.
#[test]
fn bits_a_key() {
    for (items, value_bits, check_bits, expected, limit) in [
        (1_000_000, 1, 0, 1.13, 1.15),
        (1_000_000, 8, 0, 9.04, 1.15),
        (1_000_000, 8, 7, 16.96, 1.15),
        (1_000_000, 32, 10, 47.48, 1.15),
        (10_000_000, 8, 8, 17.77, 1.15),
        (100_000, 8, 8, 18.69, 1.20),
        (10_000, 8, 8, 20.15, 1.30),
    ] {
        let params = BloomierParams::exact(value_bits, check_bits).unwrap();
        let bits = params.memory_bytes(items).unwrap() as f64 * 8.0 / items as f64;
        assert!((bits - expected).abs() < 0.006, "{items} {value_bits} {check_bits}: {bits}");
        assert!(bits <= limit * f64::from(value_bits + check_bits), "{items} {bits}");
    }
    // Every size from these on.
    for (from, limit) in [(10_000u64, 1.30), (100_000, 1.20), (1_000_000, 1.15)] {
        for items in (0..400).map(|step| from + from * step / 40) {
            let bits = Shape::for_items(items).unwrap().cells() as f64 / items as f64;
            assert!(bits <= limit, "{items}: {bits}");
        }
    }
}

#[test]
fn targets_are_met_with_the_number_that_came() {
    for fpr in [0.5, 0.25, 0.1, 0.01, 1e-6] {
        let map = BloomierFilter::freeze((0..1000u32).map(|key| (key, 3)), 2, fpr).unwrap();
        assert!(map.fpr().value() <= fpr && map.fpr().value() * 2.0 > fpr, "{fpr}");
    }
    let keys = || (0..1000u32).map(|key| (key, 3));
    for (value_bits, fpr) in [(2, 1e-12), (2, f64::NAN), (2, 0.0), (2, 1.0), (0, 0.1), (65, 0.1), (1, 0.1)] {
        assert!(BloomierFilter::freeze(keys(), value_bits, fpr).is_err(), "{value_bits} {fpr}");
    }
}
