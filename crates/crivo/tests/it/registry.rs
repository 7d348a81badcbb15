//! Every structure has everything that a structure must have.

use crate::golden;
use crate::laws::LINES;
use crivo::baseline::{LogLog, ProbabilisticCounting};
use crivo::membership::{PartitionedBloom, PartitionedParams};
use crivo::sketch::{Insert, Sketch};
use crivo::{BloomFilter, BloomParams, ExaLogLog, HyperLogLog, KMinValues};
use crivo::{Family, KINDS, Kind, KindInfo, MakeFilter, MergeLaw};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The name of the structure's type, without the type of an inner sketch.
fn type_name(info: &KindInfo) -> String {
    let name = format!("{:?}", info.kind);
    if name.starts_with("Martingale") { "Martingale".into() } else { name }
}

/// The texts of all Rust sources and documents below a folder.
fn sources(folder: &Path) -> Vec<String> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            texts.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "md") {
            texts.push(fs::read_to_string(path).unwrap());
        }
    }
    texts
}

#[test]
fn every_claim_has_its_law() {
    for info in KINDS {
        let laws: BTreeSet<&str> =
            LINES.iter().filter(|line| line.kind == info.kind).flat_map(|line| line.laws).copied().collect();
        let is_static = info.filter.is_some_and(|filter| matches!(filter.make, MakeFilter::Frozen(_)));
        let is_made_at_once = is_static || laws.contains("frozen_copies");
        let mut needed = if is_made_at_once {
            let of_all =
                ["frozen_copies", "frozen_memory_is_told", "frozen_any_sketch", "frozen_hostile_bytes"];
            [&of_all[..], &["frozen_set_decides"]].concat()
        } else {
            vec!["copies_behave_alike", "memory_is_told", "any_sketch", "hostile_bytes"]
        };
        if is_static {
            needed.extend(["frozen_no_false_negatives", "frozen_views"]);
        }
        if info.similarity.is_some() {
            needed.push(if is_made_at_once { "frozen_tells_alike" } else { "tells_alike" });
        }
        if info.kind.merge_law() == Some(MergeLaw::Exact) {
            needed.push("exact_merge");
        }
        if info.kind.merge_law() == Some(MergeLaw::Bounded) {
            needed.push(match info.kind.family() {
                Family::Membership => "merge_keeps_all",
                Family::Quantile => "merge_keeps_ranks",
                Family::Profile => "merge_keeps_profile",
                _ => "bounded_merge",
            });
        }
        if info.kind.merge_law() == Some(MergeLaw::Distribution) {
            needed.push("distribution_merge");
        }
        if info.insert.is_some() {
            needed.push("twins_agree");
        }
        if info.insert.is_some() && !info.copies {
            // A merge that depends on the order goes with a state that does, and so may a structure without a merge.
            let depends_on_order = info.kind.merge_law() != Some(MergeLaw::Exact);
            let later = depends_on_order && laws.contains("later_repeats_are_nothing");
            needed.push(if later { "later_repeats_are_nothing" } else { "repeats_are_nothing" });
            needed.extend(["extends", "collects"]);
        }
        if info.insert.is_some() && !info.copies && info.kind.merge_law() == Some(MergeLaw::Exact) {
            needed.push("idempotent_merge");
        }
        if info.membership.is_some() && !is_static {
            let forgets = laws.contains("windows_are_filters");
            needed.push(if forgets { "windows_are_filters" } else { "no_false_negatives" });
        }
        if info.membership.is_some() && info.insert.is_some() {
            needed.push("random_operations");
        }
        if info.cardinality.is_some() {
            needed.push("distinct_count");
        }
        if matches!(
            info.kind,
            Kind::CountMin | Kind::SignedCountMin | Kind::CountSketch | Kind::SpectralBloom
        ) {
            let is_signed = laws.contains("errs_to_both_sides");
            needed.extend([if is_signed { "errs_to_both_sides" } else { "never_too_low" }, "twins_agree"]);
        }
        let missing: Vec<&str> = needed.into_iter().filter(|law| !laws.contains(law)).collect();
        assert!(missing.is_empty(), "{} has no line in laws/mod.rs with {missing:?}", info.kind.name());
    }
}

