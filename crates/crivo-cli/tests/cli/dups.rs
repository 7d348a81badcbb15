//! `crivo dups`: what is found, and how it is reported.

use crate::support::{Dir, Run, gzip};
use serde_json::{Value, json};
use std::ops::Range;

/// A text of words of their own.
fn text(words: Range<u32>) -> String {
    words.map(|i| format!("w{i} ")).collect()
}

fn row(id: &str, text: &str) -> String {
    json!({ "id": id, "text": text }).to_string() + "\n"
}

/// Rows 0, 2, 3 and 5 are near-duplicates, rows 4 and 6 have no words.
fn rows() -> [String; 7] {
    let first = text(0..100);
    let changed = text(0..99) + "other";
    [
        row("a", &first),
        row("b", &text(200..300)),
        row("c", &changed),
        row("d", &first.to_uppercase().replace(' ', ", \n")),
        "{ \"id\": \"e\", \"text\": null }\r\n".into(),
        row("f", &(text(0..100) + "more")),
        row("g", "?! –"),
    ]
}

/// Of 98 runs of three words, the change of the last word takes one and adds one.
const CHANGED: f64 = 97.0 / 99.0;
const ADDED: f64 = 98.0 / 99.0;
const BOTH: f64 = 97.0 / 100.0;

/// The pairs of a run, sorted.
#[track_caller]
fn pairs(run: &Run) -> Vec<(Value, Value, f64)> {
    assert_eq!(run.code, Some(0), "{run:?}");
    let lines = std::str::from_utf8(&run.stdout).unwrap().lines();
    let mut pairs: Vec<_> = lines
        .map(|line| {
            let pair: Value = serde_json::from_str(line).unwrap();
            assert_eq!(pair["type"], "pair");
            (pair["a"].clone(), pair["b"].clone(), pair["similarity"]["value"].as_f64().unwrap())
        })
        .collect();
    pairs.sort_by_key(|(a, b, _)| (a.to_string(), b.to_string()));
    pairs
}

#[test]
fn pairs_are_named_by_row_and_exact() {
    let dir = Dir::new();
    dir.write("in.jsonl", rows().concat());
    let expected: Vec<(Value, Value, f64)> =
        [(0, 2, CHANGED), (0, 3, 1.0), (0, 5, ADDED), (2, 3, CHANGED), (2, 5, BOTH), (3, 5, ADDED)]
            .map(|(a, b, similarity)| (a.into(), b.into(), similarity))
            .into();
    for flags in ["", "--threshold 0.5", "--jobs 1", "--jobs 3", "--keep longest", "--seed 7"] {
        let run = dir.run(&format!("dups in.jsonl --column text --print pairs --quiet {flags}"));
        assert_eq!((pairs(&run), run.stderr.as_str()), (expected.clone(), ""), "{flags}");
    }
    let run = dir.run("dups in.jsonl --column text --print pairs --threshold 0.985");
    assert_eq!(pairs(&run).len(), 3, "those that are 1.0 and 98/99 alike");
    let run = dir.run("dups in.jsonl --column text --print pairs --threshold 1");
    assert_eq!(pairs(&run), [(0.into(), 3.into(), 1.0)]);
}

