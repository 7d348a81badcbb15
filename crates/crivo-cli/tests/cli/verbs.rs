use crate::support::{Dir, few_different, gzip, numbered};

#[test]
fn distinct_says_when_it_is_exact_and_else_gives_a_bar() {
    let dir = Dir::new();
    dir.write("few", "a\nb\na\n");
    assert_eq!(dir.run("distinct few").text(), few_different(2) + "\n");
    dir.write("many", numbered("item ", 200_000));
    let text = dir.run("distinct many").text();
    assert!(text.contains(" distinct  (95 %: ") && text.contains(" to "), "{text}");
    let bar = &dir.run("distinct many --json").json()[0]["distinct"];
    let [lower, value, upper] = ["lower", "value", "upper"].map(|name| bar[name].as_f64().unwrap());
    assert!(lower <= 200_000.0 && 200_000.0 <= upper, "{bar}");
    assert!(upper - lower <= 0.0201 * value, "the default error is 1 %: {bar}");
}

#[test]
fn distinct_precision_sets_the_width_of_the_bar() {
    let dir = Dir::new();
    dir.write("many", numbered("item ", 200_000));
    let width = |flags: &str| {
        let bar = &dir.run(&format!("distinct many --json {flags}")).json()[0]["distinct"];
        (bar["upper"].as_f64().unwrap() - bar["lower"].as_f64().unwrap()) / bar["value"].as_f64().unwrap()
    };
    assert!(width("--error 0.1") > 4.0 * width("--error 0.01"));
    assert!(width("--precision 8") > 4.0 * width("--precision 14"));
}

#[test]
fn count_answers_for_each_key_in_order() {
    let dir = Dir::new();
    dir.write("fruit", "fig\nplum\nfig\nfig\n");
    dir.write("keys", "plum\r\nquince\n");
    let text = dir.run("count fruit --key fig --keys keys").text();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines, ["fig     3  (exact)", "plum    1  (exact)", "quince  0  (exact)", "of 4 items"]);
}

#[test]
fn count_bars_hold_and_conservative_is_closer() {
    let dir = Dir::new();
    let heavy: String = (0..60_000u32).map(|i| format!("k{}\n", i % 3_000)).collect();
    dir.write("many", &heavy);
    dir.write("keys", numbered("k", 3_000));
    let over_count = |flags: &str| {
        dir.run(&format!("count many --save s.crv --force --memory 16KiB {flags}")).text();
        let run = dir.run("count --from s.crv --keys keys --json");
        let answers = run.json();
        assert_eq!(answers.len(), 3_001);
        let (mut sum, mut missed) = (0.0, 0);
        for answer in &answers[..3_000] {
            let bar = &answer["frequency"];
            let most = answer["most"].as_f64().unwrap();
            assert!(most >= 20.0, "never below the truth: {answer}");
            let [lower, upper] = ["lower", "upper"].map(|name| bar[name].as_f64().unwrap());
            assert!(upper <= most, "{answer}");
            missed += u64::from(!(lower..=upper).contains(&20.0));
            sum += most - 20.0;
        }
        // A bar misses with a probability of 5 % at most: 150, and 4.9 standard deviations of the misses.
        assert!(missed <= 208, "{missed} of 3,000 bars miss the truth");
        sum
    };
    let (plain, conservative) = (over_count(""), over_count("--conservative"));
    assert!(conservative < plain, "{conservative} {plain}");
}

#[test]
fn bars_are_whole_numbers_inside_the_bounds() {
    let dir = Dir::new();
    dir.write("many", numbered("x", 9000));
    let text = dir.run("distinct many --precision 6").text();
    let bar = &dir.run("distinct many --precision 6 --json").json()[0]["distinct"];
    let [lower, upper] = ["lower", "upper"].map(|name| bar[name].as_f64().unwrap());
    assert!(lower.fract() != 0.0 && upper.fract() != 0.0, "bounds that need rounding: {bar}");
    let shown = format!("(95 %: {:.0} to {:.0})", lower.ceil(), upper.floor());
    assert!(text.replace(',', "").contains(&shown), "{text} {bar}");
}

#[test]
fn keys_may_be_compressed() {
    let dir = Dir::new();
    dir.write("fruit", "fig\nplum\nfig\n");
    dir.write("keys.gz", gzip(b"fig\nplum\n"));
    dir.write("keys", "fig\nplum\n");
    assert_eq!(dir.run("count fruit --keys keys.gz").text(), dir.run("count fruit --keys keys").text());
}

#[test]
fn count_looks_keys_up_in_a_saved_sketch() {
    let dir = Dir::new();
    dir.write("fruit", "fig\nplum\nfig\n");
    assert_eq!(dir.run("count fruit --save fruit.crv").text(), "of 3 items\n");
    let asked = dir.run("count --from fruit.crv --key fig --key nut").text();
    assert_eq!(asked, "fig  2  (at least 95 %: 2)\nnut  0  (exact)\nof 3 items\n");
}

#[test]
fn info_shows_kind_hash_and_facts() {
    let dir = Dir::new();
    dir.write("fruit", "fig\nplum\nfig\n");
    dir.run("distinct fruit --save d.crv --seed 7").text();
    dir.run("count fruit --save c.crv --error 0.01").text();
    dir.run("filter build fruit -o f.crv").text();
    let text = dir.run("info d.crv c.crv f.crv").text();
    for word in
        ["hyperloglog", "seed 0x0000000000000007", "count-min", "width", "bloom-filter", "bits", "memory"]
    {
        assert!(text.contains(word), "no {word} in {text}");
    }
}

