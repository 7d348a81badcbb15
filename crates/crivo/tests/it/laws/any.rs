//! Sketches whose kind is not known: `decode`, `peek` and the columns of `KINDS`.

use crate::golden::one_of_each;
use crate::structures::{KEY, OPTIONS, Specimen, Subject, distinct, specs};
use crivo::hash::Algorithm;
use crivo::rng::Rng;
use crivo::sketch::Sketch;
use crivo::{DecodeOptions, ErrorKind, HashSpec, decode, peek};

pub(super) fn any_sketch<S: Subject>(make: impl Fn(HashSpec) -> S) {
    let mut rng = Rng::new(80);
    for spec in specs() {
        let empty = make(spec);
        // The views put 110 more in.
        let most = empty.most().saturating_sub(110);
        for length in [0, 1, empty.scale(), 3 * empty.scale()].map(|length| length.min(most)) {
            let sketch = make(spec).having_seen(&distinct(&mut rng, length));
            reads_as_itself(&sketch);
            views_are_the_sketch(&sketch, &mut rng);
            other_kinds_do_not_merge(&sketch);
        }
        keys_are_needed(&make(spec).having_seen(&distinct(&mut rng, 10)));
    }
}

fn inner<S: Specimen>(any: &dyn Sketch) -> &S {
    any.downcast_ref().unwrap()
}

pub(super) fn reads_as_itself<S: Specimen>(sketch: &S) {
    let bytes = sketch.to_bytes();
    let mut any = decode(&bytes, &OPTIONS).unwrap();
    assert_eq!(any.to_bytes(), bytes);
    assert_eq!(any.kind(), sketch.kind());
    assert_eq!(any.hashing(), sketch.hashing());
    assert_eq!(any.facts(), sketch.facts());
    assert_eq!(inner::<S>(&*any), sketch);
    assert_eq!(any.downcast_mut::<S>().unwrap(), sketch);
    assert!(format!("{any:?}").contains(sketch.kind().name()));
    assert_eq!(format!("{sketch:?}").lines().count(), 1, "{sketch:?}");
    let header = peek(&bytes).unwrap();
    assert_eq!(header.kind, sketch.kind());
    assert_eq!(header.algorithm, sketch.hashing().map(HashSpec::algorithm));
    assert_eq!(header.seed_or_fingerprint, sketch.hashing().map_or(0, HashSpec::fingerprint));
    assert_eq!(header.keyed, header.algorithm == Some(Algorithm::SipHash));
}

fn views_are_the_sketch<S: Subject>(sketch: &S, rng: &mut Rng) {
    let info = sketch.kind().info();
    let mut any: Box<dyn Sketch> = Box::new(sketch.clone());
    let other = sketch.apart().having_seen(&distinct(rng, 10));
    let mut expected = sketch.clone();
    if sketch.merge_law().is_some() {
        any.merge_any(&other).unwrap();
        expected = expected.merged_with(&other);
        assert_eq!(inner::<S>(&*any), &expected);
    }
    let hashes: Vec<u64> = (0..100).map(|_| rng.next_u64()).collect();
    if let Some(view) = info.insert {
        let inserts = view(&mut *any).unwrap();
        inserts.try_insert_hash(hashes[0]).unwrap();
        inserts.try_insert_hashes(&hashes[1..]).unwrap();
        expected.see_hashes(&hashes);
        assert_eq!(inner::<S>(&*any), &expected);
    }
    let answers = |list: &[bool]| list.iter().filter(|&&answer| answer).count();
    if let Some(view) = info.membership {
        let filter = view(&*any).unwrap();
        if info.insert.is_some() {
            assert_eq!(answers(&filter.contains_hashes(&hashes)), 100);
            assert!(filter.contains_hash(hashes[0]) && filter.fpr().value() > 0.0);
        } else {
            let one_by_one: Vec<bool> = hashes.iter().map(|&hash| filter.contains_hash(hash)).collect();
            assert_eq!(filter.contains_hashes(&hashes), one_by_one);
        }
    }
    if let Some(view) = info.cardinality {
        assert!(view(&*any).unwrap().estimate().value() > 0.0);
    }
}

pub(super) fn other_kinds_do_not_merge<S: Specimen>(sketch: &S) {
    let info = sketch.kind().info();
    for mut other in one_of_each().into_iter().filter(|other| other.kind() != sketch.kind()) {
        assert_eq!(
            S::from_bytes_with(&other.to_bytes(), &OPTIONS).unwrap_err().kind(),
            ErrorKind::Incompatible
        );
        let mut any: Box<dyn Sketch> = Box::new(sketch.clone());
        assert_eq!(any.merge_any(&*other).unwrap_err().kind(), ErrorKind::Incompatible);
        assert_eq!(inner::<S>(&*any), sketch);
        let before = other.to_bytes();
        assert_eq!(other.merge_any(sketch).unwrap_err().kind(), ErrorKind::Incompatible);
        assert_eq!(other.to_bytes(), before);
        assert!(info.insert.is_none_or(|view| view(&mut *other).is_none()));
        assert!(info.remove.is_none_or(|view| view(&mut *other).is_none()));
        assert!(info.membership.is_none_or(|view| view(&*other).is_none()));
        assert!(info.cardinality.is_none_or(|view| view(&*other).is_none()));
    }
}

pub(super) fn keys_are_needed<S: Specimen>(sketch: &S) {
    let bytes = sketch.to_bytes();
    let with_key = |key| DecodeOptions { key, ..OPTIONS };
    if !peek(&bytes).unwrap().keyed {
        assert_eq!(inner::<S>(&*decode(&bytes, &with_key(None)).unwrap()), sketch);
        return;
    }
    assert!(!bytes.windows(8).any(|part| KEY.starts_with(part)), "the key is in the file");
    assert_eq!(decode(&bytes, &with_key(None)).unwrap_err().kind(), ErrorKind::Unsupported);
    let wrong = Some(*b"not the same key");
    assert_eq!(decode(&bytes, &with_key(wrong)).unwrap_err().kind(), ErrorKind::Incompatible);
    assert_eq!(inner::<S>(&*decode(&bytes, &with_key(Some(KEY))).unwrap()), sketch);
}
