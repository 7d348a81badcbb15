//! `--from`: going on where a saved sketch ended.

use crate::support::{Dir, numbered};

/// Two days, and both of them.
fn days() -> Dir {
    let dir = Dir::new();
    let day = |begin: u32| (begin..begin + 3000).map(|i| format!("{},{},{i}\n", i * i % 5003, i % 7 + 1));
    let [one, two]: [String; 2] = [day(0), day(2000)].map(Iterator::collect);
    dir.write("1.csv", format!("value,weight,time\n{one}"));
    dir.write("2.csv", format!("value,weight,time\n{two}"));
    dir
}

/// Saves day 1, goes on with day 2 as a file and as a pipe, and compares with both at once.
#[track_caller]
fn goes_on(dir: &Dir, verb: &str, settings: &str, input: &str) {
    let saves = format!("{input} --quiet --force --save");
    dir.run(&format!("{verb} {settings} 1.csv {saves} one.crv")).text();
    dir.run(&format!("{verb} {settings} 1.csv 2.csv {saves} whole.crv")).text();
    // The answer of a single reading may be exact; a saved sketch answers with its error.
    let whole = dir.run(&format!("{verb} --from whole.crv --quiet")).text();
    for jobs in [1, 3] {
        let line = format!("{verb} --from one.crv 2.csv -j {jobs} {saves} file.crv");
        assert_eq!(dir.run(&line).text(), whole, "{line}");
        assert!(dir.read("file.crv") == dir.read("whole.crv"), "{line}");
    }
    let line = format!("{verb} --from one.crv - --format csv {saves} pipe.crv");
    assert_eq!(dir.run_with(&line, &dir.read("2.csv")).text(), whole, "{line}");
    assert!(dir.read("pipe.crv") == dir.read("whole.crv"), "{line}");
}

#[test]
fn one_day_and_the_next_are_both() {
    let dir = days();
    for settings in [
        "",
        "--error 0.03 --seed 7",
        "--kind k-min-values",
        "--kind cuckoo-table",
        "--window 50m --time time",
    ] {
        let input = if settings.contains("--time") { "--time time" } else { "" };
        let settings = settings.replace(" --time time", "");
        goes_on(&dir, "distinct", &settings, &format!("--column value {input}"));
    }
    goes_on(&dir, "count --key 4", "", "--column value");
    goes_on(&dir, "count --key 4", "--kind count-sketch --seed 3", "--column value --weight weight");
    goes_on(&dir, "top", "--error 0.01", "--column value");
    goes_on(&dir, "top", "--error 0.001", "--column value --weight weight");
    goes_on(&dir, "quantiles", "--error 0.01", "--column value");
    goes_on(&dir, "histogram", "", "--column value --weight weight");
    goes_on(&dir, "range 10 90", "", "--column value");
    goes_on(&dir, "sample", "-k 20 --seed 5", "--column value");
    goes_on(&dir, "sample", "-k 20 --seed 5", "--column value --weight weight");
}

/// Sets and values that are only saved go on too; what is said about them tells of the new input.
#[test]
fn what_is_only_saved_goes_on() {
    let dir = days();
    for (verb, settings, save) in [
        ("similar --column value", "", "--save"),
        ("values build --key value --value weight", "--items 1e4", "-o"),
        ("values build --key value --value weight", "--items 1e4 --bits 8 --range 0..10", "--output"),
    ] {
        dir.run(&format!("{verb} {settings} 1.csv {save} one.crv --force")).text();
        dir.run(&format!("{verb} --from one.crv 2.csv {save} both.crv --force")).text();
        let table = [dir.read("1.csv"), dir.read("2.csv").split_off("value,weight,time\n".len())].concat();
        dir.write("whole.csv", table);
        dir.run(&format!("{verb} {settings} whole.csv {save} whole.crv --force")).text();
        assert!(dir.read("both.crv") == dir.read("whole.crv"), "{verb} {settings}");
    }
    dir.run("similar 1.csv 2.csv --from one.crv").fails_with(&["--save"]);
    dir.run("similar 1.csv --from one.crv --save s.crv").fails_with(&["quantised-bloom", "one-permutation"]);
    dir.run("values build 1.csv --from one.crv --items 9 -o s.crv").fails_with(&["cannot be used with"]);
}

