//! t-digests: read as they were written, with intervals that contain the truth of streams in no particular order.

use crate::{golden, golden_files};
use crivo::Number;
use crivo::rng::Rng;
use crivo::stats::binomial_band;
use crivo_interop::{Foreign, TDigest};

#[test]
fn digests_are_written_as_they_were() {
    for file in golden_files(".tdigest") {
        let name = &file.name;
        let digest = TDigest::from_bytes(&file.bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(digest.to_bytes(), file.bytes, "{name}");
        assert_eq!(digest.total() as f64, file.expected, "{name}");
        assert_eq!(digest.is_of_floats(), name.contains("floats") && !name.contains("empty"), "{name}");
        if digest.total() > 0 {
            assert_eq!((digest.min(), digest.max()), (Some(0.0), Some(file.expected - 1.0)), "{name}");
        }
    }
    let few = TDigest::from_bytes(&golden("cpp-doubles-few.tdigest")).unwrap();
    let median = few.quantile(0.5).unwrap();
    assert_eq!((*median.value(), *median.lower(), *median.upper()), (4.5, 3.0, 6.0));
}

/// Values that were added in the same order give the same centroids, but for the last one: C++ also merges it.
#[test]
fn equal_values_give_the_centroids_of_the_peer() {
    let mut digest = TDigest::for_k(20).unwrap();
    for i in 0..5000u32 {
        digest.insert(f64::from(i * 7919 % 5000)).unwrap();
    }
    let theirs = TDigest::from_bytes(&golden("java-doubles-many.tdigest")).unwrap();
    for q in [0.001, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999] {
        assert_eq!(digest.quantile(q).unwrap(), theirs.quantile(q).unwrap(), "{q}");
    }
}

/// A value of a stream: uniform, or skewed, or of two far groups.
fn draw(rng: &mut Rng, shape: u64) -> f64 {
    let uniform = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    match shape {
        0 => uniform,
        1 => -(1.0 - uniform).ln(),
        _ if uniform < 0.3 => uniform,
        _ => 1e6 * uniform,
    }
}

/// Of 95 % intervals, 95 % contain the value of the rank at least, also after merges.
#[test]
fn intervals_contain_the_truth() {
    const TRIALS: u64 = 300;
    const FALSE_ALARM: f64 = 1e-6;
    const SHARES: [f64; 6] = [0.01, 0.3, 0.5, 0.9, 0.99, 0.999];
    let (least, _) = binomial_band(TRIALS, 0.95, FALSE_ALARM);
    for (shape, parts, values) in
        [(0, 1, 3000), (1, 1, 3000), (2, 1, 3000), (1, 5, 3000), (0, 1, 70), (1, 20, 4000)]
    {
        let mut rng = Rng::new(shape * 100 + parts);
        let mut hits = [0; SHARES.len()];
        for _ in 0..TRIALS {
            let mut all = Vec::new();
            let digests = (0..parts).map(|_| {
                let mut digest = TDigest::for_k(20).unwrap();
                for _ in 0..values / parts {
                    let value = draw(&mut rng, shape);
                    all.push(value);
                    digest.insert(value).unwrap();
                }
                TDigest::from_bytes(&digest.to_bytes()).unwrap()
            });
            let merged = digests.reduce(|mut merged, part| {
                merged.merge(&part).unwrap();
                merged
            });
            let merged = Foreign::TDigest(merged.unwrap());
            all.sort_by(f64::total_cmp);
            for ((q, hits), found) in SHARES.iter().zip(&mut hits).zip(merged.quantiles(&SHARES).unwrap()) {
                let truth = Number::from(all[(q * all.len() as f64) as usize]);
                *hits += u64::from((*found.lower()..=*found.upper()).contains(&truth));
            }
        }
        println!("shape {shape}, {parts} parts: {hits:?} of {TRIALS}, at least {least}");
        assert!(
            hits.iter().all(|&hits| hits as f64 >= least),
            "shape {shape}, {parts} parts: {hits:?}, expected {least}"
        );
    }
}

#[test]
fn what_has_no_mean_is_refused() {
    assert!(TDigest::for_k(9).is_err());
    let mut digest = TDigest::for_k(10).unwrap();
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(digest.insert(value).is_err());
    }
    assert!(digest.quantile(0.5).unwrap_err().to_string().contains("quantile"));
    for value in [f64::MAX, f64::MIN, 1.0] {
        digest.insert(value).unwrap();
    }
    assert_eq!(*digest.quantile(1.0).unwrap().value(), f64::MAX);
    assert!(digest.quantile(0.4).unwrap().value().is_finite() && digest.quantile(1.1).is_err());
    let floats = TDigest::from_bytes(&golden("cpp-floats-few.tdigest")).unwrap();
    assert!(digest.merge(&floats).unwrap_err().to_string().contains("floats"));
    let mut empty = TDigest::for_k(50).unwrap();
    empty.merge(&floats).unwrap();
    assert_eq!((empty.total(), empty.is_of_floats(), empty.k()), (10, true, 50));
    let foreign = Foreign::decode(&floats.to_bytes()).unwrap();
    assert_eq!(foreign.quantiles(&[0.0, 0.5]).unwrap().len(), 2);
}

#[test]
fn quantiles_of_equal_values_are_the_value() {
    let mut digest = TDigest::for_k(20).unwrap();
    (0..5000).for_each(|_| digest.insert(0.1).unwrap());
    for percent in 0..=100 {
        let found = digest.quantile(f64::from(percent) / 100.0).unwrap();
        assert_eq!((*found.lower(), *found.value(), *found.upper()), (0.1, 0.1, 0.1));
    }
}
