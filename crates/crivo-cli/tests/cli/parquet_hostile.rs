//! Parquet files written by hand, which say what is not so: each is an error, and takes neither memory nor time by what it
//! says.

use crate::support::{Dir, Run, exact_distinct, gzip, zstd};
use std::process::Command;
use std::time::{Duration, Instant};

/// A value in Thrift's compact protocol.
enum Value {
    Int(i64),
    Text(Vec<u8>),
    Struct(Vec<u8>),
    List(Vec<Vec<u8>>),
    False,
    /// Of any type, as it is.
    Raw(u8, Vec<u8>),
}
use Value::{False, Int, List, Raw, Struct, Text};

fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

fn zigzag(value: i64) -> Vec<u8> {
    varint((value << 1 ^ value >> 63) as u64)
}

/// A struct of these fields, whose numbers rise.
fn structure(fields: Vec<(i64, Value)>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (number, value) in fields {
        let (kind, value) = match value {
            False => (2, Vec::new()),
            Int(value) => (6, zigzag(value)),
            Text(text) => (8, [varint(text.len() as u64), text].concat()),
            List(structs) => (9, [vec![0xfc], varint(structs.len() as u64), structs.concat()].concat()),
            Struct(bytes) => (12, bytes),
            Raw(kind, bytes) => (kind, bytes),
        };
        bytes.push(kind);
        bytes.extend(zigzag(number));
        bytes.extend(value);
    }
    bytes.push(0);
    bytes
}

const I64: i64 = 2;
const TEXT: i64 = 6;
const FIXED: i64 = 7;

/// A page of version 1; `size` is what it says of its bytes when decompressed.
fn page(values: i64, encoding: i64, data: &[u8], size: i64) -> Vec<u8> {
    let head = structure(vec![(1, Int(values)), (2, Int(encoding)), (3, Int(3)), (4, Int(3))]);
    let head = vec![(1, Int(0)), (2, Int(size)), (3, Int(data.len() as i64)), (5, Struct(head))];
    [structure(head), data.to_vec()].concat()
}

fn plain(values: i64, data: &[u8]) -> Vec<u8> {
    page(values, 0, data, data.len() as i64)
}

fn dictionary(values: i64, data: &[u8]) -> Vec<u8> {
    let head = structure(vec![(1, Int(values)), (2, Int(0))]);
    let size = data.len() as i64;
    [structure(vec![(1, Int(2)), (2, Int(size)), (3, Int(size)), (7, Struct(head))]), data.to_vec()].concat()
}

fn numbers(count: i64) -> Vec<u8> {
    (0..count).flat_map(i64::to_le_bytes).collect()
}

/// A file with one column `x`.
struct File {
    physical: i64,
    /// Bytes of a value of [`FIXED`].
    length: i64,
    rows: i64,
    codec: i64,
    dictionary: Vec<u8>,
    pages: Vec<u8>,
    group_bytes: i64,
    schema: Option<Vec<Vec<u8>>>,
    more: Vec<(i64, Value)>,
}

impl Default for File {
    fn default() -> Self {
        Self {
            physical: I64,
            length: 4,
            rows: 10,
            codec: 0,
            dictionary: Vec::new(),
            pages: plain(10, &numbers(10)),
            group_bytes: 80,
            schema: None,
            more: Vec::new(),
        }
    }
}

fn node(name: &str, children: i64) -> Vec<u8> {
    structure(vec![(4, Text(name.into())), (5, Int(children))])
}

