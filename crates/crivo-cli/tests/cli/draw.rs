//! `crivo sample`.

use crate::support::{Dir, numbered};
use std::collections::HashSet;

#[test]
fn samples_are_records_of_the_input_each_once() {
    let dir = Dir::new();
    dir.write("in", numbered("line ", 10_000));
    let text = dir.run("sample in -k 50 --seed 7").text();
    let all: HashSet<String> = numbered("line ", 10_000).lines().map(Into::into).collect();
    let sampled: HashSet<&str> = text.lines().collect();
    assert_eq!((sampled.len(), text.lines().count()), (50, 50));
    assert!(sampled.iter().all(|line| all.contains(*line)));
    for jobs in [1, 2, 5] {
        assert_eq!(dir.run(&format!("sample in -k 50 --seed 7 -j {jobs}")).text(), text);
    }
    assert_ne!(dir.run("sample in -k 50 --seed 8").text(), text);
    assert_eq!(
        dir.run_with("sample --seed 1", b"b\r\na\n").text(),
        "b\r\na\n",
        "fewer than asked for: all of them"
    );
    assert_eq!(dir.run_with("sample --seed 1 --null", b"b\0a\nc\0").text(), "b\0a\nc\0");
}

#[test]
fn a_seed_is_drawn_and_told() {
    let dir = Dir::new();
    dir.write("in", numbered("", 1000));
    let [one, two] = [0; 2].map(|_| dir.run("sample in -k 20"));
    assert_ne!(one.stdout, two.stdout, "each run draws its own");
    let seed = one.stderr.split("--seed ").nth(1).unwrap().trim();
    assert!(one.stderr.starts_with("crivo: 20 of 1,000 records"), "{}", one.stderr);
    assert_eq!(dir.run(&format!("sample in -k 20 --seed {seed}")).stdout, one.stdout);
    assert_eq!(dir.run("sample in -k 20 --quiet").stderr, "");
    let answers = dir.run("sample in -k 20 --json").json();
    let seed = answers[20]["seed"].as_str().unwrap();
    assert_eq!(dir.run(&format!("sample in -k 20 --json --seed {seed}")).json(), answers);
    assert_eq!(
        (&answers[20]["type"], &answers[20]["sampled"], &answers[20]["items"]),
        (&"sample".into(), &20.into(), &1000.into())
    );
}

#[test]
fn tables_keep_their_header_and_quotes() {
    let dir = Dir::new();
    dir.write("a.csv", "id,text\n1,\"two\nlines\"\n2,\"a \"\"b\"\"\"\n");
    dir.write("b.csv", "id,text\n3,c\n");
    dir.write("c.csv", "id,other\n4,d\n");
    let text = dir.run("sample a.csv b.csv --seed 1").text();
    assert_eq!(text, "id,text\n1,\"two\nlines\"\n2,\"a \"\"b\"\"\"\n3,c\n");
    assert_eq!(dir.run("sample a.csv --seed 1 -c text").text(), "two\nlines\na \"b\"\n", "values");
    assert!(dir.run("sample a.csv c.csv --seed 1").stderr.contains("the header differs"));
    let answers = dir.run("sample a.csv --seed 1 --json").json();
    assert_eq!(answers[0]["record"], serde_json::json!({ "id": "1", "text": "two\nlines" }));
    dir.write("t.jsonl", "{\"a\":1}\n{\"a\":2}\n");
    assert_eq!(dir.run("sample t.jsonl --seed 1").text(), "{\"a\":1}\n{\"a\":2}\n");
}

/// Each record has the chance k/n: among 40 samples of 100 of 1,000, one is drawn 4 times on average.
#[test]
fn every_part_of_the_input_has_its_chance() {
    let dir = Dir::new();
    dir.write("in", numbered("", 1000));
    let mut quarters = [0u32; 4];
    for seed in 0..40 {
        for line in dir.run(&format!("sample in -k 100 --seed {seed}")).text().lines() {
            quarters[line.parse::<usize>().unwrap() / 250] += 1;
        }
    }
    // 1,000 of 4,000 each, with a standard deviation of 26: six of them.
    assert!(quarters.iter().all(|quarter| (844..=1156).contains(quarter)), "{quarters:?}");
}

