//! `filter insert` and `filter remove`.

use crate::support::{Dir, numbered};
use crivo::{KINDS, MakeFilter, MergeLaw};

#[test]
fn inserting_is_building_from_all() {
    let dir = Dir::new();
    let (first, second) = (numbered("a", 2_000), numbered("b", 500));
    dir.write("first", &first);
    dir.write("second", &second);
    dir.write("all", first + &second);
    for info in KINDS.iter().filter(|info| info.filter.is_some() && info.insert.is_some()) {
        let build = format!("--capacity 2500 --kind {} --force", info.kind.name());
        dir.run(&format!("filter build first -o f.crv {build}")).text();
        dir.run(&format!("filter build all -o all.crv {build}")).text();
        let text = dir.run("filter insert f.crv second").text();
        assert!(text.starts_with("f.crv: ") && text.contains(" inserted of 500 items, "), "{text}");
        assert_eq!(dir.run("filter query f.crv all --count").text(), "2,500\n", "{}", info.kind.name());
        if info.kind.merge_law() == Some(MergeLaw::Exact) && !info.copies {
            assert_eq!(dir.read("f.crv"), dir.read("all.crv"), "{}", info.kind.name());
        }
        if info.copies {
            continue;
        }
        // What is there is not inserted again.
        let before = dir.read("f.crv");
        assert!(dir.run("filter insert f.crv all").text().contains(": 0 inserted of 2,500 items, "));
        assert_eq!(dir.read("f.crv"), before, "{}", info.kind.name());
        dir.run("filter insert f.crv second -o other.crv --force").text();
        assert_eq!(dir.read("other.crv"), before, "{}", info.kind.name());
    }
}

/// An item that is reported by chance when it comes must not be denied when those that it is mistaken for go.
#[test]
fn removing_some_denies_none_of_the_others() {
    let dir = Dir::new();
    let (first, second) = (numbered("a", 10_000), numbered("b", 10_000));
    dir.write("first", &first);
    dir.write("second", &second);
    dir.write("all", first + &second);
    for info in KINDS.iter().filter(|info| info.filter.is_some() && info.remove.is_some()) {
        let build = format!("-o f.crv --capacity 20000 --kind {} --fpr 0.05 --force", info.kind.name());
        dir.run(&format!("filter build all {build}")).text();
        dir.run("filter remove f.crv first").text();
        assert_eq!(dir.run("filter query f.crv second --count").text(), "10,000\n", "{}", info.kind.name());
        dir.run(&format!("filter build first {build}")).text();
        dir.run("filter insert f.crv second").text();
        dir.run("filter remove f.crv first").text();
        assert_eq!(dir.run("filter query f.crv second --count").text(), "10,000\n", "{}", info.kind.name());
    }
}

#[test]
fn what_is_removed_is_gone() {
    let dir = Dir::new();
    dir.write("in", numbered("in", 2_000));
    dir.write("out", numbered("in", 500).repeat(2));
    for info in KINDS.iter().filter(|info| info.filter.is_some() && info.remove.is_some()) {
        // Collected, so that every item is inside, whatever it looks like to the filter.
        dir.run(&format!("filter build in -o f.crv --force --kind {}", info.kind.name())).text();
        let text = dir.run("filter remove f.crv out").text();
        assert!(text.starts_with("f.crv: 500 items removed, "), "{text}");
        let answer = &dir.run("filter query f.crv in --count --json").json()[0];
        let present = answer["present"].as_u64().unwrap();
        assert!((1500..1550).contains(&present), "{}: {present}", info.kind.name());
        let text = dir.run("filter remove f.crv in -o rest.crv --force --quiet");
        assert_eq!((text.code, text.stderr.as_str()), (Some(0), ""), "{}", info.kind.name());
        // A false yes among the 500 may have taken another item out; but then that one was not inside either.
        dir.run(&format!("filter build in -o f.crv --force --kind {}", info.kind.name())).text();
        assert!(dir.run("filter remove f.crv in").text().starts_with("f.crv: 2,000 items removed, "));
        let query = dir.run("filter query f.crv in");
        assert_eq!((query.code, query.stdout.len()), (Some(1), 0), "{}: nothing is left", info.kind.name());
        let again = dir.run("filter remove f.crv in");
        assert_eq!(again.code, Some(1), "{}", info.kind.name());
        assert_eq!(again.stderr, "crivo: 2,000 items were not inside\n", "{}", info.kind.name());
    }
}

