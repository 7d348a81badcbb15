//! `crivo quantiles`, `crivo histogram` and `crivo range`.

use crate::support::{Dir, Run};
use serde_json::Value;

fn quantiles(run: &Run) -> Vec<Value> {
    run.json().into_iter().filter(|answer| answer["type"] == "quantile").collect()
}

#[test]
fn few_numbers_are_exact_in_their_own_unit() {
    let dir = Dir::new();
    dir.write("in", "10\n-2\n 30 \n\n2.5\nten\nNA\n");
    let text = dir.run("quantiles in --quantiles 0,0.5,1").text();
    let expected = "0     -2  (exact)\n0.5  2.5  (exact)\n1     30  (exact)\nof 4 numbers\n2 missing values left out\n\
                    1 value that is not a number left out, the first: 'ten' in line 6 of in\n";
    assert_eq!(text, expected);
    let answers = dir.run("quantiles in --quantiles 0.5,1 --json").text();
    let lines: Vec<&str> = answers.lines().collect();
    assert!(
        lines[1].contains(r#""q":1,"quantile":{"value":30,"lower":30,"upper":30,"exact":true,"#),
        "{answers}"
    );
    let end: Value = serde_json::from_str(lines[2]).unwrap();
    assert_eq!(
        (&end["type"], &end["items"], &end["missing"], &end["not_numbers"]),
        (&"quantiles".into(), &4.into(), &2.into(), &1.into())
    );
    assert_eq!(dir.run_with("quantiles", b"").text(), "of 0 numbers\n");
}

#[test]
fn bars_hold_the_truth() {
    let dir = Dir::new();
    let mut rng = crivo::rng::Rng::new(2);
    let mut numbers: Vec<u64> = (0..300_000).map(|_| rng.below(1_000_000)).collect();
    let text: String = numbers.iter().map(|number| format!("{number}\n")).collect();
    dir.write("in", text);
    numbers.sort_unstable();
    let qs = [0.0, 0.001, 0.1, 0.5, 0.9, 0.99, 1.0];
    let list = qs.map(|q| q.to_string()).join(",");
    for jobs in [1, 3] {
        for answer in quantiles(&dir.run(&format!("quantiles in --quantiles {list} --json -j {jobs}"))) {
            let q = answer["q"].as_f64().unwrap();
            let rank = ((q * 300_000.0).ceil() as usize).max(1);
            let truth = numbers[rank - 1] as f64;
            let bar = &answer["quantile"];
            let [lower, upper] = ["lower", "upper"].map(|name| bar[name].as_f64().unwrap());
            // Twice the interval: one of seven may miss by chance, not by that much.
            let slack = upper - lower;
            assert!(lower - slack <= truth && truth <= upper + slack, "{answer} {truth}");
            assert!(slack <= 6000.0, "0.1 % of the ranks either way: {answer}");
        }
    }
    assert_eq!(
        dir.run("quantiles in --jobs 1 --json").text(),
        dir.run("quantiles in --jobs 4 --json").text()
    );

    let inside = numbers.iter().filter(|&&number| (250_000..=500_000).contains(&number)).count() as f64;
    let answer = &dir.run("range 250000 500000 in --json").json()[0];
    let [lower, upper] = ["lower", "upper"].map(|name| answer["count"][name].as_f64().unwrap());
    assert!(lower <= inside && inside <= upper && upper - lower <= 1300.0, "{answer} {inside}");
}

#[test]
fn weights_are_copies() {
    let dir = Dir::new();
    dir.write("t.csv", "v,n\n1,1\n2,98\n3,1\n");
    let text = dir.run("quantiles t.csv -c v --weight n --quantiles 0,0.02,0.99,1").text();
    assert_eq!(text.lines().last(), Some("of 100 numbers"));
    let values: Vec<&str> =
        text.lines().take(4).map(|line| line.split_whitespace().nth(1).unwrap()).collect();
    assert_eq!(values, ["1", "2", "2", "3"]);
    assert!(
        dir.run("range 2 3 t.csv -c v --weight n")
            .text()
            .starts_with("99 from 2 to 3  (exact)\n99 % of 100 numbers")
    );
}

#[test]
fn ranges_include_both_ends() {
    let dir = Dir::new();
    dir.write("in", "-5\n-1\n0\n1\n1\n5\n");
    for (line, count) in
        [("-1 1", 4.0), ("1 1", 2.0), ("-10 10", 6.0), ("2 4", 0.0), ("0.5 1e3", 3.0), ("-0 0", 1.0)]
    {
        let answer = &dir.run(&format!("range {line} in --json")).json()[0];
        assert_eq!(answer["count"]["value"].as_f64(), Some(count), "{line}: {answer}");
        assert_eq!(answer["count"]["lower"], answer["count"]["upper"], "{answer}");
    }
    dir.run("range 3 1 in").fails_with(&["empty", "smaller bound"]);
    dir.run("range 3 in").fails_with(&["expected a number", "bounds"]);
}

#[test]
fn histograms_have_round_bins_and_bars() {
    let dir = Dir::new();
    let text: String = (0..1000).map(|i| format!("{}\n", i % 100)).collect();
    dir.write("in", text);
    let output = dir.command("histogram in").env("COLUMNS", "80").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("   [0, 5)  50  (exact)  ██"), "{text}");
    assert!(lines[19].starts_with("[95, 100]  50  (exact)"), "{text}");
    assert_eq!((lines.len(), lines[20]), (21, "of 1,000 numbers"), "{text}");
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{text}");

    let answers = dir.run("histogram in --bins 4 --json").json();
    let bins: Vec<_> = answers[..4]
        .iter()
        .map(|bin| (bin["from"].as_f64().unwrap(), bin["count"]["value"].as_f64().unwrap()))
        .collect();
    assert_eq!(bins, [(0.0, 250.0), (24.75, 250.0), (49.5, 250.0), (74.25, 250.0)]);
    assert_eq!((&answers[4]["minimum"], &answers[4]["maximum"]), (&0.into(), &99.into()));

    let answers = dir.run("histogram in --edges=-5,0,10,50 --json").json();
    let counts: Vec<f64> = answers[..3].iter().map(|bin| bin["count"]["value"].as_f64().unwrap()).collect();
    assert_eq!(counts, [0.0, 100.0, 410.0], "from the lower edge on, the last with its upper edge");
    assert_eq!(
        (answers[3]["below"]["value"].as_f64(), answers[3]["above"]["value"].as_f64()),
        (Some(0.0), Some(490.0))
    );
    let text = dir.run("histogram in --edges 10,20").text();
    assert!(text.contains("100 below  (exact)\n790 above  (exact)\n"), "{text}");

    assert_eq!(
        dir.run_with("histogram", b"7\n7\n").text().lines().next().unwrap().split("  (").next(),
        Some("[7, 7]  2")
    );
    assert_eq!(dir.run_with("histogram", b"").text(), "of 0 numbers\n");
    dir.run("histogram in --edges 1").fails_with(&["two numbers"]);
    dir.run("histogram in --edges 1,3,2").fails_with(&["must rise", "2 comes after 3"]);
    dir.run("histogram in --edges 1,x").fails_with(&["0,10,100"]);
    dir.run_with("histogram", b"-1e308\n1e308\n").fails_with(&["too far", "--edges"]);
}

