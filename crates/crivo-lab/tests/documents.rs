//! The pages of docs/documents and the guide name experiments that exist, and count them correctly; docs/lab has the full run of all
//! experiments as they are.

use crivo_lab::{EXPERIMENTS, Experiment, Source, Tally};
use std::collections::BTreeSet;
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

/// The verdicts of a report, counted.
fn tally(report: &str) -> Tally {
    let mut tally = Tally::default();
    for line in report.lines().filter_map(|line| line.strip_prefix("- **")) {
        match line.split_once("**").map_or(line, |(word, _)| word) {
            "HOLDS" => tally.holding += 1,
            "CONTRADICTS THE DOCUMENT" => {
                tally.holding += 1;
                tally.against += 1;
            }
            "FAILS" => tally.failing += 1,
            "REPORTED" => tally.reported += 1,
            "NOT JUDGED" => tally.not_judged += 1,
            other => panic!("{other} is no verdict"),
        }
    }
    tally
}

fn sum(tallies: &[(&Experiment, Tally)]) -> Tally {
    tallies.iter().fold(Tally::default(), |sum, (_, tally)| Tally {
        holding: sum.holding + tally.holding,
        failing: sum.failing + tally.failing,
        reported: sum.reported + tally.reported,
        not_judged: sum.not_judged + tally.not_judged,
        against: sum.against + tally.against,
    })
}

#[test]
fn the_published_run_is_a_full_run_of_all_experiments_as_they_are() {
    let folder = docs().join("lab");
    let folders = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let published: BTreeSet<String> = folders
        .filter(|path| path.is_dir())
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    assert_eq!(published, EXPERIMENTS.iter().map(|experiment| experiment.id.to_owned()).collect());
    let list = fs::read_to_string(folder.join("README.md")).unwrap();
    let mut tallies = Vec::new();
    for experiment @ Experiment { id, title, reference, question, theory, .. } in EXPERIMENTS {
        let report = fs::read_to_string(folder.join(id).join("report.md")).unwrap();
        for part in [&format!("# {id}: {title}\n"), *question, *reference, theory.trim(), "seed 0, size full"]
        {
            assert!(report.contains(part), "{id} must be run again: its report does not have {part}");
        }
        let tally = tally(&report);
        assert!(report.contains(&format!("## Verdict: {tally}\n")), "{id}: {tally}");
        let row = format!("| [{id}]({id}/report.md) | {title} | {tally} |");
        assert!(list.contains(&row), "README.md has no row {row}");
        tallies.push((experiment, tally));
    }
    for source in Source::ALL {
        let of_source: Vec<_> =
            tallies.iter().filter(|(experiment, _)| experiment.source == source).copied().collect();
        let row = format!("| {} | {} | {} |", source.title(), of_source.len(), sum(&of_source));
        assert!(list.contains(&row), "README.md has no row {row}");
    }
    let Tally { holding, failing, reported, not_judged, against } = sum(&tallies);
    assert_eq!(failing, 0);
    for part in [
        format!("All {holding} judged claims hold, in {} experiments; {against} of them", tallies.len()),
        format!("{reported} findings about time"),
        format!("{not_judged} claims were not judged"),
    ] {
        assert!(list.contains(&part), "README.md does not say: {part}");
    }
}
