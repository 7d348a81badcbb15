//! Bytes that must never change: files written once, and one number over thousands of states.
//!
//! A missing file is written with `CRIVO_WRITE_GOLDEN=1 cargo test --test it golden`; an existing one never is.

use crate::structures::{KEY, OPTIONS, Subject, specs};
use crivo::rng::Rng;
use crivo::sketch::AnySketch;
use crivo::{HashSpec, KINDS, Kind, decode};
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

pub(crate) fn check<S: Subject>(case: &str, sketch: &S) {
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
pub(crate) fn filled<S: Subject>(mut sketch: S, count: u64) -> S {
    for i in 0..count / 2 {
        sketch.see(&i);
        sketch.see(format!("item {i}").as_str());
    }
    sketch
}

/// The cases of every structure.
pub(crate) fn check_cases<S: Subject>(make: impl Fn(HashSpec) -> S, few: u64, many: u64) {
    let [plain, seeded, keyed] = specs();
    assert_eq!(keyed, HashSpec::keyed(KEY));
    check("empty", &make(plain));
    check("small", &filled(make(plain), few));
    check("filled", &filled(make(plain), many));
    check("seeded", &filled(make(seeded), few));
    check("keyed", &filled(make(keyed), few));
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

/// One number over the bytes of many sketches of many streams is what it always was.
pub(crate) fn assert_fingerprint<S: Subject>(kind: Kind, makes: &[&dyn Fn(HashSpec) -> S], expected: u64) {
    let digest = HashSpec::seeded(0);
    let mut rng = Rng::new(100);
    let mut fingerprint = 0u64;
    for make in makes {
        for spec in specs() {
            for length in make(spec).lengths() {
                for _ in 0..20 {
                    let mut sketch = make(spec).having_seen(&S::stream(&mut rng, length));
                    assert_eq!(sketch.kind(), kind);
                    for _ in 0..3 {
                        let state = [&fingerprint.to_le_bytes()[..], &sketch.to_bytes()].concat();
                        fingerprint = digest.hash_bytes(&state);
                        sketch.peculiar(&mut rng);
                    }
                }
            }
        }
    }
    assert_eq!(fingerprint, expected, "{kind:?}: {fingerprint:#x}");
}
