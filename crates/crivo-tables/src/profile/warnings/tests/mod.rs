//! Warnings about planted defects, and their absence in clean tables.

mod clean;

use super::{Defect, of_column};
use crate::profile::report::ColumnPlace;
use crivo::profile::{ColumnProfile, ColumnSummary, ProfileParams};
use std::f64::consts::TAU;

/// Present time in the tests: 2020-09-13.
const NOW: f64 = 1.6e9;
const ROWS: u64 = 2000;

/// Random numbers from a multiplicative hash of a counter.
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// Draws from the interval between 0 and 1, both excluded.
    fn unit(&mut self) -> f64 {
        ((self.next() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    fn below(&mut self, n: u64) -> u64 {
        (self.unit() * n as f64) as u64
    }

    fn normal(&mut self) -> f64 {
        (-2.0 * self.unit().ln()).sqrt() * (TAU * self.unit()).cos()
    }
}

/// The rows of an exact column, and those of a column of numbers in which most values are in the sketches.
const BOTH: [u64; 2] = [ROWS, 10 * ROWS];

/// The usual params, and few counters, beyond which values are in the sketches.
fn params() -> [ProfileParams; 2] {
    [ProfileParams::default(), ProfileParams::for_error(0.1).unwrap()]
}

fn summary(params: ProfileParams, values: impl IntoIterator<Item = String>) -> ColumnSummary {
    let mut column = ColumnProfile::with_params(params);
    for value in values {
        if value.is_empty() { column.add_missing(1) } else { column.add(value.as_bytes()) }
    }
    column.summary()
}

/// Returns the defects of a column, with the evidence.
fn found(params: ProfileParams, values: impl IntoIterator<Item = String>) -> Vec<(Defect, String)> {
    let place = ColumnPlace { table: 0, column: 0 };
    let warnings = of_column(place, &summary(params, values), Some(NOW));
    warnings.into_iter().map(|warning| (warning.finding.defect, warning.finding.evidence)).collect()
}

/// Checks that the values have this defect alone, in a short and in a long column, and that its evidence begins so in the
/// short one.
fn assert_found(defect: Defect, evidence: &str, value: impl Fn(u64, &mut Draws) -> String) {
    for rows in BOTH {
        let mut draws = Draws(7);
        let found = found(params()[0], (0..rows).map(|row| value(row, &mut draws)));
        let defects: Vec<Defect> = found.iter().map(|(defect, _)| *defect).collect();
        assert_eq!(defects, [defect], "{rows} rows, {found:?}");
        assert!(rows > ROWS || found[0].1.starts_with(evidence), "{}", found[0].1);
    }
}

fn normal(draws: &mut Draws) -> String {
    format!("{:.6}", 10.0 + draws.normal())
}

#[test]
fn defects_of_numbers_are_found() {
    assert_found(Defect::Outliers, "1 value above ", |row, draws| {
        if row == 77 { "1048.36".into() } else { normal(draws) }
    });
    assert_found(Defect::Outliers, "2 values below ", |row, draws| {
        if row % 1000 == 77 { "-5e4".into() } else { normal(draws) }
    });
    assert_found(Defect::Sentinel, "-999 occurs 20 times", |row, draws| {
        if row % 100 == 0 { "-999".into() } else { normal(draws) }
    });
    assert_found(
        Defect::Sentinel,
        "9999 occurs once",
        |row, draws| {
            if row == 3 { "9999".into() } else { normal(draws) }
        },
    );
    assert_found(Defect::Zeros, "60 % of the values are 0", |row, draws| {
        if row % 5 < 3 { "0.0".into() } else { normal(draws) }
    });
    assert_found(Defect::Skewed, "skewed: the mean ", |_, draws| {
        format!("{:.5}", (2.5 * draws.normal()).exp())
    });
}

/// −1 among counts. All values have a counter, because few values are distinct.
#[test]
fn minus_one_stands_for_missing_among_counts() {
    assert_found(Defect::Sentinel, "-1 occurs 100 times", |row, draws| {
        if row % 20 == 0 { "-1".into() } else { draws.below(100).to_string() }
    });
    let differences = (0..ROWS).map(|row| (row as i64 % 60 - 1).to_string());
    assert_eq!(found(params()[0], differences), [], "as often as every other number");
}

#[test]
fn defects_of_times_are_found() {
    let day = |row: u64| format!("20{:02}-{:02}-{:02}", 10 + row % 9, 1 + row % 12, 1 + row % 28);
    assert_found(Defect::Future, "1 time in the future, up to 2031-01-01", |row, _| {
        if row == 5 { "2031-01-01".into() } else { day(row) }
    });
    for sentinel in ["1900-01-01", "9999-12-31"] {
        assert_found(Defect::Sentinel, &format!("{sentinel} occurs 4 times"), |row, _| {
            if row % 500 == 1 { sentinel.into() } else { day(row) }
        });
    }
    assert_found(
        Defect::Outliers,
        "1 value below ",
        |row, _| {
            if row == 9 { "0201-01-01".into() } else { day(row) }
        },
    );
    let expiry = (0..ROWS).map(|row| day(row).replacen("201", "202", 1));
    assert_eq!(found(params()[0], expiry), [], "a column about the future");
}

#[test]
fn defects_of_counts_are_found() {
    // One of a thousand rows repeats the row before.
    let twice = |row: u64| row - u64::from(row % 1000 == 999);
    assert_found(Defect::Constant, "always 2013", |_, _| "2013".into());
    assert_found(Defect::Constant, "always 2013 or missing", |row, _| {
        if row % 3 == 0 { String::new() } else { "2013".into() }
    });
    assert_found(Defect::NearlyConstant, "> 99 % of the values are 'a b'", |row, _| {
        if row == 3 { "other".into() } else { "a b".into() }
    });
    assert_found(Defect::MostlyMissing, "75 % of the rows have no value", |row, draws| {
        if row % 4 > 0 { String::new() } else { normal(draws) }
    });
    assert_found(Defect::MostlyMissing, "no row has a value", |_, _| String::new());
    assert_found(
        Defect::KeyWithDuplicates,
        "1,998 of 2,000 values are distinct, as in a key with duplicates; u-1998 occurs twice",
        |row, _| format!("u-{}", twice(row)),
    );
    assert_found(Defect::KeyWithDuplicates, "1,998 of 2,000 values", |row, _| twice(row).to_string());
}

/// Only an exact column knows that all its values are distinct.
#[test]
fn keys_with_missing_values_are_found() {
    let keys = || (0..ROWS).map(|row| if row == 9 { String::new() } else { format!("k{row}") });
    let evidence = "each value occurs once, as in a key, but 1 row has none".to_owned();
    assert_eq!(found(params()[0], keys()), [(Defect::KeyWithMissing, evidence)]);
    assert_eq!(found(params()[1], keys()), []);
    let times = (0..ROWS).map(|row| if row == 9 { String::new() } else { format!("{row}.5") });
    assert_eq!(found(params()[0], times), [], "measured values are not keys");
}

#[test]
fn defects_of_texts_are_found() {
    let word = |row: u64| ["Lisboa", "Porto", "Faro"][row as usize % 3].to_owned();
    let planted = |text: &'static str| {
        move |row: u64, _: &mut Draws| {
            if row % 500 == 250 { text.to_owned() } else { word(row) }
        }
    };
    let damaged = "4 values are in a wrong encoding: ";
    for text in ["SÃ£o", "donâ€™t", "caf\u{fffd}"] {
        assert_found(Defect::Encoding, &format!("{damaged}{text}"), planted(text));
    }
    assert_found(Defect::Sentinel, "4 values may stand for missing ones: Unknown", planted("Unknown"));
    assert_found(Defect::Blanks, "4 values begin or end with a blank: Porto\\x20", planted("Porto "));
    assert_found(
        Defect::Invisible,
        "4 values have invisible characters: Lisboa\\u{200b}",
        planted("Lisboa\u{200b}"),
    );
    assert_found(Defect::MixedCase, "differ only in case: Porto (665), PORTO (4)", planted("PORTO"));
    for clean in ["NÃO", "âge", "Ângela", "Saint-Denis", "می‌خواهم", "two\nlines", "a"] {
        let values = (0..ROWS).map(|row| planted(clean)(row, &mut Draws(0)));
        assert_eq!(found(params()[0], values), [], "{clean}");
    }
}

/// Bytes that are not UTF-8, and a long value whose kept part ends within a character.
#[test]
fn bytes_that_are_not_text_are_found() {
    let defects = |last: &[u8]| {
        let mut column = ColumnProfile::with_params(ProfileParams::default());
        (0..ROWS).for_each(|row| column.add(["x", "y"][row as usize % 2].as_bytes()));
        column.add(last);
        let place = ColumnPlace { table: 0, column: 0 };
        let warnings = of_column(place, &column.summary(), None);
        warnings.iter().map(|warning| warning.finding.defect).collect::<Vec<_>>()
    };
    assert_eq!(defects(b"caf\xe9"), [Defect::Encoding]);
    assert_eq!(defects(format!("a{}", "語".repeat(60)).as_bytes()), []);
}

#[test]
fn values_of_another_type_are_found() {
    assert_found(Defect::MixedTypes, "1 of 2,000 values is text, most are integer: late", |row, _| {
        if row == 1 { "late".into() } else { (row % 90).to_string() }
    });
    assert_found(Defect::MixedTypes, "values of several types: 50 % boolean, 50 % integer", |row, _| {
        if row % 2 == 0 { "true".into() } else { (row % 10).to_string() }
    });
    let codes = (0..ROWS).map(|row| if row % 4 == 0 { format!("A{row}") } else { row.to_string() });
    assert_eq!(found(params()[0], codes), [], "many texts make a column of texts");
    assert_found(Defect::Sentinel, "20 values may stand for missing ones: ?", |row, draws| {
        if row % 100 == 0 { "?".into() } else { draws.below(500).to_string() }
    });
}
