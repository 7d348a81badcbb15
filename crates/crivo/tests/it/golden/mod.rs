//! Bytes that must never change: files written once, and one number over thousands of states.
//!
//! Files of the first default hash are named after their case; those of the present one have the prefix `xxh3-`. Early
//! files that no test generates any more must still be read, and written again unchanged.
//!
//! A missing file is written with `CRIVO_WRITE_GOLDEN=1 cargo test --test it -- golden structures`; an existing one is
//! never overwritten.

mod table;

use crate::robustness::sealed;
use crate::structures::{FROZEN_SIZES, Frozen, OPTIONS, Specimen, Subject, distinct, early_specs, specs};
use crivo::hash::Algorithm;
use crivo::rng::Rng;
use crivo::sketch::Sketch;
use crivo::{DecodeOptions, ErrorKind, HashSpec, KINDS, Kind, decode, peek};
use std::fs;
use std::path::PathBuf;

pub(crate) use table::{FROZEN, SUBJECTS};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// The names of the golden files.
pub(crate) fn file_names() -> Vec<String> {
    let entries = fs::read_dir(folder()).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// The golden files, by name.
pub(crate) fn golden_files() -> Vec<(String, Vec<u8>)> {
    let read = |name: String| (name.clone(), fs::read(folder().join(name)).unwrap());
    file_names().into_iter().map(read).collect()
}

/// An empty sketch of every kind.
pub(crate) fn one_of_each() -> Vec<Box<dyn Sketch>> {
    let read = |name| fs::read(folder().join(format!("{name}-v1-empty.crv"))).unwrap();
    KINDS.iter().map(|info| decode(&read(info.kind.name()), &OPTIONS).unwrap()).collect()
}

pub(crate) fn check(case: &str, sketch: &dyn Specimen) {
    check_form(case, sketch, Sketch::to_bytes);
}

pub(crate) fn check_compact(case: &str, sketch: &dyn Specimen) {
    check_form(case, sketch, Sketch::to_compact_bytes);
}

fn check_form(case: &str, sketch: &dyn Specimen, to_bytes: fn(&dyn Sketch) -> Vec<u8>) {
    let is_xxh3 = sketch.hashing().is_some_and(|spec| spec.algorithm() == Algorithm::Xxh3);
    let name = format!("{}-v1-{}{case}.crv", sketch.kind().name(), if is_xxh3 { "xxh3-" } else { "" });
    let path = folder().join(&name);
    if !path.exists() && std::env::var_os("CRIVO_WRITE_GOLDEN").is_some() {
        fs::write(&path, to_bytes(sketch)).unwrap();
    }
    let bytes =
        fs::read(&path).unwrap_or_else(|error| panic!("{name}: {error}; CRIVO_WRITE_GOLDEN=1 writes it"));
    let read = sketch.read(&bytes, &OPTIONS).result.unwrap();
    assert!(sketch.equals(&*read), "{name}: {read:?}, not {sketch:?}");
    assert_eq!(to_bytes(&*read), bytes, "{name}");
    assert_eq!(to_bytes(&*decode(&bytes, &OPTIONS).unwrap()), bytes, "{name}");
}

/// Also reads files from before the introduction of tags.
const EVEN_UNTAGGED: DecodeOptions = DecodeOptions { accept_untagged: true, ..OPTIONS };

/// Checks a keyed sketch: the present file has a tag; an early file without one is read if that is requested.
fn check_keyed(sketch: &dyn Specimen) {
    if sketch.hashing().is_none() {
        return check("keyed", sketch);
    }
    check("tagged", sketch);
    let name = format!("{}-v1-keyed.crv", sketch.kind().name());
    let bytes = fs::read(folder().join(&name)).unwrap();
    let refused = sketch.read(&bytes, &OPTIONS).result.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Unsupported, "{name}");
    assert!(sketch.equals(&*sketch.read(&bytes, &EVEN_UNTAGGED).result.unwrap()), "{name}");
}

/// A file without its tag, as early files are.
fn untagged(file: &[u8]) -> Vec<u8> {
    if !peek(file).unwrap().tagged {
        return file.to_vec();
    }
    let mut body = file[..file.len() - 16 - 8].to_vec();
    body[5] = 1;
    sealed(&body)
}

/// Inserts numbers and texts, so that the hashes of both are frozen.
pub(crate) fn filled<S: Subject>(mut sketch: S, count: u64) -> S {
    for i in 0..count / 2 {
        sketch.see(&i);
        sketch.see(format!("item {i}").as_str());
    }
    sketch
}