#[test]
fn repeats_in_one_input_are_one_copy_and_each_input_adds_one() {
    let dir = Dir::new();
    dir.write("in", "same\n".repeat(200));
    for info in KINDS.iter().filter(|info| info.filter.is_some() && info.remove.is_some()) {
        dir.run(&format!("filter build in -o f.crv --force --capacity 10 --kind {}", info.kind.name()))
            .text();
        dir.run("filter insert f.crv in").text();
        for is_left in [true, false] {
            assert!(dir.run("filter remove f.crv in").text().starts_with("f.crv: 1 item removed, "));
            let code = dir.run("filter query f.crv in --quiet").code;
            assert_eq!(code, Some(i32::from(!is_left)), "{}", info.kind.name());
        }
    }
}

#[test]
fn kinds_that_cannot_remove_say_so_and_name_those_that_can() {
    let dir = Dir::new();
    dir.write("in", "a\n");
    for info in KINDS.iter().filter(|info| info.filter.is_some() && info.remove.is_none()) {
        dir.run(&format!("filter build in -o f.crv --force --kind {}", info.kind.name())).text();
        let before = dir.read("f.crv");
        let run = dir.run("filter remove f.crv in");
        run.fails_with(&["f.crv", info.kind.name(), "removed", "--kind"]);
        for able in KINDS.iter().filter(|info| info.filter.is_some() && info.remove.is_some()) {
            let short = able.kind.name().trim_end_matches("-bloom").trim_end_matches("-filter");
            assert!(run.stderr.contains(short), "no {short} in {}", run.stderr);
        }
        assert_eq!(dir.read("f.crv"), before);
    }
}

#[test]
fn a_full_filter_stays_as_it_was() {
    let dir = Dir::new();
    dir.write("in", numbered("in", 50));
    dir.write("many", numbered("x", 20_000));
    for info in KINDS.iter().filter(|info| info.insert.is_some()) {
        if !info.filter.is_some_and(|target| matches!(target.make, MakeFilter::Empty(_))) {
            continue;
        }
        dir.run(&format!("filter build in -o f.crv --force --capacity 50 --kind {}", info.kind.name()))
            .text();
        let before = dir.read("f.crv");
        let run = dir.run("filter insert f.crv many");
        if run.code == Some(2) {
            run.fails_with(&["full", "nothing was saved", "--capacity"]);
            assert_eq!(dir.read("f.crv"), before, "{}", info.kind.name());
        } else {
            assert_eq!(dir.run("filter query f.crv many --count").text(), "20,000\n", "{}", info.kind.name());
        }
        assert_eq!(dir.names(), ["f.crv", "in", "many"]);
    }
}

#[test]
fn growth_stays_within_the_memory() {
    let dir = Dir::new();
    dir.write("in", numbered("in", 100_000));
    for info in KINDS {
        if !info.filter.is_some_and(|target| matches!(target.make, MakeFilter::Empty(_))) {
            continue;
        }
        let line = format!("filter build in -o f.crv --force --capacity 1000 --kind {}", info.kind.name());
        let run = dir.run(&format!("{line} --max-memory 16KiB --json"));
        if run.code == Some(0) {
            let answer: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
            assert!(answer["memory_bytes"].as_u64().unwrap() <= 16 << 10, "{answer}");
        } else {
            assert!(run.stderr.contains("--max-memory") || run.stderr.contains("full"), "{run:?}");
        }
    }
}

