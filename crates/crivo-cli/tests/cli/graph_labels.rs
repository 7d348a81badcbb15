//! `crivo graph labels` and `crivo graph feasibility`.

use crate::support::{Dir, data, gzip};

/// A tree in which each vertex has three children.
fn tree(vertices: u32) -> String {
    (1..vertices).map(|child| format!("v{child}\tv{}\n", (child - 1) / 3)).collect()
}

#[test]
fn a_tree_gets_labels_that_keep_their_rates() {
    let dir = Dir::new();
    dir.write("tree.tsv.gz", gzip(("# child, parent\n".to_string() + &tree(1000)).as_bytes()));
    let text = dir.run("graph labels tree.tsv.gz --save tree.crv").text();
    for part in [
        "1,000 vertices, 999 edges: a tree",
        "matrix",
        "list",
        "parent",
        "646",
        "saved to tree.crv",
        "on average over seeds",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let answers = dir.run("graph labels tree.tsv.gz --json").json();
    let answer = &answers[0];
    assert_eq!((&answer["type"], &answer["kind"]), (&"labels".into(), &"tree-labels".into()));
    assert_eq!(
        (&answer["slots"], &answer["threshold"], &answer["tree"]),
        (&646.into(), &459.into(), &true.into())
    );
    assert_eq!((&answer["parent_bits"], &answer["matrix_bits"]), (&10.into(), &500.5.into()));
    // Errors of one seed hang together: ten times the rate would be wrong, though.
    let number = |name: &str| answer[name].as_f64().unwrap();
    assert!(number("missed") < 0.1 * number("edges"), "{answer}");
    assert!(number("near_wrong") < 0.1 * number("near_pairs") && number("near_pairs") > 1500.0, "{answer}");
    assert!(number("other_wrong") < 0.01 * number("other_pairs"), "{answer}");
    assert_eq!(number("other_pairs"), 1000.0 * 999.0 / 2.0 - 999.0);
    let info = dir.run("info tree.crv").text();
    assert!(info.contains("tree-labels") && info.contains("646"), "{info}");
    for line in ["query tree.crv v0 v1", "neighbors tree.crv v0 --vertices tree.tsv.gz", "stats tree.crv"] {
        dir.run(&format!("graph {line}")).fails_with(&["tree-labels", "by number", "graph build"]);
    }
    dir.run("merge tree.crv tree.crv -o both.crv").fails_with(&["tree-labels", "merge"]);
}

#[test]
fn schemes_seeds_and_rates_can_be_chosen() {
    let dir = Dir::new();
    dir.write("tree", tree(100));
    let answer = |flags: &str| {
        dir.run_with(&format!("graph labels --json {flags}"), tree(100).as_bytes()).json()[0].clone()
    };
    assert_eq!(answer("--sim-hash")["label_bits"], 646);
    assert_eq!(answer("--false-positives 0.1 --false-negatives 0.1")["label_bits"], 198);
    assert_eq!(answer("--scheme parent")["kind"], "parent-tree");
    assert_eq!(answer("--scheme parent")["missed"], 0);
    assert_eq!(answer("--scheme intersection")["kind"], "intersection-labels");
    let signatures = ["--save a.crv", "--save b.crv --seed 7", "--save c.crv --seed 7"].map(|flags| {
        dir.run(&format!("graph labels tree {flags}"));
        dir.read(&flags[7..12])
    });
    assert!(signatures[0] != signatures[1] && signatures[1] == signatures[2]);
    // A cycle is no tree.
    let cycle = b"a b\nb c\nc a\na a\n";
    let answer = &dir.run_with("graph labels --json --quiet", cycle).json()[0];
    assert_eq!((&answer["kind"], &answer["edges"]), (&"intersection-labels".into(), &3.into()));
    let remark = dir.run_with("graph labels", cycle).stderr;
    assert!(remark.contains("1 edge from a vertex to itself"), "{remark}");
    dir.run_with("graph labels --scheme tree", b"a b\nb c\nc a\n").fails_with(&["cycle"]);
    dir.run_with("graph labels --scheme parent", b"a b\nb c\nc a\n").fails_with(&["cycle"]);
}

#[test]
fn bad_edge_lists_are_named() {
    let dir = Dir::new();
    dir.write("bad.txt", "a b\n\nonly-one\n");
    dir.run("graph labels bad.txt").fails_with(&["bad.txt", "line 3", "only-one"]);
    dir.run("graph labels absent.txt").fails_with(&["absent.txt"]);
    dir.run_with("graph labels", b"").fails_with(&["no edges"]);
    dir.run("graph labels bad.txt --false-positives 2").fails_with(&["--false-positives"]);
    dir.write("tree", tree(1000));
    dir.run("graph labels tree --max-memory 20KiB").fails_with(&["--max-memory"]);
}

#[test]
fn small_graphs_are_judged() {
    let dir = Dir::new();
    dir.write("path", "A B\nB C\n");
    let run = dir.run("graph feasibility path --not-edge 4/10 --edge 6/10");
    assert_eq!(run.code, Some(0));
    assert!(run.text().starts_with("feasible: not joined 4/10, joined 6/10\nA  {"), "{}", run.text());
    let k33: String = ["a", "b", "c"]
        .iter()
        .flat_map(|one| ["x", "y", "z"].map(|other| format!("{one},{other}\n")))
        .collect();
    dir.write("k33.csv", format!("one,other\n{k33}"));
    let run = dir.run("graph feasibility k33.csv --not-edge 2/5 --edge 3/5");
    assert_eq!(run.code, Some(1));
    assert!(String::from_utf8_lossy(&run.stdout).starts_with("infeasible: "));
    let answers = dir.run("graph feasibility k33.csv --not-edge 1/3 --json").json();
    assert_eq!((&answers[0]["feasible"], &answers[0]["edge"]), (&true.into(), &serde_json::json!([1, 2])));
    let widest = dir.run("graph feasibility path --widest --denominator 6 --json").json();
    assert_eq!(widest[0]["feasible"], true);
    dir.run("graph feasibility path --not-edge 0.3 --edge 1/2").fails_with(&["1/3"]);
    dir.run("graph feasibility path --not-edge 4/3 --edge 1/2").fails_with(&["4/3"]);
    dir.run_with("graph feasibility --widest", tree(12).as_bytes()).fails_with(&["10 vertices"]);
}

#[test]
fn the_tree_of_languages() {
    let Some(path) = data("graphs/glottolog-tree.tsv.gz") else { return };
    let dir = Dir::new();
    let answer = &dir
        .run(&format!("graph labels {path} --json --false-positives 0.1 --false-negatives 0.1"))
        .json()[0];
    assert_eq!((&answer["vertices"], &answer["edges"]), (&13_217.into(), &13_216.into()));
    assert_eq!((&answer["parent_bits"], &answer["label_bits"]), (&14.into(), &198.into()));
}
