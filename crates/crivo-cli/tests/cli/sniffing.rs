//! Input whose name says nothing is known by its first lines, the same from a file and from a pipe.

use crate::support::{Dir, Run, gzip};
use serde_json::Value;

/// What was printed, whatever was said.
fn text(run: &Run) -> String {
    assert_eq!(run.code, Some(0), "{run:?}");
    String::from_utf8(run.stdout.clone()).unwrap()
}

fn json(run: &Run) -> Vec<Value> {
    text(run).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Without the bars at the ends of lines.
fn plain(run: &Run) -> String {
    let is_drawn = |c: char| c == ' ' || ('\u{2580}'..='\u{259f}').contains(&c);
    text(run).lines().map(|line| line.trim_end_matches(is_drawn).to_owned() + "\n").collect()
}

/// What the verb prints and says, from a file without a telling name, from a pipe, and compressed.
fn check(line: &str, data: &str, printed: &str, said: &str) {
    let dir = Dir::new();
    dir.write("data", data);
    dir.write("data.gz", gzip(data.as_bytes()));
    let says = |name: &str| if said.is_empty() { String::new() } else { format!("crivo: {name}: {said}\n") };
    for jobs in [1, 3] {
        for file in ["data", "data.gz"] {
            let run = dir.run(&format!("{line} -j {jobs} {file}"));
            assert_eq!((plain(&run), run.stderr.clone()), (printed.into(), says(file)), "{line} {file}");
        }
        let run = dir.run_with(&format!("{line} -j {jobs}"), data.as_bytes());
        assert_eq!((plain(&run), run.stderr.clone()), (printed.into(), says("standard input")), "{line}");
        let run = dir.run_with(&format!("{line} -j {jobs}"), &gzip(data.as_bytes()));
        assert_eq!((plain(&run), run.stderr.clone()), (printed.into(), says("standard input")), "{line}");
    }
}

#[test]
fn tables_are_known_where_a_column_is_asked_for() {
    let most = "1  2  (exact)  66.7 %  x\n2  1  (exact)  33.3 %  y\ntogether 100 % of 3 in all; there are no others\n";
    let with = |delimiter: &str| "id,name\n1,x\n2,y\n3,x\n".replace(',', delimiter);
    for (delimiter, kind) in
        [(",", "CSV"), ("\t", "TSV"), (";", "CSV, separated by ';'"), ("|", "CSV, separated by '|'")]
    {
        let said = format!("read as {kind}, with a header; --format changes it");
        check("top -c name", &with(delimiter), most, &said);
        check("top -c 2", &with(delimiter), most, &said);
    }
    let said = "read as CSV, without a header; --format changes it";
    check("top -c 2", "1,x\n2,y\n3,x\n", most, said);
    check("top -c 2 --no-header", "1,x\n2,y\n3,x\n", most, said);
    let said = "read as JSON Lines; --format changes it";
    check("top -c a", "{\"a\":\"x\"}\n{\"a\":\"y\"}\n{\"a\":\"x\"}\n", most, said);
}

/// More than is looked at.
#[test]
fn all_that_was_looked_at_is_read_too() {
    let rows: String = (0..100_000).map(|row| format!("{row},{}\n", row % 7)).collect();
    let said = "read as CSV, with a header; --format changes it";
    let printed = "1  14,286  (exact)  14.3 %  0\ntogether 14.3 % of 100,000 in all; no other item has more than 14,286\n";
    check("top -c v -k 1", &format!("id,v\n{rows}"), printed, said);
}

#[test]
fn lines_go_on_being_lines() {
    let printed = "1  2  (exact)  66.7 %  1,x\n2  1  (exact)  33.3 %  2,y\ntogether 100 % of 3 in all; there are no others\n";
    check("top", "1,x\n2,y\n1,x\n", printed, "");
    check("top --format lines", "1,x\n2,y\n1,x\n", printed, "");
    let dir = Dir::new();
    for text in ["It was, then,\nthe best.\n", "So, it was.\nYes, it was.\n"] {
        let profile = json(&dir.run_with("profile --json", text.as_bytes()));
        assert_eq!(profile[0]["column"], "line", "{text}");
    }
    let profile = json(&dir.run_with("profile --json", b"id,name\n1,x\n2,y\n"));
    assert_eq!((&profile[0]["column"], &profile[1]["column"]), (&"id".into(), &"name".into()));
    dir.run_with("top -c 2", b"a,b\nc\n").fails_with(&["--column needs a table"]);
}

#[test]
fn what_separates_the_fields_of_csv_is_found() {
    let dir = Dir::new();
    dir.write("t.csv", "a;b\n1,5;x\n2,5;y\n");
    let run = dir.run("top t.csv -c b -k 1 --json");
    assert_eq!(json(&run)[0]["item"], "x");
    assert_eq!(run.stderr, "crivo: t.csv: read with the separator ';'; --delimiter changes it\n");
    for line in ["distinct t.csv -c 1 --delimiter ,", "distinct t.csv -c 1 --format csv"] {
        let run = dir.run(line);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{line}");
    }
}

#[test]
fn logs_and_columns_between_blanks_have_formats() {
    let dir = Dir::new();
    let log = "::1 - - [17/May/2015:10:05:03 +0000] \"GET /a HTTP/1.1\" 200 7 \"-\" \"x y\"\n\
               ::1 - - [17/May/2015:11:05:03 +0000] \"GET /b HTTP/1.1\" 404 - \"-\" \"x y\"\n";
    dir.write("log", log);
    dir.write("ps", "PID CMD\n 1  init --now\n22  sh\n");
    dir.write("kv", "level=info msg=\"a b\" n=3\nlevel=warn n=4\n");
    for (line, first) in [
        ("top log --format clf -c path -k 1 --json", "/a"),
        ("top log --format clf -c status -k 1 --json", "200"),
        ("top ps --format ws -c CMD -k 1 --json", "init --now"),
        ("top ps --format ws --no-header -c 1 -k 1 --json", "1"),
        ("top kv --format logfmt -c msg -k 1 --json", "a b"),
    ] {
        assert_eq!(dir.run(line).json()[0]["item"], first, "{line}");
    }
    let bytes = dir.run("quantiles log --format clf -c bytes --json").json();
    let last = bytes.last().unwrap();
    assert_eq!((&last["items"], &last["missing"]), (&1.into(), &1.into()), "- is missing");
    let profile = dir.run("profile log --format clf --json").json();
    let of =
        |name: &str| profile.iter().find(|column| column["column"] == name).unwrap()["data_type"].clone();
    assert_eq!((of("time"), of("status")), ("timestamp".into(), "integer".into()));
    let profile = dir.run("profile kv --format logfmt --json").json();
    assert_eq!((&profile[2]["column"], &profile[2]["data_type"]), (&"n".into(), &"integer".into()));
    dir.run("top log --format clf --no-header -c 1").fails_with(&["only for ws"]);
}

#[test]
fn files_that_are_no_text_are_refused() {
    let dir = Dir::new();
    let tar = [&[b'a'; 257][..], b"ustar\0"].concat();
    let book = [b"PK\x03\x04".as_slice(), &[0; 26], b"[Content_Types].xml"].concat();
    let archive = [b"PK\x03\x04".as_slice(), &[0; 26], b"data.csv"].concat();
    for (bytes, what) in [
        (&b"\x7fELF\x02\x01"[..], "a program"),
        (b"MZ\x90\0\x03", "a program"),
        (b"\xcf\xfa\xed\xfe\x07", "a program"),
        (b"SQLite format 3\0", "sqlite3 -csv"),
        (b"ARROW1\0\0", "Parquet or CSV"),
        (b"Obj\x01\x04", "Avro"),
        (b"ORC\x0a\0", "ORC"),
        (b"%PDF-1.7\n", "pdftotext"),
        (b"\x89PNG\r\n", "an image"),
        (b"\xff\xd8\xff\xe0", "an image"),
        (b"a\0b\0", "--null"),
        (&tar, "tar -xOf"),
        (&book, "save it as CSV"),
        (&archive, "unzip -p"),
    ] {
        for line in ["distinct", "profile"] {
            dir.run_with(line, bytes).fails_with(&["standard input", what]);
        }
        dir.write("data", bytes);
        dir.run("distinct data").fails_with(&["data: ", what]);
        assert_eq!(dir.run("distinct data --format lines").code, Some(0), "{what}");
    }
    assert_eq!(dir.run_with("distinct -0", b"a\0b\0").code, Some(0));
}
