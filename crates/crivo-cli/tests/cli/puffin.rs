//! `crivo profile --puffin`: sketches of the columns of Parquet files, by their values in Iceberg's form.

use crate::support::Dir;
use crivo_interop::{Puffin, Theta, UpdateTheta};
use parquet::data_type::{
    BoolType, ByteArrayType, DoubleType, FixedLenByteArrayType, FloatType, Int32Type, Int64Type, Int96Type,
};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::fs::File;
use std::sync::Arc;

const SCHEMA: &str = "message t {
    required boolean flag = 11;
    required int32 small = 12;
    required int64 large = 13;
    required float single = 14;
    required double real = 15;
    required int32 day (DATE) = 16;
    required int32 time (TIME(MILLIS,true)) = 17;
    required int64 at (TIMESTAMP(MILLIS,true)) = 18;
    required int64 finer (TIMESTAMP(NANOS,true)) = 19;
    required int96 old = 20;
    required int32 price (DECIMAL(9,2)) = 21;
    required fixed_len_byte_array(9) amount (DECIMAL(20,2)) = 22;
    optional binary text (UTF8) = 23;
    required int64 unsigned (INTEGER(64,false)) = 24;
}";

/// The rows `from..to`, in groups of a hundred.
fn write(dir: &Dir, name: &str, schema: &str, from: i32, to: i32) {
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let file = File::create(dir.path(name)).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, Arc::default()).unwrap();
    for start in (from..to).step_by(100) {
        let rows: Vec<i32> = (start..to.min(start + 100)).collect();
        let mut group = writer.next_row_group().unwrap();
        macro_rules! column {
            ($kind:ident, $levels:expr, $values:expr) => {
                let values: Vec<_> = $values.collect();
                let mut column = group.next_column().unwrap().unwrap();
                column.typed::<$kind>().write_batch(&values, $levels, None).unwrap();
                column.close().unwrap();
            };
        }
        column!(BoolType, None, rows.iter().map(|row| row % 2 == 1));
        column!(Int32Type, None, rows.iter().copied());
        column!(Int64Type, None, rows.iter().map(|&row| i64::from(row) << 33));
        column!(FloatType, None, rows.iter().map(|&row| row as f32 / 2.0));
        column!(DoubleType, None, rows.iter().map(|&row| f64::from(row) / 4.0));
        column!(Int32Type, None, rows.iter().copied());
        column!(Int32Type, None, rows.iter().copied());
        column!(Int64Type, None, rows.iter().map(|&row| i64::from(row) - 50));
        column!(Int64Type, None, rows.iter().map(|&row| i64::from(row)));
        column!(Int96Type, None, rows.iter().map(|&row| vec![row as u32 * 1000, 0, 2_440_588].into()));
        column!(Int32Type, None, rows.iter().map(|&row| row - 50));
        column!(
            FixedLenByteArrayType,
            None,
            rows.iter().map(|&row| {
                parquet::data_type::FixedLenByteArray::from(i128::from(row - 50).to_be_bytes()[7..].to_vec())
            })
        );
        let levels: Vec<i16> = rows.iter().map(|row| i16::from(row % 3 > 0)).collect();
        column!(
            ByteArrayType,
            Some(&levels),
            rows.iter()
                .filter(|&row| row % 3 > 0)
                .map(|row| { parquet::data_type::ByteArray::from(format!("user {row}").as_str()) })
        );
        column!(Int64Type, None, rows.iter().map(|&row| i64::from(row)));
        group.close().unwrap();
    }
    writer.close().unwrap();
}

/// The sketch of these values.
fn theta(values: impl Iterator<Item = Vec<u8>>) -> Theta {
    let mut sketch = UpdateTheta::for_lg_k(12).unwrap();
    values.for_each(|value| sketch.insert(&value));
    sketch.sketch()
}

/// The fewest bytes of a number of two bytes.
fn decimal(number: i32) -> Vec<u8> {
    i8::try_from(number).map_or((number as i16).to_be_bytes().to_vec(), |few| few.to_be_bytes().to_vec())
}

