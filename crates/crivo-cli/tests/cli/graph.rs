//! `crivo graph`.

use crate::support::{Dir, gzip};

/// A wheel: a hub with `spokes` vertices around it, each of which is joined to the next: as many triangles.
fn wheel(spokes: u32) -> String {
    let edge = |i: u32| format!("hub\tv{i}\nv{i}\tv{}\n", (i + 1) % spokes);
    (0..spokes).map(edge).collect()
}

#[test]
fn no_edge_is_lost_whatever_the_form() {
    let dir = Dir::new();
    let tabs = wheel(50);
    dir.write("tabs.txt", format!("# a wheel\n\n{tabs}"));
    dir.write("commas.csv", format!("# a wheel\none,other\n{}", tabs.replace('\t', ",")));
    dir.write("bare.csv", tabs.replace('\t', ","));
    dir.write("tabs.tsv", &tabs);
    dir.write("blanks", tabs.replace('\t', "   "));
    dir.write("packed.gz", gzip(tabs.as_bytes()));
    dir.write("table.csv", format!("n,to,from\n{}", table(&tabs)));
    for kind in ["edge-bloom", "vertex-blooms"] {
        let flags = format!("--kind {kind} -o graph.crv --force --json");
        let built = |line: &str| {
            let answer = dir.run(&format!("graph build {line} {flags}")).json()[0].clone();
            assert_eq!((&answer["type"], &answer["kind"]), (&"graph".into(), &kind.into()));
            assert_eq!((&answer["edges"], &answer["lines"]), (&100.into(), &100.into()), "{line}");
            dir.read("graph.crv")
        };
        let bytes = built("tabs.txt");
        for line in [
            "commas.csv",
            "bare.csv --no-header",
            "tabs.tsv",
            "blanks",
            "packed.gz",
            "table.csv --from from --to to",
            "tabs.txt --jobs 1",
        ] {
            assert_eq!(built(line), bytes, "{line}");
        }
        let found = dir.run("graph query graph.crv --pairs tabs.txt");
        assert_eq!(found.text(), tabs, "every edge is found");
        assert!(dir.run("info graph.crv").text().contains(kind));
        dir.run("graph query graph.crv v1 v0").text();
    }
}

/// Rows of a table with a number before each edge, turned.
fn table(tabs: &str) -> String {
    let row = |(i, line): (usize, &str)| {
        let (from, to) = line.split_once('\t').unwrap();
        format!("{i},{to},{from}\n")
    };
    tabs.lines().enumerate().map(row).collect()
}

#[test]
fn questions_and_their_exit_codes() {
    let dir = Dir::new();
    dir.write("edges", wheel(50));
    dir.run("graph build edges -o graph.crv --fpr 1e-6").text();
    assert!(dir.run("graph query graph.crv hub v7").text().starts_with("probably joined"));
    let no = dir.run("graph query graph.crv v1 v3");
    assert_eq!((no.code, &no.stdout[..]), (Some(1), &b"certainly not joined\n"[..]));
    let answers = dir.run_with("graph query graph.crv --pairs - --json", b"v1 v2\nv1 v3\n").json();
    assert_eq!(answers.len(), 1);
    assert_eq!((&answers[0]["from"], &answers[0]["joined"]), (&"v1".into(), &true.into()));
    let inverted = dir.run_with("graph query graph.crv --pairs - --invert", b"v1 v2\nv1 v3\n");
    assert_eq!(inverted.text(), "v1\tv3\n");
    let answers = dir.run("graph neighbors graph.crv v1 --vertices edges --json").json();
    let names: Vec<&str> = answers.iter().filter_map(|answer| answer["vertex"].as_str()).collect();
    assert_eq!(names, ["hub", "v0", "v2", "v1"], "the last is the vertex itself");
    assert_eq!((&answers[3]["listed"], &answers[3]["degree"]["value"]), (&3.into(), &3.0.into()));
    let text = dir.run("graph neighbours graph.crv v1 --vertices edges").text();
    assert!(text.ends_with("# 3 neighbours  (at least 95 %: 3)\n"), "{text}");
    assert_eq!(dir.run("graph neighbors graph.crv nobody --vertices edges").code, Some(1));
}

#[test]
fn directed_graphs_keep_their_direction() {
    let dir = Dir::new();
    dir.write("edges", "a b\nb c\n");
    for kind in ["edge-bloom", "vertex-blooms"] {
        dir.run(&format!(
            "graph build edges -o graph.crv --force --directed --kind {kind} --bits-per-edge 40"
        ))
        .text();
        assert_eq!(dir.run("graph query graph.crv a b").code, Some(0), "{kind}");
        assert_eq!(dir.run("graph query graph.crv b a").code, Some(1), "{kind}");
    }
    dir.write("edges", "a b\nb a\nb c\nb b\n");
    let stats = dir.run("graph stats edges --directed --exact -k 1");
    assert!(stats.stderr.contains("triangles are counted in undirected graphs"), "{}", stats.stderr);
    let text = dir.run("graph stats edges --directed --exact -k 1 --quiet").text();
    assert!(text.contains("edges at b  4"), "{text}");
}

