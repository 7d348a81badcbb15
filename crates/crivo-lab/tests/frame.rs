//! What holds for every experiment, whatever it measures.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Mutex;

use crivo_lab::{
    About, EXPERIMENTS, Experiment, Moment, Outcome, Plan, Plot, Progress, Report, Scope, Settings, Size,
    Table, Tally, Verdict,
};

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

/// The files that an experiment left, by name, without the one that tells when it was run.
fn files(experiment: &Experiment, out: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(out.join(experiment.id)).unwrap().map(|entry| entry.unwrap().path());
    let file = |path: std::path::PathBuf| {
        (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(path).unwrap())
    };
    let mut files: BTreeMap<_, _> = entries.map(file).collect();
    assert!(files.remove("run.json").is_some(), "{} is not finished", experiment.id);
    files
}

fn plan(settings: Settings, folder: &Folder, jobs: usize) -> Plan {
    Plan { settings, out_dir: folder.0.clone(), jobs, again: false }
}

fn run_one(experiment: &Experiment, settings: &Settings, out: &Path) -> crivo_lab::Result<Report> {
    crivo_lab::run(experiment, settings, out, &About::here_and_now(), &mut Progress::silent())
}

/// A part of all that is soon done, for what holds for any.
fn some() -> Vec<&'static Experiment> {
    ["e-f27", "e-f33", "e-l-distortion"].map(|id| crivo_lab::find(id).unwrap()).to_vec()
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
        for structure in experiment.structures {
            assert!(crivo::Kind::ALL.iter().any(|kind| kind.name() == *structure), "{id}: {structure}");
        }
    }
    assert!(crivo_lab::find("e-f0").is_none());
    assert_eq!(crivo_lab::find("E-F27").map(|found| found.id), Some("e-f27"));
}

#[test]
fn a_run_says_how_far_it_has_come_and_writes_all_that_it_found() {
    let folder = Folder::new("some");
    let last = Mutex::new(0.0);
    let watch = |moment: Moment| {
        if let Moment::Step { done, running, .. } = moment {
            let mut last = last.lock().unwrap();
            assert!((*last..=1.0).contains(&done), "{done} after {last}, while {running:?}");
            *last = done;
        }
    };
    let reports = crivo_lab::run_all(&some(), &plan(quick(1), &folder, 2), &watch).unwrap();
    assert!(reports.iter().all(Report::passed));
    assert!(*last.lock().unwrap() > 0.999_999, "it reaches the end of its steps");
    for experiment in some() {
        let files = files(experiment, &folder.0);
        for end in [".csv", ".svg", "data.json", "report.md"] {
            assert!(files.keys().any(|name| name.ends_with(end)), "{} writes no {end}", experiment.id);
        }
    }
    let written = crivo_lab::write_report(&folder.0, Scope::All).unwrap();
    assert_eq!((written.experiments, written.tally.failing), (some().len(), 0));
    let page = std::fs::read_to_string(written.page).unwrap();
    let list = std::fs::read_to_string(written.list).unwrap();
    for experiment in some() {
        assert!(page.contains(&format!("<section id=\"{}\">", experiment.id)), "{}", experiment.id);
        assert!(list.contains(&format!("({}/report.md)", experiment.id)), "{}", experiment.id);
    }
    assert_eq!(page.matches("<section").count(), some().len());
    assert_eq!(
        page.matches("prefers-color-scheme").count(),
        2,
        "the page's rules, and the figures' once for all"
    );
    for outside in ["<script", "src=", "@import", "url("] {
        assert!(!page.contains(outside), "the page needs {outside}");
    }
}

#[test]
fn the_same_settings_give_the_same_bytes_in_any_order_and_another_seed_gives_others() {
    let [alone, together, other] = ["alone", "together", "other"].map(Folder::new);
    let reversed: Vec<_> = some().into_iter().rev().collect();
    crivo_lab::run_all(&some(), &plan(quick(1), &alone, 1), &|_| ()).unwrap();
    crivo_lab::run_all(&reversed, &plan(quick(1), &together, 3), &|_| ()).unwrap();
    crivo_lab::run_all(&some(), &plan(quick(2), &other, 2), &|_| ()).unwrap();
    for experiment in some() {
        assert_eq!(files(experiment, &alone.0), files(experiment, &together.0), "{}", experiment.id);
        let [first, second] =
            [&alone, &other].map(|folder| files(experiment, &folder.0)["data.json"].clone());
        assert_ne!(first, second, "{} does not use its seed", experiment.id);
        let json: serde_json::Value = serde_json::from_slice(&first).unwrap();
        assert_eq!(json["seed"], 1);
    }
}

