//! `crivo graph`.

use crate::support::{Dir, data, gzip};

/// A wheel: a hub with `spokes` vertices around it, each of which is joined to the next.
fn wheel(spokes: u32) -> String {
    let edge = |i: u32| format!("hub\tv{i}\nv{i}\tv{}\n", (i + 1) % spokes);
    (0..spokes).map(edge).collect()
}

#[test]
fn pipes_packed_files_and_exit_codes() {
    let dir = Dir::new();
    dir.write("edges.gz", gzip(wheel(50).as_bytes()));
    dir.run("graph build edges.gz -o graph.crv --fpr 1e-6").text();
    dir.run("graph query graph.crv hub v7").text();
    assert_eq!(dir.run("graph query graph.crv v1 v3").code, Some(1));
    let found = dir.run_with("graph query graph.crv --pairs - --invert", b"v1 v2\nv1 v3\n");
    assert_eq!(found.text(), "v1\tv3\n");
    dir.run("graph neighbours graph.crv v1 --vertices edges.gz").text();
    assert_eq!(dir.run("graph neighbors graph.crv nobody --vertices edges.gz").code, Some(1));
    let labels = &dir.run_with("graph labels --json", b"a b\nb c\n").json()[0];
    assert_eq!((&labels["kind"], &labels["edges"]), (&"tree-labels".into(), &2.into()));
    let judged = dir.run_with("graph feasibility --not-edge 4/10 --edge 6/10", b"A B\nB C\n");
    assert_eq!(judged.code, Some(0));
    dir.run_with("graph labels", b"").fails_with(&["no edges"]);
}

#[test]
fn wrong_usage_is_told() {
    let dir = Dir::new();
    dir.write("edges", "a b\n");
    dir.run("graph build edges -o graph.crv --source a").fails_with(&["--target"]);
    dir.run("graph feasibility edges --not-edge third --edge 1/2").fails_with(&["1/3"]);
    dir.run("graph labels edges --false-positives 2").fails_with(&["--false-positives"]);
    dir.run("graph build edges -o graph.crv").text();
    for line in ["graph query graph.crv a", "graph query graph.crv", "graph query graph.crv a b -i"] {
        assert_eq!(dir.run(line).code, Some(2), "{line}");
    }
}

#[test]
fn sketches_of_other_verbs_are_refused() {
    let dir = Dir::new();
    dir.write("edges", "a b\n");
    dir.run("graph build edges -o graph.crv").text();
    dir.run("filter build edges -o filter.crv").text();
    dir.run("graph labels edges --save tree.crv").text();
    dir.run("graph query filter.crv a b").fails_with(&["bloom-filter", "graph"]);
    dir.run("filter query graph.crv --keys edges").fails_with(&["edge-bloom"]);
    for line in ["query tree.crv a b", "neighbors tree.crv a --vertices edges", "stats tree.crv"] {
        dir.run(&format!("graph {line}")).fails_with(&["tree-labels", "by number", "graph build"]);
    }
    dir.run("merge tree.crv tree.crv -o both.crv").fails_with(&["tree-labels", "merge"]);
    let info = dir.run("info tree.crv").text();
    assert!(info.contains("tree-labels") && info.contains("646"), "{info}");
    assert!(dir.run("info graph.crv").text().contains("edge-bloom"));
}

#[test]
fn parts_of_a_graph_merge() {
    let dir = Dir::new();
    let all = wheel(50);
    let (first, second): (Vec<&str>, Vec<&str>) = all.lines().partition(|line| line.starts_with("hub"));
    dir.write("all", &all);
    dir.write("first", first.join("\n"));
    dir.write("second", second.join("\n"));
    // Filters of one size: 50 edges each.
    dir.run("graph build first -o first.crv --bits-per-edge 20").text();
    dir.run("graph build second -o second.crv --bits-per-edge 20").text();
    dir.run("merge first.crv second.crv -o both.crv").text();
    let found = dir.run("graph query both.crv --pairs all").text();
    assert_eq!(found, all);
    assert_eq!(dir.read("both.crv").len(), dir.read("first.crv").len());
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
