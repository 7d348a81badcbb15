//! `crivo lab`, on a few experiments; all of them are run by the tests of its page.

use crate::support::Dir;

#[test]
fn lists_by_document_and_by_words() {
    let dir = Dir::new();
    let list = dir.run("lab list").text();
    for text in ["Lopes 2017", "Ferreira 2017", "e-f27", "e-l-cells", "experiments: about", "with --full"] {
        assert!(list.contains(text), "{text}: {list}");
    }
    let found = dir.run("lab list HyperLogLog switch").text();
    assert_eq!(found.lines().count(), 2, "a document and an experiment: {found}");
    assert!(found.contains("e-f27"), "{found}");
    dir.run("lab list nosuchword").fails_with(&["nosuchword", "crivo lab list"]);
    let ids: Vec<String> = dir
        .run("lab list --json")
        .json()
        .iter()
        .map(|line| line["id"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(ids.len(), list.lines().filter(|line| line.starts_with("  ")).count());
}

#[test]
fn runs_goes_on_and_reports() {
    let dir = Dir::new();
    let run = dir.run("lab run e-f27 e-f33 -o out --seed 3").text();
    let lines: Vec<&str> = run.lines().collect();
    assert!(lines[0].starts_with("e-f27: ") && run.contains("  holds  ") && !run.contains("FAILS"), "{run}");
    assert!(lines.last().unwrap().starts_with("2 experiments, all "), "{run}");
    for file in
        ["report.html", "README.md", "e-f27/report.md", "e-f27/bias.svg", "e-f33/data.json", "e-f33/run.json"]
    {
        assert!(dir.path("out").join(file).is_file(), "{file}");
    }
    // What is finished is found; the folder is read, not the list of what was asked for last.
    let again = dir.run("lab run E-F27 -o out --seed 3 --json").json();
    let written = dir.read("out/e-f27/run.json");
    assert_eq!(again.last().unwrap()["experiments"], 2);
    assert_eq!(again[0]["type"], "verdict");
    assert_eq!(again[0]["passed"], true);
    dir.run("lab run e-f27 -o out --seed 3 --again").text();
    assert_ne!(dir.read("out/e-f27/run.json"), written, "it was run again");
}

/// The verdict of a file decides, in the report and when it is found finished.
#[test]
fn a_claim_that_fails_is_told_with_exit_code_1() {
    let dir = Dir::new();
    dir.run("lab run e-f27 -o out").text();
    let data = String::from_utf8(dir.read("out/e-f27/data.json")).unwrap();
    dir.write("out/e-f27/data.json", data.replacen("\"passed\": true", "\"passed\": false", 1));
    for line in ["lab report out", "lab run e-f27 -o out", "lab report out --json"] {
        let run = dir.run(line);
        assert_eq!(run.code, Some(1), "{line}: {run:?}");
        let text = String::from_utf8(run.stdout).unwrap();
        assert!(text.contains("FAIL") || text.contains("\"failing\":1"), "{line}: {text}");
    }
    let page = String::from_utf8(dir.read("out/report.html")).unwrap();
    assert!(page.contains("class=\"summary fails\""));
}

#[test]
fn what_cannot_be_run_is_told() {
    let dir = Dir::new();
    dir.write("file", "");
    for (line, words) in [
        ("lab run nosuch", &["nosuch", "crivo lab list"][..]),
        ("lab run e-f27 -o file", &["file"]),
        ("lab run e-f9 --corpus absent -o out", &["absent"]),
        ("lab run e-f27 --quick --full", &["--quick", "--full"]),
        ("lab report nothing", &["nothing", "no finished experiment", "crivo lab all"]),
    ] {
        dir.run(line).fails_with(words);
    }
}
