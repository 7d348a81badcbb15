//! Objects that Snowflake exports. There is no Snowflake to ask: the objects here follow its documentation.

use crate::bytes::use_up;
use crate::coverage::check;
use crivo::rng::Rng;
use crivo_interop::{Foreign, Format, SnowflakeHll};
use serde_json::{Value, json};

/// The object of this many items with random hashes, of which the first 12 bits choose the register.
fn exported(rng: &mut Rng, items: u32, is_dense: bool) -> Value {
    let mut ranks = vec![0; 4096];
    for _ in 0..items {
        let hash = rng.next_u64();
        let place = &mut ranks[(hash >> 52) as usize];
        *place = (*place).max(((hash << 12) | 1 << 11).leading_zeros() + 1);
    }
    if is_dense {
        return json!({"dense": ranks, "precision": 12, "version": 4});
    }
    let (indices, ranks): (Vec<usize>, Vec<u32>) =
        ranks.into_iter().enumerate().filter(|&(_, rank)| rank > 0).unzip();
    json!({"precision": 12, "sparse": {"indices": indices, "maxLzCounts": ranks}, "version": 4})
}

fn read(object: &Value) -> SnowflakeHll {
    SnowflakeHll::from_json(object.to_string().as_bytes()).unwrap()
}

#[test]
fn objects_are_recognised_and_written_as_they_were() {
    let mut rng = Rng::new(3);
    for (items, is_dense) in [(0, false), (7, false), (900, false), (900, true), (50_000, true)] {
        let object = exported(&mut rng, items, is_dense);
        let text = object.to_string();
        let sketch = read(&object);
        assert_eq!((sketch.to_json(), sketch.is_dense()), (text.clone(), is_dense));
        assert!(
            sketch.estimate_at(0.999_999).unwrap().contains(items.into()),
            "{items}: {}",
            sketch.estimate()
        );
        // As the console of Snowflake prints it.
        let printed = serde_json::to_string_pretty(&object).unwrap();
        let foreign = Foreign::decode(printed.as_bytes()).unwrap();
        assert_eq!(foreign, Foreign::SnowflakeHll(sketch.clone()));
        assert_eq!(Format::of(&printed.as_bytes()[..16]), Some(Format::SnowflakeHll));
        use_up(&foreign);
    }
    // The fields, the indices and the version are as the documentation shows them.
    let shown = r#"{ "version" : 3, "precision" : 12, "sparse" : { "indices": [3730, 9, 118], "maxLzCounts":[1,4,0] } }"#;
    let sketch = SnowflakeHll::from_json(shown.as_bytes()).unwrap();
    assert_eq!(
        sketch.to_json(),
        r#"{"precision":12,"sparse":{"indices":[9,3730],"maxLzCounts":[4,1]},"version":3}"#
    );
}

#[test]
fn merges_are_those_of_one_pass() {
    let object = |from: usize, indices: usize, is_dense| {
        let mut ranks = vec![0; 4096];
        ranks[from..from + indices].fill(3);
        let sparse =
            json!({"indices": (from..from + indices).collect::<Vec<_>>(), "maxLzCounts": vec![3; indices]});
        if is_dense {
            return read(&json!({"dense": ranks, "precision": 12, "version": 4}));
        }
        read(&json!({"precision": 12, "sparse": sparse, "version": 4}))
    };
    let mut few = object(0, 500, false);
    few.merge(&object(400, 600, false)).unwrap();
    assert_eq!(few, object(0, 1000, false));
    few.merge(&object(1000, 25, false)).unwrap();
    assert_eq!(few, object(0, 1025, true));
    let mut one = object(0, 1, false);
    one.merge(&object(3, 0, true)).unwrap();
    assert_eq!(one, object(0, 1, true));
    let older = read(&json!({"precision": 12, "sparse": {"indices": [], "maxLzCounts": []}, "version": 3}));
    assert!(one.merge(&older).unwrap_err().to_string().contains("version"));
}

#[test]
fn other_objects_are_refused() {
    let dense = vec![0; 4095];
    let mut far = vec![0; 4096];
    far[7] = 54;
    for (object, words) in [
        (
            json!({"precision": 14, "sparse": {"indices": [], "maxLzCounts": []}, "version": 4}),
            "precision 12",
        ),
        (
            json!({"precision": 12, "sparse": {"indices": [], "maxLzCounts": []}, "version": 5}),
            "version 3 or 4",
        ),
        (json!({"precision": 12, "sparse": {"indices": [1], "maxLzCounts": []}, "version": 4}), "length"),
        (
            json!({"precision": 12, "sparse": {"indices": [1, 1], "maxLzCounts": [1, 2]}, "version": 4}),
            "repeats",
        ),
        (json!({"precision": 12, "sparse": {"indices": [4096], "maxLzCounts": [1]}, "version": 4}), "4096"),
        (
            json!({"precision": 12, "sparse": {"indices": [1], "maxLzCounts": [-1]}, "version": 4}),
            "HLL_EXPORT",
        ),
        (json!({"dense": dense, "precision": 12, "version": 4}), "found 4095"),
        (json!({"dense": far, "precision": 12, "version": 4}), "at most 53"),
        (json!({"precision": 12, "version": 4}), "either"),
        (json!({"version": "1.2.3", "workspace": "a package"}), "HLL_EXPORT"),
        (json!({"precision": 12, "sparse": {"indices": [], "maxLzCounts": []}}), "version"),
    ] {
        let error = Foreign::decode(object.to_string().as_bytes()).unwrap_err().to_string();
        assert!(error.contains(words), "{object}: {error}");
    }
    assert!(Foreign::decode(b"{\"rows\": 3}").unwrap_err().to_string().contains("no known format"));
}

#[test]
fn every_changed_byte_is_refused_or_harmless() {
    let text = exported(&mut Rng::new(5), 20, false).to_string().into_bytes();
    for place in 0..text.len() {
        for flip in (0..8).map(|bit| 1 << bit).chain([0xff]) {
            let mut bytes = text.clone();
            bytes[place] ^= flip;
            if let Ok(sketch) = Foreign::decode(&bytes) {
                use_up(&sketch);
            }
        }
        assert!(Foreign::decode(&text[..place]).is_err());
    }
}

#[test]
fn intervals_contain_the_truth() {
    for items in [40u32, 4000, 100_000] {
        check(&format!("snowflake of {items}"), 400, 1.05 / 64.0, |rng| {
            let mut sketch = read(&exported(rng, items / 2, items < 1000));
            sketch.merge(&read(&exported(rng, items - items / 2, true))).unwrap();
            (sketch.estimate(), items.into())
        });
    }
}
