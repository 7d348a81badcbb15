//! Profiles of tables.

use crate::support::{Dir, Run, data, numbered};
use flate2::read::GzDecoder;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::io::Read;

const TABLE: &str = "id,name,score\n1,ann,2.5\n2,bob,NA\n3,ann,-1\n4,\"c, d\",7\n";

/// The columns of a run with `--json`, by their names.
fn columns(run: &Run) -> BTreeMap<String, Value> {
    let lines = run.json().into_iter().filter(|line| line["type"] == "column");
    lines.map(|line| (line["column"].as_str().unwrap().to_owned(), line)).collect()
}

fn bounds(bar: &Value) -> [f64; 3] {
    ["lower", "value", "upper"].map(|name| bar[name].as_f64().unwrap_or(f64::NAN))
}

#[test]
fn a_small_table_is_told_exactly() {
    let dir = Dir::new();
    dir.write("t.csv", TABLE);
    let columns = columns(&dir.run("profile t.csv --json"));
    let [id, name, score] = ["id", "name", "score"].map(|column| &columns[column]);
    assert_eq!(
        (&id["data_type"], &name["data_type"], &score["data_type"]),
        (&"integer".into(), &"text".into(), &"float".into())
    );
    assert_eq!((&id["rows"], &id["missing"], &score["missing"]), (&4.into(), &0.into(), &1.into()));
    assert_eq!((bounds(&id["distinct"]), bounds(&name["distinct"])), ([4.0; 3], [3.0; 3]));
    assert_eq!((&score["minimum"], &score["maximum"]), (&(-1).into(), &7.into()));
    let mean = (2.5 - 1.0 + 7.0) / 3.0;
    assert!((score["mean"].as_f64().unwrap() - mean).abs() < 1e-15);
    assert_eq!((&name["top"][0]["value"], bounds(&name["top"][0]["count"])), (&"ann".into(), [2.0; 3]));
    assert!(
        id["key"].to_string().contains("certain") && name["key"].to_string().contains("no"),
        "{id} {name}"
    );
    let text = dir.run("profile t.csv").text();
    assert!(text.contains("4 rows") && text.contains("NA"), "{text}");
}

/// Whatever the format and the number of threads, the saved bytes are the same.
#[test]
fn one_table_one_profile() {
    let dir = Dir::new();
    let rows: Vec<[String; 3]> = (0..30_000u32)
        .map(|n| [n.to_string(), (n % 97).to_string(), format!("{:.3}", f64::from(n).sqrt())])
        .collect();
    let text = |delimiter: &str| {
        let rows = rows.iter().map(|row| row.join(delimiter) + "\n");
        std::iter::once(["n", "m", "root"].join(delimiter) + "\n").chain(rows).collect::<String>()
    };
    dir.write("t.csv", text(","));
    dir.write("t.tsv", text("\t"));
    let json = |[n, m, root]: &[String; 3]| format!("{{\"n\":{n},\"m\":{m},\"root\":\"{root}\"}}\n");
    dir.write("t.jsonl", rows.iter().map(json).collect::<String>());
    dir.write("t.csv.gz", crate::support::gzip(text(",").as_bytes()));
    for (place, line) in
        ["t.csv -j 1", "t.csv -j 2", "t.csv -j 7", "t.tsv", "t.jsonl", "t.csv.gz"].iter().enumerate()
    {
        dir.run(&format!("profile {line} --save {place}.crv")).text();
        assert_eq!(dir.read(&format!("{place}.crv")), dir.read("0.crv"), "{line}");
    }
    dir.run_with("profile --format csv --save pipe.crv", text(",").as_bytes()).text();
    assert_eq!(dir.read("pipe.crv"), dir.read("0.crv"));
}