impl File {
    fn bytes(self) -> Vec<u8> {
        let mut bytes = b"PAR1".to_vec();
        bytes.extend(&self.dictionary);
        let data = bytes.len() as i64;
        bytes.extend(&self.pages);
        let size = bytes.len() as i64 - 4;
        let mut chunk = vec![
            (1, Int(self.physical)),
            (4, Int(self.codec)),
            (5, Int(self.rows)),
            (6, Int(size)),
            (7, Int(size)),
            (9, Int(data)),
        ];
        chunk.insert(1, (2, Raw(9, vec![0x15, 0])));
        chunk.insert(2, (3, Raw(9, vec![0x18, 1, b'x'])));
        if !self.dictionary.is_empty() {
            chunk.push((11, Int(4)));
        }
        let chunk = structure(vec![(2, Int(4)), (3, Struct(structure(chunk)))]);
        let group = vec![(1, List(vec![chunk])), (2, Int(self.group_bytes)), (3, Int(self.rows))];
        let schema = self.schema.unwrap_or_else(|| {
            let leaf =
                vec![(1, Int(self.physical)), (2, Int(self.length)), (3, Int(0)), (4, Text("x".into()))];
            vec![node("root", 1), structure(leaf)]
        });
        let mut footer =
            vec![(1, Int(1)), (2, List(schema)), (3, Int(self.rows)), (4, List(vec![structure(group)]))];
        footer.extend(self.more);
        let footer = structure(footer);
        bytes.extend(&footer);
        bytes.extend((footer.len() as u32).to_le_bytes());
        bytes.extend(b"PAR1");
        bytes
    }
}

/// Runs the command with less address space than any of these files asks for.
fn run(dir: &Dir, line: &str) -> Run {
    let limited = format!("ulimit -v 1500000; exec {} {line}", env!("CARGO_BIN_EXE_crivo"));
    let output = Command::new("sh").args(["-c", &limited]).current_dir(dir.path("")).output().unwrap();
    Run::new(line, output)
}

#[test]
fn what_a_file_says_is_held_against_its_bytes() {
    let dir = Dir::new();
    // The heads of integers as differences: block, parts, count and first.
    let delta = |block: u64, parts: u64, count: u64| {
        [varint(block), varint(parts), varint(count), zigzag(0), vec![0; 40]].concat()
    };
    let deep = |depth: usize| {
        let mut nodes = vec![node("root", 1)];
        nodes.extend((0..depth).map(|_| structure(vec![(3, Int(0)), (4, Text("g".into())), (5, Int(1))])));
        nodes.push(structure(vec![(1, Int(I64)), (3, Int(0)), (4, Text("x".into()))]));
        nodes
    };
    let hidden = structure(vec![(2, List(deep(3_000)))]);
    let texts = |encoding: i64, data: &[u8]| File {
        physical: TEXT,
        pages: page(10, encoding, data, data.len() as i64),
        ..File::default()
    };
    let coded =
        |codec: i64| File { codec, pages: page(10, 0, &numbers(10), i64::from(i32::MAX)), ..File::default() };
    let most = i64::from(i32::MAX);
    let long = "n".repeat(1 << 16);
    let mut many = vec![node("root", 1), node(&long, 30_000)];
    many.extend((0..30_000).map(|_| structure(vec![(1, Int(I64)), (3, Int(0)), (4, Text("x".into()))])));
    for (what, file) in [
        ("a deep schema", File { schema: Some(deep(3_000)), ..File::default() }),
        ("a schema deeper than tables are", File { schema: Some(deep(101)), ..File::default() }),
        ("long names", File { schema: Some(many), ..File::default() }),
        ("2^40 lengths", texts(6, &delta(128, 4, 1 << 40))),
        ("2^31 lengths", texts(6, &delta(128, 4, 1 << 31))),
        ("2^40 prefixes", texts(7, &delta(128, 4, 1 << 40))),
        ("2^40 suffixes", texts(7, &[delta(128, 4, 1), delta(128, 4, 1 << 40)].concat())),
        ("a block of 2^31", texts(6, &delta(1 << 31, 1, 1 << 31))),
        (
            "a dictionary of 2^28",
            File {
                dictionary: dictionary(1 << 28, &numbers(3)),
                pages: page(10, 8, &[1, 20, 0], 3),
                ..File::default()
            },
        ),
        (
            "a text dictionary of 2^31",
            File {
                physical: TEXT,
                dictionary: dictionary(most, b"\x01\0\0\0a"),
                pages: page(10, 8, &[1, 20, 0], 3),
                ..File::default()
            },
        ),
        ("snappy of 2^31", coded(1)),
        ("gzip of 2^31", coded(2)),
        ("brotli of 2^31", coded(4)),
        ("LZ4 of 2^31", coded(5)),
        ("zstd of 2^31", coded(6)),
        ("raw LZ4 of 2^31", coded(7)),
        ("a page of 2^31 values", File { pages: plain(most, &numbers(10)), rows: most, ..File::default() }),
        ("2^62 rows", File { rows: 1 << 62, ..File::default() }),
        (
            "values of 2^31 bytes",
            File { physical: FIXED, length: most, pages: page(10, 9, b"", 0), ..File::default() },
        ),
        (
            "values of 2^20 bytes, 4096 at once",
            File {
                physical: FIXED,
                length: 1 << 20,
                rows: 4096,
                pages: page(4096, 9, &vec![0; 1 << 20], 1 << 20),
                ..File::default()
            },
        ),
        ("values without bytes", File { physical: FIXED, length: 0, ..File::default() }),
        (
            "a list of 2^31 truths",
            File { more: vec![(99, Raw(9, [vec![0xf1], varint(most as u64)].concat()))], ..File::default() },
        ),
        ("structs in structs", File { more: vec![(99, Raw(12, vec![0x1c; 300_000]))], ..File::default() }),
        ("a field of another type", File { more: vec![(4, Text(hidden))], ..File::default() }),
    ] {
        dir.write("t.parquet", file.bytes());
        for verb in ["distinct -c x", "profile", "sample"] {
            let run = run(&dir, &format!("{verb} t.parquet --quiet --jobs 2"));
            run.fails_with(&["crivo: t.parquet: ", "Parquet"]);
            assert_eq!(run.stderr.lines().count(), 1, "{what}: {}", run.stderr);
        }
    }
}

