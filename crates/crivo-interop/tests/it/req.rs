//! REQ sketches: read as they were written, with the ranks of their writer and intervals that contain the truth.

use crate::{golden, golden_files};
use crivo::rng::Rng;
use crivo::stats::binomial_band;
use crivo_interop::{Foreign, KllItem, Req};
use std::collections::HashMap;
use std::fs;
use std::path::Path;

#[test]
fn sketches_are_recognised_and_written_as_they_were() {
    for file in golden_files(".req") {
        let name = &file.name;
        let sketch = Foreign::decode(&file.bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        // Of up to four values, C++ writes zeros that no library reads.
        let read = if name.contains("raw") { &file.bytes[..8 + 4 * 4] } else { &file.bytes };
        assert_eq!(sketch.to_bytes(), read, "{name}");
        assert_eq!(sketch.total().unwrap() as f64, file.expected, "{name}");
        // Nothing in an empty file says of what it is, and a single 0 does not either.
        let is_float = matches!(sketch, Foreign::ReqF32(_));
        let is_told = !name.contains("empty") && !name.contains("one");
        assert!(!is_told || is_float == name.contains("floats"), "{name}: {sketch:?}");
    }
}

/// The ranks in the file of answers, to the last digit, but for values from the least on, which have at least the rank 1, and those below
/// the greatest.
#[test]
fn ranks_are_those_of_the_writer() {
    fn check<T: KllItem>(bytes: &[u8], item: &T, answer: f64) {
        let sketch = Req::<T>::from_bytes(bytes).unwrap();
        let total = sketch.total() as f64;
        let found = sketch.rank(item).value() / total;
        let is_between = sketch.min().is_some_and(|min| item.order(min).is_ge())
            && sketch.max().is_some_and(|max| item.order(max).is_lt());
        let answer = if is_between { answer.clamp(1.0 / total, (total - 1.0) / total) } else { answer };
        assert_eq!(found, answer, "{item:?}");
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/answers-req.txt");
    let mut files = HashMap::new();
    let mut checked = 0;
    for line in fs::read_to_string(path).unwrap().lines() {
        let [name, item, answer]: [&str; 3] = line.split(' ').collect::<Vec<_>>().try_into().unwrap();
        let bytes = files.entry(name.to_string()).or_insert_with(|| golden(name));
        let answer = answer.parse().unwrap();
        if name.contains("floats") {
            check::<f32>(bytes, &item.parse().unwrap(), answer);
        } else {
            check::<i32>(bytes, &item.parse().unwrap(), answer);
        }
        checked += 1;
    }
    assert!(checked > 800);
}

#[test]
fn quantiles_lie_where_the_writer_was_accurate() {
    // The n-th value is its rank, less one; 36 values at the accurate end are exact.
    for end in ["high", "low"] {
        let sketch = Req::<i32>::from_bytes(&golden(&format!("cpp-ints-{end}-many.req"))).unwrap();
        assert_eq!((sketch.min(), sketch.max(), sketch.is_high()), (Some(&0), Some(&2999), end == "high"));
        for rank in [2970, 2990, 2999, 30, 10, 1500] {
            let quantile = sketch.quantile((f64::from(rank) - 0.5) / 3000.0).unwrap();
            let is_far = if end == "high" { rank > 2964 } else { rank < 36 };
            assert_eq!(quantile.lower() == quantile.upper(), is_far, "{end} {rank}: {quantile}");
            assert!((quantile.lower()..=quantile.upper()).contains(&&(rank - 1)), "{end} {rank}: {quantile}");
        }
    }
    let empty = Req::<f32>::from_bytes(&golden("cpp-floats-low-empty.req")).unwrap();
    assert!(empty.quantile(0.5).is_err() && empty.min().is_none());
}

/// The values from 0 in random order, in parts that are written, read and merged.
fn merged(k: u16, is_high: bool, values: u32, parts: usize, rng: &mut Rng) -> Req<f64> {
    let mut order: Vec<u32> = (0..values).collect();
    for last in (1..order.len()).rev() {
        order.swap(last, rng.below(last as u64 + 1) as usize);
    }
    let sketches = order.chunks(order.len().div_ceil(parts)).map(|part| {
        let mut sketch = Req::with_seed(k, is_high, rng.next_u64()).unwrap();
        for &value in part {
            sketch.insert(f64::from(value)).unwrap();
        }
        Req::from_bytes(&sketch.to_bytes()).unwrap()
    });
    let all = sketches.reduce(|mut all, part| {
        all.merge(&part).unwrap();
        all
    });
    all.unwrap()
}

#[test]
fn intervals_contain_the_truth() {
    const TRIALS: u64 = 200;
    const VALUES: u32 = 10_000;
    let (least, _) = binomial_band(TRIALS, 0.95, 1e-6);
    let mut rng = Rng::new(8);
    for (k, is_high, parts) in [(12, true, 1), (12, false, 1), (12, true, 7), (4, true, 1), (40, false, 3)] {
        let mut hits = [0; 5];
        let mut quantiles = [0; 5];
        for _ in 0..TRIALS {
            let sketch = merged(k, is_high, VALUES, parts, &mut rng);
            assert_eq!(sketch.total(), u64::from(VALUES));
            for (place, share) in [0.001, 0.1, 0.5, 0.9, 0.999].into_iter().enumerate() {
                let truth = share * f64::from(VALUES);
                hits[place] += u64::from(sketch.rank(&(truth - 1.0)).contains(truth));
                let quantile = sketch.quantile((truth - 0.5) / f64::from(VALUES)).unwrap();
                quantiles[place] +=
                    u64::from((quantile.lower()..=quantile.upper()).contains(&&(truth - 1.0)));
            }
        }
        println!("k {k}, {is_high}, {parts} parts: {hits:?}, {quantiles:?} of {TRIALS}, at least {least}");
        let lowest = hits.iter().chain(&quantiles).min().unwrap();
        assert!(*lowest as f64 >= least, "k {k}, {is_high}, {parts} parts: {hits:?}, {quantiles:?}");
    }
}

#[test]
fn sketches_round_trip_and_count_all() {
    let mut rng = Rng::new(5);
    for items in [0, 1, 2, 4, 5, 33, 5000] {
        let mut sketch = Req::with_seed(6, true, 3).unwrap();
        (0..items).for_each(|_| sketch.insert(rng.below(1 << 20) as i32 - 1000).unwrap());
        let read = Req::from_bytes(&sketch.to_bytes()).unwrap();
        assert_eq!((&read, sketch.total()), (&sketch, items), "{items}");
        let mut twice = sketch.clone();
        twice.merge(&read).unwrap();
        assert_eq!(twice.total(), 2 * items);
        assert_eq!(Req::from_bytes(&twice.to_bytes()).unwrap(), twice);
    }
    let (mut high, low) = (Req::with_seed(12, true, 1).unwrap(), Req::with_seed(12, false, 1).unwrap());
    high.insert(1.0f32).unwrap();
    assert!(high.merge(&low).unwrap_err().to_string().contains("accurate end"));
    assert!(high.insert(f32::NAN).is_err());
    for k in [2, 13, 1026] {
        assert!(Req::<f32>::with_seed(k, true, 1).is_err());
    }
}

/// A level cannot have sections that its k never leads to, and bits of its state do not overflow.
#[test]
fn impossible_levels_are_refused() {
    let bytes = golden("cpp-floats-high-many.req");
    let first = 8 + 8 + 2 * 4;
    for (place, value) in
        [(first + 13, 4), (first + 13, 255), (first + 12, 1), (first + 11, 0), (4, 13), (6, 1), (6, 99)]
    {
        let mut changed = bytes.clone();
        changed[place] = value;
        assert!(Req::<f32>::from_bytes(&changed).is_err(), "{place} {value}");
    }
    let mut busy = bytes;
    busy[first..first + 8].fill(0xff);
    let mut busy = Req::<f32>::from_bytes(&busy).unwrap();
    (0..3000u16).for_each(|value| busy.insert(value.into()).unwrap());
    assert_eq!(Req::from_bytes(&busy.to_bytes()).unwrap(), busy);
}
