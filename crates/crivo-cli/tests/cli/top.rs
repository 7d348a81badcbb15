//! `crivo top`.

use crate::support::{Dir, gzip, numbered};
use serde_json::Value;

/// Item `i` comes `100 / (i + 1)` times, in rounds.
fn zipf() -> String {
    (0..100u32).flat_map(|round| (0..100 / (round + 1)).map(|item| format!("item {item}\n"))).collect()
}

fn items(answers: &[Value]) -> Vec<(String, f64)> {
    let items = answers.iter().filter(|answer| answer["type"] == "item");
    items
        .map(|item| (item["item"].as_str().unwrap().into(), item["count"]["value"].as_f64().unwrap()))
        .collect()
}

#[test]
fn the_most_frequent_come_first_and_exactly() {
    let dir = Dir::new();
    dir.write("in", zipf());
    let text = dir.run("top in -k 3").text();
    let bar = |width| "█".repeat(width);
    let expected = format!(
        "1  100  (exact)  20.7 %  item 0  {}\n2   50  (exact)  10.4 %  item 1  {}\n3   33  (exact)  6.85 %  item 2  {}▉\n\
         together 38 % of 482 in all; no other item has more than 25\n",
        bar(60),
        bar(30),
        bar(19)
    );
    assert_eq!(text, expected);
    let answers = dir.run("top in -k 3 --json").json();
    assert_eq!(items(&answers)[2], ("item 2".into(), 33.0));
    assert_eq!((&answers[1]["rank"], &answers[1]["rank_guaranteed"]), (&2.into(), &true.into()));
    assert_eq!(answers[0]["count"]["guarantee"], "certain");
    let end = &answers[3];
    assert_eq!((&end["type"], &end["items"], &end["floor"]), (&"top".into(), &482.into(), &0.into()));
    let text = dir.run_with("top", b"b\na\nb\n").text();
    assert_eq!(
        text,
        format!(
            "1  2  (exact)  66.7 %  b  {}\n2  1  (exact)  33.3 %  a  {}\ntogether 100 % of 3 in all; there are no others\n",
            bar(60),
            bar(30)
        )
    );
    assert_eq!(dir.run_with("top", b"").text(), "0 items\n");
}

#[test]
fn bounds_hold_when_memory_is_short() {
    let dir = Dir::new();
    // Three heavy items among 30,000 that come once, in an order that brings the heavy ones late.
    let light = numbered("light ", 30_000);
    let heavy: String = (0..9000).map(|i| format!("heavy {}\n", i % 3)).collect();
    dir.write("in", light + &heavy);
    let answers = dir.run("top in --error 0.01 -k 5 --json").json();
    let floor = answers[5]["floor"].as_f64().unwrap();
    assert!(floor > 0.0 && floor <= 0.01 * 39_000.0, "{floor}");
    for heavy in &answers[..3] {
        let [lower, upper] = ["lower", "upper"].map(|name| heavy["count"][name].as_f64().unwrap());
        assert!(heavy["item"].as_str().unwrap().starts_with("heavy"), "{heavy}");
        assert!(lower <= 3000.0 && 3000.0 <= upper && upper - lower <= floor, "{heavy}");
    }
    let all = dir.run("top in --error 0.01 -k 1e6 --json").json();
    assert_eq!(
        all.last().unwrap()["others_most"].as_f64(),
        Some(floor),
        "what is not kept may have come so often"
    );
    let light = &answers[3];
    assert_eq!(light["rank_guaranteed"], false, "{light}");
    let text = dir.run("top in --error 0.01 -k 5").text();
    assert!(text.contains("~4") && text.contains("~ uncertain rank"), "{text}");
}

#[test]
fn columns_weights_and_formats_agree() {
    let dir = Dir::new();
    dir.write("t.csv", "name,n\n\"fig, dried\",30\nplum,7\n,5\n\"fig, dried\",3\n");
    dir.write(
        "t.jsonl.gz",
        gzip(b"{\"name\":\"fig, dried\",\"n\":33}\n{\"name\":\"plum\",\"n\":7}\n{\"name\":null,\"n\":5}\n"),
    );
    let expected = [("fig, dried".to_string(), 33.0), ("plum".into(), 7.0)];
    for file in ["t.csv", "t.jsonl.gz"] {
        let answers = dir.run(&format!("top {file} -c name --weight n --json")).json();
        assert_eq!(items(&answers), expected, "{file}");
        assert_eq!((&answers[2]["items"], &answers[2]["missing"]), (&40.into(), &1.into()), "{file}");
    }
    let text = dir.run("top t.csv -c name").text();
    assert!(text.ends_with("1 missing value not counted\n"), "{text}");
    let bytes = dir.run_with("top --json", b"\x80\xfe\n").json();
    assert_eq!(bytes[0]["item"]["bytes"], "gP4=");
}