#[test]
fn one_saved_sketch_answers_all_three() {
    let dir = Dir::new();
    let text: String = (0..5000).map(|i| format!("{}\n", i * 7 % 5000)).collect();
    dir.write("one", &text[..text.len() / 2]);
    dir.write("two", &text[text.len() / 2..]);
    dir.write("all", &text);
    for part in ["one", "two"] {
        dir.run(&format!("quantiles {part} --save {part}.crv")).text();
    }
    dir.run("merge one.crv two.crv -o both.crv").text();
    assert_eq!(
        dir.run("quantiles --from both.crv --quantiles 0,1").text().lines().last(),
        Some("of 5,001 numbers")
    );
    let info = dir.run("info both.crv").text();
    assert!(info.contains("kll"), "{info}");
    assert!(dir.run("range 0 100 --from both.crv").text().contains(" from 0 to 100"));
    assert!(dir.run("histogram --from both.crv --bins 2").text().ends_with("of 5,001 numbers\n"));
    for flags in ["--column a", "--weight a", "--every 3"] {
        dir.run(&format!("quantiles --from both.crv {flags}")).fails_with(&["--from without files"]);
    }
    dir.run("quantiles --from both.crv --error 0.1").fails_with(&["cannot be used with"]);
    dir.run("distinct all --save d.crv").text();
    dir.run("range 0 1 --from d.crv").fails_with(&["hyperloglog", "kll"]);
}

