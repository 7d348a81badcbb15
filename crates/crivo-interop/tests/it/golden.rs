//! What other libraries wrote is read, answers as they do, and is written again byte for byte.

use crate::{golden, golden_files};
use crivo_interop::{
    Foreign, ForeignItem, Hll, Kll, RedisHll, SparkBloom, SparkCountMin, Theta, UpdateTheta, Width,
};
use std::path::Path;

#[test]
fn theta_sketches_answer_and_are_written_as_their_writers_do() {
    for file in golden_files(".theta") {
        let sketch = Theta::from_bytes(&file.bytes).unwrap_or_else(|error| panic!("{}: {error}", file.name));
        assert_eq!(sketch.estimate().value(), file.expected, "{}", file.name);
        assert!(sketch.estimate().contains(file.expected), "{}", file.name);
        let again =
            if file.name.ends_with("-v4.theta") { sketch.to_compact_bytes() } else { sketch.to_bytes() };
        assert_eq!(again, file.bytes, "{}", file.name);
    }
}

/// The same items give the same bytes.
#[test]
fn theta_sketches_of_equal_items_have_equal_bytes() {
    let sketch = |lg_k, insert: &dyn Fn(&mut UpdateTheta)| {
        let mut sketch = UpdateTheta::for_lg_k(lg_k).unwrap();
        insert(&mut sketch);
        sketch.sketch()
    };
    let numbers = |count: u64| move |sketch: &mut UpdateTheta| (0..count).for_each(|i| sketch.insert(&i));
    let texts = |sketch: &mut UpdateTheta| {
        (0..300).for_each(|i| sketch.insert(&format!("visitor {i}")));
        sketch.insert("");
    };
    let halves = |sketch: &mut UpdateTheta| {
        (0..300).for_each(|i| sketch.insert(&(f64::from(i) / 4.0)));
        sketch.insert(&-0.0);
        sketch.insert(&f32::NAN);
    };
    for (name, sketch) in [
        ("empty", sketch(12, &numbers(0))),
        ("one", sketch(12, &numbers(1))),
        ("few", sketch(12, &numbers(100))),
        ("many", sketch(5, &numbers(1000))),
        ("texts", sketch(5, &texts)),
        ("numbers", sketch(5, &halves)),
    ] {
        assert_eq!(sketch.to_bytes(), golden(&format!("cpp-{name}.theta")), "{name}");
        assert_eq!(sketch.to_compact_bytes(), golden(&format!("cpp-{name}-v4.theta")), "{name}");
    }
}

#[test]
fn set_operations_give_the_bytes_of_the_peer() {
    let [a, b] = ["a", "b"].map(|name| Theta::from_bytes(&golden(&format!("cpp-{name}.theta"))).unwrap());
    let union = Theta::union([&a, &b], 6).unwrap();
    assert_eq!(union.to_bytes(), golden("cpp-union.theta"));
    assert_eq!(a.intersection(&b).unwrap().to_bytes(), golden("cpp-intersection.theta"));
    assert_eq!(a.difference(&b).unwrap().to_bytes(), golden("cpp-difference.theta"));
}

