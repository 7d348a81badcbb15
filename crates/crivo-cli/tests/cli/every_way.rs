//! The answers for groups do not depend on the format of the table, on the number of threads, nor on whether it comes from a file or
//! a pipe.

use crate::support::Dir;
use crivo::rng::Rng;
use serde_json::{Value, json};

/// A group, a whole number and a text; some are missing.
type Row = (Option<String>, i64, Option<String>);

/// Several pieces on any number of threads.
fn rows() -> Vec<Row> {
    let mut rng = Rng::new(23);
    let row = |_| {
        let group = (rng.below(20) > 0).then(|| format!("g{}", rng.below(5).min(rng.below(5))));
        let text = (rng.below(9) > 0).then(|| format!("v {}", rng.below(300).min(rng.below(300))));
        (group, i128::from(rng.below(2000)) as i64 - 500, text)
    };
    (0..60_000).map(row).collect()
}

fn write_parquet(dir: &Dir, rows: &[Row]) {
    use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;
    use std::sync::Arc;

    let schema = "message t { optional binary g (UTF8); required int64 n; optional binary v (UTF8); }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let file = std::fs::File::create(dir.path("t.parquet")).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, Arc::default()).unwrap();
    for rows in rows.chunks(25_000) {
        let mut group = writer.next_row_group().unwrap();
        let numbers: Vec<i64> = rows.iter().map(|row| row.1).collect();
        for place in 0..3 {
            let mut column = group.next_column().unwrap().unwrap();
            if place == 1 {
                column.typed::<Int64Type>().write_batch(&numbers, None, None).unwrap();
            } else {
                let texts = || rows.iter().map(|row| if place == 0 { &row.0 } else { &row.2 });
                let levels: Vec<i16> = texts().map(|text| i16::from(text.is_some())).collect();
                let texts: Vec<ByteArray> = texts().flatten().map(|text| text.as_str().into()).collect();
                column.typed::<ByteArrayType>().write_batch(&texts, Some(&levels), None).unwrap();
            }
            column.close().unwrap();
        }
        group.close().unwrap();
    }
    writer.close().unwrap();
}

/// The formats that there are, each with its file.
fn write(dir: &Dir) -> Vec<(&'static str, &'static str)> {
    let rows = rows();
    let table = |delimiter: &str| {
        let cell = |text: &Option<String>| text.clone().unwrap_or_default();
        let row = |(g, n, v): &Row| [cell(g), n.to_string(), cell(v)].join(delimiter) + "\n";
        format!("g{delimiter}n{delimiter}v\n{}", rows.iter().map(row).collect::<String>())
    };
    dir.write("t.csv", table(","));
    dir.write("t.tsv", table("\t"));
    let line = |(g, n, v): &Row| json!({ "g": g, "n": n, "v": v }).to_string() + "\n";
    dir.write("t.jsonl", rows.iter().map(line).collect::<String>());
    let mut files = vec![("csv", "t.csv"), ("tsv", "t.tsv"), ("jsonl", "t.jsonl")];
    if cfg!(feature = "parquet") {
        write_parquet(dir, &rows);
        files.push(("parquet", "t.parquet"));
    }
    files
}

/// What is printed, but for the name of the table.
fn answers(dir: &Dir, line: &str, way: &str, pipe: Option<&[u8]>) -> Vec<Value> {
    let line = format!("{line} {way} --json");
    let mut answers = match pipe {
        Some(bytes) => dir.run_with(&line, bytes).json(),
        None => dir.run(&line).json(),
    };
    for answer in &mut answers {
        answer.as_object_mut().unwrap().remove("table");
    }
    answers
}

#[test]
fn groups_are_told_alike_whatever_the_way() {
    let dir = Dir::new();
    let files = write(&dir);
    let lines = [
        ("profile --by g", 8),
        ("profile -c n,v --by g --groups 3", 8),
        ("profile -c g,n --by g", 1),
        ("profile", 1),
        ("distinct -c v --by g", 1),
        ("distinct -c v,g", 1),
        ("top -c v -n 9 --by g --groups 2", 1),
        ("count -c v --key v1 --by g", 1),
        ("quantiles -c n --by g", 1),
        ("histogram -c n --by g", 1),
        ("range 3 500 -c n --by g", 1),
        ("similar -c v --by g --quiet", 1),
        ("sample -n 3 --seed 1 -c v --by g", 1),
    ];
    for (line, rounds) in lines {
        let expected = answers(&dir, line, "t.csv -j 1", None);
        assert!(!expected.is_empty(), "{line}: {expected:?}");
        for round in 0..rounds {
            for (place, (format, file)) in files.iter().enumerate() {
                let bytes = dir.read(file);
                for (pipe, from) in [(None, *file), (Some(&bytes[..]), "-")] {
                    // All numbers of threads, in one round or in eight.
                    let jobs = (2 * place + usize::from(pipe.is_some()) + round) % 8 + 1;
                    let way = format!("{from} --format {format} -j {jobs}");
                    assert!(answers(&dir, line, &way, pipe) == expected, "{line} {way}");
                }
            }
        }
    }
}
