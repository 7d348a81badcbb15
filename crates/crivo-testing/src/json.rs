//! The form of `--json`, which other programs rely on.

use serde_json::Value;
use std::fs;
use std::path::Path;

/// An object has these fields and no other.
#[track_caller]
pub fn fields(object: &Value, expected: &[&str]) {
    let mut names: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
    let mut expected = expected.to_vec();
    names.sort_unstable();
    expected.sort_unstable();
    assert_eq!(names, expected, "{object}");
}

/// These objects are those that the file keeps. With `CRIVO_WRITE_SNAPSHOTS` it is written first.
#[track_caller]
pub fn is_as_kept(found: &[Value], path: &Path) {
    if std::env::var_os("CRIVO_WRITE_SNAPSHOTS").is_some() {
        let pretty = serde_json::to_string_pretty(&found).unwrap();
        fs::write(path, pretty + "\n").unwrap();
    }
    let name = path.display();
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let expected: Vec<Value> = serde_json::from_str(&text).unwrap();
    assert_eq!(found, expected, "{name}: CRIVO_WRITE_SNAPSHOTS=1 writes it anew, if this is meant");
}
