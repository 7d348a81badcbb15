use super::scale::boundary;
use super::*;
use crate::rng::Rng;
use crate::{ErrorKind, Guarantee};
use alloc::vec::Vec;

/// The promise of the parameters for every possible number of buckets, boundary by boundary.
#[test]
fn no_bucket_is_too_long() {
    for parts in 1..=4096 {
        let allowed = LogQuantilesParams::exact(parts, 1).unwrap().relative_error();
        let scale = Scale::new(parts);
        for part in 0..parts {
            let bucket = 1075 * parts + part; // the octave from 1 to 2
            let ((a, b), middle) = (scale.ends(bucket), scale.middle(bucket));
            assert!(a < b && a <= middle && middle <= b, "{part} of {parts}: {a}, {middle}, {b}");
            let error = ((middle - a) / a).max((b - middle) / b);
            assert!(error <= allowed, "{part} of {parts}: {error}, at most {allowed}");
        }
    }
}

/// The boundaries decide the bytes, so they are frozen: their hash, over all sizes of octaves.
#[test]
fn boundaries_are_frozen() {
    let mut hash = 0;
    for parts in 1..=4096 {
        let bytes: Vec<u8> = (0..=parts).flat_map(|part| boundary(part, parts).to_le_bytes()).collect();
        hash = HashSpec::rapid(hash).hash_bytes(&bytes);
    }
    assert_eq!(hash, 0xf9f0_7320_1d2a_a575, "{hash:#x}");
    assert_eq!(boundary(1, 2), 0x6_a09e_6680_0000, "√2 − 1, rounded to 32 bits");
}

/// The table and the boundaries agree at both sides of every boundary, in all sorts of octaves; buckets follow each
/// other without gaps.
#[test]
fn the_table_finds_what_the_boundaries_say() {
    let mut rng = Rng::new(3);
    for parts in [1, 2, 3, 7, 35, 64, 347, 1000, 4095, 4096] {
        let plain = Scale::new(parts);
        let mut table = plain.clone();
        table.prepare();
        for octave in [53, 54, 1000, 1075, 1076, 2098] {
            for part in 0..parts {
                let bucket = octave * parts + part;
                let (low, high) = plain.ends(bucket);
                let inside = f64::from_bits(low.to_bits() + rng.below(high.to_bits() - low.to_bits() + 1));
                for number in [low, inside, high] {
                    let found = [table.find(number.to_bits()), Some(plain.bucket(number.to_bits()))];
                    assert_eq!(found, [Some(bucket); 2], "{number} of {parts} parts");
                }
                assert!(part + 1 == parts || plain.ends(bucket + 1).0.to_bits() == high.to_bits() + 1);
            }
        }
        assert_eq!(plain.bucket(1), *plain.buckets().start());
        assert_eq!(plain.bucket(f64::MAX.to_bits()), *plain.buckets().end());
        for _ in 0..1000 {
            let bits = rng.next_u64() >> (12 + rng.below(52)) | 1;
            let (low, high) = plain.ends(plain.bucket(bits));
            assert!(low.to_bits() <= bits && bits <= high.to_bits(), "{bits}, from {low:e} to {high:e}");
        }
    }
}

#[test]
fn ends_of_all_numbers() {
    let mut sketch = LogQuantiles::with_params(LogQuantilesParams::exact(4, 2098 * 4).unwrap());
    let all = [-f64::MAX, -1.5, -5e-324, -0.0, 0.0, 5e-324, f64::MIN_POSITIVE, f64::MAX];
    sketch.insert_all(&all).unwrap();
    assert_eq!(sketch.collapsed(), 0);
    for (rank, value) in (1..).zip(all) {
        let answer = sketch.quantile(f64::from(rank) / 8.0).unwrap();
        assert!(*answer.lower() <= value && value <= *answer.upper(), "{answer}, not {value}");
        assert!(sketch.rank(value).contains(f64::from(rank.max(if value == 0.0 { 5 } else { 0 }))));
    }
    let tiny = sketch.quantile(6.0 / 8.0).unwrap();
    assert_eq!((*tiny.lower(), *tiny.upper()), (5e-324, 5e-324), "it is alone in its bucket");
    assert_eq!(sketch.rank(f64::NEG_INFINITY).value(), 0.0);
    assert_eq!(sketch.rank(f64::INFINITY).value(), 8.0);
    assert_eq!(sketch.rank(f64::NAN).value(), 8.0);
}

