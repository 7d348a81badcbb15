//! One table gives the same bytes, whatever its format; columns that form one value; values that are missing.

use crate::support::{Dir, data};

/// What is saved, or printed where nothing is, by a verb with a column.
const VERBS: [&str; 7] = [
    "distinct --save",
    "count --save",
    "top --save",
    "similar --save",
    "filter build -o",
    "sample -k 100 --seed 7 --save",
    "filter build --kind cuckoo -o",
];

fn same(dir: &Dir, verbs: &[&str], files: &[&str], flags: &str) {
    for verb in verbs {
        let saved: Vec<Vec<u8>> = files
            .iter()
            .map(|file| {
                dir.run(&format!("{verb} out.crv --force {file} {flags}")).text();
                dir.read("out.crv")
            })
            .collect();
        for (file, bytes) in files.iter().zip(&saved) {
            assert!(bytes == &saved[0], "{verb} {flags}: {file} differs from {}", files[0]);
        }
    }
}

#[test]
fn one_table_one_sketch() {
    let dir = Dir::new();
    let (mut csv, mut tsv, mut jsonl) = ("id,text\n".to_string(), "id\ttext\n".to_string(), String::new());
    let rows = rows();
    for (id, text) in &rows {
        let quoted = format!("\"{}\"", text.replace('"', "\"\""));
        csv += &format!("{id},{quoted}\n");
        tsv += &format!("{id}\t{quoted}\n");
        jsonl += &format!("{}\n", serde_json::json!({ "id": id, "text": text }));
    }
    dir.write("t.csv", csv);
    dir.write("t.tsv", tsv);
    dir.write("t.jsonl", jsonl);
    let mut files = vec!["t.csv", "t.tsv", "t.jsonl"];
    if cfg!(feature = "parquet") {
        write_parquet(&dir, &rows);
        files.push("t.parquet");
    }
    for flags in ["--column id", "--column text", "--column text --column id"] {
        same(&dir, &VERBS, &files, flags);
    }
    same(&dir, &["quantiles --save"], &files, "--column id --jobs 3");
    files.retain(|&file| file != "t.jsonl");
    same(&dir, &VERBS[..3], &files, "");
}

/// Numbers and texts with all that needs quotes; some are missing.
fn rows() -> Vec<(i64, String)> {
    let text = |i: i64| match i % 5 {
        0 => String::new(),
        1 => format!("a \"quoted\" {i}"),
        2 => format!("two\nlines, {}", i % 100),
        3 => format!("é\t{i}"),
        _ => format!("plain{i}"),
    };
    (0..5_000).map(|i| (i, text(i))).collect()
}