#[test]
fn the_answer_depends_on_nothing_but_the_data() {
    let dir = Dir::new();
    let text: String = (0..200_000u32).map(|i| format!("{}\n", (i.wrapping_mul(i) >> 7) % 40_000)).collect();
    dir.write("in", &text);
    let run =
        |jobs| (dir.run(&format!("top in --error 0.001 -j {jobs} --json --save s{jobs}.crv")).text(), jobs);
    let (first, _) = run(1);
    for jobs in [2, 5] {
        assert_eq!(run(jobs).0.replace(&format!("s{jobs}.crv"), "s1.crv"), first);
        assert!(dir.read("s1.crv") == dir.read(&format!("s{jobs}.crv")));
    }
    let without_memory = |text: &str| text.split("\"memory_bytes\"").next().unwrap().to_owned();
    assert_eq!(without_memory(&dir.run("top --from s1.crv --json").text()), without_memory(&first));
}

#[test]
fn saved_sketches_merge_and_are_described() {
    let dir = Dir::new();
    dir.write("one", "a\na\nb\n");
    dir.write("two", "b\nb\nb\nc\n");
    for part in ["one", "two"] {
        dir.run(&format!("top {part} --save {part}.crv")).text();
    }
    dir.run("merge one.crv two.crv -o both.crv").text();
    let answers = dir.run("top --from both.crv -k 2 --json").json();
    assert_eq!(items(&answers), [("b".into(), 4.0), ("a".into(), 2.0)]);
    let info = dir.run("info both.crv").text();
    assert!(info.contains("misra-gries"), "{info}");
    dir.run("top --from both.crv --column 1").fails_with(&["--from without files"]);
    dir.run("distinct one --save d.crv").text();
    dir.run("top --from d.crv").fails_with(&["hyperloglog", "misra-gries", "crivo info"]);
}

#[test]
fn every_and_when() {
    let dir = Dir::new();
    dir.write("in", "a\nb\na\nc\na\nb\n");
    let answers = dir.run("top in -k 1 --every 2 --json").json();
    let types: Vec<&str> = answers.iter().map(|answer| answer["type"].as_str().unwrap()).collect();
    assert_eq!(types.join(" "), "step item top step item top step item top item top");
    for jobs in [1, 3] {
        let text = dir.run(&format!("top in -k 1 --when count>=2 -j {jobs}")).text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[..2], ["count>=2: item 3: a\t2  (exact)", "count>=2: item 6: b\t2  (exact)"]);
        assert_eq!(lines.len(), 4, "{text}");
    }
    let alert = &dir.run("top in --when count>2 --json").json()[0];
    assert_eq!((&alert["type"], &alert["item"], &alert["items"]), (&"alert".into(), &"a".into(), &5.into()));
    dir.run("top in --when distinct>2").fails_with(&["'distinct>2'", "'count>1000'"]);
}

/// An item that leaves a small sketch and comes back is reported once, and never too early.
#[test]
fn alerts_are_certain_and_come_once() {
    let dir = Dir::new();
    let mut rng = crivo::rng::Rng::new(9);
    let lines: Vec<u64> = (0..30_000).map(|_| rng.below(1 + rng.clone().below(300))).collect();
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    dir.write("in", text);
    let answers = dir.run("top in --error 0.01 --when count>=50 --json").json();
    let mut told = std::collections::HashSet::new();
    let alerts: Vec<&Value> = answers.iter().filter(|answer| answer["type"] == "alert").collect();
    assert!(alerts.len() > 10, "{}", alerts.len());
    for alert in alerts {
        let item = alert["item"].as_str().unwrap();
        assert!(told.insert(item), "{item} is reported twice");
        let until = usize::try_from(alert["items"].as_u64().unwrap()).unwrap();
        let truth = lines[..until].iter().filter(|line| line.to_string() == item).count();
        assert!(truth >= 50, "{item} is reported at {truth}");
        assert_eq!(lines[until - 1].to_string(), item, "reported at a record of this item");
    }
}

