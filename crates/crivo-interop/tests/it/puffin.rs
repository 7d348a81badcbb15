//! Puffin files: read again, compressed by others, united field by field, and refused where they contradict themselves.

use crate::bytes::use_up;
use crate::golden;
use crivo_interop::{Foreign, Puffin, Theta, UpdateTheta};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use serde_json::{Value, json};
use std::ops::Range;

fn theta(items: Range<i64>) -> Theta {
    let mut sketch = UpdateTheta::for_lg_k(8).unwrap();
    items.for_each(|item| sketch.insert(&item));
    sketch.sketch()
}

/// A file of these blobs, as the specification says it.
fn file(blobs: &[u8], payload: &Value) -> Vec<u8> {
    let payload = payload.to_string().into_bytes();
    let length = (payload.len() as u32).to_le_bytes();
    [b"PFA1", blobs, b"PFA1", &payload, &length, &[0; 4], b"PFA1"].concat()
}

fn blob(kind: &str, field: i32, offset: usize, length: usize) -> Value {
    json!({"type": kind, "fields": [field], "snapshot-id": 77, "sequence-number": 3, "offset": offset, "length": length})
}

const THETA: &str = "apache-datasketches-theta-v1";

#[test]
fn files_are_read_again_with_their_estimates() {
    let puffin = Puffin::of_columns([(7, theta(0..30)), (2, theta(0..5000))]);
    let bytes = puffin.to_bytes();
    assert_eq!(Puffin::from_bytes(&bytes).unwrap(), puffin);
    let columns: Vec<(i32, f64)> =
        puffin.columns().map(|(field, it)| (field, it.estimate().value())).collect();
    assert_eq!((columns[0].0, columns[1]), (2, (7, 30.0)));
    // The offsets of the blobs are those of the sketches, and the estimates are the property that engines read.
    let start = bytes.windows(9).position(|window| window == b"{\"blobs\":").unwrap();
    let payload: Value = serde_json::from_slice(&bytes[start..bytes.len() - 12]).unwrap();
    let second = &payload["blobs"][1];
    let [offset, length] = ["offset", "length"].map(|name| second[name].as_u64().unwrap() as usize);
    assert_eq!(bytes[offset..offset + length], theta(0..30).to_bytes());
    assert_eq!((&second["properties"]["ndv"], &second["snapshot-id"]), (&json!("30"), &json!(-1)));
    let foreign = Foreign::decode(&bytes).unwrap();
    use_up(&foreign);
    assert!(foreign.cardinality().unwrap_err().to_string().contains("2 columns"));
    let one = Foreign::decode(&Puffin::of_columns([(1, theta(0..30))]).to_bytes()).unwrap();
    assert_eq!(one.cardinality().unwrap().value(), 30.0);
    use_up(&Foreign::decode(&Puffin::of_columns([]).to_bytes()).unwrap());
}

#[test]
fn blobs_of_others_may_be_compressed_or_of_another_type() {
    let [a, b] = ["cpp-a.theta", "cpp-b.theta"].map(golden);
    let compressed = compress_to_vec(&b[..], CompressionLevel::Fastest);
    let mut second = blob(THETA, 5, 4 + a.len(), compressed.len());
    second["compression-codec"] = json!("zstd");
    let other = blob("deletion-vector-v1", 9, 4, 0);
    let payload = json!({"blobs": [blob(THETA, 1, 4, a.len()), second, other], "properties": {}});
    let read = Puffin::from_bytes(&file(&[&a[..], &compressed].concat(), &payload)).unwrap();
    let found: Vec<Vec<u8>> = read.columns().map(|(_, sketch)| sketch.to_bytes()).collect();
    assert_eq!(found, [a, b]);
    assert!(read.clone().merge(&read).unwrap_err().to_string().contains("other blobs"));
    // A megabyte of zeros is no sketch of a few bytes.
    let bomb = compress_to_vec(&vec![0; 1 << 20][..], CompressionLevel::Fastest);
    let mut bombs = blob(THETA, 1, 4, bomb.len());
    bombs["compression-codec"] = json!("zstd");
    let error = Puffin::from_bytes(&file(&bomb, &json!({"blobs": [bombs]}))).unwrap_err().to_string();
    assert!(error.contains("far larger"), "{error}");
}

#[test]
fn columns_are_united_by_their_fields() {
    let mut puffin = Puffin::of_columns([(1, theta(0..100)), (2, theta(0..10))]);
    puffin.merge(&Puffin::of_columns([(1, theta(50..150)), (3, theta(0..7))])).unwrap();
    let counts: Vec<(i32, f64)> =
        puffin.columns().map(|(field, it)| (field, it.estimate().value())).collect();
    assert_eq!(counts, [(1, 150.0), (2, 10.0), (3, 7.0)]);
    let mut other = UpdateTheta::with_seed(8, 1).unwrap();
    other.insert(&1);
    let before = puffin.clone();
    assert!(puffin.merge(&Puffin::of_columns([(2, other.sketch())])).is_err());
    assert_eq!(puffin, before);
}

#[test]
fn contradictions_are_refused() {
    let sketch = theta(0..9).to_bytes();
    let length = sketch.len();
    for (payload, words) in [
        (json!({"blobs": [blob(THETA, 1, 4, length), blob(THETA, 2, 4, length)]}), "longer than the file"),
        (json!({"blobs": [blob(THETA, 1, 9, length)]}), "beyond the file"),
        (json!({"blobs": [blob(THETA, 1, usize::MAX, length)]}), "beyond the file"),
        (json!({"blobs": [blob(THETA, 1, 4, length - 8)]}), "corrupt"),
        (json!({"columns": []}), "describes no blobs"),
    ] {
        let error = Puffin::from_bytes(&file(&sketch, &payload)).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    let mut several = blob(THETA, 1, 4, length);
    several["fields"] = json!([1, 2]);
    assert!(Puffin::from_bytes(&file(&sketch, &json!({"blobs": [several]}))).is_err());
    let twice = [blob(THETA, 1, 4, length), blob(THETA, 1, 4 + length, length)];
    let error = Puffin::from_bytes(&file(&sketch.repeat(2), &json!({"blobs": twice}))).unwrap_err();
    assert!(error.to_string().contains("field 1"), "{error}");
    let mut codec = blob(THETA, 1, 4, length);
    codec["compression-codec"] = json!("lz4");
    let error = Puffin::from_bytes(&file(&sketch, &json!({"blobs": [codec]}))).unwrap_err();
    assert!(error.to_string().contains("found lz4"), "{error}");
    let mut flags = Puffin::of_columns([]).to_bytes();
    let place = flags.len() - 8;
    flags[place] = 1;
    assert!(Puffin::from_bytes(&flags).unwrap_err().to_string().contains("compressed"));
}

#[test]
fn every_changed_byte_is_refused_or_harmless() {
    let bytes = Puffin::of_columns([(1, theta(0..20)), (2, theta(0..3))]).to_bytes();
    for place in 0..bytes.len() {
        for flip in (0..8).map(|bit| 1 << bit).chain([0xff]) {
            let mut bytes = bytes.clone();
            bytes[place] ^= flip;
            if let Ok(file) = Foreign::decode(&bytes) {
                use_up(&file);
            }
        }
        assert!(Foreign::decode(&bytes[..place]).is_err());
    }
}