#[test]
fn what_cannot_be_changed_is_left_alone() {
    let dir = Dir::new();
    dir.write("in", numbered("x", 1_000));
    dir.write_key("key", "0123456789abcdef");
    dir.write("other", "0123456789abcdeX");
    dir.run("filter build in -o keyed.crv --secret-file key").text();
    dir.run("filter build in -o f.crv").text();
    dir.run("distinct in --save d.crv").text();
    let mut damaged = dir.read("f.crv");
    damaged[100] ^= 1;
    dir.write("bad.crv", &damaged);
    std::fs::create_dir(dir.path("folder")).unwrap();
    let names = dir.names();
    let files = ["keyed.crv", "f.crv", "d.crv", "bad.crv"];
    let before = files.map(|name| dir.read(name));
    for (line, words) in [
        ("insert nosuch.crv in", &["nosuch.crv", "check the name"][..]),
        ("insert folder in", &["folder", "only a file"]),
        ("insert - in", &["--output"]),
        ("insert f.crv nosuch", &["nosuch: no such file"]),
        ("insert bad.crv in", &["bad.crv", "damaged"]),
        ("insert keyed.crv in", &["keyed.crv", "--secret-file"]),
        ("insert keyed.crv in --secret-file other", &["keyed.crv", "key"]),
        ("insert d.crv in", &["d.crv", "hyperloglog", "membership"]),
        ("insert f.crv in -o d.crv", &["d.crv", "--force"]),
        ("insert f.crv in -o -", &["standard output"]),
        ("insert f.crv in --force", &["--output"]),
        ("insert f.crv in --max-memory 1KiB", &["f.crv", "limit"]),
        ("remove bad.crv in", &["bad.crv", "damaged"]),
        ("remove d.crv in", &["d.crv", "hyperloglog", "membership"]),
        ("remove nosuch.crv in", &["nosuch.crv", "check the name"]),
        ("diff f.crv nosuch.crv", &["nosuch.crv: no such file"]),
        ("diff f.crv bad.crv", &["bad.crv", "damaged"]),
        ("diff f.crv d.crv", &["d.crv", "hyperloglog", "membership"]),
        ("diff f.crv keyed.crv", &["keyed.crv", "--secret-file"]),
        ("diff f.crv", &["B.crv"]),
        ("info d.crv", &["d.crv", "hyperloglog", "membership"]),
        ("info bad.crv", &["bad.crv", "damaged"]),
    ] {
        dir.run(&format!("filter {line}")).fails_with(words);
    }
    assert_eq!(dir.names(), names);
    assert_eq!(files.map(|name| dir.read(name)), before);
    dir.run("filter insert keyed.crv in --secret-file key").text();
    assert!(dir.run("filter info f.crv").text().starts_with("f.crv: bloom-filter, "));
}

#[test]
fn a_filter_from_standard_input_goes_to_a_new_file() {
    let dir = Dir::new();
    dir.write("in", "a\n");
    dir.write("more", "b\n");
    dir.run("filter build in -o f.crv --fpr 0.000001").text();
    let sketch = dir.read("f.crv");
    dir.run_with("filter insert - more -o g.crv", &sketch).text();
    assert_eq!(dir.run_with("filter query g.crv", b"a\nb\nc\n").text(), "a\nb\n");
    assert_eq!(dir.read("f.crv"), sketch);
}

#[cfg(unix)]
#[test]
fn a_changed_file_keeps_its_permissions_and_links() {
    use std::os::unix::fs::PermissionsExt;
    let dir = Dir::new();
    dir.write("in", "a\n");
    dir.write("more", "b\n");
    dir.run("filter build in -o f.crv").text();
    std::fs::set_permissions(dir.path("f.crv"), PermissionsExt::from_mode(0o600)).unwrap();
    std::os::unix::fs::symlink("f.crv", dir.path("link.crv")).unwrap();
    dir.run("filter insert link.crv more").text();
    assert!(std::fs::symlink_metadata(dir.path("link.crv")).unwrap().is_symlink());
    assert_eq!(std::fs::metadata(dir.path("f.crv")).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(dir.run("filter query f.crv more").text(), "b\n");
}
