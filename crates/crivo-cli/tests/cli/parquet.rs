//! Parquet: types, names, records, and what cannot be read.

use crate::support::{Dir, exact_distinct};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DoubleType, FixedLenByteArray, FixedLenByteArrayType, FloatType,
    Int32Type, Int64Type, Int96, Int96Type,
};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use std::fs::File;
use std::sync::Arc;

/// The next column of a row group: the values, their levels and, in lists, their repetition.
macro_rules! column {
    ($group:expr, $kind:ty, $values:expr, $levels:expr, $repeats:expr) => {{
        let mut column = $group.next_column().unwrap().unwrap();
        column.typed::<$kind>().write_batch($values, $levels, $repeats).unwrap();
        column.close().unwrap();
    }};
}

fn write(dir: &Dir, name: &str, schema: &str, fill: impl FnOnce(&mut SerializedRowGroupWriter<'_, File>)) {
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let file = File::create(dir.path(name)).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, Arc::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    fill(&mut group);
    group.close().unwrap();
    writer.close().unwrap();
}

#[test]
fn every_type_has_its_text() {
    let dir = Dir::new();
    let schema = "message t {
        required boolean b; required int32 i8 (INTEGER(8,true)); required int32 u32 (INTEGER(32,false));
        required int64 i64; required int64 u64 (INTEGER(64,false)); required float f32; required double f64;
        required int32 day (DATE); required int64 ms (TIMESTAMP(MILLIS,true)); required int64 us (TIMESTAMP(MICROS,false));
        required int64 ns (TIMESTAMP(NANOS,true)); required int32 time (TIME(MILLIS,false)); required int96 old;
        required int32 d32 (DECIMAL(9,2)); required int64 d64 (DECIMAL(18,3)); required fixed_len_byte_array(16) d128 (DECIMAL(38,1));
        required fixed_len_byte_array(16) uuid (UUID); required binary text (UTF8); required binary bytes;
        required int64 older (TIMESTAMP_MILLIS); }";
    write(&dir, "t.parquet", schema, |group| {
        let mut old = Int96::new();
        old.set_data(1, 0, 2_440_588);
        let fixed = |bytes: [u8; 16]| [FixedLenByteArray::from(bytes.to_vec())];
        column!(group, BoolType, &[true], None, None);
        column!(group, Int32Type, &[-7], None, None);
        column!(group, Int32Type, &[-1], None, None);
        column!(group, Int64Type, &[i64::MIN], None, None);
        column!(group, Int64Type, &[-1], None, None);
        column!(group, FloatType, &[0.1], None, None);
        column!(group, DoubleType, &[2.0], None, None);
        column!(group, Int32Type, &[15_706], None, None);
        column!(group, Int64Type, &[1_357_034_400_000], None, None);
        column!(group, Int64Type, &[1_357_034_400_250_000], None, None);
        column!(group, Int64Type, &[-1], None, None);
        column!(group, Int32Type, &[36_000_000], None, None);
        column!(group, Int96Type, &[old], None, None);
        column!(group, Int32Type, &[-1_250], None, None);
        column!(group, Int64Type, &[5], None, None);
        column!(group, FixedLenByteArrayType, &fixed((-123_i128).to_be_bytes()), None, None);
        column!(group, FixedLenByteArrayType, &fixed(*b"0123456789abcdef"), None, None);
        column!(group, ByteArrayType, &[ByteArray::from("é,\"")], None, None);
        column!(group, ByteArrayType, &[ByteArray::from(vec![0xff, 0])], None, None);
        column!(group, Int64Type, &[0], None, None);
    });
    let printed = dir.run("sample -k 1 --seed 1 t.parquet").stdout;
    let expected: &[&[u8]] = &[
        b"b,i8,u32,i64,u64,f32,f64,day,ms,us,ns,time,old,d32,d64,d128,uuid,text,bytes,older\n",
        b"true,-7,4294967295,-9223372036854775808,18446744073709551615,0.1,2.0,2013-01-01,2013-01-01T10:00:00Z,",
        b"2013-01-01T10:00:00.25,1969-12-31T23:59:59.999999999Z,10:00:00,1970-01-01T00:00:00.000000001,",
        b"-12.50,0.005,-12.3,30313233-3435-3637-3839-616263646566,\"\xc3\xa9,\"\"\",\xff\0,1970-01-01T00:00:00Z\n",
    ];
    assert_eq!(printed.escape_ascii().to_string(), expected.concat().escape_ascii().to_string());
}