#[test]
fn memory_is_bounded() {
    let dir = Dir::new();
    dir.write("in", numbered("some longer item ", 200_000));
    let answers = dir.run("top in --memory 100kB --json").json();
    let memory = answers.last().unwrap()["memory_bytes"].as_u64().unwrap();
    assert!((50_000..=100_000).contains(&memory), "{memory}");
    let long: String = (0..2000).map(|i| format!("{i}{}\n", "x".repeat(2000))).collect();
    dir.write("long", long);
    dir.run("top long --max-memory 3MiB").fails_with(&["more than the limit of 3 MiB"]);
    dir.run("top in --error 0.00001 --max-memory 1MiB").fails_with(&["--max-memory"]);
    dir.run("top in --error 0.1 --memory 1MB").fails_with(&["cannot be used with"]);
}

#[test]
fn memory_is_limited_before_reading_and_while_reading() {
    let dir = Dir::new();
    dir.write("in", numbered("", 100_000));
    // Two million counters take 104 MB when full, far more than when they begin.
    dir.run("top in --error 1e-6 --max-memory 40MiB -k 1").fails_with(&["more than the limit of 40 MiB"]);
    dir.run("top in --memory 10MiB --max-memory 5MiB -k 1").fails_with(&["more than the limit of 5 MiB"]);
    dir.run("top in --error 1e-6 --max-memory 110MiB -k 1").text();
    // The counters fit, the items do not.
    let long: String = (0..10_000).map(|i| format!("{i:>200}\n")).collect();
    dir.run_with("top --error 1e-4 --max-memory 1MiB -k 1", long.as_bytes())
        .fails_with(&["more than the limit of 1 MiB"]);
    dir.run_with("top --error 1e-3 --max-memory 1MiB -k 1", long.as_bytes()).text();
}

#[test]
fn too_little_memory_is_told_in_the_words_of_the_user() {
    let dir = Dir::new();
    dir.run("top in --memory 10").fails_with(&["--memory must be at least 488 bytes"]);
    dir.run_with("top --memory 488", b"a\n").text();
}

#[test]
fn lists_have_items_and_shares_end_at_all() {
    let dir = Dir::new();
    dir.run_with("top -k 0", b"a\n").fails_with(&["at least one item", "--number 0"]);
    let most = u64::MAX;
    dir.write("t.csv", format!("v,n\na,{most}\nb,{most}\nc,{most}\n"));
    let text = dir.run("top t.csv -c v --weight n -k 2").text();
    assert!(
        text.contains("together 100 % of") && text.contains("the counts of the others are not known"),
        "{text}"
    );
    assert_eq!(dir.run("top t.csv -c v --weight n -k 2 --json").json()[2]["listed"], 1.0);
}

/// As empty values are.
#[test]
fn records_without_a_weight_are_left_out_and_counted() {
    let dir = Dir::new();
    dir.write("t.csv", "v,n\na,1\nb,\nc,NA\na,5\n");
    dir.write(
        "t.jsonl",
        "{\"v\":\"a\",\"n\":1}\n{\"v\":\"b\",\"n\":null}\n{\"v\":\"c\"}\n{\"v\":\"a\",\"n\":5}\n",
    );
    for line in ["top t.csv -c v --weight n --json", "top t.jsonl -c v --weight n --json"] {
        let answers = dir.run(line).json();
        assert_eq!(
            (&answers[0]["item"], &answers[0]["count"]["value"]),
            (&"a".into(), &6.into()),
            "{answers:?}"
        );
        assert_eq!((answers.len(), &answers[1]["missing"]), (2, &2.into()), "{answers:?}");
    }
    dir.run("top t.csv -c v --weight n --missing=").fails_with(&["line 4", "'NA' is not a whole number"]);
    for verb in ["count --key a", "quantiles", "sample -k 2"] {
        let column = if verb == "quantiles" { "n" } else { "v" };
        let run = dir.run(&format!("{verb} t.csv -c {column} --weight n"));
        assert_eq!(run.code, Some(0), "{verb}: {}", run.stderr);
    }
}
