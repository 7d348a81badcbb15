//! What holds for the filters of every kind.

use crate::support::{Dir, numbered};
use crivo::stats::binomial_band;
use crivo::{FilterTarget, KINDS, KindInfo, MakeFilter, MergeLaw};
use serde_json::Value;

/// Every kind that `filter build` makes, with the flag that says for how many items where it takes one.
fn kinds(items: u32) -> impl Iterator<Item = (&'static KindInfo, String)> {
    KINDS.iter().filter_map(move |info| match info.filter? {
        FilterTarget { make: MakeFilter::Empty(_), .. } => Some((info, format!("--capacity {items}"))),
        FilterTarget { make: MakeFilter::Frozen(_), .. } => Some((info, String::new())),
    })
}

#[test]
fn a_plan_is_what_is_built() {
    let dir = Dir::new();
    let rows = dir.run("plan membership --items 3e3 --fpr 0.003 --json").json();
    assert_eq!(rows.len(), kinds(0).count() + 1);
    for (info, capacity) in kinds(3_000) {
        // One that grows may do so a little early.
        dir.write("FILE", numbered("x", if capacity.is_empty() { 3_000 } else { 2_000 }));
        let alone = format!("plan membership --items 3e3 --fpr 0.003 --kind {} --json", info.kind.name());
        let kind = &dir.run(&alone).json()[0]["kind"];
        let planned = rows.iter().find(|row| row["kind"] == *kind).unwrap();
        assert!(planned["achieved"].as_f64().unwrap() <= 0.003, "{planned}");
        let command = planned["command"].as_str().unwrap();
        dir.run(&format!("{} --force", command.strip_prefix("crivo ").unwrap())).text();
        let built = &dir.run("info FILE.crv --json").json()[0];
        assert_eq!(
            (&built["kind"], &built["memory_bytes"]),
            (&info.kind.name().into(), &planned["memory_bytes"]),
            "{}",
            info.kind.name()
        );
        for (name, value) in planned["parameters"].as_object().unwrap() {
            let fact = &built["facts"][name];
            assert!(
                fact.is_null() || fact == value,
                "{}: {name} is {fact}, planned {value}",
                info.kind.name()
            );
        }
    }
}

#[test]
fn a_comparison_is_in_order_and_above_the_minimum() {
    let dir = Dir::new();
    let rows = dir.run("plan membership --items 1_000_000 --fpr 0.001 --json").json();
    let bytes = |row: &Value| row["memory_bytes"].as_u64().unwrap();
    let (minimum, rows) = rows.split_last().unwrap();
    assert_eq!(bytes(minimum), 1_245_724, "log2(1000) bits for each of a million items");
    assert!(rows.iter().all(|row| bytes(row) > bytes(minimum)));
    assert!(rows.windows(2).all(|pair| bytes(&pair[0]) <= bytes(&pair[1])));
    assert!(rows[0]["best_for"].as_array().unwrap().contains(&"smallest".into()));
    let text = dir.run("plan membership --items 1000000 --fpr 0.001").text();
    for row in rows {
        let is_choice = !row["best_for"].as_array().unwrap().is_empty();
        assert_eq!(text.contains(row["command"].as_str().unwrap()), is_choice, "{text}");
    }
    assert!(text.contains("\n  (minimum)"), "{text}");
    // What some kinds cannot do, others can.
    let text = dir.run("plan membership --items 1000 --fpr 1e-14").text();
    assert!(text.contains("* bloom") || text.contains("  bloom"), "{text}");
}

#[test]
fn everything_put_in_is_found_and_wrong_answers_are_as_rare_as_stated() {
    let dir = Dir::new();
    dir.write("in", numbered("in", 3_000).repeat(3));
    dir.write("out", numbered("out", 20_000));
    for (info, capacity) in kinds(3_000) {
        for flags in ["", &capacity] {
            let line = format!("filter build in -o f.crv --force --kind {} {flags} --json", info.kind.name());
            let built = &dir.run(&line).json()[0];
            assert_eq!(
                (&built["kind"], &built["items"]),
                (&info.kind.name().into(), &9_000.into()),
                "{line}"
            );
            assert_eq!(dir.run("filter query f.crv --keys in").stdout, dir.read("in"), "{line}");
            let stated = built["fpr"]["value"].as_f64().unwrap();
            assert!(stated < 0.015, "{line}: {stated}");
            let answer = dir.run("filter query f.crv --keys out --count --json").stdout;
            let answer: Value = serde_json::from_slice(&answer).unwrap();
            let (least, most) = binomial_band(20_000, stated, 1e-9);
            let wrong = answer["present"].as_f64().unwrap();
            assert!(least <= wrong && wrong <= most, "{line}: {wrong} is not in {least} to {most}");
            assert_eq!(answer["fpr"], built["fpr"], "{line}");
        }
    }
}

#[test]
fn an_empty_input_makes_an_empty_filter() {
    let dir = Dir::new();
    dir.write("out", numbered("out", 500));
    for (info, capacity) in kinds(100) {
        for flags in ["", &capacity] {
            let line = format!("filter build -o f.crv --force --kind {} {flags}", info.kind.name());
            assert!(
                dir.run(&line).text().starts_with(&format!("f.crv: {} of 0 items in ", info.kind.name()))
            );
            let run = dir.run("filter query f.crv --keys out");
            assert_eq!((run.code, run.stdout), (Some(1), Vec::new()), "{line}");
        }
    }
}