#[test]
fn hyperloglogs_answer_and_are_written_as_their_writers_do() {
    for file in golden_files(".hll") {
        let name = &file.name;
        let sketch = Hll::from_bytes(&file.bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let estimate = sketch.estimate();
        if name.contains("merged") {
            // The registers are the peer's, the estimator is ours; both have an error of 1.04/8, mostly the same.
            assert!((estimate.value() / file.expected - 1.0).abs() < 0.05, "{name}: {estimate}");
        } else if sketch.is_sparse() {
            // A whole number; the peer interpolates the collisions, of which there are next to none.
            assert!((estimate.value() - file.expected).abs() < 1e-4, "{name}: {estimate}");
        } else {
            assert_eq!(estimate.value(), file.expected, "{name}");
        }
        assert!(estimate.contains(file.expected.round()), "{name}: {estimate}");
        let again = sketch.to_bytes();
        if name.contains("updatable") {
            let compact = Hll::from_bytes(&golden(&name.replace("-updatable", ""))).unwrap();
            assert_eq!(sketch, compact, "{name}");
        } else if name.contains("exceptions-4") {
            // The order of the exceptions is the writer's.
            assert_eq!(Hll::from_bytes(&again).unwrap(), sketch);
        } else {
            assert_eq!(again, file.bytes, "{name}");
        }
    }
}

/// Few coupons are kept in their order of arrival, which no reader minds; registers and their sums are the peer's.
#[test]
fn hyperloglogs_of_equal_items_have_equal_registers() {
    for (bits, width) in [(4, Width::Four), (6, Width::Six), (8, Width::Eight)] {
        for (name, lg_k, items) in [
            ("empty", 12, 0..0),
            ("list", 12, 0..5),
            ("registers", 6, 0..5000),
            ("exceptions", 7, 5_780_000..5_783_000),
        ] {
            let mut sketch = Hll::for_lg_k(lg_k).unwrap().with_width(width);
            items.for_each(|i: i64| sketch.insert(&i));
            let mut bytes = golden(&format!("cpp-{name}-{bits}.hll"));
            let mut ours = sketch.to_bytes();
            assert_eq!(ours.len(), bytes.len(), "{name} {bits}");
            if !sketch.is_sparse() {
                // The estimate that is counted along starts at that of the coupons, where the peer interpolates.
                let counted = |bytes: &[u8]| f64::from_le_bytes(bytes[8..16].try_into().unwrap());
                assert!((counted(&ours) / counted(&bytes) - 1.0).abs() < 1e-6, "{name} {bits}");
                ours.drain(8..16);
                bytes.drain(8..16);
            }
            if name == "exceptions" && bits == 4 {
                let sorted = |bytes: &[u8]| {
                    let (rest, exceptions) = bytes.split_at(32 + 64);
                    let mut exceptions = exceptions.as_chunks::<4>().0.to_vec();
                    exceptions.sort_unstable();
                    (rest.to_vec(), exceptions)
                };
                assert_eq!(sorted(&ours), sorted(&bytes));
            } else {
                assert_eq!(ours, bytes, "{name} {bits}");
            }
        }
    }
}

#[test]
fn quantile_sketches_are_recognised_and_written_as_they_were() {
    for file in golden_files(".kll") {
        let name = &file.name;
        let sketch = Foreign::decode(&file.bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(sketch.to_bytes(), file.bytes, "{name}");
        let total = match &sketch {
            // Nothing in an empty file says of what it is.
            Foreign::KllF64(doubles) if name.contains("doubles") || name.contains("empty") => doubles.total(),
            Foreign::KllI64(longs) if name.contains("longs") => longs.total(),
            Foreign::KllI32(ints) if name.contains("ints") => ints.total(),
            Foreign::KllF32(floats) if name.contains("floats") => floats.total(),
            Foreign::KllText(texts) if name.contains("texts") => texts.total(),
            other => panic!("{name}: {other:?}"),
        };
        assert_eq!(total as f64, file.expected, "{name}");
    }
}

#[test]
fn quantiles_of_the_peers_sketches_are_near_the_truth() {
    // The n-th value is its rank, less one.
    let longs = Kll::<i64>::from_bytes(&golden("java-longs-many.kll")).unwrap();
    assert_eq!((longs.min(), longs.max()), (Some(&-3000), Some(&5997)));
    let doubles = Kll::<f64>::from_bytes(&golden("cpp-doubles-many.kll")).unwrap();
    let texts = Kll::<String>::from_bytes(&golden("cpp-texts-many.kll")).unwrap();
    for share in [0.01, 0.25, 0.5, 0.9] {
        let truth = (share * 3000.0) as i32;
        let long = longs.quantile(share).unwrap();
        assert!((long.lower()..=long.upper()).contains(&&((i64::from(truth) - 1001) * 3)), "{long}");
        let double = doubles.quantile(share).unwrap();
        assert!((double.lower()..=double.upper()).contains(&&(f64::from(truth - 1) / 2.0)), "{double}");
        let text = texts.quantile(share).unwrap();
        assert!((text.lower()..=text.upper()).contains(&&format!("item {:05}", truth - 1)), "{text}");
        let rank = longs.rank(&((i64::from(truth) - 1001) * 3));
        assert!(rank.contains(f64::from(truth)), "{rank}");
    }
}

#[test]
fn hyperloglogs_of_redis_count_and_hash_as_redis_does() {
    for file in golden_files(".hyll") {
        let name = &file.name;
        let sketch = RedisHll::from_bytes(&file.bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        // Redis truncates the value of the same estimator, before its bias of order 1/m is removed.
        let estimate = sketch.estimate();
        let bias = 1.1 / 16_384.0 * file.expected;
        assert!((estimate.value() - file.expected).abs() <= 1.0 + bias, "{name}: {estimate}");
        let items = match name.as_str() {
            "redis-empty.hyll" => 0,
            "redis-few.hyll" => 100,
            _ => 20_000,
        };
        let mut ours = RedisHll::new();
        (0..items).for_each(|item| ours.insert(format!("visitor:{item}")));
        assert_eq!(ours.is_dense(), sketch.is_dense(), "{name}");
        assert_eq!(ours.to_bytes(), file.bytes, "{name}");
        assert_eq!(sketch.to_bytes(), file.bytes, "{name}");
    }
}

/// Every answer of Spark, about texts and numbers, whether they were inserted or not.
#[test]
fn sketches_of_spark_answer_as_spark_does() {
    let answers =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/answers.txt"));
    let answers = answers.unwrap();
    let counts = SparkCountMin::from_bytes(&golden("spark-counts.cms")).unwrap();
    assert_eq!(counts.to_bytes(), golden("spark-counts.cms"));
    let blooms = ["spark-1.bloom", "spark-2.bloom"].map(|name| {
        let filter = SparkBloom::from_bytes(&golden(name)).unwrap();
        assert_eq!(filter.to_bytes(), golden(name));
        (name, filter)
    });
    let mut checked = 0;
    for line in answers.lines() {
        let (name, rest) = line.split_once(' ').unwrap();
        let (kind, rest) = rest.split_once(' ').unwrap();
        let (first, second) = rest.split_once(' ').unwrap();
        let (item, answer) = if kind == "number" {
            (ForeignItem::Number(first.parse().unwrap()), second)
        } else {
            (ForeignItem::from(second), first)
        };
        let found = match blooms.iter().find(|(bloom, _)| *bloom == name) {
            Some((_, filter)) => u64::from(filter.contains(item)),
            None => counts.frequency(item).rounded(),
        };
        assert_eq!(found.to_string(), answer, "{line}");
        checked += 1;
    }
    assert_eq!(checked, 115 + 64 + 2 * (260 + 204));
    assert_eq!(counts.total(), 600);
    let foreign = Foreign::decode(&golden("spark-2.bloom")).unwrap();
    assert_eq!(foreign.format().name(), "spark-bloom");
}