/// Before, each of 2^16 pieces of a row decompressed the page and passed over the rows before it: minutes. The guard is
/// a hundred times what it takes.
#[test]
fn the_rows_of_a_page_are_read_in_one_pass() {
    let dir = Dir::new();
    let rows: i64 = 1 << 17;
    let data: Vec<u8> = (0..rows).flat_map(|row| (row % 7).to_le_bytes()).collect();
    let pages = page(rows, 0, &gzip(&data), data.len() as i64);
    dir.write("t.parquet", File { rows, codec: 2, pages, group_bytes: 1 << 62, ..File::default() }.bytes());
    let begun = Instant::now();
    let answer = dir.run("distinct -c x --json t.parquet");
    assert_eq!((exact_distinct(&answer), &answer.json()[0]["items"]), (7, &rows.into()));
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
}

/// A value of such a page is what others have before it, and a little more: a megabyte 4,096 times, in 30 KB.
#[test]
fn texts_that_grow_out_of_others_stay_within_the_limit() {
    let (dir, rows, long) = (Dir::new(), 4096u32, 1 << 20);
    // Differences of 32 bits: the first value, then changes.
    let lengths = |first: i64, second: i64| {
        let mut bytes = [varint(128), varint(4), varint(rows.into()), zigzag(first)].concat();
        let mut left = rows as usize - 1;
        let least = (second - first).min(0);
        while left > 0 {
            bytes.extend(zigzag(least));
            bytes.extend([32; 4]);
            for place in 0..128 {
                let is_second = left == rows as usize - 1 && place == 0;
                let change = if is_second { second - first } else { 0 };
                bytes.extend(((change - least) as u32).to_le_bytes());
            }
            left = left.saturating_sub(128);
        }
        bytes
    };
    let data = [lengths(0, long), lengths(long, 0), vec![b'a'; 1 << 20]].concat();
    let pages = page(rows.into(), 7, &gzip(&data), data.len() as i64);
    let file = File { physical: TEXT, rows: rows.into(), codec: 2, pages, ..File::default() };
    dir.write("t.parquet", file.bytes());
    for verb in ["distinct -c x", "profile", "sample"] {
        run(&dir, &format!("{verb} t.parquet --quiet --jobs 2")).fails_with(&["column 'x'", "--max-memory"]);
    }
}

