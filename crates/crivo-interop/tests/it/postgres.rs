//! Sketches of postgresql-hll: equal to its own, and read by it.

use crate::golden_files;
use crivo_interop::{Foreign, PostgresHll};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The sketch that the script of the golden files made, of other items for some.
fn made(name: &str) -> Option<PostgresHll> {
    let (precision, width, items) = match name.strip_prefix("postgres-")?.strip_suffix(".pghll")? {
        "empty" => (11, 5, 0),
        "hashes" => (11, 5, 100),
        "most-hashes" => (11, 5, 160),
        "sparse" => (11, 5, 161),
        "full" => (11, 5, 5000),
        _ => return None,
    };
    let mut sketch = PostgresHll::with_size(precision, width).unwrap();
    (1..=items).for_each(|item: u64| sketch.insert(item.to_le_bytes()));
    Some(sketch)
}

#[test]
fn sketches_are_written_as_they_were() {
    let mut equal = 0;
    for file in golden_files(".pghll") {
        let name = &file.name;
        let sketch = PostgresHll::from_bytes(&file.bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(sketch.to_bytes(), file.bytes, "{name}");
        // The registers are the peer's, the estimator is ours; the interval has room for both.
        let estimate = sketch.estimate();
        let is_near = (estimate.value() - file.expected).abs() <= 0.15 * file.expected;
        assert!(is_near, "{name}: {estimate}, expected {}", file.expected);
        if let Some(ours) = made(name) {
            assert_eq!(ours.to_bytes(), file.bytes, "{name}");
            equal += 1;
        }
        let mut union = sketch.clone();
        union.merge(&sketch).unwrap();
        assert_eq!(union, sketch, "{name}");
        assert!(matches!(Foreign::decode(&file.bytes).unwrap(), Foreign::PostgresHll(_)), "{name}");
    }
    assert_eq!(equal, 5);
    let texts = golden_files(".pghll").into_iter().find(|file| file.name.contains("texts")).unwrap();
    let mut ours = PostgresHll::with_size(11, 5).unwrap();
    (1..=2000).for_each(|item| ours.insert(format!("visitor {item}")));
    assert_eq!(ours.to_bytes(), texts.bytes);
}

#[test]
fn merges_are_those_of_one_pass() {
    let sketch = |items: std::ops::Range<u64>| {
        let mut sketch = PostgresHll::with_size(8, 5).unwrap();
        items.for_each(|item| sketch.insert(item.to_le_bytes()));
        sketch
    };
    for (a, b) in [(0..5, 3..9), (0..15, 10..25), (0..10, 5..500), (0..60, 50..90), (0..900, 100..2000)] {
        let whole = sketch(a.start..b.end);
        let (a, b) = (sketch(a), sketch(b));
        let (mut forth, mut back) = (a.clone(), b.clone());
        forth.merge(&b).unwrap();
        back.merge(&a).unwrap();
        assert_eq!((&forth, &back), (&whole, &whole));
    }
    let (mut narrow, wide) = (sketch(0..9), PostgresHll::with_size(8, 6).unwrap());
    assert!(narrow.merge(&wide).unwrap_err().to_string().contains("regwidth"));
    for (precision, width) in [(3, 5), (21, 5), (11, 0), (11, 9)] {
        assert!(PostgresHll::with_size(precision, width).is_err());
    }
}

/// A register takes 5 to 7 bits here, and up to 7 bits fill the last byte.
#[test]
fn sketches_of_few_narrow_registers_are_read_again() {
    for (precision, width) in [(4, 1), (4, 2), (5, 1), (4, 3), (5, 2), (6, 1)] {
        let mut sketch = PostgresHll::with_size(precision, width).unwrap();
        for item in 0..100u64 {
            sketch.insert(item.to_le_bytes());
            assert_eq!(PostgresHll::from_bytes(&sketch.to_bytes()).unwrap(), sketch);
            let mut longer = sketch.to_bytes();
            longer.push(0);
            assert!(PostgresHll::from_bytes(&longer).is_err());
        }
    }
}

/// `hll_cardinality` answers from our bytes, and `hll_union` writes them again.
#[test]
fn postgres_reads_what_is_written() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("postgres");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let mut lines = String::new();
    for (precision, width) in [(11, 5), (14, 5), (6, 4)] {
        for items in [0u64, 1, 90, 700, 30_000] {
            let mut sketch = PostgresHll::with_size(precision, width).unwrap();
            (0..items).for_each(|item| sketch.insert(item.to_le_bytes()));
            let name = format!("{precision}-{width}-{items}.pghll");
            fs::write(folder.join(&name), sketch.to_bytes()).unwrap();
            // Where few registers are full, the estimators differ.
            if precision > 6 || items < 90 {
                writeln!(lines, "{name} {}", sketch.estimate().value()).unwrap();
            }
        }
    }
    fs::write(folder.join("questions.txt"), lines).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/postgres_server.py");
    let Ok(output) = Command::new("python3").arg(script).arg(&folder).output() else {
        println!("skipped: there is no python3");
        return;
    };
    let said = String::from_utf8_lossy(&output.stderr);
    if said.starts_with("skipped") {
        println!("{}", said.trim());
        return;
    }
    assert!(output.status.success(), "{said}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("answers agree"));
}