/// In eight row groups.
fn write_parquet(dir: &Dir, rows: &[(i64, String)]) {
    use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;
    use std::fs::File;
    use std::sync::Arc;

    let schema = "message t { required int64 id; optional binary text (UTF8); }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let file = File::create(dir.path("t.parquet")).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, Arc::default()).unwrap();
    for rows in rows.chunks(700) {
        let mut group = writer.next_row_group().unwrap();
        let ids: Vec<i64> = rows.iter().map(|row| row.0).collect();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<Int64Type>().write_batch(&ids, None, None).unwrap();
        column.close().unwrap();
        let levels: Vec<i16> = rows.iter().map(|row| i16::from(!row.1.is_empty())).collect();
        let texts: Vec<ByteArray> =
            rows.iter().filter(|row| !row.1.is_empty()).map(|row| row.1.as_str().into()).collect();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<ByteArrayType>().write_batch(&texts, Some(&levels), None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
    }
    writer.close().unwrap();
}

/// As `repr` of Python, pandas' `to_csv` and DuckDB's `COPY` write these doubles; JSON by Python's `json` has the same.
#[test]
fn floats_with_exponents_are_those_of_python_and_duckdb() {
    use parquet::data_type::DoubleType;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;
    use std::sync::Arc;

    if !cfg!(feature = "parquet") {
        return;
    }
    let numbers = [
        (0.1, "0.1"),
        (2.0, "2.0"),
        (1e-4, "0.0001"),
        (1e-5, "1e-05"),
        (1.5e-7, "1.5e-07"),
        (-2.5e-10, "-2.5e-10"),
        (1e15, "1000000000000000.0"),
        (1e16, "1e+16"),
        (1.234_567_890_123_456_8e18, "1.2345678901234568e+18"),
        (1e100, "1e+100"),
        (f64::INFINITY, "inf"),
        (f64::NEG_INFINITY, "-inf"),
    ];
    let dir = Dir::new();
    let schema = Arc::new(parse_message_type("message t { required double x; }").unwrap());
    let file = std::fs::File::create(dir.path("t.parquet")).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, Arc::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<DoubleType>().write_batch(&numbers.map(|(number, _)| number), None, None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
    dir.write("t.csv", format!("x\n{}\n", numbers.map(|(_, text)| text).join("\n")));
    let finite = numbers.iter().filter(|(number, _)| number.is_finite());
    dir.write("t.jsonl", finite.map(|(_, text)| format!("{{\"x\":{text}}}\n")).collect::<String>());
    let files = ["t.csv", "t.parquet"];
    same(&dir, &VERBS, &files, "--column x");
    same(&dir, &["quantiles --save", "profile --save"], &files, "--column x");
    let answer = dir.run("profile t.parquet --json").json().remove(0);
    assert_eq!((&answer["data_type"], &answer["infinite"]), (&"float".into(), &2.into()));
    let distinct = |file: &str| dir.run(&format!("top {file} --column x --json -k 20")).text();
    for (_, text) in numbers.iter().filter(|(number, _)| number.is_finite()) {
        let item = format!("\"item\":\"{text}\"");
        assert!(distinct("t.parquet").contains(&item) && distinct("t.jsonl").contains(&item), "{text}");
    }
}

#[test]
fn flights_are_the_same_in_every_format() {
    let (Some(csv), Some(parquet)) =
        (data("tables/nycflights13-flights.csv.gz"), data("tables/nycflights13-flights.parquet"))
    else {
        return;
    };
    if !cfg!(feature = "parquet") {
        return;
    }
    let dir = Dir::new();
    let (columns, mut jsonl) = (["dep_delay", "tailnum", "time_hour"], String::new());
    let bytes = flate2::read::MultiGzDecoder::new(std::fs::File::open(&csv).unwrap());
    let mut reader = csv::Reader::from_reader(bytes);
    let places =
        columns.map(|name| reader.headers().unwrap().iter().position(|field| field == name).unwrap());
    for record in reader.records() {
        let record = record.unwrap();
        let [delay, tail, hour] = places.map(|place| &record[place]);
        let delay = if delay == "NA" { "null" } else { delay };
        jsonl += &format!("{{\"dep_delay\":{delay},\"tailnum\":\"{tail}\",\"time_hour\":\"{hour}\"}}\n");
    }
    dir.write("flights.jsonl", jsonl);
    let files = [csv.as_str(), &parquet, "flights.jsonl"];
    for column in columns {
        same(&dir, &["distinct --save", "top --save"], &files, &format!("--missing NA --column {column}"));
    }
    let flags = "--missing NA --column tailnum --column dep_delay";
    same(&dir, &["count --save", "sample -k 10 --seed 1 --save"], &files, flags);
    same(&dir, &["quantiles --save"], &files, "--missing NA --column dep_delay");
    same(&dir, &["distinct --save"], &files[..2], "--missing NA");
    let answer = &dir.run(&format!("distinct --json {parquet} --column tailnum")).json()[0];
    assert_eq!((&answer["items"], &answer["missing"]), (&334_264.into(), &2_512.into()));
}

#[test]
fn columns_form_one_value() {
    let dir = Dir::new();
    dir.write("t.csv", "a,b,c\n1,x,\n1,\"y,z\",\n2,x,\n1,x,7\n,,9\n");
    dir.write(
        "t.jsonl",
        "{\"a\":1,\"b\":\"x\"}\n{\"a\":1,\"b\":\"y,z\"}\n{\"a\":2,\"b\":\"x\"}\n{\"a\":1,\"b\":\"x\"}\n{}\n",
    );
    for file in ["t.csv", "t.jsonl"] {
        let top = dir.run(&format!("top {file} --column a --column b --json -k 3")).json();
        let values: Vec<&str> = top.iter().filter_map(|line| line["item"].as_str()).collect();
        assert_eq!(values, ["1,x", "1,\"y,z\"", "2,x"], "{file}: {top:?}");
        let answer = &dir.run(&format!("distinct --json {file} -c a -c b")).json()[0];
        assert_eq!((&answer["items"], &answer["missing"]), (&4.into(), &1.into()), "{file}");
        let reversed = &dir.run(&format!("count {file} -c b -c a -k x,1")).text();
        assert!(reversed.starts_with("x,1  2  (exact)"), "{reversed}");
    }
    dir.run("distinct t.csv -c a -c nosuch").fails_with(&["no column 'nosuch'", "a, b, c"]);
    dir.run("distinct t.csv -c a -c=").fails_with(&["--column needs a name"]);
}

#[test]
fn missing_texts_count_like_empty_values() {
    let dir = Dir::new();
    dir.write("t.csv", "x,y\nNA,1\n-,2\nNAB,3\n,4\nb,NA\n");
    dir.write("t.jsonl", "{\"x\":\"NA\"}\n{\"x\":\"-\"}\n{\"x\":\"NAB\"}\n{\"x\":null}\n{\"x\":\"b\"}\n");
    dir.write("t.txt", "NA\n-\nNAB\n\nb\n");
    let counts = |line: &str| {
        let answer = &dir.run(&format!("distinct --json {line}")).json()[0];
        (answer["items"].as_u64().unwrap(), answer["missing"].as_u64().unwrap())
    };
    for file in ["t.csv", "t.jsonl"] {
        assert_eq!(counts(&format!("{file} -c x")), (3, 2), "{file}");
        assert_eq!(counts(&format!("{file} -c x --missing=")), (4, 1), "{file}");
        for flags in ["--missing NA,-", "--missing NA --missing -", "--missing=-,NA,none"] {
            assert_eq!(counts(&format!("{file} -c x {flags}")), (2, 3), "{file} {flags}");
        }
    }
    assert_eq!(counts("t.txt --missing NA"), (3, 2), "an empty line is missing");
    assert_eq!(counts("t.txt"), (4, 1), "another line is an item, whatever it says");
    assert_eq!(counts("t.csv --missing NA"), (5, 0), "whole records");
    let values = |flags: &str| {
        let profile = dir.run(&format!("profile --json {flags}")).json();
        (profile[0]["missing"].as_u64().unwrap(), profile[0]["distinct"]["value"].as_f64().unwrap())
    };
    assert_eq!(values("t.txt"), (1, 4.0), "as distinct counts");
    assert_eq!(values("t.txt --missing NA"), (2, 3.0));
    assert_eq!(values("t.csv -c x"), (2, 3.0), "as distinct counts");
    let records = dir.run_with("seen --format csv -c x", b"x,y\nNA,1\nNA,2\na,1\na,2\n");
    assert_eq!(records.stdout, b"x,y\nNA,1\nNA,2\na,1\n", "records are passed as they are");
    let numbers = dir.run("quantiles t.csv -c y --json").json();
    assert_eq!(numbers.last().unwrap()["missing"], 1, "{numbers:?}");
    dir.run("distinct t.csv -c x --save s.crv").text();
    dir.run("top --from s.crv --missing NA").fails_with(&["--from without files reads no input"]);
}

#[test]
fn items_of_json_arrays_have_numbers() {
    let dir = Dir::new();
    dir.write("t.jsonl", "{\"tags\":[\"a\",{\"b\":1}]}\n{\"tags\":[\"c\"]}\n{\"tags\":\"d\"}\n");
    assert!(dir.run("count t.jsonl -c tags.0 -k a -k c").text().contains("of 2 items, 1 missing value"));
    assert!(dir.run("count t.jsonl -c tags.1.b -k 1").text().starts_with("1  1  (exact)"));
}