/// What each thread goes on with has seen the first day too, and still that is counted once.
#[test]
fn every_kind_of_counter_goes_on() {
    let dir = Dir::new();
    dir.write("1", numbered("a", 4000));
    dir.write("2", numbered("a", 6000));
    let kinds: Vec<String> = counter_kinds();
    assert!(kinds.len() > 5, "{kinds:?}");
    // The items themselves are not saved.
    for kind in kinds.into_iter().filter(|kind| kind != "exact") {
        dir.run(&format!("distinct 1 --kind {kind} --items 1e4 --save one.crv --force")).text();
        dir.run(&format!("distinct 1 2 --kind {kind} --items 1e4 --save whole.crv --force")).text();
        dir.run("distinct 2 --from one.crv --jobs 4 --save both.crv --force").text();
        assert!(dir.read("both.crv") == dir.read("whole.crv"), "{kind}");
    }
}

/// As `--help` lists them.
fn counter_kinds() -> Vec<String> {
    let help = Dir::new().run("distinct --help").text();
    let list = help.split("--kind <KIND>").nth(1).unwrap().split("--error").next().unwrap();
    let names = list.lines().filter_map(|line| line.trim().strip_prefix("- "));
    names.map(|line| line.split(':').next().unwrap().to_owned()).collect()
}

#[test]
fn what_the_sketch_has_decided_is_refused() {
    let dir = days();
    dir.run("distinct 1.csv --column value --save d.crv").text();
    for flags in ["--kind exaloglog", "--error 0.1", "--items 9", "--precision 9", "--by weight", "--seed 1"]
    {
        dir.run(&format!("distinct --from d.crv 2.csv --column value {flags}"))
            .fails_with(&["cannot be used with"]);
    }
    dir.run("distinct --from d.crv --column value")
        .fails_with(&["--from without files", "- for standard input"]);
    dir.run("distinct --from d.crv --union d.crv").fails_with(&["cannot be used with"]);
    dir.run("sample 1.csv --weight weight --save s.crv --quiet").text();
    dir.run("sample --from s.crv 2.csv").fails_with(&["s.crv", "drawn with weights", "give --weight"]);
    dir.run("sample 1.csv --save e.crv --quiet").text();
    dir.run("sample --from e.crv 2.csv --weight weight")
        .fails_with(&["without weights", "leave out --weight"]);
    dir.run("distinct 1.csv --column value --window 1h --time time --save w.crv").text();
    dir.run("distinct --from w.crv 2.csv --column value").fails_with(&["w.crv", "--time"]);
    dir.run("distinct --from s.crv").fails_with(&["weighted-reservoir", "cardinality"]);
}

/// The file that is read is replaced when all is done, and not before.
#[test]
fn a_sketch_may_go_on_in_place() {
    let dir = days();
    dir.run("top 1.csv 2.csv --column value --save whole.crv").text();
    dir.run("top 1.csv --column value --save day.crv").text();
    let before = dir.read("day.crv");
    dir.write("bad.jsonl", "1\nx\n");
    dir.run("top --from day.crv bad.jsonl --save day.crv --force").fails_with(&["bad.jsonl: line 2"]);
    assert!(dir.read("day.crv") == before);
    dir.run("distinct bad.jsonl --save bad.jsonl --force").fails_with(&["bad.jsonl", "another file"]);
    assert_eq!(dir.read("bad.jsonl"), b"1\nx\n");
    dir.run("top --from day.crv 2.csv --column value --save day.crv --force").text();
    assert!(dir.read("day.crv") == dir.read("whole.crv"));
}