#[test]
fn a_summary_goes_beside_the_answers_and_machines_get_it_last() {
    let dir = Dir::new();
    dir.write("in.jsonl", rows().concat());
    let run = dir.run("dups in.jsonl --column text");
    for words in ["5 documents", "2 without words", "1 equal to another", "1 set of", "3 documents ("] {
        assert!(run.stderr.contains(words), "no '{words}' in {}", run.stderr);
    }
    let answers = dir.run("dups in.jsonl --column text --json").json();
    assert_eq!(answers[0], json!({ "type": "duplicates", "keep": 0, "drop": [2, 3, 5] }));
    let end = answers[1].as_object().unwrap();
    let expected =
        json!({ "documents": 5, "empty": 2, "distinct": 4, "groups": 1, "dropped": 3, "threshold": 0.8 });
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&end[name], value, "{name} in {end:?}");
    }
    assert!(
        end["recall"].as_f64().unwrap() >= 0.995 && end["dropped_bytes"].as_u64().unwrap() > 1000,
        "{end:?}"
    );
    assert_eq!(end["pairs"], Value::Null);
    let end = &dir.run("dups in.jsonl -c text --json --print pairs").json()[6];
    assert_eq!((&end["type"], &end["groups"], &end["dropped"]), (&"dups".into(), &Value::Null, &Value::Null));
    assert_eq!((&end["pairs"], &end["verified"]), (&6.into(), &3.into()), "of equal documents too");
    assert!(dir.run("dups in.jsonl -c text --print pairs").stderr.contains("6 pairs of near-duplicates"));
    let end = &dir.run("dups in.jsonl -c text --json --threshold 1").json()[1];
    assert_eq!((&end["recall"], &end["candidates"]), (&1.into(), &0.into()));
}

#[test]
fn groups_say_what_to_keep() {
    let dir = Dir::new();
    dir.write("in.jsonl", rows().concat());
    let run = dir.run("dups in.jsonl --column text --quiet");
    let begin = "w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14…";
    let upper = "W0, W1, W2, W3, W4, W5, W6, W7, W8, W9, W10, W11,…";
    let expected =
        format!("keep  row 0  {begin}\ndrop  row 2  {begin}\ndrop  row 3  {upper}\ndrop  row 5  {begin}\n");
    assert_eq!(run.text(), expected);
    let longest = dir.run("dups in.jsonl -c text --keep longest --json").json();
    assert_eq!(longest[0], json!({ "type": "duplicates", "keep": 5, "drop": [0, 2, 3] }));
    dir.write("none.jsonl", rows()[1].clone());
    assert_eq!(dir.run("dups none.jsonl -c text --quiet").text(), "");
}

#[test]
fn the_stream_is_the_input_without_what_can_go() {
    let dir = Dir::new();
    let all = rows();
    let kept = [&all[0], &all[1], &all[4], &all[6]].map(String::as_str).concat();
    dir.write("in.jsonl", all.concat());
    dir.write("in.jsonl.gz", gzip(all.concat().as_bytes()));
    assert_eq!(dir.run("dups in.jsonl -c text --print stream -q").text(), kept);
    assert_eq!(dir.run("dups in.jsonl.gz -c text --print stream -q").text(), kept);
    let from_pipe = dir.run_with("dups --format jsonl -c text --print stream -q", all.concat().as_bytes());
    assert_eq!(from_pipe.text(), kept);
    let longest = [&all[1], &all[4], &all[5], &all[6]].map(String::as_str).concat();
    assert_eq!(dir.run("dups in.jsonl -c text --print stream --keep longest -q").text(), longest);

    let run = dir.run("dups in.jsonl -c text -o clean.jsonl");
    assert!(run.stdout.is_empty() && run.stderr.contains("3 documents"), "{run:?}");
    assert_eq!(dir.read("clean.jsonl"), kept.as_bytes());
    dir.run("dups in.jsonl -c text -o clean.jsonl -q").fails_with(&["clean.jsonl", "--force"]);
    let summary = dir.run("dups in.jsonl -c text -o clean.jsonl --force --json").json();
    assert_eq!((summary.len(), &summary[0]["dropped"]), (1, &3.into()));
    dir.run("dups in.jsonl -c text --print stream --json").fails_with(&["-o"]);
    dir.run("dups in.jsonl -c text -o in.jsonl --force -q").text();
    assert_eq!(dir.read("in.jsonl"), kept.as_bytes(), "in place");
    assert_eq!(dir.run("dups in.jsonl -c text -o - -q").text(), kept, "nothing is left to drop");
    assert_eq!(dir.run("dups in.jsonl -c text -o /dev/stdout -q").text(), kept);
    dir.run("dups in.jsonl -c text -o /dev/stdout --json").fails_with(&["name a file", "-o"]);
    assert_eq!(dir.names().len(), 3, "no draft is left behind: {:?}", dir.names());
}

