//! The form of items: every kind that hashes can be marked, keeps the mark in its file, and does not merge with the other form.

use crate::golden::golden_files;
use crivo::sketch::Sketch;
use crivo::{DecodeOptions, ErrorKind, ItemForm, Kind, decode, peek};

fn read(bytes: &[u8]) -> Box<dyn Sketch> {
    decode(bytes, &DecodeOptions::default()).unwrap()
}

/// Returns one golden file of each kind, unless it needs a key.
fn files() -> Vec<(String, Vec<u8>)> {
    let mut kinds = std::collections::BTreeSet::new();
    let mut is_first =
        |bytes: &[u8]| peek(bytes).is_ok_and(|header| !header.keyed && kinds.insert(header.kind.id()));
    golden_files().into_iter().filter(|(_, bytes)| is_first(bytes)).collect()
}

/// Kinds that hold another sketch as a whole file.
fn holds_a_file(kind: Kind) -> bool {
    matches!(kind, Kind::MartingaleHyperLogLog | Kind::MartingaleExaLogLog | Kind::ExactDeBruijn)
}

#[test]
fn a_mark_is_part_of_the_file() {
    let mut marked_kinds = 0;
    for (name, bytes) in files() {
        let mut sketch = read(&bytes);
        if sketch.hashing().is_none() {
            sketch.mark(ItemForm::Typed).unwrap();
            assert_eq!(sketch.to_bytes(), bytes, "{name}");
            continue;
        }
        let unmarked = sketch.to_bytes();
        if holds_a_file(sketch.kind()) {
            assert_eq!(sketch.mark(ItemForm::Typed).unwrap_err().kind(), ErrorKind::Malformed, "{name}");
            assert_eq!(sketch.to_bytes(), unmarked, "{name}");
            continue;
        }
        marked_kinds += 1;
        sketch.mark(ItemForm::Unmarked).unwrap();
        assert_eq!(sketch.to_bytes(), unmarked, "{name}");
        sketch.mark(ItemForm::Typed).unwrap();
        let marked = sketch.to_bytes();
        assert_eq!(peek(&marked).unwrap().form, ItemForm::Typed, "{name}");
        // Only the flags and the checksum differ.
        let end = marked.len() - 8;
        let differing: Vec<usize> = (0..end).filter(|&i| marked[i] != unmarked[i]).collect();
        assert_eq!((differing, marked.len()), (vec![5], unmarked.len()), "{name}");
        assert_eq!(read(&marked).to_bytes(), marked, "{name}");
        assert_eq!(sketch.mark(ItemForm::Text).unwrap_err().kind(), ErrorKind::Incompatible, "{name}");
        assert_eq!(sketch.to_bytes(), marked, "{name}");
    }
    assert!(marked_kinds >= 40, "{marked_kinds}");
}

#[test]
fn a_merge_joins_the_marks_and_refuses_two_forms() {
    let mut merged_kinds = 0;
    for (name, bytes) in files() {
        let unmarked = read(&bytes);
        let kind = unmarked.kind();
        let draws = unmarked.random_seed().is_some();
        if unmarked.hashing().is_none() || unmarked.merge_law().is_none() || holds_a_file(kind) || draws {
            continue;
        }
        let marked = |form| {
            let mut sketch = read(&bytes);
            sketch.mark(form).unwrap();
            sketch
        };
        let mut sketch = marked(ItemForm::Text);
        let error = sketch.merge_any(&*marked(ItemForm::Typed)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Incompatible, "{name}");
        assert!(error.to_string().contains("text"), "{name}: {error}");
        assert_eq!(sketch.to_bytes(), marked(ItemForm::Text).to_bytes(), "{name}");
        // A merge that is refused for other reasons, such as for lack of room, says nothing about marks.
        if read(&bytes).merge_any(&*unmarked).is_err() {
            continue;
        }
        merged_kinds += 1;
        sketch.merge_any(&*unmarked).unwrap();
        assert_eq!(peek(&sketch.to_bytes()).unwrap().form, ItemForm::Text, "{name}");
        let mut other = read(&bytes);
        other.merge_any(&*marked(ItemForm::Text)).unwrap();
        assert_eq!(other.to_bytes(), sketch.to_bytes(), "{name}");
    }
    assert!(merged_kinds >= 25, "{merged_kinds}");
}

#[test]
fn contradicting_marks_are_refused() {
    let mut bytes = crivo::HyperLogLog::for_precision(8).unwrap().to_bytes();
    bytes[5] = 12;
    assert_eq!(peek(&bytes).unwrap_err().kind(), ErrorKind::Malformed);
    let mut bytes = crivo::Kll::<f64>::for_error(0.1).unwrap().to_bytes();
    bytes[5] = 4;
    assert_eq!(peek(&bytes).unwrap_err().kind(), ErrorKind::Malformed);
}