#[test]
fn what_is_no_number_is_told() {
    let dir = Dir::new();
    dir.write("t.csv", "a,b\nx,1\ny,2\n");
    dir.run("quantiles t.csv -c a").fails_with(&[
        "no value is a number",
        "'x' in line 2 of t.csv",
        "--column",
    ]);
    dir.run("quantiles t.csv").fails_with(&["no value is a number", "'x,1'"]);
    dir.run("quantiles t.csv -c b --quantiles 2").fails_with(&["from 0 to 1"]);
    dir.run("quantiles t.csv -c b --quantiles x").fails_with(&["from 0 to 1"]);
    dir.write("t.jsonl", "{\"v\":3}\n{\"v\":null}\n{\"v\":\"4\"}\n{\"v\":[1]}\n{\"v\":true}\n");
    let answers = dir.run("quantiles t.jsonl -c v --quantiles 0,1 --json").json();
    assert_eq!((&answers[0]["quantile"]["value"], &answers[1]["quantile"]["value"]), (&3.into(), &4.into()));
    assert_eq!((&answers[2]["missing"], &answers[2]["not_numbers"]), (&1.into(), &2.into()));
}

#[test]
fn steps_and_alerts() {
    let dir = Dir::new();
    dir.write("in", "1\n2\n3\n300\n400\n");
    let answers = dir.run("quantiles in --quantiles 0.5 --every 2 --json").json();
    let medians: Vec<_> = answers
        .iter()
        .filter(|answer| answer["type"] == "quantile")
        .map(|answer| answer["quantile"]["value"].as_i64().unwrap())
        .collect();
    assert_eq!(medians, [1, 2, 3]);
    let text = dir.run("quantiles in --quantiles 1 --when p99>250").text();
    assert_eq!(text.lines().next(), Some("p99>250: 4 numbers: 300  (exact)"), "{text}");
    let alert = &dir.run("quantiles in --when p50<=3 --json").json()[0];
    assert_eq!((&alert["type"], &alert["estimate"]["value"]), (&"alert".into(), &1.into()));
    assert_eq!(
        dir.run("quantiles in --quantiles 1 --when p50>3").text().lines().count(),
        2,
        "it never holds"
    );
    dir.run("quantiles in --when count>3").fails_with(&["'count>3'", "'p99>250'"]);
    dir.run("range 0 3 in --every 2 --json").text();
    assert!(dir.run("histogram in --every 4 --bins 1").text().starts_with("4 items:\n[1, 300]  4  (exact)"));
}

#[test]
fn memory_is_limited() {
    let dir = Dir::new();
    dir.write("in", (0..300_000).map(|i| format!("{i}\n")).collect::<String>());
    for verb in ["quantiles in", "histogram in", "range 0 9 in"] {
        dir.run(&format!("{verb} --error 1e-5 --max-memory 1MiB"))
            .fails_with(&["more than the limit of 1 MiB"]);
        dir.run(&format!("{verb} --error 1e-5")).text();
        dir.run(&format!("{verb} --max-memory 1MiB")).text();
    }
}

