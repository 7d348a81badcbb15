//! `crivo values`.

use crate::support::Dir;

const OFFERS: &str = "shop,price\nnorth,3.5\nsouth,4.25\nnorth,3.75\nwest,-2\n,9\n";

#[test]
fn a_pipe_is_as_good_as_a_file() {
    let dir = Dir::new();
    dir.write("offers.csv", OFFERS);
    dir.run("values build offers.csv -o a.crv").text();
    let piped = "values build --format csv --no-header -o b.crv";
    dir.run_with(piped, b"north,3.75\nsouth,4.25\nwest,-2\n").text();
    assert_eq!(dir.read("a.crv"), dir.read("b.crv"));
    let found = dir.run_with("values query a.crv --json", b"south\n").json();
    assert!(found[0]["value"] == 4.25 && found[0].get("verdict").is_none(), "{found:?}");
}

#[test]
fn a_header_that_looks_like_data_is_told() {
    let dir = Dir::new();
    dir.write("bare.csv", "north,3.75\nsouth,4.25\n");
    let build = |flags: &str| dir.run(&format!("values build bare.csv -o a.crv --force {flags}")).stderr;
    let stderr = build("");
    assert!(stderr.contains("bare.csv: the first row") && stderr.contains("--no-header"), "{stderr}");
    for flags in ["--no-header", "--quiet", "--key north --value 3.75"] {
        assert_eq!(build(flags), "", "{flags}");
    }
}

#[test]
fn parts_merge_to_the_whole_and_info_tells_all() {
    let dir = Dir::new();
    let rows =
        |from: u32, to: u32| (from..to).map(|i| format!("k{i},{}\n", i * 7 % 1000)).collect::<String>();
    dir.write("one.csv", format!("k,v\n{}", rows(0, 600)));
    dir.write("two.csv", format!("k,v\n{}", rows(500, 1000)));
    for (files, name) in [("one.csv", "one"), ("two.csv", "two"), ("one.csv two.csv", "both")] {
        for (kind, flags) in [("whole", ""), ("byte", "--bits 8 --range 0..1000")] {
            dir.run(&format!("values build {files} -o {name}-{kind}.crv --items 1000 {flags}")).text();
        }
    }
    for kind in ["whole", "byte"] {
        dir.run(&format!("merge one-{kind}.crv two-{kind}.crv -o merged-{kind}.crv")).text();
        assert_eq!(dir.read(&format!("merged-{kind}.crv")), dir.read(&format!("both-{kind}.crv")), "{kind}");
    }
    let info = dir.run("info both-byte.crv").text();
    assert!(info.contains("quantised-bloom") && info.contains("cell bits"), "{info}");
    assert!(dir.run("info both-whole.crv").text().contains("linear-bloom"));
    dir.run("merge one-whole.crv one-byte.crv -o x.crv")
        .fails_with(&["only sketches of the same kind can be merged"]);
}

#[test]
fn mistakes_are_named() {
    let dir = Dir::new();
    dir.write("offers.csv", OFFERS);
    dir.write("bad.csv", "shop,price\nnorth,1\nsouth,much\n");
    dir.write("words.txt", "a\nb\n");
    dir.run("values build bad.csv -o x.crv")
        .fails_with(&["bad.csv: line 3: the value 'much' is not a number"]);
    dir.run("values build offers.csv --value cost -o x.crv").fails_with(&["there is no column 'cost'"]);
    dir.run("values build words.txt -o x.crv").fails_with(&["--key needs a table; use --format csv"]);
    dir.run("values build offers.csv -o x.crv --bits 8 --range 0..10")
        .fails_with(&["-2 is outside the scale from 0 to 10"]);
    dir.run("values build offers.csv -o x.crv --bits 8").fails_with(&["--range"]);
    dir.run("values build offers.csv -o x.crv --items 1e9 --max-memory 1MiB")
        .fails_with(&["more than the limit"]);
    dir.run("values build offers.csv -o x.crv --memory 4").fails_with(&["got 4 bytes"]);
    assert_eq!(dir.names(), ["bad.csv", "offers.csv", "words.txt"], "nothing was saved");
    dir.run("filter build words.txt -o words.crv").text();
    dir.run("values query words.crv a").fails_with(&["a valued sketch is needed"]);
    dir.run("values query none.crv a").fails_with(&["none.crv"]);
    dir.write("many.csv", format!("k,v\n{}", (0..2000).map(|i| format!("k{i},{i}\n")).collect::<String>()));
    let more = dir.run("values build many.csv -o few.crv --items 1000");
    assert!(more.code == Some(0) && more.stderr.contains("raise --items"), "{more:?}");
}
