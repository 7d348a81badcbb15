//! Bytes that must never change: files written once, and one number over thousands of states.
//!
//! A missing file is written with `CRIVO_WRITE_GOLDEN=1 cargo test --test it golden`; an existing one never is.

use crate::subject::{KEY, OPTIONS, Subject, lengths, specs, stream};
use crivo::rng::Rng;
use crivo::sketch::AnySketch;
use crivo::{BloomFilter, BloomParams, CountMin, CountMinParams, HashSpec, HyperLogLog, KINDS, decode};
use std::fs;
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// The names of the golden files.
pub(crate) fn file_names() -> Vec<String> {
    let entries = fs::read_dir(folder()).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// An empty sketch of every kind.
pub(crate) fn one_of_each() -> Vec<Box<dyn AnySketch>> {
    let read = |name| fs::read(folder().join(format!("{name}-v1-empty.crv"))).unwrap();
    KINDS.iter().map(|info| decode(&read(info.name), &OPTIONS).unwrap()).collect()
}

fn check<S: Subject>(case: &str, sketch: &S) {
    let name = format!("{}-v1-{case}.crv", sketch.kind().info().name);
    let path = folder().join(&name);
    if !path.exists() && std::env::var_os("CRIVO_WRITE_GOLDEN").is_some() {
        fs::write(&path, sketch.to_bytes()).unwrap();
    }
    let bytes =
        fs::read(&path).unwrap_or_else(|error| panic!("{name}: {error}; CRIVO_WRITE_GOLDEN=1 writes it"));
    let read = S::from_bytes_with(&bytes, &OPTIONS).unwrap();
    assert_eq!(&read, sketch, "{name}");
    assert_eq!(read.to_bytes(), bytes, "{name}");
    assert_eq!(decode(&bytes, &OPTIONS).unwrap().encode(), bytes, "{name}");
}

/// Numbers and texts, so that the hashes of both are frozen too.
fn filled<S: Subject>(mut sketch: S, count: u64) -> S {
    for i in 0..count / 2 {
        sketch.see(&i);
        sketch.see(format!("item {i}").as_str());
    }
    sketch
}

/// The cases of every structure.
fn check_cases<S: Subject>(make: impl Fn(HashSpec) -> S, few: u64, many: u64) {
    let [plain, seeded, keyed] = specs();
    assert_eq!(keyed, HashSpec::keyed(KEY));
    check("empty", &make(plain));
    check("small", &filled(make(plain), few));
    check("filled", &filled(make(plain), many));
    check("seeded", &filled(make(seeded), few));
    check("keyed", &filled(make(keyed), few));
}

#[test]
fn bloom_filter_files() {
    check_cases(|spec| BloomFilter::with_spec(BloomParams::for_fpr(200, 0.01).unwrap(), spec), 20, 400);
    check("odd-size", &filled(BloomFilter::new(BloomParams::exact(1003, 3).unwrap()), 100));
}

#[test]
fn hyperloglog_files() {
    check_cases(|spec| HyperLogLog::with_spec(10, spec).unwrap(), 100, 5000);
    check("sparse-full", &filled(HyperLogLog::new(10).unwrap(), 170));
    let mut dense = filled(HyperLogLog::new(10).unwrap(), 170);
    dense.insert("one more");
    check("dense-first", &dense);
    check("precision-4", &filled(HyperLogLog::new(4).unwrap(), 100));
    check("precision-18", &filled(HyperLogLog::new(18).unwrap(), 100));
    let mut ends = HyperLogLog::new(12).unwrap();
    ends.insert_hashes(&[0, 1, 1 << 63, u64::MAX, 0xfff << 52, 1 << 33, 1 << 32]);
    check("extreme-ranks", &ends);
}

#[test]
fn count_min_files() {
    let params = CountMinParams::exact(50, 4).unwrap();
    check_cases(|spec| CountMin::with_spec(params, spec), 20, 2000);
    check("conservative", &filled(CountMin::new(params.conservative()), 2000));
    let mut wide = filled(CountMin::new(params.with_counter_bits(64).unwrap()), 200);
    wide.add("often", 1 << 40);
    check("64-bit", &wide);
    wide.add("too often", u64::MAX);
    check("64-bit-saturated", &wide);
    let mut narrow = filled(CountMin::new(params), 200);
    narrow.add("too often", u64::MAX);
    check("saturated", &narrow);
}

#[test]
fn every_file_belongs_to_a_kind() {
    for name in file_names() {
        let kind = KINDS.iter().find(|info| name.starts_with(&format!("{}-v1-", info.name)));
        let bytes = fs::read(folder().join(&name)).unwrap();
        let info = kind.unwrap_or_else(|| panic!("{name} is named after no kind"));
        assert_eq!(decode(&bytes, &OPTIONS).unwrap().kind(), info.kind, "{name}");
    }
}

/// One number over the bytes of many sketches of many streams.
fn fingerprint<S: Subject>(makes: &[&dyn Fn(HashSpec) -> S]) -> u64 {
    let digest = HashSpec::seeded(0);
    let mut rng = Rng::new(100);
    let mut fingerprint = 0u64;
    for make in makes {
        for spec in specs() {
            for length in lengths(make(spec).scale()) {
                for _ in 0..20 {
                    let mut sketch = make(spec).having_seen(&stream(&mut rng, length));
                    for _ in 0..3 {
                        let state = [&fingerprint.to_le_bytes()[..], &sketch.to_bytes()].concat();
                        fingerprint = digest.hash_bytes(&state);
                        sketch.peculiar(&mut rng);
                    }
                }
            }
        }
    }
    fingerprint
}

#[test]
fn fingerprints_of_all_states() {
    let bloom =
        |bits, hashes| move |spec| BloomFilter::with_spec(BloomParams::exact(bits, hashes).unwrap(), spec);
    let hyperloglog = |precision| move |spec| HyperLogLog::with_spec(precision, spec).unwrap();
    let count_min = |width, depth, bits| {
        let params = CountMinParams::exact(width, depth).unwrap().with_counter_bits(bits).unwrap();
        move |spec| CountMin::with_spec(params, spec)
    };
    let conservative = |spec| CountMin::with_spec(CountMinParams::exact(40, 3).unwrap().conservative(), spec);
    let found = [
        ("bloom-filter", fingerprint(&[&bloom(1, 1), &bloom(64, 3), &bloom(1003, 7), &bloom(8192, 6)])),
        ("hyperloglog", fingerprint(&[&hyperloglog(4), &hyperloglog(6), &hyperloglog(9), &hyperloglog(12)])),
        (
            "count-min",
            fingerprint(&[&count_min(1, 1, 32), &count_min(50, 5, 32), &count_min(64, 2, 64), &conservative]),
        ),
    ];
    for ((name, found), info) in found.iter().zip(KINDS) {
        assert_eq!(*name, info.name);
        println!("(\"{name}\", {found:#x}),");
    }
    assert_eq!(found, FINGERPRINTS, "{found:#x?}");
    assert_eq!(found.len(), KINDS.len(), "every kind has its fingerprint");
}

const FINGERPRINTS: [(&str, u64); 3] = [
    ("bloom-filter", 0x7621_2226_1915_0847),
    ("hyperloglog", 0x03bb_ac39_34a3_48aa),
    ("count-min", 0x101e_8b33_0ae8_2421),
];