#[test]
fn the_stream_keeps_headers_and_line_ends() {
    let dir = Dir::new();
    let (first, second) = (text(0..30), text(50..80));
    let csv = format!("id,text\r\n1,\"{first}\"\r\n2,\"{second}\"\r\n\r\n3,\"{first}\n\"\r\n4,{second}x");
    dir.write("a.csv", &csv);
    dir.write("b.csv", format!("id,text\r\n5,\"{first}\"\n6,plain words here\n"));
    let kept = format!("id,text\r\n1,\"{first}\"\r\n2,\"{second}\"\r\n\r\n");
    assert_eq!(dir.run("dups a.csv -c text --print stream -q").text(), kept);
    let kept = kept + "6,plain words here\n";
    assert_eq!(dir.run("dups a.csv b.csv -c text --print stream -q").text(), kept);
    // The last line of the first file has no end, and is kept.
    let lines = format!("{first}\n{second}");
    dir.write("a.txt", &lines);
    dir.write("b.txt", format!("{first}\nthree other words\n"));
    let kept = lines + "\nthree other words\n";
    assert_eq!(dir.run("dups a.txt b.txt --format lines --print stream -q").text(), kept);
    let marked = format!("\u{feff}{csv}");
    let kept = format!("\u{feff}id,text\r\n1,\"{first}\"\r\n2,\"{second}\"\r\n\r\n");
    dir.write("marked.csv", &marked);
    dir.write("marked.csv.gz", gzip(marked.as_bytes()));
    for files in ["marked.csv", "marked.csv.gz", "marked.csv marked.csv.gz"] {
        assert_eq!(dir.run(&format!("dups {files} -c text --print stream -q")).text(), kept, "{files}");
    }
    let piped = dir.run_with("dups --format csv -c text --print stream -q", marked.as_bytes());
    assert_eq!(piped.text(), kept);
    dir.write("other.csv", "name,text\n7,x\n");
    dir.run("dups a.csv other.csv -c text --print stream -q").fails_with(&["other.csv", "header"]);
}

#[test]
fn each_file_is_a_document_and_directories_are_searched() {
    let dir = Dir::new();
    for folder in ["docs", "docs/deep", "docs/.git"] {
        std::fs::create_dir(dir.path(folder)).unwrap();
    }
    dir.write("docs/one.txt", text(0..50));
    dir.write("docs/two.txt", text(100..150));
    dir.write("docs/deep/copy.txt.gz", gzip(text(0..50).to_uppercase().as_bytes()));
    dir.write("docs/deep/empty.txt", "");
    dir.write("docs/.git/hidden", text(0..50));
    dir.write("docs/noise.bin", [0xff, 0, 0x80, b'a', 0xfe]);
    let run = dir.run("dups docs --print pairs -q");
    assert_eq!(pairs(&run), [("docs/deep/copy.txt.gz".into(), "docs/one.txt".into(), 1.0)]);
    assert_eq!(dir.run("dups docs -q").text(), "keep  docs/deep/copy.txt.gz\ndrop  docs/one.txt\n");
    let names = "docs/deep/copy.txt.gz\ndocs/deep/empty.txt\ndocs/noise.bin\ndocs/two.txt\n";
    assert_eq!(dir.run("dups docs --print stream -q").text(), names);
    // As they are named, and each once.
    let named = "dups docs/one.txt docs docs/one.txt -q";
    assert_eq!(dir.run(named).text(), "keep  docs/one.txt\ndrop  docs/deep/copy.txt.gz\n");
    dir.run("dups docs/one.txt").fails_with(&["docs/one.txt", "--column", "--format lines"]);
    dir.run("dups docs -").fails_with(&["standard input"]);
    dir.run("dups docs absent.txt").fails_with(&["absent.txt", "no such file"]);
    std::fs::create_dir(dir.path("nothing")).unwrap();
    dir.run("dups nothing").fails_with(&["nothing", "no file"]);
}