#[test]
fn alerts_depend_on_the_numbers_alone() {
    let dir = Dir::new();
    // Blocks of zeros and ones, each twice as long as the one before: the median goes up and down.
    let wave = |i: u32| (i + 1).ilog2() % 2;
    dir.write("in", (0..500_000).map(|i| format!("{}\n", wave(i))).collect::<String>());
    let line = "quantiles in --quantiles 1 --when p50>0 --json";
    let alone = dir.run(&format!("{line} --jobs 1")).text();
    assert!(alone.lines().count() > 3, "{alone}");
    assert_eq!(dir.run(&format!("{line} --jobs 3")).text(), alone);
    assert_eq!(
        dir.run(&format!("{line} --every 3333")).json().iter().filter(|line| line["type"] == "alert").count(),
        alone.lines().count() - 2
    );
    let line = "quantiles in --quantiles 1 --when p0>=0 --json";
    assert_eq!(dir.run(line).json()[0]["items"], 1, "each of the first numbers is looked at");
    dir.write("few", (1..1500).map(|i| format!("{i}\n")).collect::<String>());
    assert_eq!(
        dir.run("quantiles few --when p100>1400 --json").json()[0]["items"],
        1499,
        "the end is looked at"
    );
}

#[test]
fn steps_tell_what_was_left_out_before_them() {
    let dir = Dir::new();
    dir.write("t.csv", "v,w\n1,1\nNA,1\n,1\n2,1\n,1\nx,1\nx,1\n3,1\n4,1\n,1\n");
    for jobs in [1, 3] {
        let answers =
            dir.run(&format!("quantiles t.csv -c v --quantiles 1 --every 2 --json --jobs {jobs}")).json();
        let left_out: Vec<_> = answers
            .iter()
            .filter(|answer| answer["type"] == "quantiles")
            .map(|answer| ["items", "missing", "not_numbers"].map(|name| answer[name].as_u64().unwrap()))
            .collect();
        assert_eq!(left_out, [[2, 2, 0], [4, 3, 2], [4, 4, 2]]);
    }
    let answers = dir.run("count t.csv -c v --key 1 --every 3 --missing= --json").json();
    let missing: Vec<_> = answers
        .iter()
        .filter(|answer| answer["type"] == "count")
        .map(|answer| answer["missing"].as_u64().unwrap())
        .collect();
    assert_eq!(missing, [1, 2, 3], "after 2, after the second x, at the end");
}

#[test]
fn bins_of_numbers_that_hardly_differ() {
    let dir = Dir::new();
    for (numbers, flags, bins) in [
        ("1\n1.0000000000000002\n", "", 1),
        ("1\n1.0000000000000002\n", "--bins 4", 1),
        ("1\n1.0000000000000004\n", "--bins 4", 2),
        ("0\n5e-324\n", "", 1),
        ("0\n5e-324\n", "--bins 4", 1),
        ("0\n8e-323\n", "--bins 10", 8),
        ("9007199254740993\n9007199254740996\n", "", 3),
        ("-0\n0\n", "", 1),
    ] {
        let answers = dir.run_with(&format!("histogram --json {flags}"), numbers.as_bytes()).json();
        let counts = answers
            .iter()
            .filter(|answer| answer["type"] == "bin")
            .map(|bin| bin["count"]["value"].as_f64().unwrap());
        let counts: Vec<_> = counts.collect();
        assert_eq!((counts.len(), counts.iter().sum::<f64>()), (bins, 2.0), "{numbers} {flags} {answers:?}");
    }
}

