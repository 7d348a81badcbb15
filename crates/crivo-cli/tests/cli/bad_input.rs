//! Bad usage, bad parameters, bad data, bad files: exit code 2, a message that helps, nothing left behind.

use crate::support::{Dir, numbered};

#[test]
fn files_that_cannot_be_read() {
    let dir = Dir::new();
    dir.write("table.parquet", "PAR1");
    dir.write("in", "a\n");
    std::fs::create_dir(dir.path("folder")).unwrap();
    for (line, words) in [
        ("distinct nosuch", &["crivo: nosuch: no such file; check the name"][..]),
        ("distinct in nosuch", &["nosuch: no such file"]),
        ("distinct folder", &["folder: is a directory; name the files in it"]),
        ("distinct - -", &["standard input can be read only once"]),
        ("count nosuch -k a", &["nosuch"]),
        ("count in --keys nosuch", &["nosuch: no such file"]),
        ("filter build nosuch -o f.crv", &["nosuch"]),
        ("filter query nosuch --keys in", &["nosuch"]),
        ("info nosuch", &["nosuch"]),
        ("info folder", &["folder: is a directory"]),
        ("merge nosuch -o m.crv", &["nosuch"]),
        ("distinct table.parquet", &["table.parquet: the Parquet data", "get the file again"]),
    ] {
        dir.run(line).fails_with(words);
    }
    assert_eq!(dir.names(), ["folder", "in", "table.parquet"]);
}

#[test]
fn usage_that_makes_no_sense() {
    let dir = Dir::new();
    dir.write("in", "a\n");
    dir.write("t.csv", "id,x,x\n1,2,3\n");
    for (line, words) in [
        ("", &["Usage"][..]),
        ("disinct in", &["distinct"]),
        ("distinct in --colum x", &["--column"]),
        ("distinct in --column x", &["in: --column needs a table", "--format"]),
        ("distinct t.csv --column nosuch", &["t.csv: there is no column 'nosuch'; the header has: id, x, x"]),
        ("distinct t.csv --column x", &["2 and 3", "number"]),
        ("distinct t.csv --column 4", &["no column 4", "3 fields"]),
        ("distinct t.csv --column 0", &["no column 0"]),
        ("distinct t.csv --column id --no-header", &["numbers, not names"]),
        ("distinct t.csv --null --format csv", &["--null", "lines"]),
        ("distinct in --no-header", &["tables"]),
        ("distinct t.csv --format xml", &["lines"]),
        ("distinct t.csv --delimiter ab", &["one character"]),
        ("distinct in --jobs 0", &["1..=1024"]),
        ("distinct in --jobs -3", &["-3"]),
        ("distinct in --error 0.1 --precision 10", &["cannot be used with"]),
        ("distinct in --force", &["--save"]),
        ("distinct in --seed x", &["seed"]),
        ("count in", &["--key"]),
        ("count --from s.crv --key a --null", &["--from without files reads no input"]),
        ("count --from s.crv --key a --delimiter ;", &["--from without files reads no input"]),
        ("count --from s.crv --key a --no-header", &["--from without files reads no input"]),
        ("filter build in", &["--output"]),
        ("filter query", &["FILTER"]),
        ("merge -o m.crv", &["FILE.crv"]),
        ("plan membership", &["--items"]),
    ] {
        dir.run(line).fails_with(words);
    }
    assert_eq!(dir.names(), ["in", "t.csv"]);
}

#[test]
fn parameters_out_of_range() {
    let dir = Dir::new();
    dir.write("in", "a\n");
    for verb in [
        "distinct in --error=",
        "count in --save c.crv --error=",
        "count in --save c.crv --delta=",
        "filter build in -o f.crv --fpr=",
        "plan membership --items 100 --fpr=",
        "plan cardinality --error=",
        "plan frequency --error=",
        "plan frequency --delta=",
    ] {
        for value in ["0", "-0.5", "1.5", "NaN", "inf", "-inf", "1e-300", "x", ""] {
            let flag = verb.rsplit("--").next().unwrap().trim_end_matches('=');
            let word = match (flag, value) {
                ("delta", "1e-300") => "a failure probability of",
                ("fpr", "1e-300") => "a false-positive rate of",
                _ => flag,
            };
            dir.run(&format!("{verb}{value}")).fails_with(&[word]);
        }
    }
    for (line, word) in [
        ("distinct in --precision 3", "4"),
        ("distinct in --precision 19", "18"),
        ("distinct in --precision 300", "--precision"),
        ("count in --save c.crv --memory 0", "--memory"),
        ("count in --save c.crv --memory 1", "at least 20 bytes"),
        ("count in --save c.crv --memory 3TiB", "choose a smaller one"),
        ("count in --save c.crv --memory 3GiB", "--max-memory"),
        ("count in --save c.crv --memory nonsense", "use KiB, MiB or GiB"),
        ("count in --save c.crv --error 0.000000001", "--max-memory"),
        ("filter build in -o f.crv --capacity 0", "at least 1 item"),
        ("filter build in -o f.crv --capacity -1", "-1"),
        ("filter build in -o f.crv --capacity 1000000000000", "choose fewer items or a higher rate"),
        ("filter build in -o f.crv --capacity 100000000000", "--max-memory"),
        ("filter build in -o f.crv --capacity 18446744073709551615", "items"),
        ("filter build in -o f.crv --max-memory 0", "64MiB"),
        ("plan membership --items 0", "at least 1 item"),
        ("plan membership --items 18446744073709551615", "items"),
    ] {
        dir.run(line).fails_with(&[word]);
    }
    assert_eq!(dir.names(), ["in"]);
}

