//! The graph of the library's modules, from the paths in their source: no cycles, and no edge between families that
//! ARCHITECTURE does not list.

use crivo::Kind;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules that each module uses.
type Graph = BTreeMap<String, BTreeSet<String>>;

fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every source file except tests, and the module that it belongs to.
fn files(folder: PathBuf, module: Option<&str>, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap().to_string();
        let module = module.unwrap_or(&stem);
        if path.is_dir() {
            files(path, Some(module), found);
        } else if stem != "tests" {
            found.push((module.to_string(), code(&fs::read_to_string(&path).unwrap())));
        }
    }
}

/// A source without comments and without the unit tests at its end.
fn code(source: &str) -> String {
    let code = source.split("#[cfg(test)]\nmod tests").next().unwrap();
    code.lines().map(|line| line.split("//").next().unwrap()).collect::<Vec<_>>().join("\n")
}

/// The names that follow `prefix`: one, or each of a list in braces.
fn names_after<'a>(code: &'a str, prefix: &str) -> Vec<&'a str> {
    let mut names = Vec::new();
    for rest in code.split(prefix).skip(1) {
        let mut depth = 0;
        let mut starts = true;
        for (place, c) in rest.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' => starts = depth == 1,
                c if c.is_whitespace() => {}
                _ if starts => {
                    names.push(
                        rest[place..].split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap(),
                    );
                    starts = false;
                }
                _ => {}
            }
            if depth == 0 && !starts {
                break;
            }
        }
    }
    names
}

fn graph() -> Graph {
    let mut sources = Vec::new();
    files(package().join("src"), None, &mut sources);
    let root = sources.iter().position(|(module, _)| module == "lib").unwrap();
    let (_, root) = sources.swap_remove(root);
    // The modules from which the root re-exports its names.
    let modules: BTreeSet<String> = sources.iter().map(|(module, _)| module.clone()).collect();
    let mut origins: BTreeMap<&str, &str> = modules.iter().map(|module| (&**module, &**module)).collect();
    for module in &modules {
        origins.extend(
            names_after(&root, &format!("pub use {module}::")).into_iter().map(|name| (name, &**module)),
        );
    }
    let mut graph = Graph::new();
    for (module, code) in &sources {
        let used = graph.entry(module.clone()).or_default();
        let origins = names_after(code, "crate::").into_iter().filter_map(|name| origins.get(name));
        used.extend(origins.filter(|&origin| origin != module).map(ToString::to_string));
        // A row of the registry is reached by a method.
        if code.contains(".info()") && module != "registry" {
            used.insert("registry".to_string());
        }
    }
    graph
}

/// Removes modules that use none of the rest, repeatedly: what is left are modules on cycles, and those above them.
fn cycles(graph: &Graph) -> Graph {
    let mut rest = graph.clone();
    while let Some(leaf) = rest.iter().find(|(_, used)| used.iter().all(|module| !rest.contains_key(module)))
    {
        let leaf = leaf.0.clone();
        rest.remove(&leaf);
    }
    rest
}

#[test]
fn modules_form_no_cycle() {
    let graph = graph();
    for (module, used) in &graph {
        println!("{module} → {}", used.iter().map(String::as_str).collect::<Vec<_>>().join(", "));
    }
    assert!(graph.len() > 20 && graph["registry"].contains("codec"), "the source was not read: {graph:?}");
    let cycles = cycles(&graph);
    assert!(cycles.is_empty(), "these modules use each other, or stand on some that do: {cycles:#?}");
}

#[test]
fn families_know_only_what_the_architecture_lists() {
    let path = package().join("../../docs/ARCHITECTURE.md");
    let Ok(page) = fs::read_to_string(path) else {
        println!("skipped: the package has no docs/ARCHITECTURE.md");
        return;
    };
    let families: BTreeSet<&str> = Kind::ALL.iter().map(|kind| kind.family().name()).collect();
    let mut listed = Graph::new();
    for line in page.lines() {
        if let Some((family, used)) = line.split_once('→')
            && families.contains(family.trim())
        {
            let used = used.split([',', ' ']).filter(|name| families.contains(name)).map(ToString::to_string);
            listed.insert(family.trim().to_string(), used.collect());
        }
    }
    let mut found = graph();
    found.retain(|module, _| families.contains(&**module));
    for used in found.values_mut() {
        used.retain(|module| families.contains(&**module));
    }
    found.retain(|_, used| !used.is_empty());
    assert_eq!(found, listed, "found in the source, and listed in ARCHITECTURE");
}

#[test]
fn a_cycle_is_found() {
    let graph = |edges: &[(&str, &str)]| {
        let mut graph = Graph::new();
        for (from, to) in edges {
            graph.entry(from.to_string()).or_default().insert(to.to_string());
            graph.entry(to.to_string()).or_default();
        }
        graph
    };
    assert!(cycles(&graph(&[("a", "b"), ("b", "c"), ("a", "c")])).is_empty());
    assert_eq!(cycles(&graph(&[("a", "b"), ("b", "c"), ("c", "b"), ("c", "d")])).len(), 3);
    assert_eq!(names_after("use crate::{a::{b, c}, d};\ncrate::e::F", "crate::"), ["a", "d", "e"]);
}