#[test]
fn a_file_is_one_document_by_whatever_name() {
    let dir = Dir::new();
    std::fs::create_dir(dir.path("docs")).unwrap();
    dir.write("docs/one.txt", text(0..50));
    dir.write("docs/two.txt", text(100..150));
    for paths in ["docs ./docs", "docs docs/../docs/one.txt", "docs/one.txt ./docs/one.txt docs/two.txt"] {
        assert_eq!(dir.run(&format!("dups {paths} -q")).text(), "", "{paths}");
    }
    dir.run("dups docs/one.txt ./docs/one.txt").fails_with(&["docs/one.txt", "one file is one document"]);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("docs/one.txt", dir.path("link")).unwrap();
        std::os::unix::fs::symlink("docs", dir.path("folder")).unwrap();
        std::fs::hard_link(dir.path("docs/one.txt"), dir.path("hard")).unwrap();
        assert_eq!(dir.run("dups docs link folder hard -q").text(), "");
        assert_eq!(dir.run("dups link docs -q --print stream").text(), "link\ndocs/two.txt\n");
    }
    dir.run("dups absent").fails_with(&["absent: no such file"]);
}

#[test]
fn like_lists_the_most_alike_first() {
    let dir = Dir::new();
    dir.write("in.jsonl", rows().concat());
    dir.write("query.txt", text(0..100));
    let run = dir.run("dups --like query.txt in.jsonl -c text --json");
    let like = |row: u32, similarity: Value| {
        let bar = json!({ "value": similarity, "lower": similarity, "upper": similarity, "exact": true, "guarantee": "certain", "confidence": 1 });
        json!({ "type": "like", "document": row, "similarity": bar })
    };
    assert_eq!(
        run.json(),
        [like(0, 1.into()), like(3, 1.into()), like(5, ADDED.into()), like(2, CHANGED.into())]
    );
    let run = dir.run("dups --like query.txt in.jsonl -c text -t 0.985");
    let lines: Vec<&str> = std::str::from_utf8(&run.stdout).unwrap().lines().collect();
    assert!(lines[0].starts_with("1.000  row 0  w0 w1") && lines[2].starts_with("0.990  row 5"), "{lines:?}");
    assert!(run.stderr.contains("3 of 6 documents with a similarity of at least 0.985"), "{run:?}");
    // Files: itself is left out.
    dir.write("copy.txt", text(0..100));
    dir.write("half.txt", text(0..150));
    let run = dir.run("dups --like query.txt query.txt copy.txt half.txt -t 0.5 -q");
    assert_eq!(run.text(), "1.000  copy.txt\n0.662  half.txt\n");
    let none = dir.run("dups --like query.txt half.txt -q");
    assert_eq!((none.code, none.stdout.len()), (Some(1), 0));
    dir.write("blank", " \n");
    dir.run("dups --like blank in.jsonl -c text").fails_with(&["blank", "no words"]);
    dir.run("dups --like query.txt in.jsonl -c text --print pairs").fails_with(&["cannot be used with"]);
}

