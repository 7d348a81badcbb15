//! `crivo join`, and `crivo count --kind`.

use crate::support::Dir;

/// Keys 0 to 11,999; key i comes `i % 7` times on the left and `i % 5` times on the right.
fn tables(dir: &Dir) -> f64 {
    let (mut left, mut right, mut pairs) = ("id,x\n".to_string(), "x,key\n".to_string(), 0);
    for key in 0..12_000 {
        (0..key % 7).for_each(|x| left.push_str(&format!("k{key},{x}\n")));
        (0..key % 5).for_each(|x| right.push_str(&format!("{x},k{key}\n")));
        pairs += (key % 7) * (key % 5);
    }
    left.push_str(",0\n");
    dir.write("left.csv", left);
    dir.write("right.csv", right);
    f64::from(pairs)
}

#[test]
fn saved_sketches_join_with_each_other_and_with_data() {
    let dir = Dir::new();
    tables(&dir);
    for kind in ["count-sketch", "count-min"] {
        let save = |side: &str, column: &str| {
            let flags = format!("--kind {kind} --memory 4MiB --save {side}.crv --force");
            dir.run(&format!("count {side}.csv -c {column} {flags}")).text();
        };
        save("left", "id");
        save("right", "key");
        let pairs = |line: &str| dir.run(&format!("join {line} --json")).json()[0]["pairs"].clone();
        let whole = pairs(&format!("left.csv right.csv --on id=key --kind {kind}"));
        assert_eq!(pairs("left.crv right.crv"), whole, "{kind}");
        assert_eq!(pairs("left.crv right.csv --on key"), whole, "{kind}");
        assert_eq!(pairs("left.csv right.crv --on id"), whole, "{kind}");
    }
    dir.run("count left.csv -c id --save left.crv --force").text();
    dir.run("join left.crv right.crv").fails_with(&["cannot be joined"]);
    dir.run("distinct left.csv --save d.crv").text();
    dir.run("join d.crv right.csv --on key").fails_with(&["hyperloglog", "'crivo count'"]);
    dir.run("join left.csv").fails_with(&["<B>"]);
    dir.run("join left.csv right.csv --on nosuch").fails_with(&["left.csv: there is no column 'nosuch'"]);
    dir.run("join left.csv nosuch.csv --on id").fails_with(&["nosuch.csv: no such file"]);
}

#[test]
fn count_sketches_answer_too() {
    let dir = Dir::new();
    let text: String = (0..20_000).map(|i| format!("k{}\n", if i % 2 == 0 { 0 } else { i })).collect();
    dir.write("in", text);
    dir.run("count in --kind count-sketch --save s.crv").text();
    let answers = dir.run("count --from s.crv --key k0 --key none --json").json();
    let [k0, none] = [0, 1]
        .map(|place| ["lower", "upper"].map(|name| answers[place]["frequency"][name].as_f64().unwrap()));
    assert!(k0[0] <= 10_000.0 && 10_000.0 <= k0[1] && k0[1] - k0[0] < 100.0, "{answers:?}");
    assert!(none[0] <= 0.0 && 0.0 <= none[1], "{answers:?}");
    dir.run("count in --kind count-sketch --conservative --save a.crv")
        .fails_with(&["--conservative is for"]);
    dir.run("count in --kind count-sketch --error 0.0001 --save a.crv").fails_with(&["--max-memory"]);
    dir.run("count in --kind nosuch --save a.crv").fails_with(&["count-sketch"]);
}

#[test]
fn messages_name_what_was_given() {
    let dir = Dir::new();
    dir.write("f.csv", "dest\na\n");
    dir.write("lines", "a\n");
    dir.run("join nope f.csv --on dest").fails_with(&["nope: no such file"]);
    dir.run("join lines f.csv --on dest").fails_with(&["lines: --on needs a table"]);
    dir.run("top nope -c dest").fails_with(&["nope: no such file"]);
    for verb in ["join f.csv f.csv", "count f.csv --save f.crv --force"] {
        let line = format!("{verb} --kind count-sketch --memory");
        dir.run(&format!("{line} 55")).fails_with(&["--memory must be at least 56 bytes, got 55"]);
        dir.run(&format!("{line} 56")).text();
    }
}