/// Parts merged, and a profile that goes on, are the profile of the whole: exactly in what is no sketch, within the
/// bounds in the rest.
#[test]
fn parts_make_the_whole() {
    let dir = Dir::new();
    let row = |n: u32| format!("{n},{},{}\n", n % 10, f64::from(n) / 7.0);
    let part = |rows: std::ops::Range<u32>| "id,digit,x\n".to_owned() + &rows.map(row).collect::<String>();
    dir.write("all.csv", part(0..40_000));
    dir.write("a.csv", part(0..15_000));
    dir.write("b.csv", part(15_000..40_000));
    dir.run("profile all.csv --save all.crv").text();
    dir.run("profile a.csv --save a.crv").text();
    dir.run("profile b.csv --save b.crv").text();
    dir.run("merge a.crv b.crv -o merged.crv").text();
    dir.run("profile --from a.crv b.csv --save on.crv").text();
    let whole = columns(&dir.run("profile --from all.crv --json"));
    for line in
        ["profile --from merged.crv --json", "profile --from on.crv --json", "profile a.csv b.csv --json"]
    {
        let parts = columns(&dir.run(line));
        for (name, whole) in &whole {
            let part = &parts[name];
            for exact in ["data_type", "rows", "missing", "minimum", "maximum", "distinct", "sample"] {
                assert_eq!(part[exact], whole[exact], "{line}: {name}: {exact}");
            }
            for near in ["mean", "standard_deviation"] {
                let [a, b] = [part, whole].map(|column| column[near].as_f64().unwrap());
                assert!((a - b).abs() <= 1e-12 * b.abs(), "{line}: {name}: {near}");
            }
            for quantile in part["quantiles"].as_array().unwrap() {
                // The value of rank r is r − 1, divided by what the column divides by.
                let id = (quantile["q"].as_f64().unwrap() * 40_000.0).round() - 1.0;
                let truth = match &name[..] {
                    "id" => id,
                    "x" => id / 7.0,
                    _ => continue,
                };
                let [lower, _, upper] = bounds(&quantile["quantile"]);
                assert!(lower <= truth && truth <= upper, "{line}: {name}: {quantile}");
            }
        }
    }
}

#[test]
fn what_has_changed() {
    let dir = Dir::new();
    let table = |shift: u32, odd: &str| -> String {
        let row =
            |n: u32| format!("{},{}\n", n % 50 + shift, if n.is_multiple_of(20) { odd } else { "usual" });
        std::iter::once("number,word\n".to_owned()).chain((0..20_000).map(row)).collect()
    };
    dir.write("old.csv", table(0, "rare"));
    dir.write("same.csv", table(0, "rare"));
    dir.write("moved.csv", table(20, "new"));
    dir.run("profile old.csv --save old.crv").text();
    let same = dir.run("compare old.crv same.csv");
    assert_eq!((same.code, same.stderr.as_str()), (Some(0), ""), "{same:?}");
    let moved = dir.run("compare old.crv moved.csv");
    let text = String::from_utf8(moved.stdout.clone()).unwrap();
    assert_eq!(moved.code, Some(1), "{moved:?}");
    assert!(text.contains("number") && text.contains("word") && text.contains("new"), "{text}");
    let json = dir.run("compare old.crv moved.csv --json");
    assert_eq!(json.code, Some(1));
    assert!(
        String::from_utf8(json.stdout)
            .unwrap()
            .lines()
            .all(|line| serde_json::from_str::<Value>(line).is_ok())
    );
}

#[test]
fn bad_input_is_told() {
    let dir = Dir::new();
    dir.write("t.csv", TABLE);
    dir.write("u.csv", "a\n1\n");
    dir.run("profile nothing.csv").fails_with(&["nothing.csv", "no such file"]);
    dir.run("profile t.csv --column nmae").fails_with(&["t.csv", "no column 'nmae'"]);
    dir.run("profile t.csv u.csv --save x.crv").fails_with(&["one table", "one by one"]);
    dir.run("profile t.csv --max-memory 1000").fails_with(&["t.csv", "--max-memory"]);
    dir.run("profile --from t.csv").fails_with(&["t.csv"]);
    dir.write("bad.jsonl", "{\"a\":1}\n{\"a\":\n");
    dir.run("profile bad.jsonl").fails_with(&["bad.jsonl: line 2", "JSON"]);
    dir.run("distinct t.csv --column id --save d.crv").text();
    dir.run("profile --from d.crv").fails_with(&["table-profile"]);
    dir.run("profile t.csv --save x.crv --html x.crv").fails_with(&["same file"]);
    assert!(!dir.path("x.crv").exists());
}

