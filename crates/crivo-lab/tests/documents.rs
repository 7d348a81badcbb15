//! The pages of docs/documents and the guide name experiments that exist, and count them correctly.

use crivo_lab::{EXPERIMENTS, Source};
use std::fs;
use std::path::{Path, PathBuf};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// The ids in a text: words such as e-f27 in links and between backticks, but not prefixes such as `c-…`.
fn ids(text: &str) -> impl Iterator<Item = &str> {
    let marked = text.split(['[', ']', '(', ')', '`', ' ', '/', '\n', ',']);
    marked.filter(|word| {
        let rest = word.strip_prefix("e-").or(word.strip_prefix("c-"));
        rest.is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_lowercase()))
    })
}

#[test]
fn the_pages_name_only_experiments_that_exist() {
    let (mut named, mut unknown) = (0, Vec::new());
    for folder in ["documents", "guide"] {
        for entry in fs::read_dir(docs().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|it| it != "md") {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            for id in ids(&text) {
                named += 1;
                if crivo_lab::find(id).is_none() {
                    unknown.push(format!("{}: {id}", path.display()));
                }
            }
        }
    }
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
    assert!(named > 300, "only {named} were found");
}

#[test]
fn an_id_is_found_wherever_it_stands() {
    let text = "`crivo-lab run e-f27`, [c-joint](../lab/c-joint/report.md), `c-…`, e-mail";
    assert_eq!(ids(text).collect::<Vec<_>>(), ["e-f27", "c-joint", "c-joint", "e-mail"]);
}

/// The number of errata on the page of a work: a numbered list at its end.
fn errata(page: &str) -> usize {
    let list = page.split_once("## Errata").map_or("", |(_, list)| list);
    let is_item = |line: &&str| line.split_once(". ").is_some_and(|(number, _)| number.parse::<u8>().is_ok());
    list.lines().filter(is_item).count()
}

#[test]
fn the_table_of_works_counts_their_experiments_and_errata() {
    let works = [
        ("lopes", Source::Lopes),
        ("massive-data", Source::Massive),
        ("mpei", Source::Mpei),
        ("silva", Source::Silva),
        ("ferreira", Source::Ferreira),
    ];
    for (page, suffix) in [("README.md", ".md"), ("README.pt.md", ".pt.md")] {
        let text = fs::read_to_string(docs().join("documents").join(page)).unwrap();
        for (work, source) in works {
            let link = format!("({work}{suffix})");
            let row = text.lines().find(|line| line.starts_with('|') && line.contains(&link)).unwrap();
            let printed =
                |column: usize| row.split('|').nth(column).unwrap().trim().parse::<usize>().unwrap();
            let count = EXPERIMENTS.iter().filter(|experiment| experiment.source == source).count();
            assert_eq!(printed(4), count, "{page}: experiments of {work}");
            let page_of_work = docs().join("documents").join(format!("{work}{suffix}"));
            assert_eq!(
                printed(5),
                errata(&fs::read_to_string(page_of_work).unwrap()),
                "{page}: errata of {work}"
            );
        }
    }
}