/// Merging what the column folds gives the sketch of one pass at the smaller size; equal and smaller sketches do not
/// fold.
#[test]
fn folded_sketches_merge() {
    fn check<S: Sketch + Clone + Insert>([fine, coarse]: [S; 2]) {
        let fold = fine.kind().info().fold.unwrap();
        let seen = |sketch: &S, hashes: std::ops::Range<u64>| {
            let mut sketch = sketch.clone();
            for i in hashes {
                sketch.try_insert_hash(i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).unwrap();
            }
            sketch
        };
        let first = seen(&fine, 0..5000);
        let mut merged = fold(&first, &coarse).expect("the second one is smaller");
        merged.merge_any(&seen(&coarse, 4000..9000)).unwrap();
        assert_eq!(merged.to_bytes(), seen(&coarse, 0..9000).to_bytes(), "{merged:?}");
        assert!(fold(&coarse, &fine).is_none() && fold(&fine, &fine).is_none(), "{merged:?}");
    }
    check([HyperLogLog::for_precision(12).unwrap(), HyperLogLog::for_precision(9).unwrap()]);
    check([ExaLogLog::for_precision(12).unwrap(), ExaLogLog::for_precision(4).unwrap()]);
    check([LogLog::for_precision(12).unwrap(), LogLog::for_precision(9).unwrap()]);
    check([
        ProbabilisticCounting::for_precision(8).unwrap(),
        ProbabilisticCounting::for_precision(4).unwrap(),
    ]);
    check([KMinValues::for_k(300).unwrap(), KMinValues::for_k(16).unwrap()]);
    let bloom = |bits| BloomFilter::with_params(BloomParams::exact(bits, 3).unwrap());
    check([bloom(1 << 14), bloom(1 << 12)]);
    check([bloom(10_006), bloom(10_006).fold().unwrap().fold().unwrap()]);
    let blocks = |blocks| PartitionedBloom::with_params(PartitionedParams::exact(blocks, 5000, 2).unwrap());
    check([blocks(5), blocks(3)]);
    let fold = Kind::BloomFilter.info().fold.unwrap();
    assert!(fold(&bloom(4096), &bloom(1000)).is_none() && fold(&bloom(4094), &bloom(2047)).is_none());
    assert_eq!(KINDS.iter().filter(|info| info.fold.is_some()).count(), 7, "each one is above");
}

#[test]
fn every_kind_has_golden_files() {
    let files = golden::file_names();
    for info in KINDS {
        for case in ["empty", "small", "filled", "keyed", "seeded"] {
            let file = format!("{}-v1-{case}.crv", info.kind.name());
            assert!(files.contains(&file), "{file} is missing; see golden/mod.rs");
        }
    }
}

#[test]
fn every_kind_has_its_fingerprint() {
    for info in KINDS {
        let has_row = golden::SUBJECTS.contains(&info.kind) || golden::FROZEN.contains(&info.kind);
        assert!(has_row, "golden/table.rs has no row of {:?}", info.kind);
    }
}

#[test]
fn every_kind_is_benchmarked() {
    let folder = root().join("../../bench/src");
    if !folder.exists() {
        println!("skipped: the benchmarks are not part of this package");
        return;
    }
    let benches = sources(&folder);
    for info in KINDS {
        let name = type_name(info);
        let is_named = |word: &str| word == name;
        let uses_it = |line: &str| {
            line.split_once("crivo::")
                .is_some_and(|(_, rest)| rest.split(|c: char| !c.is_alphanumeric()).any(is_named))
        };
        assert!(benches.iter().any(|text| text.lines().any(uses_it)), "no benchmark uses crivo::{name}");
    }
}

#[test]
fn every_kind_has_a_complete_page() {
    let sections = [
        "# Use when / not when",
        "# Guarantee",
        "# Space",
        "# Time",
        "# Merge",
        "# Hostile input",
        "# Example",
        "# How it works",
        "# References",
        "# Measured",
    ];
    let sources = sources(&root().join("src"));
    for info in KINDS {
        let declaration = format!("pub struct {}", type_name(info));
        let page = sources.iter().find_map(|text| page_above(text, &declaration));
        let page = page.unwrap_or_else(|| panic!("no page above `{declaration}`"));
        let found: Vec<&str> = page.iter().copied().filter(|line| sections.contains(line)).collect();
        assert_eq!(found, sections, "the page of {}", info.kind.name());
        let experiment = format!("c-{}", info.kind.name());
        let names_it = |line: &&str| line.split(['`', ' ']).any(|word| word == experiment);
        assert!(page.iter().any(names_it), "the page of {} does not name {experiment}", info.kind.name());
    }
}