/// Nothing is an input too.
#[test]
fn a_table_of_nothing() {
    let dir = Dir::new();
    dir.write("t.csv", TABLE);
    dir.write("empty.csv", "");
    dir.run("profile t.csv --error 0.05 --save t.crv").text();
    assert!(dir.run_with("profile", b"").text().contains("0 rows"));
    assert!(dir.run("profile empty.csv --error 0.05 --save e.crv").text().contains("0 rows"));
    dir.run("merge t.crv e.crv -o m.crv").text();
    assert_eq!(dir.read("m.crv"), dir.read("t.crv"));
    dir.write("none.jsonl", "{}\n");
    let run = dir.run("profile --from t.crv none.jsonl --json");
    assert_eq!(columns(&run)["id"]["missing"], 1);
}

/// Columns of a saved profile, and of one that is given as a file.
#[test]
fn saved_profiles_are_asked_again() {
    let dir = Dir::new();
    dir.write("t.csv", TABLE);
    dir.write("u.csv", "id,name,score\n7,ann,1\n");
    dir.run("profile t.csv --save t.crv").text();
    dir.run("profile u.csv --save u.crv").text();
    let whole = columns(&dir.run("profile t.csv --json"));
    let one = columns(&dir.run("profile --from t.crv --column score --json"));
    assert_eq!(one.keys().collect::<Vec<_>>(), ["score"]);
    let by_number = columns(&dir.run("profile --from t.crv --column 3 --json"));
    assert_eq!(by_number.keys().collect::<Vec<_>>(), ["score"]);
    assert_eq!(one["score"]["mean"], whole["score"]["mean"]);
    assert_eq!(columns(&dir.run("profile t.crv --json")).len(), 3);
    dir.run("profile --from t.crv --column x").fails_with(&["no column 'x'"]);
    assert_eq!(dir.run("compare t.crv t.crv").code, Some(0));
    // What goes on is answered as a whole on the way, too.
    let rows: String = std::iter::once("id,name,score\n".to_owned())
        .chain((0..100_000).map(|n| format!("{n},x,1\n")))
        .collect();
    dir.write("v.csv", rows);
    let run = dir.run("profile --from t.crv v.csv --every 1000 --json --only distinct");
    assert!(
        run.json().iter().filter(|line| line["column"] == "id").all(|line| line["rows"].as_u64() > Some(4))
    );
    let last = columns(&run);
    assert_eq!(last["id"]["rows"], 100_004);
}

#[test]
fn a_table_read_as_another() {
    let dir = Dir::new();
    dir.write("semi.csv", "a;b\n1;2\n3\n");
    assert!(dir.run("profile semi.csv").text().contains("--delimiter ';'"));
    assert!(dir.run_with("profile", b"a,b\nc,d,e\n").text().contains("--format csv"));
    assert!(dir.run_with("profile", b"{\"a\":1\n").text().contains("--format jsonl"));
}

#[test]
fn answers_while_reading() {
    let dir = Dir::new();
    // Several pieces of a pipe, so that an answer falls between them whatever the threads do.
    let text = numbered("", 1_000_000);
    let run = dir.run_with("profile --every 50000 --json --only distinct", text.as_bytes());
    let rows: Vec<u64> = run
        .json()
        .iter()
        .filter(|line| line["type"] == "column")
        .map(|line| line["rows"].as_u64().unwrap())
        .collect();
    assert!(rows.len() >= 3 && rows.is_sorted() && *rows.last().unwrap() == 1_000_000, "{rows:?}");
}

