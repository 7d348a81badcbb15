//! What holds for every experiment, whatever it measures.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Mutex;

use crivo_lab::{EXPERIMENTS, Experiment, Progress, Settings, Size};

/// A folder of its own for a test, removed at the end.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("crivo-lab-{name}-{}", std::process::id())))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn quick(seed: u64) -> Settings {
    Settings { seed, size: Size::Quick, ..Settings::default() }
}

/// The files a run left, by name.
fn files(experiment: &Experiment, settings: &Settings, out: &Path) -> BTreeMap<String, Vec<u8>> {
    let report = crivo_lab::run(experiment, settings, out, &mut Progress::silent()).unwrap();
    for verdict in &report.verdicts {
        assert!(verdict.passed, "{}: {} {}", report.id, verdict.claim, verdict.detail);
    }
    assert!(report.passed() && !report.verdicts.is_empty(), "{} judges nothing", report.id);
    let entries = std::fs::read_dir(out.join(experiment.id)).unwrap().map(|entry| entry.unwrap().path());
    let found: BTreeMap<_, _> = entries
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(path).unwrap()))
        .collect();
    let named = report.files.iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned());
    assert_eq!(
        named.collect::<HashSet<_>>(),
        found.keys().cloned().collect(),
        "the report names what is there"
    );
    found
}

#[test]
fn every_experiment_says_what_it_is_under_an_id_of_its_own() {
    let ids: HashSet<_> = EXPERIMENTS.iter().map(|experiment| experiment.id).collect();
    assert_eq!(ids.len(), EXPERIMENTS.len());
    for experiment in EXPERIMENTS {
        let Experiment { id, title, reference, question, theory, .. } = experiment;
        assert!([id, title, reference, question, theory].iter().all(|text| !text.is_empty()), "{id}");
        assert!(id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'), "{id}");
        assert_eq!(crivo_lab::find(id).map(|found| found.title), Some(*title));
    }
    assert!(crivo_lab::find("e-f0").is_none());
    assert_eq!(crivo_lab::find("E-F27").map(|found| found.id), Some("e-f27"));
}

#[test]
fn every_experiment_is_green_and_the_same_twice_and_another_with_another_seed() {
    for experiment in EXPERIMENTS {
        let folder = Folder::new(experiment.id);
        let first = files(experiment, &quick(1), &folder.0);
        assert_eq!(first, files(experiment, &quick(1), &folder.0), "{}", experiment.id);
        for end in [".csv", ".svg", "data.json", "report.md"] {
            assert!(first.keys().any(|name| name.ends_with(end)), "{} writes no {end}", experiment.id);
        }
        let json: serde_json::Value = serde_json::from_slice(&first["data.json"]).unwrap();
        assert_eq!(json["seed"], 1);
        let other = files(experiment, &quick(2), &folder.0);
        assert_ne!(first["data.json"], other["data.json"], "{} does not use its seed", experiment.id);
    }
}

#[test]
fn progress_reaches_its_end() {
    for experiment in EXPERIMENTS {
        let seen = Mutex::new(Vec::new());
        let mut progress = Progress::new(|done, total| seen.lock().unwrap().push((done, total)));
        (experiment.run)(&quick(3), &mut progress).unwrap();
        drop(progress);
        let seen = seen.into_inner().unwrap();
        let total = seen[0].1;
        assert_eq!(seen.first(), Some(&(0, total)), "{}", experiment.id);
        assert_eq!(seen.last(), Some(&(total, total)), "{}", experiment.id);
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let folder = Folder::new("blocked");
    std::fs::write(&folder.0, "a file where the folder should be").unwrap();
    let error = crivo_lab::run(&EXPERIMENTS[0], &quick(4), &folder.0, &mut Progress::silent()).unwrap_err();
    std::fs::remove_file(&folder.0).unwrap();
    assert!(error.to_string().contains("crivo-lab-blocked"), "{error}");
    let cause = std::error::Error::source(&error).unwrap().to_string();
    assert!(
        !error.to_string().contains(&cause),
        "the cause is told once, by whoever shows the chain: {error}"
    );
}

#[test]
fn the_folder_is_made_before_the_work() {
    fn must_not_run(_: &Settings, _: &mut Progress) -> crivo_lab::Result<crivo_lab::Outcome> {
        panic!("the folder cannot be made, so the work is in vain");
    }
    let folder = Folder::new("vain");
    std::fs::write(&folder.0, "a file where the folder should be").unwrap();
    let experiment = Experiment { run: must_not_run, ..EXPERIMENTS[0] };
    let result = crivo_lab::run(&experiment, &quick(4), &folder.0, &mut Progress::silent());
    std::fs::remove_file(&folder.0).unwrap();
    assert!(result.is_err());
}

#[test]
fn a_failed_write_leaves_no_draft() {
    let folder = Folder::new("draft");
    let experiment = crivo_lab::find("e-f27").unwrap();
    let blocked = folder.0.join("e-f27").join("data.json");
    std::fs::create_dir_all(&blocked).unwrap();
    let error = crivo_lab::run(experiment, &quick(4), &folder.0, &mut Progress::silent()).unwrap_err();
    assert!(error.to_string().ends_with("data.json"), "{error}");
    for entry in std::fs::read_dir(folder.0.join("e-f27")).unwrap() {
        let name = entry.unwrap().file_name();
        assert!(!name.to_string_lossy().starts_with('.'), "{} is left", name.display());
    }
}

#[test]
fn a_corpus_too_small_is_refused_with_what_is_needed() {
    let folder = Folder::new("small-corpus");
    std::fs::create_dir_all(&folder.0).unwrap();
    std::fs::write(folder.0.join("text"), "to be or not to be").unwrap();
    let settings = Settings { corpus: Some(folder.0.clone()), ..quick(5) };
    let e_f9 = crivo_lab::find("e-f9").unwrap();
    let message = (e_f9.run)(&settings, &mut Progress::silent()).unwrap_err().to_string();
    assert!(message.contains("20000") && message.contains("has 4"), "{message}");
}