#[test]
fn pages_count_as_memory() {
    let dir = Dir::new();
    let data = vec![0; 8 << 20];
    let pages = page(1 << 20, 0, &zstd(&data), data.len() as i64);
    dir.write("t.parquet", File { rows: 1 << 20, codec: 6, pages, ..File::default() }.bytes());
    for verb in ["distinct -c x", "profile", "sample", "top -c x"] {
        dir.run(&format!("{verb} t.parquet --max-memory 4MiB"))
            .fails_with(&["a page of this Parquet file would take 8", "limit of 4 MiB"]);
    }
    assert_eq!(exact_distinct(&dir.run("distinct -c x --json t.parquet --max-memory 16MiB")), 1);
}

#[test]
fn every_codec_is_read() {
    let dir = Dir::new();
    let data = numbers(10);
    // Each of the codecs has a way to say the bytes as they are.
    let snappy = [&[80, 60 << 2, 79], &data[..]].concat();
    let brotli = [&(79u32 << 4 | 1 << 20).to_le_bytes()[..3], &data, &[3]].concat();
    let lz4 = [&[0xf0, 80 - 15], &data[..]].concat();
    let framed = [&[0, 0, 0, 80, 0, 0, 0, 82], &lz4[..]].concat();
    for (codec, bytes) in [
        (0, data.clone()),
        (1, snappy),
        (2, gzip(&data)),
        (4, brotli),
        (5, framed),
        (5, lz4.clone()),
        (6, zstd(&data)),
        (7, lz4),
    ] {
        let file = |pages| File { codec, pages, ..File::default() }.bytes();
        dir.write("t.parquet", file(page(10, 0, &bytes, 80)));
        assert_eq!(exact_distinct(&dir.run("distinct -c x --json t.parquet")), 10, "codec {codec}");
        for said in [79, 81] {
            dir.write("t.parquet", file(page(10, 0, &bytes, said)));
            if codec != 0 {
                dir.run("distinct -c x t.parquet").fails_with(&["the Parquet data is corrupt"]);
            }
        }
    }
    dir.write("t.parquet", File { codec: 3, ..File::default() }.bytes());
    dir.run("distinct -c x t.parquet").fails_with(&["this Parquet file cannot be read", "LZO"]);
}

/// Version 2: the levels stand before the compressed values; and a page without values says nothing.
#[test]
fn pages_of_version_two_and_empty_ones_are_read() {
    let dir = Dir::new();
    let bytes = gzip(&numbers(10));
    let head = |values: i64| {
        structure(vec![
            (1, Int(values)),
            (2, Int(0)),
            (3, Int(values)),
            (4, Int(0)),
            (5, Int(0)),
            (6, Int(0)),
        ])
    };
    let page = |values: i64, size: i64, data: &[u8]| {
        let fields =
            vec![(1, Int(3)), (2, Int(size)), (3, Int(data.len() as i64)), (8, Struct(head(values)))];
        [structure(fields), data.to_vec()].concat()
    };
    let pages = [page(0, 0, b""), page(10, 80, &bytes)].concat();
    dir.write("t.parquet", File { codec: 2, pages, ..File::default() }.bytes());
    assert_eq!(exact_distinct(&dir.run("distinct -c x --json t.parquet")), 10);
    let plain = structure(vec![
        (1, Int(10)),
        (2, Int(0)),
        (3, Int(10)),
        (4, Int(0)),
        (5, Int(0)),
        (6, Int(0)),
        (7, False),
    ]);
    let fields = vec![(1, Int(3)), (2, Int(80)), (3, Int(80)), (8, Struct(plain))];
    let pages = [structure(fields), numbers(10)].concat();
    dir.write("t.parquet", File { codec: 2, pages, ..File::default() }.bytes());
    assert_eq!(exact_distinct(&dir.run("distinct -c x --json t.parquet")), 10);
}