/// All columns of the flights, from CSV and from Parquet, against exact answers.
#[test]
fn a_year_of_flights() {
    let Some(csv) = data("tables/nycflights13-flights.csv.gz") else { return };
    let dir = Dir::new();
    let mut text = String::new();
    GzDecoder::new(File::open(&csv).unwrap()).read_to_string(&mut text).unwrap();
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let mut cells: Vec<Vec<&str>> = vec![Vec::new(); names.len()];
    let mut rows = 0;
    for line in lines {
        line.split(',').zip(&mut cells).for_each(|(field, column)| column.push(field));
        rows += 1;
    }
    let of_csv = dir.run(&format!("profile {csv} --json --save csv.crv"));
    let found = columns(&of_csv);
    for (name, cells) in names.iter().zip(&cells) {
        let column = &found[*name];
        let values: Vec<&str> = cells.iter().copied().filter(|&cell| cell != "NA").collect();
        let different: HashSet<&str> = values.iter().copied().collect();
        assert_eq!(column["rows"].as_u64(), Some(rows), "{name}");
        assert_eq!(column["missing"].as_u64(), Some(rows - values.len() as u64), "{name}");
        assert_eq!(bounds(&column["distinct"]), [different.len() as f64; 3], "{name}");
        let mut counts: HashMap<&str, u32> = HashMap::new();
        for &value in &values {
            *counts.entry(value).or_default() += 1;
        }
        let most = *counts.values().max().unwrap();
        assert_eq!(bounds(&column["top"][0]["count"]), [f64::from(most); 3], "{name}");
        assert_eq!(counts[column["top"][0]["value"].as_str().unwrap()], most, "{name}");
        let mut numbers: Vec<f64> = values.iter().filter_map(|value| value.parse().ok()).collect();
        if numbers.len() < values.len() {
            continue;
        }
        numbers.sort_by(f64::total_cmp);
        assert_eq!(column["minimum"].as_f64().unwrap(), numbers[0], "{name}");
        assert_eq!(column["maximum"].as_f64().unwrap(), numbers[numbers.len() - 1], "{name}");
        let n = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / n;
        assert!((column["mean"].as_f64().unwrap() - mean).abs() <= 1e-9 * mean.abs(), "{name}");
        let squares = numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>();
        let deviation = column["standard_deviation"].as_f64().unwrap();
        let near =
            |divisor: f64| (deviation - (squares / divisor).sqrt()).abs() <= 1e-9 * deviation.max(1e-300);
        assert!(near(n) || near(n - 1.0), "{name}: {deviation}");
        for quantile in column["quantiles"].as_array().unwrap() {
            let rank = (quantile["q"].as_f64().unwrap() * n).ceil() as usize;
            let truth = numbers[rank.clamp(1, numbers.len()) - 1];
            let [lower, _, upper] = bounds(&quantile["quantile"]);
            assert!(lower <= truth && truth <= upper, "{name}: {quantile}: {truth}");
        }
    }
    if let Some(parquet) = data("tables/nycflights13-flights.parquet").filter(|_| cfg!(feature = "parquet")) {
        dir.run(&format!("profile {parquet} --save parquet.crv")).text();
        assert_eq!(dir.read("parquet.crv"), dir.read("csv.crv"));
    }
}

/// Returns the report on the first column.
fn column(dir: &Dir, text: &str) -> serde_json::Value {
    dir.write("t.csv", text);
    dir.run("profile t.csv --json").json().remove(0)
}