/// The cases of every structure, under both default hashes if it hashes at all.
pub(crate) fn check_cases<S: Subject>(make: impl Fn(HashSpec) -> S, few: u64, many: u64) {
    let hashes = make(HashSpec::default()).hashing().is_some();
    for [plain, seeded, keyed] in [early_specs(), specs()].into_iter().take(1 + usize::from(hashes)) {
        check("empty", &make(plain));
        check("small", &filled(make(plain), few));
        check("filled", &filled(make(plain), many));
        check("seeded", &filled(make(seeded), few));
        check_keyed(&filled(make(keyed), few));
    }
}

#[test]
fn every_file_belongs_to_a_kind() {
    for name in file_names() {
        let kind = KINDS.iter().find(|info| name.starts_with(&format!("{}-v1-", info.kind.name())));
        let bytes = fs::read(folder().join(&name)).unwrap();
        let info = kind.unwrap_or_else(|| panic!("{name} is named after no kind"));
        let sketch = decode(&bytes, &EVEN_UNTAGGED).unwrap();
        assert_eq!(sketch.kind(), info.kind, "{name}");
        let header = peek(&bytes).unwrap();
        let is_canonical = [sketch.to_bytes(), sketch.to_compact_bytes()].contains(&bytes);
        // Early keyed files have no tag, and get one.
        assert!(is_canonical || header.keyed && !header.tagged, "{name}");
    }
}

/// Adds one more state, without its tag, to a fingerprint; tags are frozen by files.
fn joined(fingerprint: u64, state: &[u8]) -> u64 {
    HashSpec::rapid(0).hash_bytes(&[&fingerprint.to_le_bytes()[..], &untagged(state)].concat())
}

/// One number over the bytes of many sketches of many streams never changes. It is computed under the early hash,
/// because the new one differs only in the hashes of texts.
pub(crate) fn assert_fingerprint<S: Subject>(kind: Kind, makes: &[&dyn Fn(HashSpec) -> S], expected: u64) {
    let mut rng = Rng::new(100);
    let mut fingerprint = 0u64;
    for make in makes {
        for spec in early_specs() {
            for length in make(spec).lengths() {
                for _ in 0..20 {
                    let mut sketch = make(spec).having_seen(&S::stream(&mut rng, length));
                    assert_eq!(sketch.kind(), kind);
                    for _ in 0..3 {
                        fingerprint = joined(fingerprint, &sketch.to_bytes());
                        sketch.peculiar(&mut rng);
                    }
                }
            }
        }
    }
    assert_eq!(fingerprint, expected, "{kind:?}: {fingerprint:#x}");
}

/// The corresponding tests of static filters.
pub(crate) mod frozen {
    use super::*;

    /// The hashes of numbers and texts, as `filled` inserts them.
    fn hashes(spec: HashSpec, count: u64) -> Vec<u64> {
        (0..count / 2).flat_map(|i| [spec.hash(&i), spec.hash(format!("item {i}").as_str())]).collect()
    }

    pub(crate) fn check_cases<S: Frozen>(make: impl Fn(&[u64], HashSpec) -> S, few: u64, many: u64) {
        let does_hash = make(&[], HashSpec::default()).hashing().is_some();
        for [plain, seeded, keyed] in [early_specs(), specs()].into_iter().take(1 + usize::from(does_hash)) {
            check("empty", &make(&[], plain));
            check("small", &make(&hashes(plain, few), plain));
            check("filled", &make(&hashes(plain, many), plain));
            check("seeded", &make(&hashes(seeded, few), seeded));
            check_keyed(&make(&hashes(keyed, few), keyed));
        }
    }

    /// Freezes hashes.
    pub(crate) type Make<'a, S> = &'a dyn Fn(&[u64], HashSpec) -> S;

    pub(crate) fn assert_fingerprint<S: Frozen>(kind: Kind, makes: &[Make<'_, S>], expected: u64) {
        let mut rng = Rng::new(101);
        let mut fingerprint = 0u64;
        for make in makes {
            for spec in early_specs() {
                for length in FROZEN_SIZES {
                    let hashes: Vec<u64> = distinct(&mut rng, length).iter().map(|i| spec.hash(i)).collect();
                    let filter = make(&hashes, spec);
                    assert_eq!(filter.kind(), kind);
                    fingerprint = joined(fingerprint, &filter.to_bytes());
                }
            }
        }
        assert_eq!(fingerprint, expected, "{kind:?}: {fingerprint:#x}");
    }
}