#[test]
fn groups_of_rows_are_compared_as_sets() {
    let dir = Dir::new();
    let mut csv = String::from("user,film,stars\n");
    for film in 0..20 {
        csv += &format!("ann,{film},5\nbob,{},1\nbob,{film},2\n", film / 2);
        csv += &format!("cid,{},3\n", film + 1);
        csv += &format!("dot,{},3\n", film + 500);
    }
    csv += "ann,,1\n";
    dir.write("ratings.csv", &csv);
    let run = |flags: &str| dir.run(&format!("dups ratings.csv --group user --item film --quiet {flags}"));
    assert_eq!(run("--threshold 1").text(), "keep  ann\ndrop  bob\n");
    let alike = 19.0 / 21.0;
    let expected = [("ann", "bob", 1.0), ("ann", "cid", alike), ("bob", "cid", alike)];
    let expected = expected.map(|(a, b, similarity)| (a.into(), b.into(), similarity));
    assert_eq!(pairs(&run("--print pairs")), expected);
    let answers = dir.run("dups ratings.csv --group user --item film --threshold 1 --json").json();
    assert_eq!(answers[0], json!({ "type": "duplicates", "keep": "ann", "drop": ["bob"] }));
    assert_eq!((&answers[1]["documents"], &answers[1]["empty"]), (&4.into(), &1.into()));
    assert_eq!((&answers[1]["dropped"], &answers[1]["dropped_bytes"]), (&1.into(), &Value::Null));
    let rows = dir.run_with("dups --format csv --group user --item film -t 1 -q", csv.as_bytes());
    assert_eq!(rows.text(), "keep  ann\ndrop  bob\n");
    run("--print stream").fails_with(&["--print groups or pairs"]);
    dir.run("dups ratings.csv --group user").fails_with(&["--item"]);
    dir.run("dups ratings.csv --group nobody --item film").fails_with(&["nobody", "user, film, stars"]);
    dir.run("dups ratings.csv --group user --item film --column film").fails_with(&["cannot be used with"]);
    dir.write("ratings.jsonl", "{\"user\":\"ann\",\"film\":1}\n{\"user\":\"bob\",\"film\":1}\n");
    assert_eq!(dir.run("dups ratings.jsonl --group user --item film -q").text(), "keep  ann\ndrop  bob\n");
    for columns in ["--group nope --item film", "--group user --item nope"] {
        dir.run(&format!("dups ratings.jsonl {columns}")).fails_with(&["no record has a value for 'nope'"]);
    }
}

#[test]
fn what_a_text_is_made_of_can_be_chosen() {
    let dir = Dir::new();
    dir.write("in", "The quick brown fox\nthe QUICK  brown fox\nthe quick, brown fox\nquick the fox brown\n");
    let number =
        |flags: &str| pairs(&dir.run(&format!("dups in --format lines --print pairs -q {flags}"))).len();
    assert_eq!(number(""), 3);
    assert_eq!(number("--shingle words:1"), 6);
    assert_eq!(number("--shingle tokens:2"), 1);
    assert_eq!(number("--shingle chars:4 -t 1"), 1);
    assert_eq!(number("--shingle chars:4 -t 1 --normalise case"), 0);
    assert_eq!(number("--normalise none -t 1"), 0);
    assert_eq!(number("--shingle bytes:3 -t 1"), 0);
    dir.write("unicode", "caf\u{e9} au lait\ncafe\u{301} AU lait\n");
    let lines = "dups unicode --format lines --print pairs -q -t 1";
    assert_eq!(pairs(&dir.run(lines)).len(), 1);
    assert_eq!(pairs(&dir.run(&format!("{lines} --normalise case"))).len(), 0);
    dir.write("bytes", b"caf\xe9 au lait\ncaf\xe9 au lait\n");
    assert_eq!(pairs(&dir.run("dups bytes --format lines --print pairs -q")).len(), 1);
}

#[test]
fn signatures_estimate_without_the_sets() {
    let dir = Dir::new();
    dir.write("in.jsonl", rows().concat());
    let found = pairs(&dir.run("dups in.jsonl -c text --print pairs --verify signature -q"));
    assert_eq!(found.len(), 6);
    for (_, _, similarity) in found {
        assert!((0.8..=1.0).contains(&similarity), "{similarity}");
    }
    let answers = dir.run("dups in.jsonl -c text --print pairs --verify signature --json").json();
    let (total, pairs) = answers.split_last().unwrap();
    for pair in pairs {
        let bar = ["lower", "value", "upper"].map(|name| pair["similarity"][name].as_f64().unwrap());
        assert_eq!(bar[0] == bar[2], bar[1] == 1.0, "equal sets are reported exactly: {pair}");
        assert!(bar[0] <= bar[1] && bar[1] <= bar[2], "{pair}");
    }
    let below = total["expected_below"].as_f64().unwrap();
    assert!(below > 0.0 && below < 0.5, "{total}");
    let said = dir.run("dups in.jsonl -c text --print pairs --verify signature").stderr;
    assert!(
        said.contains("6 pairs of near-duplicates; about ") && said.contains(" below the threshold"),
        "{said}"
    );
    assert!(
        dir.run("dups in.jsonl -c text --print pairs --json").json().last().unwrap()["expected_below"]
            .is_null()
    );
}

