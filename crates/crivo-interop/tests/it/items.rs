//! Sketches that answer about single items: as their writers do, and with bounds that hold.

use crate::{golden, golden_files};
use crivo::MisraGries;
use crivo::rng::Rng;
use crivo_interop::{Bloom, CountMin, Foreign, ForeignItem, Frequent, FrequentItem};
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// The item and the answer of each line of a file of answers, with the name of the golden file.
fn answers(name: &str) -> Vec<(String, bool, String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    let text = fs::read_to_string(path).unwrap();
    let parse = |line: &str| {
        let [name, kind, first, second]: [&str; 4] =
            line.splitn(4, ' ').collect::<Vec<_>>().try_into().unwrap();
        let is_number = kind == "number";
        let (item, answer) = if is_number { (first, second) } else { (second, first) };
        (name.to_string(), is_number, item.to_string(), answer.to_string())
    };
    text.lines().map(parse).collect()
}

/// Every answer of the peers, about texts and numbers, whether they were inserted or not.
#[test]
fn sketches_of_items_answer_as_their_writers_do() {
    let mut sketches = HashMap::new();
    let mut checked = HashMap::new();
    for (name, is_number, item, answer) in
        ["answers-cpp.txt", "answers-java.txt"].into_iter().flat_map(answers)
    {
        let sketch = sketches.entry(name.clone()).or_insert_with(|| {
            let bytes = golden(&name);
            let sketch = Foreign::decode(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(sketch.to_bytes(), bytes, "{name}");
            sketch
        });
        let item = if is_number {
            ForeignItem::Number(item.parse().unwrap())
        } else {
            ForeignItem::from(item.as_str())
        };
        let found = match &*sketch {
            Foreign::Bloom(filter) => u8::from(filter.contains(&item)).to_string(),
            Foreign::CountMin(sketch) => format!("{:?}", sketch.frequency(&item).value()),
            other => {
                let found = other.frequency(item).unwrap();
                format!("{}/{}/{}", found.value(), found.lower(), found.upper())
            }
        };
        assert_eq!(found, answer, "{name} {item:?}");
        *checked.entry(name).or_insert(0) += 1;
    }
    assert_eq!(checked.len(), 6 + 3 + 6 + 3);
    assert!(checked.values().all(|&count| count >= 5));
}

#[test]
fn totals_and_types_are_those_of_the_writer() {
    for file in golden_files(".frequent") {
        let sketch = Foreign::decode(&file.bytes).unwrap();
        assert_eq!(sketch.total().unwrap() as f64, file.expected, "{}", file.name);
        // Nothing in an empty file says of what it is.
        let is_text = matches!(sketch, Foreign::FrequentText(_));
        assert_eq!(is_text, !file.name.contains("longs") || file.name.contains("empty"), "{}", file.name);
        let (top, floor) = sketch.top().unwrap();
        assert!(top.iter().is_sorted_by(|a, b| a.1.lower() >= b.1.lower()));
        assert!(!file.name.contains("many") || (floor > 0 && top.len() <= 12), "{}", file.name);
    }
    for file in golden_files(".countmin") {
        let sketch = CountMin::from_bytes(&file.bytes).unwrap();
        assert_eq!(sketch.total(), file.expected, "{}", file.name);
    }
    for file in golden_files(".dsbloom") {
        assert_eq!(Bloom::from_bytes(&file.bytes).unwrap().bits() as f64, file.expected, "{}", file.name);
    }
}

/// The same items give the same bits and counters.
#[test]
fn equal_items_have_equal_bytes() {
    for (name, count) in [("empty", 0), ("few", 4), ("many", 60)] {
        let mut filter = Bloom::with_seed(500, 5, 77).unwrap();
        for i in 0..count {
            filter.insert(&format!("page {i}"));
            filter.insert(&(i - 3));
        }
        let theirs = Bloom::from_bytes(&golden(&format!("java-{name}.dsbloom"))).unwrap();
        // One counts its bits, the other will.
        let start = if count == 0 { 0 } else { 32 };
        let bits = |filter: &Bloom| filter.to_bytes().split_off(start);
        assert_eq!(bits(&filter), bits(&theirs), "{name}");
        filter.merge(&theirs).unwrap();
        assert_eq!(filter.fill(), theirs.fill());
    }
}

/// The sketch with counters that are whole numbers instead of doubles, as C++ programs may choose.
fn with_whole_counters(sketch: &CountMin) -> CountMin {
    let mut bytes = sketch.to_bytes();
    for word in bytes[16..].as_chunks_mut::<8>().0 {
        *word = (f64::from_le_bytes(*word) as u64).to_le_bytes();
    }
    CountMin::from_bytes(&bytes).unwrap()
}

#[test]
fn the_type_of_counters_is_recognised() {
    let mut doubles = CountMin::with_size(3, 40).unwrap();
    (0..50i64).for_each(|item| doubles.add(&item, 1 + 1000 / (item as u64 + 1)).unwrap());
    let mut whole = with_whole_counters(&doubles);
    assert_eq!(whole.total(), doubles.total());
    let both = |item: i64| (doubles.frequency(&item), whole.frequency(&item));
    for (double, whole) in (0..60).map(both) {
        assert_eq!(double.value(), whole.value());
        assert_eq!(double.lower().ceil(), whole.lower());
    }
    assert!(whole.merge(&doubles).unwrap_err().to_string().contains("doubles"));
    assert_eq!(CountMin::from_bytes(&whole.to_bytes()).unwrap(), whole);
    whole.add("a", (1 << 62) - 1).unwrap();
    let before = whole.clone();
    assert!(whole.add("a", 1 << 62).is_err() && whole.merge(&before).is_err());
    assert_eq!(whole, before);
    // The counters of one item add up as both.
    let mut one = CountMin::with_size(3, 40).unwrap();
    one.add("a", 3).unwrap();
    assert_eq!(CountMin::from_bytes(&one.to_bytes()).unwrap(), one);
    assert_eq!(with_whole_counters(&one).frequency("a").value(), 3.0);
    // Weights that were subtracted show in the rows.
    let mut bytes = doubles.to_bytes();
    bytes[16 + 7] = 0x41;
    assert!(CountMin::from_bytes(&bytes).is_err());
}

/// A stream of skewed items, with their frequencies.
fn stream(seed: u64, items: u64) -> (Vec<i64>, HashMap<i64, u64>) {
    let mut rng = Rng::new(seed);
    let mut draw = || {
        let most = rng.below(200) + 1;
        rng.below(most) as i64
    };
    let stream: Vec<i64> = (0..items).map(|_| draw()).collect();
    let mut counts = HashMap::new();
    for item in &stream {
        *counts.entry(*item).or_default() += 1;
    }
    (stream, counts)
}

fn check_bounds<T: FrequentItem>(sketch: &Frequent<T>, item: impl Fn(i64) -> T, counts: &HashMap<i64, u64>) {
    for number in -1..200 {
        let truth = counts.get(&number).copied().unwrap_or(0) as f64;
        let bounds = sketch.frequency(&item(number));
        assert!(bounds.lower() <= truth && truth <= bounds.upper(), "{number}: {truth}, {bounds}");
    }
}

/// The bounds are certain: after merges, and of our own sketch as theirs.
#[test]
fn frequencies_lie_between_their_bounds() {
    for (seed, counters) in [(1, 8), (2, 24), (3, 400)] {
        let mut merged: Option<Frequent<i64>> = None;
        let mut all = HashMap::new();
        for part in 0..4 {
            let (stream, counts) = stream(seed * 10 + part, 3000);
            let mut ours = MisraGries::<i64>::for_counters(counters).unwrap();
            for item in &stream {
                ours.add(item, 1);
            }
            let sketch = Frequent::from_misra_gries(&ours).unwrap();
            check_bounds(&sketch, |item| item, &counts);
            let sketch = Frequent::<i64>::from_bytes(&sketch.to_bytes()).unwrap();
            check_bounds(&sketch, |item| item, &counts);
            for (item, count) in counts {
                *all.entry(item).or_default() += count;
            }
            match &mut merged {
                None => merged = Some(sketch),
                Some(merged) => merged.merge(&sketch).unwrap(),
            }
            check_bounds(merged.as_ref().unwrap(), |item| item, &all);
        }
        let merged = merged.unwrap();
        assert_eq!(merged.total(), 12_000);
        assert_eq!(Frequent::from_bytes(&merged.to_bytes()).unwrap(), merged);
    }
    let mut theirs = Frequent::<String>::from_bytes(&golden("cpp-texts-many.frequent")).unwrap();
    theirs.merge(&Frequent::from_bytes(&golden("java-texts-many.frequent")).unwrap()).unwrap();
    let truth = (0..200).map(|i| (i, 6 * (1 + 1000 / (i as u64 + 1)))).collect();
    check_bounds(&theirs, |item| format!("page {item}"), &truth);
    assert!((1..=12).contains(&theirs.kept()));
}

#[test]
fn what_cannot_be_written_or_merged_is_refused() {
    let mut huge = MisraGries::<i64>::for_counters(10).unwrap();
    huge.add(&1, 1 << 53);
    assert!(Frequent::from_misra_gries(&huge).unwrap_err().to_string().contains("2^53"));
    let mut full = MisraGries::<i64>::for_counters(10).unwrap();
    full.add(&1, (1 << 53) - 1);
    let half = Frequent::from_misra_gries(&full).unwrap();
    let mut sum = half.clone();
    while sum.total() < 1 << 62 {
        sum.merge(&sum.clone()).unwrap();
    }
    let before = sum.clone();
    assert!(sum.merge(&before).unwrap_err().to_string().contains("2^63"));
    assert_eq!(sum, before);
    for (bits, hashes) in [(0, 1), (1, 0), (1 << 37, 1)] {
        assert!(Bloom::with_seed(bits, hashes, 1).is_err());
    }
    for (rows, width) in [(0, 10), (1, 2), (255, 1 << 30)] {
        assert!(CountMin::with_size(rows, width).is_err());
    }
    let mut filter = Bloom::with_seed(64, 1, 1).unwrap();
    assert!(filter.merge(&Bloom::with_seed(64, 1, 2).unwrap()).is_err());
    let frequent = Foreign::FrequentI64(half);
    assert!(frequent.contains(1).unwrap_err().to_string().contains("is no filter"));
    assert_eq!(frequent.frequency("no number").unwrap().value(), 0.0);
    assert_eq!(frequent.frequency("1").unwrap(), frequent.frequency(1).unwrap());
    let spark = Foreign::decode(&golden("spark-1.bloom")).unwrap();
    assert!(spark.frequency(1).unwrap_err().to_string().contains("how often"));
    assert!(spark.top().is_err() && spark.total().is_err() && spark.contains(-50).unwrap());
    assert_eq!(Foreign::decode(&golden("spark-counts.cms")).unwrap().total().unwrap(), 600);
}

/// At most the stated rate of absent items is found, within five standard deviations of 10,000 trials.
#[test]
fn false_positives_are_as_many_as_the_fill_says() {
    let mut filter = Bloom::with_seed(4096, 3, 5).unwrap();
    (0..500).for_each(|item: i32| filter.insert(&item));
    assert!((0..500).all(|item: i32| filter.contains(&item)));
    let found = (1_000_000..1_010_000).filter(|item: &i32| filter.contains(item)).count() as f64;
    let expected = 10_000.0 * filter.fpr();
    assert!((found - expected).abs() < 5.0 * expected.sqrt(), "{found}, expected {expected}");
}