const NESTED: &str = "message t { required int32 id; optional group user { optional binary name (UTF8); }
    optional group tags (LIST) { repeated group list { optional binary element (UTF8); } } }";

/// Three rows; of the second, the user's name is null, and of the third the user.
fn write_nested(dir: &Dir, name: &str) {
    write(dir, name, NESTED, |group| {
        column!(group, Int32Type, &[1, 2, 3], None, None);
        column!(group, ByteArrayType, &["ann".into()], Some(&[2, 1, 0]), None);
        column!(group, ByteArrayType, &["x".into(), "y".into()], Some(&[3, 3, 0, 0]), Some(&[0, 1, 0, 0]));
    });
}

#[test]
fn nested_columns_have_paths_and_lists_are_told() {
    let dir = Dir::new();
    write_nested(&dir, "t.parquet");
    let answer = &dir.run("distinct t.parquet -c user.name --json").json()[0];
    assert_eq!((&answer["items"], &answer["missing"]), (&1.into(), &2.into()));
    assert_eq!(exact_distinct(&dir.run("distinct --json t.parquet -c 1")), 3);
    for list in ["tags", "tags.list", "tags.list.element"] {
        dir.run(&format!("distinct t.parquet -c {list}"))
            .fails_with(&[&format!("crivo: t.parquet: column '{list}' has lists"), "unnest"]);
    }
    dir.run("distinct t.parquet -c user").fails_with(&["no column 'user'", "id, user.name"]);
    let run = dir.run("sample -k 5 --seed 1 t.parquet");
    assert!(run.stderr.contains("'tags' has more than one value per row, and is left out"), "{}", run.stderr);
    assert_eq!(run.stdout, b"id,user.name\n1,ann\n2,\n3,\n");
    assert_eq!(dir.run("sample -k 5 --seed 1 t.parquet --quiet").text(), "id,user.name\n1,ann\n2,\n3,\n");
}

#[test]
fn every_column_that_is_left_out_is_told_at_once() {
    let dir = Dir::new();
    let list = |name| {
        format!("optional group {name} (LIST) {{ repeated group list {{ optional int32 element; }} }}")
    };
    let schema = format!(
        "message t {{ required int32 id; {} optional group m (MAP) {{ repeated group key_value {{
            required binary key (UTF8); optional int32 value; }} }}
            optional group user {{ {} optional int32 age; }} repeated int32 bare; {} {} }}",
        list("a"),
        list("b"),
        list("y"),
        list("z")
    );
    write(&dir, "t.parquet", &schema, |group| {
        column!(group, Int32Type, &[1], None, None);
        column!(group, Int32Type, &[], Some(&[0]), Some(&[0]));
        column!(group, ByteArrayType, &[], Some(&[0]), Some(&[0]));
        column!(group, Int32Type, &[], Some(&[0]), Some(&[0]));
        column!(group, Int32Type, &[], Some(&[0]), Some(&[0]));
        column!(group, Int32Type, &[5], Some(&[2]), None);
        for _ in 0..3 {
            column!(group, Int32Type, &[], Some(&[0]), Some(&[0]));
        }
    });
    let run = dir.run("sample -k 5 --seed 1 t.parquet");
    assert_eq!(run.stdout, b"id,user.age\n1,5\n");
    assert_eq!(
        run.stderr,
        "crivo: t.parquet: 'a', 'm', 'user.b', 'bare', 'y' and 1 more have more than one value per row, and are left out\n"
    );
    for list in ["m", "m.key_value.value", "user.b", "bare"] {
        dir.run(&format!("distinct t.parquet -c {list}")).fails_with(&["has lists or maps"]);
    }
}

#[test]
fn times_of_day_are_said_to_be_text() {
    let dir = Dir::new();
    let schema = "message t { required int32 at (TIME(MILLIS,false)); required int64 to (TIME(MICROS,true)); required int32 n; }";
    write(&dir, "t.parquet", schema, |group| {
        column!(group, Int32Type, &[36_000_000], None, None);
        column!(group, Int64Type, &[36_000_000_000], None, None);
        column!(group, Int32Type, &[7], None, None);
    });
    let run = dir.run("profile t.parquet");
    assert_eq!(run.stderr, "crivo: t.parquet: times of day are profiled as text: 'at', 'to'\n");
    for line in ["profile t.parquet --quiet", "profile t.parquet --column n"] {
        assert_eq!(dir.run(line).stderr, "", "{line}");
    }
}

