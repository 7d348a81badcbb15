//! Tests against the bytes of other libraries.

#![expect(clippy::unwrap_used, reason = "in a test a failed step is a failed test")]

mod airlift;
mod bytes;
mod coverage;
mod digest;
mod golden;
mod items;
mod peer;
mod postgres;
mod puffin;
mod req;
mod sets;
mod snowflake;
mod zeta;

use std::fs;
use std::path::Path;

/// A file that another library has written.
struct Golden {
    name: String,
    bytes: Vec<u8>,
    /// The estimate of that library, or the number of values.
    expected: f64,
}

/// All golden files whose name ends so.
fn golden_files(ending: &str) -> Vec<Golden> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let lines = fs::read_to_string(folder.join("expected.txt")).unwrap();
    let read = |line: &str| {
        let (name, expected) = line.split_once(' ').unwrap();
        let bytes = fs::read(folder.join(name)).unwrap();
        Golden { name: name.into(), bytes, expected: expected.parse().unwrap() }
    };
    let found: Vec<Golden> =
        lines.lines().filter(|line| line.split(' ').next().unwrap().ends_with(ending)).map(read).collect();
    assert!(found.len() > 2, "{ending}: {} files", found.len());
    found
}

fn golden(name: &str) -> Vec<u8> {
    golden_files("").into_iter().find(|file| file.name == name).unwrap().bytes
}
