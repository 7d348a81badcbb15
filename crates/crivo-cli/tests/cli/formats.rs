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
        (b"\n", 0),
        (b"\n\n", 0),
        (b"a\n\n", 1),
        (b"a", 1),
        (b"a\na", 1),
        (b"a\r\na\n", 1),
        (b"a\rb\n", 1),
        (b"a \na\n", 2),
        (b"\xff\n\xfe\n\xff", 2),
    ] {
        dir.write("in", text);
        distinct(&dir, "in", expected);
        assert_eq!(exact_distinct(&dir.run_with("distinct --json", text)), expected, "{text:?}");
        assert_eq!(exact_distinct(&dir.run_with("distinct --json -", text)), expected, "{text:?}");
    }
    dir.write("nul", "a\nb\0c\0a\nb\0");
    distinct(&dir, "nul --null", 2);
    distinct(&dir, "nul -0", 2);
    dir.write("in", b"a\0b\na\n");
    distinct(&dir, "in --format lines", 2);
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

/// As `gzip -d` does: zeros are passed over, and other bytes with a word.
#[test]
fn what_stands_behind_gzip_is_no_data() {
    let dir = Dir::new();
    let packed = gzip(b"a\nb\n");
    dir.write("zeros.gz", [&packed[..], &[0; 600]].concat());
    dir.write("both.gz", [&packed[..], &[0; 600], &gzip(b"c\n")].concat());
    distinct(&dir, "zeros.gz", 2);
    distinct(&dir, "both.gz", 3);
    dir.write("junk.gz", [&packed[..], b"junk"].concat());
    let run = dir.run("distinct junk.gz");
    assert!(run.code == Some(0) && run.stdout.starts_with(b"2 distinct"), "{run:?}");
    assert!(run.stderr.starts_with("crivo: junk.gz: the bytes after the gzip data"), "{}", run.stderr);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    dir.write("reads.gz", [&gzip(b">a\nGATTACA\n")[..], b"junk"].concat());
    for line in ["distinct junk.gz", "profile junk.gz --format csv", "kmers count -k 5 reads.gz"] {
        assert!(dir.run(line).stderr.contains("after the gzip data"), "{line}");
        assert_eq!(dir.run(&format!("{line} --quiet")).stderr, "", "{line}");
    }
}

