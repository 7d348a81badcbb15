//! Damaged Parquet is an error, never a panic.

use crate::support::{Dir, data};

#[test]
fn damaged_files_are_errors() {
    let Some(flights) = data("tables/nycflights13-flights.parquet") else { return };
    let dir = Dir::new();
    let whole = std::fs::read(flights).unwrap();
    let mut failed = 0;
    let mut check = |bytes: &[u8], what: &str| {
        dir.write("t.parquet", bytes);
        let run = dir.run("distinct t.parquet --column tailnum --quiet");
        assert!(matches!(run.code, Some(0 | 2)), "{what}: {run:?}");
        if run.code == Some(2) {
            failed += 1;
            let told = run.stderr.contains("the Parquet data is corrupt")
                || run.stderr.contains("this Parquet file");
            assert!(told || run.stderr.contains("no column"), "{what}: {}", run.stderr);
            assert_eq!(run.stderr.lines().count(), 1, "{what}: {}", run.stderr);
        }
    };
    for length in [0, 4, 8, 11, 12, 1_000, whole.len() / 2, whole.len() - 1] {
        check(&whole[..length], &format!("the first {length} bytes"));
    }
    let mut rng = crivo::rng::Rng::new(23);
    let footer = whole.len() - 8 - footer_length(&whole);
    for round in 0..150 {
        let mut bytes = whole.clone();
        // Most of what a reader believes stands in the footer; the rest are pages.
        let from = if round % 3 == 0 { 4 } else { footer };
        for _ in 0..=rng.below(3) {
            let at = from + usize::try_from(rng.below((whole.len() - from) as u64)).unwrap();
            bytes[at] ^= 1 << rng.below(8);
        }
        check(&bytes, &format!("round {round}"));
    }
    // The 8 cuts, and of the flips those that concern what is read: names, statistics and other columns do not.
    assert!(failed >= 8 + 20, "hardly any was found: {failed}");
}

fn footer_length(bytes: &[u8]) -> usize {
    let at = bytes.len() - 8;
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}