#[test]
fn sketches_are_those_of_the_values() {
    let dir = Dir::new();
    write(&dir, "a.parquet", SCHEMA, 0, 250);
    write(&dir, "b.parquet", SCHEMA, 200, 400);
    let ran = dir.run("profile a.parquet b.parquet --puffin stats.puffin");
    assert!(ran.stderr.contains("left out: unsigned"), "{}", ran.stderr);
    let puffin = Puffin::from_bytes(&dir.read("stats.puffin")).unwrap();
    let rows = || 0..400i32;
    let wide = |value: i64| value.to_le_bytes().to_vec();
    let expected = [
        (11, theta(rows().map(|row| vec![(row % 2) as u8]))),
        (12, theta(rows().map(|row| row.to_le_bytes().to_vec()))),
        (13, theta(rows().map(|row| wide(i64::from(row) << 33)))),
        (14, theta(rows().map(|row| (row as f32 / 2.0).to_le_bytes().to_vec()))),
        (15, theta(rows().map(|row| (f64::from(row) / 4.0).to_le_bytes().to_vec()))),
        (16, theta(rows().map(|row| row.to_le_bytes().to_vec()))),
        (17, theta(rows().map(|row| wide(i64::from(row) * 1000)))),
        (18, theta(rows().map(|row| wide((i64::from(row) - 50) * 1000)))),
        (19, theta(rows().map(|row| wide(row.into())))),
        (20, theta(rows().map(|row| wide(row.into())))),
        (21, theta(rows().map(|row| decimal(row - 50)))),
        (22, theta(rows().map(|row| decimal(row - 50)))),
        (23, theta(rows().filter(|row| row % 3 > 0).map(|row| format!("user {row}").into_bytes()))),
    ];
    for ((field, found), (place, sketch)) in puffin.columns().zip(&expected) {
        assert_eq!((field, found), (*place, sketch));
    }
    assert_eq!(puffin.columns().count(), expected.len());

    let info = dir.run("info stats.puffin --json").json();
    assert_eq!(
        (info[0]["format"].as_str(), &info[0]["facts"]["columns"]),
        (Some("iceberg-puffin"), &13.into())
    );
    assert_eq!(info[13]["file"], "stats.puffin, field 23");
    assert_eq!(info[2]["facts"]["distinct"]["value"], 400.0);
    dir.run("distinct --from stats.puffin").fails_with(&["13 columns", "crivo info"]);
    dir.run("profile a.parquet --puffin a.puffin --quiet").text();
    dir.run("profile b.parquet --puffin b.puffin --quiet").text();
    dir.run("merge a.puffin b.puffin -o both.puffin").text();
    assert_eq!(dir.read("both.puffin"), dir.read("stats.puffin"));
}

#[test]
fn columns_without_field_ids_are_numbered() {
    let dir = Dir::new();
    let schema: String = SCHEMA
        .lines()
        .map(|line| {
            line.rsplit_once(" = ").map_or(line.to_string(), |(column, _)| format!("{column};")) + "\n"
        })
        .collect();
    write(&dir, "a.parquet", &schema, 0, 10);
    dir.run("profile a.parquet --puffin stats.puffin --quiet").text();
    let puffin = Puffin::from_bytes(&dir.read("stats.puffin")).unwrap();
    assert!(puffin.columns().map(|(field, _)| field).eq(1..=13));
    // Another table has other names.
    write(&dir, "b.parquet", &schema.replace(" large", " big"), 0, 10);
    dir.run("profile a.parquet b.parquet --puffin c.puffin").fails_with(&["b.parquet", "'big'", "'large'"]);
    assert!(!dir.path("c.puffin").exists());
}

#[test]
fn only_columns_with_types_have_sketches() {
    let dir = Dir::new();
    dir.write("data.csv", "a\n1\n");
    dir.run("profile data.csv --puffin stats.puffin").fails_with(&["data.csv", "--puffin needs Parquet"]);
    dir.run_with("profile --puffin stats.puffin", b"a\n1\n").fails_with(&["--puffin needs Parquet"]);
}