/// A filter that is too small grows, says that it errs more, or is refused; it never loses an item.
#[test]
fn too_small_a_capacity_loses_nothing() {
    let dir = Dir::new();
    dir.write("in", numbered("in", 20_000));
    for (info, capacity) in kinds(100).filter(|(_, capacity)| !capacity.is_empty()) {
        let line = format!("filter build in -o f.crv --kind {} {capacity}", info.kind.name());
        let run = dir.run(&format!("{line} --json"));
        if run.code == Some(2) {
            run.fails_with(&["full", "--capacity", "nothing was saved"]);
            assert_eq!(dir.names(), ["in"]);
            continue;
        }
        assert_eq!(run.code, Some(0), "{run:?}");
        assert_eq!(dir.run("filter query f.crv --keys in --count").text(), "20,000\n", "{line}");
        let answer: Value = serde_json::from_slice(&run.stdout).unwrap();
        let is_worse = answer["fpr"]["value"].as_f64().unwrap() > 0.01;
        assert_eq!(run.stderr.contains("capacity of 100"), is_worse, "{line}: {}", run.stderr);
        assert_eq!(dir.run(&format!("{line} --quiet --force")).stderr, "");
        std::fs::remove_file(dir.path("f.crv")).unwrap();
    }
}

#[test]
fn a_full_filter_is_no_cause_for_a_word() {
    let dir = Dir::new();
    for seed in 0..10 {
        dir.write("in", numbered("in", 100));
        for (info, capacity) in kinds(100) {
            let name = info.kind.name();
            dir.run(&format!("filter build in -o f.crv --force --kind {name} {capacity} --seed {seed}"))
                .text();
        }
    }
}

#[test]
fn parts_merge_where_the_kind_can() {
    let dir = Dir::new();
    let (left, right) = (numbered("a", 2_000), numbered("b", 500));
    dir.write("left", &left);
    dir.write("right", &right);
    dir.write("all", left + &right);
    for (info, capacity) in kinds(2_500) {
        for input in ["left", "right", "all"] {
            let line =
                format!("filter build {input} -o {input}.crv --force --kind {} {capacity}", info.kind.name());
            dir.run(&line).text();
        }
        let merge = dir.run("merge left.crv right.crv -o merged.crv --force");
        if info.kind.merge_law().is_none() {
            merge.fails_with(&["left.crv", info.kind.name(), "cannot be merged"]);
            continue;
        }
        merge.text();
        assert_eq!(
            dir.run("filter query merged.crv --keys all --count").text(),
            "2,500\n",
            "{}",
            info.kind.name()
        );
        if info.kind.merge_law() == Some(MergeLaw::Exact) && !info.copies {
            assert_eq!(dir.read("merged.crv"), dir.read("all.crv"), "{}", info.kind.name());
        }
    }
}

#[test]
fn names_long_and_short() {
    let dir = Dir::new();
    dir.write("in", "a\n");
    dir.run("filter build in -o short.crv --kind bloom").text();
    dir.run("filter build in -o long.crv --kind bloom-filter").text();
    assert_eq!(dir.read("short.crv"), dir.read("long.crv"));
    let help = dir.run("filter build --help").text();
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (info, _) in kinds(0) {
        assert!(words(&help).contains(&words(info.kind.summary())), "{}: {help}", info.kind.name());
    }
    for verb in ["filter build in -o f.crv", "plan membership --items 10"] {
        dir.run(&format!("{verb} --kind sieve")).fails_with(&["sieve", "bloom", "possible values"]);
        dir.run(&format!("{verb} --kind hyperloglog")).fails_with(&["hyperloglog", "possible values"]);
    }
    assert_eq!(dir.names(), ["in", "long.crv", "short.crv"]);
}

#[test]
fn a_static_filter_takes_no_capacity_and_no_more_items() {
    let dir = Dir::new();
    dir.write("in", "a\n");
    for (info, _) in kinds(0).filter(|(_, capacity)| capacity.is_empty()) {
        let build = format!("filter build in -o f.crv --kind {}", info.kind.name());
        dir.run(&format!("{build} --capacity 10")).fails_with(&[
            "--capacity",
            info.kind.name(),
            "leave it out",
        ]);
        dir.run(&build).text();
        let before = dir.read("f.crv");
        dir.run("filter insert f.crv in").fails_with(&["f.crv", info.kind.name(), "crivo filter build"]);
        assert_eq!(dir.read("f.crv"), before);
        std::fs::remove_file(dir.path("f.crv")).unwrap();
    }
}

/// Parts of a cuckoo filter that share an item fill up; what the error advises works.
#[test]
fn parts_that_share_an_item() {
    let dir = Dir::new();
    dir.write("item", "one\n");
    let parts = |kind: &str| -> String {
        dir.run(&format!("filter build item --kind {kind} --capacity 1000 -o {kind}.crv")).text();
        format!("merge -o {kind}-all.crv{}", format!(" {kind}.crv").repeat(40))
    };
    dir.run(&parts("cuckoo")).fails_with(&["counts twice", "quotient, counting or bloom"]);
    for kind in ["quotient", "counting", "bloom"] {
        dir.run(&parts(kind)).text();
    }
    assert!(dir.run("plan membership --items 1000").text().contains("cuckoo merges while there is room"));
}