#[test]
fn weights_draw_the_heavy_ones() {
    let dir = Dir::new();
    let rows: String = (0..1000).map(|i| format!("{i},{}\n", if i < 10 { 1e9 } else { 0.5 })).collect();
    dir.write("t.csv", format!("id,w\n{rows}none,0\n"));
    let text = dir.run("sample t.csv --weight w -k 20 --seed 3").text();
    let ids: Vec<&str> = text.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!((text.lines().next(), ids.len()), (Some("id,w"), 20));
    assert!((0..10).all(|id| ids.contains(&id.to_string().as_str())), "{ids:?}");
    assert!(
        !dir.run("sample t.csv --weight w -k 2000 --seed 3").text().contains("none"),
        "a weight of 0 is never drawn"
    );
    let answers = dir.run("sample t.csv --weight w -k 1 --seed 3 --json").json();
    assert_eq!(answers[0]["weight"].as_f64(), Some(1e9));
    dir.write("bad.csv", "id,w\n1,-2\n");
    dir.run("sample bad.csv --weight w --seed 1").fails_with(&["bad.csv: line 2", "'-2'", "from 0 on"]);
}

#[test]
fn saved_samples_merge_if_their_seeds_differ() {
    let dir = Dir::new();
    dir.write("one", numbered("a", 500));
    dir.write("two", numbered("b", 500));
    for (part, seed) in [("one", 1), ("two", 2), ("two", 1)] {
        dir.run(&format!("sample {part} -k 50 --seed {seed} --save {part}{seed}.crv")).text();
    }
    dir.run("merge one1.crv two2.crv -o both.crv").text();
    let text = dir.run("sample --from both.crv").text();
    assert_eq!(text.lines().count(), 50);
    assert!(text.lines().any(|line| line.starts_with('a')) && text.lines().any(|line| line.starts_with('b')));
    assert_eq!(dir.run("sample --from both.crv --json").json()[50]["items"], 1000);
    dir.run("merge one1.crv two1.crv -o bad.crv").fails_with(&["seed"]);
    let info = dir.run("info both.crv").text();
    assert!(info.contains("reservoir"), "{info}");
    dir.run("sample --from both.crv --column 1").fails_with(&["--from without files"]);
    dir.run("sample --from both.crv -k 3").fails_with(&["cannot be used with"]);
    dir.run("distinct one --save d.crv").text();
    dir.run("sample --from d.crv").fails_with(&["hyperloglog", "not a sample"]);
}

#[test]
fn sizes_and_memory() {
    let dir = Dir::new();
    dir.write("in", numbered("", 10));
    dir.run("sample in -k 0 --seed 1").fails_with(&["at least 1"]);
    dir.run("sample in -k 5e9 --seed 1").fails_with(&["2^32"]);
    dir.write("long", format!("{0}\n{0}\n{0}\n", "x".repeat(1 << 20)));
    dir.run("sample long --seed 1 --max-memory 2MiB").fails_with(&["more than the limit of 2 MiB"]);
    let answers = dir.run("sample in -k 3 --every 5 --seed 1 --json").json();
    assert_eq!(answers.iter().filter(|answer| answer["type"] == "step").count(), 2);
}

#[test]
fn merges_say_what_holds_and_refuse_equal_seeds() {
    let dir = Dir::new();
    for (name, seed) in [("a", 1), ("b", 2), ("c", 2)] {
        dir.write(name, format!("{name}1\n{name}2\n"));
        dir.run(&format!("sample {name} -k 2 --seed {seed} --save {name}.crv")).text();
        dir.run(&format!("distinct {name} --save {name}-d.crv")).text();
        dir.run(&format!("top {name} --save {name}-t.crv")).text();
        dir.run(&format!("count {name} --conservative --save {name}-c.crv")).text();
    }
    dir.run_with("sample -k 2 --seed 2 --save empty.crv", b"").text();
    let says = "0x0000000000000002";
    dir.run("merge a.crv b.crv c.crv -o x.crv").fails_with(&["c.crv", says, "b.crv", "same choices"]);
    dir.run("merge b.crv c.crv -o x.crv").fails_with(&["c.crv", says, "b.crv"]);
    let text = dir.run("merge a.crv b.crv empty.crv -o x.crv").text();
    assert!(text.contains("reservoir from 3 sketches, merged by distribution, "), "{text}");
    for (kind, law, words) in [
        ("d", "exact", "exactly"),
        ("t", "bounded", "within its error"),
        ("c", "bounded", "within its error"),
    ] {
        let line = format!("merge a-{kind}.crv b-{kind}.crv -o x{kind}.crv");
        assert!(dir.run(&line).text().contains(&format!("merged {words}, ")), "{line}");
        assert_eq!(dir.run(&format!("{line} --force --json")).json()[0]["law"], law);
    }
    assert!(!dir.run("merge a.crv -o y.crv").text().contains("merged"));
    assert!(dir.run("info a.crv").text().contains("0x0000000000000001"));
    assert_eq!(dir.run("info a.crv --json").json()[0]["facts"]["seed"], "0x0000000000000001");
}
