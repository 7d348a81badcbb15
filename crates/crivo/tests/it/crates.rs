//! The dependency graph of the crates, as cargo reads it from their manifests, is the one in ARCHITECTURE.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The crates that each crate uses; crates that use none are left out.
type Graph = BTreeMap<String, BTreeSet<String>>;

/// Dependencies of tests only.
const TESTING: &str = "crivo-testing";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The packages of the workspace of a manifest.
fn packages(manifest: &str) -> Vec<Value> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--no-deps", "--offline", "--format-version", "1", "--manifest-path"]);
    let output = cargo.arg(root().join(manifest)).output().unwrap();
    assert!(output.status.success(), "{manifest}: {}", String::from_utf8_lossy(&output.stderr));
    let read: Value = serde_json::from_slice(&output.stdout).unwrap();
    read["packages"].as_array().unwrap().clone()
}

fn name(package: &Value) -> String {
    package["name"].as_str().unwrap().to_owned()
}

/// The dependencies of each of `packages` on `ours`: of its own code, and of its tests only.
fn graphs(packages: &[Value], ours: &BTreeSet<String>) -> [Graph; 2] {
    [false, true].map(|in_tests| {
        let mut graph = Graph::new();
        for package in packages {
            let used = package["dependencies"].as_array().unwrap().iter();
            let used = used.filter(|it| (it["kind"] == "dev") == in_tests).map(name);
            let used: BTreeSet<String> =
                used.filter(|it| ours.contains(it) && *it != name(package)).collect();
            if !used.is_empty() {
                graph.insert(name(package), used);
            }
        }
        graph
    })
}

/// The lines `crate → crate, crate` of a page.
fn listed(page: &str, ours: &BTreeSet<String>) -> Graph {
    let mut graph = Graph::new();
    for (user, used) in page.lines().filter_map(|line| line.split_once('→')) {
        // Two blanks begin a comment.
        let used = used.trim_start().split("  ").next().unwrap();
        let used: BTreeSet<String> =
            used.split(", ").filter(|it| ours.contains(*it)).map(ToString::to_string).collect();
        if !used.is_empty() {
            graph.insert(user.trim().to_owned(), used);
        }
    }
    graph
}

#[test]
fn crates_know_only_what_the_architecture_lists() {
    let Ok(page) = fs::read_to_string(root().join("docs/ARCHITECTURE.md")) else {
        println!("skipped: the package has no docs/ARCHITECTURE.md");
        return;
    };
    let product = packages("Cargo.toml");
    let ours: BTreeSet<String> = product.iter().map(name).collect();
    assert!(ours.contains("crivo") && ours.contains("crivo-cli"), "the manifests were not read: {ours:?}");
    let others = [
        "bench/Cargo.toml",
        "bench/size/Cargo.toml",
        "crates/crivo-py/Cargo.toml",
        "examples/rust/Cargo.toml",
        "fuzz/Cargo.toml",
    ]
    .map(packages);
    let all: Vec<Value> = others.into_iter().flatten().chain(product).collect();
    let [found, in_tests] = graphs(&all, &ours);
    assert_eq!(found, listed(&page, &ours), "found in the manifests, and listed in ARCHITECTURE");
    for (user, used) in in_tests {
        assert!(used.iter().all(|it| it == TESTING), "the tests of {user} use {used:?}");
    }
    for [user, used] in [["crivo-cli", "crivo-lab"], ["crivo-lab", "crivo-cli"]] {
        assert!(!found[user].contains(used), "{user} must not use {used}: who installs one needs no other");
    }
    assert!(found["crivo"].iter().eq(["crivo-derive"]), "the library uses {:?}", found["crivo"]);
    assert!(found.values().all(|used| !used.contains(TESTING)), "a program links {TESTING}: {found:?}");
}

#[test]
fn an_edge_is_found() {
    let package = serde_json::json!({
        "name": "a",
        "dependencies": [
            { "name": "b", "kind": null },
            { "name": "c", "kind": "dev" },
            { "name": "d", "kind": "build" },
            { "name": "other", "kind": null },
            { "name": "a", "kind": "dev" },
        ]
    });
    let ours = ["a", "b", "c", "d"].map(String::from).into();
    let graph = |used: &[&str]| Graph::from([("a".into(), used.iter().map(ToString::to_string).collect())]);
    assert_eq!(graphs(&[package], &ours), [graph(&["b", "d"]), graph(&["c"])]);
    let page = "a → b, d   what a is, and c\nb → nothing  the ground\nx → y";
    assert_eq!(listed(page, &ours), graph(&["b", "d"]));
}
