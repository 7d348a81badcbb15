use crate::support::{Dir, exact_distinct, few_different, gzip, numbered, zstd};

#[track_caller]
fn distinct(dir: &Dir, line: &str, expected: u64) {
    assert_eq!(exact_distinct(&dir.run(&format!("distinct --json {line}"))), expected, "{line}");
}

#[test]
fn lines_are_bytes_and_line_ends_do_not_matter() {
    let dir = Dir::new();
    for (text, expected) in [
        (&b""[..], 0),
        (b"\n", 1),
        (b"\n\n", 1),
        (b"a", 1),
        (b"a\na", 1),
        (b"a\r\na\n", 1),
        (b"a\rb\n", 1),
        (b"a \na\n", 2),
        (b"\xff\n\xfe\n\xff", 2),
        (b"a\0b\na\n", 2),
    ] {
        dir.write("in", text);
        distinct(&dir, "in", expected);
        assert_eq!(exact_distinct(&dir.run_with("distinct --json", text)), expected, "{text:?}");
        assert_eq!(exact_distinct(&dir.run_with("distinct --json -", text)), expected, "{text:?}");
    }
    dir.write("nul", "a\nb\0c\0a\nb\0");
    distinct(&dir, "nul --null", 2);
    distinct(&dir, "nul -0", 2);
}

#[test]
fn many_files_and_standard_input_together() {
    let dir = Dir::new();
    dir.write("one", "a\nb");
    dir.write("two", "b\nc");
    distinct(&dir, "one two", 3);
    assert_eq!(exact_distinct(&dir.run_with("distinct --json one - two", b"x\ny\n")), 5);
    assert_eq!(dir.run("distinct --json one two").json()[0]["items"], 4);
}

#[test]
fn compression_is_known_by_content() {
    let dir = Dir::new();
    let text = numbered("line ", 1_500);
    let (head, tail) = text.split_at(5_000);
    dir.write("plain.gz", &text);
    dir.write("gz.txt", gzip(text.as_bytes()));
    dir.write("members.txt", [gzip(head.as_bytes()), gzip(tail.as_bytes())].concat());
    dir.write("zst.txt", zstd(text.as_bytes()));
    dir.write("frames.txt", [zstd(head.as_bytes()), zstd(tail.as_bytes())].concat());
    for name in ["plain.gz", "gz.txt", "members.txt", "zst.txt", "frames.txt"] {
        distinct(&dir, name, 1_500);
    }
    assert_eq!(exact_distinct(&dir.run_with("distinct --json", &gzip(b"a\nb\n"))), 2);
    dir.write("empty.gz", gzip(b""));
    distinct(&dir, "empty.gz", 0);
    dir.write("t.csv.gz", gzip(b"\xef\xbb\xbfid,x\n1,2\n3,2\n"));
    distinct(&dir, "t.csv.gz -c id", 2);
}

#[test]
fn csv_quotes_headers_and_columns() {
    let dir = Dir::new();
    dir.write("t.csv", "id,\"no\nte\"\n1,\"a\nb\"\n2,\"a\r\nb\"\n3,\"a\nb\"\n");
    distinct(&dir, "t.csv --column id", 3);
    distinct(&dir, "t.csv --column 2", 2);
    distinct(&dir, "t.csv", 3);
    dir.write("same.csv", "id,x\n1,\"2\"\n\"1\",2\n");
    distinct(&dir, "same.csv", 1);
    distinct(&dir, "same.csv --no-header --column 1", 2);
    distinct(&dir, "same.csv --format lines", 3);
    dir.write("semi.txt", "id;x\n1;2\n1;3\n");
    distinct(&dir, "semi.txt --delimiter ; -c x", 2);
    distinct(&dir, "semi.txt --delimiter ; --format csv -c id", 1);
    dir.write("bom.csv", "\u{feff}id,x\n1,2\n");
    distinct(&dir, "bom.csv -c id", 1);
    dir.write("header-only.csv", "id,x\n");
    distinct(&dir, "header-only.csv -c id", 0);
    dir.write("empty.csv", "");
    distinct(&dir, "empty.csv -c id", 0);
    dir.write("other.csv", "x,id\n9,1\n9,4\n");
    distinct(&dir, "t.csv other.csv -c id", 4);
}