/// The interval of a collapsed quantile goes to 0 and is certain; what is above and the zeros keep their error.
#[test]
fn intervals_of_collapsed_values_reach_zero() {
    let mut sketch = LogQuantiles::with_params(LogQuantilesParams::exact(1, 3).unwrap());
    sketch.insert_all(&[0.3, 0.0, -0.2, 1.0, 2.5, -3.0]).unwrap();
    assert_eq!(sketch.collapsed(), 2, "of 0.2 and 0.3, as buckets begin at 0.5, 1 and 2");
    let answers = sketch.quantiles(&[0.0, 0.3, 0.5, 0.6, 0.8, 1.0]).unwrap();
    let ends: Vec<(f64, f64)> = answers.iter().map(|answer| (*answer.lower(), *answer.upper())).collect();
    let below = |power: f64| power.next_down();
    let expected = [
        (-below(4.0), -2.0),
        (-below(0.5), 0.0),
        (0.0, 0.0),
        (0.0, below(0.5)),
        (1.0, below(2.0)),
        (2.0, below(4.0)),
    ];
    assert_eq!(ends, expected);
    assert!(answers.iter().all(|answer| answer.guarantee() == Guarantee::Certain));
    assert_eq!((sketch.rank(-0.1).lower(), sketch.rank(-0.1).upper()), (1.0, 2.0));
    assert_eq!((sketch.rank(0.1).lower(), sketch.rank(0.1).upper()), (3.0, 4.0));
    assert!(sketch.rank(0.7).is_exact());
    sketch.remove(0.1, 1).unwrap();
    assert_eq!(sketch.remove(0.1, 1).unwrap_err().kind(), ErrorKind::InvalidArgument);
    sketch.remove(-0.1, 1).unwrap();
    assert_eq!(sketch.collapsed(), 0);
    sketch.remove(2.5, 1).unwrap();
    sketch.remove(-3.0, 1).unwrap();
    let mut rest = LogQuantiles::with_params(sketch.params());
    rest.insert_all(&[0.0, 1.0]).unwrap();
    assert_eq!(sketch, rest, "nothing is collapsed any more, so no trace of the past is left");
}

#[test]
fn refused_calls_change_nothing() {
    let mut sketch: LogQuantiles = [5.0, -5.0, 0.0].into_iter().collect();
    let before = sketch.clone();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(sketch.insert(bad).unwrap_err().kind(), ErrorKind::InvalidArgument);
        assert_eq!(sketch.insert_all(&[1.0, bad]).unwrap_err().kind(), ErrorKind::InvalidArgument);
        assert_eq!(sketch.remove(bad, 0).unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
    for (value, count) in [(5.0, 2), (6.0, 1), (0.0, 2), (-1e-300, 1)] {
        assert_eq!(sketch.remove(value, count).unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
    assert_eq!(sketch.insert_weighted(7.0, u64::MAX - 2).unwrap_err().kind(), ErrorKind::Full);
    let mut large = LogQuantiles::with_params(sketch.params());
    large.insert_weighted(5.0, u64::MAX - 2).unwrap();
    assert_eq!(sketch.merge(&large).unwrap_err().kind(), ErrorKind::Full);
    large.insert_weighted(0.0, 2).unwrap();
    assert_eq!(large.insert(5.0).unwrap_err().kind(), ErrorKind::Full);
    assert!(sketch == before);
    let empty = LogQuantiles::for_error(0.01).unwrap();
    assert_eq!(empty.quantile(0.5).unwrap_err().kind(), ErrorKind::Empty);
    assert_eq!(empty.rank(1.0).value(), 0.0);
}

/// A slow ascent and descent: the lists grow on either side and stay within their bound.
#[test]
fn lists_grow_in_both_directions() {
    let params = LogQuantilesParams::exact(100, 20_000).unwrap();
    let [mut up, mut down] = [(); 2].map(|()| LogQuantiles::with_params(params));
    let powers: Vec<f64> = (-9000..9000).map(|i| libm::exp2(f64::from(i) / 100.0)).collect();
    for &value in &powers {
        up.insert(value).unwrap();
    }
    powers.iter().rev().for_each(|&value| down.insert(-value).unwrap());
    assert!(up.memory_bytes() <= up.memory_bound().unwrap() && up.collapsed() + down.collapsed() == 0);
    up.merge(&down).unwrap();
    assert_eq!(up.total(), 36_000);
    let [one, other] = [&powers[..], &powers.iter().map(|value| -value).collect::<Vec<_>>()].map(|part| {
        let mut whole = LogQuantiles::with_params(params);
        whole.insert_all(part).unwrap();
        whole
    });
    let mut whole = other;
    whole.merge(&one).unwrap();
    assert!(up == whole && up.to_bytes() == whole.to_bytes());
}

/// The figures of the page.
#[test]
fn sizes_are_those_of_the_page() {
    for (error, per_octave, from_ms_to_hour, most_kilobytes) in
        [(0.05, 7, 153, 7.4), (0.02, 18, 393, 19.0), (0.01, 35, 763, 37.0), (0.001, 347, 7558, 364.0)]
    {
        let sketch = LogQuantiles::for_error(error).unwrap();
        assert_eq!(sketch.params().buckets_per_octave(), per_octave);
        let buckets = sketch.scale.bucket(3600f64.to_bits()) - sketch.scale.bucket(0.001f64.to_bits()) + 1;
        assert!(
            buckets.abs_diff(from_ms_to_hour) <= 1,
            "{buckets} buckets, as a beginning may cut one in two"
        );
        let kilobytes = sketch.memory_bound().unwrap() as f64 / 1e3;
        assert!((kilobytes / most_kilobytes - 1.0).abs() < 0.02, "{kilobytes} kB");
    }
}