#[test]
fn merge_is_one_pass_over_all() {
    let dir = Dir::new();
    let (left, right) = (numbered("a", 30_000), numbered("b", 5_000));
    dir.write("left", &left);
    dir.write("right", &right);
    dir.write("all", left + &right);
    for (verb, save) in [("distinct", "--save"), ("count", "--save"), ("filter build", "--capacity 40000 -o")]
    {
        for input in ["left", "right", "all"] {
            dir.run(&format!("{verb} {input} {save} {input}.crv --force")).text();
        }
        dir.run("merge left.crv right.crv -o merged.crv --force").text();
        assert_eq!(dir.read("merged.crv"), dir.read("all.crv"), "{verb}");
        dir.run("merge left.crv -o copy.crv --force").text();
        assert_eq!(dir.read("copy.crv"), dir.read("left.crv"), "{verb}");
    }
}

#[test]
fn plan_prints_a_command_that_runs_as_planned() {
    let dir = Dir::new();
    let text = dir.run("plan membership --items 1000 --fpr 0.01 --kind bloom").text();
    let command = text.lines().last().unwrap();
    assert_eq!(command, "crivo filter build FILE -o FILE.crv --kind bloom --capacity 1000 --fpr 0.01");
    dir.write("FILE", numbered("x", 1_000));
    dir.run(command.strip_prefix("crivo ").unwrap()).text();
    let planned = &dir.run("plan membership --items 1000 --fpr 0.01 --kind bloom --json").json()[1];
    let facts = &dir.run("info FILE.crv --json").json()[0]["facts"];
    assert_eq!((&planned["asked"], &planned["parameters"]["bits"]), (&true.into(), &facts["bits"]));
    assert!(planned["achieved"].as_f64().unwrap() <= 0.01);

    let plan = "plan cardinality --error 0.02 --kind hyperloglog";
    let rows = dir.run(&format!("{plan} --json")).json();
    let asked = rows.iter().find(|row| row["asked"] == true).unwrap();
    assert!(asked["achieved"].as_f64().unwrap() <= asked["target"].as_f64().unwrap(), "{asked}");
    let command = asked["command"].as_str().unwrap();
    assert!(dir.run(plan).text().ends_with(&format!("\n\n{command}\n")));
    dir.run(command.strip_prefix("crivo ").unwrap()).text();
}

#[test]
fn plans_are_allowed_and_possible() {
    let dir = Dir::new();
    for plan in ["membership --items 1e10 --kind bloom", "frequency --error 0.000000001"] {
        let rows = dir.run(&format!("plan {plan} --json")).json();
        let asked = rows.iter().find(|row| row["asked"] == true).unwrap();
        let bytes = asked["memory_bytes"].as_u64().unwrap();
        let command = asked["command"].as_str().unwrap();
        let allowed = command.split(" --max-memory ").nth(1).unwrap().strip_suffix("GiB").unwrap();
        let allowed = allowed.parse::<u64>().unwrap() << 30;
        assert!((bytes..bytes + (1 << 30)).contains(&allowed), "{asked}");
    }
    for plan in
        ["membership --items 10 --fpr 0.5 --kind bloom", "cardinality --error 0.6", "frequency --error 0.3"]
    {
        for row in dir.run(&format!("plan {plan} --json")).json() {
            assert!(row["target"].as_f64().unwrap() < 1.0, "{plan}: {row}");
        }
    }
}

#[test]
fn help_shows_an_example_for_every_verb() {
    let dir = Dir::new();
    let filter = ["build", "query", "insert", "remove", "diff", "info"].map(|verb| format!("filter {verb}"));
    let verbs = [
        "",
        "distinct",
        "count",
        "similar",
        "dups",
        "filter",
        "info",
        "merge",
        "plan",
        "plan membership",
        "plan cardinality",
        "plan frequency",
        "plan quantiles",
        "plan sampling",
        "plan similarity",
        "plan duplicates",
        "plan values",
        "plan graph",
        "plan kmers",
        "plan profile",
    ];
    for verb in verbs.map(String::from).iter().chain(&filter) {
        for flag in ["-h", "--help"] {
            let text = dir.run(&format!("{verb} {flag}")).text();
            assert!(text.contains("Example") && text.contains("  crivo "), "{verb}: {text}");
        }
    }
}

#[test]
fn quiet_answers_have_no_remarks() {
    let dir = Dir::new();
    dir.write("t.csv", "v,w\n1,1\n,1\nx,1\n");
    for verb in [
        "quantiles t.csv -c v",
        "histogram t.csv -c v",
        "range 0 1 t.csv -c v",
        "count t.csv -c v --key 1",
        "top t.csv -c v",
        "distinct t.csv -c v",
        "join t.csv t.csv --on v",
    ] {
        let has_remark = |text: String| text.contains("left out") || text.contains("not counted");
        assert!(has_remark(dir.run(verb).text()), "{verb}");
        assert!(!has_remark(dir.run(&format!("{verb} --quiet")).text()), "{verb}");
    }
    let answers = dir.run("quantiles t.csv -c v --quiet --json").json();
    assert_eq!((&answers[9]["missing"], &answers[9]["not_numbers"]), (&1.into(), &1.into()));
}