/// Identifiers and nanoseconds are larger than 2⁵³, from where on doubles leave whole numbers out.
#[test]
fn large_whole_numbers_are_kept_as_they_are() {
    let dir = Dir::new();
    dir.write("ids", "9007199254740993\n9007199254740997\n9007199254740995\n");
    for (range, count) in [
        ("0 9007199254740992", 0),
        ("0 9007199254740993", 1),
        ("9007199254740994 9007199254740996", 1),
        ("9007199254740997 9007199254740997", 1),
    ] {
        let answer = &dir.run(&format!("range {range} ids --json")).json()[0];
        assert_eq!(
            (&answer["count"]["value"], &answer["count"]["lower"]),
            (&count.into(), &count.into()),
            "{range}"
        );
        assert_eq!(answer["high"].as_u64(), range.split(' ').next_back().unwrap().parse().ok());
    }
    let text = dir.run("quantiles ids --quantiles 0,0.5,1").text();
    let lines = [
        "0    9007199254740993  (exact)",
        "0.5  9007199254740995  (exact)",
        "1    9007199254740997  (exact)",
    ];
    assert_eq!(text.lines().take(3).collect::<Vec<_>>(), lines);
    let answers = quantiles(&dir.run("quantiles ids --quantiles 0.5 --json"));
    assert_eq!(answers[0]["quantile"]["value"].as_u64(), Some(9_007_199_254_740_995));
    assert!(dir.run("quantiles ids --when p50>=9007199254740995").text().contains("p50>=9007199254740995: "));
    assert!(!dir.run("quantiles ids --when p50>9007199254740995").text().contains("p50>9007199254740995: "));

    let text = dir.run("histogram ids").text();
    for line in [
        "[9007199254740993, 9007199254740994)  1  (exact)",
        "[9007199254740996, 9007199254740997]  1  (exact)",
    ] {
        assert!(text.contains(line), "{text}");
    }
    let text = dir.run("histogram ids --edges 9007199254740993,9007199254740995,9007199254740996").text();
    assert!(text.contains("[9007199254740993, 9007199254740995)  1  (exact)"), "{text}");
    assert!(text.contains("1 above  (exact)"), "{text}");
    let far = dir.run_with("histogram", b"1000000000000000000\n1000000000000000007\n").text();
    let labels: Vec<&str> = far.lines().filter_map(|line| line.trim().split("  ").next()).collect();
    assert!(labels.windows(2).all(|pair| pair[0] != pair[1]), "{far}");

    let text = dir
        .run_with(
            "quantiles --quantiles 0,1",
            b"340282366920938463463374607431\n-340282366920938463463374607431\n",
        )
        .text();
    assert!(text.contains("0  -340282366920938463463374607431  (exact)"), "{text}");
}

#[test]
fn sketches_of_large_numbers_go_together_with_others() {
    let dir = Dir::new();
    dir.write("small", "1\n2.5\n");
    dir.write("large", "9007199254740993\n");
    for name in ["small", "large"] {
        dir.run(&format!("quantiles {name} --save {name}.crv")).text();
    }
    assert!(
        dir.run("info small.crv").text().contains("f64")
            && dir.run("info large.crv").text().contains("Number")
    );
    for [first, second] in [["small", "large"], ["large", "small"]] {
        dir.run(&format!("merge {first}.crv {second}.crv -o both.crv --force")).text();
        let text = dir.run("quantiles --from both.crv --quantiles 0,0.5,1").text();
        let values: Vec<&str> =
            text.lines().take(3).filter_map(|line| line.split_whitespace().nth(1)).collect();
        assert_eq!(values, ["1", "2.5", "9007199254740993"]);
    }
    dir.run("quantiles large --from small.crv --save more.crv").text();
    let text = dir.run("range 9007199254740993 9007199254740993 --from more.crv").text();
    assert!(text.starts_with("1 from 9007199254740993 to 9007199254740993  (exact)\n33.3 % of 3"), "{text}");
}

#[test]
fn infinite_numbers_lie_at_the_ends_and_nan_nowhere() {
    let dir = Dir::new();
    dir.write("in", "1\ninf\n-Infinity\n3\nNaN\n2\n-0.0\n");
    let text = dir.run("quantiles in --quantiles 0,0.5,1").text();
    let expected = "0    -inf  (exact)\n0.5     1  (exact)\n1     inf  (exact)\nof 6 numbers\n\
                    1 missing value left out\n";
    assert_eq!(text, expected);
    let answers = quantiles(&dir.run("quantiles in --quantiles 0,0.2,1 --json"));
    let values: Vec<&Value> = answers.iter().map(|answer| &answer["quantile"]["value"]).collect();
    assert_eq!(values, [&Value::from("-inf"), &0.into(), &"inf".into()]);
    assert!(dir.run("range 0 3 in").text().starts_with("4 from 0 to 3  (exact)\n66.7 % of 6 numbers"));
    let text = dir.run("histogram in --bins 3").text();
    assert!(
        text.contains("[2, 3]  2  (exact)") && text.contains("1 below  (exact)\n1 above  (exact)\n"),
        "{text}"
    );
    assert_eq!(dir.run_with("quantiles --quantiles 0.5", b"-0.0\n").text(), "0.5  0  (exact)\nof 1 number\n");
    assert!(dir.run_with("histogram", b"inf\ninf\n").text().ends_with("of 2 numbers\n"));
}