/// The documentation lines directly above a declaration.
fn page_above<'a>(text: &'a str, declaration: &str) -> Option<Vec<&'a str>> {
    let lines: Vec<&str> = text.lines().collect();
    let is_declaration =
        |line: &str| line.strip_prefix(declaration).is_some_and(|rest| rest.starts_with([' ', '<']));
    let place = lines.iter().position(|line| is_declaration(line))?;
    let is_above = |line: &&&str| line.starts_with("///") || line.starts_with("#[");
    let mut page: Vec<&str> = lines[..place].iter().rev().take_while(is_above).copied().collect();
    page.reverse();
    Some(page.into_iter().filter_map(|line| line.strip_prefix("///")).map(str::trim).collect())
}

/// The texts of files, or of all Rust sources in folders.
fn texts(paths: &[&str]) -> Vec<String> {
    let of = |path: &&str| {
        let path = root().join(path);
        if path.is_dir() { sources(&path) } else { vec![fs::read_to_string(path).unwrap()] }
    };
    paths.iter().flat_map(of).collect()
}

/// Kinds without their own accuracy test: their answers are exact, or those of an inner structure.
const NOT_MEASURED: [Kind; 10] = [
    Kind::CuckooTable,
    Kind::DirectTable,
    Kind::Majority,
    Kind::HammingIndex,
    // The table of a LinearBloom.
    Kind::DecayingBloom,
    Kind::AdjacencyMatrix,
    Kind::AdjacencyList,
    Kind::ParentTree,
    Kind::IntervalGraph,
    // Its columns are measured: ColumnProfile.
    Kind::TableProfile,
];

#[test]
fn every_kind_is_in_all_places_of_the_list() {
    let Ok(list) = fs::read_to_string(root().join("../../CONTRIBUTING.md")) else {
        println!("skipped: the documents of the repository are not part of this package");
        return;
    };
    let list = list.split("## Adding a structure").nth(1).unwrap().split("\n## ").next().unwrap();
    let is_numbered = |line: &&str| line.starts_with(|c: char| c.is_ascii_digit());
    assert!(list.lines().filter(is_numbered).count() <= 8, "a structure touches eight places at most");
    let accuracy = texts(&["tests/it/accuracy"]);
    let (lab, format) = (texts(&["../crivo-lab/src"]), texts(&["../../docs/FORMAT.md"]));
    let documents = texts(&["README.md", "../../docs/guide"]);
    for info in KINDS {
        let (name, kind) = (type_name(info), info.kind.name());
        let family = root().join("src").join(info.kind.family().name());
        let file = if name == "Martingale" { "martingale".into() } else { kind.replace('-', "_") };
        assert!(
            has_file(&family, &file),
            "{kind}: no file {file}.rs or folder {file} in {}",
            family.display()
        );
        let named = |texts: &[String], word: &str| texts.iter().any(|text| text.contains(word));
        let is_word = |text: &String| text.split(|c: char| !c.is_alphanumeric()).any(|word| word == name);
        let is_measured = accuracy.iter().any(is_word);
        assert!(
            is_measured != NOT_MEASURED.contains(&info.kind),
            "{kind}: tests/it/accuracy and NOT_MEASURED"
        );
        assert!(named(&lab, &format!("\"c-{kind}\"")), "{kind}: the lab has no c-{kind}");
        assert!(named(&format, &format!("`{kind}`")), "{kind}: docs/FORMAT.md does not describe it");
        assert!(named(&documents, &name), "{kind}: neither the README nor the guide names it");
    }
}

/// Whether a folder, or one in it, has a module of this name.
fn has_file(folder: &Path, module: &str) -> bool {
    fs::read_dir(folder).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        path.file_stem().is_some_and(|stem| stem == module) || path.is_dir() && has_file(&path, module)
    })
}