#[test]
fn compressed_files_that_were_cut_are_refused_from_the_first_byte_on() {
    let dir = Dir::new();
    for (name, packed) in [("t.gz", gzip(b"a\nb\n")), ("t.ZST", zstd(b"a\nb\n"))] {
        for end in 1..packed.len() {
            dir.write(name, &packed[..end]);
            let run = dir.run(&format!("distinct {name}"));
            run.fails_with(&[name, "get the file again"]);
            assert!(!run.stderr.contains("Error"), "no words of a library: {}", run.stderr);
        }
        dir.write(name, "");
        distinct(&dir, name, 0);
    }
    dir.write("t.txt", "(");
    distinct(&dir, "t.txt", 1);
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
        assert_eq!((&answer["items"], &answer["missing"]), (&2.into(), &3.into()), "{name}");
        let text = dir.run(&format!("distinct {name} -c x")).text();
        assert_eq!(text, few_different(2) + "\n3 missing values not counted\n", "{name}");
        assert!(
            dir.run(&format!("count {name} -c x -k a"))
                .text()
                .ends_with("of 2 items, 3 missing values not counted\n")
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
    assert_eq!(text, "[1,2]  2  (exact)\ntrue   1  (exact)\nof 3 items\n");
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

#[test]
fn a_byte_order_mark_is_no_part_of_a_line() {
    let dir = Dir::new();
    dir.write("x", b"\xef\xbb\xbfa\na\n");
    distinct(&dir, "x", 1);
    distinct(&dir, "x --format lines", 1);
    assert_eq!(dir.run("top x --json").json()[0]["item"], "a");
    assert_eq!(dir.run("count x --keys x --json").json()[0]["key"], "a");
    assert_eq!(dir.run("hyphenate x").stdout, dir.read("x"), "a text is copied whole");
    dir.write("zeros", b"\xef\xbb\xbfa\0a\0");
    distinct(&dir, "zeros -0", 2);
}

#[test]
fn a_name_with_a_dot_and_a_path_are_two_columns_of_json() {
    let dir = Dir::new();
    dir.write("x.jsonl", "{\"a.b\":1,\"a\":{\"b\":2}}\n{\"a\":{\"b\":3},\"a.b\":1}\n");
    let columns = |line: &str| -> Vec<(String, u64)> {
        let column = |row: &serde_json::Value| {
            Some((row["column"].as_str()?.to_owned(), row["distinct"]["value"].as_f64()? as u64))
        };
        dir.run(line).json().iter().filter_map(column).collect()
    };
    let told: Vec<(String, u64)> = columns("profile x.jsonl --json");
    assert_eq!(told, [(r"a\.b".to_owned(), 1), ("a.b".to_owned(), 2)]);
    // The table shows what --column takes.
    let table = dir.run("profile x.jsonl").text();
    assert!(table.lines().any(|line| line.split(' ').next() == Some(r"a\.b")), "{table}");
    distinct(&dir, "x.jsonl -c a.b", 2);
    distinct(&dir, r"x.jsonl -c a\.b", 1);
    // A dot needs its backslash only where it could be mistaken.
    dir.write("x.jsonl", "{\"http.status\":200,\"user\":{\"id\":1}}\n");
    assert_eq!(
        columns("profile x.jsonl --json").iter().map(|it| &it.0[..]).collect::<Vec<_>>(),
        ["http.status", "user.id"]
    );
    distinct(&dir, "x.jsonl -c http.status", 1);
}

#[test]
fn lines_that_are_no_json_can_be_left_out() {
    let dir = Dir::new();
    dir.write("x.jsonl", "{\"a\":1}\n{\"a\":\nx\n\n{\"a\":2}\n{\"a\":3,\"b\":\"\\ud800\"}\n");
    dir.run("distinct x.jsonl -c a").fails_with(&["x.jsonl: line 2: not a JSON value", "--skip-invalid"]);
    dir.run("profile x.jsonl").fails_with(&["x.jsonl: line 2: not a JSON value", "--skip-invalid"]);
    for (line, answer, lines) in [
        ("distinct x.jsonl -c a --skip-invalid", "3 distinct", "2 lines"),
        ("distinct x.jsonl -c a --by b --skip-invalid", "2 distinct", "3 lines"),
        ("profile x.jsonl --skip-invalid", "2 rows", "3 lines"),
        ("profile x.jsonl --column a --skip-invalid", "3 rows", "2 lines"),
    ] {
        let run = dir.run(line);
        let text = String::from_utf8(run.stdout.clone()).unwrap();
        assert!(run.code == Some(0) && text.contains(answer), "{line}: {run:?}");
        let told = format!(
            "crivo: {lines} that are not JSON were left out, the first being line 2 of x.jsonl (not a"
        );
        assert!(run.stderr.contains(&told), "{line}: {}", run.stderr);
        assert!(!run.stderr.contains("--skip-invalid"), "it has been followed: {}", run.stderr);
        assert_eq!(dir.run(&format!("{line} -q")).stderr, "");
    }
    dir.write("y.jsonl", "a\nb\n");
    for line in ["distinct y.jsonl --skip-invalid", "profile y.jsonl --skip-invalid"] {
        dir.run(line).fails_with(&["no line is JSON, the first being line 1 of y.jsonl", "--format"]);
    }
}

#[test]
fn columns_of_other_names_are_told() {
    let dir = Dir::new();
    dir.write("a.csv", "id,x\n1,2\n");
    dir.write("b.csv", "user,x\n1,3\n");
    dir.write("c.csv", "x,id\n4,1\n");
    let run = dir.run("distinct a.csv b.csv c.csv -c 1");
    assert_eq!(run.code, Some(0));
    let told = "crivo: b.csv: the column is called 'user' here and 'id' in the first table; their values are taken together\n";
    assert_eq!(run.stderr, told, "once");
    assert_eq!(dir.run("distinct a.csv b.csv -c 1 -q").stderr, "");
    dir.run("distinct a.csv c.csv -c id").text();
    dir.run("distinct a.csv b.csv -c x").text();
    dir.run("profile a.csv b.csv --column 1").text();
}