/// A dictionary that fills up: the numbers of texts are followed by texts, in many pages and pieces, with nulls.
#[test]
fn texts_are_numbered_as_far_as_the_dictionary_goes() {
    const ROWS: usize = 100_000;
    let dir = Dir::new();
    let schema =
        Arc::new(parse_message_type("message t { optional binary s (UTF8); required int64 n; }").unwrap());
    let properties = WriterProperties::builder()
        .set_dictionary_page_size_limit(100_000)
        .set_data_page_size_limit(10_000)
        .set_max_row_group_row_count(Some(60_000))
        .build();
    let file = File::create(dir.path("t.parquet")).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, properties.into()).unwrap();
    let value = |row: usize| (row % 10 != 3).then(|| format!("{}", row * row % 77_777));
    let mut csv = String::from("s,n\n");
    for rows in [0..60_000, 60_000..ROWS] {
        let mut group = writer.next_row_group().unwrap();
        let texts: Vec<ByteArray> =
            rows.clone().filter_map(|row| Some(value(row)?.as_str().into())).collect();
        let levels: Vec<i16> = rows.clone().map(|row| value(row).is_some().into()).collect();
        column!(group, ByteArrayType, &texts, Some(&levels), None);
        let numbers: Vec<i64> = rows.clone().map(|row| row as i64).collect();
        column!(group, Int64Type, &numbers, None, None);
        group.close().unwrap();
        csv.extend(rows.map(|row| format!("{},{row}\n", value(row).unwrap_or_default())));
    }
    writer.close().unwrap();
    dir.write("t.csv", csv);
    for jobs in [1, 3] {
        for line in ["sample -k 200000 --seed 1", "distinct -c s --json", "profile --json"] {
            let [parquet, csv] =
                ["t.parquet", "t.csv"].map(|name| dir.run(&format!("{line} {name} --jobs {jobs} --quiet")));
            let parquet = String::from_utf8(parquet.stdout).unwrap().replace("t.parquet", "t.csv");
            assert!(parquet == String::from_utf8(csv.stdout).unwrap(), "{line} --jobs {jobs}");
        }
    }
}

#[test]
fn parquet_is_known_by_its_bytes_in_files_and_pipes() {
    let dir = Dir::new();
    for name in ["t", "t.parquet", "t.PQ", "t.csv", "t.gz"] {
        write_nested(&dir, name);
        assert_eq!(exact_distinct(&dir.run(&format!("distinct --json {name} --column id"))), 3, "{name}");
        assert_eq!(exact_distinct(&dir.run(&format!("distinct --json {name} t -c id --format parquet"))), 3);
    }
    dir.write("other.csv", "id\n3\n4\n");
    assert_eq!(exact_distinct(&dir.run("distinct --json t.parquet other.csv t -c id")), 4);
    dir.run("distinct t --no-header").fails_with(&["--no-header"]);
    dir.run("distinct t --format csv -c id").fails_with(&["this is Parquet"]);
    let piped = dir.read("t");
    for line in ["distinct --json -c id", "distinct --json -c id --format parquet", "distinct --json - -c id"]
    {
        assert_eq!(exact_distinct(&dir.run_with(line, &piped)), 3, "{line}");
    }
    dir.run_with("distinct --format parquet", b"PAR1").fails_with(&["standard input", "corrupt"]);
    dir.run_with("distinct", &piped).fails_with(&["standard input: this is Parquet", "--format parquet"]);
    dir.run("quantiles t -c user.name").fails_with(&["no value is a number", "'ann' in row 1 of t"]);
    dir.run("top t -c id --weight user.name").fails_with(&["t: row 1: "]);
}

#[test]
fn a_table_without_rows_has_a_header() {
    let dir = Dir::new();
    write(&dir, "t.parquet", "message t { required int32 id; required int32 n; }", |group| {
        column!(group, Int32Type, &[], None, None);
        column!(group, Int32Type, &[], None, None);
    });
    assert_eq!(dir.run("sample -k 5 --seed 1 t.parquet").text(), "id,n\n");
    assert_eq!(exact_distinct(&dir.run("distinct --json t.parquet -c id")), 0);
}