#[test]
fn figures_of_edges_and_of_saved_graphs() {
    let dir = Dir::new();
    dir.write("edges", format!("{}v0 v0\n", wheel(50)));
    let figure = |line: &str, name: &str| {
        let answers = dir.run(&format!("graph stats {line} --json --quiet")).json();
        let found = answers.iter().find(|answer| answer["name"] == name);
        found.unwrap_or_else(|| panic!("{line}: no {name} in {answers:?}"))["value"].clone()
    };
    for (name, truth) in
        [("vertices", 51.0), ("edges", 101.0), ("lines", 101.0), ("loops", 1.0), ("triangles", 50.0)]
    {
        assert_eq!(figure("edges --exact", name)["value"], truth, "{name}");
        if name != "triangles" {
            assert_eq!(figure("edges", name)["value"], truth, "{name}");
        }
    }
    let most = |line: &str| {
        let answers = dir.run(&format!("graph stats {line} -k 1 --json")).json();
        let last = answers.last().unwrap().clone();
        (last["vertex"].clone(), last["name"].clone(), last["value"]["value"].clone())
    };
    assert_eq!(most("edges"), ("hub".into(), "times".into(), 50.0.into()));
    assert_eq!(most("edges --exact"), ("hub".into(), "neighbours".into(), 50.0.into()));
    for kind in ["edge-bloom", "vertex-blooms"] {
        dir.run(&format!("graph build edges -o graph.crv --force --kind {kind} --bits-per-edge 30")).text();
        let triangles = figure("graph.crv --vertices edges", "triangles");
        let [lower, upper] = ["lower", "upper"].map(|name| triangles[name].as_f64().unwrap());
        assert!(lower <= 50.0 && 50.0 <= upper, "{kind}: {triangles}");
    }
    let text = dir.run("graph stats edges --exact -k 1").text();
    assert!(text.contains("neighbours of hub") && text.contains("triangles"), "{text}");
}

#[test]
fn bad_input_is_told() {
    let dir = Dir::new();
    dir.write("edges", "a b\n# fine\n\nalone\nc d\n");
    dir.run("graph build edges -o graph.crv").fails_with(&["edges, line 4", "'alone'"]);
    dir.write("edges", "a b\n");
    for (line, word) in [
        ("graph build edges -o graph.crv --kind vertex-blooms --fpr 0.1", "--bits-per-edge"),
        ("graph build edges -o graph.crv --bits-per-edge 0", "got 0"),
        ("graph build edges -o graph.crv --format csv", "--from"),
        ("graph build edges -o graph.crv --from a", "--to"),
        ("graph build edges -o graph.crv --max-memory 1", "--max-memory"),
        ("graph stats edges --vertices edges", "--vertices"),
        ("graph query edges a b", "edges"),
        ("graph build nothing -o graph.crv", "nothing"),
    ] {
        dir.run(line).fails_with(&[word]);
        assert!(!dir.path("graph.crv").exists(), "{line}");
    }
    dir.run("graph build edges -o graph.crv").text();
    for line in [
        "graph query graph.crv a",
        "graph query graph.crv",
        "graph query graph.crv a b -i",
        "graph stats graph.crv --exact",
    ] {
        assert_eq!(dir.run(line).code, Some(2), "{line}");
    }
    dir.run("filter build edges -o filter.crv").text();
    dir.run("graph query filter.crv a b").fails_with(&["bloom-filter", "graph"]);
    dir.run("filter query graph.crv edges").fails_with(&["edge-bloom"]);
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
    dir.run("graph build all -o all.crv --bits-per-edge 10").text();
    let found = dir.run("graph query both.crv --pairs all").text();
    assert_eq!(found, all);
    assert_eq!(dir.read("both.crv").len(), dir.read("first.crv").len());
}

/// A loop is an edge, and edges that repeat count once, whether they are kept or estimated.
#[test]
fn loops_are_different_edges_everywhere() {
    let dir = Dir::new();
    dir.write("edges", "a a\na a\nb b\na b\n");
    for flags in ["", "--exact"] {
        let figures = dir.run(&format!("graph stats edges {flags} --json")).json();
        let loops = figures.iter().find(|figure| figure["name"] == "loops").unwrap();
        assert_eq!(loops["value"]["value"], 2.0, "{flags}: {figures:?}");
    }
}