#[test]
fn what_is_finished_is_not_run_again() {
    let folder = Folder::new("again");
    let finished = |plan: &Plan| -> Vec<(&str, bool)> {
        let reports = crivo_lab::run_all(&some(), plan, &|_| ()).unwrap();
        reports.iter().map(|report| (report.id, report.was_finished)).collect()
    };
    let [first, second, third] = ["e-f27", "e-f33", "e-l-distortion"];
    let plan = plan(quick(1), &folder, 2);
    assert_eq!(finished(&plan), [(first, false), (second, false), (third, false)]);
    let before = files(some()[1], &folder.0);
    // A run that was cut short has no such file.
    std::fs::remove_file(folder.0.join(second).join("run.json")).unwrap();
    std::fs::write(folder.0.join(second).join("older.svg"), "of a figure that is drawn no more").unwrap();
    assert_eq!(finished(&plan), [(first, true), (second, false), (third, true)]);
    assert_eq!(files(some()[1], &folder.0), before, "nothing is left of an older run");
    // What another program left counts for nothing, nor does damage.
    let run = std::fs::read_to_string(folder.0.join(first).join("run.json")).unwrap();
    let program = About::here_and_now().program;
    assert!(run.contains(&program));
    std::fs::write(folder.0.join(first).join("run.json"), run.replace(&program, "0123456789abcdef")).unwrap();
    std::fs::write(folder.0.join(third).join("data.json"), "{").unwrap();
    let damaged = crivo_lab::write_report(&folder.0, Scope::All).unwrap_err().to_string();
    assert!(damaged.contains("data.json") && damaged.contains("again"), "{damaged}");
    assert_eq!(finished(&plan), [(first, false), (second, true), (third, false)]);
    let other = Plan { settings: quick(2), ..plan.clone() };
    assert_eq!(finished(&other), [(first, false), (second, false), (third, false)]);
    assert_eq!(finished(&Plan { again: true, ..other }), [(first, false), (second, false), (third, false)]);
}

/// Experiments of this test's own, one that measures time among them.
#[expect(clippy::unnecessary_wraps, reason = "an experiment may fail")]
mod planted {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    static RUNNING: AtomicU32 = AtomicU32::new(0);

    fn outcome(passed: bool) -> Outcome {
        let mut table = Table::new("data", ["n"]);
        table.push([1.into()]);
        let verdict = Verdict::new("a < b & c", passed, "because <b>");
        let notes = vec!["A note with `code`.".to_owned()];
        Outcome {
            tables: vec![table],
            plots: vec![Plot::new("empty", "Nothing")],
            verdicts: vec![
                verdict,
                Verdict::reported("it takes a while", "5 ms"),
                Verdict::not_judged("it could be", "too few data"),
            ],
            notes,
            atlas: None,
        }
    }

    fn red(_: &Settings, progress: &mut Progress) -> crivo_lab::Result<Outcome> {
        RUNNING.fetch_add(1, Ordering::SeqCst);
        progress.start(1);
        std::thread::sleep(std::time::Duration::from_millis(50));
        progress.step();
        RUNNING.fetch_sub(1, Ordering::SeqCst);
        Ok(outcome(false))
    }

    fn alone(_: &Settings, _: &mut Progress) -> crivo_lab::Result<Outcome> {
        assert_eq!(RUNNING.load(Ordering::SeqCst), 0, "something runs at the same time");
        Ok(outcome(true))
    }

    fn broken(_: &Settings, _: &mut Progress) -> crivo_lab::Result<Outcome> {
        Err(crivo_lab::Error::Corpus("no such words".to_owned()))
    }

    static RED: Experiment = Experiment { run: red, timed: false, ..EXPERIMENTS[0] };
    static RED_TOO: Experiment = Experiment { run: red, timed: false, ..EXPERIMENTS[1] };
    static TIMED: Experiment = Experiment { run: alone, timed: true, ..EXPERIMENTS[2] };
    static BROKEN: Experiment = Experiment { run: broken, timed: false, ..EXPERIMENTS[3] };

    #[test]
    fn what_measures_time_runs_last_and_alone_and_what_fails_is_red() {
        let folder = Folder::new("timed");
        let told = Mutex::new(Vec::new());
        let watch = |moment: Moment| {
            if let Moment::Finished(report) = moment {
                told.lock().unwrap().push(report.id);
            }
        };
        let reports =
            crivo_lab::run_all(&[&TIMED, &RED, &RED_TOO], &plan(quick(1), &folder, 2), &watch).unwrap();
        let ids = [RED.id, RED_TOO.id, TIMED.id];
        assert_eq!(reports.iter().map(|report| report.id).collect::<Vec<_>>(), ids);
        assert_eq!(*told.lock().unwrap(), ids);
        assert_eq!(reports.iter().map(Report::passed).collect::<Vec<_>>(), [false, false, true]);
        let written = crivo_lab::write_report(&folder.0, Scope::All).unwrap();
        let expected = Tally { holding: 1, failing: 2, reported: 3, not_judged: 3, ..Tally::default() };
        assert_eq!((written.experiments, written.tally), (3, expected));
        let page = std::fs::read_to_string(written.page).unwrap();
        assert!(page.contains("2 of 3 judged claims FAIL") && page.contains("a &lt; b &amp; c"), "{page}");
        assert!(page.contains("<code>code</code>") && page.contains("because &lt;b&gt;"), "{page}");
        let list = std::fs::read_to_string(written.list).unwrap();
        assert!(list.contains("1 of 1 claim FAIL; 1 finding reported; 1 claim not judged"), "{list}");
        let nothing = crivo_lab::write_report(&folder.0, Scope::Errata).unwrap_err().to_string();
        assert!(
            nothing.contains("no finished experiment"),
            "none of these contradicts a document: {nothing}"
        );
    }