/// A file of two row groups, with or without the Bloom filters of the format.
fn write_filtered(dir: &Dir, name: &str, with_filters: bool) {
    let schema =
        "message t { required binary user (UTF8); required int32 n; required int64 big (INTEGER(64,false));
        required double x; required int32 day (DATE); }";
    let properties = WriterProperties::builder().set_bloom_filter_enabled(with_filters);
    // To set their size is to enable them.
    let properties = if with_filters { properties.set_bloom_filter_max_ndv(200) } else { properties }.build();
    let file = File::create(dir.path(name)).unwrap();
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties)).unwrap();
    for group in 0..2 {
        let numbers = group * 100..(group + 1) * 100;
        let mut row_group = writer.next_row_group().unwrap();
        let users: Vec<ByteArray> = numbers.clone().map(|i| ByteArray::from(&*format!("u{i}"))).collect();
        column!(row_group, ByteArrayType, &users, None, None);
        column!(row_group, Int32Type, &numbers.clone().map(|i| i - 50).collect::<Vec<_>>(), None, None);
        column!(
            row_group,
            Int64Type,
            &numbers.clone().map(|i| -i64::from(i) - 1).collect::<Vec<_>>(),
            None,
            None
        );
        column!(
            row_group,
            DoubleType,
            &numbers.clone().map(|i| f64::from(i) / 4.0).collect::<Vec<_>>(),
            None,
            None
        );
        column!(row_group, Int32Type, &numbers.collect::<Vec<_>>(), None, None);
        row_group.close().unwrap();
    }
    writer.close().unwrap();
}

#[test]
fn filters_inside_a_file_answer_for_its_columns() {
    let dir = Dir::new();
    write_filtered(&dir, "t.parquet", true);
    let ask = |column: &str, key: &str| {
        dir.run_words(&["filter", "query", "t.parquet", "--column", column, "--quiet", "--", key]).code
            == Some(0)
    };
    let all: Vec<String> = (0..200).map(|i| format!("u{i}")).collect();
    let found = dir.run(&format!("filter query t.parquet --column user --json {}", all.join(" "))).json();
    assert_eq!((found.len(), found[200]["present"].as_u64()), (201, Some(200)));
    for (column, present, absent) in [
        ("n", ["-50", "149"], ["150", "-51"]),
        ("big", ["18446744073709551615", "18446744073709551416"], ["0", "-1"]),
        ("x", ["0.25", "49.75"], ["0.3", "word"]),
    ] {
        assert!(present.iter().all(|key| ask(column, key)), "{column}");
        assert!(absent.iter().any(|key| !ask(column, key)), "{column}");
    }
    let text = dir.run("filter query t.parquet --column user u3 nobody");
    assert!(text.text().contains("u3      yes  (false-positive rate"), "{}", text.text());
    assert_eq!(dir.run("filter query t.parquet --column user nobody --quiet").code, Some(1));
    write_filtered(&dir, "plain.parquet", false);
    for (line, words) in [
        (
            "filter query plain.parquet --column user u1",
            &["plain.parquet", "row group 1 has no Bloom filter"][..],
        ),
        ("filter query t.parquet --column none u1", &["no column 'none'", "user, n, big, x, day"]),
        ("filter query t.parquet --column day 3", &["column 'day'", "dates"]),
        ("filter query t.parquet u1", &["name one column with --column"]),
        ("filter query t.parquet --column user", &["name them"]),
        ("filter query t.parquet --column user --invert u1", &["leave out the flags"]),
        ("filter query t.parquet --column user --numbers 1", &["--numbers is for sketches"]),
        ("filter query t.parquet --column user --max-memory 64 u1", &["--max-memory"]),
    ] {
        dir.run(line).fails_with(words);
    }
}

/// The file names the places of its filters: whatever is there is refused or answers.
#[test]
fn changed_filters_are_refused_or_harmless() {
    let dir = Dir::new();
    write_filtered(&dir, "t.parquet", true);
    let bytes = dir.read("t.parquet");
    // The heads of the filters: the length, and the structs of the algorithm, the hash and the compression.
    let head = bytes.windows(4).position(|window| window[2..] == [0x1c, 0x1c]).unwrap();
    for place in head - 2..head + 14 {
        for flip in [1, 0x10, 0xff] {
            let mut changed = bytes.clone();
            changed[place] ^= flip;
            dir.write("c.parquet", changed);
            let run = dir.run("filter query c.parquet --column user u3");
            assert!(matches!(run.code, Some(0..=2)), "{place} {flip}: {run:?}");
        }
    }
}