#[test]
fn empty_values_are_reported_not_counted() {
    let dir = Dir::new();
    dir.write("t.csv", "id,x\n1,a\n2,\n3,\"\"\n4\n5,b\n");
    dir.write("t.jsonl", "{\"x\":\"a\"}\n{\"x\":null}\n{\"x\":\"\"}\n{}\n\n{\"x\":\"b\"}\n");
    for name in ["t.csv", "t.jsonl"] {
        let answer = &dir.run(&format!("distinct --json {name} -c x")).json()[0];
        assert_eq!((&answer["items"], &answer["nulls"]), (&2.into(), &3.into()), "{name}");
        let text = dir.run(&format!("distinct {name} -c x")).text();
        assert_eq!(text, few_different(2) + "\n3 empty values not counted\n", "{name}");
        assert!(
            dir.run(&format!("count {name} -c x -k a"))
                .text()
                .ends_with("of 2 items, 3 empty values not counted\n")
        );
    }
}

#[test]
fn json_paths_and_values() {
    let dir = Dir::new();
    dir.write(
        "t.jsonl",
        "{\"u\":{\"id\":1},\"v\":[1, 2]}\n{\"v\":[1,2],\"u\":{\"id\":\"1\"}}\r\n{\"u\":{\"id\":1.0},\"v\":true}",
    );
    distinct(&dir, "t.jsonl -c u.id", 2);
    distinct(&dir, "t.jsonl -c v", 2);
    dir.write("t.txt", "\"a\"\n\"\\u0061\"\n1\n1 \nnull\n");
    distinct(&dir, "t.txt --format jsonl", 2);
    let text = dir.run("count t.jsonl -c v -k [1,2] -k true").text();
    assert!(text.starts_with("[1,2]\t2  (") && text.contains("true\t1  ("), "{text}");
}

#[test]
fn what_is_no_text_is_refused_unless_lines_are_asked_for() {
    let dir = Dir::new();
    dir.write("in", "a\n");
    dir.run("distinct in --save s.crv").text();
    let sketch = dir.read("s.crv");
    for (bytes, word) in [
        (&sketch[..], "crivo info"),
        (b"\xfd7zXZ\0\0\x04", "xz -dc"),
        (b"BZh91AY&SY", "bzip2 -dc"),
        (b"PK\x03\x04\x14\0", "unzip -p"),
        (b"PAR1\x15\x04", "Parquet"),
        (b"\xff\xfea\0\n\0", "iconv"),
        (b"\xfe\xff\0a\0\n", "iconv"),
    ] {
        for (name, content) in [("x", bytes.to_vec()), ("x.csv", bytes.to_vec()), ("x.gz", gzip(bytes))] {
            dir.write(name, content);
            dir.run(&format!("distinct {name}")).fails_with(&[&format!("crivo: {name}: this is"), word]);
            dir.run(&format!("distinct {name} --format lines")).text();
        }
        dir.run_with("distinct", bytes).fails_with(&["standard input: this is", word]);
        dir.run("count in --keys x").fails_with(&["crivo: x: this is", word]);
    }
    for text in ["CRVO\n", "BZh9\n", "PK\n", "PAR1\n", "P", ""] {
        dir.write("x", text);
        distinct(&dir, "x", u64::from(!text.is_empty()));
    }
}

#[test]
fn one_large_array_is_refused_and_missing_names_are_told() {
    let dir = Dir::new();
    for text in ["[1,2]\n", "\n  [\n{\"a\":1}\n]\n"] {
        dir.write("x.json", text);
        dir.run("distinct x.json").fails_with(&["x.json", "jq -c '.[]'"]);
    }
    dir.write("x.json", "[1,2]\n[1, 2]\n");
    distinct(&dir, "x.json --format jsonl", 1);
    dir.write("y.jsonl", "[1,2]\n[3]\n");
    distinct(&dir, "y.jsonl", 2);
    dir.write("z.jsonl", "{\"a\":1e999}\n{\"a\":{\"b\":1e999}}\n");
    distinct(&dir, "z.jsonl -c a.b", 1);
    let run = dir.run("distinct z.jsonl -c nosuch");
    assert_eq!(
        (run.code, run.stderr.as_str()),
        (Some(0), "crivo: no record has a value for 'nosuch'; check the name\n")
    );
    assert_eq!(dir.run("distinct z.jsonl -c nosuch --quiet").stderr, "");
}