#[test]
fn input_without_documents_is_remarked_on_and_passes_through() {
    let dir = Dir::new();
    let run = dir.run("dups --print stream");
    assert_eq!((run.code, run.stdout.len()), (Some(0), 0), "{run:?}");
    assert!(run.stderr.contains("no document with words"), "{run:?}");
    let wordless = "...\n\n?!";
    assert_eq!(dir.run_with("dups --print stream -q", wordless.as_bytes()).text(), wordless);
    assert_eq!(dir.run_with("dups -o kept -q", wordless.as_bytes()).text(), "");
    assert_eq!(dir.read("kept"), wordless.as_bytes());
    dir.write("head.csv", "id,text\n");
    assert_eq!(dir.run("dups head.csv -c text --print stream -q").text(), "id,text\n");
    assert_eq!(dir.run("dups head.csv --group id --item text -q").text(), "");
    dir.write("blank.jsonl", "{\"text\":\"\"}\n{\"text\":\"...\"}\n");
    let end = &dir.run("dups blank.jsonl -c text --json -q").json()[0];
    assert_eq!((&end["documents"], &end["empty"]), (&0.into(), &2.into()));
}

#[test]
fn bad_input_is_named() {
    let dir = Dir::new();
    dir.write("bad.jsonl", row("a", "some words here") + "{\"text\": \n");
    dir.run("dups bad.jsonl -c text").fails_with(&["bad.jsonl: line 2", "not a JSON value"]);
    dir.write("t.csv", "id,text\n1,some words\n");
    dir.run("dups t.csv -c body").fails_with(&["no column 'body'", "id, text"]);
    dir.run("dups absent.csv -c text").fails_with(&["absent.csv", "no such file"]);
    dir.write("other.jsonl", "{\"text\":null}\n{\"body\":\"x\"}\n");
    dir.run("dups other.jsonl -c text -q").fails_with(&["no record has a value for 'text'"]);
    dir.run("dups other.jsonl -c text --like t.csv").fails_with(&["no record has a value for 'text'"]);
    dir.run_with("dups -c text", b"x\n").fails_with(&["--column needs a table"]);
    dir.run("dups t.csv -c text -o x --print pairs").fails_with(&["-o"]);
    for flags in [
        "-t 0",
        "-t 1.1",
        "-t nan",
        "-t -1",
        "-t x",
        "--recall 1",
        "--recall 0",
        "--shingle words:0",
        "--shingle words",
        "--shingle lines:3",
        "--shingle words:-1",
        "--shingle words:1000",
        "--normalise all",
        "--verify no",
        "--keep last",
        "--print x",
        "--jobs 0",
    ] {
        let run = dir.run(&format!("dups t.csv -c text {flags}"));
        assert_eq!((run.code, run.stdout.len()), (Some(2), 0), "{flags}: {run:?}");
        let told = ["expected", "has no -1", "must", "possible values", "usual", "not in 1..=1024"];
        assert!(told.iter().any(|word| run.stderr.contains(word)), "{flags}: {}", run.stderr);
    }
    for threshold in ["0.0001", "1e-300"] {
        let words = [threshold, "raise --threshold", "lower --recall"];
        dir.run(&format!("dups t.csv -c text -t {threshold}")).fails_with(&words);
    }
    dir.run("dups t.csv -c text --recall 1").fails_with(&["above 0 and below 1"]);
}