    #[test]
    fn an_error_ends_the_run_and_keeps_what_is_finished() {
        let folder = Folder::new("broken");
        let error =
            crivo_lab::run_all(&[&RED, &BROKEN, &TIMED], &plan(quick(1), &folder, 1), &|_| ()).unwrap_err();
        assert!(error.to_string().contains("no such words"), "{error}");
        let written = crivo_lab::write_report(&folder.0, Scope::All).unwrap();
        assert_eq!(written.experiments, 1, "the one before is kept, the one after was not begun");
        let nothing = crivo_lab::write_report(&folder.0.join("nowhere"), Scope::All).unwrap_err().to_string();
        assert!(nothing.contains("nowhere") && nothing.contains("crivo-lab all"), "{nothing}");
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let folder = Folder::new("blocked");
    std::fs::write(&folder.0, "a file where the folder should be").unwrap();
    let error = run_one(&EXPERIMENTS[0], &quick(4), &folder.0).unwrap_err();
    std::fs::remove_file(&folder.0).unwrap();
    assert!(error.to_string().contains("crivo-lab-blocked"), "{error}");
    let cause = std::error::Error::source(&error).unwrap().to_string();
    assert!(
        !error.to_string().contains(&cause),
        "the cause is shown once, by the code that shows the chain: {error}"
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
    let result = run_one(&experiment, &quick(4), &folder.0);
    std::fs::remove_file(&folder.0).unwrap();
    assert!(result.is_err());
}

#[test]
fn a_failed_write_leaves_no_draft() {
    let folder = Folder::new("draft");
    let experiment = crivo_lab::find("e-f27").unwrap();
    let blocked = folder.0.join("e-f27").join("data.json");
    std::fs::create_dir_all(&blocked).unwrap();
    let error = run_one(experiment, &quick(4), &folder.0).unwrap_err();
    assert!(error.to_string().ends_with("data.json"), "{error}");
    for entry in std::fs::read_dir(folder.0.join("e-f27")).unwrap() {
        let name = entry.unwrap().file_name();
        assert!(!name.to_string_lossy().starts_with('.'), "{} is left", name.display());
    }
}

#[test]
fn a_corpus_too_small_is_refused_with_what_is_needed() {
    let folder = Folder::new("small-corpus");
    std::fs::create_dir_all(folder.0.join("shakespeare/works")).unwrap();
    std::fs::write(folder.0.join("shakespeare/works/text"), "to be or not to be").unwrap();
    let settings = Settings { corpus: Some(folder.0.clone()), ..quick(5) };
    let e_f9 = crivo_lab::find("e-f9").unwrap();
    let message = (e_f9.run)(&settings, &mut Progress::silent()).unwrap_err().to_string();
    assert!(message.contains("20000") && message.contains("has 4"), "{message}");
}

/// A folder of another layout is refused before anything runs.
#[test]
fn a_corpus_of_another_layout_is_refused_with_the_expected_one() {
    let folder = Folder::new("layout");
    std::fs::create_dir_all(folder.0.join("texts")).unwrap();
    std::fs::write(folder.0.join("texts/play"), "to be or not to be").unwrap();
    let settings = Settings { corpus: Some(folder.0.join("texts")), ..quick(5) };
    let message = crivo_lab::run_all(&some(), &plan(settings, &folder, 1), &|_| ()).unwrap_err().to_string();
    for path in ["shakespeare/works", "words/dwyl-words.txt.gz", "hyphenation/ushyphex.txt", "(not found)"] {
        assert!(message.contains(path), "{message}");
    }
    assert!(!folder.0.join("e-f27").exists(), "nothing was run");
}

/// The README names the layout of `--corpus` and the sources of the published run.
#[test]
fn the_readme_names_the_data() {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    for set in crivo_lab::corpus::DATA_SETS {
        let row = format!("| `{}` | {} | {} |", set.path, set.expected, set.published);
        assert!(readme.contains(&row), "{row}");
    }
}