#[test]
fn data_that_is_not_what_it_says() {
    let dir = Dir::new();
    dir.write("bad.jsonl", "{\"a\":1}\n\n{\"a\":\n");
    dir.write("pretty.json", "{\n  \"a\": 1\n}\n");
    dir.write("open.csv", "id,x\n1,a\n2,\"b\n3,c\n");
    dir.write("cut.gz", [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2]);
    dir.write("cut.zst", [0x28, 0xb5, 0x2f, 0xfd, 0x24]);
    for (line, words) in [
        ("distinct bad.jsonl -c a", &["bad.jsonl: line 3: not a JSON value"][..]),
        ("distinct bad.jsonl", &["bad.jsonl: line 3"]),
        ("distinct pretty.json", &["pretty.json: line 1", "--format lines"]),
        ("distinct open.csv -c id", &["open.csv: line 3", "never closed"]),
        ("distinct cut.gz", &["cut.gz", "gzip data is corrupt"]),
        ("distinct cut.zst", &["cut.zst", "zstd data is corrupt"]),
    ] {
        dir.run(line).fails_with(words);
        dir.run(&format!("{line} --jobs 3 --save s.crv")).fails_with(words);
    }
    assert_eq!(dir.names(), ["bad.jsonl", "cut.gz", "cut.zst", "open.csv", "pretty.json"]);
}

#[test]
fn the_line_of_an_error_counts_all_pieces() {
    let dir = Dir::new();
    let mut text = numbered("", 400_000);
    text += "oops\n";
    dir.write("n.jsonl", &text);
    dir.run("distinct n.jsonl").fails_with(&["n.jsonl: line 400001:"]);
    dir.write("ok.jsonl", "1\n2\n");
    dir.run("distinct ok.jsonl n.jsonl").fails_with(&["n.jsonl: line 400001:"]);
}

#[test]
fn damaged_and_foreign_sketch_files() {
    let dir = Dir::new();
    dir.write("in", numbered("x", 3_000));
    dir.run("filter build in -o good.crv").text();
    let good = dir.read("good.crv");
    let mut cases = vec![
        ("empty", Vec::new()),
        ("foreign", b"PK\x03\x04 something else altogether".to_vec()),
        ("header", good[..20].to_vec()),
        ("half", good[..good.len() / 2].to_vec()),
        ("short", good[..good.len() - 1].to_vec()),
        ("long", [&good[..], b"x"].concat()),
    ];
    for place in [0, 4, 5, 6, 8, 9, 20, 30, good.len() / 2, good.len() - 1] {
        let mut flipped = good.clone();
        flipped[place] ^= 0x10;
        cases.push(("flipped", flipped));
    }
    for (name, bytes) in cases {
        dir.write("bad.crv", &bytes);
        for line in [
            "info bad.crv",
            "filter query bad.crv --keys in",
            "merge good.crv bad.crv -o m.crv",
            "count --from bad.crv -k a",
        ] {
            let run = dir.run(line);
            run.fails_with(&["crivo: bad.crv: "]);
            assert!(run.stderr.len() > 30, "{name}: {}", run.stderr);
        }
    }
    assert_eq!(dir.names(), ["bad.crv", "good.crv", "in"]);
}

#[test]
fn sketches_that_do_not_fit_together() {
    let dir = Dir::new();
    dir.write("in", "a\n");
    dir.run("distinct in --save d.crv --precision 12").text();
    dir.run("distinct in --save d14.crv --precision 14").text();
    dir.run("filter build in -o f.crv --capacity 100").text();
    dir.run("filter build in -o f2.crv --capacity 200").text();
    dir.run("count in --save c.crv").text();
    for (line, words) in [
        ("merge d.crv f.crv -o m.crv", &["f.crv", "d.crv", "kind", "hyperloglog", "bloom-filter"][..]),
        ("merge d.crv d14.crv -o m.crv", &["d14.crv", "12", "14"]),
        ("merge f.crv f2.crv -o m.crv", &["f2.crv", "bits"]),
        ("filter query d.crv --keys in", &["d.crv", "hyperloglog", "membership"]),
        ("count --from f.crv -k a", &["f.crv", "bloom-filter", "frequency"]),
    ] {
        dir.run(line).fails_with(words);
    }
    assert_eq!(dir.names(), ["c.crv", "d.crv", "d14.crv", "f.crv", "f2.crv", "in"]);
}

#[cfg(target_os = "linux")]
#[test]
fn endless_files_end() {
    let dir = Dir::new();
    dir.write("in", "a\n");
    dir.run("distinct in --save s.crv").text();
    dir.run("info /dev/zero").fails_with(&["/dev/zero: ", "not a Crivo sketch"]);
    dir.run("distinct in --secret-file /dev/zero").fails_with(&["/dev/zero: ", "16 bytes"]);
    dir.run("count in --keys /dev/zero").fails_with(&["/dev/zero: ", "looks binary"]);
    dir.write("keys", "key\n".repeat(1 << 19));
    dir.run("count in --keys keys --max-memory 1MiB").fails_with(&["keys: ", "--max-memory"]);
    let long = [dir.read("s.crv"), vec![0; 1 << 20]].concat();
    dir.write("long.crv", long);
    dir.run("info long.crv --max-memory 1KiB").fails_with(&["long.crv: ", "--max-memory"]);
}