#[test]
fn large_whole_numbers_are_kept_as_they_are() {
    let dir = Dir::new();
    let ids = ["9007199254740993", "9007199254740995", "9007199254740997"];
    let answer = column(&dir, &format!("x\n{}\n", ids.join("\n")));
    assert_eq!(
        (answer["minimum"].as_u64(), answer["maximum"].as_u64()),
        (ids[0].parse().ok(), ids[2].parse().ok())
    );
    assert_eq!(
        (answer["mean"].as_u64(), answer["standard_deviation"].as_u64()),
        (ids[1].parse().ok(), Some(2))
    );
    let quantile = |place: usize| answer["quantiles"][place]["quantile"]["value"].as_u64();
    assert_eq!([quantile(0), quantile(3), quantile(6)], ids.map(|id| id.parse().ok()));
    let bins = answer["histogram"].as_array().unwrap();
    assert!(bins.iter().all(|bin| bin["from"].is_u64() && bin["to"].is_u64()), "{answer}");
    let text = dir.run("profile t.csv").text();
    for words in ["mean 9007199254740995, standard deviation 2", "50 %  9007199254740995"] {
        assert!(text.contains(words), "{text}");
    }
    dir.run("profile t.csv --save t.crv").text();
    assert!(dir.run("profile t.crv").text().contains("50 %  9007199254740995"));
}

#[test]
fn one_infinite_value_leaves_a_column_of_floats() {
    let dir = Dir::new();
    let numbers: String = (0..9_999).map(|i| format!("{}.5\n", i % 5000)).collect();
    for (special, infinite, nans) in [("inf", 1, 0), ("-Infinity", 1, 0), ("nan", 0, 1)] {
        dir.write("t.csv", format!("x\n{numbers}{special}\n"));
        let answer = dir.run("profile t.csv --json --missing none").json().remove(0);
        assert_eq!(answer["data_type"], "float", "{special}");
        let count = |name: &str| answer[name].as_u64().unwrap_or(0);
        assert_eq!((count("infinite"), count("nans"), &answer["missing"]), (infinite, nans, &0.into()));
        let mean = answer["mean"].as_f64().unwrap();
        assert!((mean - 2499.5).abs() < 1.0, "{mean}");
        assert!(answer["histogram"].as_array().unwrap().len() > 10);
        let text = dir.run("profile t.csv --missing none").text();
        assert!(text.contains("; mean and deviation are of the other 9,999"), "{text}");
    }
    dir.write("t.csv", format!("x\n{numbers}nan\n"));
    let answer = dir.run("profile t.csv --json").json().remove(0);
    assert_eq!(
        (&answer["data_type"], &answer["missing"]),
        (&"float".into(), &1.into()),
        "NaN is missing by default"
    );
}

/// A column of 60,000 rows and 59,990 values was reported as exact, and as a likely key, by one data set in fifty.
#[test]
fn a_bar_that_was_cut_at_the_rows_is_not_exact() {
    let dir = Dir::new();
    for seed in 0..100u32 {
        let (first, rows) = (seed * 60_000 + 1, 600);
        let ids: String = (first..first + rows).chain(first..first + 6).map(|id| format!("{id}\n")).collect();
        dir.write("z.csv", format!("x\n{ids}"));
        let answer = dir.run("profile z.csv --json --error 0.2").json().remove(0);
        let [lower, upper] = ["lower", "upper"].map(|end| answer["distinct"][end].as_f64().unwrap());
        assert!(lower < upper && upper <= f64::from(rows + 6), "{answer}");
        assert_ne!(answer["key"], "certain");
        let text = dir.run("profile z.csv --error 0.2").text();
        let line = text.lines().find(|line| line.contains(" distinct")).unwrap();
        assert!(!line.contains("exact") && !line.contains("likely"), "{line}");
    }
}

#[test]
fn spellings_and_blanks() {
    let dir = Dir::new();
    let answer = column(&dir, "x\n 1000\n5\n");
    assert_eq!(
        (&answer["data_type"], &answer["maximum"]),
        (&"integer".into(), &1000.into()),
        "as `quantiles` has it"
    );
    dir.write("t.csv", "x\nTRUE\ntrue\nFalse\n");
    let text = dir.run("profile t.csv").text();
    assert!(text.contains("\n1 warning\nx: differ only in case: TRUE (1), true (1)\n"), "{text}");
    let long = "a".repeat(200);
    assert_eq!(column(&dir, &format!("x\n{long}\n"))["truncated"], true);
    assert!(column(&dir, "x\na\n").get("truncated").is_none());
}
