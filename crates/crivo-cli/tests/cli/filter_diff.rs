use crate::support::{Dir, numbered};
use crivo::{KINDS, MakeFilter};

#[test]
fn equal_filters_have_no_difference() {
    let dir = Dir::new();
    dir.write("in", numbered("x", 300));
    for info in KINDS.iter().filter(|info| info.filter.is_some()) {
        for name in ["a.crv", "b.crv"] {
            dir.run(&format!("filter build in -o {name} --force --kind {}", info.kind.name())).text();
        }
        let text = dir.run("filter diff a.crv b.crv").text();
        assert!(text.contains(info.kind.name()) && !text.contains('*'), "{text}");
        assert_eq!(dir.run("filter diff a.crv b.crv in").text(), "");
        dir.write("c", "new\n");
        dir.run(&format!("filter build c -o c.crv --force --kind {} --seed 5", info.kind.name())).text();
        let run = dir.run("filter diff a.crv c.crv");
        assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""), "{}", info.kind.name());
        assert!(String::from_utf8(run.stdout).unwrap().contains("\n* hash "), "{}", info.kind.name());
        dir.run("filter diff a.crv c.crv in").fails_with(&["a.crv", "c.crv", "hash differently", "seed"]);
    }
}

#[test]
fn lines_of_one_filter_are_marked() {
    let dir = Dir::new();
    dir.write("a", "1\n2\n3\n");
    dir.write("b", "2\n3\n4\n");
    for info in KINDS {
        let Some(target) = info.filter else { continue };
        let capacity = if matches!(target.make, MakeFilter::Empty(_)) { "--capacity 1000" } else { "" };
        for name in ["a", "b"] {
            let line = format!(
                "filter build {name} -o {name}.crv --force --fpr 0.00001 --kind {}",
                info.kind.name()
            );
            dir.run(&format!("{line} {capacity}")).text();
        }
        let run = dir.run_with("filter diff a.crv b.crv -", b"1\n2\n\n4\n5\n1");
        assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""), "{}", info.kind.name());
        assert_eq!(String::from_utf8(run.stdout).unwrap(), "< 1\n> 4\n< 1\n", "{}", info.kind.name());
        let run = dir.run_with("filter diff a.crv b.crv -", b"2\n3\n9\n");
        assert_eq!(
            (run.code, run.stdout.len(), run.stderr.as_str()),
            (Some(0), 0, ""),
            "{}",
            info.kind.name()
        );
    }
    dir.write("t.csv", "n,id\nx,1\ny,2\nz,4\n,\n");
    let run = dir.run("filter diff a.crv b.crv t.csv --column id");
    assert_eq!(String::from_utf8(run.stdout).unwrap(), "< x,1\n> z,4\n");
}

#[test]
fn kinds_may_differ_where_lines_are_asked_for() {
    let dir = Dir::new();
    dir.write("a", "1\n2\n");
    dir.write("b", "2\n3\n");
    dir.run("filter build a -o a.crv --fpr 0.00001 --capacity 100").text();
    dir.run("filter build b -o b.crv --fpr 0.000001 --capacity 9000").text();
    let run = dir.run_with("filter diff a.crv b.crv -", b"1\n2\n3\n");
    assert_eq!(String::from_utf8(run.stdout).unwrap(), "< 1\n> 3\n");
    let text = String::from_utf8(dir.run("filter diff a.crv b.crv").stdout).unwrap();
    assert!(text.contains("\n* bits ") && !text.contains("in both"), "{text}");
}

#[test]
fn bloom_filters_estimate_what_is_common() {
    let dir = Dir::new();
    let all = numbered("x", 6_000);
    let lines: Vec<&str> = all.split_inclusive('\n').collect();
    dir.write("a", lines[..4_000].concat());
    dir.write("b", lines[1_000..].concat());
    for name in ["a", "b"] {
        dir.run(&format!("filter build {name} -o {name}.crv --capacity 10000")).text();
    }
    let run = dir.run("filter diff a.crv b.crv --json");
    assert_eq!(run.code, Some(1));
    let answer: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    for (name, truth) in [("both", 3_000.0), ("either", 6_000.0)] {
        let [lower, upper] = ["lower", "upper"].map(|bound| answer[name][bound].as_f64().unwrap());
        // The seed is fixed; this one is not among the five in a hundred that miss.
        assert!(lower <= truth && truth <= upper && upper - lower < 500.0, "{answer}");
    }
    let text = String::from_utf8(dir.run("filter diff a.crv b.crv").stdout).unwrap();
    assert!(text.contains("\nin both ") && text.contains("\nin either "), "{text}");
}
